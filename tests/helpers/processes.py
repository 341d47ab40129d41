"""What is left of processes: alive below a home, in a group, as zombies, as sockets."""

from __future__ import annotations

import contextlib
import os
import select
import stat
import time
from collections.abc import Callable
from pathlib import Path

from desktop import handover


def ended(pid: int, seconds: float) -> bool:
    """Wait until process `pid` has ended (a zombie has); False if it takes longer."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def alive_in(home: Path) -> list[int]:
    """Processes that were started with this INGLENOOK_HOME; zombies are dead."""
    mark = f"INGLENOOK_HOME={home}".encode()
    return [
        pid for pid in _pids() if pid != os.getpid() and mark in _read(pid, "environ").split(b"\0")
    ]


def members(group: int) -> list[int]:
    """Live processes of a process group."""
    return [pid for pid, fields in _stats() if int(fields[2]) == group and fields[0] not in "ZX"]


def zombies_of(parent: int) -> list[int]:
    """Dead children that `parent` has not waited for."""
    return [pid for pid, fields in _stats() if int(fields[1]) == parent and fields[0] in "ZX"]


def wait_until_none(find: Callable[[], list[int]], seconds: float = 10.0) -> list[int]:
    """Call `find()` until it names no process; what it names at the end of the time."""
    end = time.monotonic() + seconds
    while left := find():
        rest = end - time.monotonic()
        if rest <= 0:
            break
        ended(left[0], min(rest, 0.5))
    return left


def sockets_of(home: Path, runtime: Path) -> list[str]:
    """Socket files below the folders, and the name by which a second start finds the first."""
    files = [
        str(path)
        for folder in (home, runtime)
        for path in folder.rglob("*")
        if stat.S_ISSOCK(path.lstat().st_mode)
    ]
    name = "@" + handover.socket_name(home / "data")
    table = Path("/proc/net/unix").read_text()
    return files + [name for line in table.splitlines() if line.endswith(name)]


def resident_bytes(pid: int) -> int:
    """Memory that process `pid` holds now."""
    pages = _read(pid, "statm").split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if pages else 0


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def _read(pid: int, name: str) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/{name}").read_bytes()
    return b""


def _stats() -> list[tuple[int, list[str]]]:
    """For each process: state, parent, group, … as in proc(5), after the name."""
    found = []
    for pid in _pids():
        text = _read(pid, "stat").decode("utf-8", "replace")
        if text:
            found.append((pid, text.rpartition(")")[2].split()))
    return found
