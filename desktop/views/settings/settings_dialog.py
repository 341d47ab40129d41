"""All settings in one dialog: what is chosen applies at once, Esc closes, nothing needs an OK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.views.settings.engine_page import EnginePage
from desktop.views.settings.monitor_page import MonitorPage
from desktop.views.settings.network_page import NetworkPage
from desktop.views.settings.settings_pages import AppearancePage, ChattingPage, StoragePage
from desktop.views.wheel_guard import WheelGuard

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub
    from desktop.settings import Settings
    from desktop.views.window.main_window import MainWindow

SIZE = (720, 600)
LIST_WIDTH = 190


class SettingsDialog(QDialog):
    """See the module."""

    def __init__(self, window: MainWindow, hub: SessionHub) -> None:
        super().__init__(window)
        space = theme.current().space
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(min(SIZE[0], window.width()), min(SIZE[1], window.height()))
        self.appearance = AppearancePage(window)
        self.chatting = ChattingPage(window)
        self.storage = StoragePage(window, hub)
        self.engine = EnginePage(window)
        self.list = QListWidget()
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setAccessibleName(self.tr("Pages of settings"))
        self.pages = QStackedWidget()
        self.pages.setProperty("role", "page")
        self.pages.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.network = NetworkPage(window)
        self.monitor = MonitorPage(window)
        pages = (
            *(self.appearance, self.chatting, self.storage, self.engine, self.network),
            self.monitor,
        )
        for page in pages:
            item = QListWidgetItem(page.title)
            item.setSizeHint(QSize(0, self.list.fontMetrics().height() + 2 * space.s))
            self.list.addItem(item)
            self.pages.addWidget(page)
        self.list.currentRowChanged.connect(self.pages.setCurrentIndex)
        self.list.setCurrentRow(0)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        side = QWidget()
        left = QVBoxLayout(side)
        left.setContentsMargins(space.m, space.m, space.m, space.m)
        left.addWidget(self.list, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(space.m, space.s, space.m, space.m)
        foot.addWidget(buttons)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(side)
        body.addWidget(self.pages, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(body, 1)
        layout.addLayout(foot)
        least = max(page.least_width() for page in pages)
        self.setMinimumWidth(LIST_WIDTH + 2 * space.m + least)
        WheelGuard(self)
        window.settings_changed.connect(self._on_settings_changed)
        self.list.setFocus()

    def done(self, result: int) -> None:
        """Nothing that was typed is lost."""
        self.chatting.settle()
        self.network.settle()
        super().done(result)

    def show_network(self) -> None:
        """Show the page of the network and of the models."""
        self.list.setCurrentRow(self.pages.indexOf(self.network))

    def show_monitor(self) -> None:
        """Show the page of the monitor and of the alerts."""
        self.list.setCurrentRow(self.pages.indexOf(self.monitor))

    def _on_settings_changed(self, settings: Settings) -> None:
        for page in (self.appearance, self.chatting, self.engine, self.network, self.monitor):
            page.show_settings(settings)
