"""The window's end of the socket pair for tests: a real engine process, blocking calls."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from engine.protocol import (
    PROTOCOL_VERSION,
    ChatMessage,
    Failure,
    Finish,
    FrameReader,
    FromEngine,
    Generate,
    Hello,
    Load,
    Loaded,
    LoadSettings,
    Message,
    Sampling,
    Shutdown,
    TokenBatch,
    decode_from_engine,
    encode,
)

ROOT = Path(__file__).resolve().parents[2]
M = TypeVar("M", bound=Message)


class EngineGone(Exception):  # noqa: N818 - an event to wait for, not a fault
    """The engine closed its end."""


class EnginePeer:
    """Starts `python -m engine` and speaks the protocol with it."""

    def __init__(
        self,
        backend: str = "scripted",
        script: str = "",
        environment: dict[str, str] | None = None,
        *,
        greet: bool = True,
    ) -> None:
        self.socket, theirs = socket.socketpair()
        os.set_inheritable(theirs.fileno(), True)
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "engine", "--socket", str(theirs.fileno())),
                *("--parent", str(os.getpid()), "--backend", backend, "--script", script),
            ],
            cwd=ROOT,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env={**os.environ, **(environment or {})},
        )
        theirs.close()
        self._frames = FrameReader()
        self._inbox: deque[FromEngine] = deque()
        self.seen: list[FromEngine] = []
        self._requests = 0
        if greet:
            self.send(Hello(PROTOCOL_VERSION, os.getpid()))

    def send(self, message: Message) -> None:
        """Send one message."""
        self.socket.sendall(encode(message))

    def next(self, timeout: float = 60.0) -> FromEngine:
        """The next message.

        Raises:
            TimeoutError: none came. EngineGone: none will.
        """
        deadline = time.monotonic() + timeout
        while not self._inbox:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"nothing in {timeout} s; log:\n{self.log_text()}")
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(1 << 20)
            except ConnectionError:
                data = b""
            if not data:
                raise EngineGone(self.log_text())
            self._inbox.extend(decode_from_engine(body) for body in self._frames.feed(data))
        message = self._inbox.popleft()
        self.seen.append(message)
        return message

    def wait(
        self,
        kind: type[M],
        accept: Callable[[M], bool] = lambda _: True,
        timeout: float = 60.0,
    ) -> M:
        """The next message of `kind` that `accept` takes; others are kept in `seen`."""
        deadline = time.monotonic() + timeout
        while True:
            message = self.next(max(0.01, deadline - time.monotonic()))
            if isinstance(message, kind) and accept(message):
                return message

    def wait_gone(self, timeout: float = 30.0) -> None:
        """Read until the engine closes its end.

        Raises:
            TimeoutError: it does not.
        """
        try:
            while True:
                self.next(timeout)
        except EngineGone:
            return

    def load(self, model: Path, settings: LoadSettings | None = None) -> Loaded:
        """Load and wait; a load failure is an AssertionError."""
        self.send(Load(1, str(model), settings or LoadSettings()))
        while not isinstance(message := self.next(180.0), Loaded):
            assert not isinstance(message, Failure), message
        return message

    def ask(
        self, *turns: str, sampling: Sampling | None = None, continue_final: bool = False
    ) -> str:
        """Send a chat whose turns alternate user, assistant, …; returns the request's id."""
        self._requests += 1
        key = f"request-{id(self)}-{self._requests}"
        roles = ("user", "assistant")
        messages = tuple(ChatMessage(roles[i % 2], turn) for i, turn in enumerate(turns))
        self.send(Generate(key, messages, sampling or Sampling(), continue_final=continue_final))
        return key

    def collect(self, *keys: str, timeout: float = 120.0) -> dict[str, tuple[str, Finish]]:
        """Wait until all streams have ended; their texts and finishes."""
        texts = dict.fromkeys(keys, "")
        finishes: dict[str, Finish] = {}
        deadline = time.monotonic() + timeout
        while len(finishes) < len(keys):
            message = self.next(max(0.01, deadline - time.monotonic()))
            if isinstance(message, Failure):
                raise AssertionError(message)
            if isinstance(message, TokenBatch):
                for update in message.updates:
                    if update.request_id in texts:
                        texts[update.request_id] += update.text
                        if update.finish is not None:
                            finishes[update.request_id] = update.finish
        return {key: (texts[key], finishes[key]) for key in keys}

    def log_text(self) -> str:
        """What the engine printed."""
        self.log.seek(0)
        return self.log.read().decode("utf-8", "replace")[-4000:]

    def close(self) -> int:
        """End the engine in order; its exit code."""
        with contextlib.suppress(OSError):
            self.send(Shutdown())
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(10)
        finally:
            self.socket.close()
            self.log.close()
