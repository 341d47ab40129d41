"""The token meter: the engine's own count, asked seldom; what must go, found exactly."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from desktop.chats.chat import OverflowPolicy
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.session.overflow_search import OverflowSearch
from desktop.models.writing.meter_text import meter_text, meter_warning
from desktop.models.writing.token_meter import MAX_CHARACTERS, MeterReading, MeterSource, TokenMeter
from engine.overflow import longest_fit
from engine.protocol import ChatMessage, CountTokens, Failure, Scope, TokenCount
from engine.script import count_words
from tests.gui.fake_client import LOADED, FakeClient

WAIT_MS = 10_000


class CountingClient(FakeClient):
    """Answers counts when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: list[CountTokens] = []

    def count_tokens(self, request: CountTokens) -> None:
        self.counts.append(request)

    def answer(self, tokens: int | None = None) -> None:
        request = self.counts[-1]
        count = count_words(request.messages) if tokens is None else tokens
        self.token_counted.emit(TokenCount(request.request_id, count, 8192))


class Desk:
    """A meter over prompts that the test sets."""

    def __init__(self, client: CountingClient) -> None:
        self.client = client
        self.prompt: tuple[ChatMessage, ...] = ()
        self.policy = OverflowPolicy.ASK
        self.reserve = 1
        self.readings: list[MeterReading] = []
        self.meter = TokenMeter(client.as_client)
        self.meter.changed.connect(self.readings.append)
        self.meter.watch(
            MeterSource(lambda: self.prompt, self.size, lambda: (self.policy, self.reserve)), 0
        )
        self.meter.set_shown(True)

    def size(self) -> int:
        return sum(len(message.content) for message in self.prompt)

    def type(self, text: str) -> None:
        self.prompt = (ChatMessage("user", text),)
        self.meter.touch(len(text))


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(CountingClient())


def wait_asked(desk: Desk, qtbot: QtBot, count: int) -> None:
    qtbot.waitUntil(lambda: len(desk.client.counts) >= count, timeout=WAIT_MS)


def test_it_asks_when_the_user_pauses_and_shows_the_engines_count(desk: Desk, qtbot: QtBot) -> None:
    for end in range(1, 12):
        desk.type("hello world"[:end])
    assert desk.client.counts == []
    assert meter_text(desk.meter.reading).startswith("about ")
    wait_asked(desk, qtbot, 1)
    desk.client.answer()
    assert meter_text(desk.meter.reading) == "6 of 8,192 tokens"
    assert len(desk.client.counts) == 1


def test_nothing_is_asked_while_nothing_changes(desk: Desk, qtbot: QtBot) -> None:
    desk.type("hello")
    wait_asked(desk, qtbot, 1)
    desk.client.answer()
    for _ in range(3):
        desk.meter.refresh()
        qtbot.waitUntil(lambda: not desk.meter._timer.isActive(), timeout=WAIT_MS)
    assert len(desk.client.counts) == 1
    assert desk.meter.reading.exact


def test_one_question_is_open_and_the_newest_wins(desk: Desk, qtbot: QtBot) -> None:
    desk.type("one")
    wait_asked(desk, qtbot, 1)
    desk.type("one two")
    desk.type("one two three")
    qtbot.waitUntil(lambda: not desk.meter._timer.isActive(), timeout=WAIT_MS)
    assert len(desk.client.counts) == 1
    desk.client.answer()
    assert not desk.meter.reading.exact  # of a text that is not there any more
    wait_asked(desk, qtbot, 2)
    assert desk.client.counts[-1].messages[0].content == "one two three"
    desk.client.answer()
    assert desk.meter.reading.tokens == 7


def test_an_answer_to_another_question_is_none(desk: Desk, qtbot: QtBot) -> None:
    desk.type("hello")
    wait_asked(desk, qtbot, 1)
    desk.client.token_counted.emit(TokenCount("somebody else's", 999, 8192))
    assert not desk.meter.reading.exact


def test_a_hidden_tab_asks_nothing_until_it_is_seen(desk: Desk, qtbot: QtBot) -> None:
    desk.meter.set_shown(False)
    desk.type("hello")
    assert not desk.meter._timer.isActive()
    desk.meter.set_shown(True)
    wait_asked(desk, qtbot, 1)


def test_without_a_model_there_is_a_guess_and_then_a_count(desk: Desk, qtbot: QtBot) -> None:
    desk.client.set_view(phase=Phase.LOADING, loaded=None)
    desk.type("word " * 100)
    qtbot.waitUntil(lambda: not desk.meter._timer.isActive(), timeout=WAIT_MS)
    assert desk.client.counts == []
    assert meter_text(desk.meter.reading) == "about 125 tokens"
    desk.client.set_view(phase=Phase.READY, loaded=LOADED)
    wait_asked(desk, qtbot, 1)
    desk.client.answer()
    assert meter_text(desk.meter.reading) == "104 of 8,192 tokens"


def test_a_question_that_died_with_the_engine_is_asked_again(desk: Desk, qtbot: QtBot) -> None:
    desk.type("hello")
    wait_asked(desk, qtbot, 1)
    desk.client.set_view(phase=Phase.RESTARTING, loaded=None)
    desk.client.set_view(phase=Phase.READY, loaded=LOADED)
    wait_asked(desk, qtbot, 2)


def test_a_count_that_fails_leaves_the_guess(desk: Desk, qtbot: QtBot) -> None:
    desk.type("hello")
    wait_asked(desk, qtbot, 1)
    failure = Failure(Scope.REQUEST, "no", request_id=desk.client.counts[-1].request_id)
    desk.client.request_failed.emit(failure)
    assert not desk.meter.reading.exact
    desk.type("hello you")
    wait_asked(desk, qtbot, 2)


def test_a_text_beyond_all_contexts_is_guessed_not_sent(desk: Desk, qtbot: QtBot) -> None:
    desk.type("x" * (MAX_CHARACTERS + 1))
    qtbot.waitUntil(lambda: not desk.meter._timer.isActive(), timeout=WAIT_MS)
    assert desk.client.counts == []
    assert "About" in meter_warning(desk.meter.reading)


# --- what would be left out -----------------------------------------------------------------


def chat(turns: int, words: Callable[[int], int] = lambda _i: 100) -> tuple[ChatMessage, ...]:
    roles = ("user", "assistant")
    system = (ChatMessage("system", "be brief"),)
    told = (ChatMessage(roles[i % 2], "word " * words(i)) for i in range(turns))
    return (*system, *told)


def test_it_names_how_many_messages_would_go(desk: Desk, qtbot: QtBot) -> None:
    desk.prompt = chat(101)
    desk.reserve = 512
    desk.meter.refresh()
    asked = 0
    while desk.meter.reading.fits is None:
        asked += 1
        wait_asked(desk, qtbot, asked)
        desk.client.answer()
    room = 8192 - 512
    kept = longest_fit(desk.prompt, room, count_words)
    assert kept is not None
    assert desk.meter.reading.left_out == kept.index - 1
    total = count_words(desk.prompt)
    assert desk.meter.reading.excess == total - room
    assert f"{total - room:,} tokens too many" in meter_warning(desk.meter.reading)
    assert asked <= 9


def test_the_stop_policy_asks_no_more(desk: Desk, qtbot: QtBot) -> None:
    desk.policy = OverflowPolicy.STOP
    desk.prompt = chat(101)
    desk.meter.refresh()
    wait_asked(desk, qtbot, 1)
    desk.client.answer()
    assert meter_warning(desk.meter.reading).endswith("it will be refused.")
    assert len(desk.client.counts) == 1


def test_nothing_is_said_about_a_message_that_is_not_written(desk: Desk, qtbot: QtBot) -> None:
    desk.prompt = chat(2, lambda _i: 9_000)
    desk.meter.refresh()
    wait_asked(desk, qtbot, 1)
    while desk.meter._request_id:
        desk.client.answer()
    assert desk.meter.reading.excess
    assert "this message alone" not in meter_warning(desk.meter.reading)


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=40),
    st.booleans(),
    st.integers(1, 900),
)
def test_the_search_finds_what_the_engine_will_leave_out(
    words: list[int], system: bool, limit: int
) -> None:
    prompt = chat(len(words), lambda i: words[i])[0 if system else 1 :]
    tokens = count_words(prompt)
    if tokens <= limit:
        return
    search = OverflowSearch(prompt, tokens, limit)
    steps = 0
    while (probe := search.next_probe()) is not None:
        search.told(count_words(probe))
        steps += 1
    kept = longest_fit(prompt, limit, count_words)
    assert search.fits is (kept is not None)
    if kept is not None:
        assert search.left_out == kept.index - int(system)
    assert steps <= 9


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (MeterReading(), ""),
        (MeterReading(8500, 8192, exact=True, policy=OverflowPolicy.STOP), "will be refused"),
        (MeterReading(8500, 8192, exact=True), "you will be asked what to leave out"),
        (MeterReading(8500, 8192, exact=True, left_out=1, fits=True), "the oldest message would"),
        (MeterReading(8500, 8192, exact=True, left_out=4, fits=True), "the oldest 4 messages"),
        (MeterReading(8500, 8192, exact=True, fits=False), "this message alone is too long"),
        (MeterReading(8000, 8192, reserve=512, exact=True), "512 tokens are kept for the answer"),
    ],
)
def test_the_words(reading: MeterReading, words: str) -> None:
    assert words in meter_warning(reading)
    assert bool(meter_warning(reading)) == bool(words)


def test_a_view_of_the_same_model_changes_nothing(desk: Desk, qtbot: QtBot) -> None:
    desk.type("hello")
    wait_asked(desk, qtbot, 1)
    desk.client.answer()
    desk.client.view_changed.emit(EngineView(Phase.READY, "/models/small", loaded=LOADED, queued=3))
    assert not desk.meter._timer.isActive()
