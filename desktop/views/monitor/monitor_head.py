"""The head of the monitor: its name, which engine, and what can be done with the whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.loading.size_text import size_text
from desktop.models.number_text import whole
from desktop.views.icons import icon

ICON_SIZE: Final = 16


def tool_button(name: str, text: str, *, checkable: bool = False) -> QToolButton:
    """A button of the head: an icon that says in words what it does."""
    button = QToolButton()
    button.setIcon(icon(name, "muted"))
    button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
    button.setCheckable(checkable)
    name_button(button, text)
    return button


def name_button(button: QToolButton, text: str) -> None:
    """What it does, for the eye and for screen readers."""
    if button.accessibleName() != text:
        button.setToolTip(text)
        button.setAccessibleName(text)


class MonitorHead(QWidget):
    """See the module.

    Signals:
        pause_toggled: whether the view is to stand still.
        record_toggled: whether a recording is wanted.
        open_requested: a recording is to be opened.
        picture_requested, histories_requested, chats_requested: an export is wanted.
        settings_requested: the settings of the alerts.
        window_toggled: in a window of its own, or back.
        close_requested: put it away.
        engine_chosen: the key of the engine to show.
    """

    pause_toggled = Signal(bool)
    record_toggled = Signal(bool)
    open_requested = Signal()
    picture_requested = Signal()
    histories_requested = Signal()
    chats_requested = Signal()
    settings_requested = Signal()
    window_toggled = Signal()
    close_requested = Signal()
    engine_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._is_recording = False
        self._title = QLabel(self.tr("Monitor"))
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._recording = QLabel()
        self._recording.setProperty("role", "danger")
        self._frozen = QLabel(self.tr("Frozen"))
        self._frozen.setProperty("role", "warning")
        self._frozen.setToolTip(self.tr("The view is frozen; readings go on"))
        for label in (self._recording, self._frozen):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.hide()
        self.pause = tool_button("pause", self.tr("Freeze the view"), checkable=True)
        self.pause.toggled.connect(self._on_pause)
        self.record = tool_button("record", self.tr("Record to a file…"))
        self.record.clicked.connect(
            lambda _checked=False: self.record_toggled.emit(not self._is_recording)
        )
        self.open = tool_button("folder", self.tr("Open a recording…"))
        self.open.clicked.connect(lambda _checked=False: self.open_requested.emit())
        self.export = tool_button("download", self.tr("Export"))
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setMenu(self._export_menu())
        self.alerts = tool_button("bell", self.tr("Alerts: what is watched…"))
        self.alerts.clicked.connect(lambda _checked=False: self.settings_requested.emit())
        self.window_button = tool_button("detach", "")
        self.window_button.clicked.connect(lambda _checked=False: self.window_toggled.emit())
        self.close_button = tool_button("close", self.tr("Close the monitor"))
        self.close_button.clicked.connect(lambda _checked=False: self.close_requested.emit())
        self.engines = QComboBox()
        self.engines.setAccessibleName(self.tr("Engine that is shown"))
        self.engines.setMinimumContentsLength(8)
        self.engines.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.engines.activated.connect(
            lambda _index: self.engine_chosen.emit(int(self.engines.currentData()))
        )
        self.engines.hide()
        self._listed: tuple[tuple[int, str], ...] = ()
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._title, 1)
        row.addWidget(self._frozen)
        row.addSpacing(space.xs)
        row.addWidget(self._recording)
        row.addSpacing(space.xs)
        for button in self.buttons():
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(space.m, space.xs, space.xs, space.xs)
        column.setSpacing(space.xs)
        column.addLayout(row)
        chooser = QHBoxLayout()
        chooser.setContentsMargins(0, 0, space.m - space.xs, 0)  # as wide as what is below
        chooser.addWidget(self.engines)
        column.addLayout(chooser)
        self.show_detached(detached=False)
        theme.notifier().changed.connect(self._on_theme)
        self._on_theme()

    def buttons(self) -> tuple[QToolButton, ...]:
        """All of them, from the left."""
        return (
            self.pause,
            self.record,
            self.open,
            self.export,
            self.alerts,
            self.window_button,
            self.close_button,
        )

    def show_detached(self, *, detached: bool) -> None:
        """Whether it stands in a window of its own."""
        self.window_button.setIcon(icon("dock" if detached else "detach", "muted"))
        name_button(
            self.window_button,
            self.tr("Back into the window of the chats")
            if detached
            else self.tr("Give it a window of its own"),
        )

    def show_paused(self, *, paused: bool) -> None:
        """Whether the view stands still."""
        self.pause.setChecked(paused)

    def show_recording(self, seconds: float, size: int, name: str) -> None:
        """A recording is under way."""
        self._is_recording = True
        self.record.setIcon(icon("halt", "danger"))
        name_button(self.record, self.tr("End the recording"))
        length = f"{whole(int(seconds) // 60)}:{int(seconds) % 60:02}"
        self._recording.setText(self.tr("● REC {time}").format(time=length))
        self._recording.setToolTip(
            self.tr("Recording to {name}, {size} so far").format(name=name, size=size_text(size))
        )
        self._recording.setAccessibleName(
            self.tr("Recording to {name} for {time}").format(name=name, time=length)
        )
        self._recording.show()

    def hide_recording(self) -> None:
        """None is under way."""
        if self._is_recording:
            self._is_recording = False
            self.record.setIcon(icon("record", "muted"))
            name_button(self.record, self.tr("Record to a file…"))
        self._recording.hide()

    def show_replaying(self, *, replaying: bool) -> None:
        """What is replayed has a pause of its own."""
        self.pause.setEnabled(not replaying)

    def show_engines(self, engines: Sequence[tuple[int, str]], chosen: int) -> None:
        """Which there are, by key and name; chosen from where there are several."""
        if tuple(engines) != self._listed:
            self._listed = tuple(engines)
            self.engines.clear()
            for key, name in engines:
                self.engines.addItem(name, key)
            self.engines.setVisible(len(engines) > 1)
        index = self.engines.findData(chosen)
        if index >= 0 and index != self.engines.currentIndex():
            self.engines.setCurrentIndex(index)

    def state_text(self) -> str:
        """What stands beside the name: that the view is frozen, a recording."""
        shown = [one.text() for one in (self._frozen, self._recording) if not one.isHidden()]
        return " ".join(shown)

    # --- inside --------------------------------------------------------------------------

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        for text, signal in (
            (self.tr("A picture of the monitor (PNG)…"), self.picture_requested),
            (self.tr("The histories as a table (CSV)…"), self.histories_requested),
            (self.tr("The chats as a table (CSV)…"), self.chats_requested),
        ):
            menu.addAction(text).triggered.connect(signal)
        return menu

    def _on_pause(self, paused: bool) -> None:
        self.pause.setIcon(icon("continue" if paused else "pause", "accent" if paused else "muted"))
        name_button(
            self.pause,
            self.tr("Go on: what came meanwhile is there")
            if paused
            else self.tr("Freeze the view; readings go on"),
        )
        self._frozen.setVisible(paused)
        self.pause_toggled.emit(paused)

    def _on_theme(self) -> None:
        look = theme.current()
        font = look.text_font()
        font.setWeight(font.Weight.DemiBold)
        self._title.setFont(font)
        figures = look.figure_font()
        self._frozen.setFont(figures)
        self._recording.setFont(figures)
        sample = self.tr("● REC {time}").format(time="88:88")
        self._recording.setMinimumWidth(QFontMetrics(figures).horizontalAdvance(sample))
