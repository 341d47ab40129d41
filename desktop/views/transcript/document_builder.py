"""Parts to text documents, by cursor and format calls only: no HTML anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFontMetricsF, QTextBlockFormat, QTextCursor, QTextDocument, QTextOption

from desktop.chats.markdown import direction
from desktop.chats.markdown.markdown_parts import (
    QUOTE,
    Paragraph,
    Prose,
    Style,
    Table,
    has_formulas,
)
from desktop.theme import Theme
from desktop.views.transcript.formula import OBJECT_TYPE, FormulaObject
from desktop.views.transcript.runs import indent_of, insert_run, list_step, run_format
from desktop.views.transcript.table_builder import fill_table

__all__ = ["LEADING", "Bar", "InertDocument", "fill", "gap_before", "indent_of"]

LEADING: Final = 145  # per cent
_PROPORTIONAL: Final = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_DISTANCE: Final = QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value
_QUIET: Final = "•◦▪"  # markers that say nothing


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
        self._formulas: FormulaObject | None = None

    def hold_formulas(self) -> None:
        """Be ready for formulas; most documents have none."""
        if self._formulas is None:
            self._formulas = FormulaObject(self)
            self.documentLayout().registerHandler(OBJECT_TYPE, self._formulas)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing, whatever is asked for."""
        del kind, name
        return None


@dataclass(frozen=True, slots=True)
class Bar:
    """A quotation's rule: `inset` from the side that its text begins at, along blocks."""

    inset: float
    first: int
    last: int
    reverse: bool  # it stands on the right


def fill(document: InertDocument, part: Prose | Table, theme: Theme) -> tuple[Bar, ...]:
    """Replace what `document` holds by `part`. Returns the rules to paint beside it."""
    document.setLayoutEnabled(False)
    document.clear()
    document.setDefaultFont(theme.text_font())
    if has_formulas(part):
        document.hold_formulas()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    if isinstance(part, Table):
        fill_table(cursor, part, theme)
        bars: tuple[Bar, ...] = ()
    else:
        bars = _fill_prose(cursor, part, theme)
    cursor.endEditBlock()
    document.setLayoutEnabled(True)
    return bars


def _fill_prose(cursor: QTextCursor, prose: Prose, theme: Theme) -> tuple[Bar, ...]:
    for index, paragraph in enumerate(prose.paragraphs):
        block_format = _block_format(paragraph, theme, is_first=index == 0)
        if index:
            cursor.insertBlock(block_format)
        else:
            cursor.setBlockFormat(block_format)
        if paragraph.marker:
            muted = paragraph.marker in _QUIET or paragraph.marker.startswith("[")
            look = run_format(theme, Style.PLAIN, muted=muted)
            cursor.insertText(f"{paragraph.marker}\t", look)
        for run in paragraph.runs:
            insert_run(cursor, run, paragraph.heading, theme)
    return tuple(_bars(prose, theme))


def _bars(prose: Prose, theme: Theme) -> list[Bar]:
    bars: list[Bar] = []
    depth = max((len(p.nest) for p in prose.paragraphs), default=0)
    for level in range(depth):
        first: int | None = None
        for index, paragraph in enumerate((*prose.paragraphs, None)):
            quoted = paragraph is not None and paragraph.nest[level : level + 1] == QUOTE
            if quoted and first is None:
                first = index
            elif not quoted and first is not None:
                begin = prose.paragraphs[first]
                inset = indent_of(begin.nest[:level], theme)
                bars.append(Bar(inset, first, index - 1, is_right_to_left(begin)))
                first = None
    return bars


def _block_format(paragraph: Paragraph, theme: Theme, *, is_first: bool) -> QTextBlockFormat:
    block_format = QTextBlockFormat()
    leading = LEADING if not paragraph.heading else 125
    if any(run.is_formula for run in paragraph.runs):
        # The space between lines stays that of the text, however high a formula is.
        font = run_format(theme, Style.PLAIN, paragraph.heading).font()
        space = QFontMetricsF(font).height() * (leading - 100) / 100
        block_format.setLineHeight(space, _DISTANCE)
    else:
        block_format.setLineHeight(leading, _PROPORTIONAL)
    indent = indent_of(paragraph.nest, theme)
    if is_right_to_left(paragraph):
        block_format.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        block_format.setRightMargin(indent)
    else:
        block_format.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        block_format.setLeftMargin(indent)
    if not is_first:
        block_format.setTopMargin(gap_before(paragraph, theme))
    if paragraph.marker:
        step = list_step(theme)
        block_format.setTextIndent(-step)
        reverse = is_right_to_left(paragraph)
        kind = QTextOption.TabType.RightTab if reverse else QTextOption.TabType.LeftTab
        marker = QFontMetricsF(theme.text_font()).horizontalAdvance(paragraph.marker)
        tab = QTextOption.Tab(max(step, marker + theme.space.xs), kind)
        block_format.setTabPositions([tab])
    return block_format


def is_right_to_left(paragraph: Paragraph) -> bool:
    """Whether its first letter belongs to a script that runs from right to left."""
    return direction.is_right_to_left(paragraph.runs)


def gap_before(paragraph: Paragraph, theme: Theme) -> int:
    """The space above a paragraph that follows another, in pixels."""
    if paragraph.joined:
        return 0
    if paragraph.heading:
        return theme.space.xl if paragraph.heading <= 2 else theme.space.l
    return theme.space.xs if paragraph.tight else theme.space.m
