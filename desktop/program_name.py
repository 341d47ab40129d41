"""How this program was started, as a shell would find it: for usage, examples and advice."""

from __future__ import annotations

import os
from typing import Final

# ./packaging/run says here by which command it was started.
VARIABLE: Final = "INGLENOOK_STARTED_AS"
WITHOUT: Final = "python -m desktop"
_LONGEST: Final = 200  # characters; a longer one is none that somebody types


def command(name: str = "") -> str:
    """The line that starts the program again, with its sub-command `name`."""
    told = os.environ.get(VARIABLE, "")
    start = told if told.strip() and told.isprintable() and len(told) <= _LONGEST else WITHOUT
    return f"{start} {name}".rstrip()
