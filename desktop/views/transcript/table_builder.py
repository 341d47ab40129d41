"""Tables to text documents, and how wide they want to be."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QTextBlockFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTableCellFormat,
    QTextTableFormat,
)

from desktop.chats.markdown.direction import is_right_to_left
from desktop.chats.markdown.markdown_parts import Runs, Table
from desktop.theme import Theme
from desktop.views.transcript.runs import indent_of, insert_run

_PROPORTIONAL: Final = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_SIGN: Final = 0.56  # the average sign's width, in ems
_LEAST: Final = 12.0  # ems that a column keeps, if its text is that long
_MOST: Final = 26.0  # ems that a column takes where the table is scrolled
_ALIGNMENTS: Final = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


def width_for(table: Table, width: int, theme: Theme) -> int:
    """How wide to lay a table out where `width` pixels can be seen; never narrower.

    A table is squeezed as far as its columns stay readable; then it is scrolled.
    """
    padding = theme.space.m * 2
    columns = [columns * _SIGN * theme.em for columns in table.columns]
    indent = indent_of(table.nest, theme)
    least = indent + sum(min(column, _LEAST * theme.em) + padding for column in columns)
    if least <= width:
        return width
    return max(
        width, round(indent + sum(min(column, _MOST * theme.em) + padding for column in columns))
    )


def fill_table(cursor: QTextCursor, table: Table, theme: Theme) -> None:
    """Write a table into an empty document."""
    columns = max(len(row) for row in table.rows)
    table_format = QTextTableFormat()
    table_format.setBorder(0)
    table_format.setCellSpacing(0)
    table_format.setBorderCollapse(True)
    table_format.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
    table_format.setLeftMargin(indent_of(table.nest, theme))
    if table.rows[0] and is_right_to_left(table.rows[0][0]):
        table_format.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        table_format.setAlignment(Qt.AlignmentFlag.AlignRight)
    table_format.setTopMargin(0)
    table_format.setBottomMargin(0)
    if table.shares:
        percent = QTextLength.Type.PercentageLength
        table_format.setWidth(QTextLength(percent, 100))
        table_format.setColumnWidthConstraints([QTextLength(percent, x) for x in table.shares])
    # The empty paragraph that must stand before a table takes no room.
    leading = QTextBlockFormat()
    leading.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    cursor.setBlockFormat(leading)
    grid = cursor.insertTable(len(table.rows), columns, table_format)
    last = len(table.rows) - 1
    for row, cells in enumerate(table.rows):
        is_head = table.has_header and row == 0
        for column in range(columns):
            cell = grid.cellAt(row, column)
            cell.setFormat(_cell_format(theme, column, _line_below(table, row, last, theme)))
            runs = cells[column] if column < len(cells) else ()
            name = table.alignments[column] if column < len(table.alignments) else ""
            inner = cell.firstCursorPosition()
            inner.setBlockFormat(_block_format(runs, name))
            for run in runs:
                # The header's weight is a small heading's.
                insert_run(inner, run, 3 if is_head else 0, theme)


def _block_format(runs: Runs, alignment: str) -> QTextBlockFormat:
    result = QTextBlockFormat()
    result.setLineHeight(125, _PROPORTIONAL)
    reverse = is_right_to_left(runs)
    result.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if reverse else Qt.LayoutDirection.LeftToRight
    )
    where = _ALIGNMENTS.get(alignment)
    if where is None:
        where = Qt.AlignmentFlag.AlignRight if reverse else Qt.AlignmentFlag.AlignLeft
    # Absolute: the author's "left" is not the reader's right where the text is reversed.
    result.setAlignment(where | Qt.AlignmentFlag.AlignAbsolute)
    return result


def _line_below(table: Table, row: int, last: int, theme: Theme) -> str:
    """The colour of the line below a row, or nothing."""
    if table.has_header and row == 0:
        return theme.faint
    return theme.line if row < last or table.shares else ""


@lru_cache(maxsize=64)
def _cell_format(theme: Theme, column: int, line: str) -> QTextTableCellFormat:
    result = QTextTableCellFormat()
    result.setTopPadding(theme.space.xs + 2)
    result.setBottomPadding(theme.space.xs + 2)
    result.setLeftPadding(0 if column == 0 else theme.space.m)
    result.setRightPadding(theme.space.m)
    if line:
        result.setBottomBorder(1)
        result.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        result.setBottomBorderBrush(QColor(line))
    return result
