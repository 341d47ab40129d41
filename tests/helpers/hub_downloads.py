"""Downloads for tests: the real downloader, in this process or in its own, and what it told."""

from __future__ import annotations

import contextlib
import hashlib
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from engine.store.download import messages
from engine.store.download.control import Control
from engine.store.download.messages import AnyEvent, Done, Failed, Job, Progress, Started, Waiting
from engine.store.hub.errors import HubError
from engine.store.library.scan import ScanCache, scan
from tests.helpers.loopback_hub import ROOT, LoopbackHub

Ended = Done | Failed


class Events:
    """What a download tells, in the order in which it comes."""

    def __init__(self) -> None:
        self.seen: list[AnyEvent] = []
        self._coming: queue.Queue[AnyEvent | None] = queue.Queue()

    def tell(self, event: AnyEvent | None) -> None:
        """Take one, from any thread; None: no more will come."""
        self._coming.put(event)

    def until(self, is_it: Callable[[AnyEvent], bool], seconds: float = 30.0) -> AnyEvent:
        """The first new event of that kind, or the last of all.

        Raises:
            AssertionError: it does not come in time, or the end came without a word.
        """
        end = time.monotonic() + seconds
        while True:
            try:
                event = self._coming.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no such event; the last were {self.seen[-3:]}") from None
            assert event is not None, f"it ended without a word; the last were {self.seen[-3:]}"
            self.seen.append(event)
            if is_it(event) or isinstance(event, Done | Failed):
                return event

    def of(self, kind: type[Any]) -> list[Any]:
        """Those of a kind that were seen so far."""
        return [event for event in self.seen if isinstance(event, kind)]


class Download:
    """A download that runs.

    Attributes:
        events: what it told.
        pid: of its process; 0 in this one.
    """

    def __init__(self, command: Callable[[messages.AnyCommand], None], pid: int = 0) -> None:
        self.events = Events()
        self.tell = command
        self.pid = pid

    def until(self, *kinds: type[Any], seconds: float = 30.0) -> Any:
        """The first new event of one of these kinds, or the last of all."""
        return self.events.until(lambda event: isinstance(event, kinds), seconds)

    def until_done(self, count: int, seconds: float = 30.0) -> Any:
        """Until it has told of so many bytes."""
        return self.events.until(
            lambda event: isinstance(event, Progress) and event.done >= count, seconds
        )

    def end(self, seconds: float = 60.0) -> Ended:
        """Its last word."""
        last = self.events.until(lambda _event: False, seconds)
        assert isinstance(last, Done | Failed)
        return last

    def cancel(self) -> tuple[Ended, float]:
        """End it; its last word, and how long that took in seconds."""
        began = time.monotonic()
        self.tell(messages.Cancel())
        return self.end(), time.monotonic() - began


@contextlib.contextmanager
def download_here(job: Job, **how: Any) -> Iterator[Download]:
    """A download in a thread of this process; of the hub that HF_ENDPOINT names.

    `how`: what `engine.store.download.work.run` takes besides.
    """
    from engine.store.download.work import run

    control = Control(job.limit)
    download = Download(control.obey)
    folders: list[Done] = []

    def tell(event: messages.Event) -> None:
        if isinstance(event, Done):
            folders.append(event)
        else:
            download.events.tell(cast(AnyEvent, event))

    def work() -> None:
        try:
            folder = run(job, tell, control, **how)
            done = folders[-1] if folders else Done(folder=str(folder))
            download.events.tell(done)
        except HubError as error:
            download.events.tell(messages.failed(error))
        finally:
            download.events.tell(None)

    worker = threading.Thread(target=work, name="test-download")
    worker.start()
    try:
        yield download
    finally:
        control.cancel()
        worker.join(20)
        assert not worker.is_alive(), "the download does not end"


@contextlib.contextmanager
def download_process(
    job: Job, environment: dict[str, str], *, before: Iterable[str] = ()
) -> Iterator[Download]:
    """A download in a process of its own. `before`: words of the command in front of it."""
    command = [*before, sys.executable, "-m", "engine.store.download"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        to, of = process.stdin, process.stdout

        def say(message: messages.Job | messages.Command) -> None:
            to.write(messages.to_line(message))
            to.flush()

        download = Download(say, process.pid)

        def listen() -> None:
            for line in of:
                download.events.tell(messages.read_event(line))
            download.events.tell(None)

        listener = threading.Thread(target=listen, name="test-download-events")
        listener.start()
        try:
            say(job)
            yield download
        finally:
            with contextlib.suppress(OSError):
                to.close()  # it ends by itself
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            finally:
                listener.join(10)


def installed(models: Path) -> list[str]:
    """The models that the library shows of a store, by their repositories."""
    return [model.repo or model.name for model in scan(models, None, (), known=ScanCache())]


def hashes(folder: Path) -> dict[str, str]:
    """Path -> sha256 of all files below a folder, but for the manifest."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }


def all_below(folder: Path) -> set[str]:
    """Everything that lies below a folder, links too."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def sent(hub: LoopbackHub) -> int:
    """Bytes of files that the hub sent since its counts were reset."""
    return sum(record.sent for record in hub.requests if record.file)


__all__ = ["Done", "Failed", "Job", "Progress", "Started", "Waiting"]
