"""Sets Inglenook up on a bare machine; the standard library only, as nothing else is there yet.

`cli` reads the arguments, `steps` says what a set-up consists of, and the rest are the parts:
`environment` (.venv), `packages` (what is installed in it), `pip_install`, `flavour` (CPU or
CUDA), `system` (disk, display, system libraries), `progress` and `failures`.
"""
