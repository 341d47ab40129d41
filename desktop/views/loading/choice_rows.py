"""Rows of the form that offer something to choose from: one of a few, or some of the GPUs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from desktop import theme
from desktop.models.tip_text import tip_text
from desktop.views.flow_layout import FlowLayout
from desktop.views.loading.load_rows import Row, automatic_text

translate = QCoreApplication.translate

CHOICE_WIDTH: Final = 340


class ChoiceRow(Row[str]):
    """One of a few; the first is automatic. One that cannot be chosen says why."""

    def __init__(self, label: str, hint: str, on_change: Callable[[], object]) -> None:
        super().__init__(label, hint, on_change)
        self.box = QComboBox()
        self.box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.box.setMinimumContentsLength(12)
        self.box.setMaximumWidth(CHOICE_WIDTH)
        self.box.activated.connect(self._on_activated)
        self.line.addWidget(self.box, 8)
        self._finish(self.box)

    def fields(self) -> list[QWidget]:
        """The one."""
        return [self.box]

    def show_options(self, automatic: str, options: Sequence[tuple[str, str, bool]]) -> None:
        """Offer these: (value, text, whether it can be chosen)."""
        wanted = [(None, automatic_text(automatic), True), *options]
        if wanted == self._shown():
            return
        self.box.clear()
        for value, text, _enabled in wanted:
            self.box.addItem(text, value)
        model = self.box.model()
        assert isinstance(model, QStandardItemModel)
        for index, (_value, text, enabled) in enumerate(wanted):
            item = model.item(index)
            item.setEnabled(enabled)
            item.setToolTip("" if enabled else tip_text(text))
        self.show_value(self.value)

    def show_value(self, value: str | None) -> None:
        """Show a value; one that is not offered shows as automatic."""
        index = self.box.findData(value) if value is not None else 0
        self.value = value
        self.box.setCurrentIndex(max(0, index))
        self.reset.setEnabled(value is not None)

    def _shown(self) -> list[tuple[str | None, str, bool]]:
        model = self.box.model()
        assert isinstance(model, QStandardItemModel)
        return [
            (self.box.itemData(i), self.box.itemText(i), model.item(i).isEnabled())
            for i in range(self.box.count())
        ]

    def _on_activated(self, index: int) -> None:
        self._take(self.box.itemData(index))


class DevicesRow(Row[tuple[int, ...]]):
    """Which GPUs: a box for each. While it is automatic they show what the planner takes."""

    def __init__(self, label: str, hint: str, on_change: Callable[[], object]) -> None:
        super().__init__(label, hint, on_change)
        self.boxes: dict[int, QCheckBox] = {}
        self._automatic: tuple[int, ...] = ()
        self._holder = QWidget()
        self._flow = FlowLayout(self._holder, theme.current().space.s)
        self.line.addWidget(self._holder, 8)
        self._finish(self._holder)

    def fields(self) -> list[QWidget]:
        """A box for each GPU."""
        return list(self.boxes.values())

    def show_devices(self, names: dict[int, str], automatic: tuple[int, ...]) -> None:
        """Offer these GPUs by their numbers; `automatic` are those that the planner takes."""
        if {i: box.text() for i, box in self.boxes.items()} != names:
            for box in self.boxes.values():
                box.hide()
                box.deleteLater()
            while self._flow.count():
                self._flow.takeAt(0)
            self.boxes = {}
            for index, text in names.items():
                box = QCheckBox(text.replace("&", "&&"))
                box.setAccessibleName(text)
                box.setAccessibleDescription(self.hint)
                box.clicked.connect(lambda _checked=False: self._on_clicked())
                self.boxes[index] = box
                self._flow.addWidget(box)
        self._automatic = automatic
        self.show_value(self.value)

    def show_value(self, value: tuple[int, ...] | None) -> None:
        """Show which are used."""
        self.value = value
        self._show_fault("", self._holder)
        used = self._automatic if value is None else value
        for index, box in self.boxes.items():
            box.setChecked(index in used)
        self.reset.setEnabled(value is not None)

    def _on_clicked(self) -> None:
        chosen = tuple(index for index, box in self.boxes.items() if box.isChecked())
        if not chosen:
            had = self.has_fault
            self._show_fault(translate("LoadForm", "Choose at least one GPU."), self._holder)
            self.reset.setEnabled(True)
            if not had:
                self._on_change()
            return
        had = self.has_fault
        self._show_fault("", self._holder)
        self._take(chosen)
        if had:
            self._on_change()
