"""The models that were loaded before: one of them is loaded again as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.loading.load_times import usual_text
from desktop.models.tip_text import tip_text
from desktop.views.flow_layout import FlowLayout

if TYPE_CHECKING:
    from desktop.models.loading.load_memory import Past

SIZE: Final = (480, 400)
_MODEL: Final = Qt.ItemDataRole.UserRole


class RecentModels(QDialog):
    """See the module.

    Signals:
        chosen: the model to load with its settings of the last time.
        settings_wanted: the model to choose settings for.
        browse_wanted: none of these.
    """

    chosen = Signal(str)
    settings_wanted = Signal(str)
    browse_wanted = Signal()

    def __init__(self, models: Sequence[Past], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Recent models"))
        self.resize(*SIZE)
        self.list = QListWidget()
        self.list.setProperty("role", "field")
        self.list.setAccessibleName(self.tr("Recent models"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        line = self.list.fontMetrics().height()
        for past in models:
            usual = sum(past.times.usual().values())
            about = [past.model, usual_text(usual)] if usual else [past.model]
            words = "{name}\n{about}".format(name=model_name(past.model), about=" · ".join(about))
            item = QListWidgetItem(words)
            item.setData(_MODEL, past.model)
            item.setToolTip(tip_text(past.model))
            item.setSizeHint(QSize(0, 2 * line + 2 * space.s))
            self.list.addItem(item)
        self.list.itemActivated.connect(lambda _item: self._finish(self.chosen))
        hint = QLabel(
            self.tr("Each is loaded with its settings of the last time.")
            if models
            else self.tr("No model was loaded yet.")
        )
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        self.load = self._button(self.tr("Load"), lambda: self._finish(self.chosen))
        self.load.setProperty("kind", "primary")
        self.load.setDefault(True)
        self.settings = self._button(
            self.tr("Load settings…"), lambda: self._finish(self.settings_wanted)
        )
        self.browse = self._button(self.tr("Choose another…"), self._browse)
        foot = QWidget()
        row = FlowLayout(foot, space.s)
        cancel = self._button(self.tr("Cancel"), self.reject)
        for button in (self.load, self.settings, self.browse, cancel):
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        layout.addWidget(hint)
        layout.addWidget(self.list, 1)
        layout.addWidget(foot)
        self.list.setVisible(bool(models))
        for button in (self.load, self.settings):
            button.setEnabled(bool(models))
        if models:
            self.list.setCurrentRow(0)
            self.list.setFocus()
        else:
            self.browse.setFocus()

    def _button(self, label: str, slot: Callable[[], object]) -> QPushButton:
        button = QPushButton(label)
        button.setAccessibleName(label.rstrip("…"))
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: slot())
        return button

    def _finish(self, signal: SignalInstance) -> None:
        model = self.list.currentIndex().data(_MODEL)
        if isinstance(model, str):
            self.accept()
            signal.emit(model)

    def _browse(self) -> None:
        self.reject()
        self.browse_wanted.emit()
