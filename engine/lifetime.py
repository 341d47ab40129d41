"""No orphans, ever: how the engine process ties its life to the window's.

The engine leads its own session and process group, asks the kernel for SIGKILL when
its parent dies, and ends when its socket reaches end of file. A small guard process in its
group ends the rest of the group when the engine is killed before it could. A window that
is killed with SIGKILL therefore leaves no engine, no worker of vLLM's below it, and no VRAM.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from engine.leftovers import remove_segments, segments_of
from engine.load_folder import remove_load_folders

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15
_TRACKER_SECONDS = 2.0  # takes some ms
_GUARD_POLL_SECONDS = 5.0  # how soon a guard sees the death if the kernel does not tell it

_guard_pid = 0


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
    # A core file would hold the user's chats, and all gigabytes of the model.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the window's to handle
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def guard_group() -> None:
    """Fork a guard that kills this process's group once this process is dead.

    The kernel's SIGKILL for the death of the window reaches the engine alone, and leaves
    it no moment to end its workers. Call it before there are threads, after `detach`.
    """
    global _guard_pid
    engine = os.getpid()
    if os.getpgrp() != engine:
        return
    _guard_pid = os.fork()
    if _guard_pid != 0:
        return
    try:
        _guard(engine)
    finally:
        os._exit(0)


def _guard(engine: int) -> None:
    """Wait for the death of `engine`, then end its group, this process included."""
    told = {signal.SIGUSR1}
    signal.pthread_sigmask(signal.SIG_BLOCK, told)
    for number in (signal.SIGTERM, signal.SIGHUP):  # for the engine, not for its guard
        signal.signal(number, signal.SIG_IGN)
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGUSR1, 0, 0, 0)
    libc.prctl(_PR_SET_NAME, b"engine-guard", 0, 0, 0)
    # It holds neither the socket nor the log open: their ends must mean the engine's.
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - read before any is closed
        with contextlib.suppress(OSError):
            os.close(int(name))
    while os.getppid() == engine:
        signal.sigtimedwait(told, _GUARD_POLL_SECONDS)
    with contextlib.suppress(Exception):  # the group ends in any case
        _end(_others_in_group(engine))
        remove_segments(segments_of([engine]))
        remove_load_folders(engine)
        # Python's tracker knows what this process cannot, and ends when all others have.
        deadline = time.monotonic() + _TRACKER_SECONDS
        while _others_in_group(engine) and time.monotonic() < deadline:
            time.sleep(0.02)
    os.killpg(engine, signal.SIGKILL)


def _others_in_group(group: int) -> list[int]:
    """The processes of `group`, without this one."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            if int(path.read_text().rpartition(")")[2].split()[2]) == group:
                found.append(int(path.parent.name))
    return [pid for pid in found if pid != os.getpid()]


def _end(pids: Iterable[int]) -> None:
    """Kill them, and remove the shared memory that they could not. Trackers end by themselves."""
    pids = list(pids)
    segments = segments_of(pids)
    for pid in pids:
        if _is_tracker(pid):
            continue
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    remove_segments(segments)


def _is_tracker(pid: int) -> bool:
    """Whether it is Python's process that removes the shared memory of those that died."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"multiprocessing.resource_tracker" in command


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

    The guard is left to the end: the kernel may kill this process in the middle of the
    loop, because a window's death closes its socket first and sends the signal next.
    """
    with contextlib.suppress(Exception):
        segments = segments_of([os.getpid()])
        _end(pid for pid in _descendants(os.getpid()) if pid != _guard_pid)
        remove_segments(segments)
        remove_load_folders(os.getpid())
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
