"""The test's side of `tests.helpers.driver`: starts it, orders, and keeps what it tells."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.helpers import processes

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0  # s; a busy machine is no fault of the program

Event = dict[str, Any]


class DrivenWindow:
    """A running program with its home below `folder`.

    Attributes:
        events: all that it told so far. view: its latest view of the engine.
        stored: user message id -> answer id, confirmed on disk.
        flushed: answer id -> length confirmed on disk.
        seen: answer id -> (monotonic time, length shown), in order.
    """

    def __init__(self, folder: Path, **config: object) -> None:
        self.home, self.runtime = folder / "home", folder / "runtime"
        self.runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._errors = folder / "stderr.log"
        self.model = folder / "model"
        self.model.mkdir(exist_ok=True)
        self.events: list[Event] = []
        self.view: Event = {}
        self.stored: dict[str, str] = {}
        self.flushed: dict[str, int] = {}
        self.seen: dict[str, list[tuple[float, int]]] = {}
        self._inbox: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        with self._errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "tests.helpers.driver"),
                    json.dumps({"model": str(self.model), **config}),
                ],
                cwd=ROOT,
                env={
                    **os.environ,
                    "INGLENOOK_HOME": str(self.home),
                    "XDG_RUNTIME_DIR": str(self.runtime),
                    "QT_QPA_PLATFORM": "offscreen",
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        self._reader = threading.Thread(target=self._read, name="driven-window", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def database(self) -> Path:
        return self.home / "data" / "chats.db"

    def do(self, what: str, **values: object) -> None:
        """Give an order; it is obeyed when the chats are open."""
        self.do_at_once({"do": what, **values})

    def do_at_once(self, *orders: dict[str, object]) -> None:
        """Give several orders, with nothing between them however slow the machine is."""
        assert self.process.stdin is not None
        lines = "".join(json.dumps(order) + "\n" for order in orders)
        self.process.stdin.write(lines.encode())  # shorter than what it reads in one piece
        self.process.stdin.flush()

    def mark(self) -> int:
        """Where the story stands: what is told from here on can be waited for at any time."""
        return len(self.events)

    def until(
        self, accept: Callable[[Event], bool], what: str = "", since: int | None = None
    ) -> Event:
        """The next event that `accept` takes; others are kept in `events`.

        Args:
            since: a mark: what came after it counts, too. Whoever waits for something that
                may have happened meanwhile (in `gather`, or in another wait) needs one.
        """
        if since is not None:
            for told in self.events[since:]:
                if accept(told):
                    return told
        end = time.monotonic() + PATIENCE
        while True:
            event = self._next(end - time.monotonic())
            if event is None:
                raise AssertionError(f"no {what or 'such event'}\n{self.story()}")
            if accept(event):
                return event

    def until_phase(self, *phases: str) -> Event:
        """Wait until the engine's phase is one of these; at once if it is."""
        if self.view.get("phase") in phases:
            return self.view
        return self.until(lambda e: e["event"] == "view" and e["phase"] in phases, f"{phases}")

    def until_message(self, chat: str = "", *statuses: str, since: int | None = None) -> Event:
        """Wait for a message of the model's with one of these statuses; see `until`."""
        return self.until(
            lambda e: (
                e["event"] == "message"
                and e["role"] == "assistant"
                and e["status"] in statuses
                and chat in ("", e["chat"])
            ),
            f"message {statuses}",
            since,
        )

    def gather(self, seconds: float) -> None:
        """Take what it tells for so long: how a random moment is reached."""
        end = time.monotonic() + seconds
        while self._next(end - time.monotonic()) is not None:
            pass

    def gap(self) -> float:
        """The longest pause of its event loop since the last call, in ms."""
        self.do("gap")
        return float(self.until(lambda e: e["event"] == "gap")["ms"])

    def drain(self) -> None:
        """Take all that a dead program told."""
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.gather(0.0)

    def end(self) -> None:
        """After a test, however it went: nothing stays."""
        for pid in (self.pid, *processes.alive_in(self.home)):
            if pid != self.pid or self.process.poll() is None:
                try:
                    os.kill(pid, 9)
                except ProcessLookupError:
                    continue
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                continue

    def errors(self) -> str:
        """What it wrote to stderr."""
        return self._errors.read_text(errors="replace")

    def story(self) -> str:
        """For a failed test: the last events, stderr, the engine's log."""
        lines = [json.dumps(event) for event in self.events if event["event"] != "seen"][-25:]
        log = self.home / "state" / "logs" / "engine.log"
        tail = log.read_text(errors="replace")[-2000:] if log.exists() else ""
        return "\n".join([*lines, "--- stderr", self.errors()[-3000:], "--- engine", tail])

    def _next(self, seconds: float) -> Event | None:
        try:
            event = self._inbox.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
        if event is None:
            self._inbox.put(None)
            return None
        self.events.append(event)
        match event["event"]:
            case "view":
                self.view = event
            case "stored":
                self.stored[event["user"]] = event["answer"]
            case "flushed":
                self.flushed[event["answer"]] = event["length"]
            case "seen":
                self.seen.setdefault(event["answer"], []).append((event["at"], event["length"]))
            case "store_error":
                raise AssertionError(f"{event['error']}\n{self.story()}")
        return event

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._inbox.put(json.loads(line))
        self._inbox.put(None)
