"""Alerts as the window hears of them: of what is live alone, and not with each frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from desktop.hardware.sampler import HardwareSampler
from desktop.models.monitor.alert_watch import AlertWatch
from desktop.models.monitor.alerts import Alert, Kind
from desktop.models.monitor.feed import MonitorFeed
from desktop.models.monitor.frames import MonitorFrame
from desktop.models.session.session_hub import SessionHub
from tests.gui.monitor_feed_kit import NoGpu
from tests.unit.test_monitor_alerts import COOL, frame


class Heard:
    """A watch over a feed, and what it told."""

    def __init__(self, feed: MonitorFeed) -> None:
        self.feed = feed
        self.watch = AlertWatch(feed, {"temperature": {"limit": 80}})
        self.told: list[tuple[Alert, ...]] = []
        self.watch.changed.connect(self.told.append)

    def live(self, seconds: range, temperature: int) -> None:
        """A frame a second."""
        for second in seconds:
            self.feed.live.emit(frame(float(second), replace(COOL, temperature=temperature)))


@pytest.fixture
def heard(hub: SessionHub, qtbot: QtBot) -> Iterator[Heard]:
    feed = MonitorFeed(hub.pool, hub, lambda: HardwareSampler(source=NoGpu), hub)
    yield Heard(feed)
    feed.stop()


def test_an_alert_is_told_when_it_is_raised_and_when_it_is_over(heard: Heard) -> None:
    heard.live(range(10), 85)
    assert heard.told == []
    heard.live(range(10, 20), 85)
    assert [[one.kind for one in told] for told in heard.told] == [[Kind.TEMPERATURE]]
    assert heard.watch.alerts == heard.told[-1]
    heard.live(range(20, 60), 70)
    assert heard.told[-1] == ()
    assert len(heard.told) == 2


def test_a_value_that_moves_is_told_now_and_then(heard: Heard) -> None:
    for second in range(10, 40):
        heard.live(range(second, second + 1), 85 + second % 2)
    assert 5 <= len(heard.told) <= 11
    assert {told[0].value for told in heard.told} <= {85.0, 86.0}


def test_what_is_shown_again_raises_nothing(heard: Heard) -> None:
    for second in range(30):
        heard.feed.frame.emit(frame(float(second), replace(COOL, temperature=95)))
    assert heard.told == []


def test_other_settings_hold_at_once(heard: Heard) -> None:
    heard.live(range(12), 85)
    assert heard.watch.alerts
    heard.watch.set_settings({"temperature": {"on": False}})
    assert heard.told[-1] == ()
    heard.watch.set_settings({})
    heard.live(range(20, 40), 85)  # the usual limit is above that
    assert heard.watch.alerts == ()


def test_a_lost_gpu_is_told_at_once_and_its_return_too(heard: Heard) -> None:
    heard.live(range(2), 60)
    heard.feed.live.emit(frame(3.0, replace(COOL, lost=True)))
    assert [one.kind for one in heard.told[-1]] == [Kind.GPU_LOST]
    heard.live(range(4, 5), 60)
    assert heard.told[-1] == ()


def test_with_the_feed_the_watch_goes_too(hub: SessionHub, qtbot: QtBot) -> None:
    feed = MonitorFeed(hub.pool, hub, lambda: HardwareSampler(source=NoGpu), hub)
    watch = AlertWatch(feed)
    assert watch.parent() is feed
    feed.live.emit(MonitorFrame(0.0, 0.0))
    assert watch.alerts == ()
