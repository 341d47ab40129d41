"""Shared memory that killed processes leave in /dev/shm: found while they live, then removed.

vLLM's workers talk through segments that only an orderly end removes, and some libraries make
files of their own. They count as used memory until the machine restarts. What a process has
mapped is its own, and so is what carries its pid; nothing else is touched.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

SHARED = Path("/dev/shm")
# Python's segments and semaphores, vLLM's, NCCL's. What else is mapped may be others' too.
PREFIXES = ("psm_", "sem.mp-", "vllm_", "nccl-")


def segments_of(pids: Iterable[int], proc: Path = Path("/proc")) -> set[str]:
    """Names in /dev/shm that the processes `pids` hold now."""
    names: set[str] = set()
    inodes: set[str] = set()
    for pid in pids:
        # Intel's OpenMP registers itself under the pid, and is not always ended in order.
        names.add(f"__KMP_REGISTERED_LIB_{pid}_{os.getuid()}")
        with contextlib.suppress(OSError):
            for line in (proc / str(pid) / "maps").read_text(errors="replace").splitlines():
                fields = line.split(maxsplit=5)
                if len(fields) == 6 and fields[5].startswith(f"{SHARED}/"):
                    inodes.add(fields[4])  # a semaphore is mapped before it has its name
    if inodes:
        with contextlib.suppress(OSError):
            names |= {
                entry.name
                for entry in os.scandir(SHARED)
                if entry.name.startswith(PREFIXES) and str(entry.inode()) in inodes
            }
    return names


def remove_segments(names: Iterable[str], root: Path = SHARED) -> None:
    """Remove them; those that are gone, or another user's, are passed over."""
    for name in names:
        with contextlib.suppress(OSError):
            (root / name).unlink()
