"""The scripted engine keeps to what a request asks for, as the real one does."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.protocol import (
    ChatMessage,
    CountTokens,
    Failure,
    Finish,
    FinishReason,
    Generate,
    KvReport,
    Loaded,
    LoadProgress,
    LoadSettings,
    Measure,
    Measured,
    Sampling,
    Scope,
    StreamUpdate,
    Telemetry,
    TokenCount,
)
from engine.script import Script, count_words
from engine.scripted_backend import BLOCK_SIZE, ScriptedBackend

SECONDS = 20.0
Event = Loaded | StreamUpdate | TokenCount | Failure | Measured | KvReport | str


class Engine:
    """The backend, and what it told."""

    def __init__(self, script: str, folder: Path, settings: LoadSettings | None = None) -> None:
        self.told: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.updates_of: dict[str, list[StreamUpdate]] = {}
        self.order: list[str] = []  # of the first tokens
        self.reports: list[KvReport] = []
        quick = "tokens_per_second=5000 load_seconds=0 prefill_seconds=0 "
        self.backend = ScriptedBackend(Script.parse(quick + script))
        self.backend.start(self)
        self.backend.load(1, str(folder), settings or LoadSettings())
        self.facts = self.next(Loaded)

    def imported(self) -> None: ...

    def load_progress(self, progress: LoadProgress) -> None: ...

    def load_planned(self, settings: LoadSettings) -> None: ...

    def telemetry(self, telemetry: Telemetry) -> None: ...

    def kv_report(self, report: KvReport) -> None:
        self.told.put(report)

    def measured(self, measured: Measured) -> None:
        self.told.put(measured)

    def slept(self) -> None:
        self.told.put("slept")

    def woke(self) -> None:
        self.told.put("woke")

    def loaded(self, loaded: Loaded) -> None:
        self.told.put(loaded)

    def updates(self, updates: list[StreamUpdate]) -> None:
        for update in updates:
            self.told.put(update)

    def token_count(self, count: TokenCount) -> None:
        self.told.put(count)

    def failed(self, failure: Failure) -> None:
        self.told.put(failure)

    def next(self, kind: type) -> Event:
        while not isinstance(event := self.told.get(timeout=SECONDS), kind):
            assert not (isinstance(event, Failure) and event.scope is Scope.LOAD), event
            self._note(event)
        self._note(event)
        return event

    def _note(self, event: Event) -> None:
        if isinstance(event, StreamUpdate):
            before = self.updates_of.setdefault(event.request_id, [])
            if event.text and not any(update.text for update in before):
                self.order.append(event.request_id)
            before.append(event)
        elif isinstance(event, KvReport):
            self.reports.append(event)

    def ask(self, key: str, text: str = "Hello", **more: object) -> None:
        messages = more.pop("messages", (ChatMessage("user", text),))
        self.backend.generate(Generate(key, messages, **more))  # type: ignore[arg-type]

    def finish(self, key: str) -> Finish:
        while True:
            found = [u.finish for u in self.updates_of.get(key, []) if u.finish]
            if found:
                return found[0]
            self.next(StreamUpdate)

    def text(self, key: str) -> str:
        self.finish(key)
        return "".join(update.text for update in self.updates_of[key])


class Make:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[Engine] = []

    def __call__(self, script: str = "", settings: LoadSettings | None = None) -> Engine:
        self.made.append(Engine(script, self.folder, settings))
        return self.made[-1]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Make]:
    make = Make(tmp_path)
    yield make
    for each in make.made:
        each.backend.stop()


def test_it_tells_what_a_run_card_needs(engine: Make) -> None:
    loaded = engine(settings=LoadSettings(max_model_len=512)).facts
    assert isinstance(loaded, Loaded)
    assert loaded.context == 512
    assert loaded.engine_version == "scripted"
    assert len(loaded.template_hash) == 16
    assert loaded.default_sampling.temperature is not None


def test_reasoning_that_the_template_opened_is_told_with_the_prompt(engine: Make) -> None:
    made = engine()
    made.ask("a", "/thinkopen 3 /echo Yes.")
    assert made.text("a").endswith("Yes.")
    told = [u for u in made.updates_of["a"] if u.prompt_tokens is not None]
    assert [u.opens_reasoning for u in told] == ["<think>"]


def test_a_stop_string_is_named_at_the_end(engine: Make) -> None:
    made = engine()
    made.ask("a", "/echo one two END three", sampling=Sampling(stop=("END",)))
    assert made.finish("a").stop_string == "END"
    assert made.finish("a").reason is FinishReason.STOP


def test_a_prompt_that_leaves_no_room_says_what_would_fit(engine: Make) -> None:
    made = engine("context=100")
    messages = (
        ChatMessage("system", "be brief"),
        *(ChatMessage(("user", "assistant")[n % 2], "word " * 10) for n in range(5)),
    )
    made.ask("a", messages=messages, reserve=40)
    failure = made.next(Failure)
    assert isinstance(failure, Failure)
    assert (failure.code, failure.prompt_tokens, failure.context) == ("prompt_too_long", 76, 100)
    assert failure.keep_from == 3
    kept = (messages[0], *messages[failure.keep_from :])
    assert failure.kept_tokens == count_words(kept) == 48
    made.ask("b", messages=kept, reserve=40)
    assert made.finish("b").reason is not FinishReason.FAILED


def test_counting_agrees_with_generating(engine: Make) -> None:
    made = engine()
    messages = (ChatMessage("system", "a b"), ChatMessage("user", "c d e"))
    made.backend.count_tokens(CountTokens("c", messages, "chat"))
    count = made.next(TokenCount)
    assert isinstance(count, TokenCount)
    made.ask("a", messages=messages)
    assert made.finish("a").prompt_tokens == count.tokens


def test_several_answers_to_one_prompt_read_it_once(engine: Make) -> None:
    made = engine()
    for key in "abc":
        made.ask(key, "word " * 100)
    finishes = [made.finish(key) for key in "abc"]
    assert [f.cached_tokens for f in finishes] == [0, 96, 96]
    assert BLOCK_SIZE > 104 - 96


def test_the_tab_in_front_overtakes_who_waits(engine: Make) -> None:
    made = engine("max_running=1")
    made.ask("running", "/long 50", priority=1)
    for key in ("one", "two"):
        made.ask(key, "/long 5", priority=1)
    made.ask("title", "/long 5", priority=5)
    made.ask("front", "/long 5", priority=0)
    for key in ("running", "front", "one", "two", "title"):
        made.finish(key)
    assert made.order == ["running", "front", "one", "two", "title"]


def test_who_waits_can_be_cancelled(engine: Make) -> None:
    made = engine("max_running=1")
    for key in "abc":
        made.ask(key, "/long 200")
    made.backend.cancel("b")
    assert made.finish("b").reason is FinishReason.CANCELLED
    assert made.finish("c").completion_tokens == 200
    assert made.order == ["a", "c"]


def test_reading_a_prompt_takes_its_time(engine: Make) -> None:
    made = engine("prefill_tokens_per_second=2000")
    made.ask("a", "word " * 300)
    first = made.finish("a").ttft
    made.ask("b", "word " * 300)
    assert first is not None
    assert first >= 304 / 2000
    assert made.finish("b").cached_tokens == 288


def test_on_gpus_it_sleeps_and_what_comes_meanwhile_waits(engine: Make) -> None:
    made = engine("gpus=2")
    made.backend.sleep()
    assert made.next(str) == "slept"
    made.ask("waits")
    made.ask("stopped")
    made.backend.cancel("stopped")
    assert made.finish("stopped").reason is FinishReason.CANCELLED
    made.backend.wake()
    assert made.next(str) == "woke"
    assert made.finish("waits").reason is FinishReason.STOP


@pytest.mark.parametrize(
    ("script", "code"),
    [("", "cannot_sleep"), ("gpus=1 fail_sleep=No.", "scripted")],
    ids=["on a CPU", "as the script says"],
)
def test_a_sleep_that_fails_says_why(engine: Make, script: str, code: str) -> None:
    made = engine(script)
    made.backend.sleep()
    failure = made.next(Failure)
    assert isinstance(failure, Failure)
    assert (failure.scope, failure.code) == (Scope.SLEEP, code)
    made.ask("still answers")
    assert made.finish("still answers").reason is FinishReason.STOP


def test_it_does_not_sleep_while_it_answers_nor_wake_if_the_script_forbids(engine: Make) -> None:
    made = engine("gpus=1 fail_wake=No.")
    made.ask("under way", "/hang 1")
    made.backend.sleep()
    failure = made.next(Failure)
    assert isinstance(failure, Failure)
    assert failure.code == "busy"
    made.backend.measure(Measure("m"))
    refused = made.next(Failure)
    assert isinstance(refused, Failure)
    assert refused.request_id == "m"
    made.backend.cancel("under way")
    made.finish("under way")
    made.backend.sleep()
    assert made.next(str) == "slept"
    made.backend.wake()
    assert made.next(Failure)


def test_two_gpus_are_faster_by_the_scripts_word(engine: Make) -> None:
    one = engine("gpus=2 tokens_per_second=100 tp_speed=1.5")
    two = engine(
        "gpus=2 tokens_per_second=100 tp_speed=1.5",
        LoadSettings(tensor_parallel_size=2, devices=(1, 0)),
    )
    rates = []
    for made in (one, two):
        made.backend.measure(Measure("m", (1, 4)))
        measured = made.next(Measured)
        assert isinstance(measured, Measured)
        rates.append([rate.decode_tps for rate in measured.rates])
    assert rates == [[100.0, 400.0], [150.0, 600.0]]
    loaded = two.facts
    assert isinstance(loaded, Loaded)
    assert (loaded.can_sleep, loaded.tensor_parallel_size) == (True, 2)
    assert [memory.device for memory in loaded.memory] == [1, 0]
    assert loaded.settings.devices == (1, 0)
    alone = one.facts
    assert isinstance(alone, Loaded)
    assert alone.memory[0].weights == 2 * loaded.memory[0].weights


def test_a_load_over_gpus_fails_by_the_scripts_word(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="Heads"):
        Engine("gpus=2 fail_tp=Heads", tmp_path, LoadSettings(tensor_parallel_size=2))


def test_who_watches_is_told_of_every_block_until_all_are_free(engine: Make) -> None:
    made = engine("tokens_per_second=200")
    made.backend.watch(0.01)
    made.ask("a", "/long 40")
    while not (
        made.reports and made.reports[-1].requests and made.reports[-1].requests[0].tokens > 20
    ):
        made.next(KvReport)
    report = made.reports[-1]
    [request] = report.requests
    assert request.request_id == "a"
    assert report.used == len(request.blocks) // 4 == -(-request.tokens // BLOCK_SIZE)
    assert made.finish("a").completion_tokens == 40
    while made.reports[-1].used:
        made.next(KvReport)
    assert made.reports[-1].requests == ()


def test_where_no_block_is_left_the_latest_answer_waits_and_goes_on(engine: Make) -> None:
    made = engine("preempts=1 kv_blocks=12 tokens_per_second=2000")
    made.backend.watch(0.001)
    for name in "abc":
        made.ask(name, f"/long 90 {name}")
    finishes = [made.finish(name) for name in "abc"]
    assert [finish.completion_tokens for finish in finishes] == [90, 90, 90]
    assert max(one.preemptions for report in made.reports for one in report.requests) >= 1
    assert all(report.used <= 12 for report in made.reports)
