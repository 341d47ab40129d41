"""Long work on the library, in a process of its own: `python -m engine.store.library`.

The job is the first line of standard input, events are the lines of standard output; see `wire`.
It can be killed at any moment: what it had begun is made good by the next one. It ends with the
process that started it.

Exit codes: 0 done, 1 it came to nothing (the last line says why), 130 it was stopped.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from engine.store.library import bin as model_bin
from engine.store.library import importing, moving, verify, wire
from engine.store.library.end_with_parent import end_with_parent
from engine.store.library.meter import IsCancelled
from engine.store.library.records import CancelledError, LibraryError, Progress, Tell

INTERRUPTED: Final = 130
_STDIN: Final = 0
_MOST_JOB: Final = 1 << 20


def run(job: wire.AnyJob, tell: Tell, is_cancelled: IsCancelled) -> wire.Done:
    """Do `job`, in this process.

    Raises:
        LibraryError: it came to nothing.
    """
    models = Path(job.models)
    match job:
        case wire.VerifyJob():
            return verify.verify(job.model, tell, is_cancelled)
        case wire.ImportJob():
            path = importing.import_model(
                Path(job.source),
                models,
                name=job.name,
                way=job.way,
                tell=tell,
                is_cancelled=is_cancelled,
            )
            return wire.Done(path=str(path))
        case wire.MoveJob():
            to = Path(job.to) if job.to else None
            return moving.move_store(models, to, tell, is_cancelled)
        case wire.AbandonMoveJob():
            moving.abandon_move(models)
            return wire.Done()
        case wire.DeleteJob():
            return model_bin.delete(job.model, models, for_good=job.for_good)
        case wire.RestoreJob():
            return wire.Done(path=str(model_bin.restore(models, job.entry)))
        case wire.EmptyBinJob():
            return wire.Done(freed=model_bin.empty(models, job.entries, tell, is_cancelled))


def main() -> int:
    """Read the job, do it, tell of it."""
    end_with_parent()
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    output = _Output(sys.stdout.buffer, stopped)
    line, rest = _first_line(_STDIN)
    try:
        job = wire.read_job(line)
    except msgspec.MsgspecError:
        return output.failed("no_job", wire.NO_JOB)
    if rest:
        stopped.set()
    threading.Thread(target=_listen, args=(_STDIN, stopped), daemon=True).start()
    try:
        moving.repair(Path(job.models))
        output.tell(run(job, output.tell, stopped.is_set))
    except CancelledError:
        output.failed("cancelled", wire.STOPPED)
        return INTERRUPTED
    except LibraryError as error:
        return output.failed(error.code, str(error))
    except Exception as error:  # the one who started it is told, whatever it is
        sys.excepthook(*sys.exc_info())
        reason = f"{type(error).__name__}: {error}"
        return output.failed("unexpected", wire.UNEXPECTED.format(reason=reason))
    return 0


def _first_line(descriptor: int) -> tuple[bytes, bytes]:
    """The first line, and what of the next has come along.

    Not by a file object: a thread that waits in one at the process's end is a fatal error.
    """
    read = b""
    while b"\n" not in read and len(read) <= _MOST_JOB:
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        read += part
    line, _, rest = read.partition(b"\n")
    return line, rest


def _listen(descriptor: int, stopped: threading.Event) -> None:
    """Any command stops it, there is no other; so does the end: nobody waits any more."""
    with contextlib.suppress(OSError):
        os.read(descriptor, 1)
    stopped.set()


class _Output:
    """Lines on standard output; when nobody reads them any more, the work is to end."""

    def __init__(self, stream: BinaryIO, stopped: threading.Event) -> None:
        self._stream, self._stopped = stream, stopped

    def tell(self, event: Progress | wire.Done | wire.Failed) -> None:
        try:
            self._stream.write(wire.to_line(event))
            self._stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self._stopped.set()

    def failed(self, code: str, text: str) -> int:
        self.tell(wire.Failed(code=code, text=text))
        return 1


if __name__ == "__main__":
    sys.exit(main())
