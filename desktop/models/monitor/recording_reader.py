"""Recordings of the monitor, read: see `recording` for their form.

A recording may come from anybody: what cannot be is skipped, and nothing in it is believed that
would take memory or time without end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from desktop.models.monitor.frame_patch import Json, merge
from desktop.models.monitor.frame_tree import TreeReader, check
from desktop.models.monitor.frames import VERSION, MonitorFrame
from desktop.models.monitor.recording import Head
from desktop.models.monitor.recording_words import newer_text, not_one_text

MAX_LINE: Final = 16 * 1024 * 1024  # bytes
TAIL: Final = 1024 * 1024  # bytes at a recording's end in which its last frame is looked for
MOST_BETWEEN: Final = 64 * 1024 * 1024  # bytes from one whole frame to the next
# How each line of ours begins.
_START: Final = re.compile(rb'\{"n":\d{1,18},"(patch|full)":\{"at":(\d{1,15}(?:\.\d{1,9})?)[,}]')


class NoRecordingError(ValueError):
    """The file is no recording, or one of a later version. The text is for the user."""


class RecordingReader:
    """The frames of a recording, from its beginning or from a whole frame on.

    Attributes:
        head: the first line.
        skipped: lines that made no sense, or that followed such a one.

    Raises:
        OSError: the file cannot be read.
        NoRecordingError: see there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped = 0
        if not path.is_file():  # a pipe or a device never ends
            raise NoRecordingError(not_one_text(path))
        self._file = path.open("rb")
        try:
            self.head = msgspec.json.decode(self._file.readline(MAX_LINE), type=Head)
        except (ValueError, RecursionError, msgspec.MsgspecError) as error:
            self._file.close()
            raise NoRecordingError(not_one_text(path)) from error
        if self.head.inglenook_monitor > VERSION:
            self._file.close()
            raise NoRecordingError(newer_text(path))
        self._begin = self._file.tell()
        self._trees = TreeReader()
        self._tree: Json | None = None
        self._number = -1
        self._at = float("-inf")

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def first(self) -> MonitorFrame:
        """The first frame, after which it goes on.

        Raises:
            NoRecordingError: there is none.
        """
        self.seek()
        found = next(self, None)
        if found is None:
            self.close()
            raise NoRecordingError(not_one_text(self.path))
        return found

    def end(self) -> float:
        """The time of the last frame, as far as the file's end tells; 0 where it does not."""
        here, size, found = self._file.tell(), self._file.seek(0, os.SEEK_END), 0.0
        for span in (TAIL, 2 * MAX_LINE):
            self._file.seek(max(self._begin, size - span))
            for line in self._file:
                start = _START.match(line)
                if start is not None:
                    found = max(found, float(start[2]))
            if found:
                break
        self._file.seek(here)
        return found

    def place_before(self, at: float) -> int | None:
        """The place of a whole frame at this time or somewhat earlier; None: the beginning."""
        low, high, found = self._begin, os.fstat(self._file.fileno()).st_size, None
        while high - low > 1:
            middle = (low + high) // 2
            whole = self._next_whole(middle, high)
            if whole is not None and whole[1] <= at:
                found = whole[0]
                low = max(whole[0] + 1, middle)
            else:
                high = middle
        return found

    def _next_whole(self, place: int, limit: int) -> tuple[int, float] | None:
        """Place and time of the first whole frame that begins within these bounds."""
        self._file.seek(place)
        if place > self._begin:
            self._file.readline(MAX_LINE)  # the rest of a line
        limit = min(limit, place + MOST_BETWEEN)
        while (place := self._file.tell()) < limit:
            start = _START.match(self._file.readline(MAX_LINE))
            if start is not None and start[1] == b"full":
                return place, float(start[2])
        return None

    def seek(self, place: int | None = None) -> None:
        """Go on at a whole frame's place in the file, or at the beginning."""
        self._file.seek(self._begin if place is None else place)
        self._tree, self._number, self._at = None, -1, float("-inf")
        if place is None:
            self.skipped = 0

    def __iter__(self) -> Iterator[MonitorFrame]:
        return self

    def __next__(self) -> MonitorFrame:
        while line := self._file.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                self._leave_line(line)
            elif (frame := self._frame(line)) is not None:
                return frame
            self.skipped += 1
        raise StopIteration

    def _leave_line(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._file.readline(MAX_LINE)

    def _frame(self, line: bytes) -> MonitorFrame | None:
        try:
            said = msgspec.json.decode(line)
            check(said)
            number = said["n"]
            follows = self._tree is not None and number == self._number + 1
            if "full" in said:
                tree = said["full"]
                news = said["new"] if follows else tree
            elif follows:
                news = said["patch"]
                tree = merge(self._tree or {}, news)
            else:
                return None
            frame = self._trees.frame(tree, news)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self._tree = None
            return None
        if frame.at < self._at:
            return None
        self._tree, self._number, self._at = tree, number, frame.at
        return frame


def read(path: Path) -> Iterator[MonitorFrame]:
    """All frames of a recording; see `RecordingReader`."""
    reader = RecordingReader(path)
    try:
        yield from reader
    finally:
        reader.close()
