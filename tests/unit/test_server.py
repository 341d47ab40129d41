"""The engine's event loop over a backend that does what the test says."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from engine.backend import Events
from engine.outbox import Outbox
from engine.protocol import (
    EXIT_FAULT,
    EXIT_OK,
    EXIT_PEER_GONE,
    PROTOCOL_VERSION,
    Cancel,
    CancelLoad,
    CountTokens,
    EngineState,
    Failure,
    FrameReader,
    FromEngine,
    Generate,
    Heartbeat,
    Hello,
    KvReport,
    Load,
    Loaded,
    LoadProgress,
    LoadSettings,
    LoadStage,
    Measure,
    Measured,
    Message,
    Ping,
    Pong,
    Rate,
    RemedyAction,
    Sampling,
    Scope,
    Shutdown,
    Sleep,
    Status,
    StreamUpdate,
    Telemetry,
    TokenBatch,
    TokenCount,
    Wake,
    Watch,
    decode_from_engine,
    encode,
)
from engine.server import FRAME_SECONDS, serve

M = TypeVar("M", bound=Message)
SECONDS = 20.0


class Puppet:
    """A backend without a thread: the test calls `events`."""

    name = "puppet"

    def __init__(self) -> None:
        self.events: Events
        self.asked: list[str] = []
        self.stopped = False

    def start(self, events: Events) -> None:
        self.events = events
        events.imported()

    def load(self, load_id: int, model: str, settings: LoadSettings) -> None:
        self.asked.append(f"load {load_id} {model}")
        if model != "/slow":
            self.events.loaded(Loaded(load_id, model, 64, 4, 16, 1, "none", "none", 1024, 0.0))

    def generate(self, request: Generate) -> None:
        self.asked.append(f"generate {request.request_id}")
        if request.request_id == "fault":
            raise RuntimeError("a fault of the backend's")

    def cancel(self, request_id: str) -> None:
        self.asked.append(f"cancel {request_id}")

    def count_tokens(self, request: CountTokens) -> None:
        self.events.token_count(TokenCount(request.request_id, 1, 64))

    def measure(self, request: Measure) -> None:
        self.events.measured(Measured(request.request_id, (Rate(1, 2.0, 3.0, 4.0),)))

    def sleep(self) -> None:
        self.asked.append("sleep")
        self.events.slept()

    def wake(self) -> None:
        self.asked.append("wake")
        self.events.woke()

    def watch(self, seconds: float) -> None:
        for step in (1, 2):
            self.events.kv_report(KvReport(step, 16, 8, 0, 0, b"\0", ()))

    def stop(self) -> None:
        self.stopped = True


class Window:
    """The other end."""

    def __init__(self) -> None:
        self.backend = Puppet()
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(SECONDS)
        theirs.setblocking(False)
        self.code: int | None = None
        self.frames = FrameReader()
        self.inbox: list[FromEngine] = []

        def run() -> None:
            self.code = serve(theirs, lambda: self.backend)

        self.thread = threading.Thread(target=run)
        self.thread.start()
        self.send(Hello(PROTOCOL_VERSION, os.getpid()))

    def send(self, *messages: Message) -> None:
        self.socket.sendall(b"".join(encode(message) for message in messages))

    def next(self) -> FromEngine:
        while not self.inbox:
            data = self.socket.recv(1 << 20)
            assert data, "the engine hung up"
            self.inbox += [decode_from_engine(body) for body in self.frames.feed(data)]
        return self.inbox.pop(0)

    def wait(self, kind: type[M], accept: Callable[[M], bool] = lambda _: True) -> M:
        while True:
            message = self.next()
            if isinstance(message, kind) and accept(message):
                return message

    def ready(self) -> None:
        self.send(Load(1, "/m"))
        self.wait(Status, lambda status: status.state is EngineState.READY)

    def end(self) -> int | None:
        self.thread.join(SECONDS)
        assert not self.thread.is_alive()
        return self.code


@pytest.fixture
def window() -> Iterator[Window]:
    made = Window()
    yield made
    made.socket.close()
    made.end()
    assert made.backend.stopped


def updates(*pairs: tuple[str, str]) -> list[StreamUpdate]:
    return [StreamUpdate(key, text=text, tokens=1) for key, text in pairs]


def test_it_greets_and_tells_its_state(window: Window) -> None:
    hello = window.next()
    assert isinstance(hello, Hello)
    assert (hello.protocol_version, hello.backend) == (PROTOCOL_VERSION, "puppet")
    states = [window.wait(Status).state for _ in range(2)]
    assert states == [EngineState.STARTING, EngineState.IDLE]
    window.send(Load(7, "/m"))
    assert window.wait(Status) == Status(EngineState.LOADING, "/m")
    assert window.wait(Loaded).load_id == 7
    assert window.wait(Status) == Status(EngineState.READY, "/m")


def test_what_needs_a_model_is_refused_without_one(window: Window) -> None:
    window.send(Generate("g", ()), CountTokens("c", ()), Cancel("x"), Ping(1))
    for key in ("g", "c"):
        failure = window.wait(Failure)
        assert (failure.scope, failure.code, failure.request_id) == (
            Scope.REQUEST,
            "not_ready",
            key,
        )
        assert failure.remedies
    window.wait(Pong)
    assert window.backend.asked == ["cancel x"]


def test_a_parameter_out_of_range_is_refused_before_the_backend_sees_it(window: Window) -> None:
    window.ready()
    window.send(Generate("g", (), Sampling(top_p=3.0)), Ping(1))
    failure = window.wait(Failure)
    assert (failure.scope, failure.code, failure.request_id) == (
        Scope.REQUEST,
        "bad_parameter",
        "g",
    )
    assert "Top-p" in failure.cause
    window.wait(Pong)
    assert window.backend.asked == ["load 1 /m"]


def test_a_load_that_failed_leaves_room_for_another(window: Window) -> None:
    window.send(Load(1, "/slow"))
    window.wait(Status, lambda status: status.state is EngineState.LOADING)
    window.backend.events.failed(Failure(Scope.LOAD, "No.", load_id=1))
    assert window.wait(Failure).load_id == 1
    assert window.wait(Status) == Status(EngineState.IDLE, "")
    window.send(Load(2, "/m"))
    assert window.wait(Loaded).load_id == 2


def test_a_model_sleeps_and_wakes_and_takes_requests_meanwhile(window: Window) -> None:
    window.ready()
    window.send(Sleep())
    assert window.wait(Status) == Status(EngineState.SLEEPING, "/m")
    window.send(Generate("g", ()), CountTokens("c", ()))
    assert window.wait(TokenCount).request_id == "c"
    window.send(Wake())
    assert window.wait(Status) == Status(EngineState.READY, "/m")
    assert window.backend.asked == ["load 1 /m", "sleep", "generate g", "wake"]


def test_only_a_loaded_model_sleeps_and_only_a_sleeping_one_wakes(window: Window) -> None:
    window.send(Sleep())
    assert window.wait(Failure).code == "not_ready"
    window.ready()
    window.send(Wake())
    failure = window.wait(Failure)
    assert (failure.scope, failure.code) == (Scope.SLEEP, "not_ready")
    window.send(Sleep())
    window.wait(Status, lambda status: status.state is EngineState.SLEEPING)
    window.send(Measure("m"), Sleep())
    assert window.wait(Failure).request_id == "m"
    assert window.wait(Failure).scope is Scope.SLEEP
    assert window.backend.asked == ["load 1 /m", "sleep"]


def test_a_failed_sleep_leaves_the_model_as_it_was(window: Window) -> None:
    window.ready()
    window.backend.events.failed(Failure(Scope.SLEEP, "No.", code="cannot_sleep"))
    assert window.wait(Failure).code == "cannot_sleep"
    window.send(Generate("g", ()), Ping(1))
    window.wait(Pong)
    assert window.backend.asked[-1] == "generate g"


def test_a_measurement_is_answered_if_its_sizes_make_sense(window: Window) -> None:
    window.ready()
    window.send(Measure("m"))
    assert window.wait(Measured).rates
    window.send(Measure("none", streams=()))
    failure = window.wait(Failure)
    assert (failure.request_id, failure.code) == ("none", "bad_parameter")


@pytest.mark.parametrize(
    ("settings", "remedies"),
    [
        (LoadSettings(load_timeout=0.0), [RemedyAction.RETRY, RemedyAction.SHOW_LOG]),
        (
            LoadSettings(load_timeout=0.0, tensor_parallel_size=2),
            [RemedyAction.RELOAD_WITH, RemedyAction.RELOAD_WITH, RemedyAction.SHOW_LOG],
        ),
    ],
)
def test_a_load_that_stands_still_is_given_up(
    window: Window, settings: LoadSettings, remedies: list[RemedyAction]
) -> None:
    window.send(Load(3, "/slow", settings))
    failure = window.wait(Failure)
    assert (failure.scope, failure.code, failure.load_id) == (Scope.LOAD, "load_timeout", 3)
    assert [remedy.action for remedy in failure.remedies] == remedies
    assert window.wait(Status).state is EngineState.STOPPING
    # What hangs may come to an end after all: too late.
    window.backend.events.loaded(Loaded(3, "/slow", 64, 4, 16, 1, "none", "none", 1024, 0.0))
    window.send(Load(4, "/m"))
    assert window.wait(Failure).code == "already_loaded"


def test_progress_puts_the_end_off(window: Window) -> None:
    window.send(Load(3, "/slow", LoadSettings(load_timeout=2.5)))
    window.wait(Status, lambda status: status.state is EngineState.LOADING)
    beat = window.wait(Heartbeat).sequence
    for number in range(beat + 1, beat + 4):  # a second apart
        window.backend.events.load_progress(LoadProgress(3, LoadStage.IMPORTING, 0.0))
        assert not isinstance(window.wait((Heartbeat, Failure)), Failure), number  # type: ignore[arg-type]
    assert window.wait(Failure).code == "load_timeout"


def test_what_comes_right_after_loaded_is_answered(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.send(Load(1, "/slow"))
    window.wait(Status, lambda status: status.state is EngineState.LOADING)
    answered = threading.Event()
    put = Outbox.put

    def put_and_wait(box: Outbox, message: Message) -> None:
        put(box, message)
        if isinstance(message, Loaded):  # the thread that tells it loses the processor here
            answered.wait(SECONDS)

    monkeypatch.setattr(Outbox, "put", put_and_wait)
    loaded = Loaded(1, "/slow", 64, 4, 16, 1, "none", "none", 1024, 0.0)
    thread = threading.Thread(target=window.backend.events.loaded, args=(loaded,))
    thread.start()
    window.wait(Loaded)
    window.send(Generate("at once", ()), Ping(1))
    window.wait(Pong)
    answered.set()
    thread.join()
    assert window.backend.asked == ["load 1 /slow", "generate at once"]


def test_libraries_that_are_in_memory_late_do_not_hide_a_load(window: Window) -> None:
    window.send(Load(1, "/slow"))
    window.wait(Status, lambda status: status.state is EngineState.LOADING)
    window.backend.events.imported()
    window.send(CancelLoad(1))
    window.wait(Status, lambda status: status.state is EngineState.STOPPING)


def test_a_first_token_does_not_wait_for_the_frame(window: Window) -> None:
    window.ready()
    events = window.backend.events
    delays = []
    for number in range(20):
        events.updates(updates(("old", "x")))  # a frame has just begun
        window.wait(TokenBatch)
        began = time.monotonic()
        events.updates(updates((f"new {number}", "x")))
        window.wait(TokenBatch, lambda b, n=number: b.updates[-1].request_id == f"new {n}")  # type: ignore[misc]
        delays.append(time.monotonic() - began)
    assert sorted(delays)[10] < FRAME_SECONDS / 2


def test_what_streams_is_sent_in_frames(window: Window) -> None:
    window.ready()
    tokens = frames = 0
    began = time.monotonic()

    def produce() -> None:
        for _ in range(2000):
            window.backend.events.updates(updates(*((f"s{i}", "w ") for i in range(8))))

    thread = threading.Thread(target=produce)
    thread.start()
    while tokens < 16_000:
        frames += 1
        tokens += sum(update.tokens for update in window.wait(TokenBatch).updates)
    thread.join()
    elapsed = time.monotonic() - began
    assert frames <= elapsed / FRAME_SECONDS + 10  # the first tokens of 8 streams were urgent


def test_a_window_that_does_not_read_costs_little_and_loses_nothing(window: Window) -> None:
    window.ready()
    events = window.backend.events
    for number in range(4000):
        events.updates(updates(*((f"s{i}", f"{number} ") for i in range(16))))
        events.telemetry(Telemetry(number, 0, 0, 0, 0.0, 0.0))
    window.send(Ping(9))
    texts: dict[str, str] = {}
    while len(texts) < 16 or any(not text.endswith(" 3999 ") for text in texts.values()):
        for update in window.wait(TokenBatch).updates:
            texts[update.request_id] = texts.get(update.request_id, "") + update.text
    whole = "".join(f"{number} " for number in range(4000))
    assert texts == {f"s{i}": whole for i in range(16)}


def test_of_the_reports_of_the_pool_the_latest_is_sent(window: Window) -> None:
    window.ready()
    window.send(Watch(0.25))
    window.send(Ping(3))
    window.wait(Pong)
    assert window.wait(KvReport).step == 2


def test_shutdown_and_hanging_up_end_it() -> None:
    window = Window()
    window.send(Shutdown())
    assert window.end() == EXIT_OK
    window.socket.close()
    window = Window()
    window.socket.close()
    assert window.end() == EXIT_PEER_GONE


def test_a_fault_of_its_own_is_logged_and_is_no_lost_window(
    caplog: pytest.LogCaptureFixture,
) -> None:
    window = Window()
    window.ready()
    with caplog.at_level(logging.ERROR):
        window.send(Generate("fault", ()))
        assert window.end() == EXIT_FAULT
    assert "a fault of the backend's" in caplog.text
    window.socket.close()
