"""About a load: the plan beside what vLLM reported, stage by stage, and what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.loading.load_figures import (
    Row,
    as_text,
    facts,
    figure_heads,
    figure_rows,
    lesson,
    stage_heads,
    stage_rows,
)

if TYPE_CHECKING:
    from desktop.models.loading.load_record import LoadRecord

SIZE: Final = (560, 620)
_Role = Qt.ItemDataRole


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
        column.addWidget(_words(name, "title"))
        when = QDateTime.fromSecsSinceEpoch(record.when)
        known = [QLocale().toString(when, QLocale.FormatType.ShortFormat)] if record.when else []
        column.addWidget(
            _words(" · ".join([*known, *(value for _n, value in facts(record))]), "muted")
        )
        column.addSpacing(space.s)
        self.figures = _Table(self.tr("Plan and report"), figure_heads(), figure_rows(record))
        column.addWidget(self.figures)
        column.addSpacing(space.s)
        self.stages = _Table(self.tr("Time of each stage"), stage_heads(), stage_rows(record))
        column.addWidget(self.stages)
        column.addSpacing(space.s)
        self.lesson = _words(lesson(record))
        column.addWidget(self.lesson)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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

    def text(self) -> str:
        """All of it, in columns."""
        return self._text

    def copy(self) -> None:
        """Put it on the clipboard."""
        QGuiApplication.clipboard().setText(self._text)


class _Table(QTableWidget):
    """Rows to read; as high as they are, so that only the page scrolls."""

    def __init__(self, name: str, heads: Sequence[str], rows: Sequence[Row]) -> None:
        super().__init__(len(rows), len(heads))
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(heads))
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        figures = theme.current().figure_font()
        for number, row in enumerate(rows):
            for column, text in enumerate((row.name, row.planned, row.reported, row.difference)):
                item = QTableWidgetItem(text)
                if column:
                    item.setTextAlignment(right)
                    item.setFont(figures)
                self.setItem(number, column, item)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        for column in range(1, len(heads)):
            head = self.horizontalHeaderItem(column)
            if head is not None:
                head.setTextAlignment(right)
        self.resizeRowsToContents()
        rows_height = sum(self.rowHeight(number) for number in range(len(rows)))
        self.setFixedHeight(rows_height + header.sizeHint().height() + 2)


def _words(text: str, role: str = "") -> QLabel:
    label = QLabel(text)
    if role:
        label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
