"""About a load: the plan beside what vLLM reported, stage by stage, and what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.loading.load_figures import (
    NOTHING,
    Row,
    as_text,
    facts,
    figure_heads,
    figure_rows,
    lesson,
    stage_heads,
    stage_rows,
)
from desktop.views.dialog_parts import plain_label, share_baseline, title_label

if TYPE_CHECKING:
    from desktop.models.loading.load_record import LoadRecord

SIZE: Final = (560, 620)


class LoadReport(QDialog):
    """See the module.

    Args:
        model: its folder or file.
        record: of its load.
    """

    def __init__(
        self,
        model: str,
        record: LoadRecord,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About this load"))
        self.resize(*SIZE)
        name = model_name(model)
        self._text = as_text(name, record)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space.l, space.l, space.l, space.l)
        column.setSpacing(space.s)
        column.addWidget(title_label(name))
        when = QDateTime.fromSecsSinceEpoch(record.when)
        known = [QLocale().toString(when, QLocale.FormatType.ShortFormat)] if record.when else []
        column.addWidget(
            plain_label(" · ".join([*known, *(value for _n, value in facts(record))]), "muted")
        )
        column.addSpacing(space.s)
        self.figures = _Table(self.tr("Plan and report"), figure_heads(), figure_rows(record))
        column.addWidget(self.figures)
        column.addSpacing(space.s)
        self.stages = _Table(self.tr("Time of each stage"), stage_heads(), stage_rows(record))
        column.addWidget(self.stages)
        column.addSpacing(space.s)
        self.lesson = plain_label(lesson(record))
        column.addWidget(self.lesson)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setProperty("role", "reader")  # it takes the focus: arrows scroll it
        area.setAccessibleName(self.windowTitle())
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        page.setAutoFillBackground(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = QPushButton(self.tr("Copy as text"))
        copy.clicked.connect(lambda _checked=False: self.copy())
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        foot = QVBoxLayout()
        foot.setContentsMargins(space.l, space.s, space.l, space.l)
        foot.addWidget(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(area, 1)
        layout.addLayout(foot)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()

    def text(self) -> str:
        """All of it, in columns."""
        return self._text

    def copy(self) -> None:
        """Put it on the clipboard."""
        QGuiApplication.clipboard().setText(self._text)


class _Table(QWidget):
    """Rows to read: a name that wraps where there is little room, and three figures."""

    def __init__(self, name: str, heads: Sequence[str], rows: Sequence[Row]) -> None:
        super().__init__()
        space = theme.current().space
        self.setAccessibleName(name)
        self.rows: list[str] = []  # as a screen reader hears them
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(space.m)
        grid.setVerticalSpacing(space.xs)
        grid.setColumnStretch(0, 1)
        for column, head in enumerate(heads):
            grid.addWidget(_figure(head, muted=True), 0, column)
        for number, row in enumerate(rows, 1):
            figures = (row.planned, row.reported, row.difference or NOTHING)
            words = ", ".join(
                f"{head} {text}" for head, text in zip(heads[1:], figures, strict=True)
            )
            self.rows.append(f"{row.name}: {words}")
            label = plain_label(row.name)
            label.setAccessibleName(self.rows[-1])
            grid.addWidget(label, number, 0)
            for column, text in enumerate(figures, 1):
                figure = _figure(text)
                share_baseline(figure, label)
                grid.addWidget(figure, number, column)


def _figure(text: str, *, muted: bool = False) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
    if muted:
        label.setProperty("role", "muted")
    else:
        label.setFont(theme.current().figure_font())
    return label
