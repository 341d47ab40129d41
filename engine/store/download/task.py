"""One file of a download: what of it is there, who fetches what, and its hash as it comes."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import Final

from engine.failure_words import words
from engine.store.download.file_map import SEGMENT, FileMap
from engine.store.download.names import Part
from engine.store.download.store_folder import StoreFolder
from engine.store.hub.errors import HubError

MOST_SPAN: Final = 64 << 20  # bytes asked for at once
HASH_STEP: Final = 16 << 20  # bytes after which a hasher looks whether another file waits

_MISMATCH = words(
    "{name} came with other contents than the hub’s checksum tells, more than once. Something on "
    "the way changes it, or the hub’s file is damaged. It was not kept; try again later."
)


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes of a file that one worker fetches: from `begin` to before `end`."""

    task: FileTask
    begin: int
    end: int

    @property
    def segments(self) -> range:
        """Those that the worker holds meanwhile."""
        return range(self.begin // SEGMENT, -(-self.end // SEGMENT))


class FileTask:
    """See the module. All but `hash_some` and `write` with the download's lock held.

    Attributes:
        url: where the hub has it. direct: where it redirected to last; "" for not known.
        takes_ranges: False once a server sent all of it although a part was asked for.
        minds_etag: False once the hub has confirmed the file after calling it otherwise.
        faults: in a row, without a byte. fault_since: when the first of them was.
        nonsense: answers in a row that made no sense.
        not_before: when it may be asked for again (monotonic).
        bad: how often it came with wrong contents.
        is_verified: its hash is right.
        hashed: bytes from its beginning that are in the hash.
        is_hashing: some thread is at it.
    """

    def __init__(self, part: Part, url: str, folder: StoreFolder) -> None:
        self.part = part
        self.url = url
        self._folder = folder
        with folder.errors():
            self.map = FileMap(folder.map_file(map_name(part.name)), part)
            self.file, facts = folder.open(part.name, whole=True)
            self.map.load(facts.st_size)
            if facts.st_nlink > 1 and self.map.total() < part.size:
                # Another name of it would show what is written here.
                self.file, facts = folder.open(part.name, anew=True)
                self.map.reset()
        self._mtime = facts.st_mtime_ns
        self.have = self.map.total()
        self._busy = bytearray(self.map.segments)
        self._first = 0  # no segment before it is to be fetched
        self._front = 0  # bytes that are there without a gap
        self.direct = ""
        self.takes_ranges = True
        self.minds_etag = True
        self.faults = 0
        self.fault_since = 0.0
        self.nonsense = 0
        self.not_before = 0.0
        self.bad = 0
        self.is_verified = False
        self.is_hashing = False
        self._begin_hash()

    @property
    def missing(self) -> int:
        """Bytes that are still to be fetched."""
        return self.part.size - self.have

    @property
    def is_fetched(self) -> bool:
        """Whether all of it is there."""
        return self.have == self.part.size

    def trust(self) -> bool:
        """Take what an earlier process verified as it is; whether it had."""
        seen = self.map.verified_at
        if self.map.sha256 and self.is_fetched and seen == self._mtime:
            self.is_verified = True
            self.hashed = self.part.size
        return self.is_verified

    def adopt(self) -> None:
        """All of it lies there already, it is believed: it is to be verified.

        Raises:
            HubError: the disk does not let us.
        """
        with self._folder.errors():
            self.file, facts = self._folder.open(self.part.name, whole=True)
            if facts.st_size == self.part.size:
                self.map.fill_all()
                self._mtime = facts.st_mtime_ns
        self.bad = -1  # what somebody else has damaged is no fault of the hub's
        self.have = self.map.total()
        self._begin_hash()

    def next_span(self, connections: int) -> Span | None:
        """What a worker is to fetch next; None: nothing, or others are at all of it."""
        count = self.map.segments
        while self._first < count and self.map.is_full(self._first):
            self._first += 1
        if not self.takes_ranges:
            # One worker reads all of it from the beginning and keeps what is missing.
            if self.is_fetched or any(self._busy):
                return None
            self._busy[:] = b"\1" * count
            return Span(self, 0, self.part.size)
        # Large pieces first, small ones towards the end: so all workers end together.
        wanted = min(MOST_SPAN, max(SEGMENT, self.missing // (2 * max(1, connections))))
        for begin in range(self._first, count):
            if self._busy[begin] or self.map.is_full(begin):
                continue
            end = begin + 1
            while (
                end < count
                and (end - begin) * SEGMENT < wanted
                and not self._busy[end]
                and not self.map.written[end]
            ):
                end += 1
            self._busy[begin:end] = b"\1" * (end - begin)
            first = begin * SEGMENT + self.map.written[begin]
            return Span(self, first, min(end * SEGMENT, self.part.size))
        return None

    def release(self, span: Span) -> None:
        """A worker is done with it, or has to leave it."""
        segments = span.segments
        self._busy[segments.start : segments.stop] = bytes(len(segments))
        self._first = min(self._first, segments.start)

    def missing_in(self, begin: int, end: int) -> list[tuple[int, int]]:
        """The parts of `begin` to before `end` that are not there."""
        found = []
        for segment in range(begin // SEGMENT, -(-end // SEGMENT)):
            there = segment * SEGMENT + self.map.written[segment]
            if begin > there:  # what comes before it was not kept
                break
            first = there
            last = min(end, segment * SEGMENT + self.map.length(segment))
            if first < last:
                found.append((first, last))
        return found

    def write(self, content: memoryview, at: int) -> None:
        """Write bytes that came, without noting them.

        Raises:
            OSError: the disk is full, or worse.
        """
        while content:
            count = os.pwrite(self.file.number, content, at)
            content, at = content[count:], at + count

    def note(self, begin: int, end: int) -> bool:
        """Bytes were written; whether a hasher has enough to do now.

        Raises:
            OSError: it cannot be noted.
        """
        self.map.fill(begin, end)
        self.have += end - begin
        self.faults = 0
        self.nonsense = 0
        if self._front // SEGMENT == begin // SEGMENT or self._front == begin:
            self._front = self.map.prefix(self._front)
        ready = self._front - self.hashed
        return not self.is_hashing and (ready >= SEGMENT or self.is_fetched)

    @property
    def to_hash(self) -> int:
        """Bytes that could be hashed now."""
        return 0 if self.is_verified else self._front - self.hashed

    @property
    def wants_hashing(self) -> bool:
        """Whether it is worth a hasher's while, and none is at it."""
        if self.is_verified or self.is_hashing:
            return False
        return self.is_fetched or self.to_hash >= SEGMENT

    @property
    def is_hashed(self) -> bool:
        """Whether all of it is in the hash."""
        return self.is_fetched and self.hashed == self.part.size

    def hash_some(self, buffer: bytearray) -> None:
        """Hash what is there, up to `HASH_STEP`; for the one thread that has set `is_hashing`.

        What came a moment ago is read from the kernel's memory, not from the disk.

        Raises:
            OSError: it cannot be read.
        """
        view = memoryview(buffer)
        end = min(self._front, self.hashed + HASH_STEP)
        while self.hashed < end:
            wanted = view[: end - self.hashed]
            count = os.preadv(self.file.number, [wanted], self.hashed)
            if not count:  # somebody has cut it off: its hash will be wrong
                self.hashed = self.part.size
                return
            self._sha256.update(wanted[:count])
            if self._blob is not None:
                self._blob.update(wanted[:count])
            self.hashed += count

    def verify(self) -> bool:
        """Compare the hash of all of it; whether it is right. If not, nothing of it is kept.

        Raises:
            OSError: that cannot be noted.
            HubError: "hash_mismatch"; it was not the first time.
        """
        found = self._sha256.hexdigest()
        wrong = (
            found != self.part.sha256
            if self.part.sha256
            else self._blob is None or self._blob.hexdigest() != self.part.blob
        )
        if wrong:
            self.bad += 1
            self.drop()
            if self.bad > 1:
                name = self.part.name
                raise HubError("hash_mismatch", _MISMATCH.format(name=name))
            return False
        self.is_verified = True
        self.map.sha256 = found
        self.map.verified_at = os.fstat(self.file.number).st_mtime_ns
        self.map.note()
        return True

    def drop(self) -> None:
        """Forget what is there: it is to be fetched again.

        Raises:
            OSError: the disk does not let us.
        """
        self.map.reset()
        # Anew: what lies there may have other names.
        self.file, _ = self._folder.open(self.part.name, anew=True)
        self.have = self._first = 0
        self.direct = ""
        self.is_verified = False
        self._begin_hash()

    def sync(self) -> None:
        """Put what is written on the disk; on a thread of its own, without the lock.

        Raises:
            OSError: the disk has failed.
        """
        counts, file = self.map.snapshot(), self.file
        os.fdatasync(file.number)
        if file is self.file:
            self.map.mark_synced(counts)

    def _begin_hash(self) -> None:
        self.hashed = 0
        self._front = self.map.prefix()
        self._sha256 = hashlib.sha256()
        self._blob = None
        if not self.part.sha256:
            # As git hashes a file.
            self._blob = hashlib.sha1(b"blob %d\0" % self.part.size, usedforsecurity=False)


def map_name(name: str) -> str:
    """What a file's map is called."""
    return hashlib.sha256(name.encode()).hexdigest()[:32] + ".map"
