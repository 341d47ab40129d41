"""The main window: puts its parts together and tells them what happens."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow

from desktop.action_set import Actions
from desktop.chats.chat import ChatSummary, OverflowPolicy
from desktop.crash_report import CrashReport
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.models.session.session_hub import ChatState
from desktop.models.session.title_text import shown_title
from desktop.session import Session
from desktop.settings import MAX_RECENT, Settings
from desktop.views.engine.engine_desk import EngineDesk
from desktop.views.engine.status_bar import StatusBar
from desktop.views.tabs.tab_keeper import TabKeeper
from desktop.views.window.window_body import WindowBody
from desktop.views.window.window_commands import WindowCommands
from desktop.views.window.window_wiring import build_menus, connect_actions

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.engine_link.engine_client import EngineClient
    from desktop.engine_link.engine_pool import EngineReading
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.engine.engine_care import EngineCare
    from desktop.views.engine.library_door import LibraryDoor
    from desktop.views.engine.model_menu import ModelMenus
    from desktop.views.monitor.monitor_door import MonitorDoor
    from desktop.views.tabs.chat_tab import ChatTab
    from engine.protocol import Failure, Remedy

SIZE = QSize(1200, 800)
NARROW = 720  # below this width the chat needs the sidebar's room
LOW = 520  # below this height, too, the chat needs all the room
SESSION_DELAY_MS = 500


class MainWindow(QMainWindow):
    """See the module.

    Signals:
        settings_changed: the new `Settings`, to be applied and saved.
        session_changed: the new `Session`, to be saved; at most twice a second.
        closed: the window was closed.
    """

    settings_changed = Signal(object)
    session_changed = Signal(object)
    closed = Signal()

    def __init__(
        self,
        hub: SessionHub,
        client: EngineClient,
        settings: Settings,
        session: Session,
        starter: Path,
    ) -> None:
        super().__init__()
        self._hub = hub
        self.client = client
        self._narrow = False
        self.monitor: MonitorDoor | None = None  # set after the first paint, as the library
        self.settings = settings
        self._saved_session = session
        self.setWindowTitle("Inglenook")
        self.setMinimumSize(640, 440)
        self.setAcceptDrops(True)
        self.resize(SIZE)

        self.actions_by_name = Actions(self)
        self.chats: list[ChatSummary] = []  # as they were listed last
        self.body = WindowBody()
        self.chat_list, self.area = self.body.chat_list, self.body.area
        self.banner, self.store_bar = self.body.banner, self.body.store_bar
        self.setCentralWidget(self.body)
        self.body.setFocus()
        self.tabs = TabKeeper(hub, self.area, self)
        self.status = StatusBar()
        self.setStatusBar(self.status)
        self.desk = EngineDesk(client, hub, self.banner, starter, self)
        self._cares: dict[EngineClient, EngineCare] = {client: self.desk.care}
        self._menus: ModelMenus | None = None
        self.library: LibraryDoor | None = None  # set after the first paint
        self.commands = WindowCommands(self, hub)
        build_menus(self, self.actions_by_name)
        connect_actions(self, self.commands.table())
        self._connect()
        self._session_timer = QTimer(self)
        self._session_timer.setSingleShot(True)
        self._session_timer.setInterval(SESSION_DELAY_MS)
        self._session_timer.timeout.connect(self._emit_session)
        self._restore_geometry(session)
        self.chat_list.model.close_folders(session.closed_folders)
        self._apply_settings()
        self.tabs.want(session.open_tabs, session.active_tab, session.panes, session.places)
        self.on_view(client)
        self.on_views()

    # --- what the application says ------------------------------------------------------

    def session(self) -> Session:
        """The window as it is now."""
        open_tabs, active = self.tabs.open_tabs()
        sizes = self.body.chat_sizes()
        return Session(
            open_tabs=open_tabs,
            active_tab=active,
            geometry=_encoded(self.saveGeometry()),
            window_state=_encoded(self.saveState()),
            splitter_sizes=sizes if all(sizes) else self._saved_session.splitter_sizes,
            panes=self.tabs.layout(),
            closed_folders=self.chat_list.model.closed_folders,
            places=self.tabs.places(),
            monitor=(self._saved_session.monitor if self.monitor is None else self.monitor.place()),
        )

    def warn(self, text: str) -> None:
        """Say something that belongs to no chat."""
        self.store_bar.show_notice(Notice(NoticeLevel.WARNING, text))

    def change(self, **changes: object) -> None:
        """Change settings by their names; they apply at once and are saved."""
        settings = replace(self.settings, **changes)  # type: ignore[arg-type]
        if settings != self.settings:
            self.settings = settings
            self._apply_settings()
            self.settings_changed.emit(settings)

    def toggle_sidebar(self) -> None:
        """Show the list of chats, or put it away."""
        self._want_sidebar(self.chat_list.isHidden())

    def show_sidebar_now(self) -> None:
        """Show the list of chats: something is to be done in it."""
        self._want_sidebar(True)

    def has_room_for_monitor(self) -> bool:
        """Whether the monitor can stand beside the chats; else it is but a strip."""
        sidebar = self.settings.sidebar_visible and self.width() >= NARROW
        return self.height() >= LOW and self.body.has_room_for_monitor(
            self.width(), sidebar=sidebar
        )

    def bring_to_front(self) -> None:
        """Somebody started Inglenook again."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def show_crash(self, report: CrashReport) -> None:
        """A fault of the program: say so, with all that is needed to report it."""
        from desktop.views.dialogs import TextDialog

        dialog = TextDialog(
            self.tr("Something went wrong"),
            self.tr(
                "Inglenook met a fault of its own and goes on: {summary}\n"
                "Your chats are saved. If it comes back, copy this for a report."
            ).format(summary=report.summary),
            report.details,
            self,
        )
        dialog.exec()

    def on_view(self, client: EngineClient) -> None:
        """An engine's state changed."""
        care = self._cares.get(client)
        if care is not None:
            kept = self._hub.kept_for(client.view.model) if client.view.model else 0
            care.show(replace(client.view, queued=client.view.queued + kept))
        self.status.set_view(client.view, self._hub.pool.key_of(client))

    def on_views(self) -> None:
        """Some engine's state changed, or which engines there are."""
        self.tabs.refresh_models()
        self._update_actions()

    @property
    def menus(self) -> ModelMenus:
        """The menus of models; made when the first is opened."""
        if self._menus is None:
            from desktop.views.engine.model_menu import ModelMenus

            self._menus = ModelMenus(self.desk, self._hub)
        self._menus.recent = self.settings.recent_models
        return self._menus

    # --- Qt ------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember what is open; the application ends after this."""
        self._session_timer.stop()
        self._emit_session()
        for tab in self.area.tabs():
            tab.settle()
        for care in self._cares.values():
            care.stop()
        self.desk.stop()
        event.accept()
        self.closed.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A model may be dropped anywhere in the window."""
        from desktop.views.dropped_model import dropped_model

        if self.library is not None and dropped_model(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Ask what is to become of it."""
        from desktop.views.dropped_model import dropped_model

        path = dropped_model(event.mimeData())
        if self.library is not None and path is not None:
            event.acceptProposedAction()
            self.library.take(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window puts the sidebar away; a wide one has it as the settings say."""
        super().resizeEvent(event)
        if self._narrow != (self.width() < NARROW):
            self._narrow = not self._narrow
            self._show_sidebar(self.settings.sidebar_visible and not self._narrow)
        if self.monitor is not None:
            self.monitor.fit()

    def _connect(self) -> None:
        hub = self._hub
        hub.pool.view_changed.connect(self.on_view)
        hub.pool.views_changed.connect(self.on_views)
        hub.pool.telemetry.connect(self._on_telemetry)
        hub.pool.opened.connect(self._on_engine_opened)
        hub.pool.closed.connect(self._on_engine_closed)
        hub.chats_listed.connect(self._on_chats_listed)
        hub.chat_state.connect(self._on_chat_state)
        hub.chat_deleted.connect(self._on_chat_deleted)
        hub.store_opened.connect(self._on_store_opened)
        hub.store_failed.connect(self._on_store_failed)
        hub.failed.connect(self._on_failed)
        self.body.new_requested.connect(self.tabs.new_chat)
        self.body.splitterMoved.connect(lambda _position, _index: self.remember())
        self.chat_list.new_requested.connect(self.tabs.new_chat)
        self.chat_list.model.folded.connect(self.remember)
        self.chat_list.chosen.connect(self.tabs.show)
        self.chat_list.hit_chosen.connect(self.tabs.show_hit)
        self.chat_list.search_ended.connect(self.tabs.clear_marks)
        self.chat_list.rename_requested.connect(hub.rename_chat)
        self.chat_list.delete_requested.connect(self.tabs.delete)
        self.chat_list.undo_requested.connect(self.tabs.undo_delete)
        self.chat_list.undo_bar.stand_in = self.store_bar
        self.tabs.link_activated.connect(self._on_link)
        self.tabs.zoom_requested.connect(self.commands.zoom)
        self.tabs.changed.connect(self._on_tabs_changed)
        self.area.resized.connect(self.remember)
        self.banner.focus_left.connect(self.commands.focus_composer)
        self.store_bar.focus_left.connect(self.commands.focus_composer)
        self.desk.model_chosen.connect(lambda folder: self.change(model=folder))
        self.desk.noticed.connect(self.warn)
        self.desk.refused.connect(self._on_refused)
        self.desk.choose_wanted.connect(self._on_choose_wanted)
        self.desk.model_used.connect(self._on_model_used)
        self.desk.link_activated.connect(self._on_link)
        self.tabs.model_menu_requested.connect(self._on_model_menu)
        self.tabs.model_load_requested.connect(self.desk.beside.load)
        self.tabs.models_wanted.connect(self.actions_by_name["find_models"].trigger)

    # --- inside ----------------------------------------------------------------------------

    def _restore_geometry(self, session: Session) -> None:
        if session.geometry:
            self.restoreGeometry(_decoded(session.geometry))
        if session.window_state:
            self.restoreState(_decoded(session.window_state))
        place = session.monitor
        # The monitor's room is there from the first paint on; it comes when the start is over.
        beside = place.is_open and not place.is_window and self.has_room_for_monitor()
        self.body.restore_sizes(session.splitter_sizes, beside=beside, width=place.width)

    def _apply_settings(self) -> None:
        settings, actions = self.settings, self.actions_by_name
        if not self._narrow:
            self._show_sidebar(settings.sidebar_visible)
        actions[f"theme_{settings.theme}"].setChecked(True)
        enter = settings.send_with == "enter"
        actions["send_enter" if enter else "send_ctrl_enter"].setChecked(True)
        self.tabs.set_send_with(settings.send_with)
        hub = self._hub
        hub.titles = settings.titles
        hub.default_overflow = OverflowPolicy(settings.overflow)
        hub.default_system_prompt = settings.system_prompt
        self.desk.beside.is_wanted = settings.second_engine
        self.desk.precise = settings.precise_model

    def _show_sidebar(self, visible: bool) -> None:
        self.chat_list.setVisible(visible)
        if visible and self.store_bar.notice.level is NoticeLevel.HINT:
            self.store_bar.show_notice(NO_NOTICE)  # the sidebar offers the same
        self.actions_by_name["toggle_sidebar"].setChecked(visible)
        if self.monitor is not None:
            self.monitor.fit()

    def _want_sidebar(self, visible: bool) -> None:
        # What is wanted in a narrow window says nothing about a wide one.
        self._show_sidebar(visible)
        if not self._narrow:
            self.change(sidebar_visible=visible)

    def remember(self) -> None:
        """Something of the window has changed that is kept for the next start."""
        if not self._session_timer.isActive():
            self._session_timer.start()

    def _emit_session(self) -> None:
        self._saved_session = self.session()
        self.session_changed.emit(self._saved_session)

    def _on_tabs_changed(self) -> None:
        tab = self.area.current_tab()
        self._hub.foreground = tab.session.chat_id if tab is not None else ""
        self.body.show_panes(tab is not None, usable=self._hub.is_usable)
        self.chat_list.set_current(tab.session.chat_id if tab is not None else "")
        self._update_actions()
        self.remember()

    def _update_actions(self) -> None:
        tab = self.area.current_tab()
        actions = self.actions_by_name
        actions.enable(self.commands.there())
        title = shown_title(tab.session.title) if tab is not None else ""
        self.setWindowTitle(f"{title} – Inglenook" if title else "Inglenook")

    def _on_chats_listed(self, chats: list[ChatSummary]) -> None:
        self.chats = chats
        self.chat_list.set_chats(chats)
        self._update_actions()  # a title may be new

    def _on_chat_state(self, change: ChatState) -> None:
        self.chat_list.model.set_state(change.chat_id, change.state)
        self._update_actions()

    def _on_chat_deleted(self, chat_id: str, title: str) -> None:
        self.chat_list.show_deleted(chat_id, title)

    def _on_store_opened(self) -> None:
        if self.store_bar.notice.level is NoticeLevel.ERROR:
            self.store_bar.show_notice(Notice(NoticeLevel.HINT, ""))
        self.chat_list.serve(self._hub, self.tabs)
        self.tabs.restore()

    def _on_store_failed(self, error: Exception) -> None:
        if getattr(error, "usable", False):
            self.warn(str(error))
            return
        self.store_bar.show_notice(
            Notice(
                NoticeLevel.ERROR,
                self.tr("{reason} Until then nothing is sent; what you write here is kept.").format(
                    reason=error
                ),
            )
        )
        self.store_bar.add_button(self.tr("Try again"), self._hub.open_store)
        self.tabs.store_failed(self._hub.refusal())

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, KeyError):  # a chat that was deleted meanwhile
            self.store_bar.show_notice(Notice(NoticeLevel.ERROR, str(error)))

    def _on_telemetry(self, reading: EngineReading) -> None:
        self.status.set_telemetry(reading.telemetry, reading.key)

    def _on_engine_opened(self, client: EngineClient) -> None:
        """Another engine came: it has a banner of its own."""
        from desktop.views.engine.engine_care import EngineCare

        banner = self.body.add_banner()
        banner.focus_left.connect(self.commands.focus_composer)
        self._cares[client] = EngineCare(self.desk, client, banner)
        self.on_view(client)

    def _on_engine_closed(self, client: EngineClient) -> None:
        care = self._cares.pop(client, None)
        if care is not None:
            care.stop()
            self.body.remove_banner(care.banner)
            care.deleteLater()
        pool = self._hub.pool
        self.status.keep_only({pool.key_of(one) for one in pool.clients()})

    def _on_model_menu(self, tab: ChatTab, message_id: str, anchor: QWidget) -> None:
        if message_id:
            self.menus.open_for_answer(tab.session, message_id, anchor)
        elif self.library is not None:
            self.library.open_picker(tab.session, anchor)

    def _on_model_used(self, folder: str) -> None:
        recent = (folder, *(one for one in self.settings.recent_models if one != folder))
        self.change(recent_models=recent[:MAX_RECENT])

    def _on_choose_wanted(self, client: EngineClient) -> None:
        """Another model for an engine: of those there are, where the chat in front asks it."""
        tab = self.area.current_tab()
        asked = self._hub.pool.client_for(tab.session.chat.model) if tab is not None else None
        if tab is not None and tab.session.chat_id and self.library is not None and asked is client:
            tab.choose_model()
        else:
            self.desk.choose_model(client)

    def _on_refused(self, text: str, folder: str, failure: Failure | None) -> None:
        """A model is not loaded: say why, with what helps."""
        self.warn(text)
        mending = self.desk.mending

        def do(remedy: Remedy) -> None:
            self.store_bar.show_notice(NO_NOTICE)
            mending.apply(folder, remedy)

        def offer() -> None:
            if self.store_bar.text() == text:
                self.warn(text)  # without the buttons that it had
                for remedy in mending.remedies_for(folder, failure):
                    self.store_bar.add_button(remedy.label, partial(do, remedy))

        offer()
        if failure is not None:
            mending.look_up(folder, offer)

    def _on_link(self, address: str) -> None:
        from desktop.views.dialogs import LinkDialog

        LinkDialog(address, self).open()


def _encoded(data: QByteArray) -> str:
    return bytes(data.toBase64().data()).decode("ascii")


def _decoded(text: str) -> QByteArray:
    return QByteArray.fromBase64(QByteArray(text.encode("ascii", "ignore")))
