"""What the window's commands do with the tab, the pane or the list in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from desktop.actions import Need
from desktop.chats.chat import Role
from desktop.engine_link.engine_state import Phase
from desktop.settings import FONT_SIZES, Settings
from desktop.version import VERSION

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.engine.library_door import LibraryDoor
    from desktop.views.monitor.monitor_door import MonitorDoor
    from desktop.views.quantizing.quantize_desk import QuantizeDesk
    from desktop.views.window.command_palette import CommandPalette
    from desktop.views.window.main_window import MainWindow


class WindowCommands(QObject):
    """The commands that belong to no single part of the window."""

    def __init__(self, window: MainWindow, hub: SessionHub) -> None:
        super().__init__(window)
        self._window = window
        self._hub = hub
        self._palette: CommandPalette | None = None
        self._quantizing: QuantizeDesk | None = None

    def table(self) -> dict[str, Callable[[], object]]:
        """Commands by the names of their actions."""
        window = self._window
        area, tabs, desk, change = window.area, window.tabs, window.desk, window.change
        return {
            "new_chat": tabs.new_chat,
            "close_tab": tabs.close_current,
            "find_models": lambda: self._ask_library(lambda door: door.find_models()),
            "installed_models": lambda: self._ask_library(lambda door: door.show_installed()),
            "downloads": lambda: self._ask_library(lambda door: door.show_downloads()),
            "load_model": desk.choose_model,
            "load_gguf": desk.choose_gguf,
            "recent_models": desk.open_recent,
            "load_settings": desk.open_load_dialog,
            "about_load": desk.open_report,
            "unload_model": desk.unload,
            "quantize_model": self.quantize,
            "sleep_models": desk.lend,
            "wake_model": desk.wake,
            "settings": self.show_settings,
            "quit": window.close,
            "stop": self._stop,
            "rename_chat": self._rename,
            "delete_chat": self._delete,
            "next_tab": lambda: self._go(lambda: area.step(1)),
            "previous_tab": lambda: self._go(lambda: area.step(-1)),
            "palette": self.show_palette,
            "search": self._search,
            "toggle_sidebar": window.toggle_sidebar,
            "split_right": lambda: tabs.split(Qt.Orientation.Horizontal),
            "split_down": lambda: tabs.split(Qt.Orientation.Vertical),
            "focus_next_pane": lambda: self._go(lambda: area.step_pane(1)),
            "focus_previous_pane": lambda: self._go(lambda: area.step_pane(-1)),
            "move_to_next_pane": area.move_to_next_pane,
            "close_pane": lambda: self._go(area.close_pane),
            "theme_system": lambda: change(theme="system"),
            "theme_light": lambda: change(theme="light"),
            "theme_dark": lambda: change(theme="dark"),
            "theme_contrast": lambda: change(theme="contrast"),
            "font_larger": lambda: self._change_font(window.settings.font_size + 1),
            "font_smaller": lambda: self._change_font(window.settings.font_size - 1),
            "font_normal": lambda: self._change_font(Settings().font_size),
            "send_enter": lambda: change(send_with="enter"),
            "send_ctrl_enter": lambda: change(send_with="ctrl+enter"),
            "toggle_monitor": lambda: self._ask_monitor(lambda door: door.toggle()),
            "monitor_window": lambda: self._ask_monitor(lambda door: door.toggle_window()),
            "monitor_pause": lambda: self._ask_monitor(lambda door: door.toggle_pause()),
            "monitor_record": lambda: self._ask_monitor(lambda door: door.toggle_recording()),
            "monitor_open": lambda: self._ask_monitor(lambda door: door.open_recording()),
            "monitor_picture": lambda: self._ask_monitor(lambda door: door.export_picture()),
            "monitor_histories": lambda: self._ask_monitor(lambda door: door.export_histories()),
            "monitor_chats": lambda: self._ask_monitor(lambda door: door.export_chats()),
            "monitor_alerts": self.show_alerts,
            "show_log": desk.show_log,
            "check_machine": self._check_machine,
            "about": self._about,
        }

    def zoom(self, by: int) -> None:
        """Make the text larger by so many points (smaller, if negative)."""
        self._change_font(self._window.settings.font_size + by)

    def there(self) -> set[Need]:
        """What is there of all that actions may need."""
        area = self._window.area
        tab = area.current_tab()
        phases = [one.view.phase for one in self._hub.pool.clients()]
        facts = {
            Need.STORE: self._hub.is_usable,
            Need.MODEL: phases[0] in (Phase.READY, Phase.LOADING, Phase.SLEEPING),
            Need.LOADED: phases[0] in (Phase.READY, Phase.SLEEPING),
            Need.AWAKE: Phase.READY in phases,
            Need.ASLEEP: Phase.SLEEPING in phases,
            Need.TABS: area.current_pane.count() > 1,
            Need.PANES: len(area.panes()) > 1,
            Need.TAB: tab is not None,
        }
        if tab is not None:
            # The path, not its messages with all text so far: this is asked at each change of
            # any chat, and a chat may have ten thousand of them.
            session, path = tab.session, tab.session.path
            last, active = path.last, session.state.is_active
            at_rest = last is not None and not active
            facts |= {
                Need.SPLITTABLE: area.can_split() and (facts[Need.TABS] or facts[Need.STORE]),
                Need.CHAT: bool(session.chat_id),
                Need.ACTIVE: active,
                Need.MESSAGES: last is not None,
                Need.AT_REST: at_rest,
                Need.ANSWER: at_rest and last is not None and last.role is Role.ASSISTANT,
                Need.SIBLINGS: at_rest and path.has_branches,
            }
        return {need for need, is_there in facts.items() if is_there}

    def show_palette(self) -> None:
        """Open the command palette; it is built when first asked for."""
        if self._palette is None:
            from desktop.views.window.command_palette import CommandPalette

            self._palette = CommandPalette(self._window)
            self._palette.chat_chosen.connect(self._window.tabs.show)
        self._palette.open_with(self._window.actions_by_name, self._window.chats)

    def show_settings(self) -> None:
        """Open the settings."""
        from desktop.views.settings.settings_dialog import SettingsDialog

        SettingsDialog(self._window, self._hub).open()

    def show_network(self) -> None:
        """Open the settings of the network and of where models lie."""
        from desktop.views.settings.settings_dialog import SettingsDialog

        self._window.bring_to_front()
        dialog = SettingsDialog(self._window, self._hub)
        dialog.show_network()
        dialog.open()

    def show_alerts(self) -> None:
        """Open the settings of the monitor and of the alerts."""
        from desktop.views.settings.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self._window, self._hub)
        dialog.show_monitor()
        dialog.open()

    def quantize(self, model: str = "") -> None:
        """Open the form for making a 4-bit model; "": of the window's model."""
        if self._quantizing is None:
            from desktop.views.quantizing.quantize_desk import QuantizeDesk

            self._quantizing = QuantizeDesk(self._window)
        self._quantizing.open(model)

    def focus_composer(self) -> None:
        """Put the cursor where one writes, if a tab is open."""
        tab = self._window.area.current_tab()
        if tab is not None:
            tab.focus_composer()

    # --- inside ----------------------------------------------------------------------------

    def _go(self, step: Callable[[], object]) -> None:
        """Go to another tab, and to its composer: not to whatever comes first in it."""
        step()
        self.focus_composer()

    def _stop(self) -> None:
        tab = self._window.area.current_tab()
        if tab is not None:
            tab.session.stop()

    def _rename(self) -> None:
        tab = self._window.area.current_tab()
        if tab is not None:
            self._window.chat_list.rename(tab.session.chat_id, tab.session.title)

    def _delete(self) -> None:
        tab = self._window.area.current_tab()
        if tab is not None:
            self._window.tabs.delete(tab.session.chat_id)

    def _search(self) -> None:
        self._window.show_sidebar_now()
        self._window.chat_list.search()

    def _change_font(self, points: int) -> None:
        self._window.change(font_size=min(max(points, FONT_SIZES.start), FONT_SIZES.stop - 1))

    def _check_machine(self) -> None:
        from desktop.views.window.machine_dialog import MachineDialog

        MachineDialog(self._window).open()

    def _ask_library(self, what: Callable[[LibraryDoor], object]) -> None:
        """Before the first paint there is no library, and nobody who could ask."""
        if self._window.library is not None:
            what(self._window.library)

    def _ask_monitor(self, what: Callable[[MonitorDoor], object]) -> None:
        """As the library, it comes after the first paint."""
        if self._window.monitor is not None:
            what(self._window.monitor)

    def _about(self) -> None:
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self._window)
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
