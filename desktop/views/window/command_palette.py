"""The command palette: every command and every chat by a few letters, without the mouse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
)
from PySide6.QtWidgets import (
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.action_set import Actions, menu_title
from desktop.actions import ACTIONS
from desktop.chats.chat import ChatSummary
from desktop.models.lists.palette_model import Entry, EntryKind, PaletteModel, PaletteRole
from desktop.models.session.title_text import shown_title
from desktop.views.choice_frame import ChoiceFrame
from desktop.views.found_text import draw_found
from desktop.views.icons import icon

WIDTH = 640
TOP = 56
ROWS = 10
ICON_SIZE = 16
_Index = QModelIndex | QPersistentModelIndex
_MOVES = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: ROWS - 1,
    Qt.Key.Key_PageUp: 1 - ROWS,
}


class CommandPalette(ChoiceFrame):
    """See the module. It lies over the window and goes away with the focus.

    Signals:
        chat_chosen: id of a chat to show.
    """

    chat_chosen = Signal(str)

    def __init__(self, window: QWidget) -> None:
        self.model = PaletteModel()
        super().__init__(window, self.model)
        self.model.setParent(self)
        space = theme.current().space
        self._actions: Actions | None = None
        self.setAccessibleName(self.tr("Commands"))
        self.field.setPlaceholderText(self.tr("Type a command or the title of a chat"))
        self.field.setAccessibleName(self.tr("Command or chat"))
        self.view.setItemDelegate(_EntryDelegate(self.view))
        self.view.setAccessibleName(self.tr("What fits"))
        self.view.clicked.connect(lambda index: self._choose(index.row()))
        self.nothing = QLabel(self.tr("Nothing fits."))
        self.nothing.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.s, space.s, space.s, space.s)
        layout.setSpacing(space.s)
        layout.addWidget(self.field)
        layout.addWidget(self.view)
        layout.addWidget(self.nothing)

    def open_with(self, actions: Actions, chats: Sequence[ChatSummary]) -> None:
        """Show it over the window; while it is open this closes it."""
        if self.isVisible():
            self.close_up()
            return
        self._actions = actions
        self._back = self._window.focusWidget()
        self.model.set_entries([*_commands(actions), *_chats(chats)])
        self.field.clear()
        self._on_text("")
        self._place()
        self._rise()

    # --- Qt ------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field's keys, its loss of the focus, and the window's size."""
        if watched is self._window:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._place()
            return False
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:  # no Stop while this is open
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(event)
        elif event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            lasting = (
                Qt.FocusReason.PopupFocusReason,
                Qt.FocusReason.ActiveWindowFocusReason,
                Qt.FocusReason.MenuBarFocusReason,
            )
            if event.reason() not in lasting:
                self._back = None  # it went where the user wanted it
                self.hide()
        return super().eventFilter(watched, event)

    # --- inside ----------------------------------------------------------------------

    def _on_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_up()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.view.currentIndex().row())
        elif key in _MOVES:
            self._step(_MOVES[key])
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._step(1 if key == Qt.Key.Key_Tab else -1)
        else:
            return False
        return True

    def _go_to(self, number: int) -> None:
        index = self.model.index(number)
        self.view.setCurrentIndex(index)
        self._say(index.data(Qt.ItemDataRole.AccessibleTextRole) or self.nothing.text())

    def _on_text(self, text: str) -> None:
        self.model.set_query(text)
        none = self.model.rowCount() == 0
        self.nothing.setVisible(none)
        self.view.setHidden(none)
        self._go_to(0)
        self._place()

    def _choose(self, row: int) -> None:
        entry = self.model.entry(row)
        if entry is None:
            return
        self.model.note_use(entry)
        self.close_up()  # first: the command may put the focus elsewhere
        if entry.kind is EntryKind.CHAT:
            self.chat_chosen.emit(entry.id)
        elif self._actions is not None:
            self._actions[entry.id].trigger()

    def _place(self) -> None:
        space = theme.current().space
        width = min(WIDTH, self._window.width() - 2 * space.xl)
        row = max(1, self.view.sizeHintForRow(0))
        shown = min(ROWS, self.model.rowCount())
        room = self._window.height() - TOP - self.field.sizeHint().height() - 2 * space.xl
        self.view.setFixedHeight(min(shown * row + 2, max(row, room)))
        self.setGeometry((self._window.width() - width) // 2, TOP, width, 0)
        self.resize(width, self.sizeHint().height())


def _commands(actions: Actions) -> list[Entry]:
    found = []
    for spec in ACTIONS:
        action = actions[spec.name]
        if action.isEnabled() and spec.name != "palette":
            found.append(
                Entry(
                    EntryKind.ACTION,
                    spec.name,
                    _plain(action.text()),
                    _plain(menu_title(spec.menu)),
                    action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
                    checked=action.isCheckable() and action.isChecked(),
                )
            )
    return found


def _chats(chats: Sequence[ChatSummary]) -> list[Entry]:
    return [Entry(EntryKind.CHAT, chat.id, shown_title(chat.title), chat.folder) for chat in chats]


def _plain(text: str) -> str:
    """A menu's text without its access key."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


class _EntryDelegate(QStyledItemDelegate):
    """Icon, text with the letters found in bold, and at the right the place and the keys."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One height for all."""
        del index
        return QSize(0, option.fontMetrics.height() + 2 * theme.current().space.s)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        entry = index.data(PaletteRole.ENTRY)
        if not isinstance(entry, Entry):
            return
        look = theme.current()
        space = look.space
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        if selected or hovered:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(look.colour("accent_soft" if selected else "hover"))
            painter.setPen(look.colour("accent") if selected else look.colour("mark"))
            ground = option.rect.toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(ground, look.radius_small, look.radius_small)
        area = option.rect.adjusted(space.s, 0, -space.s, 0)
        top = area.top() + (area.height() - ICON_SIZE) // 2
        name = _ICONS.get(entry.id, "chat" if entry.kind is EntryKind.CHAT else "")
        if entry.checked:
            name = "check"
        if name:
            icon(name, "muted").paint(painter, QRect(area.left(), top, ICON_SIZE, ICON_SIZE))
        area.setLeft(area.left() + ICON_SIZE + space.s)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(look.text_font(look.small))
        painter.setPen(look.colour("muted"))
        for words in (entry.keys, entry.detail):
            if words:
                wide = painter.fontMetrics().horizontalAdvance(words)
                if wide < area.width() // 3:
                    painter.drawText(area, Qt.AlignmentFlag.AlignRight | middle, words)
                    area.setRight(area.right() - wide - space.m)
        draw_found(painter, area, entry.text, set(index.data(PaletteRole.PLACES) or ()))
        painter.restore()


_ICONS = {spec.name: spec.icon for spec in ACTIONS if spec.icon}
