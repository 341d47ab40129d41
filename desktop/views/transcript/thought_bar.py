"""The quiet line above an answer that says that it thought, and unfolds what."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from desktop import theme
from desktop.views.transcript.buttons import show, small_button
from desktop.views.transcript.message_item import MessageItem
from desktop.views.transcript.thinking import Thought

COPIED_MS: Final = 2_000
_SECOND_MS: Final = 1_000


class ThoughtButton(QToolButton):
    """Folds and unfolds; a screen reader is told which."""

    unfolded = False


class ThoughtBar(QWidget):
    """Says how long an answer thinks or thought.

    Signals:
        toggled: fold or unfold it.
        copy_requested: copy what was thought.
    """

    toggled = Signal()
    copy_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._item: MessageItem | None = None
        self.button = ThoughtButton(self)
        plain = small_button(self, "copy", self.tr("Copy what it thought"))
        self.copy = plain
        self.button.setProperty("role", "muted")
        self.button.setIconSize(plain.iconSize())
        self.button.setFocusPolicy(plain.focusPolicy())
        self.button.setCursor(plain.cursor())
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.toggled)
        self.copy.clicked.connect(self._copy_clicked)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(self._show_copy)
        # Counts on while it thinks and someone sees it.
        self._tick = QTimer(self)
        self._tick.setInterval(_SECOND_MS)
        self._tick.timeout.connect(self._say)

    @property
    def text(self) -> str:
        """What it says."""
        return self.button.text()

    @property
    def is_ticking(self) -> bool:
        """Whether it counts the seconds."""
        return self._tick.isActive()

    def show_item(self, item: MessageItem) -> None:
        """Show the reasoning of `item`."""
        if self._item is not item:
            self._copied.stop()
            self._show_copy()
        self._item = item
        tokens = theme.current()
        self.button.setFont(tokens.figure_font())
        self.button.unfolded = item.unfolded
        show(
            self.button,
            "unfolded" if item.unfolded else "right",
            self.tr("Hide what it thought") if item.unfolded else self.tr("Show what it thought"),
        )
        self.copy.setVisible(item.unfolded)
        self._say()

    def height_needed(self) -> int:
        """Its height in pixels."""
        self.button.ensurePolished()
        return self.button.sizeHint().height()

    def focus_stops(self) -> list[QWidget]:
        """Its buttons."""
        return [self.button, self.copy] if not self.copy.isHidden() else [self.button]

    def reset(self) -> None:
        """It serves another message next."""
        self._item = None
        self._tick.stop()

    # --- within ---

    def _say(self) -> None:
        item = self._item
        if item is None:
            return
        text = self._describe(item)
        self.button.setText(text)
        self.button.setAccessibleName(text)
        goes_on = item.thinking.state is Thought.GOES_ON
        if goes_on and self.isVisible():
            if not self._tick.isActive():
                self._tick.start()
        else:
            self._tick.stop()
        self._place()

    def _describe(self, item: MessageItem) -> str:
        seconds = item.thinking.seconds
        state = item.thinking.state
        if seconds is None:
            if state is Thought.GOES_ON:
                return self.tr("Thinking…")
            if state is Thought.BROKE_OFF:
                return self.tr("Broke off while it was thinking")
            return self.tr("Thought")
        time = self._duration(seconds)
        if state is Thought.GOES_ON:
            return self.tr("Thinking… {time}").format(time=time)
        if state is Thought.BROKE_OFF:
            return self.tr("Broke off after thinking for {time}").format(time=time)
        return self.tr("Thought for {time}").format(time=time)

    def _duration(self, seconds: float) -> str:
        locale = QLocale()
        whole = int(seconds)
        if seconds < 1:
            return self.tr("{seconds} s").format(seconds=locale.toString(max(0.1, seconds), "f", 1))
        if whole < 60:
            return self.tr("{seconds} s").format(seconds=locale.toString(whole))
        minutes, rest = divmod(whole, 60)
        return self.tr("{minutes} min {seconds} s").format(
            minutes=locale.toString(minutes), seconds=locale.toString(rest)
        )

    def _copy_clicked(self) -> None:
        self.copy_requested.emit()
        show(self.copy, "check", self.tr("Copied"), colour="ok")
        self._copied.start()

    def _show_copy(self) -> None:
        show(self.copy, "copy", self.tr("Copy what it thought"))

    def _place(self) -> None:
        size = self.button.sizeHint()
        width = min(size.width(), max(0, self.width() - size.height()))
        self.button.setGeometry(0, 0, width, size.height())
        small = self.copy.sizeHint()
        self.copy.setGeometry(
            self.width() - small.width(), 0, small.width(), min(small.height(), size.height())
        )

    # --- Qt ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self._place()

    def showEvent(self, event: QShowEvent) -> None:
        """Someone sees it: count on."""
        super().showEvent(event)
        self._say()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody sees it: rest."""
        super().hideEvent(event)
        self._tick.stop()
