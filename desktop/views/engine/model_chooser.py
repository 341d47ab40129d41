"""Asks for a model on this computer: its folder, or the GGUF file that it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.background import Background, in_thread

if TYPE_CHECKING:
    from PySide6.QtWidgets import QFileDialog


class ModelChooser(QObject):
    """See the module.

    Args:
        window: over which it asks.
        starter: folder of the starter model.
        current: the model that is loaded; "": none.
    """

    def __init__(self, window: QWidget, starter: str, current: Callable[[], str]) -> None:
        super().__init__(window)
        self._window = window
        self._store = Path(starter).parent.parent
        self._current = current
        self._background = Background(self)

    def choose_folder(self, go: Callable[[str], object]) -> None:
        """Ask for the folder of a model, and where it holds several GGUF files, for one of them.

        Args:
            go: takes the folder, or the file.
        """
        from PySide6.QtWidgets import QFileDialog

        dialog = self._dialog(self.tr("Choose the folder of a model"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.fileSelected.connect(lambda folder: self._look_into(folder, go))
        dialog.open()

    def choose_file(self, go: Callable[[str], object]) -> None:
        """Ask for a GGUF file."""
        from PySide6.QtWidgets import QFileDialog

        dialog = self._dialog(self.tr("Choose a GGUF file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(
            [self.tr("Models in one file (*.gguf *.GGUF)"), self.tr("All files (*)")]
        )
        dialog.fileSelected.connect(go)
        dialog.open()

    def place(self) -> Path:
        """Where one looks first: the models of this program, or those beside the one loaded."""
        current = Path(self._current() or self._store)
        return self._store if current.is_relative_to(self._store) else current.parent

    # --- inside ------------------------------------------------------------------------

    def _dialog(self, title: str) -> QFileDialog:
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._window, title)
        dialog.setDirectory(str(self.place()))
        dialog.finished.connect(dialog.deleteLater)
        return dialog

    def _look_into(self, folder: str, go: Callable[[str], object]) -> None:
        from engine.store.gguf_folders import ggufs_of

        def found(files: list[Path]) -> None:
            if len(files) > 1:
                self._ask_which(folder, files, go)
            else:
                go(folder)

        # On a thread: the folder may lie on a slow disk.
        self._background.watch(in_thread(lambda: ggufs_of(Path(folder)), "gguf-files"), found)

    def _ask_which(self, folder: str, files: list[Path], go: Callable[[str], object]) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QInputDialog, QLabel, QListView

        from desktop.chats.names import name_from

        by_name = {name_from(file.name): str(file) for file in files}
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle(self.tr("Choose a model"))
        dialog.setLabelText(
            self.tr("{folder} holds several models. Which one is to be loaded?").format(
                folder=name_from(Path(folder).name)
            )
        )
        dialog.setOption(QInputDialog.InputDialogOption.UseListViewForComboBoxItems, True)
        dialog.setComboBoxItems(list(by_name))
        dialog.setTextValue(next(iter(by_name)))
        for view in dialog.findChildren(QListView):
            view.setAccessibleName(dialog.windowTitle())
        for label in dialog.findChildren(QLabel):  # a folder's name is no markup
            label.setTextFormat(Qt.TextFormat.PlainText)
        dialog.textValueSelected.connect(lambda name: go(by_name[name]))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
