"""Moves all models to another disk: with progress, and either whole or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from desktop import theme
from desktop.background import Background, in_thread
from desktop.models.library.hub_words import shown
from desktop.models.loading.size_text import size_text
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.library.work_dialog import WorkDialog
from engine.store.library.wire import Done, MoveJob

if TYPE_CHECKING:
    from desktop.models.library.shelf import Shelf
    from engine.store.library.move_journal import MoveState

_MOST_FILES: Final = 200_000  # that are counted


class MoveStoreDialog(WorkDialog):
    """See the module.

    Args:
        begun: a move to go on with.
    """

    def __init__(
        self,
        models: Path,
        shelf: Shelf | None,
        parent: QWidget | None = None,
        *,
        begun: MoveState | None = None,
    ) -> None:
        super().__init__(
            self.tr("Move the models"), self.tr("Move"), self.tr("Stop moving"), parent
        )
        self._models = models
        self._shelf = shelf
        self._begun = begun
        self._background = Background(self)
        self._asked = 0
        self.target = QLineEdit()
        self.target.setAccessibleName(self.tr("New folder of the models"))
        self.target.setPlaceholderText(self.tr("A folder on the other disk"))
        self.choose = push_button(self.tr("Choose…"), self._choose)
        self.room = plain_label(role="muted")
        self._build()
        self.target.textChanged.connect(lambda _text: self._measure())
        self.go.setEnabled(False)
        if begun is not None:
            self.target.setText(begun.target)
        self._background.watch(in_thread(lambda: _size(models), "store-size"), self._on_size)

    def job(self) -> MoveJob | None:
        """The move, once a folder is named."""
        folder = self.target.text().strip()
        if not folder:
            return None
        begun = self._begun
        goes_home = begun is not None and begun.home and folder == begun.target
        return MoveJob(models=str(self._models), to="" if goes_home else folder)

    def on_done(self, done: Done) -> None:
        """They are there."""
        if self._shelf is not None:
            self._shelf.refresh()
        self.finish(
            self.tr("The models are moved"),
            self.tr("They lie in {folder} now, and were compared byte by byte.").format(
                folder=shown(done.path or self.target.text(), 300)
            ),
        )

    # --- inside ------------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.lead.setText(
            self.tr("Your models lie in {folder}.").format(
                folder=shown(os.path.realpath(self._models), 300)
            )
        )
        column = QVBoxLayout(self.form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.xs)
        label = QLabel(self.tr("Move them into"))
        label.setBuddy(self.target)
        row = QHBoxLayout()
        row.setSpacing(space.s)
        row.addWidget(self.target, 1)
        row.addWidget(self.choose)
        column.addWidget(label)
        column.addLayout(row)
        column.addWidget(self.room)
        column.addSpacing(space.s)
        column.addWidget(
            plain_label(
                self.tr(
                    "They are copied and compared first, and taken away here only then. If the "
                    "move is broken off, all stays as it is, and another try goes on."
                ),
                "muted",
            )
        )

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose the new folder of the models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.fileSelected.connect(self.target.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_size(self, size: int) -> None:
        self.lead.setText(
            self.tr("Your models lie in {folder} and take {size}.").format(
                folder=shown(os.path.realpath(self._models), 300), size=size_text(size)
            )
        )
        self.fit()

    def _measure(self) -> None:
        """How much is free there; on a thread, as the disk may be a slow one."""
        self._asked += 1
        number, text = self._asked, self.target.text().strip()
        self.go.setEnabled(bool(text))
        self.say("")
        if not text:
            self.room.setText("")
            return

        def done(free: int) -> None:
            if number == self._asked:  # else more has been typed meanwhile
                self.room.setText(
                    self.tr("{size} are free there.").format(size=size_text(free)) if free else ""
                )
                self.fit()

        self._background.watch(
            in_thread(lambda: _free(Path(text)), "disk-free"), done, lambda _error: None
        )


def _size(folder: Path) -> int:
    """Bytes of all files below it."""
    total = count = 0
    for base, _folders, files in os.walk(folder):
        for name in files:
            count += 1
            if count > _MOST_FILES:
                return total
            try:
                total += os.lstat(os.path.join(base, name)).st_size  # noqa: PTH118 - many
            except OSError:
                continue
    return total


def _free(folder: Path) -> int:
    """Bytes that are free where `folder` is, or will be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free
