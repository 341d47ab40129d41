"""A helper process ends when the one that started it does, however that one died."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent() -> None:
    """Ask the kernel for SIGKILL at the parent's death; end at once where it is dead already.

    The signal comes when the *thread* that started this process ends: whoever starts one from a
    thread keeps the thread until it has read the end.
    """
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
