"""The settings of the network and of the models: which hub, by which way, and where models lie."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDoubleSpinBox,
    QFileDialog,
    QLineEdit,
    QListWidget,
)

from desktop import paths, theme
from desktop.background import Background, in_thread
from desktop.models.failure_text import translated_text
from desktop.models.tip_text import tip_text
from desktop.network import network_of
from desktop.settings import MAX_FOLDERS
from desktop.views.settings.settings_forms import FIELD_WIDTH, Page, push_button
from engine.store.hub.network import PUBLIC_HUB

if TYPE_CHECKING:
    from desktop.settings import Settings
    from desktop.views.window.main_window import MainWindow

TYPING_MS: Final = 600
FOLDER_LINES: Final = 4
LONGEST: Final = 2_000  # characters of an address or a path
MEBIBYTE: Final = 1 << 20
MOST_SPEED: Final = 10_000.0  # MiB/s


class NetworkPage(Page):
    """See the module."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(self.tr("Network and models"))
        self._window = window
        self._background = Background(self)
        self._checked = 0
        settings = window.settings
        self._add_network(settings)
        self._add_downloads(settings)
        self._add_places(settings)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MS)
        self._timer.timeout.connect(self.settle)
        for field in (self.endpoint, self.proxy, self.certificates):
            field.textEdited.connect(lambda _text: self._timer.start())
            field.editingFinished.connect(self.settle)
        self._show_places()
        self._check()

    def show_settings(self, settings: Settings) -> None:
        """They were changed elsewhere, or here."""
        for field, text in (
            (self.endpoint, settings.hub_endpoint),
            (self.proxy, settings.proxy),
            (self.certificates, settings.ca_bundle),
        ):
            # What is being typed is not yet in the settings.
            if not self._timer.isActive() and field.text().strip() != text:
                field.setText(text)
        self.offline.setChecked(settings.offline)
        self.hf_cache.setChecked(settings.use_hf_cache)
        if round(self.limit.value() * MEBIBYTE) != settings.download_limit:
            self.limit.setValue(settings.download_limit / MEBIBYTE)
        self._list_folders(settings.library_folders)

    def settle(self) -> None:
        """What was typed applies, and is checked."""
        self._timer.stop()
        self._window.change(
            hub_endpoint=self.endpoint.text().strip(),
            proxy=self.proxy.text().strip(),
            ca_bundle=self.certificates.text().strip(),
        )
        self._check()

    # --- building ----------------------------------------------------------------------

    def _add_network(self, settings: Settings) -> None:
        self.offline = QCheckBox(self.tr("Stay offline"))
        self.offline.setChecked(settings.offline)
        self.offline.toggled.connect(lambda on: self._window.change(offline=on))
        self.add_switch(
            self.offline,
            self.tr(
                "The hub is never asked and nothing is fetched; downloads wait. Without this, too, "
                "only what you look for or download goes over the network."
            ),
        )
        self.endpoint = self._line(settings.hub_endpoint, PUBLIC_HUB)
        self.add(
            self.tr("Address of the hub or of a mirror"),
            self.endpoint,
            self.tr("Empty: as the variable HF_ENDPOINT says, else the public hub."),
        )
        self.proxy = self._line(settings.proxy, "http://proxy.example.org:3128")
        self.add(
            self.tr("Proxy"),
            self.proxy,
            self.tr("Empty: as the variables HTTPS_PROXY and HTTP_PROXY say, else none."),
        )
        self.certificates = self._line(settings.ca_bundle, self.tr("A file in PEM form"))
        self.add(
            self.tr("Certificates to trust"),
            self.certificates,
            self.tr("For a company's proxy or mirror. Empty: those of the system."),
        )
        self.add_buttons(push_button(self.tr("Choose the file…"), self._choose_certificates))
        self.trouble = self.add_words("")
        self.trouble.setProperty("role", "danger")
        self.trouble.hide()
        self.token = self.add_fact(self.tr("Access token for the hub"))
        self.add_buttons(push_button(self.tr("Sign in or out…"), self._sign_in))

    def _add_downloads(self, settings: Settings) -> None:
        self.limit = QDoubleSpinBox()
        self.limit.setRange(0.0, MOST_SPEED)
        self.limit.setDecimals(1)
        self.limit.setSuffix(self.tr(" MiB/s"))
        self.limit.setSpecialValueText(self.tr("No limit"))
        self.limit.setMaximumWidth(FIELD_WIDTH)
        self.limit.setKeyboardTracking(False)
        self.limit.setValue(settings.download_limit / MEBIBYTE)
        inner = self.limit.findChild(QLineEdit)
        if inner is not None:  # the style sheet's padding does not reach it
            inner.setTextMargins(theme.current().space.s, 0, 0, 0)
        self.limit.valueChanged.connect(
            lambda value: self._window.change(download_limit=round(value * MEBIBYTE))
        )
        self.add(
            self.tr("Downloads take at most"),
            self.limit,
            self.tr("All of them together. It holds at once, for those that run, too."),
        )

    def _add_places(self, settings: Settings) -> None:
        self.place = self.add_fact(self.tr("Your models are kept in"))
        self.add_buttons(
            push_button(self.tr("Move them…"), self._move),
            push_button(self.tr("Open the folder"), self._open_folder),
        )
        self.hf_cache = QCheckBox(self.tr("Show the models in the Hugging Face cache"))
        self.hf_cache.setChecked(settings.use_hf_cache)
        self.hf_cache.toggled.connect(lambda on: self._window.change(use_hf_cache=on))
        self.add_switch(
            self.hf_cache,
            self.tr("What other programs have fetched is loaded from there, and not copied."),
        )
        self.folders = QListWidget()
        self.folders.setProperty("role", "field")
        self.folders.setMaximumWidth(FIELD_WIDTH)
        self.folders.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.folders.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.folders.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        line = self.folders.fontMetrics().height() + 2 * theme.current().space.xs
        self.folders.setFixedHeight(FOLDER_LINES * line)
        self.add(
            self.tr("Other folders to look for models in"),
            self.folders,
            self.tr("Each with all that lies below it. Nothing in them is changed."),
        )
        self._add = push_button(self.tr("Add a folder…"), self._choose_folder)
        self._remove = push_button(self.tr("Take off the list"), self._remove_folders)
        self.add_buttons(self._add, self._remove)
        self.folders.itemSelectionChanged.connect(self._update_folders)
        self._list_folders(settings.library_folders)

    def _line(self, text: str, example: str) -> QLineEdit:
        field = QLineEdit(text)
        field.setPlaceholderText(example)
        field.setMaxLength(LONGEST)
        field.setMaximumWidth(FIELD_WIDTH)
        return field

    # --- the network -------------------------------------------------------------------

    def _check(self) -> None:
        """Say what is wrong with the addresses; on a thread, as files are read."""
        self._checked += 1
        number, network = self._checked, network_of(self._window.settings)

        def done(trouble: str) -> None:
            if number == self._checked:  # else more has been typed meanwhile
                self.trouble.setText(translated_text(trouble))
                self.trouble.setVisible(bool(trouble))

        self._background.watch(in_thread(network.check, "network-check"), done, lambda _e: None)

    def _choose_certificates(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Choose a file of certificates"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._on_certificates)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_certificates(self, path: str) -> None:
        self.certificates.setText(path)
        self.settle()

    def _sign_in(self) -> None:
        self.settle()
        library = self._window.library
        if library is not None:
            library.sign_in()

    # --- the places --------------------------------------------------------------------

    def _show_places(self) -> None:
        """Where the models and the token lie; on a thread, as a disk may be a slow one."""
        models = paths.find().models

        def look() -> tuple[str, str]:
            return os.path.realpath(models), _token_place()

        def done(found: tuple[str, str]) -> None:
            place, token = found
            self.place.setText(place)
            if token:
                self.token.setText(self.tr("It is kept in {place}.").format(place=token))
            else:
                self.token.setText(
                    self.tr(
                        "None. Only models with a licence to accept, and private ones, need it."
                    )
                )

        self._background.watch(in_thread(look, "model-places"), done, lambda _error: None)

    def _move(self) -> None:
        from desktop.views.library.move_store_dialog import MoveStoreDialog

        # The settings are modal: over them the other dialog could not be used, and under them
        # it would end with them.
        window, settings = self._window, self.window()
        settings.close()
        MoveStoreDialog(paths.find().models, None, window).show()

    def _open_folder(self) -> None:
        from PySide6.QtCore import QUrl
        from PySide6.QtGui import QDesktopServices

        QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.find().models)))

    def _list_folders(self, folders: tuple[str, ...]) -> None:
        if [self.folders.item(i).text() for i in range(self.folders.count())] != list(folders):
            self.folders.clear()
            for folder in folders:
                self.folders.addItem(folder)
                self.folders.item(self.folders.count() - 1).setToolTip(tip_text(folder))
        self._update_folders()

    def _update_folders(self) -> None:
        self._remove.setEnabled(bool(self.folders.selectedItems()))
        self._add.setEnabled(self.folders.count() < MAX_FOLDERS)

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Choose a folder of models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.fileSelected.connect(self.add_folder)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def add_folder(self, path: str) -> None:
        """Look for models there, too."""
        folders = self._window.settings.library_folders
        if path and path not in folders:
            self._window.change(library_folders=(*folders, path)[:MAX_FOLDERS])

    def _remove_folders(self) -> None:
        gone = {item.text() for item in self.folders.selectedItems()}
        kept = tuple(one for one in self._window.settings.library_folders if one not in gone)
        self._window.change(library_folders=kept)
        self._add.setFocus(Qt.FocusReason.OtherFocusReason)


def _token_place() -> str:
    """Where the token for the hub is: a variable or a file; "": there is none. Never what it is."""
    from engine.store.token_place import token_path

    if os.environ.get("HF_TOKEN"):
        return "HF_TOKEN"
    place = token_path(os.environ)
    return str(place) if place.is_file() else ""
