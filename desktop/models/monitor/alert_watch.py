"""Alerts as a signal, from the live frames of a feed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.models.monitor.alerts import Alert, AlertBook, rules_from

if TYPE_CHECKING:
    from desktop.models.monitor.feed import MonitorFeed
    from desktop.models.monitor.frames import MonitorFrame

STEADY_S: Final = 2.0  # a value that moves is told so often


class AlertWatch(QObject):
    """See the module. What is replayed raises nothing.

    Args:
        feed: whose `live` frames are watched, at whatever rate it runs.
        settings: of `Settings.alerts`.

    Signals:
        changed: tuple of all `Alert`s that are raised now.
    """

    changed = Signal(object)

    def __init__(self, feed: MonitorFeed, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(feed)
        self._book = AlertBook(rules_from(settings or {}))
        self._told: tuple[Alert, ...] = ()
        self._told_at = float("-inf")
        self._at = 0.0
        feed.live.connect(self._on_frame)

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """Those that were told last, the gravest kind first."""
        return self._told

    def set_settings(self, settings: Mapping[str, object]) -> None:
        """Other rules, of `Settings.alerts`."""
        self._book.set_rules(rules_from(settings))
        self._tell(self._book.alerts)

    def _on_frame(self, frame: MonitorFrame) -> None:
        self._at = frame.at
        self._tell(self._book.take(frame))

    def _tell(self, alerts: tuple[Alert, ...]) -> None:
        same = [one.cause.place for one in alerts] == [one.cause.place for one in self._told]
        if alerts == self._told or (same and self._at - self._told_at < STEADY_S):
            return
        self._told, self._told_at = alerts, self._at
        self.changed.emit(alerts)
