"""Which chats are open: opens, closes, deletes and restores tabs through the hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.models.notice import NoticeLevel
from desktop.models.session.chat_session import ChatSession
from desktop.pane_layout import Layout
from desktop.views.tabs.chat_tab import ChatTab
from desktop.views.tabs.tab_area import Zone

if TYPE_CHECKING:
    from desktop.chats.search import SearchHit
    from desktop.models.session.session_hub import SessionHub
    from desktop.session import Place
    from desktop.views.tabs.split_area import SplitArea


class TabKeeper(QObject):
    """See the module.

    Signals:
        link_activated: an address from a transcript.
        zoom_requested: by how many points the text shall grow.
        model_menu_requested: the `ChatTab`, and what its signal of that name says.
        model_load_requested: folder of the model that a question waits for.
        models_wanted: better models than the starter's are looked for.
        changed: the open tabs are others now, or stand in another order.
    """

    link_activated = Signal(str)
    zoom_requested = Signal(int)
    model_menu_requested = Signal(object, str, object)
    model_load_requested = Signal(str)
    models_wanted = Signal()
    changed = Signal()

    def __init__(self, hub: SessionHub, area: SplitArea, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hub = hub
        self._area = area
        self._wanted: tuple[tuple[str, ...], str] = ((), "")
        self._wanted_layout: Layout | None = None
        self._wanted_places: dict[str, Place] = {}
        self._restored = False
        self._pending: set[str] = set()
        self._reopen = ""
        self._creating = False
        area.close_requested.connect(self.close)
        area.tabs_changed.connect(self.changed)

    # --- the session ---------------------------------------------------------------

    def open_tabs(self) -> tuple[tuple[str, ...], str]:
        """Ids of the open chats from left to right, and the one in front.

        Until they were restored these are the ones that will be, so that a window
        closed early (or one that cannot read its chats) forgets nothing.
        """
        if not self._restored or self._pending:
            return self._wanted
        ids = tuple(tab.session.chat_id for tab in self._area.tabs() if tab.session.chat_id)
        front = self._area.current_tab()
        return ids, front.session.chat_id if front is not None else ""

    def layout(self) -> Layout | None:
        """How the tabs are split over panes, or will be once they are restored."""
        if not self._restored or self._pending:
            return self._wanted_layout
        return self._area.layout_now()

    def places(self) -> tuple[tuple[str, Place], ...]:
        """Where one reads in the open chats that are not at their end."""
        if not self._restored or self._pending:
            return tuple(self._wanted_places.items())
        found = ((tab.session.chat_id, tab.reading.place_now()) for tab in self._area.tabs())
        return tuple((id_, place) for id_, place in found if id_ and place is not None)

    def want(
        self,
        open_tabs: tuple[str, ...],
        active: str,
        layout: Layout | None = None,
        places: tuple[tuple[str, Place], ...] = (),
    ) -> None:
        """These tabs are to be restored when the store is open.

        With none there is a place to write in at once: it becomes the first chat.
        """
        self._wanted = (open_tabs, active)
        self._wanted_layout = layout
        self._wanted_places = dict(places)
        if not open_tabs:
            tab = self._make(self._hub.unsaved_session())
            self._area.add(tab)
            tab.focus_composer()

    def restore(self) -> None:
        """The store is open: bring the tabs back, in order; a first start gets a new chat."""
        if self._restored:
            return
        self._restored = True
        ids = self._wanted[0]
        unsaved = self._area.tab_of("")
        if unsaved is not None and (not unsaved.session.is_blank or not ids):
            self._hub.create_chat(
                lambda session: self._adopt(unsaved, session), self._on_not_adopted
            )
        elif unsaved is not None:
            self._area.remove(unsaved)
        self._pending = set(ids)
        self._area.expect(self._wanted_layout)
        for chat_id in ids:
            self._hub.open_chat(
                chat_id,
                lambda session: self._on_restored(session.chat_id, session),
                lambda _error, chat_id=chat_id: self._on_restored(chat_id, None),  # type: ignore[misc]
                whole=False,
            )
        if not ids:
            self._restore_done()

    def store_failed(self, reason: str) -> None:
        """Nothing can be saved: keep a place to write in, and say why nothing is sent."""
        if self._area.count() == 0:
            tab = self._make(self._hub.unsaved_session())
            self._area.add(tab)
        for tab in self._area.tabs():
            tab.session.notify(NoticeLevel.ERROR, reason, "store")

    # --- tabs -------------------------------------------------------------------------

    def new_chat(self) -> None:
        """Go to an empty chat; make one if none is open."""
        if self._hub.is_usable and not self._restored:  # the first one could not be made
            self.restore()
            return
        blank = next((tab for tab in self._area.tabs() if tab.session.is_blank), None)
        if blank is not None:
            self._area.setCurrentWidget(blank)
            blank.focus_composer()
            return
        if not self._hub.is_usable or self._creating:
            return
        self._creating = True
        self._hub.create_chat(self._on_created, self._on_not_created)

    def split(self, orientation: Qt.Orientation) -> None:
        """Give the tab in front a pane of its own; the only one stays, beside a new chat."""
        area = self._area
        if area.current_pane.count() > 1:
            area.split_current(orientation)
            front = area.current_tab()
            if front is not None:
                front.focus_composer()
        elif area.can_split() and self._hub.is_usable and not self._creating:
            beside = area.current_pane
            zone = Zone.RIGHT if orientation == Qt.Orientation.Horizontal else Zone.BELOW
            self._creating = True

            def done(session: ChatSession) -> None:
                self._creating = False
                if beside not in area.panes():
                    self._on_opened(session)
                    return
                tab = self._make(session)
                area.add_to(area.open_pane(beside, zone), tab)
                tab.focus_composer()

            self._hub.create_chat(done, self._on_not_created)

    def show(self, chat_id: str) -> None:
        """Bring a chat to the front, opening it if need be."""
        tab = self._area.tab_of(chat_id)
        if tab is not None:
            self._area.setCurrentWidget(tab)
            tab.focus_composer()
        elif self._hub.is_usable:
            self._hub.open_chat(chat_id, self._on_opened, whole=False)

    def show_hit(self, hit: SearchHit) -> None:
        """Bring a chat to the front, at a message that was found in it."""

        def opened(session: ChatSession) -> None:
            self._on_opened(session)
            tab = self._area.tab_of(session.chat_id)
            if tab is not None:
                tab.reveal(hit.message_id, hit.words)

        if self._hub.is_usable:
            self._hub.open_chat(hit.chat_id, opened, whole=False)

    def clear_marks(self) -> None:
        """The search is over: what it found is no longer marked."""
        for tab in self._area.tabs():
            tab.reading.clear_marks()

    def close(self, tab: ChatTab) -> None:
        """Close a tab; an answer on its way goes on in the background and is saved."""
        chat_id = tab.session.chat_id
        if not chat_id and not tab.session.is_blank:
            return  # nothing can be saved: what stands here is all there is of it
        self._remove(tab)
        self._hub.hide(chat_id)

    def close_current(self) -> None:
        """Close the tab in front."""
        tab = self._area.current_tab()
        if tab is not None:
            self.close(tab)

    def delete(self, chat_id: str) -> None:
        """Move a chat to the bin, its tab with it."""
        if not chat_id:
            return
        tab = self._area.tab_of(chat_id)
        self._reopen = chat_id if tab is not None else ""
        if tab is not None:
            self._remove(tab)
        self._hub.delete_chat(chat_id)

    def undo_delete(self, chat_id: str) -> None:
        """Take a chat back, with its tab if it had one."""
        reopen = self._reopen == chat_id
        self._hub.restore_chat(chat_id, (lambda: self.show(chat_id)) if reopen else None)

    def refresh_models(self) -> None:
        """An engine's state changed: every tab says so where it matters."""
        for tab in self._area.tabs():
            tab.refresh_model()

    def set_send_with(self, key: str) -> None:
        """Which key sends, in every composer."""
        self._send_with = key
        for tab in self._area.tabs():
            tab.composer.set_send_with(key)

    def set_newcomer(self, is_new: bool) -> None:
        """Whether the starter model is all there is: empty chats then say where others are."""
        self._is_newcomer = is_new
        for tab in self._area.tabs():
            tab.welcome.offer_models(is_new)

    # --- inside -----------------------------------------------------------------------

    _send_with = "enter"
    _is_newcomer = False

    def _make(self, session: ChatSession) -> ChatTab:
        tab = ChatTab(session, self._hub)
        tab.composer.set_send_with(self._send_with)
        tab.link_activated.connect(self.link_activated)
        tab.forked.connect(self._on_opened)
        tab.zoom_requested.connect(self.zoom_requested)
        tab.model_menu_requested.connect(
            lambda message_id, anchor: self.model_menu_requested.emit(tab, message_id, anchor)
        )
        tab.model_load_requested.connect(self.model_load_requested)
        tab.models_wanted.connect(self.models_wanted)
        if self._is_newcomer:
            tab.welcome.offer_models(True)
        if session.chat_id:
            self._hub.show(session.chat_id)
        return tab

    def _remove(self, tab: ChatTab) -> None:
        """Take a tab away; who wrote or read in it goes on in the one that comes to the front."""
        focus = tab.window().focusWidget()
        was_there = focus is not None and tab.isAncestorOf(focus)
        self._area.remove(tab)
        front = self._area.current_tab()
        if was_there and front is not None:
            front.focus_composer()

    def _on_created(self, session: ChatSession) -> None:
        self._creating = False
        self._on_opened(session)

    def _on_not_created(self) -> None:
        self._creating = False

    def _on_opened(self, session: ChatSession) -> None:
        tab = self._area.tab_of(session.chat_id)
        if tab is None:
            tab = self._make(session)
            self._area.add(tab)
        else:
            self._area.setCurrentWidget(tab)
        tab.focus_composer()

    def _on_restored(self, chat_id: str, session: ChatSession | None) -> None:
        if session is not None and self._area.tab_of(chat_id) is None:
            tab = self._make(session)
            tab.reading.begin_at(self._wanted_places.get(chat_id))
            self._area.add(tab, front=chat_id == self._wanted[1])
        self._pending.discard(chat_id)
        if not self._pending:
            self._restore_done()

    def _restore_done(self) -> None:
        self._area.settle()
        active = self._area.tab_of(self._wanted[1]) if self._wanted[1] else None
        if active is not None:
            self._area.setCurrentWidget(active)
        front = self._area.current_tab()
        if front is None:
            self.new_chat()
        else:
            front.focus_composer()
        self.changed.emit()

    def _on_not_adopted(self) -> None:
        self._restored = False

    def _adopt(self, tab: ChatTab, session: ChatSession) -> None:
        if tab not in self._area.tabs():  # closed meanwhile; it may be deleted already
            self._hub.hide(session.chat_id)
            return
        self._hub.show(session.chat_id)
        unsaved = tab.session
        tab.adopt(session)
        unsaved.deleteLater()
        self._area.watch(tab)
        self.changed.emit()
