"""What a database file says of itself, read without SQLite.

So a database from a newer Inglenook is recognised with not a byte changed, neither in
it nor in its -wal or -shm. These plain reads must come before SQLite's own: closing
any descriptor of a file drops all POSIX locks that the process holds on it.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Final

from desktop.chats.store.store_errors import Damaged

_MAGIC: Final = b"SQLite format 3\0"
_USER_VERSION_OFFSET: Final = 60  # in page 1
_WAL_HEADER: Final = 32
_FRAME_HEADER: Final = 24


def version_on_disk(path: Path) -> int:
    """The highest schema version that the file or its WAL speaks of.

    Raises:
        Damaged: this is no SQLite database.
    """
    with path.open("rb") as file:
        header = file.read(100)
    if not header:
        raise Damaged("it is empty")
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise Damaged("it is not a database")
    return max(_user_version(header), _version_in_wal(path.with_name(path.name + "-wal")))


def _user_version(page: bytes) -> int:
    (version,) = struct.unpack_from(">i", page, _USER_VERSION_OFFSET)
    return int(version)


def _version_in_wal(path: Path) -> int:
    """The highest version in any copy of page 1 in the write-ahead log; 0 if none.

    A newer Inglenook that was killed right after its migration leaves the new
    number only here. Uncommitted frames count too: that is refusing a little too
    much rather than a little too little.
    """
    version = 0
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return 0
    with file:
        header = file.read(_WAL_HEADER)
        if len(header) < _WAL_HEADER:
            return 0
        page_size, salts = struct.unpack_from(">I", header, 8)[0], header[16:24]
        if not 512 <= page_size <= 65536:
            return 0
        while len(frame := file.read(_FRAME_HEADER)) == _FRAME_HEADER:
            if frame[8:16] != salts:
                break  # left over from before the last checkpoint
            (number,) = struct.unpack_from(">I", frame)
            if number == 1:
                page = file.read(page_size)
                if len(page) >= 100 and page.startswith(_MAGIC):
                    version = max(version, _user_version(page))
            else:
                file.seek(page_size, os.SEEK_CUR)
    return version
