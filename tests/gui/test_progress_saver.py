"""What streams is stored once a second, in turns."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop.models.session import progress_saver
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.progress_saver import TURNS, ProgressSaver


class Chat:
    """As much of a session as the saver knows."""

    def __init__(self) -> None:
        self.saved = 0
        self.needs_saving = False

    def save_progress(self) -> None:
        self.saved += 1


class Round:
    """A saver over `count` chats; `busy` until it is told otherwise."""

    def __init__(self, parent: QObject, count: int) -> None:
        self.chats = [Chat() for _ in range(count)]
        self.is_busy = True
        self.saver = ProgressSaver(
            lambda: cast(list[ChatSession], self.chats), lambda: self.is_busy, parent
        )

    @property
    def counts(self) -> list[int]:
        return [chat.saved for chat in self.chats]

    def take_turns(self, count: int) -> None:
        for _ in range(count):
            self.saver._take_turn()


@pytest.mark.parametrize("count", [0, 1, 3, TURNS, 32, 33])
def test_each_chat_is_stored_once_a_round_however_many_there_are(qtbot: QtBot, count: int) -> None:
    owner = QObject()
    round_ = Round(owner, count)
    for number in range(1, 4):
        round_.take_turns(TURNS)
        assert round_.counts == [number] * count


def test_no_turn_stores_many(qtbot: QtBot) -> None:
    owner = QObject()
    round_ = Round(owner, 32)
    for _ in range(TURNS):
        before = sum(round_.counts)
        round_.take_turns(1)
        assert sum(round_.counts) - before == 32 // TURNS


def test_a_chat_that_is_let_go_of_in_mid_round_is_left_alone(qtbot: QtBot) -> None:
    owner = QObject()
    round_ = Round(owner, TURNS)
    round_.take_turns(1)
    gone = round_.chats.pop()
    round_.take_turns(TURNS - 1)
    assert (gone.saved, round_.counts) == (0, [1] * (TURNS - 1))


def test_it_goes_on_until_all_is_stored_and_begins_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_saver, "INTERVAL_MS", TURNS)
    owner = QObject()
    round_ = Round(owner, 2)
    round_.saver.start()
    qtbot.waitUntil(lambda: min(round_.counts) >= 3)
    round_.is_busy = False
    round_.chats[1].needs_saving = True
    seen = round_.counts[1]
    qtbot.waitUntil(lambda: round_.counts[1] >= seen + 3)
    round_.chats[1].needs_saving = False
    qtbot.waitUntil(lambda: not round_.saver.is_running)
    seen = round_.counts[1]
    round_.is_busy = True
    round_.saver.start()
    qtbot.waitUntil(lambda: round_.counts[1] > seen)
    round_.saver.stop()
    assert not round_.saver.is_running
