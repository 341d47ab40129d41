"""What is said of a job that cannot be done. In one place: the window translates these texts.

Names of places matter: `desktop.models.failure_text` writes a size or a number as the user's
language does, and leaves {name}, {file} and {folder} as they are.
"""

from __future__ import annotations

from typing import Final

from engine.failure_words import words

# Where the model is made.
BUSY: Final = words("Another process is making {name} at this moment.")
TAKEN: Final = words("{folder} is there already. Choose another folder, or remove that one first.")
DISK_FULL: Final = words("The disk of {folder} is full. Free some space.")
NOT_WRITABLE: Final = words("The folder {folder} cannot be written.")
DISK: Final = words("{folder} cannot be written: {reason}.")
NO_DISK: Final = words(
    "The quantised model needs {needed} in {folder}; {free} are free. Free some space, or choose "
    "another folder."
)
# The model.
UNREADABLE: Final = words("{name} cannot be read: {reason}")
QUANTISED: Final = words(
    "{name} is quantised already ({method}). Choose the original, in 16 or 32 bits."
)
KIND: Final = words(
    "There is no AWQ recipe here for models of the kind “{name}”. Known are {kinds}."
)
NOTHING: Final = words("{name} has no linear layers to quantise.")
GROUP: Final = words("A group size of {group} does not fit {name}. It can have: {sizes}.")
NO_GROUP: Final = words("No group size fits {name}: the widths of these layers cannot be divided.")
NO_MEMORY: Final = words(
    "Quantising {name} needs about {needed} of memory; {free} are free. Unload the model and close "
    "other programs, or quantise it on a larger machine."
)
LAYER: Final = words("{name} ({width} wide)")
# The calibration text.
NO_UTF8: Final = words("{name} is not text in UTF-8 ({reason}).")
NO_CALIBRATION: Final = words("The calibration text {file} cannot be read: {reason}.")
EMPTY: Final = words("There is no text in {file}.")
LIBRARY: Final = words(
    "{name} is larger than {most} MB. Calibration needs a few pages of text, not a library."
)
NO_OBJECT: Final = words('Line {line} of {name} is no JSON object with a "text".')
CALIBRATION: Final = words("The calibration text cannot be used.")
SAMPLE: Final = words("sample {number} (line {line})")
SAMPLE_BEGINS: Final = words("Sample {number} (line {line})")
FAULT: Final = words("{sample}, “{start}…”: {fault}")
COUNT: Final = words("There are {count} samples; calibration takes {least} to {most}.")
MORE: Final = words("… and {count} more.")
SHORT: Final = words("{count} tokens, too short; at least {least} are needed.")
LONG: Final = words("{count} tokens, too long; split it into pieces of {most}.")
REPEATS: Final = words("it repeats itself: {different} different tokens among {count}.")
TWICE: Final = words("the same text as {sample}.")
# While it is made.
GPU_MEMORY: Final = words(
    "The GPU's memory is too small, or others use it. Unload the model there, or quantise on the "
    "CPU."
)
NO_GPU: Final = words("There is no GPU that PyTorch can use. Leave out the device.")
OUT_OF_MEMORY: Final = words("There is not enough memory. Close other programs.")
FAILED: Final = words("Quantising failed: {reason}")
NOT_INSTALLED: Final = words(
    "The quantiser is not installed (under 1 MB). This installs it: ./packaging/run --setup-only "
    "quantize"
)
PART_MISSING: Final = words(
    "A part of the quantiser is missing ({name}). Run ./packaging/run --repair."
)
# What was written.
UNASKED: Final = words("{name} was written, and nothing asks for it.")
OTHER_SHAPE: Final = words("What was written of {name} has another shape.")
MISSING: Final = words("{name} is missing in what was written.")
