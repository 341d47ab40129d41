"""Takes a model that lies somewhere into the library: copied, linked, or looked at where it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.background import Background, in_thread
from desktop.models.failure_text import translated_text
from desktop.models.library import installed_words as words
from desktop.models.library.hub_words import shown
from desktop.models.loading.size_text import size_text
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.library.work_dialog import WorkDialog
from engine.store.library.wire import Done, ImportJob

if TYPE_CHECKING:
    from desktop.models.library.shelf import Shelf
    from desktop.paths import Folders
    from engine.store.library.records import InstalledModel

COPY, LINK, PLACE = "copy", "link", "place"
_LONGEST_NAME = 120


class ImportDialog(WorkDialog):
    """See the module.

    Signals:
        imported: the path of a model that is in the library from now on.
        load_requested: the same path: it is to be loaded.
        folder_added: a folder that is to be looked into where it is.
    """

    imported = Signal(str)
    load_requested = Signal(str)
    folder_added = Signal(str)

    def __init__(
        self, source: str, shelf: Shelf, folders: Folders, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            self.tr("Import a model"), self.tr("Import"), self.tr("Stop importing"), parent
        )
        self.source = source
        self._shelf = shelf
        self._models = folders.models
        self._background = Background(self)
        self._path = ""
        self.name = QLineEdit()
        self.name.setMaxLength(_LONGEST_NAME)
        self.name.setAccessibleName(self.tr("Name in the library"))
        self.ways = {
            COPY: QRadioButton(self.tr("Copy it into the library")),
            LINK: QRadioButton(self.tr("Share its files with the library")),
            PLACE: QRadioButton(self.tr("Leave it there, and look into its folder")),
        }
        self._build()
        self.lead.setText(self.tr("Looking at {path}…").format(path=shown(source, 300)))
        self.form.setEnabled(False)
        self.go.setEnabled(False)
        self._look()

    @property
    def way(self) -> str:
        """How it is to be taken."""
        return next(way for way, button in self.ways.items() if button.isChecked())

    def more_buttons(self) -> Sequence[QPushButton]:
        """What can be done with it once it is there."""
        self.load = push_button(self.tr("Load it"), self._load, "primary")
        self.load.hide()
        return (self.load,)

    def job(self) -> ImportJob | None:
        """The import, as it is asked for."""
        if self.way == PLACE:
            self.folder_added.emit(self._folder())
            self.accept()
            return None
        return ImportJob(
            models=str(self._models),
            source=self.source,
            name=self.name.text().strip(),
            way=self.way,
        )

    def on_done(self, done: Done) -> None:
        """It is there."""
        self._path = done.path
        self._shelf.refresh()
        self.finish(
            self.tr("The model is in the library"),
            self.tr("Every byte was read again and is like the original."),
        )
        self.load.show()
        self.load.setFocus()
        self.fit()
        self.imported.emit(done.path)

    # --- inside ------------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        column = QVBoxLayout(self.form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.xs)
        label = QLabel(self.tr("Name in the library"))
        label.setBuddy(self.name)
        column.addWidget(label)
        column.addWidget(self.name)
        column.addSpacing(space.m)
        group = QButtonGroup(self)
        hints = {
            COPY: self.tr("Takes disk once more. The original can go then."),
            LINK: self.tr(
                "Takes no disk. Whoever writes into the original's files changes the model, too."
            ),
            PLACE: self.tr("Nothing is copied; all models in that folder are listed."),
        }
        for way, button in self.ways.items():
            group.addButton(button)
            button.setAccessibleName(button.text())
            button.setAccessibleDescription(hints[way])
            button.toggled.connect(lambda _on: self._on_way())
            column.addWidget(button)
            hint = plain_label(hints[way], "muted")
            hint.setContentsMargins(space.xl + space.xs, 0, 0, space.s)
            column.addWidget(hint)
        self.ways[COPY].setChecked(True)

    def _on_way(self) -> None:
        self.name.setEnabled(not self.ways[PLACE].isChecked())

    def _folder(self) -> str:
        path = Path(self.source)
        return str(path if path.is_dir() else path.parent)

    def _look(self) -> None:
        source, models = Path(self.source), self._models

        def look() -> tuple[InstalledModel, bool]:
            from engine.store.library.look import look_at_path

            model = look_at_path(source)
            return model, _is_same_disk(Path(model.path), models)

        self._background.watch(in_thread(look, "import-look"), self._on_seen, self._on_no_model)

    def _on_seen(self, seen: tuple[InstalledModel, bool]) -> None:
        model, same_disk = seen
        self.source = model.path
        facts = [*words.facts(model)[:-1], size_text(model.size)]
        self.lead.setText(
            "{path}\n{facts}".format(path=shown(model.path, 300), facts=" · ".join(facts))
        )
        if model.problem:
            self.say(words.problem_text(model))
            return
        self.name.setText(shown(model.name, _LONGEST_NAME))
        self.ways[LINK].setEnabled(same_disk)
        self.form.setEnabled(True)
        self.go.setEnabled(True)
        self.go.setDefault(True)
        self.go.setFocus()
        self.fit()

    def _on_no_model(self, error: Exception) -> None:
        self.lead.setText(shown(self.source, 300))
        self.say(shown(translated_text(str(error)), 600))
        if getattr(error, "code", "") == "several":
            self.ways[PLACE].setChecked(True)
            self.form.setEnabled(True)
            for way in (COPY, LINK):
                self.ways[way].setEnabled(False)
            self.go.setEnabled(True)

    def _load(self) -> None:
        self.load_requested.emit(self._path)
        self.accept()


def open_import(
    source: str, shelf: Shelf, folders: Folders, parent: QWidget | None = None
) -> ImportDialog:
    """Show the dialog for the folder, or the .gguf file, at `source`."""
    dialog = ImportDialog(source, shelf, folders, parent)
    dialog.show()
    return dialog


def _is_same_disk(source: Path, models: Path) -> bool:
    """Whether hard links lead from one to the other."""
    while not models.exists() and models != models.parent:
        models = models.parent
    try:
        return source.stat().st_dev == models.stat().st_dev
    except OSError:
        return False
