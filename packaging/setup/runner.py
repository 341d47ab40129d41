"""Carries the steps out, one set-up at a time, and tells of each."""

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn, TextIO

from setup.failures import SetupError, explain
from setup.layout import Layout
from setup.progress import StepLine, say
from setup.steps import Step


def all_done(steps: Sequence[Step]) -> bool:
    """Whether there is nothing to set up."""
    return all(step.is_done() for step in steps)


def carry_out(steps: Sequence[Step], layout: Layout, stream: TextIO | None = None) -> None:
    """Do those of `steps` that are not done, in order.

    Each is asked again when its turn comes: one before it may have undone it.

    Raises:
        SetupError: a step failed; those before it are kept. KeyboardInterrupt: Ctrl-C.
    """
    start = time.monotonic()
    for number, step in enumerate(steps, 1):
        if step.is_done():
            say(f"[{number}/{len(steps)}] {step.title}: done before", stream)
            continue
        line = StepLine(number, len(steps), step.title, stream)
        try:
            note = step.run(line.update)
        except OSError as error:
            line.failed()
            raise explain(str(error), step.title, layout.log) from error
        except BaseException:
            line.failed()
            raise
        line.done(note)
    say(f"Set up in {time.monotonic() - start:.0f} s.", stream)


@contextlib.contextmanager
def only_one(folder: Path, wait_text: Callable[[], None]) -> Iterator[int]:
    """Hold the lock of the set-up of the checkout that `folder` is in; yields its descriptor.

    The folder itself is locked, so no lock file is left behind. The tools that are started
    inherit the lock: should we be killed, the next set-up waits until they have ended.

    Args:
        wait_text: called once when another set-up holds the lock.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            wait_text()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks: better to go on than to refuse
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def orderly_end() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end a set-up as Ctrl-C does, with its tools stopped."""

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def start_log(layout: Layout) -> None:
    """Begin the log of this set-up; the last one is kept beside it.

    Raises:
        SetupError: it cannot be written.
    """
    from engine.store.private_folder import make_private

    log = layout.log
    try:
        make_private(log.parent)
        if log.exists():
            log.replace(log.with_name(f"{log.name}.1"))
        log.touch(mode=0o600)
    except OSError as error:
        raise SetupError(
            f"The set-up cannot write its log {log} ({error.strerror or error}).",
            f'sudo chown -R "$USER" {log.parent}; ./packaging/run',
        ) from error
