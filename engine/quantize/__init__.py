"""Quantises a model to AWQ (4 bits a weight) in a process of its own, and proves the result.

`python -m engine.quantize` is that process: it reads a job as JSON from standard input and writes
events as JSON lines. The window and the terminal start it and read them; killing its group ends it.

    wire         the job and the events; the standard library and msgspec only
    folders      the folder it writes into, leftovers, the manifest beside the weights
    preflight    what is checked before any weight is read: shapes, disk, memory
    samples      the text it is calibrated on and the text it is judged by
    autoawq_tool the one module that touches autoawq
    packing      AWQ's numbers: rounding, and reading what was written
    residence    visits of layers to the device that computes
    verify       perplexity and agreement, of the original, of AWQ and of plain rounding
    refusal_words what is said of a job that cannot be done
    work         the order of it all
"""
