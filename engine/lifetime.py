"""No orphans, ever: how the engine process ties its life to the window's.

The engine leads its own session and process group, asks the kernel for SIGKILL when
its parent dies, and ends when its socket reaches end of file. A window that is killed
with SIGKILL therefore leaves no engine, no worker of vLLM's below it, and no VRAM.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
from pathlib import Path
from typing import NoReturn

_PR_SET_PDEATHSIG = 1


def detach(parent_pid: int) -> None:
    """Become a session leader that dies with `parent_pid`.

    Ends the process at once if the parent is gone already: the kernel's promise
    covers only deaths after the call.
    """
    with contextlib.suppress(PermissionError):  # already a leader
        os.setsid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        print("engine: PR_SET_PDEATHSIG is refused; relying on the socket", file=sys.stderr)
    if parent_pid and os.getppid() != parent_pid:
        end_process(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the window's to handle
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def adopt_socket(descriptor: int) -> socket.socket:
    """Take the inherited end of the socket pair; children do not get it.

    Raises:
        OSError: `descriptor` is not a socket.
    """
    os.set_inheritable(descriptor, False)
    peer = socket.socket(fileno=descriptor)
    peer.setblocking(False)
    return peer


def _descendants(pid: int) -> list[int]:
    """All processes below `pid`, from /proc alone (psutil may not be imported yet)."""
    children: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError, ValueError):
            children += [int(word) for word in task.read_text().split()]
    return children + [below for child in children for below in _descendants(child)]


def end_process(code: int) -> NoReturn:
    """End this process and all below it, now, whatever its threads are doing.

    vLLM's threads sit in long C calls and its exit handlers can hang, so the
    interpreter is not asked to shut down in an orderly way: nothing here is worth
    saving, and the kernel gives back all memory.
    """
    for pid in _descendants(os.getpid()):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
