"""Which bytes of a file are there: kept beside it, so that whoever is killed loses next to nothing.

A file is divided into segments, each filled from its beginning. For each the map has two
numbers: how much was written, and how much of that is known to be on the disk. The first
is right as long as the machine runs, whoever is killed (the kernel has what was written); after a
restart of the machine only the second counts. A number is written after its bytes, in
place, four bytes at a time: there is no moment at which the map could be half written.
"""

from __future__ import annotations

import contextlib
import os
import struct
from array import array
from pathlib import Path
from typing import BinaryIO, Final

from engine.store.download.names import Part
from engine.store.download.store_folder import OpenFile

SEGMENT: Final = 4 << 20
_HEAD: Final = struct.Struct("<8sQIIQ64s64s40s128s")
_MAGIC: Final = b"inglmap1"
_HEAD_BYTES: Final = 512
_VERIFIED: Final = 1


def this_boot() -> str:
    """Something that is another one after each start of the machine; "" where it is not told."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:40]
    except (OSError, ValueError):
        return ""


class FileMap:
    """See the module. Not for several threads at once.

    Attributes:
        written: bytes of each segment, from its beginning.
        etag: what the hub called this state of the file; "" for not known.
        sha256: of the contents, once it is verified; else "".
        verified_at: time of the file's last change (ns) when that was found; else 0.
    """

    def __init__(self, file: OpenFile, part: Part) -> None:
        self._file = file
        self.size = part.size
        self._identity = part.identity
        self.segments = -(-part.size // SEGMENT)
        self.written = array("I", bytes(4 * self.segments))
        self._synced = array("I", bytes(4 * self.segments))
        self.etag = ""
        self.sha256 = ""
        self.verified_at = 0

    def load(self, on_disk: int) -> None:
        """Read what an earlier process has noted; nothing where that is of another file.

        Args:
            on_disk: the file's size.

        Raises:
            OSError: the map cannot be written.
        """
        content = os.pread(self._file.number, _HEAD_BYTES + 8 * self.segments + 1, 0)
        if not self._parse(content, on_disk):
            self.reset()
        else:
            self._write_all()

    def reset(self) -> None:
        """Nothing is there.

        Raises:
            OSError: the map cannot be written.
        """
        for counts in (self.written, self._synced):
            for index in range(self.segments):
                counts[index] = 0
        self.etag = self.sha256 = ""
        self.verified_at = 0
        os.ftruncate(self._file.number, 0)
        self._write_all()

    def length(self, segment: int) -> int:
        """Bytes that a segment has when it is full."""
        return min(SEGMENT, self.size - segment * SEGMENT)

    def is_full(self, segment: int) -> bool:
        """Whether all of a segment is there."""
        return self.written[segment] >= self.length(segment)

    def fill(self, begin: int, end: int) -> None:
        """Bytes from `begin` to before `end` are written, after all that come before them in
        the segment of `begin`.

        Raises:
            OSError: it cannot be noted.
        """
        for segment in range(begin // SEGMENT, -(-end // SEGMENT)):
            self._set(segment, min(end - segment * SEGMENT, SEGMENT))

    def fill_all(self) -> None:
        """All is there.

        Raises:
            OSError: it cannot be noted.
        """
        for segment in range(self.segments):
            self.written[segment] = self.length(segment)
        self._write_all()

    def total(self) -> int:
        """Bytes that are there."""
        return sum(self.written)

    def prefix(self, start: int = 0) -> int:
        """Bytes that are there without a gap. `start`: so many are known to be."""
        segment = start // SEGMENT
        while segment < self.segments and self.is_full(segment):
            segment += 1
        if segment == self.segments:
            return self.size
        return segment * SEGMENT + self.written[segment]

    def snapshot(self) -> array[int]:
        """What is written now, for `mark_synced`."""
        return self.written[:]

    def mark_synced(self, counts: array[int]) -> None:
        """What `snapshot` gave is on the disk.

        Raises:
            OSError: it cannot be noted.
        """
        self._synced = counts
        os.pwrite(self._file.number, counts.tobytes(), _HEAD_BYTES + 4 * self.segments)

    def note(self) -> None:
        """Write down the attributes.

        Raises:
            OSError: it cannot be done.
        """
        os.pwrite(self._file.number, self._head(), 0)

    def _set(self, segment: int, count: int) -> None:
        at = _HEAD_BYTES + 4 * segment
        os.pwrite(self._file.number, count.to_bytes(4, "little"), at)
        self.written[segment] = count

    def _write_all(self) -> None:
        body = self.written.tobytes() + self._synced.tobytes()
        os.pwrite(self._file.number, self._head() + body, 0)

    def _head(self) -> bytes:
        head = _HEAD.pack(
            _MAGIC,
            self.size,
            SEGMENT,
            _VERIFIED if self.sha256 else 0,
            self.verified_at,
            self._identity.encode(),
            self.sha256.encode(),
            this_boot().encode(),
            self.etag.encode()[:128],
        )
        return head.ljust(_HEAD_BYTES, b"\0")

    def _parse(self, content: bytes, on_disk: int) -> bool:
        if len(content) != _HEAD_BYTES + 8 * self.segments:
            return False
        magic, size, segment, flags, at, identity, sha256, boot, etag = _HEAD.unpack_from(content)
        mine = (_MAGIC, self.size, SEGMENT, self._identity.encode())
        if (magic, size, segment, identity.rstrip(b"\0")) != mine:
            return False
        middle = _HEAD_BYTES + 4 * self.segments
        written = array("I", content[_HEAD_BYTES:middle])
        synced = array("I", content[middle:])
        same_boot = boot.rstrip(b"\0").decode("ascii", "replace") == this_boot() != ""
        valid = written if same_boot else synced
        for index, count in enumerate(valid):
            there = max(0, on_disk - index * SEGMENT)
            self.written[index] = min(count, self.length(index), there)
            self._synced[index] = min(synced[index], self.written[index])
        with contextlib.suppress(UnicodeDecodeError):
            self.etag = etag.rstrip(b"\0").decode("ascii")
            if flags & _VERIFIED:
                self.sha256, self.verified_at = sha256.rstrip(b"\0").decode("ascii"), at
        return True


def count_written(file: BinaryIO, size: int) -> int:
    """Bytes that are there of a file of `size` bytes, by its map; 0 where that is none."""
    segments = -(-size // SEGMENT)
    content = file.read(_HEAD_BYTES + 8 * segments)
    if len(content) < _HEAD_BYTES + 8 * segments or not content.startswith(_MAGIC):
        return 0
    counts = array("I", content[_HEAD_BYTES : _HEAD_BYTES + 4 * segments])
    return min(size, sum(counts))
