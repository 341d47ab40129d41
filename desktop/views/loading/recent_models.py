"""The models that were loaded before: one of them is loaded again as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.loading.load_times import usual_text
from desktop.models.tip_text import tip_text
from desktop.views.dialog_parts import push_button
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
        forgotten: the model that is to be remembered no longer.
    """

    chosen = Signal(str)
    settings_wanted = Signal(str)
    browse_wanted = Signal()
    forgotten = Signal(str)

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
        self._room = QWidget()  # where the list is else: the words stay above, the buttons below
        self._room.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        hint = QLabel()
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        self.load = push_button(self.tr("Load"), lambda: self._finish(self.chosen))
        self.load.setProperty("kind", "primary")
        self.load.setDefault(True)
        self.settings = push_button(
            self.tr("Load settings…"), lambda: self._finish(self.settings_wanted)
        )
        self.browse = push_button(self.tr("Choose another…"), self._browse)
        self.forget = push_button(self.tr("Forget"), self._forget)
        words = self.tr("Its settings and times are remembered no longer; the model stays.")
        self.forget.setToolTip(words)
        self.forget.setAccessibleDescription(words)
        foot = QWidget()
        row = FlowLayout(foot, space.s)
        cancel = push_button(self.tr("Cancel"), self.reject)
        for button in (self.load, self.settings, self.browse, self.forget, cancel):
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        layout.addWidget(hint)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._room)
        layout.addWidget(foot)
        self._hint = hint
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._forget)
        if models:
            self.list.setCurrentRow(0)
        self._show_rest()

    def _finish(self, signal: SignalInstance) -> None:
        model = self.list.currentIndex().data(_MODEL)
        if isinstance(model, str):
            self.accept()
            signal.emit(model)

    def _forget(self) -> None:
        row = self.list.currentRow()
        item = self.list.takeItem(row) if row >= 0 else None
        if item is not None:
            self.forgotten.emit(item.data(_MODEL))
            self._show_rest()

    def _show_rest(self) -> None:
        """With a model or none: what can be done now, and where the focus is."""
        some = self.list.count() > 0
        self._hint.setText(
            self.tr("Each is loaded with its settings of the last time.")
            if some
            else self.tr("No model is remembered.")
        )
        self.list.setVisible(some)
        self._room.setHidden(some)
        for button in (self.load, self.settings, self.forget):
            button.setEnabled(some)
        (self.list if some else self.browse).setFocus()

    def _browse(self) -> None:
        self.reject()
        self.browse_wanted.emit()
