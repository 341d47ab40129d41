"""The window's link to the engine, over a real scripted engine: requests and loads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.engine_link.engine_state import Phase
from engine import protocol
from engine.protocol import (
    ChatMessage,
    CountTokens,
    Failure,
    FinishReason,
    Loaded,
    Scope,
)
from tests.helpers import processes
from tests.helpers.engine_clients import WAIT_MS, Make, ask, clients_in, start, wait_for


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    """Makes clients; in the end nothing of them is left."""
    yield from clients_in(tmp_path / "logs")


def test_requests_wait_for_the_model_and_go_in_order(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = make("tokens_per_second=2000 load_seconds=0.05 max_running=1")
    keys = [f"r{i}" for i in range(6)]
    client.generate(ask(keys[0]))
    client.start()
    client.generate(ask(keys[1]))
    client.load(str(tmp_path))
    for key in keys[2:]:
        client.generate(ask(key))
    assert client.view.queued == 6
    qtbot.waitUntil(lambda: len(heard.finishes) == 6, timeout=WAIT_MS)
    assert list(heard.finishes) == keys
    assert set(heard.finishes.values()) == {FinishReason.STOP}
    assert heard.tokens == dict.fromkeys(keys, 20)
    assert client.view.queued == 0
    assert heard.phases == [Phase.STOPPED, Phase.STARTING, Phase.LOADING, Phase.READY]
    loaded = client.view.loaded
    assert loaded is not None
    assert loaded.model == str(tmp_path)


def test_a_held_request_can_be_cancelled(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = make()
    client.generate(ask("gone"))
    client.generate(ask("kept"))
    client.cancel("gone")
    assert heard.finishes == {"gone": FinishReason.CANCELLED}
    assert client.view.queued == 1
    start((client, heard), tmp_path, qtbot)
    qtbot.waitUntil(lambda: "kept" in heard.finishes, timeout=WAIT_MS)
    assert heard.tokens["gone"] == 0
    client.cancel("never heard of")


def test_a_running_request_can_be_cancelled(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make("tokens_per_second=100 load_seconds=0.05")
    start(made, tmp_path, qtbot)
    client.generate(ask("a", "/long 4000"))
    qtbot.waitUntil(lambda: heard.tokens.get("a", 0) > 2, timeout=WAIT_MS)
    client.cancel("a")
    qtbot.waitUntil(lambda: heard.finishes.get("a") is FinishReason.CANCELLED, timeout=WAIT_MS)


def test_a_hanging_load_can_be_cancelled(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = make("hang_load=1")
    client.start()
    client.load(str(tmp_path))
    client.generate(ask("held"))
    qtbot.waitUntil(lambda: client.view.fraction is not None, timeout=WAIT_MS)
    before, began = client.pid, time.monotonic()
    client.cancel_load()
    wait_for(client, Phase.IDLE, qtbot)
    assert time.monotonic() - began < 5
    assert processes.ended(before, 5)
    assert client.pid not in (0, before)
    assert client.view.queued == 1  # waits for a model
    assert client.view.failure is None
    assert heard.interrupted == []


def test_after_a_load_that_failed_another_model_can_be_loaded(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = make()
    client.start()
    client.load(str(tmp_path / "gone"))
    client.generate(ask("held"))
    wait_for(client, Phase.FAILED, qtbot)
    failure = client.view.failure
    assert failure is not None
    assert failure.scope is Scope.LOAD
    assert failure.remedies
    assert client.view.restarts == 0  # a load that fails is no crash
    client.load(str(tmp_path))
    qtbot.waitUntil(lambda: "held" in heard.finishes, timeout=WAIT_MS)
    assert client.view.failure is None


def test_a_load_that_failed_can_be_tried_again(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, _ = make()
    client.start()
    client.load(str(tmp_path / "late"))
    wait_for(client, Phase.FAILED, qtbot)
    (tmp_path / "late").mkdir()
    client.restart()
    wait_for(client, Phase.READY, qtbot)


def test_a_folder_whose_name_is_not_unicode_is_refused_in_words(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, _heard = made = make()
    client.start()
    client.load("/models/\udcff")
    assert client.view.phase is Phase.FAILED
    assert client.view.failure is not None
    assert client.view.failure.code == "model_name"
    start(made, tmp_path, qtbot)


def test_unload_gives_everything_back(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make("tokens_per_second=100 load_seconds=0.05 children=2")
    start(made, tmp_path, qtbot)
    client.generate(ask("a", "/long 4000"))
    qtbot.waitUntil(lambda: heard.tokens.get("a", 0) > 2, timeout=WAIT_MS)
    before = client.pid
    client.unload()
    assert heard.interrupted == ["a"]
    wait_for(client, Phase.IDLE, qtbot)
    assert client.view.model == ""
    assert client.view.loaded is None
    assert processes.wait_until_none(lambda: processes.members(before)) == []
    assert client.pid not in (0, before)


def test_a_load_replaces_the_model(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make()
    start(made, tmp_path, qtbot)
    other = tmp_path / "other"
    other.mkdir()
    client.load(str(other))
    client.generate(ask("held"))
    assert client.view.queued == 1
    qtbot.waitUntil(lambda: "held" in heard.finishes, timeout=WAIT_MS)
    assert client.view.model == str(other)
    assert client.view.restarts == 0


@pytest.mark.parametrize("outcome", ["loaded", "failed"])
def test_the_outcome_of_a_load_that_was_replaced_counts_for_nothing(
    make: Make, qtbot: QtBot, tmp_path: Path, outcome: str
) -> None:
    client, heard = make()
    client.start()
    client.load(str(tmp_path))
    other = tmp_path / "other"
    other.mkdir()
    client.load(str(other))
    client.generate(ask("held"))
    late: protocol.FromEngine
    if outcome == "loaded":
        late = Loaded(1, str(tmp_path), 64, 4, 16, 1, "scripted", "scripted", 1024, 0.1)
    else:
        late = Failure(Scope.LOAD, "There is no such model.", load_id=1)
    assert client._driver._engine is not None
    client._driver._engine._on_message(late)  # it was on its way already
    assert client.view.phase is Phase.STARTING
    assert client.view.queued == 1
    qtbot.waitUntil(lambda: "held" in heard.finishes, timeout=WAIT_MS)
    assert client.view.model == str(other)
    assert heard.interrupted == []


def test_tokens_are_counted_when_there_is_a_model(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make()
    messages = (ChatMessage("user", "one two three"),)
    client.count_tokens(CountTokens("early", messages))
    start(made, tmp_path, qtbot)
    client.count_tokens(CountTokens("c", messages))
    qtbot.waitUntil(lambda: bool(heard.counts), timeout=WAIT_MS)
    assert [(count.request_id, count.tokens) for count in heard.counts] == [("c", 7)]


def test_a_request_that_fails_ends_alone(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make()
    start(made, tmp_path, qtbot)
    client.generate(ask("bad", "/fail 5"))
    client.generate(ask("good"))
    qtbot.waitUntil(lambda: bool(heard.failures) and "good" in heard.finishes, timeout=WAIT_MS)
    assert [failure.request_id for failure in heard.failures] == ["bad"]
    assert client.view.phase is Phase.READY


def test_a_request_too_large_for_a_frame_is_refused(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, heard = made = make()
    start(made, tmp_path, qtbot)
    monkeypatch.setattr(protocol, "MAX_FRAME_BYTES", 1000)
    client.generate(ask("large", "word " * 1000))
    assert [failure.code for failure in heard.failures] == ["too_large"]
    client.generate(ask("small"))
    qtbot.waitUntil(lambda: "small" in heard.finishes, timeout=WAIT_MS)
