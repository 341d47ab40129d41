"""What a disk refused, in words: which disk, why, and what to do."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Final

from engine.failure_words import in_gib, words
from engine.store.library.records import LibraryError

RESERVE: Final = 256 << 20  # bytes that are left free: a full disk harms every program

_FULL = words("The disk of {folder} is full. Free some space and try again.")
_NO_ROOM = words(
    "{needed} GiB are needed in {folder}, {free} GiB are free. Free some space and try again."
)
_CLOSED = words("{folder} cannot be written: you have no right to. Choose another folder.")
_READ_ONLY = words("The disk of {folder} is read-only. Make it writable, or choose another one.")
_GONE = words("The disk of {folder} is not there any more. Connect it and try again.")
_BROKEN = words(
    "The disk of {folder} reports an error when it is read or written. It may be failing: keep a "
    "copy of what is on it."
)
_TOO_LARGE = words(
    "The disk of {folder} cannot hold files of such a size (FAT keeps 4 GB at most). Choose "
    "another disk, or format it as ext4, Btrfs, XFS or exFAT."
)
_NAMES = words("The disk of {folder} cannot hold a file of this name: {name}.")
_NO_LINKS = words(
    "The disk of {folder} cannot hold a link, which {name} is or would be. Choose another disk."
)
_MISSING = words("{name} is not there any more.")
_OTHER = words("Something went wrong with {folder}: {reason}.")


def disk_error(error: OSError, folder: Path) -> LibraryError:
    """`error`, which came up while `folder` was worked on."""
    number = error.errno
    name = os.path.basename(str(error.filename or folder))  # noqa: PTH119 - it may be bytes
    if number in (errno.ENOSPC, errno.EDQUOT):
        return LibraryError("disk_full", _FULL.format(folder=folder))
    if number == errno.EROFS:
        return LibraryError("read_only", _READ_ONLY.format(folder=folder))
    if number in (errno.EACCES, errno.EPERM):
        return LibraryError("not_writable", _CLOSED.format(folder=error.filename or folder))
    if number in (errno.ENODEV, errno.ESTALE, errno.ENOTCONN, errno.ESHUTDOWN):
        return LibraryError("disk_gone", _GONE.format(folder=folder))
    if number == errno.EIO:
        return LibraryError("disk_broken", _BROKEN.format(folder=folder))
    if number == errno.EFBIG:
        return LibraryError("too_large", _TOO_LARGE.format(folder=folder))
    if number in (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ):
        return LibraryError("name", _NAMES.format(folder=folder, name=name))
    if number == errno.ENOENT:
        text = _MISSING.format(name=name) if folder.exists() else _GONE.format(folder=folder)
        return LibraryError("missing", text)
    reason = error.strerror or str(error)
    return LibraryError("disk", _OTHER.format(folder=folder, reason=reason))


def no_links(folder: Path, name: str) -> LibraryError:
    """A link that cannot be made on the disk of `folder`."""
    return LibraryError("no_links", _NO_LINKS.format(folder=folder, name=name))


def check_room(folder: Path, needed: int) -> None:
    """There are `needed` bytes free where `folder` is or will be, and some more.

    Raises:
        LibraryError: there are not.
    """
    place = folder
    while not place.exists() and place.parent != place:
        place = place.parent
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        raise disk_error(error, folder) from error
    if needed and free < needed + RESERVE:
        text = _NO_ROOM.format(needed=in_gib(needed + RESERVE), folder=folder, free=in_gib(free))
        raise LibraryError("disk_full", text)
