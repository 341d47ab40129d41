"""Provokes failures of the real engine by the dozen: one import of vLLM, a fork for each trial.

The parent imports vLLM once and starts no thread of OpenMP; each trial runs in a fork of it, so
that nothing of a failed load is left for the next, and a trial may be killed, starved of memory
or shown another processor. A trial is the engine's own path: `VllmBackend`, from the folder's
checks to the first answer. Only its socket is missing.

`Lab` is the test's end; `python -m tests.helpers.failure_lab` is the other.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from engine.environment import engine_environment
from engine.protocol import (
    ChatMessage,
    Failure,
    Generate,
    Loaded,
    LoadSettings,
    Sampling,
    StreamUpdate,
)

ROOT = Path(__file__).resolve().parents[2]
TRIAL_SECONDS = 40.0


class Trial(msgspec.Struct, frozen=True):
    """What to try.

    Attributes:
        model: the folder.
        faults: names in `tests.helpers.lab_faults.FAULTS`, set up before the load.
        ask: chats to answer, one after the other, once the model is loaded.
        check: whether the folder is checked as usual. Without, vLLM finds the fault.
    """

    model: str
    settings: LoadSettings = LoadSettings()
    faults: tuple[str, ...] = ()
    ask: tuple[Generate, ...] = ()
    check: bool = True


class Answer(msgspec.Struct, frozen=True):
    """How a request ended."""

    text: str = ""
    failure: Failure | None = None


class Outcome(msgspec.Struct, frozen=True):
    """What came of a trial. `log`: what the process wrote; `status`: as of `os.waitpid`."""

    loaded: Loaded | None = None
    failure: Failure | None = None
    answers: tuple[Answer, ...] = ()
    log: str = ""
    status: int = 0
    seconds: float = 0.0


@dataclass
class Lab:
    """The lab as a test sees it; use it as a context."""

    home: Path
    _process: subprocess.Popen[bytes] = field(init=False)

    def __enter__(self) -> Lab:
        environment = engine_environment({**os.environ, "INGLENOOK_HOME": str(self.home)})
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.failure_lab"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()

    def run(self, trial: Trial) -> Outcome:
        """Try, and wait for what comes of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(trial) + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the lab is gone"
        return msgspec.json.decode(line, type=Outcome)


class _Sink:
    """Takes the backend's events."""

    def __init__(self) -> None:
        self.ends: queue.SimpleQueue[Loaded | Failure | StreamUpdate] = queue.SimpleQueue()

    def imported(self) -> None:
        pass

    def load_progress(self, _progress: object) -> None:
        pass

    def loaded(self, loaded: Loaded) -> None:
        self.ends.put(loaded)

    def updates(self, updates: list[StreamUpdate]) -> None:
        for update in updates:
            self.ends.put(update)

    def failed(self, failure: Failure) -> None:
        self.ends.put(failure)

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_kwargs: None  # of telemetry, counts and the like


def _carry_out(trial: Trial) -> Outcome:
    from engine.vllm_backend import VllmBackend
    from tests.helpers import lab_faults

    for name in trial.faults:
        lab_faults.FAULTS[name]()
    if not trial.check:
        lab_faults.skip_checks()
    backend, sink = VllmBackend(), _Sink()
    backend.start(sink)
    backend.load(1, trial.model, trial.settings)
    end = sink.ends.get(timeout=TRIAL_SECONDS)
    if not isinstance(end, Loaded):
        assert isinstance(end, Failure)
        return Outcome(failure=end)
    answers = []
    for request in trial.ask:
        backend.generate(request)
        text = ""
        while True:
            news = sink.ends.get(timeout=TRIAL_SECONDS)
            if isinstance(news, Failure):
                answers.append(Answer(text, news))
                break
            assert isinstance(news, StreamUpdate)
            text += news.text
            if news.finish is not None:
                answers.append(Answer(text))
                break
    return Outcome(loaded=end, answers=tuple(answers))


def _child(trial: Trial, result: int) -> None:
    try:
        outcome = _carry_out(trial)
    except BaseException:
        outcome = Outcome(log=traceback.format_exc())
    os.write(result, msgspec.json.encode(outcome))


def _try(trial: Trial) -> Outcome:
    began = time.monotonic()
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as result:
        pid = os.fork()
        if pid == 0:
            os.setsid()
            for descriptor in (1, 2):
                os.dup2(log.fileno(), descriptor)
            _child(trial, result.fileno())
            sys.stdout.flush()
            sys.stderr.flush()
            os.killpg(0, signal.SIGKILL)  # workers too; its exit handlers would take a second
        _, status = os.waitpid(pid, 0)
        log.seek(0)
        result.seek(0)
        written = log.read().decode("utf-8", "replace")
        try:
            outcome = msgspec.json.decode(result.read(), type=Outcome)
        except msgspec.MsgspecError:
            outcome = Outcome()
    seconds = time.monotonic() - began
    return msgspec.structs.replace(
        outcome, log=written + outcome.log, status=status, seconds=seconds
    )


def main() -> None:
    """Serve trials, a line of JSON each, until the input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed goes to the log, not among the answers
    from tests.helpers import lab_faults

    lab_faults.warm_up()
    for line in sys.stdin.buffer:
        out.write(msgspec.json.encode(_try(msgspec.json.decode(line, type=Trial))) + b"\n")
        out.flush()


def chat(*texts: str, request_id: str = "r", **sampling: Any) -> Generate:
    """A request of one user's turn, for `Trial.ask`."""
    return Generate(
        request_id,
        tuple(ChatMessage("user", text) for text in texts),
        Sampling(**{"max_tokens": 3, "temperature": 0.0, **sampling}),
    )


if __name__ == "__main__":
    main()
