"""Paints what a search found: who and when, and the text with the words marked."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.chats.search import SearchHit
from desktop.models.lists.search_model import HitKind, HitRole
from desktop.views.sidebar.chat_list_delegate import paint_ground

_Index = QModelIndex | QPersistentModelIndex
_LINES = 2  # of a snippet
_LINE_SPACING = 1.15


class SearchDelegate(QStyledItemDelegate):
    """A title takes one line, a message its chat's title and up to two lines of text."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._look: theme.Theme | None = None  # that the heights are of
        self._heights: dict[HitKind, int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """By kind alone, so that nothing is laid out to know it."""
        del option
        look = theme.current()
        if look is not self._look:
            self._look, self._heights = look, _heights(look)
        return QSize(0, self._heights[index.data(HitRole.KIND)])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        look = theme.current()
        space = look.space
        painter.save()
        area = option.rect.adjusted(space.s, 0, -space.s, 0)
        kind, text = index.data(HitRole.KIND), index.data(Qt.ItemDataRole.DisplayRole)
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter
        if kind is HitKind.HEADING:
            painter.setFont(look.text_font(look.small, QFont.Weight.Medium))
            painter.setPen(look.colour("muted"))
            area.adjust(0, 0, 0, -space.xs)
            painter.drawText(area, left | Qt.AlignmentFlag.AlignBottom, text)
            painter.restore()
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option)
        hit: SearchHit | None = index.data(HitRole.HIT)
        if hit is None:
            painter.setFont(look.text_font())
            painter.setPen(look.colour("accent"))
            painter.drawText(area, left | middle, text)
        elif kind is HitKind.TITLE:
            height = QFontMetrics(look.text_font()).height()
            area.setTop(area.top() + (area.height() - height) // 2)
            _draw_marked(painter, area, hit.chat_title, hit.marks, look.text_font(), 1)
        else:
            self._paint_message(painter, area.adjusted(0, space.s, 0, -space.s), index, hit)
        painter.restore()

    def _paint_message(self, painter: QPainter, area: QRect, index: _Index, hit: SearchHit) -> None:
        look = theme.current()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        top = Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextSingleLine
        font = look.text_font(look.small, QFont.Weight.Medium)
        painter.setFont(font)
        painter.setPen(look.colour("text"))
        metrics = QFontMetrics(font)
        title = metrics.elidedText(
            " ".join(hit.chat_title.split()), Qt.TextElideMode.ElideRight, area.width()
        )
        absolute = Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | absolute | top, title)
        area = area.adjusted(0, metrics.height(), 0, 0)
        painter.setFont(look.text_font(look.small))
        painter.setPen(look.colour("muted"))
        when, who = index.data(HitRole.WHEN), index.data(HitRole.WHO)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | absolute | top, when)
        metrics = painter.fontMetrics()
        room = area.width() - metrics.horizontalAdvance(when) - look.space.s
        who = metrics.elidedText(who, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | absolute | top, who)
        area = area.adjusted(0, metrics.height() + look.space.xs, 0, 0)
        _draw_marked(painter, area, hit.snippet, hit.marks, look.text_font(look.small), _LINES)


def _heights(look: theme.Theme) -> dict[HitKind, int]:
    space = look.space
    small = QFontMetrics(look.text_font(look.small)).height()
    body = QFontMetrics(look.text_font()).height()
    heights = dict.fromkeys(HitKind, body + space.m)
    heights[HitKind.HEADING] = small + space.l
    lines = round(_LINES * _LINE_SPACING * small)
    heights[HitKind.MESSAGE] = 2 * small + lines + space.l + space.xs
    return heights


def _draw_marked(
    painter: QPainter,
    area: QRect,
    text: str,
    marks: tuple[tuple[int, int], ...],
    font: QFont,
    lines: int,
) -> None:
    """Draw text on so many lines, with the words found in bold and in the accent."""
    text = "".join(" " if sign in "\n\r\t\u2028\u2029" else sign for sign in text)
    if lines > 1:
        per_line = area.width() // max(1, QFontMetrics(font).averageCharWidth())
        text, marks = brought_near(text, marks, per_line)
    layout, shown = _laid_out(text, marks, font, area.width(), lines)
    if shown < len(text):
        layout, _ = _laid_out(
            f"{text[: max(0, shown - 2)].rstrip()}…", marks, font, area.width(), lines
        )
    painter.setPen(theme.current().colour("text"))
    layout.draw(painter, QPointF(area.topLeft()))


def brought_near(
    text: str, marks: tuple[tuple[int, int], ...], room: int
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Text without so much of its beginning that its first mark would be out of sight.

    Args:
        text: on one line.
        marks: in it.
        room: characters that one line shows.
    """
    first = marks[0][0] if marks else 0
    if first < room:
        return text, marks
    cut = text.rfind(" ", 0, first - room // 2) + 1 or first - room // 2
    return "…" + text[cut:], tuple((start - cut + 1, end - cut + 1) for start, end in marks)


def _laid_out(
    text: str, marks: tuple[tuple[int, int], ...], font: QFont, width: int, lines: int
) -> tuple[QTextLayout, int]:
    """The layout, and how many characters of the text it shows."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    # Read in its own direction, but always at the left.
    option.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    found = QTextCharFormat()
    found.setFontWeight(QFont.Weight.Bold)
    found.setForeground(theme.current().colour("accent"))
    layout.setFormats(
        [_range(text, start, end, found) for start, end in marks if start < len(text)]
    )
    layout.beginLayout()
    y, shown = 0.0, 0
    for _ in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, y))
        y += line.height() * _LINE_SPACING
        shown = line.textStart() + line.textLength()
    layout.endLayout()
    return layout, len(
        text.encode("utf-16-le", "replace")[: 2 * shown].decode("utf-16-le", "ignore")
    )


def _range(text: str, start: int, end: int, how: QTextCharFormat) -> QTextLayout.FormatRange:
    """Qt counts in UTF-16."""
    result = QTextLayout.FormatRange()
    result.start = len(text[:start].encode("utf-16-le", "surrogatepass")) // 2
    result.length = len(text[start:end].encode("utf-16-le", "surrogatepass")) // 2
    result.format = how
    return result
