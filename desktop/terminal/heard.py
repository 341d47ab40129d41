"""A command whose stdout may be closed, or full: then it ends in words, not in a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

FAILED: Final = 1

Command = Callable[[Sequence[str]], int]


def heard(command: Command, arguments: Sequence[str]) -> int:
    """Run `command`; its exit code, or 1 where what it says cannot be written.

    Streams that were closed before the start are opened to nowhere: `None` has no `write`.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    try:
        code = command(arguments)
        sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:  # it is about some file, not about what is said
            raise
        with contextlib.suppress(OSError):
            print(
                f"inglenook: The answer cannot be written: {error.strerror or error}.",
                file=sys.stderr,
            )
        # The interpreter flushes once more when it ends.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code
