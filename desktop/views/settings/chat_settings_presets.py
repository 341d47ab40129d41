"""The presets in the chat settings: take one, keep what the chat has as one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.presets import Preset
from desktop.models.lists.preset_shelf import PresetShelf, is_built_in
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.views.tabs.notice_bar import NoticeBar

NAME_LENGTH = 60


class PresetRow(QWidget):
    """The choice and its buttons.

    Signals:
        taken: the `Preset` to be used for this chat; None: the program's defaults.
        save_wanted: a name: keep what the chat has as a new preset.
        update_wanted: a `Preset` that is to become what the chat has.
    """

    taken = Signal(object)
    save_wanted = Signal(str)
    update_wanted = Signal(object)

    def __init__(self, shelf: PresetShelf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._shelf = shelf
        self._current = ""
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Preset"))
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(NAME_LENGTH // 4)
        self.choice.activated.connect(self._on_activated)
        self.save_button = self._button(self.tr("Save as new…"), self._ask_name)
        self.update_button = self._button(self.tr("Update"), self._on_update)
        self.update_button.setToolTip(self.tr("Keep the chat's settings in this preset"))
        self.delete_button = self._button(self.tr("Delete"), self._on_delete)
        self.bar = NoticeBar()
        buttons = QHBoxLayout()
        buttons.setSpacing(space.s)
        buttons.addWidget(self.choice, 1)
        buttons.addWidget(self.save_button)
        buttons.addWidget(self.update_button)
        buttons.addWidget(self.delete_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space.s)
        layout.addLayout(buttons)
        layout.addWidget(self.bar)
        shelf.changed.connect(self._fill)
        shelf.failed.connect(self._on_failed)
        self._fill()

    def set_current(self, preset_id: str, *, changed: bool) -> None:
        """The chat's preset; `changed`: whether the chat has other settings than it."""
        self._current = preset_id
        index = self.choice.findData(preset_id)
        self.choice.setCurrentIndex(max(0, index))
        own = bool(preset_id) and not is_built_in(preset_id) and index >= 0
        self.update_button.setVisible(own)
        self.update_button.setEnabled(own and changed)
        self.delete_button.setVisible(own)

    def _fill(self) -> None:
        current = self._current
        self.choice.clear()
        self.choice.addItem(self.tr("No preset"), "")
        groups: tuple[list[Preset], list[Preset]] = ([], [])
        for preset in self._shelf.presets:
            groups[0 if is_built_in(preset.id) else 1].append(preset)
        for presets in groups:
            if presets:
                self.choice.insertSeparator(self.choice.count())
            for preset in presets:
                self.choice.addItem(preset.name, preset.id)
        self.set_current(current, changed=self.update_button.isEnabled())

    def _on_activated(self, index: int) -> None:
        preset_id = self.choice.itemData(index)
        self.taken.emit(self._shelf.find(preset_id))

    def _ask_name(self) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(self.tr("Save as a new preset"))
        dialog.setLabelText(self.tr("Name of the preset:"))
        dialog.textValueSelected.connect(self._on_named)
        dialog.open()

    def _on_named(self, name: str) -> None:
        name = " ".join(name.split())[:NAME_LENGTH]
        if name:
            self.save_wanted.emit(name)

    def _on_update(self) -> None:
        preset = self._shelf.find(self._current)
        if preset is not None:
            self.update_wanted.emit(preset)

    def _on_delete(self) -> None:
        preset = self._shelf.find(self._current)
        if preset is None:
            return
        self._shelf.delete(preset.id)
        words = self.tr("The preset “{name}” was deleted. The chat keeps its settings.")
        self.bar.show_notice(Notice(NoticeLevel.HINT, words.format(name=preset.name)))
        self.bar.add_button(self.tr("Undo"), lambda: self._take_back(preset))

    def _take_back(self, preset: Preset) -> None:
        self.bar.show_notice(NO_NOTICE)
        self._shelf.save(preset)

    def _on_failed(self, error: Exception) -> None:
        words = self.tr("The presets could not be saved: {reason}").format(reason=error)
        self.bar.show_notice(Notice(NoticeLevel.ERROR, words))

    def _button(self, label: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(label)
        button.setAccessibleName(label.rstrip("…"))
        button.clicked.connect(lambda _checked=False: slot())
        return button
