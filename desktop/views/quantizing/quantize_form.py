"""What is asked before a model is quantised: which, in what groups, by which text, into where."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.quantizing.quantize_words import cost_text, particulars, refused_text
from desktop.models.quantizing.quote import Quote
from engine.quantize.wire import GROUP_SIZES, SAMPLE_TOKENS, SAMPLES, Job

_PAUSE_MS: Final = 300  # while one types


class QuantizeForm(QWidget):
    """See the module.

    Signals:
        asked: the `Job` as it stands, to be quoted.
    """

    asked = Signal(object)

    def __init__(self, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._shown_target = ""  # the one that was filled in, not typed
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(lambda: self.asked.emit(self.job()))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space.xs)
        self.model = self._path_row(
            self.tr("Folder of the model"), self.tr("Choose the folder of the model"), folder=True
        )
        self.model.setText(model)
        self.groups = self._group_row()
        self.text = self._path_row(
            self.tr("Calibration text"), self.tr("Choose a file of text"), folder=False
        )
        self.text.setPlaceholderText(self.tr("The text that comes with Inglenook"))
        hint = QLabel(
            self.tr(
                "A file of your own: a line --- ends a sample. {least} to {most} samples of "
                "{short} to {long} tokens."
            ).format(
                least=SAMPLES[0], most=SAMPLES[-1], short=SAMPLE_TOKENS[0], long=SAMPLE_TOKENS[-1]
            )
        )
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        self._column.addWidget(hint)
        self.target = self._path_row(
            self.tr("Folder to make"), self.tr("Choose where to make it"), folder=True
        )
        self._column.addSpacing(space.s)
        self.cost = self._words("muted")
        self.fault = self._words("danger")
        self._column.addStretch(1)

    def job(self) -> Job:
        """What is asked for."""
        target = self.target.text().strip()
        return Job(
            model=self.model.text().strip(),
            target="" if target == self._shown_target else target,
            group_size=int(self.groups.currentData() or 0),
            calibration=self.text.text().strip(),
        )

    def ask(self) -> None:
        """Have what stands here quoted, now."""
        self._timer.stop()
        self.asked.emit(self.job())

    def settle(self) -> None:
        """The form goes away: nothing is to be quoted any more."""
        self._timer.stop()

    def show_quote(self, quote: Quote) -> None:
        """Show what it would take, or why it cannot be."""
        if not self.job().target:
            self._shown_target = quote.job.target
            self.target.setText(quote.job.target)
            self.target.end(False)  # its name is what differs
        for row, size in enumerate(GROUP_SIZES, 1):
            fits = not quote.groups or size in quote.groups
            self.groups.model().item(row).setEnabled(fits)  # type: ignore[attr-defined]
        cost = quote.cost
        self.cost.setText(cost_text(cost, quote.group_size) if cost is not None else "")
        self.cost.setVisible(cost is not None)
        refused = quote.refused
        words = ""
        if refused is not None:
            lead = refused_text(refused)
            words = "\n".join([lead, *particulars(refused, lead)])
        self.fault.setText(words)
        self.fault.setVisible(bool(words))

    # --- inside ------------------------------------------------------------------------------

    def _path_row(self, label: str, title: str, *, folder: bool) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(label)
        field.setMinimumWidth(1)
        field.textChanged.connect(lambda _text: self._timer.start())
        browse = QPushButton(self.tr("Browse…"))
        browse.setAutoDefault(False)
        browse.setAccessibleName(self.tr("Browse: {what}").format(what=label))
        browse.clicked.connect(lambda _checked=False: self._browse(field, title, folder))
        self._label(label, field)
        row = QHBoxLayout()
        row.setSpacing(theme.current().space.s)
        row.addWidget(field, 1)
        row.addWidget(browse)
        self._column.addLayout(row)
        return field

    def _group_row(self) -> QComboBox:
        groups = QComboBox()
        label = self.tr("Weights that share a scale")
        groups.setAccessibleName(label)
        groups.addItem(self.tr("Automatic: the largest group that fits"), 0)
        for size in GROUP_SIZES:
            groups.addItem(self.tr("Groups of {count}").format(count=size), size)
        groups.currentIndexChanged.connect(lambda _row: self._timer.start())
        self._label(label, groups)
        self._column.addWidget(groups)
        return groups

    def _label(self, words: str, field: QWidget) -> None:
        label = QLabel(words)
        label.setProperty("role", "small")
        label.setBuddy(field)
        self._column.addSpacing(theme.current().space.xs)
        self._column.addWidget(label)

    def _words(self, role: str) -> QLabel:
        label = QLabel()
        label.setProperty("role", role)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.hide()
        self._column.addWidget(label)
        return label

    def _browse(self, field: QLineEdit, title: str, folder: bool) -> None:
        dialog = QFileDialog(self, title)
        if folder:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setNameFilters([self.tr("Text (*.txt *.md *.jsonl)"), self.tr("All files (*)")])
        current = Path(field.text()) if field.text() else Path.home()
        dialog.setDirectory(str(current.parent))
        dialog.fileSelected.connect(field.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
