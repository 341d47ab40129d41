"""Alerts where they are seen: a badge in the status bar, and a list under the monitor's head."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.monitor.alert_text import advice_text, alert_text, short_text
from desktop.models.monitor.alerts import Alert, Cause
from desktop.models.monitor.mutes import UNTIL_END
from desktop.models.number_text import whole
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon

ICON_SIZE: Final = 16
MUTE_MINUTES: Final = (15, 60)


class AlertBadge(QPushButton):
    """The gravest alert in a few words, and how many more there are.

    Signals:
        cause_wanted: the `Cause` of the alert that it names.
    """

    cause_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._alerts: tuple[Alert, ...] = ()
        self.setProperty("kind", "quiet")
        self.setAutoDefault(False)
        self.setIcon(icon("warning", "warning"))
        self.setIconSize(QSize(ICON_SIZE - 2, ICON_SIZE - 2))
        self.clicked.connect(lambda _checked=False: self._on_clicked())
        theme.notifier().changed.connect(self._on_theme)
        self._on_theme()
        self.hide()

    def show_alerts(self, alerts: tuple[Alert, ...]) -> None:
        """Show these; none: nothing is seen."""
        self._alerts = alerts
        if alerts:
            words = short_text(alerts[0])
            if len(alerts) > 1:
                words = self.tr("{alert} (+{count})").format(
                    alert=words, count=whole(len(alerts) - 1)
                )
            self.setText(words)
            whole_text = "\n".join(alert_text(alert) for alert in alerts)
            self.setToolTip(whole_text)
            self.setAccessibleName(self.tr("Alert: {text}").format(text=whole_text))
        self.setVisible(bool(alerts))

    def _on_clicked(self) -> None:
        if self._alerts:
            self.cause_wanted.emit(self._alerts[0].cause)

    def _on_theme(self) -> None:
        self.setFont(theme.current().figure_font())


def record_badge() -> QPushButton:
    """Says in the status bar that a recording is under way."""
    badge = QPushButton(QCoreApplication.translate("AlertBadge", "● REC"))
    badge.setProperty("kind", "quiet")
    badge.setProperty("role", "danger")
    badge.setAutoDefault(False)
    badge.setAccessibleName(
        QCoreApplication.translate("AlertBadge", "The monitor is being recorded: show it")
    )
    badge.hide()
    return badge


class AlertList(QWidget):
    """All alerts, each with what can be done.

    Signals:
        cause_wanted: the `Cause` to be shown.
        mute_wanted: a `Cause`, and for how many seconds.
        unmute_wanted: hear all again.
    """

    cause_wanted = Signal(object)
    mute_wanted = Signal(object, float)
    unmute_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._rows: list[_AlertRow] = []
        self._muted = QPushButton()
        self._muted.setProperty("kind", "quiet")
        self._muted.setAutoDefault(False)
        self._muted.setToolTip(self.tr("Hear of them again"))
        self._muted.clicked.connect(lambda _checked=False: self.unmute_wanted.emit())
        self._muted.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space.xs)
        self._column.addWidget(self._muted, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()

    def show_alerts(self, alerts: tuple[Alert, ...], muted: int) -> None:
        """Show these, and how many causes are not heard for a while."""
        while len(self._rows) > len(alerts):
            gone = self._rows.pop()
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self._rows) < len(alerts):
            fresh = _AlertRow()
            fresh.cause_wanted.connect(self.cause_wanted)
            fresh.mute_wanted.connect(self.mute_wanted)
            self._column.insertWidget(len(self._rows), fresh)
            self._rows.append(fresh)
        for row, alert in zip(self._rows, alerts, strict=True):
            row.show_alert(alert)
        if muted:
            self._muted.setText(self.tr("%n muted", "", muted))
            self._muted.setAccessibleName(
                self.tr("%n alert(s) muted; hear of them again", "", muted)
            )
        self._muted.setVisible(bool(muted))
        self.setVisible(bool(alerts) or bool(muted))

    def texts(self) -> list[str]:
        """What each says."""
        return [row.accessibleName() for row in self._rows]


class _AlertRow(QFrame):
    """One alert: what is the matter, what to do, where, and quiet."""

    cause_wanted = Signal(object)
    mute_wanted = Signal(object, float)

    def __init__(self) -> None:
        super().__init__()
        space = theme.current().space
        self.setProperty("role", "raised")
        self._cause: Cause | None = None
        mark = QLabel()
        mark.setPixmap(icon("warning", "warning").pixmap(QSize(ICON_SIZE, ICON_SIZE)))
        self._mark = mark
        self._text = _words()
        self._advice = _words()
        self._advice.setProperty("role", "muted")
        self.show_button = QPushButton(self.tr("Show it"))
        self.show_button.setProperty("kind", "quiet")
        self.show_button.clicked.connect(lambda _checked=False: self._show())
        self.mute_button = QPushButton(self.tr("Mute"))
        self.mute_button.setProperty("kind", "quiet")
        menu = QMenu(self.mute_button)
        for minutes in MUTE_MINUTES:
            menu.addAction(self.tr("For %n minute(s)", "", minutes)).triggered.connect(
                self._muter(60.0 * minutes)
            )
        menu.addAction(self.tr("Until Inglenook ends")).triggered.connect(self._muter(UNTIL_END))
        self.mute_button.setMenu(menu)
        buttons = QWidget()
        flow = FlowLayout(buttons, space.s)
        flow.addWidget(self.show_button)
        flow.addWidget(self.mute_button)
        inside = QVBoxLayout()
        inside.setSpacing(space.xs)
        inside.addWidget(self._text)
        inside.addWidget(self._advice)
        inside.addWidget(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(space.s, space.s, space.s, space.xs)
        row.setSpacing(space.s)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(inside, 1)
        theme.notifier().changed.connect(self._on_theme)

    def show_alert(self, alert: Alert) -> None:
        """Show it, or its newest value."""
        text = alert_text(alert)
        if self._cause != alert.cause:
            self._cause = alert.cause
            self._advice.setText(advice_text(alert.kind))
        if text != self._text.text():
            self._text.setText(text)
            self.setAccessibleName(f"{text} {self._advice.text()}")
            self.show_button.setAccessibleName(self.tr("Show it: {alert}").format(alert=text))
            self.mute_button.setAccessibleName(self.tr("Mute: {alert}").format(alert=text))

    def _show(self) -> None:
        if self._cause is not None:
            self.cause_wanted.emit(self._cause)

    def _muter(self, seconds: float) -> Callable[[], None]:
        return partial(self._mute, seconds)

    def _mute(self, seconds: float) -> None:
        if self._cause is not None:
            self.mute_wanted.emit(self._cause, seconds)

    def _on_theme(self) -> None:
        self._mark.setPixmap(icon("warning", "warning").pixmap(QSize(ICON_SIZE, ICON_SIZE)))


def _words() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setMinimumWidth(1)
    return label
