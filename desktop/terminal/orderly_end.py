"""SIGTERM and SIGHUP as Ctrl-C: a command of the terminal puts away what it has begun."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn


@contextlib.contextmanager
def orderly_end() -> Iterator[None]:
    """While entered, both raise SystemExit with 128 + the signal's number, in the main thread."""

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
