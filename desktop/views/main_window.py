"""The main window: sidebar, tabs, banner, status bar and menus, and nothing behind them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QMainWindow,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.action_set import Actions
from desktop.actions import Need
from desktop.chats.chat import Role
from desktop.crash_report import CrashReport
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.models.session_hub import ChatState
from desktop.session import Session
from desktop.settings import FONT_SIZES, Settings
from desktop.version import VERSION
from desktop.views.chat_list import ChatList
from desktop.views.engine_banner import EngineBanner
from desktop.views.engine_desk import EngineDesk
from desktop.views.icons import icon
from desktop.views.notice_bar import NoticeBar
from desktop.views.split_area import SplitArea
from desktop.views.status_bar import StatusBar
from desktop.views.tab_keeper import TabKeeper
from desktop.views.window_wiring import build_menus, connect_actions

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.session_hub import SessionHub

SIDEBAR_WIDTH = 264
SIZE = QSize(1200, 800)
NARROW = 720  # below this width the chat needs the sidebar's room
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
        self._client = client
        self._narrow = False
        self.settings = settings
        self._saved_session = session
        self.setWindowTitle("Inglenook")
        self.setMinimumSize(640, 440)
        self.resize(SIZE)

        self.actions_by_name = Actions(self, icon)
        self.chat_list = ChatList()
        self.banner = EngineBanner()
        self.store_bar = NoticeBar()
        self.area = SplitArea()
        self.tabs = TabKeeper(hub, self.area, self)
        self.status = StatusBar()
        self.setStatusBar(self.status)
        self.desk = EngineDesk(client, hub, self.banner, starter, self)
        self._build_layout()
        build_menus(self, self.actions_by_name)
        self._connect()
        self._session_timer = QTimer(self)
        self._session_timer.setSingleShot(True)
        self._session_timer.setInterval(SESSION_DELAY_MS)
        self._session_timer.timeout.connect(self._emit_session)
        self._restore_geometry(session)
        self._apply_settings()
        self.tabs.want(session.open_tabs, session.active_tab, session.panes)
        self.on_view(client.view)

    # --- what the application says ------------------------------------------------------

    def session(self) -> Session:
        """The window as it is now."""
        open_tabs, active = self.tabs.open_tabs()
        sizes = tuple(self._splitter.sizes())
        return Session(
            open_tabs=open_tabs,
            active_tab=active,
            geometry=_encoded(self.saveGeometry()),
            window_state=_encoded(self.saveState()),
            splitter_sizes=sizes if all(sizes) else self._saved_session.splitter_sizes,
            panes=self.tabs.layout(),
        )

    def warn(self, text: str) -> None:
        """Say something that belongs to no chat."""
        self.store_bar.show_notice(Notice(NoticeLevel.WARNING, text))

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

    def on_view(self, view: EngineView) -> None:
        """The engine's state changed."""
        self.banner.set_view(self.desk.explained(view))
        self.status.set_view(view)
        self.tabs.set_view(view)
        self._update_actions()

    # --- Qt ------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember what is open; the application ends after this."""
        self._session_timer.stop()
        self._emit_session()
        self.desk.stop()
        event.accept()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window puts the sidebar away; a wide one has it as the settings say."""
        super().resizeEvent(event)
        if self._narrow != (self.width() < NARROW):
            self._narrow = not self._narrow
            self._show_sidebar(self.settings.sidebar_visible and not self._narrow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """No empty strip where no bar is shown."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._bars.setHidden(self.store_bar.isHidden() and self.banner.isHidden())
        return super().eventFilter(watched, event)

    # --- building ------------------------------------------------------------------------

    def _build_layout(self) -> None:
        space = theme.current().space
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty_page())
        self._pages.addWidget(self.area)
        self._bars = QWidget()
        inside = QVBoxLayout(self._bars)
        inside.setContentsMargins(space.s, space.s, space.s, space.s)
        inside.setSpacing(space.s)
        inside.addWidget(self.store_bar)
        inside.addWidget(self.banner)
        for bar in (self.store_bar, self.banner):
            bar.installEventFilter(self)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bars)
        column.addWidget(self._pages, 1)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        centre.setMinimumWidth(320)
        self._splitter.addWidget(self.chat_list)
        self._splitter.addWidget(centre)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([SIDEBAR_WIDTH, SIZE.width() - SIDEBAR_WIDTH])
        self._splitter.splitterMoved.connect(lambda _position, _index: self._session_moved())
        self.setCentralWidget(self._splitter)
        self._splitter.setFocus()

    def _empty_page(self) -> QWidget:
        page = QWidget()
        page.setProperty("role", "page")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        words = QLabel(self.tr("No chat is open. Choose one at the left, or begin a new one."))
        words.setWordWrap(True)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._begin = QPushButton(self.tr("New chat"))
        self._begin.setProperty("kind", "primary")
        self._begin.setAccessibleName(self.tr("New chat"))
        self._begin.clicked.connect(lambda _checked=False: self.tabs.new_chat())
        layout = QVBoxLayout(page)
        layout.setSpacing(theme.current().space.l)
        layout.addStretch(2)
        layout.addWidget(words)
        layout.addWidget(self._begin, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        words.hide()
        self._begin.hide()
        self._empty_words = words
        return page

    def _connect(self) -> None:
        hub, client = self._hub, self._client
        client.view_changed.connect(self.on_view)
        client.telemetry.connect(self.status.set_telemetry)
        hub.chats_listed.connect(self.chat_list.set_chats)
        hub.chats_listed.connect(lambda _chats: self._update_actions())  # a title may be new
        hub.chat_state.connect(self._on_chat_state)
        hub.chat_deleted.connect(self._on_chat_deleted)
        hub.store_opened.connect(self._on_store_opened)
        hub.store_failed.connect(self._on_store_failed)
        hub.failed.connect(self._on_failed)
        self.chat_list.new_requested.connect(self.tabs.new_chat)
        self.chat_list.chosen.connect(self.tabs.show)
        self.chat_list.rename_requested.connect(hub.rename_chat)
        self.chat_list.delete_requested.connect(self.tabs.delete)
        self.chat_list.undo_requested.connect(self._undo_delete)
        self.tabs.link_activated.connect(self._on_link)
        self.tabs.changed.connect(self._on_tabs_changed)
        self.area.resized.connect(self._session_moved)
        self.desk.model_chosen.connect(lambda folder: self._change(model=folder))
        self.desk.noticed.connect(self.warn)
        others = {
            "new_chat": self.tabs.new_chat,
            "close_tab": self.tabs.close_current,
            "load_model": self.desk.choose_model,
            "unload_model": self.desk.unload,
            "quit": self.close,
            "stop": self._stop_current,
            "rename_chat": self._rename_current,
            "delete_chat": self._delete_current,
            "next_tab": lambda: self._step(1),
            "previous_tab": lambda: self._step(-1),
            "search": self._find_chat,
            "theme_system": lambda: self._change(theme="system"),
            "theme_light": lambda: self._change(theme="light"),
            "theme_dark": lambda: self._change(theme="dark"),
            "font_larger": lambda: self._change_font(self.settings.font_size + 1),
            "font_smaller": lambda: self._change_font(self.settings.font_size - 1),
            "font_normal": lambda: self._change_font(Settings().font_size),
            "send_enter": lambda: self._change(send_with="enter"),
            "send_ctrl_enter": lambda: self._change(send_with="ctrl+enter"),
            "show_log": self.desk.show_log,
            "theme_contrast": lambda: self._change(theme="contrast"),
            "about": self._about,
            "split_right": lambda: self.tabs.split(Qt.Orientation.Horizontal),
            "split_down": lambda: self.tabs.split(Qt.Orientation.Vertical),
            "focus_next_pane": lambda: self._step_pane(1),
            "focus_previous_pane": lambda: self._step_pane(-1),
            "move_to_next_pane": self.area.move_to_next_pane,
            "close_pane": self._close_pane,
            "toggle_sidebar": lambda: self._toggle_sidebar(self.chat_list.isHidden()),
        }
        connect_actions(self, others)

    # --- inside ----------------------------------------------------------------------------

    def _restore_geometry(self, session: Session) -> None:
        if session.geometry:
            self.restoreGeometry(_decoded(session.geometry))
        if session.window_state:
            self.restoreState(_decoded(session.window_state))
        if len(session.splitter_sizes) == self._splitter.count() and all(session.splitter_sizes):
            self._splitter.setSizes(list(session.splitter_sizes))

    def _change(self, **changes: object) -> None:
        settings = replace(self.settings, **changes)  # type: ignore[arg-type]
        if settings != self.settings:
            self.settings = settings
            self._apply_settings()
            self.settings_changed.emit(settings)

    def _change_font(self, points: int) -> None:
        self._change(font_size=min(max(points, FONT_SIZES.start), FONT_SIZES.stop - 1))

    def _apply_settings(self) -> None:
        settings, actions = self.settings, self.actions_by_name
        if not self._narrow:
            self._show_sidebar(settings.sidebar_visible)
        actions[f"theme_{settings.theme}"].setChecked(True)
        enter = settings.send_with == "enter"
        actions["send_enter" if enter else "send_ctrl_enter"].setChecked(True)
        self.tabs.set_send_with(settings.send_with)

    def _show_sidebar(self, visible: bool) -> None:
        self.chat_list.setVisible(visible)
        if visible and self.store_bar.notice.level is NoticeLevel.HINT:
            self.store_bar.show_notice(NO_NOTICE)  # the sidebar offers the same
        self.actions_by_name["toggle_sidebar"].setChecked(visible)

    def _toggle_sidebar(self, visible: bool) -> None:
        # What is wanted in a narrow window says nothing about a wide one.
        self._show_sidebar(visible)
        if not self._narrow:
            self._change(sidebar_visible=visible)

    def _session_moved(self) -> None:
        if not self._session_timer.isActive():
            self._session_timer.start()

    def _emit_session(self) -> None:
        self._saved_session = self.session()
        self.session_changed.emit(self._saved_session)

    def _on_tabs_changed(self) -> None:
        tab = self.area.current_tab()
        self._pages.setCurrentIndex(0 if tab is None else 1)
        idle = self._hub.is_usable
        self._empty_words.setVisible(idle)
        self._begin.setVisible(idle)
        self.chat_list.set_current(tab.session.chat_id if tab is not None else "")
        self._update_actions()
        self._session_moved()

    def _update_actions(self) -> None:
        tab = self.area.current_tab()
        actions = self.actions_by_name
        actions.enable(self.there())
        title = tab.session.title if tab is not None else ""
        self.setWindowTitle(f"{title} – Inglenook" if title else "Inglenook")

    def there(self) -> set[Need]:
        """What the actions may need and find."""
        tab = self.area.current_tab()
        there = set()
        if self._hub.is_usable:
            there.add(Need.STORE)
        if self._client.view.phase in (Phase.READY, Phase.LOADING):
            there.add(Need.MODEL)
        if self.area.current_pane.count() > 1:
            there.add(Need.TABS)
        if len(self.area.panes()) > 1:
            there.add(Need.PANES)
        if tab is None:
            return there
        there.add(Need.TAB)
        if self.area.can_split() and (Need.TABS in there or self._hub.is_usable):
            there.add(Need.SPLITTABLE)
        if tab.session.chat_id:
            there.add(Need.CHAT)
        messages = tab.session.messages
        if tab.session.state.is_active:
            there.add(Need.ACTIVE)
        if messages:
            there.add(Need.MESSAGES)
            if not tab.session.state.is_active:
                there.add(Need.AT_REST)
                if messages[-1].role is Role.ASSISTANT:
                    there.add(Need.ANSWER)
                if any(len(message.siblings) > 1 for message in messages):
                    there.add(Need.SIBLINGS)
        return there

    def _on_chat_state(self, change: ChatState) -> None:
        self.chat_list.model.set_state(change.chat_id, change.state)
        self._update_actions()

    def _on_chat_deleted(self, chat_id: str, title: str) -> None:
        self.chat_list.show_deleted(chat_id, title)
        if self.chat_list.isHidden():  # and the offer to take it back with it
            words = self.tr("“{title}” was deleted.").format(title=title)
            self.store_bar.show_notice(Notice(NoticeLevel.HINT, words))
            self.store_bar.add_button(self.tr("Undo"), self.chat_list.undo)

    def _undo_delete(self, chat_id: str) -> None:
        if self.store_bar.notice.level is NoticeLevel.HINT:
            self.store_bar.show_notice(NO_NOTICE)
        self.tabs.undo_delete(chat_id)

    def _on_store_opened(self) -> None:
        if self.store_bar.notice.level is NoticeLevel.ERROR:
            self.store_bar.show_notice(Notice(NoticeLevel.HINT, ""))
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

    def _on_link(self, address: str) -> None:
        from desktop.views.dialogs import LinkDialog

        LinkDialog(address, self).open()

    def _step(self, by: int) -> None:
        self.area.step(by)
        tab = self.area.current_tab()
        if tab is not None:
            tab.focus_composer()  # or it goes to whatever comes first in the tab

    def _step_pane(self, by: int) -> None:
        self.area.step_pane(by)
        tab = self.area.current_tab()
        if tab is not None:
            tab.focus_composer()

    def _close_pane(self) -> None:
        self.area.close_pane()
        tab = self.area.current_tab()
        if tab is not None:
            tab.focus_composer()

    def _stop_current(self) -> None:
        tab = self.area.current_tab()
        if tab is not None:
            tab.session.stop()

    def _rename_current(self) -> None:
        tab = self.area.current_tab()
        if tab is not None:
            self.chat_list.rename(tab.session.chat_id, tab.session.title)

    def _delete_current(self) -> None:
        tab = self.area.current_tab()
        if tab is not None:
            self.tabs.delete(tab.session.chat_id)

    def _find_chat(self) -> None:
        self._toggle_sidebar(True)
        self.chat_list.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.chat_list.filter.selectAll()

    def _about(self) -> None:
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(self.tr("About Inglenook"))
        box.setText(self.tr("Inglenook {version}").format(version=VERSION))
        box.setInformativeText(
            self.tr(
                "Chat with language models that run on this computer, with vLLM inside. "
                "Nothing leaves the machine unless you ask."
            )
        )
        box.open()


def _encoded(data: QByteArray) -> str:
    return bytes(data.toBase64().data()).decode("ascii")


def _decoded(text: str) -> QByteArray:
    return QByteArray.fromBase64(QByteArray(text.encode("ascii", "ignore")))
