"""Several answers to one question, side by side, to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import Message
from desktop.views.elided_label import ElidedLabel
from desktop.views.transcript.message_frame import BLEED
from desktop.views.transcript.transcript_view import TranscriptView

_OFFERED: Final = frozenset({"copy", "details", "stop"})  # the rest is for the one that is taken
_LEAST: Final = 300  # pixels a column needs for reading; below that they stand in two rows
_LEAST_HIGH: Final = 220  # pixels for one of two rows; below that, one is shown at a time


def _alone(message: Message) -> Message:
    """A candidate as it is shown: its siblings stand beside it."""
    return replace(message, siblings=())


class _Candidate(QWidget):
    """One of the answers: its number, its text, the button that takes it."""

    picked = Signal(str)

    def __init__(
        self, number: int, message: Message, parent: QWidget, *, names_model: bool
    ) -> None:
        super().__init__(parent)
        self.message_id = message.id
        self._number = number
        self._names_model = names_model
        space = theme.current().space
        self.title = ElidedLabel(self.words(message))
        self.title.setProperty("role", "muted")
        self.use = QPushButton(self.tr("Use this answer"))
        self.use.setToolTip(
            self.tr("Go on with answer {number} ({number}, then Enter)").format(number=number)
        )
        self.use.setAccessibleName(self.tr("Use answer {number}").format(number=number))
        self.use.clicked.connect(lambda: self.picked.emit(self.message_id))
        self.view = TranscriptView()
        self.view.offer_only(_OFFERED)
        self.view.set_messages([_alone(message)])
        head = QHBoxLayout()
        inset = space.m + BLEED  # as the text below it
        head.setContentsMargins(inset, space.s, inset, 0)
        head.setSpacing(space.m)
        head.addWidget(self.title, 1)
        head.addStretch(0)  # for when the title is hidden
        head.addWidget(self.use)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.view, 1)

    def words(self, message: Message) -> str:
        """What it is called: by its number, and its model where several models answer."""
        if not self._names_model or not message.model:
            return self.tr("Answer {number}").format(number=self._number)
        return self.tr("Answer {number} · {model}").format(number=self._number, model=message.model)

    def set_current(self, is_current: bool) -> None:
        """Stand out as the one that Enter takes, or not."""
        self.use.setProperty("kind", "primary" if is_current else "")
        style = self.use.style()
        style.unpolish(self.use)
        style.polish(self.use)


class CandidatesView(QWidget):
    """Shows two to four answers beside each other, in two rows or one at a time where room lacks.

    The keys 1 to 4 and the arrows choose one, Enter takes it.

    Signals:
        picked: the id of the answer to go on with.
        stop_requested: the id of the answer to stop.
        link_activated: an address that was followed; ask before opening it.
        zoom_requested: larger (1) or smaller (-1) text.
        quote_requested: text to answer to.
    """

    quote_requested = Signal(str)
    picked = Signal(str)
    stop_requested = Signal(str)
    link_activated = Signal(str)
    zoom_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("role", "page")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Answers to choose from"))
        self._columns: list[_Candidate] = []
        self._current = 0
        self._is_narrow = False
        self._tabs = QTabBar()
        self._tabs.setAccessibleName(self.tr("Answers to choose from"))
        self._tabs.setExpanding(False)
        self._tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self._tabs.setUsesScrollButtons(False)  # all are seen; long names give way
        self._tabs.setDrawBase(False)
        self._tabs.currentChanged.connect(self.set_current)
        self._tabs.hide()
        self._across = 0  # answers beside each other in a row
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._tabs)
        layout.addLayout(self._grid, 1)

    # --- the answers ---

    def set_candidates(self, messages: Sequence[Message]) -> None:
        """Show these, the first one chosen; none at all empties the view.

        Where they are those already shown, only their state is taken.
        """
        if [message.id for message in messages] == [c.message_id for c in self._columns]:
            for message in messages:
                self.update_message(message)
            return
        for column in self._columns:
            self._grid.removeWidget(column)
            column.hide()
            column.deleteLater()
        self._columns = []
        self._tabs.blockSignals(True)
        while self._tabs.count():
            self._tabs.removeTab(0)
        names_model = len({message.model for message in messages}) > 1
        for number, message in enumerate(messages, 1):
            column = _Candidate(number, message, self, names_model=names_model)
            column.picked.connect(self.picked)
            column.view.stop_requested.connect(self.stop_requested)
            column.view.link_activated.connect(self.link_activated)
            column.view.zoom_requested.connect(self.zoom_requested)
            column.view.quote_requested.connect(self.quote_requested)
            column.use.installEventFilter(self)
            self._columns.append(column)
            self._tabs.addTab(column.words(message).replace("&", "&&"))
        self._tabs.blockSignals(False)
        self._current = 0
        self._across = 0
        self._arrange()

    def update_message(self, message: Message) -> None:
        """Show an answer's new state.

        Raises:
            KeyError: it is none of those shown.
        """
        column = self._column(message.id)
        column.view.update_message(_alone(message))
        words = column.words(message)  # another model than the one asked may have given it
        if words != column.title.text():
            column.title.setText(words)
            self._tabs.setTabText(self._columns.index(column), words.replace("&", "&&"))

    def append_text(self, message_id: str, text: str) -> None:
        """Add streamed text to an answer.

        Raises:
            KeyError: it is none of those shown.
        """
        self._column(message_id).view.append_text(message_id, text)

    def append_reasoning(self, message_id: str, text: str) -> None:
        """Add streamed text to what an answer thought.

        Raises:
            KeyError: it is none of those shown.
        """
        self._column(message_id).view.append_reasoning(message_id, text)

    def _column(self, message_id: str) -> _Candidate:
        for column in self._columns:
            if column.message_id == message_id:
                return column
        raise KeyError(message_id)

    @property
    def views(self) -> list[TranscriptView]:
        """The pages of the answers, from left to right."""
        return [column.view for column in self._columns]

    # --- choosing ---

    @property
    def current(self) -> int:
        """The index of the answer that Enter takes."""
        return self._current

    def set_current(self, index: int) -> None:
        """Choose one, without taking it yet."""
        if not 0 <= index < len(self._columns):
            return
        self._current = index
        self._arrange()
        self._columns[index].use.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def pick_current(self) -> None:
        """Go on with the answer that is chosen."""
        if self._columns:
            self.picked.emit(self._columns[self._current].message_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose by number or arrow, take with Enter."""
        key = event.key()
        number = key - Qt.Key.Key_1
        if 0 <= number < len(self._columns) and not event.modifiers() & _CHORDS:
            self.set_current(number)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._columns:
            step = 1 if key == Qt.Key.Key_Right else -1
            self.set_current((self._current + step) % len(self._columns))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.pick_current()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A push button would take the arrows for steps to other buttons."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
                self.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(
                watched, QPushButton
            ):
                watched.click()
                return True
        return super().eventFilter(watched, event)

    # --- geometry ---

    @property
    def is_narrow(self) -> bool:
        """Whether one answer is shown at a time."""
        return self._is_narrow

    def _fitting(self) -> int:
        """How many stand in a row: all, or in two rows, or one at a time."""
        count = len(self._columns)
        half = (count + 1) // 2
        if count <= 1 or self.width() // count >= _LEAST:
            return count
        if count > 2 and self.width() // half >= _LEAST and self.height() // 2 >= _LEAST_HIGH:
            return half
        return 1

    def _place(self) -> None:
        across = self._fitting()
        if across == self._across:
            return
        self._across = across
        for line in range(max(2, len(self._columns))):
            self._grid.setColumnStretch(line, 1 if line < across else 0)
            self._grid.setRowStretch(line, 0)
        for index, column in enumerate(self._columns):
            # Where one is shown at a time they lie in the same place.
            row, place = divmod(index, across) if across > 1 else (0, 0)
            self._grid.addWidget(column, row, place)
            self._grid.setRowStretch(row, 1)

    def _arrange(self) -> None:
        count = len(self._columns)
        self._place()
        self._is_narrow = count > 1 and self._across == 1
        self._tabs.setVisible(self._is_narrow)
        if count:
            self._tabs.blockSignals(True)
            self._tabs.setCurrentIndex(self._current)
            self._tabs.blockSignals(False)
        for index, column in enumerate(self._columns):
            column.setVisible(not self._is_narrow or index == self._current)
            column.set_current(index == self._current)
            column.title.setVisible(not self._is_narrow)  # there it is on the tab
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A hairline between the answers."""
        super().paintEvent(event)
        if self._is_narrow or not self._columns:
            return
        line = QColor(theme.current().line)
        first = self._columns[0].geometry()
        with QPainter(self) as painter:
            for column in self._columns:
                if column.x() > first.x():
                    painter.fillRect(column.x() - 1, column.y(), 1, column.height(), line)
                if column.y() > first.y():
                    painter.fillRect(first.x(), column.y() - 1, self.width(), 1, line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side as long as there is room for it."""
        super().resizeEvent(event)
        if self._columns and self._fitting() != self._across:
            self._arrange()


_CHORDS: Final = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
