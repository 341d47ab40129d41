"""Copies a file with its hash, block by block, so that it can be watched and stopped."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.plain_file import open_plain
from engine.store.library.meter import Meter

if TYPE_CHECKING:
    from hashlib import _Hash as Digest

BLOCK: Final = 4 << 20
_FICLONE: Final = 0x40049409  # linux/fs.h
_NO_CLONE: Final = frozenset(
    {errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EPERM}
)


def copy_file(source: Path, target: Path, meter: Meter) -> str:
    """Copy into a new file, which is on the disk in the end; the SHA-256 of what was read.

    The copy has the source's time of change, and is its owner's alone.

    Raises:
        OSError: either disk refused; what was written is left.
        FileExistsError: `target` is there.
    """
    digest = hashlib.sha256()
    with open_plain(source) as reading, _new_file(target) as writing:
        while block := reading.read(BLOCK):
            digest.update(block)
            writing.write(block)
            meter.add(len(block))
        status = os.fstat(reading.fileno())
        _settle(writing.fileno(), status)
    return digest.hexdigest()


def clone_file(source: Path, target: Path) -> bool:
    """Make `target` share the source's blocks (a reflink); False: the disk cannot.

    Raises:
        OSError: something else went wrong.
    """
    with open_plain(source) as reading, _new_file(target) as writing:
        try:
            fcntl.ioctl(writing.fileno(), _FICLONE, reading.fileno())
        except OSError as error:
            target.unlink()
            if error.errno in _NO_CLONE:
                return False
            raise
        _settle(writing.fileno(), os.fstat(reading.fileno()))
    return True


def hash_file(
    path: Path, meter: Meter, begun: Digest | None = None, *, from_disk: bool = False
) -> str:
    """The hash of a file, in hex.

    Args:
        begun: that goes on with the file's contents; None: SHA-256.
        from_disk: not of what the memory still has of it.

    Raises:
        OSError: it cannot be read.
        CancelledError: the work is to end.
    """
    digest = hashlib.sha256() if begun is None else begun
    with open_plain(path) as file:
        if from_disk:
            with contextlib.suppress(OSError):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while block := file.read(BLOCK):
            digest.update(block)
            meter.add(len(block))
    return digest.hexdigest()


def git_digest(size: int) -> Digest:
    """The SHA-1 with which git names a file of `size` bytes, before its contents."""
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)


class _new_file:  # noqa: N801 - used like a function
    """A new file, open for writing without a buffer; links in its place are not followed."""

    def __init__(self, path: Path) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self._file = os.fdopen(os.open(path, flags, 0o600), "wb", buffering=0)

    def __enter__(self) -> _new_file:
        return self

    def __exit__(self, *_what: object) -> None:
        self._file.close()

    def fileno(self) -> int:
        return self._file.fileno()

    def write(self, block: bytes) -> None:
        rest = memoryview(block)
        while rest:
            rest = rest[self._file.write(rest) or 0 :]


def _settle(descriptor: int, like: os.stat_result) -> None:
    with contextlib.suppress(OSError):  # FAT has no modes, and keeps times to two seconds
        os.fchmod(descriptor, 0o600)
        os.utime(descriptor, ns=(like.st_atime_ns, like.st_mtime_ns))
    os.fsync(descriptor)
