"""Recordings of the monitor: JSON, a line each.

The first line is the head. Then each line is a frame: a whole one ("full"), or a JSON merge patch
(RFC 7396) of the one before ("patch"), so that what did not change is not written again. Lines are
numbered; where one is damaged, what follows is skipped up to the next whole frame.

    {"inglenook_monitor": 1, "program": "0.5.0", "began": 1764460000.0, "machine": {...}}
    {"n": 0, "full": {"at": 12.5, "clock": ..., "engines": {"1": {...}}, ...}, "new": {...}}
    {"n": 1, "patch": {"at": 12.75, "engines": {"1": {"telemetry": {"running": 3}}}}}
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import platform
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import msgspec

from desktop.models.monitor.frame_patch import Json, TreeMaker, patch_between
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
        try:
            return msgspec.json.encode(said) + b"\n"
        except UnicodeEncodeError:  # a folder's name may be any bytes
            return msgspec.json.encode(_spelled(said)) + b"\n"


class Recorder:
    """Writes frames to a file of the user's own, on a thread: nothing waits for the disk.

    Args:
        make: opens the file for writing.

    Attributes:
        path: of the file.
        problem: in words, why it has ended by itself; "" while all is well.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, path: Path, make: Callable[[Path], BinaryIO] | None = None) -> None:
        self.path = path
        self.problem = ""
        self.bytes = 0
        self._began = time.monotonic()
        self._file = (make or _make_file)(path)
        self._frames: queue.Queue[MonitorFrame | None] = queue.Queue(MOST_WAITING)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="monitor-recorder", daemon=True)
        self._thread.start()

    def write(self, frame: MonitorFrame) -> None:
        """Keep a frame; does nothing once there is a problem."""
        if self.problem or self._ends.is_set():
            return
        try:
            self._frames.put_nowait(frame)
        except queue.Full:
            self._stop_for(TimeoutError())

    def close(self, seconds: float = 5.0) -> bool:
        """Write what waits, and end; whether that was done so soon.

        A disk that is slower is not waited for; what waits is written all the same.
        """
        self._ends.set()
        with contextlib.suppress(queue.Full):
            self._frames.put_nowait(None)  # wakes the thread
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def state(self) -> RecordingState:
        """How it goes."""
        from desktop.models.monitor.feed import RecordingState

        return RecordingState(
            self.path,
            is_running=not (self.problem or self._ends.is_set()),
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
        except OSError as error:
            self._stop_for(error)

    def _next(self, until: float) -> MonitorFrame | object | None:
        """The next frame; None: it is time to flush, or that was the last."""
        try:
            if self._ends.is_set():
                return self._frames.get_nowait()
            return self._frames.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return _END if self._ends.is_set() else None

    def _put(self, file: BinaryIO, line: bytes) -> None:
        if self.bytes + len(line) > MAX_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        file.write(line)
        self.bytes += len(line)

    def _stop_for(self, error: Exception) -> None:
        self.problem = self.problem or stopped_text(self.path, error)


_END: Final = object()


def _make_file(path: Path) -> BinaryIO:
    make_private_file(path)
    return path.open("ab", buffering=1 << 16)


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


def _spelled(said: Any) -> Any:
    """The same with a question mark in the place of all that is no Unicode."""
    if isinstance(said, dict):
        return {_spelled(key): _spelled(value) for key, value in said.items()}
    if isinstance(said, list):
        return [_spelled(value) for value in said]
    return said.encode(errors="replace").decode() if isinstance(said, str) else said


def _news(patch: Json) -> Json:
    """Of a patch, what a frame has only when it is new."""
    engines = {
        key: {"kv": True}
        for key, engine in patch.get("engines", {}).items()
        if "kv" in (engine or {})
    }
    return {"engines": engines, "hardware": "hardware" in patch}
