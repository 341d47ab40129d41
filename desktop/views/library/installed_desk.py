"""Does what is wanted with installed models: here what the library can, elsewhere the rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from desktop.background import Background, in_thread
from desktop.models.library import installed_words as words
from desktop.models.library.download_view import key_of
from desktop.models.library.installed_deeds import Deed
from desktop.models.library.installed_model import InstalledList, InstalledRow
from desktop.models.library.shelf_work import ShelfWork
from desktop.models.loading.size_text import size_text
from engine.store.library.records import InstalledModel

if TYPE_CHECKING:
    from desktop.models.library.download_desk import DownloadDesk
    from desktop.models.library.shelf import Shelf
    from engine.store.library.records import BinEntry
    from engine.store.library.wire import Done, Failed

_NO_UNDO = "no_undo"  # a failure's code: it could only be deleted at once


class InstalledDesk(QObject):
    """See the module.

    Attributes:
        work: what runs in processes.
        bin: what was deleted and can come back.

    Signals:
        load_requested, load_beside_requested, unload_requested, settings_requested,
        quantise_requested, convert_requested: the path of a model.
        link_requested: an address.
        said: a text for the user, and what makes it undone (or None).
        warned: a text for the user: something came to nothing.
        bin_changed: something was put into the bin, or came out.
    """

    load_requested = Signal(str)
    load_beside_requested = Signal(str)
    unload_requested = Signal(str)
    settings_requested = Signal(str)
    quantise_requested = Signal(str)
    convert_requested = Signal(str)
    link_requested = Signal(str)
    said = Signal(str, object)
    warned = Signal(str)
    bin_changed = Signal()

    def __init__(
        self,
        shelf: Shelf,
        models: InstalledList,
        downloads: DownloadDesk,
        folder: Path,
        window: QWidget,
        *,
        work: ShelfWork | None = None,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._shelf = shelf
        self._models = models
        self._downloads = downloads
        self._folder = folder
        self._background = Background(self)
        self._after_unload: set[str] = set()
        self.bin: tuple[BinEntry, ...] = ()
        self.work = work or ShelfWork(folder, self)
        self.work.changed.connect(self._show_work)
        self.work.verified.connect(self._on_verified)
        self.work.deleted.connect(self._on_deleted)
        self.work.restored.connect(self._on_restored)
        self.work.emptied.connect(self._on_emptied)
        self.work.failed.connect(self._on_failed)
        models.dataChanged.connect(lambda *_which: self._go_on_deleting())
        downloads.changed.connect(lambda _view: self._show_work())
        downloads.listed.connect(self._show_work)

    def do(self, deed: Deed, row: InstalledRow) -> None:
        """Do it, or ask first."""
        model, path = row.model, row.model.path
        match deed:
            case Deed.LOAD:
                self.load_requested.emit(path)
            case Deed.BESIDE:
                self.load_beside_requested.emit(path)
            case Deed.UNLOAD:
                self.unload_requested.emit(path)
            case Deed.SETTINGS:
                self.settings_requested.emit(path)
            case Deed.QUANTISE:
                self.quantise_requested.emit(path)
            case Deed.CONVERT:
                self.convert_requested.emit(path)
            case Deed.PAGE:
                self.link_requested.emit(f"{self._downloads.endpoint}/{model.repo}")
            case Deed.SHOW:
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(model.folder)))
            case Deed.FETCH:
                self._downloads.start(model.repo, model.commit or "main", model.variant)
                self.said.emit(
                    self.tr("What is missing of {model} is being fetched.").format(model=row.title),
                    None,
                )
            case Deed.VERIFY:
                self.work.verify(model)
            case Deed.STOP_VERIFY:
                task = self.work.verification(path)
                if task is not None:
                    task.cancel()
            case Deed.FILES:
                self._show_files(row)
            case Deed.DELETE:
                self._delete(row)

    def look_into_bin(self) -> None:
        """Read what is in the bin."""

        def look() -> tuple[BinEntry, ...]:
            from engine.store.library import bin as model_bin

            return model_bin.entries(self._folder)

        self._background.watch(in_thread(look, "model-bin"), self._on_bin, lambda _error: None)

    def close(self) -> None:
        """The window goes away."""
        self.work.close()

    # --- deleting ----------------------------------------------------------------------

    def _delete(self, row: InstalledRow) -> None:
        from desktop.views.engine.questions import ask

        model = row.model
        if row.is_loaded:
            ask(
                self._window,
                self.tr("Delete a model"),
                self.tr("{model} is loaded.").format(model=row.title),
                self.tr("It has to be unloaded before it can be deleted."),
                [(self.tr("Unload and delete"), lambda: self._unload_first(model))],
            )
        else:
            self.work.delete(model)

    def _ask_for_good(self, model: InstalledModel, failed: Failed) -> None:
        from desktop.views.engine.questions import ask

        ask(
            self._window,
            self.tr("Delete for good"),
            words.failed_text(failed),
            self.tr("This cannot be undone. {size} become free.").format(
                size=size_text(model.frees)
            ),
            [(self.tr("Delete"), lambda: self.work.delete(model, for_good=True))],
        )

    def _unload_first(self, model: InstalledModel) -> None:
        self._after_unload.add(model.path)
        self.unload_requested.emit(model.path)
        self._go_on_deleting()

    def _go_on_deleting(self) -> None:
        """What was to be unloaded first may be so by now."""
        for path in tuple(self._after_unload):
            row = self._models.row_for(path)
            if row is None:
                self._after_unload.discard(path)
            elif not row.is_loaded:
                self._after_unload.discard(path)
                self._delete(row)

    def _on_deleted(self, model: InstalledModel, done: Done) -> None:
        name = words.title_text(model)
        if done.entry:
            text = self.tr("{model} is in the bin. {size} become free when it is emptied.").format(
                model=name, size=size_text(model.frees)
            )
            self.said.emit(text, lambda: self.work.restore(done.entry))
        else:
            text = self.tr("{model} was deleted, and {size} are free.").format(
                model=name, size=size_text(done.freed)
            )
            self.said.emit(text, None)
        self._after_bin()

    def _on_restored(self, _done: Done) -> None:
        self.said.emit(self.tr("The model is back."), None)
        self._after_bin()

    def _on_emptied(self, done: Done) -> None:
        self.said.emit(self.tr("{size} are free.").format(size=size_text(done.freed)), None)
        self._after_bin()

    def _after_bin(self) -> None:
        self._shelf.refresh()
        self.look_into_bin()

    def _on_bin(self, entries: tuple[BinEntry, ...]) -> None:
        if entries != self.bin:
            self.bin = entries
            self.bin_changed.emit()

    # --- verifying ---------------------------------------------------------------------

    def _show_work(self) -> None:
        """Say in the list what is being done with a model."""
        fetched = {view.key: view for view in self._downloads.views() if view.is_running}
        for model in self._models.models():
            task = self.work.verification(model.path)
            text = ""
            if task is not None:
                share = words.share_of(task.progress) if task.is_running else None
                text = words.verifying_text(share)
            elif model.repo and (view := fetched.get(key_of(model.repo, model.variant))):
                text = words.fetching_text(view.share)
            self._models.set_work(model.path, text)

    def _on_verified(self, model: InstalledModel, done: Done) -> None:
        self._show_work()
        text = words.verified_text(model, done)
        if done.damaged or done.missing:
            self.warned.emit(text)
            self._shelf.refresh()
        else:
            self.said.emit(text, None)

    def _on_failed(self, model: InstalledModel | None, failed: Failed) -> None:
        self._show_work()
        if model is not None and failed.code == _NO_UNDO:
            self._ask_for_good(model, failed)
            return
        text = words.failed_text(failed)
        if text and model is not None:
            text = f"{words.title_text(model)}: {text}"
        if text:
            self.warned.emit(text)

    # --- files -------------------------------------------------------------------------

    def _show_files(self, row: InstalledRow) -> None:
        from desktop.models.library.manifest_text import manifest_text

        folder = row.model.folder
        name = row.title

        def show(text: str) -> None:
            from desktop.views.dialogs import TextDialog

            lead = self.tr("The files of {model} as they were when it came.").format(model=name)
            TextDialog(self.tr("Files and hashes"), lead, text, self._window).open()

        def failed(error: Exception) -> None:
            self.warned.emit(
                self.tr("The list of files of {model} cannot be read: {reason}").format(
                    model=name, reason=error
                )
            )

        self._background.watch(in_thread(lambda: manifest_text(folder), "manifest"), show, failed)
