"""The model library, put together: the hub's process, the downloads, the shelf, the pages.

Nothing of it is imported or built before it is needed: at the earliest some time after the first
paint, when unfinished downloads go on and the models on this computer are looked up. The network
is asked only by what the user opens, or has asked for before.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QPushButton, QWidget

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.library import wish_list
from desktop.models.library.download_view import DownloadState
from desktop.models.notice import Notice, NoticeLevel
from desktop.settings import Settings
from desktop.views.engine.library_door import Wanted
from engine.store.folders import models_folder

if TYPE_CHECKING:
    from desktop.models.library.download_desk import DownloadDesk
    from desktop.models.library.hub_link import HubLink
    from desktop.models.library.shelf import Shelf
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.session_hub import SessionHub
    from desktop.paths import Folders
    from desktop.views.engine.picker.picker_desk import PickerDesk
    from desktop.views.library.installed_page import InstalledPage
    from desktop.views.library.library_window import LibraryWindow
    from desktop.views.window.main_window import MainWindow

log = logging.getLogger(__name__)

SETTLE_MS: Final = 2_500  # after the first paint: the engine starts and the chats are read
_REFUSED: Final = ("sign_in", "gated", "gated_pending")  # by the hub, for want of a token
PLACE_FILE: Final = "library.json"  # in the state folder


class Library(QObject):
    """See the module. What the window asks of it is `LibraryDoor`.

    Args:
        settle_ms: how long after the first paint it looks about.
    """

    def __init__(
        self,
        window: MainWindow,
        hub: SessionHub,
        folders: Folders,
        parent: QObject | None = None,
        *,
        settle_ms: int = SETTLE_MS,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._hub = hub
        self._folders = folders
        self._shelf: Shelf | None = None
        self._link: HubLink | None = None
        self._downloads: DownloadDesk | None = None
        self._picker: PickerDesk | None = None
        self._library: LibraryWindow | None = None
        self._installed: InstalledPage | None = None
        self._badge: QPushButton | None = None
        self._then: dict[str, Callable[[str], object]] = {}  # by the download's key
        self._is_closed = False
        self._start = QTimer(self)
        self._start.setSingleShot(True)
        self._start.setInterval(settle_ms)
        self._start.timeout.connect(self._begin)
        window.library = self
        window.desk.library = self
        window.desk.model_used.connect(self._on_model_used)
        window.settings_changed.connect(self._on_settings)
        self._start.start()

    # --- its parts, each made when it is first needed ------------------------------------

    @property
    def shelf(self) -> Shelf:
        """The models on this computer."""
        if self._shelf is None:
            from desktop.models.library.shelf import Shelf

            folders = self._folders
            self._shelf = Shelf(
                models_folder(), folders.state, folders.cache, lambda: self._window.settings, self
            )
            self._shelf.changed.connect(self._on_shelf_changed)
        return self._shelf

    @property
    def link(self) -> HubLink:
        """Asks the hub; its process comes with the first question."""
        if self._link is None:
            from desktop.models.library.hub_link import HubLink
            from desktop.network import network_of

            self._link = HubLink(network_of(self._window.settings), self)
        return self._link

    @property
    def downloads(self) -> DownloadDesk:
        """All downloads; what an earlier start left goes on as soon as it is made."""
        if self._downloads is None:
            from desktop.models.library.download_desk import DownloadDesk

            desk = DownloadDesk(self._folders, lambda: self._window.settings, self)
            self._downloads = desk
            desk.changed.connect(lambda _view: self._show_total())
            desk.listed.connect(self._show_total)
            desk.listed.connect(self._forget_cancelled)
            desk.finished.connect(self._on_finished)
            desk.noticed.connect(self._window.warn)
            desk.restore()
        return self._downloads

    @property
    def window(self) -> LibraryWindow:
        """The library's window."""
        if self._library is None:
            from desktop.views.library import library_window as names

            self._library = names.LibraryWindow(
                {
                    names.DISCOVER: self._make_discover,
                    names.INSTALLED: self._make_installed,
                    names.DOWNLOADS: self._make_downloads,
                },
                place_file=self._folders.state / PLACE_FILE,
            )
            self._show_total()
        return self._library

    @property
    def picker(self) -> PickerDesk:
        """The popup at a tab's model button."""
        if self._picker is None:
            from desktop.models.library.fit_book import FitBook
            from desktop.views.engine.picker.picker_desk import PickerDesk

            desk = self._window.desk
            fits = FitBook(lambda: desk.book, self)
            self._picker = PickerDesk(
                desk, self._hub, self.shelf, fits, lambda: self._window.settings.recent_models
            )
            self._picker.find_wanted.connect(self.find_models)
        return self._picker

    # --- what the window asks (see `LibraryDoor`) -----------------------------------------

    def find_models(self) -> None:
        """Show where models are found."""
        from desktop.views.library.library_window import DISCOVER

        self.window.show_page(DISCOVER)

    def show_installed(self) -> None:
        """Show what is on this computer."""
        from desktop.views.library.library_window import INSTALLED

        self.window.show_page(INSTALLED)

    def show_downloads(self) -> None:
        """Show what is on its way here."""
        from desktop.views.library.library_window import DOWNLOADS

        self.window.show_page(DOWNLOADS)

    def show_model(self, repo: str) -> None:
        """Show a model of the hub: "owner/name"."""
        self.window.show_model(repo)

    def open_picker(self, session: ChatSession, anchor: QWidget) -> None:
        """Choose the model of a chat; the picker opens at `anchor`."""
        self.picker.open(session, anchor)

    def fetch(self, wanted: Wanted, then: Callable[[str], object]) -> None:
        """Fetch a model, or what is missing of it; `then` takes its folder."""
        if not self._window.settings.offline:
            self._fetch(wanted, then)
            return
        from desktop.views.engine.questions import ask

        ask(
            self._window,
            self.tr("Inglenook is offline"),
            self.tr("You have switched the network off."),
            self.tr("{name} comes from the hub.").format(name=wanted.repo),
            [(self.tr("Go online and fetch it"), lambda: self._go_online_for(wanted, then))],
        )

    def sign_in(self) -> None:
        """Ask for the hub's token."""
        from desktop.views.library.sign_in_dialog import SignInDialog

        shown = self._library is not None and self._library.isVisible()
        dialog = SignInDialog(self.link, self._library if shown else self._window)
        dialog.signed_in.connect(self._on_signed_in)
        dialog.open()

    def go_online(self) -> None:
        """From now on the hub may be asked."""
        self._window.change(offline=False)

    def take(self, path: Path) -> None:
        """A folder or a file was dropped on the window: ask what is to become of it."""
        from desktop.views.library.model_drop import ask_about

        ask_about(
            path,
            self._window,
            load=self._window.desk.open_load_dialog,
            take_in=self.import_model,
            add_folder=self.add_folder,
        )

    def import_model(self, path: str) -> None:
        """Take a model into the store, with its progress."""
        from desktop.views.library.import_dialog import open_import

        dialog = open_import(path, self.shelf, self._folders, self._window)
        dialog.load_requested.connect(self._window.desk.open_load_dialog)
        dialog.folder_added.connect(self.add_folder)

    def add_folder(self, path: str) -> None:
        """Look for models in a folder from now on."""
        folders = self._window.settings.library_folders
        if path not in folders:
            self._window.change(library_folders=(*folders, path))
        self.show_installed()

    def close(self) -> None:
        """The program ends: downloads stop where they are, and go on at the next start."""
        if self._is_closed:
            return
        self._is_closed = True
        self._start.stop()
        if self._installed is not None:
            self._installed.close_work()
        if self._downloads is not None:
            self._downloads.close()
        if self._link is not None:
            self._link.close()
        if self._library is not None:
            self._library.close()
            self._library.deleteLater()

    # --- the pages ------------------------------------------------------------------------

    def _make_discover(self, parent: QWidget) -> QWidget:
        from desktop.models.library import search_memory
        from desktop.models.library.discover_context import DiscoverContext
        from desktop.models.loading.machine_reading import read_machine
        from desktop.views.library.discover_page import DiscoverPage
        from engine.planner.learned import Learned

        window = self._window

        def learned() -> Learned:
            book = window.desk.book
            return book.memory.learned() if book is not None else Learned()

        context = DiscoverContext(
            # What our own engines hold is free for another model.
            read_machine=lambda: read_machine(self._ours()),
            learned=learned,
            read_settings=lambda: window.settings,
            models=models_folder,
            installed=lambda: self.shelf.models,
            search_file=self._folders.state / search_memory.FILE,
        )
        page = DiscoverPage(self.link, self.downloads, context, parent)
        page.online_wanted.connect(self.go_online)
        page.network_wanted.connect(window.commands.show_network)
        page.downloads_wanted.connect(self.show_downloads)
        page.load_requested.connect(self._load)
        self.shelf.changed.connect(lambda _models: page.refresh_installed())
        if not self.shelf.is_read:
            self.shelf.refresh()
        return page

    def _make_installed(self, parent: QWidget) -> QWidget:
        from desktop.views.library.installed_page import InstalledPage

        desk = self._window.desk
        page = InstalledPage(self.shelf, self._hub.pool, self.downloads, self._folders, parent)
        page.load_requested.connect(self._load)
        page.load_beside_requested.connect(self._in_front(desk.beside.load))
        page.unload_requested.connect(self._unload)
        page.settings_requested.connect(self._in_front(desk.open_load_dialog))
        page.quantise_requested.connect(self._in_front(self._window.commands.quantize))
        page.convert_requested.connect(self._in_front(desk.care.convert))
        page.link_requested.connect(partial(self._open_link, page))
        page.find_requested.connect(self.find_models)
        page.folder_added.connect(self.add_folder)
        page.settings_page_requested.connect(self._window.commands.show_network)
        self._installed = page
        return page

    def _make_downloads(self, parent: QWidget) -> QWidget:
        from desktop.views.library.downloads_page import DownloadsPage

        page = DownloadsPage(self.downloads, parent)
        page.load_requested.connect(self._load)
        page.sign_in_requested.connect(lambda _url: self.sign_in())
        page.link_requested.connect(partial(self._open_link, page))
        page.online_requested.connect(self.go_online)
        page.find_requested.connect(self.find_models)
        self._window.settings_changed.connect(lambda _settings: page.show_settings())
        return page

    # --- inside ---------------------------------------------------------------------------

    def _begin(self) -> None:
        """The start is over: go on with downloads, and see what models there are."""
        if (self._folders.state / wish_list.FILE).exists():
            total = self.downloads.total()
            count = total.running + total.queued
            if count:
                self._hint(self.tr("%n download(s) go on where they were.", "", count))
        self.shelf.refresh()

    def _ours(self) -> frozenset[int]:
        return frozenset(one.pid for one in self._hub.pool.clients() if one.pid)

    def _load(self, path: str) -> None:
        """In place of the window's model; a chat not begun yet follows it."""
        self._window.bring_to_front()
        tab = self._window.area.current_tab()
        session = tab.session if tab is not None and tab.session.is_blank else None

        def then() -> None:
            if session is not None and session.chat_id:
                session.set_model("")

        self._window.desk.load(path, then=then)

    def _in_front(self, call: Callable[[str], object]) -> Callable[[str], None]:
        """What it asks, it asks over the window of the chats."""

        def do(path: str) -> None:
            self._window.bring_to_front()
            call(path)

        return do

    def _unload(self, path: str) -> None:
        client = self._hub.pool.client_for(path) if path else None
        if client is self._hub.pool.primary:
            self._window.desk.unload()
        elif client is not None:
            self._window.desk.beside.close(client)

    def _open_link(self, parent: QWidget, address: str) -> None:
        from desktop.views.dialogs import LinkDialog

        LinkDialog(address, parent.window()).open()

    def _go_online_for(self, wanted: Wanted, then: Callable[[str], object]) -> None:
        self.go_online()
        self._fetch(wanted, then)

    def _fetch(self, wanted: Wanted, then: Callable[[str], object]) -> None:
        key = self.downloads.start(wanted.repo, wanted.revision, wanted.variant, None)
        self._then[key] = then
        self.show_downloads()

    def _forget_cancelled(self) -> None:
        """Who gives a download up and wants it again later wants only the model then."""
        there = {view.key for view in self.downloads.views()}
        self._then = {key: then for key, then in self._then.items() if key in there}

    def _on_finished(self, folder: str) -> None:
        self.shelf.refresh()
        for view in self.downloads.views():
            then = self._then.pop(view.key, None) if view.folder == folder else None
            if then is not None:
                if self._library is not None and self._library.isActiveWindow():
                    self._window.bring_to_front()  # there it was waited for
                then(folder)
                return
        if self._library is None or not self._library.isActiveWindow():
            self._tell_installed(folder)

    def _on_signed_in(self) -> None:
        """What was refused because nobody was signed in is asked for again."""
        if self._downloads is not None:
            for view in self._downloads.views():
                if view.state is DownloadState.FAILED and view.code in _REFUSED:
                    self._downloads.retry(view.key)

    def _tell_installed(self, path: str) -> None:
        """A model is here: it can be loaded at once."""
        bar = self._window.store_bar
        self._hint(self.tr("{name} is installed.").format(name=model_name(path)))

        def load() -> None:
            bar.show_notice(Notice(NoticeLevel.HINT, ""))
            self._window.desk.open_load_dialog(path)

        bar.add_button(self.tr("Load it…"), load)

    def _hint(self, text: str) -> None:
        self._window.store_bar.show_notice(Notice(NoticeLevel.HINT, text))

    def _show_total(self) -> None:
        """The downloads in the status bar, and in the library's rail."""
        if self._downloads is None:
            return
        from desktop.models.library.download_words import badge_text

        total = self._downloads.total()
        words = badge_text(total)
        if self._library is not None:
            from desktop.views.library.library_window import DOWNLOADS

            count = total.running + total.queued
            self._library.set_badge(DOWNLOADS, str(count) if count else "")
        if self._badge is None:
            if not words:
                return
            self._badge = self._make_badge()
        self._badge.setText(words)
        self._badge.setAccessibleName(words)
        self._badge.setVisible(bool(words))

    def _make_badge(self) -> QPushButton:
        badge = QPushButton()
        badge.setProperty("kind", "quiet")
        badge.setAutoDefault(False)
        badge.setToolTip(
            self.tr("Show the downloads. If you close Inglenook they go on at the next start.")
        )
        badge.clicked.connect(lambda _checked=False: self.show_downloads())
        badge.setFont(theme.current().figure_font())
        theme.notifier().changed.connect(self._fit_badge)
        self._window.status.addPermanentWidget(badge)
        return badge

    def _fit_badge(self) -> None:
        """As the status bar's other figures: small, its digits of one width."""
        if self._badge is not None and not self._is_closed:
            self._badge.setFont(theme.current().figure_font())

    def _on_shelf_changed(self, models: object) -> None:
        """Who has the starter model alone is told where others are."""
        from engine.store.library.records import Source

        assert isinstance(models, tuple)
        others = [one for one in models if one.source is not Source.STARTER and not one.problem]
        self._window.tabs.set_newcomer(bool(models) and not others)

    def _on_model_used(self, folder: str) -> None:
        if not self._is_closed:
            self.shelf.note_used(folder)

    def _on_settings(self, settings: Settings) -> None:
        if self._link is not None:
            from desktop.network import network_of

            self._link.set_settings(network_of(settings))
        if self._downloads is not None:
            self._downloads.apply_settings()
        if self._shelf is not None and self._shelf.is_read:
            self._shelf.look()
