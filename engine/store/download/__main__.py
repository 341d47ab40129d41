"""One download in a process of its own: see `messages` for what it is told and tells.

It can be killed at any time: what it has fetched stays, and the next one goes on from there. It
ends by itself when its standard input does, and when nobody reads what it tells.

Exit codes: 0 the model is there, 1 it came to nothing (the last line says why), 130 cancelled.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import threading
from typing import BinaryIO, Final

import msgspec

from engine.store.download import texts
from engine.store.download.control import Control
from engine.store.download.messages import (
    Cancel,
    Event,
    Failed,
    Job,
    failed,
    read_command,
    read_job,
    to_line,
)
from engine.store.download.work import run
from engine.store.hub.errors import HubError

MOST_LINE: Final = 16 << 20  # bytes
CANCELLED: Final = 130


def main() -> int:
    """Read the job, run it, tell; the exit code."""
    # What would lie in a core file is somebody's token.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the window's to handle
    source = sys.stdin.buffer
    control = Control()
    tell = _Teller(control)
    try:
        job = read_job(source.readline(MOST_LINE))
    except msgspec.DecodeError:
        tell(Failed(code="unreadable_job", text=texts.NO_JOB))
        return 1
    signal.signal(signal.SIGTERM, lambda *_: control.cancel())
    threading.Thread(target=_obey, args=(source, control), daemon=True).start()
    why_not = _run(job, tell, control)
    if why_not is None:
        return 0
    tell(why_not)
    return CANCELLED if why_not.code == "cancelled" else 1


def _run(job: Job, tell: _Teller, control: Control) -> Failed | None:
    """Why it came to nothing; None: it did not."""
    try:
        run(job, tell, control)
    except HubError as error:
        return failed(error)
    except Exception as error:  # a fault of ours: the window shall know
        sys.excepthook(*sys.exc_info())
        reason = f"{type(error).__name__}: {error}"[:200]
        return Failed(code="broken", text=texts.BROKEN.format(reason=reason))
    return None


class _Teller:
    """Writes events. Whoever does not read them any more wants no download."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._out = sys.stdout.buffer

    def __call__(self, event: Event) -> None:
        try:
            self._out.write(to_line(event))
            self._out.flush()
        except OSError:
            self._control.cancel()


def _obey(source: BinaryIO, control: Control) -> None:
    """Do what is said, until nobody can say anything more."""
    while line := source.readline(MOST_LINE):
        # One that is not understood is passed over: a later window may know more of them.
        with contextlib.suppress(msgspec.DecodeError):
            control.obey(read_command(line))
    control.obey(Cancel())


if __name__ == "__main__":
    code = main()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    # At once: a thread may hang in a look-up of a name, or in a disk that does not answer.
    os._exit(code)
