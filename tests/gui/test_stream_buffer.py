"""Streamed text reaches the views in frames."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktop.models.session.stream_buffer import UNSEEN_FRAMES, StreamBuffer


@pytest.fixture
def buffer(qtbot: QtBot) -> Iterator[StreamBuffer]:
    made = StreamBuffer()
    yield made
    qtbot.waitUntil(lambda: made.is_idle)


@pytest.fixture
def frames(buffer: StreamBuffer) -> list[dict[str, str]]:
    seen: list[dict[str, str]] = []
    buffer.frame.connect(seen.append)
    return seen


def test_the_first_text_is_not_held_back(
    buffer: StreamBuffer, frames: list[dict[str, str]]
) -> None:
    buffer.append("a", "1")
    assert frames == [{"a": "1"}]
    buffer.append("b", "2")
    assert frames == [{"a": "1"}, {"b": "2"}]


def test_what_follows_comes_together_at_the_frames_end(
    buffer: StreamBuffer, frames: list[dict[str, str]], qtbot: QtBot
) -> None:
    for sign in "abcdef":
        buffer.append("x", sign)
        buffer.append("y", sign.upper())
    assert frames == [{"x": "a"}, {"y": "A"}]
    qtbot.waitUntil(lambda: len(frames) > 2)
    assert frames[2:] == [{"x": "bcdef", "y": "BCDEF"}]


def test_the_timer_stops_when_nothing_comes(buffer: StreamBuffer, qtbot: QtBot) -> None:
    buffer.append("x", "")
    states = [buffer.is_idle]
    buffer.append("x", "a")
    states.append(buffer.is_idle)
    assert states == [True, False]
    qtbot.waitUntil(lambda: buffer.is_idle)


def test_a_key_that_was_quiet_goes_out_at_once_again(
    buffer: StreamBuffer, frames: list[dict[str, str]], qtbot: QtBot
) -> None:
    buffer.append("x", "a")
    qtbot.waitUntil(lambda: buffer.is_idle)
    buffer.append("x", "b")
    assert frames == [{"x": "a"}, {"x": "b"}]


def test_flush_takes_and_discard_drops(
    buffer: StreamBuffer, frames: list[dict[str, str]], qtbot: QtBot
) -> None:
    buffer.append("x", "a")
    buffer.append("x", "b")
    buffer.append("y", "a")
    buffer.append("y", "b")
    assert buffer.flush("x") == "b"
    assert buffer.flush("x") == ""
    buffer.discard("y")
    qtbot.waitUntil(lambda: buffer.is_idle)
    assert frames == [{"x": "a"}, {"y": "a"}]


def test_text_given_during_a_frame_is_not_lost(buffer: StreamBuffer, qtbot: QtBot) -> None:
    seen: list[str] = []

    def take(frame: dict[str, str]) -> None:
        seen.append(frame["x"])
        if len(seen) < 5:
            buffer.append("x", str(len(seen)))

    buffer.frame.connect(take)
    buffer.append("x", "0")
    qtbot.waitUntil(lambda: len(seen) == 5)
    assert seen == ["0", "1", "2", "3", "4"]


def test_what_nobody_sees_waits_for_its_turn_and_keeps_its_order(
    buffer: StreamBuffer, frames: list[dict[str, str]], qtbot: QtBot
) -> None:
    keys = [str(number) for number in range(UNSEEN_FRAMES * 2)]
    for key in keys:
        buffer.append(key, "a", seen=False)
        buffer.append(key, "b", seen=False)
    assert frames == []
    qtbot.waitUntil(lambda: buffer.is_idle)
    assert max(len(frame) for frame in frames) == 2
    handed = [item for frame in frames for item in frame.items()]
    assert handed == [(key, "ab") for key in keys]


def test_what_is_seen_from_now_on_takes_along_what_waited(
    buffer: StreamBuffer, frames: list[dict[str, str]], qtbot: QtBot
) -> None:
    buffer.append("x", "1", seen=False)
    buffer.append("x", "2")
    assert frames == [{"x": "12"}]
    buffer.append("x", "3")  # waits for the frame's end
    buffer.append("x", "4", seen=False)
    qtbot.waitUntil(lambda: buffer.is_idle)
    assert frames == [{"x": "12"}, {"x": "34"}]
    buffer.append("y", "1", seen=False)
    assert buffer.flush("y") == "1"
    buffer.append("y", "2", seen=False)
    buffer.discard("y")
    qtbot.waitUntil(lambda: buffer.is_idle)
    assert len(frames) == 2
