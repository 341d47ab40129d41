"""The model library: a window of its own beside the chats, with a page for each thing to do."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QWidget,
)

from desktop import json_file, theme
from desktop.views.icons import icon
from desktop.views.library.rule import Rule
from desktop.views.library.widths import at_size

SIZE: Final = (1080, 720)
LEAST: Final = (560, 420)
RAIL_WIDTH: Final = 176
NARROW: Final = 860  # below this the rail shows its icons alone
ICON_SIZE: Final = 18
DISCOVER: Final = "discover"
INSTALLED: Final = "installed"
DOWNLOADS: Final = "downloads"
_ICONS: Final = {DISCOVER: "discover", INSTALLED: "shelf", DOWNLOADS: "download"}
_VERSION: Final = 1
_NAME_ROLE: Final = int(Qt.ItemDataRole.UserRole)


class LibraryWindow(QWidget):
    """See the module. Closing hides it; its pages live as long as the window.

    Args:
        pages: what builds each page, by its name, when it is first shown; the names that the
            rail knows are `DISCOVER`, `INSTALLED` and `DOWNLOADS`, in the order given.
        place_file: where its size and the page in front are kept; None: nowhere.

    Signals:
        page_shown: the name of the page now in front.
    """

    page_shown = Signal(str)

    def __init__(
        self,
        pages: Mapping[str, Callable[[QWidget], QWidget]],
        *,
        place_file: Path | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._makers = dict(pages)
        self._pages: dict[str, QWidget] = {}
        self._badges: dict[str, str] = {}
        self._place_file = place_file
        self._is_narrow = False
        self._pressed_on: QWidget | None = None
        space = theme.current().space
        self.setWindowTitle(self.tr("Model library"))
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.rail = QListWidget()
        self.rail.setAccessibleName(self.tr("Pages of the model library"))
        self.rail.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.rail.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rail.setResizeMode(QListView.ResizeMode.Adjust)
        for name in self._makers:
            item = QListWidgetItem(icon(_ICONS.get(name, "file"), "muted"), "")
            item.setData(_NAME_ROLE, name)
            self.rail.addItem(item)
        self._stack = QStackedWidget()
        self._stack.setProperty("role", "page")
        self._stack.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._side = QFrame()
        self._side.setProperty("role", "sidebar")
        left = QHBoxLayout(self._side)
        left.setContentsMargins(space.s, space.m, space.s, space.m)
        left.addWidget(self.rail)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(Rule())
        row.addWidget(self._stack, 1)
        self.rail.currentItemChanged.connect(self._on_item)
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self)
        close.activated.connect(self.close)
        theme.notifier().changed.connect(self._lay_rail)
        self._lay_rail()
        self._restore()

    # --- what the program says ------------------------------------------------------------

    @property
    def page_name(self) -> str:
        """The page in front; "" before one was shown."""
        item = self.rail.currentItem()
        return str(item.data(_NAME_ROLE)) if item is not None else ""

    def page(self, name: str) -> QWidget | None:
        """A page that was built; None before."""
        return self._pages.get(name)

    def show_page(self, name: str) -> QWidget:
        """Bring a page to the front, and the window with it.

        Raises:
            KeyError: there is no such page.
        """
        page = self._built(name)
        self._choose_row(name)
        self._bring(name)
        self._come_up()
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        return page

    def show_model(self, repo: str) -> None:
        """Show the page of one of the hub's models: "owner/name"."""
        show = getattr(self.show_page(DISCOVER), "show_model", None)
        if callable(show):
            show(repo)

    def open(self) -> None:
        """Show it with the page that was in front last."""
        self.show_page(self.page_name or next(iter(self._makers)))

    def set_badge(self, name: str, words: str) -> None:
        """Put a few signs beside a page's name: how many downloads run, say; "": none."""
        if self._badges.get(name, "") != words:
            self._badges[name] = words
            self._lay_rail()

    # --- Qt ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window gives the rail's room to the page."""
        super().resizeEvent(event)
        if (event.size().width() < at_size(NARROW)) != self._is_narrow:
            self._lay_rail()

    def event(self, event: QEvent) -> bool:
        """Before each key press it is asked whether that is a shortcut."""
        if event.type() == QEvent.Type.ShortcutOverride:
            self._pressed_on = self.focusWidget()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, as Space does: there is no other here.

        Not one that got the focus by this very press, in a list of models, say.
        """
        button = self.focusWidget()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat()
        if is_enter and isinstance(button, QAbstractButton) and button is self._pressed_on:
            button.click()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Its place is kept."""
        self._keep()
        super().closeEvent(event)

    # --- inside -----------------------------------------------------------------------------

    def _come_up(self) -> None:
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def _built(self, name: str) -> QWidget:
        page = self._pages.get(name)
        if page is None:
            page = self._pages[name] = self._makers[name](self)
            self._stack.addWidget(page)
            theme.add_page(page)
        return page

    def _on_item(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        self._bring(str(item.data(_NAME_ROLE)))

    def _bring(self, name: str) -> None:
        self._stack.setCurrentWidget(self._built(name))
        self._lay_rail()
        self.page_shown.emit(name)

    def _choose_row(self, name: object) -> None:
        """Mark it in the rail, and no more."""
        self.rail.blockSignals(True)
        for row in range(self.rail.count()):
            if self.rail.item(row).data(_NAME_ROLE) == name:
                self.rail.setCurrentRow(row)
        self.rail.blockSignals(False)

    def _titles(self) -> dict[str, str]:
        return {
            DISCOVER: self.tr("Discover"),
            INSTALLED: self.tr("Installed"),
            DOWNLOADS: self.tr("Downloads"),
        }

    def _lay_rail(self, *_ignored: object) -> None:
        narrow = self._is_narrow = self.width() < at_size(NARROW)
        space = theme.current().space
        titles = self._titles()
        height = self.rail.fontMetrics().height() + 2 * space.s
        for row in range(self.rail.count()):
            item = self.rail.item(row)
            name = str(item.data(_NAME_ROLE))
            title, badge = titles.get(name, name), self._badges.get(name, "")
            full = f"{title} ({badge})" if badge else title
            item.setText("" if narrow else full)
            item.setToolTip(full if narrow else "")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, full)
            chosen = item is self.rail.currentItem()
            item.setIcon(icon(_ICONS.get(name, "file"), "accent" if chosen or badge else "muted"))
            item.setSizeHint(QSize(0, height))
        frame = 2 * (space.s + self.rail.frameWidth())
        self._side.setFixedWidth(frame + ICON_SIZE + 3 * space.s if narrow else at_size(RAIL_WIDTH))

    def _restore(self) -> None:
        if self._place_file is None:
            return
        content, _ = json_file.read(self._place_file, "model library's place", _VERSION)
        geometry = content.get("geometry")
        if isinstance(geometry, str):
            # Longer than any that Qt writes is no geometry; what is not one is ignored by Qt.
            data = QByteArray.fromBase64(geometry[:4096].encode("ascii", "ignore"))
            self.restoreGeometry(data)
        self._choose_row(content.get("page"))  # built when it is shown

    def _keep(self) -> None:
        if self._place_file is None:
            return
        geometry = base64.b64encode(self.saveGeometry().data()).decode("ascii")
        content: dict[str, object] = {
            "version": _VERSION,
            "geometry": geometry,
            "page": self.page_name,
        }
        json_file.write(self._place_file, content, "model library's place", sync=False)
