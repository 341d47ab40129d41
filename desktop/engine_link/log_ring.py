"""The engine's log: its last lines in memory, all of it in a rotated private file."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from pathlib import Path
from typing import BinaryIO

from desktop.paths import make_private

RING_LINES = 2000
LINE_BYTES = 4096  # longer lines are cut: a binary dump must not fill the memory
FILE_BYTES = 5 * 1024 * 1024
KEPT_FILES = 3


class LogRing:
    """Takes raw bytes as they come; a folder that cannot be written costs only the file."""

    def __init__(self, folder: Path | None, name: str = "engine.log") -> None:
        self._lines: deque[str] = deque(maxlen=RING_LINES)
        self._partial = b""
        self._since = 0  # lines since the mark
        # Its name alone: rotating a path outside the folder would move somebody's file away.
        self._path = folder / Path(name).name if folder else None
        self._file: BinaryIO | None = None
        self._written = 0

    def append(self, data: bytes) -> None:
        """Add output of the engine."""
        self._write(data)
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            # A progress bar redraws its line with carriage returns: its last state counts.
            self._lines.append(_text(line.rstrip(b"\r").rsplit(b"\r", 1)[-1]))
            self._since += 1
        self._partial = self._partial[-LINE_BYTES:]

    def tail(self, lines: int = 200) -> str:
        """The last `lines` lines."""
        kept = [*self._lines, *([_text(self._partial)] if self._partial else [])]
        return "\n".join(kept[-lines:])

    def mark(self) -> None:
        """Another process begins to write: what stands here is of those before it."""
        if self._partial:
            self.append(b"\n")
        self._since = 0

    def since_mark(self, lines: int = 200) -> str:
        """The last `lines` lines since the mark."""
        written = min(lines, self._since + bool(self._partial))
        return self.tail(written) if written else ""

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, data: bytes) -> None:
        if self._path is None:
            return
        try:
            if self._file is None or self._written + len(data) > FILE_BYTES:
                self._rotate(self._path)
            assert self._file is not None
            self._file.write(data)
            self._file.flush()
            self._written += len(data)
        except OSError:  # disk full, read-only: the ring still has the lines
            self._path = None
            with contextlib.suppress(OSError):  # it tries to write what is left
                self.close()
            self._file = None

    def _rotate(self, path: Path) -> None:
        self.close()
        make_private(path.parent)
        for number in range(KEPT_FILES - 1, 0, -1):
            older = path.with_suffix(f".{number}.log")
            newer = path if number == 1 else path.with_suffix(f".{number - 1}.log")
            if newer.exists():
                newer.replace(older)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self._written = 0


def _text(line: bytes) -> str:
    return line[:LINE_BYTES].decode("utf-8", "replace")
