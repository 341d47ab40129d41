"""A private folder in which the processes of one engine meet while a model loads.

vLLM's workers are processes of their own: they leave here how many bytes of the weights they
have read, and why they failed (vLLM keeps that for its log). Their sockets lie here as well,
where no other user can connect to them. The folder's name has the engine's pid, so that one
left behind by a kill is known for what it is, and swept away by the next engine.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from engine.leftovers import SHARED, remove_segments, segments_of

VARIABLE = "INGLENOOK_LOAD_FOLDER"  # how workers find it
PREFIX = "inglenook-engine-"
# A socket's path has at most 107 bytes, and vLLM adds "/" and a UUID.
PATH_BYTES = 107 - 37
ERROR_BYTES = 100_000
NOTES = "read-"  # and the worker's pid
MEETING = "vllm_dist_"  # vLLM's name for it


class LoadFolder:
    """The folder at `path`; see the module."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def make(cls, environ: Mapping[str, str]) -> LoadFolder:
        """A new one, for this process alone: mode 0700. Those of dead processes are removed.

        Raises:
            OSError: no folder can be made.
        """
        for base in _bases(environ):
            sweep(base)
            with contextlib.suppress(OSError):
                path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=base))
                if len(os.fsencode(path)) <= PATH_BYTES:
                    return cls(path)
                path.rmdir()
        return cls(Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir="/tmp")))

    @classmethod
    def of_worker(cls, environ: Mapping[str, str]) -> LoadFolder | None:
        """The engine's, as a worker sees it; None in a process that has none."""
        path = environ.get(VARIABLE)
        return cls(Path(path)) if path else None

    # --- workers ------------------------------------------------------------------------

    def note_read(self, count: int) -> None:
        """This process has read `count` bytes of the weights so far."""
        with contextlib.suppress(OSError):  # progress is not worth a failed load
            (self.path / f"{NOTES}{os.getpid()}").write_text(str(count))

    def note_error(self, text: str) -> None:
        """This process fails, with this traceback."""
        with contextlib.suppress(OSError):
            (self.path / f"error-{os.getpid()}").write_text(text[-ERROR_BYTES:])

    # --- the engine ---------------------------------------------------------------------

    def read_bytes(self) -> int:
        """How far the slowest worker is; 0 until one has begun."""
        counts: list[int] = []
        for path in self.path.glob(f"{NOTES}*"):
            with contextlib.suppress(OSError, ValueError):  # it is being written
                counts.append(int(path.read_text()))
        return min(counts, default=0)

    def errors(self) -> str:
        """Why the workers failed; "" where none said so."""
        texts: list[str] = []
        for path in sorted(self.path.glob("error-*"), key=_age):
            with contextlib.suppress(OSError):
                texts.append(path.read_text(errors="replace"))
        return "\n".join(texts)

    def remove(self) -> None:
        """It is not needed any more."""
        _remove(self.path)


def _bases(environ: Mapping[str, str]) -> list[Path]:
    """Where it may lie: a folder of the user's own first."""
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    own = [Path(runtime)] if runtime.startswith("/") else []
    return [*own, Path(tempfile.gettempdir())]


def remove_load_folders(pid: int) -> None:
    """Remove the folder of the process `pid`, which ends, or has ended."""
    for base in _bases(os.environ):
        for path in base.glob(f"{PREFIX}{pid}-*"):
            with contextlib.suppress(OSError):
                if path.lstat().st_uid == os.getuid():
                    _remove(path)


def sweep(base: Path) -> None:
    """Remove the folders in `base` that processes of this user have left behind."""
    for path in base.glob(f"{PREFIX}*"):
        pid = path.name.removeprefix(PREFIX).partition("-")[0]
        with contextlib.suppress(OSError):
            if pid.isdigit() and path.lstat().st_uid == os.getuid() and not _lives(int(pid)):
                _remove(path)


def _remove(path: Path, shared: Path = SHARED) -> None:
    """The folder, and what its workers left in shared memory.

    Where a worker died alone, nobody has that mapped any more: it is known by the name of the
    file in which they met, and by their pids, which are in the names of their notes.
    """
    names = [note.name.removeprefix(NOTES) for note in path.glob(f"{NOTES}*")]
    pids = [int(name) for name in names if name.isdigit()]
    remove_segments(segments_of(pid for pid in pids if not _lives(pid)), shared)
    for met in path.glob(f"{MEETING}*"):
        remove_segments((segment.name for segment in shared.glob(f"{met.name}-*")), shared)
    shutil.rmtree(path, ignore_errors=True)


def _lives(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _age(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0
