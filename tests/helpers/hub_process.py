"""The real hub process, spoken to as the window does."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from engine.store.hub.messages import AnyAnswer, Failed, Request, read_answer, to_line

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 30.0


class HubProcess:
    """One that runs. Its answers are kept by number until they are asked for.

    Attributes:
        errors: what it wrote to its log.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", "engine.store.hub", "--parent", str(os.getpid())]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.errors = b""
        self.raw = b""
        self._answers: queue.Queue[AnyAnswer | None] = queue.Queue()
        self._kept: dict[int, list[AnyAnswer]] = {}
        self._threads = [threading.Thread(target=target) for target in (self._read, self._log)]
        for thread in self._threads:
            thread.start()

    def send(self, what: Request | bytes) -> None:
        """Ask it, or write bytes to it."""
        assert self.process.stdin
        self.process.stdin.write(what if isinstance(what, bytes) else to_line(what))
        self.process.stdin.flush()

    def next_of(self, number: int, seconds: float = SECONDS) -> AnyAnswer:
        """The next answer to the request of this number."""
        kept = self._kept.setdefault(number, [])
        while not kept:
            answer = self._answers.get(timeout=seconds)
            if answer is None:
                raise AssertionError(f"it has ended: {self.errors.decode()[-2000:]}")
            self._kept.setdefault(answer.id, []).append(answer)
        return kept.pop(0)

    def ask(self, request: Request, seconds: float = SECONDS) -> Any:
        """Ask, and wait for the first answer."""
        self.send(request)
        return self.next_of(request.id, seconds)

    def fail(self, request: Request, seconds: float = SECONDS) -> Failed:
        """Ask for what cannot be had."""
        answer = self.ask(request, seconds)
        assert isinstance(answer, Failed), msgspec.json.encode(answer)[:500]
        assert answer.text
        assert "Error" not in answer.text, answer.text
        return answer

    def kept(self, number: int) -> int:
        """How many answers to the request of this number came and were not asked for."""
        return len(self._kept.get(number, ()))

    def unasked(self) -> bool:
        """Whether answers are there that nobody asked for yet."""
        return not self._answers.empty()

    def end(self) -> int:
        """Close its input, and wait for its end; its exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            code = self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()
            for thread in self._threads:
                thread.join(10)
            for pipe in (self.process.stdout, self.process.stderr):
                assert pipe
                pipe.close()
        return code

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.raw += line
            self._answers.put(read_answer(line))
        self._answers.put(None)

    def _log(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors += line


@contextmanager
def hub_process(environment: Mapping[str, str]) -> Iterator[HubProcess]:
    """A process that is asked."""
    process = HubProcess(environment)
    try:
        yield process
    finally:
        process.end()
