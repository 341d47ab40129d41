"""Parts to text documents, by cursor and format calls only: no HTML anywhere."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTableCellFormat,
    QTextTableFormat,
)

from desktop.chats.markdown_parts import LIST, Paragraph, Prose, Run, Style, Table
from desktop.theme import Theme

LEADING: Final = 145  # per cent
_PROPORTIONAL: Final = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_LIST_INDENT: Final = 1.75  # of the body's size, in ems
_QUOTE_INDENT: Final = 16  # pixels
_ALIGNMENTS: Final = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class InertDocument(QTextDocument):
    """A document that loads nothing, whatever it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self.setDefaultTextOption(option)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing, whatever is asked for."""
        del kind, name
        return None


@dataclass(frozen=True, slots=True)
class Bar:
    """A quotation's rule: at `x`, along the blocks `first` to `last`."""

    x: float
    first: int
    last: int


def fill(document: QTextDocument, part: Prose | Table, theme: Theme) -> tuple[Bar, ...]:
    """Replace what `document` holds by `part`. Returns the rules to paint beside it."""
    document.setLayoutEnabled(False)
    document.clear()
    document.setDefaultFont(theme.text_font())
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    if isinstance(part, Table):
        _fill_table(cursor, part, theme)
        bars: tuple[Bar, ...] = ()
    else:
        bars = _fill_prose(cursor, part, theme)
    cursor.endEditBlock()
    document.setLayoutEnabled(True)
    return bars


def indent_of(nest: str, theme: Theme) -> float:
    """How far in a part nested like this begins, in pixels."""
    step = theme.em * _LIST_INDENT
    return sum(step if sign == LIST else _QUOTE_INDENT for sign in nest)


def _fill_prose(cursor: QTextCursor, prose: Prose, theme: Theme) -> tuple[Bar, ...]:
    for index, paragraph in enumerate(prose.paragraphs):
        block_format = _block_format(paragraph, theme, is_first=index == 0)
        if index:
            cursor.insertBlock(block_format)
        else:
            cursor.setBlockFormat(block_format)
        if paragraph.marker:
            plain = _format(theme, Style.PLAIN, 0, "", muted=paragraph.marker in "•◦▪")
            cursor.insertText(f"{paragraph.marker}\t", plain)
        for run in paragraph.runs:
            cursor.insertText(run.text, _run_format(run, paragraph.heading, theme))
    return tuple(_bars(prose, theme))


def _bars(prose: Prose, theme: Theme) -> list[Bar]:
    bars: list[Bar] = []
    depth = max((len(p.nest) for p in prose.paragraphs), default=0)
    for level in range(depth):
        first: int | None = None
        for index, paragraph in enumerate((*prose.paragraphs, None)):
            quoted = paragraph is not None and paragraph.nest[level : level + 1] == "q"
            if quoted and first is None:
                first = index
            elif not quoted and first is not None:
                outer = prose.paragraphs[first].nest[:level]
                bars.append(Bar(indent_of(outer, theme), first, index - 1))
                first = None
    return bars


def _block_format(paragraph: Paragraph, theme: Theme, *, is_first: bool) -> QTextBlockFormat:
    block_format = QTextBlockFormat()
    block_format.setLineHeight(LEADING if not paragraph.heading else 125, _PROPORTIONAL)
    indent = indent_of(paragraph.nest, theme)
    if is_right_to_left(paragraph):
        block_format.setRightMargin(indent)
    else:
        block_format.setLeftMargin(indent)
    if not is_first:
        block_format.setTopMargin(gap_before(paragraph, theme))
    if paragraph.marker:
        step = theme.em * _LIST_INDENT
        block_format.setTextIndent(-step)
        tab = QTextOption.Tab(step, QTextOption.TabType.LeftTab)
        block_format.setTabPositions([tab])
    return block_format


def is_right_to_left(paragraph: Paragraph) -> bool:
    """Whether its first letter belongs to a script that runs from right to left."""
    for run in paragraph.runs:
        if run.text.isascii():
            if any(map(str.isalpha, run.text)):
                return False
            continue
        for sign in run.text:
            direction = unicodedata.bidirectional(sign)
            if direction == "L":
                return False
            if direction in ("R", "AL"):
                return True
    return False


def gap_before(paragraph: Paragraph, theme: Theme) -> int:
    """The space above a paragraph that follows another, in pixels."""
    if paragraph.joined:
        return 0
    if paragraph.heading:
        return theme.space.xl if paragraph.heading <= 2 else theme.space.l
    return theme.space.xs if paragraph.tight else theme.space.m


def _run_format(run: Run, heading: int, theme: Theme) -> QTextCharFormat:
    return _format(theme, run.style, heading, run.link, muted=False)


@lru_cache(maxsize=256)
def _format(theme: Theme, style: Style, heading: int, link: str, *, muted: bool) -> QTextCharFormat:
    size = theme.title if heading in (1, 2) else theme.body
    bold = bool(style & Style.BOLD) or heading > 0
    weight = QFont.Weight.DemiBold if bold else QFont.Weight.Normal
    italic = bool(style & Style.ITALIC)
    result = QTextCharFormat()
    if style & Style.CODE:
        result.setFont(theme.mono_font(size * 0.92, weight, italic=italic))
        result.setBackground(QColor(theme.hover))
    else:
        result.setFont(theme.text_font(size, weight, italic=italic))
    result.setForeground(QColor(theme.muted if muted else theme.text))
    if style & Style.STRIKE:
        result.setFontStrikeOut(True)
    if link:
        result.setAnchor(True)
        result.setAnchorHref(link)
        result.setForeground(QColor(theme.accent))
        result.setFontUnderline(True)
    return result


def _fill_table(cursor: QTextCursor, table: Table, theme: Theme) -> None:
    columns = max(len(row) for row in table.rows)
    table_format = QTextTableFormat()
    table_format.setBorder(0)
    table_format.setCellSpacing(0)
    table_format.setBorderCollapse(True)
    table_format.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
    table_format.setLeftMargin(indent_of(table.nest, theme))
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
            inner = cell.firstCursorPosition()
            block_format = QTextBlockFormat()
            block_format.setLineHeight(125, _PROPORTIONAL)
            name = table.alignments[column] if column < len(table.alignments) else "left"
            block_format.setAlignment(_ALIGNMENTS.get(name, Qt.AlignmentFlag.AlignLeft))
            inner.setBlockFormat(block_format)
            for run in cells[column] if column < len(cells) else ():
                # The header's weight is a small heading's.
                inner.insertText(run.text, _run_format(run, 3 if is_head else 0, theme))


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
