"""What the verification found: the original, AWQ and plain rounding, side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.loading.size_text import size_text
from desktop.models.number_text import decimal, whole
from desktop.models.quantizing.quantize_words import duration_text
from desktop.views.dialog_parts import plain_label
from engine.quantize.wire import Report

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ReportTable(QWidget):
    """See the module."""

    def __init__(self, report: Report, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        grid = QGridLayout()
        grid.setHorizontalSpacing(space.m)
        grid.setVerticalSpacing(space.s)
        grid.setColumnStretch(0, 1)
        heads = (self.tr("Perplexity"), self.tr("Agrees"))
        for column, head in enumerate(heads, 1):
            label = QLabel(head)
            label.setProperty("role", "muted")
            grid.addWidget(label, 0, column, _RIGHT)
        awq = self.tr("AWQ, groups of {count}").format(count=report.group_size)
        rows = (
            (self.tr("The original"), report.original, None),
            (awq, report.awq, report.awq_agreement),
            (self.tr("Plain rounding"), report.rounding, report.rounding_agreement),
        )
        figures = theme.current().figure_font(theme.current().body)
        spoken = []
        for row, (name, perplexity, agreement) in enumerate(rows, 1):
            grid.addWidget(plain_label(name), row, 0)
            share = "–" if agreement is None else f"{decimal(100 * agreement)} %"
            for column, text in enumerate((decimal(perplexity, 2), share), 1):
                figure = QLabel(text)
                figure.setFont(figures)
                grid.addWidget(figure, row, column, _RIGHT)
            spoken.append(f"{name}: {decimal(perplexity, 2)}, {share}")
        self.setAccessibleName("; ".join(spoken))
        note = QLabel(
            self.tr(
                "On {count} tokens that it was not made with; less perplexity is better. {small} "
                "for {large}, made in {time}."
            ).format(
                count=whole(report.tokens),
                small=size_text(report.awq_bytes),
                large=size_text(report.original_bytes),
                time=duration_text(report.seconds),
            )
        )
        note.setProperty("role", "muted")
        note.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space.m)
        layout.addLayout(grid)
        layout.addWidget(note)
