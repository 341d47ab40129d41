"""The search at the top of the sidebar: its field, and the panel that it opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop import theme
from desktop.models.lists.chat_list_model import ChatListModel
from desktop.views.sidebar.search_field import SearchField

if TYPE_CHECKING:
    from desktop.views.sidebar.chat_list_desk import ChatListDesk
    from desktop.views.sidebar.search_panel import SearchPanel


class ChatListSearch(QObject):
    """See the module.

    Attributes:
        field: what is typed into.
        row: the field, and beside it the button of the panel's limits.

    Signals:
        panel_built: a `SearchPanel` that wants a place.
        changed: whether something is searched for.
        list_wanted: go on in the list, or in the results.
        chat_chosen: id of a chat.
        hit_chosen: a `SearchHit` in a message.
        ended: nothing is searched for any more.
    """

    panel_built = Signal(object)
    changed = Signal()
    list_wanted = Signal()
    chat_chosen = Signal(str)
    hit_chosen = Signal(object)
    ended = Signal()

    def __init__(self, model: ChatListModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._owner = parent
        self._desk: ChatListDesk | None = None
        self._panel: SearchPanel | None = None
        self._before: QWidget | None = None  # what had the focus before the search
        self.field = SearchField()
        self.field.setPlaceholderText(self.tr("Search all chats"))
        self.field.setAccessibleName(self.tr("Search all chats and messages"))
        self.field.textChanged.connect(self._on_text)
        self.field.entered.connect(self._on_entered)
        self.field.left.connect(self._on_left)
        self.field.returnPressed.connect(self._on_return)
        self.field.cleared.connect(self.end)
        self.row = QHBoxLayout()
        self.row.setSpacing(theme.current().space.xs)
        self.row.addWidget(self.field, 1)

    @property
    def is_on(self) -> bool:
        """Whether something is searched for."""
        return bool(self.field.text().strip())

    def serve(self, desk: ChatListDesk) -> None:
        """Messages can be searched, too."""
        self._desk = desk
        if self._panel is not None:
            desk.equip(self._panel)

    def begin(self) -> None:
        """Go to the field; Esc there leads back to where one was."""
        focus = self._owner.window().focusWidget()
        if focus is not None and not self._owner.isAncestorOf(focus):
            self._before = focus
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def end(self) -> None:
        """Show the list again, and go back to where one was."""
        self.field.clear()
        if self._panel is not None:
            self._panel.clear()
        before, self._before = self._before, None
        if before is None or not shiboken6.isValid(before) or not before.isVisible():
            before = self.field
        before.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh_titles(self) -> None:
        """The list of chats changed."""
        if self._panel is not None:
            self._panel.refresh_titles()

    def panel(self) -> SearchPanel:
        """What shows the results; built when the field is first used."""
        if self._panel is None:
            from desktop.views.sidebar.search_panel import SearchPanel

            panel = self._panel = SearchPanel(self._model.everything)
            panel.hide()
            self.panel_built.emit(panel)
            self.row.addWidget(panel.bar.button)
            QWidget.setTabOrder(self.field, panel.bar.button)
            panel.hit_chosen.connect(self._on_hit)
            panel.left_top.connect(self._to_field)
            panel.cleared.connect(self.end)
            panel.typed.connect(self.field.type_on)
            panel.bar.folders = self._model.folders
            if self._desk is not None:
                self._desk.equip(panel)
        return self._panel

    # --- inside ---------------------------------------------------------------------

    def _to_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_entered(self) -> None:
        panel = self.panel()
        if self._desk is not None:
            self._desk.prepare_search(panel)

    def _on_text(self, text: str) -> None:
        self.field.setClearButtonEnabled(True)  # not sooner: its icon costs the first paint 2 ms
        panel = self.panel()
        panel.set_text(text)
        panel.setVisible(self.is_on)
        self.changed.emit()
        if not text:
            self.ended.emit()

    def _on_left(self) -> None:
        if self.is_on:
            self.panel().results.enter()
        else:
            self.list_wanted.emit()

    def _on_return(self) -> None:
        if self.is_on:
            self.panel().open_first()

    def _on_hit(self, hit: object) -> None:
        if getattr(hit, "message_id", ""):
            self.hit_chosen.emit(hit)
        else:
            self.chat_chosen.emit(getattr(hit, "chat_id", ""))
