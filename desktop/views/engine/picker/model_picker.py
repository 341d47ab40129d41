"""The picker itself: a field to type in, the models that fit, and what the chosen one leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.library.picker_choices import Offer
from desktop.models.library.picker_model import (
    PickerModel,
    PickerRow,
    RowKind,
    answers_now,
    spoken_text,
)
from desktop.views.choice_frame import ChoiceFrame
from desktop.views.engine.picker.picker_delegate import PickerDelegate
from desktop.views.engine.picker.picker_foot import PickerFoot

WIDTH: Final = 560
ROWS: Final = 8  # as many at once, where there is room
LEAST_ROWS: Final = 3
_MOVES: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: ROWS - 1,
    Qt.Key.Key_PageUp: 1 - ROWS,
}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ModelPicker(ChoiceFrame):
    """See the module. It lies over the window and goes away with the focus.

    Attributes:
        offer_of: what can be done with a row, and what that leads to.

    Signals:
        chosen, beside_chosen, settings_wanted, unload_wanted: the `PickerRow` meant.
        remedy_chosen: the `PickerRow`, and the `Remedy` for its problem.
        rows_shown: those on show, a tuple of `PickerRow`; whenever they are others.
        closed: it went away.
    """

    chosen = Signal(object)
    beside_chosen = Signal(object)
    settings_wanted = Signal(object)
    unload_wanted = Signal(object)
    remedy_chosen = Signal(object, object)
    rows_shown = Signal(object)
    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        self.model = PickerModel()
        super().__init__(window, self.model)
        self.model.setParent(self)
        space = theme.current().space
        self._anchor: QWidget | None = None
        self.offer_of: Callable[[PickerRow], Offer] = lambda _row: Offer("")
        self.setAccessibleName(self.tr("Model of this chat"))
        self.field.setPlaceholderText(self.tr("Type a part of a model's name"))
        self.field.setAccessibleName(self.tr("Find a model"))
        self.field.setClearButtonEnabled(False)
        self.view.setItemDelegate(PickerDelegate(self.view))
        self.view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.view.setAccessibleName(self.tr("Models"))
        self.view.clicked.connect(lambda index: self._on_click(index.row()))
        self.view.doubleClicked.connect(lambda _index: self._choose())
        self.view.verticalScrollBar().valueChanged.connect(lambda _value: self._tell_shown())
        self.note = QLabel()
        self.note.setProperty("role", "muted")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.note.setContentsMargins(space.s, 0, space.s, 0)
        self.foot = PickerFoot()
        self.foot.load.connect(self._choose)
        self.foot.beside.connect(lambda: self._finish(self.beside_chosen))
        self.foot.settings.connect(lambda: self._finish(self.settings_wanted))
        self.foot.unload.connect(self._unload)
        self.foot.remedy.connect(self._on_remedy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.s, space.s, space.s, space.s)
        layout.setSpacing(space.s)
        layout.addWidget(self.field)
        layout.addWidget(self.note)
        layout.addWidget(self.view)
        layout.addWidget(self.foot)
        self.model.modelReset.connect(self._tell_shown)

    # --- what the desk says --------------------------------------------------------------

    def open_at(self, anchor: QWidget, rows: Sequence[PickerRow], note: str = "") -> None:
        """Show these at a widget of the window; while it is open this closes it."""
        if self.isVisible():
            self.close_up()
            return
        self._anchor = anchor
        self._back = self._window.focusWidget()
        self._set_note(note)
        self.field.clear()
        self.model.set_rows([])
        self.model.set_rows(rows)
        self._show_start()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)
        self._place()
        self._rise()
        self._tell_shown()

    def update_rows(self, rows: Sequence[PickerRow], note: str = "") -> None:
        """Something has changed meanwhile; the row one is at stays the same."""
        current = self.current_row()
        had_reset = self.model.rowCount()
        self._set_note(note)
        self.model.set_rows(rows)
        if current is not None and self.model.number_of(current.key) >= 0:
            self._go_to(self.model.number_of(current.key))
        else:
            self._show_start()
        if had_reset != self.model.rowCount():
            self._place()

    def refresh(self) -> None:
        """More is known of the row one is at."""
        row = self.current_row()
        self.foot.show_offer(self.offer_of(row) if row is not None else Offer(""))

    def current_row(self) -> PickerRow | None:
        """The row one is at."""
        return self.model.row(self.view.currentIndex().row())

    def shown_rows(self) -> tuple[PickerRow, ...]:
        """Those that can be seen, from the top."""
        area = self.view.viewport().rect()
        first = self.view.indexAt(area.topLeft()).row()
        height = max(1, self.view.sizeHintForRow(0))
        count = area.height() // height + 2
        start = max(0, first)
        rows = (self.model.row(number) for number in range(start, start + count))
        return tuple(row for row in rows if row is not None)

    # --- Qt ------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field's keys; the window's size, and what is pressed beside the picker."""
        if watched is self._window:
            if self.isVisible():
                if event.type() == QEvent.Type.Resize:
                    self._place()
                elif event.type() == QEvent.Type.MouseButtonPress:
                    self.close_up()
            return False
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(event)
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Escape closes the picker: it stops no answer meanwhile."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Of the buttons."""
        focus = self._window.focusWidget()
        if event.key() == Qt.Key.Key_Escape:
            self.close_up()
        elif event.key() in _ENTER and isinstance(focus, QPushButton):
            focus.click()
        elif Qt.Key(event.key()) in _MOVES:
            self._step(_MOVES[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes round within: the field, then the buttons."""
        stops: list[QWidget] = [self.field, *self.foot.buttons()]
        focus = self._window.focusWidget()
        here = stops.index(focus) if focus in stops else 0
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[(here + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return True

    def hideEvent(self, event: QHideEvent) -> None:
        """It went away, whoever did it."""
        application = QApplication.instance()
        if isinstance(application, QApplication) and self._anchor is not None:
            self._anchor = None
            application.focusChanged.disconnect(self._on_focus_changed)
            self.closed.emit()
        super().hideEvent(event)

    # --- inside --------------------------------------------------------------------------

    def _on_key(self, event: QKeyEvent) -> bool:
        key, with_keys = Qt.Key(event.key()), event.modifiers()
        if key == Qt.Key.Key_Escape:
            self.close_up()
        elif key in _ENTER:
            offer = self._offer()
            if with_keys & Qt.KeyboardModifier.ShiftModifier:
                if offer.beside:
                    self._finish(self.beside_chosen)
            elif with_keys & Qt.KeyboardModifier.ControlModifier:
                if offer.settings:
                    self._finish(self.settings_wanted)
            else:
                self._choose()
        elif key in _MOVES:
            self._step(_MOVES[key])
        else:
            return False
        return True

    def _on_click(self, number: int) -> None:
        """At once where nothing is given up for it; else what it leads to is shown first."""
        self._go_to(number)
        row = self.model.row(number)
        if row is not None and (row.kind is not RowKind.MODEL or answers_now(row)):
            self._choose()

    def _offer(self) -> Offer:
        row = self.current_row()
        return self.offer_of(row) if row is not None else Offer("")

    def _show_start(self) -> None:
        """The row that one wants most often: the one that answers here, else the first."""
        rows = (self.model.row(number) for number in range(self.model.rowCount()))
        current = next((n for n, row in enumerate(rows) if row is not None and row.is_current), 0)
        self._go_to(current)

    def _go_to(self, number: int) -> None:
        index = self.model.index(number)
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        row = self.model.row(number)
        offer = self.offer_of(row) if row is not None else Offer("")
        self.foot.show_offer(offer)
        words = spoken_text(row) if row is not None else self.note.text()
        if offer.text and row is not None and not row.problem:
            words = f"{words}. {offer.text}"
        self._say(words)

    def _on_text(self, text: str) -> None:
        self.model.set_query(text)
        if text:
            self._go_to(0)
        else:
            self._show_start()
        self._place()

    def _choose(self) -> None:
        """What Enter does: load it, have it answer, its remedy, or the command."""
        row, offer = self.current_row(), self._offer()
        if row is None:
            return
        if offer.load or row.kind is not RowKind.MODEL:
            self._finish(self.chosen)
        elif offer.remedies:
            self._on_remedy(offer.remedies[0])
        elif answers_now(row):
            self.close_up()  # it answers here already

    def _finish(self, signal: SignalInstance) -> None:
        row = self.current_row()
        if row is not None:
            self.close_up()  # first: what follows may put the focus elsewhere
            signal.emit(row)

    def _unload(self) -> None:
        row = self.current_row()
        if row is not None:
            self.field.setFocus(Qt.FocusReason.PopupFocusReason)  # its button goes away
            self.unload_wanted.emit(row)

    def _on_remedy(self, remedy: object) -> None:
        row = self.current_row()
        if row is not None:
            self.close_up()
            self.remedy_chosen.emit(row, remedy)

    def _set_note(self, note: str) -> None:
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _tell_shown(self) -> None:
        if self.isVisible():
            self.rows_shown.emit(self.shown_rows())

    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        """Into another part of the window: there is no use for it any more."""
        if now is None or now is self or self.isAncestorOf(now):
            return
        if now.window() is self._window:
            self._back = None  # it went where the user wanted it
            self.hide()

    def _place(self) -> None:
        """Above the anchor or below it, wherever there is more room."""
        anchor = self._anchor
        if anchor is None:
            return
        space = theme.current().space
        width = min(WIDTH, self._window.width() - 2 * space.s)
        top = anchor.mapTo(self._window, QPoint(0, 0))
        box = QRect(top, anchor.size())
        above = box.top() - 2 * space.s
        below = self._window.height() - box.bottom() - 2 * space.s
        row = max(1, self.view.sizeHintForRow(0))
        shown = min(ROWS, max(LEAST_ROWS, self.model.rowCount()))
        layout = self.layout()
        assert layout is not None
        self.view.setFixedHeight(0)
        rest = max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())
        room = max(above, below) - rest
        self.view.setFixedHeight(max(row, min(shown * row + 2, room)))
        height = rest + self.view.height()
        y = box.top() - space.xs - height if above >= below else box.bottom() + space.xs
        x = min(max(space.s, box.left()), self._window.width() - width - space.s)
        place = QRect(QPoint(x, max(space.s, y)), QSize(width, height))
        self.setGeometry(place)
        self._tell_shown()
