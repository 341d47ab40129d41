"""The sidebar: all chats by date, a filter for their titles, delete with undo."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import ChatSummary
from desktop.models.chat_list_model import ChatListModel, ChatRole
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.models.session_state import SessionState
from desktop.views.icons import icon
from desktop.views.notice_bar import NoticeBar

ROW_HEIGHT = 32
ICON_SIZE = 16
RENAME_WIDTH = 420
MIN_WIDTH = 208
_Index = QModelIndex | QPersistentModelIndex


class ChatDelegate(QStyledItemDelegate):
    """Headings small and quiet, chats with their state in a word at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One height for all rows, so that a long list need not be measured."""
        del index
        height = max(ROW_HEIGHT, option.fontMetrics.height() + theme.current().space.m)
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        # Late: this class alone takes 4 ms to come, and the first paint shows no row.
        from PySide6.QtWidgets import QStyle

        look = theme.current()
        space = look.space
        if index.data(ChatRole.IS_HEADING):
            painter.save()
            painter.setFont(look.text_font(look.small, QFont.Weight.Medium))
            painter.setPen(look.colour("muted"))
            area = option.rect.adjusted(space.s, 0, -space.s, -space.xs)
            text = index.data(Qt.ItemDataRole.DisplayRole)
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)
            painter.restore()
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if selected or hovered or focused:
            painter.setBrush(look.colour("accent_soft" if selected else "hover"))
            painter.setPen(look.colour("accent") if focused else Qt.PenStyle.NoPen)
            ground = option.rect.toRectF().adjusted(0.5, 1.5, -0.5, -1.5)
            painter.drawRoundedRect(ground, look.radius_small, look.radius_small)
        area = option.rect.adjusted(space.s, 0, -space.s, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        word = index.data(ChatRole.STATE_TEXT)
        if word:
            state = index.data(ChatRole.STATE)
            troubled = state in (SessionState.FAILED, SessionState.INTERRUPTED)
            painter.setFont(look.text_font(look.small))
            painter.setPen(look.colour("warning" if troubled else "accent"))
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | middle, word)
            area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(word) - space.s)
        painter.setFont(look.text_font())
        painter.setPen(look.colour("text"))
        title = painter.fontMetrics().elidedText(
            index.data(Qt.ItemDataRole.DisplayRole), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | middle, title)
        painter.restore()


class FilterField(QLineEdit):
    """Esc empties it; Down goes to the list.

    Signals:
        left: the user wants to go on in the list.
    """

    left = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep Esc for the field while it holds text: it is no Stop then."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc and Down."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class ChatList(QFrame):
    """See the module.

    Signals:
        new_requested: make a new chat.
        chosen: id of a chat to show.
        rename_requested: id and the new title.
        delete_requested: id.
        undo_requested: id of the chat deleted last.
    """

    new_requested = Signal()
    chosen = Signal(str)
    rename_requested = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "sidebar")
        self._current = ""
        self._deleted = ""
        self.model = ChatListModel(self)

        name = QLabel(self.tr("Inglenook"))
        name.setProperty("role", "title")
        self.new_button = QPushButton(self.tr("New chat"))
        self.new_button.setIcon(icon("plus"))
        self.new_button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.new_button.setAccessibleName(self.tr("New chat"))
        self.new_button.clicked.connect(lambda _checked=False: self.new_requested.emit())
        head = QHBoxLayout()
        head.addWidget(name, 1)
        head.addWidget(self.new_button)

        self.filter = FilterField()
        self.filter.setPlaceholderText(self.tr("Find by title"))
        self.filter.setAccessibleName(self.tr("Find a chat by its title"))
        self.filter.textChanged.connect(self._on_filter_changed)

        self.view = QListView()
        self.view.setModel(self.model)
        self.view.setItemDelegate(ChatDelegate(self.view))
        self.view.setUniformItemSizes(True)
        self.view.setStyleSheet("QListView { border: none; }")  # rows show the focus
        self.view.setMouseTracking(True)
        self.view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setAccessibleName(self.tr("Chats"))
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.clicked.connect(self._choose)
        self.view.activated.connect(self._choose)
        self.view.installEventFilter(self)
        self.filter.left.connect(self._enter_list)
        self.filter.returnPressed.connect(self._open_first)

        self.empty = QLabel()
        self.empty.setProperty("role", "muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.undo_bar = NoticeBar()
        self.undo_bar.dismissed.connect(self._forget_deleted)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.m, space.m, space.m, space.m)
        layout.setSpacing(space.s)
        layout.addLayout(head)
        layout.addWidget(self.filter)
        layout.addWidget(self.empty)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.undo_bar)
        self.model.modelReset.connect(self._on_reset)
        self._on_reset()
        theme.notifier().changed.connect(self._on_theme_changed)

    # --- what the window says ------------------------------------------------------

    def set_chats(self, chats: list[ChatSummary]) -> None:
        """Show these chats."""
        self.model.set_chats(chats)

    def set_current(self, chat_id: str) -> None:
        """Mark the chat of the tab in front."""
        self._current = chat_id
        self._select_current()

    def show_deleted(self, chat_id: str, title: str) -> None:
        """Offer to take a deleted chat back."""
        self._deleted = chat_id
        self.undo_bar.show_notice(Notice(NoticeLevel.HINT, self.tr("Chat deleted")))
        whole = self.tr("“{title}” was deleted.").format(title=title)
        self.undo_bar.setToolTip(whole)
        self.undo_bar.setAccessibleName(whole)
        self.undo_bar.add_button(self.tr("Undo"), self.undo)

    def undo(self) -> None:
        """Take the chat back that was deleted last."""
        chat_id, self._deleted = self._deleted, ""
        self.undo_bar.show_notice(NO_NOTICE)
        if chat_id:
            self.undo_requested.emit(chat_id)

    def rename(self, chat_id: str, title: str) -> None:
        """Ask for another title of a chat."""
        dialog = QInputDialog(self)
        dialog.setWindowTitle(self.tr("Rename the chat"))
        dialog.setLabelText(self.tr("Title:"))
        dialog.setTextValue(title)
        dialog.setOkButtonText(self.tr("Rename"))
        dialog.resize(RENAME_WIDTH, dialog.sizeHint().height())
        accepted = dialog.exec()
        dialog.deleteLater()
        if accepted and dialog.textValue().strip():
            self.rename_requested.emit(chat_id, dialog.textValue())

    # --- Qt ------------------------------------------------------------------------

    def minimumSizeHint(self) -> QSize:
        """No narrower than its head, which grows with the text size."""
        least = super().minimumSizeHint()
        return QSize(max(MIN_WIDTH, least.width()), least.height())

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Delete and F2 in the list."""
        if (
            watched is self.view
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Delete
        ):
            chat_id = self.view.currentIndex().data(ChatRole.CHAT_ID)
            if chat_id:
                self.delete_requested.emit(chat_id)
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    # --- inside --------------------------------------------------------------------

    def _on_theme_changed(self) -> None:
        self.view.viewport().update()

    def _forget_deleted(self) -> None:
        self._deleted = ""

    def _choose(self, index: QModelIndex) -> None:
        chat_id = index.data(ChatRole.CHAT_ID)
        if chat_id:
            self.chosen.emit(chat_id)
        self._select_current()

    def _on_filter_changed(self, text: str) -> None:
        self.filter.setClearButtonEnabled(True)  # not sooner: its icon costs the first paint 2 ms
        self.model.set_filter(text)
        self._on_reset()

    def _on_reset(self) -> None:
        nothing = self.model.rowCount() == 0
        self.view.setVisible(not nothing)
        self.empty.setVisible(nothing)
        self.empty.setText(
            self.tr("No title holds these words.")
            if self.model.is_filtered
            else self.tr("Your chats will stand here.")
        )
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.setStretchFactor(self.empty, 1 if nothing else 0)
        self._select_current()

    def _select_current(self) -> None:
        row = self.model.row_of(self._current)
        if row is None:
            self.view.clearSelection()
        else:
            self.view.setCurrentIndex(self.model.index(row))

    def _enter_list(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.view.currentIndex().isValid():
            self._step_to_chat()

    def _step_to_chat(self) -> None:
        for row in range(self.model.rowCount()):
            index = self.model.index(row)
            if index.data(ChatRole.CHAT_ID):
                self.view.setCurrentIndex(index)
                return

    def _open_first(self) -> None:
        for row in range(self.model.rowCount()):
            chat_id = self.model.index(row).data(ChatRole.CHAT_ID)
            if chat_id:
                self.chosen.emit(chat_id)
                return

    def _show_menu(self, position: QPoint) -> None:
        index = self.view.indexAt(position)
        chat_id = index.data(ChatRole.CHAT_ID)
        if not chat_id:
            return
        title = index.data(Qt.ItemDataRole.DisplayRole)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Open"), lambda: self.chosen.emit(chat_id))
        menu.addAction(self.tr("Rename…"), lambda: self.rename(chat_id, title))
        menu.addSeparator()
        menu.addAction(
            icon("trash"), self.tr("Delete"), lambda: self.delete_requested.emit(chat_id)
        )
        menu.popup(self.view.viewport().mapToGlobal(position))
