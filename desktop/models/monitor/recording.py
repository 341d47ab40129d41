"""Recordings of the monitor: JSON, a line each.

The first line is the head. Then each line is a frame: a whole one ("full"), or a JSON merge patch
(RFC 7396) of the one before ("patch"), so that what did not change is not written again. Lines are
numbered; where one is damaged, what follows is skipped up to the next whole frame.

    {"inglenook_monitor": 1, "program": "0.5.0", "began": 1764460000.0, "machine": {...}}
    {"n": 0, "full": {"at": 12.5, "clock": ..., "engines": {"1": {...}}, ...}, "new": {...}}
    {"n": 1, "patch": {"at": 12.75, "engines": {"1": {"telemetry": {"running": 3}}}}}
"""

from __future__ import annotations

import errno
import itertools
import os
import platform
import queue
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import msgspec

from desktop.models.monitor.frame_patch import (
    Json,
    TreeMaker,
    TreeReader,
    check,
    merge,
    patch_between,
)
from desktop.models.monitor.frames import VERSION, MonitorFrame
from desktop.models.monitor.recording_words import stopped_text
from desktop.paths import make_private_file
from desktop.version import VERSION as PROGRAM

if TYPE_CHECKING:
    from desktop.models.monitor.feed import RecordingState

SUFFIX: Final = ".jsonl"
FLUSH_S: Final = 1.0
FULL_S: Final = 30.0  # between whole frames: what a damaged line costs, and a jump
MOST_WAITING: Final = 240  # frames that a slow disk has not taken yet: a minute
MAX_LINE: Final = 16 * 1024 * 1024  # bytes
MAX_BYTES: Final = 4 * 1024 * 1024 * 1024


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line.

    Attributes:
        inglenook_monitor: the form's version.
        program: Inglenook's version. began: seconds since 1970.
        machine: what it ran on, in a few words by name.
    """

    inglenook_monitor: int
    program: str
    began: float
    machine: dict[str, str] = {}


class FrameWriter:
    """Turns frames to lines, for one recording; the first is whole."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._trees = TreeMaker()
        self._before: Json = {}
        self._full_at = float("-inf")

    def line(self, frame: MonitorFrame) -> bytes:
        """A line with its end."""
        tree = self._trees.tree(frame, self._before)
        said: Json = {"n": next(self._numbers)}
        patch = patch_between(self._before, tree)
        if frame.at - self._full_at >= FULL_S:
            self._full_at = frame.at
            said["full"] = tree
            said["new"] = _news(patch)
        else:
            said["patch"] = patch
        self._before = tree
        return msgspec.json.encode(said) + b"\n"


class Recorder:
    """Writes frames to a file of the user's own, on a thread: nothing waits for the disk.

    Attributes:
        path: of the file.
        problem: in words, why it has ended by itself; "" while all is well.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self.bytes = 0
        self._began = time.monotonic()
        make_private_file(path)
        self._file: BinaryIO = path.open("ab", buffering=1 << 16)
        self._frames: queue.Queue[MonitorFrame | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._run, name="monitor-recorder", daemon=True)
        self._thread.start()

    def write(self, frame: MonitorFrame) -> None:
        """Keep a frame; does nothing once there is a problem."""
        if self.problem:
            return
        try:
            self._frames.put_nowait(frame)
        except queue.Full:
            self._stop_for(TimeoutError())

    def close(self, seconds: float = 5.0) -> None:
        """Write what waits, and end; waits for the disk so long at most."""
        try:
            self._frames.put(None, timeout=seconds)
        except queue.Full:
            return  # the disk hangs; its thread ends with the program
        self._thread.join(seconds)

    def state(self) -> RecordingState:
        """How it goes."""
        from desktop.models.monitor.feed import RecordingState

        return RecordingState(
            self.path,
            is_running=self._thread.is_alive() and not self.problem,
            seconds=time.monotonic() - self._began,
            bytes=self.bytes,
            problem=self.problem,
        )

    # --- on the thread -------------------------------------------------------------------

    def _run(self) -> None:
        writer = FrameWriter()
        try:
            with self._file as file:
                self._put(file, msgspec.json.encode(head()) + b"\n")
                flushed = time.monotonic()
                while (frame := self._next(flushed + FLUSH_S)) is not _END:
                    if isinstance(frame, MonitorFrame):
                        self._put(file, writer.line(frame))
                    if time.monotonic() >= flushed + FLUSH_S:
                        file.flush()
                        flushed = time.monotonic()
        except (OSError, ValueError) as error:  # ValueError: a text that is no Unicode
            self._stop_for(error)

    def _next(self, until: float) -> MonitorFrame | object | None:
        """The next frame; None: it is time to flush."""
        try:
            frame = self._frames.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        return _END if frame is None else frame

    def _put(self, file: BinaryIO, line: bytes) -> None:
        if self.bytes + len(line) > MAX_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        file.write(line)
        self.bytes += len(line)

    def _stop_for(self, error: Exception) -> None:
        self.problem = self.problem or stopped_text(self.path, error)


_END: Final = object()
# How each line of ours begins.
_START: Final = re.compile(rb'\{"n":\d{1,18},"(patch|full)":\{"at":(\d{1,15}(?:\.\d{1,9})?)[,}]')


def head() -> Head:
    """The head of a recording that begins now."""
    system = platform.uname()
    machine = {
        "system": f"{system.system} {system.release}",
        "processor": system.machine,
        "threads": str(os.cpu_count() or 0),
    }
    return Head(
        inglenook_monitor=VERSION, program=PROGRAM, began=round(time.time(), 3), machine=machine
    )


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
        from desktop.models.monitor.recording_words import newer_text, not_one_text

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
        from desktop.models.monitor.recording_words import not_one_text

        self.seek()
        found = next(self, None)
        if found is None:
            self.close()
            raise NoRecordingError(not_one_text(self.path))
        return found

    def end(self) -> float:
        """The time of the last frame, as far as the file's end tells; 0 where it does not."""
        here, size, found = self._file.tell(), self._file.seek(0, os.SEEK_END), 0.0
        self._file.seek(max(self._begin, size - MAX_LINE))
        for line in self._file:
            start = _START.match(line)
            if start is not None:
                found = max(found, float(start[2]))
        self._file.seek(here)
        return found

    def place_before(self, at: float) -> int | None:
        """The place of a whole frame at this time or somewhat earlier; None: the beginning."""
        low, high, found = self._begin, self.path.stat().st_size, None
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
            self._file.readline()  # the rest of a line
        while (place := self._file.tell()) < limit:
            start = _START.match(self._file.readline())
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


def _news(patch: Json) -> Json:
    """Of a patch, what a frame has only when it is new."""
    engines = {
        key: {"kv": True}
        for key, engine in patch.get("engines", {}).items()
        if "kv" in (engine or {})
    }
    return {"engines": engines, "hardware": "hardware" in patch}


def read(path: Path) -> Iterator[MonitorFrame]:
    """All frames of a recording; see `RecordingReader`."""
    reader = RecordingReader(path)
    try:
        yield from reader
    finally:
        reader.close()


def summary(path: Path) -> dict[str, Any]:
    """What is in a recording, without reading its frames: for tests and for scripts."""
    reader = RecordingReader(path)
    frames = list(reader)
    reader.close()
    return {
        "head": msgspec.to_builtins(reader.head),
        "frames": len(frames),
        "skipped": reader.skipped,
        "seconds": frames[-1].at - frames[0].at if frames else 0.0,
    }
