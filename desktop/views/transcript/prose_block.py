"""Paragraphs, lists and quotations: a light widget around a text document."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.chats.markdown.markdown_parts import Part, Prose, Table
from desktop.views.transcript.document_builder import Bar, InertDocument, fill
from desktop.views.transcript.links import Link, links_in, rects_of
from desktop.views.transcript.part_widget import PartWidget

_BAR_WIDTH = 2


class ProseBlock(PartWidget):
    """Shows a Prose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = InertDocument()
        self._bars: tuple[Bar, ...] = ()
        self._made_for: tuple[Part, theme.Theme] | None = None
        self._links: list[Link] | None = None
        self._focused: int | None = None

    @property
    def document(self) -> InertDocument:
        """What it paints."""
        return self._document

    @property
    def shift(self) -> int:
        """How far the document is scrolled sideways, in pixels."""
        return 0

    def show_part(self, part: Part, width: int, *, growing: bool) -> int:
        """Lay the part out."""
        del growing
        if not isinstance(part, Prose):
            raise TypeError(f"a prose block cannot show {type(part).__name__}")
        return self._show(part, width)

    def _show(self, part: Prose | Table, width: int) -> int:
        tokens = theme.current()
        PartWidget.layouts += 1
        self.part = part
        if self._made_for != (part, tokens):
            self._bars = fill(self._document, part, tokens)
            self._made_for = (part, tokens)
            self._links = None
        self._document.setTextWidth(width)
        self.update()
        return max(1, math.ceil(self._document.size().height()))

    def position_at(self, point: QPoint) -> int:
        """The nearest position."""
        layout = self._document.documentLayout()
        return max(0, layout.hitTest(self._inside(point), Qt.HitTestAccuracy.FuzzyHit))

    def _inside(self, point: QPoint) -> QPointF:
        return QPointF(point.x() + self.shift, point.y())

    # --- links ---

    def link_at(self, point: QPoint) -> str:
        """The address there, or nothing."""
        return self._document.documentLayout().anchorAt(self._inside(point))

    def links(self) -> list[str]:
        """The addresses of its links, in reading order."""
        return [link.address for link in self._all_links]

    @property
    def _all_links(self) -> list[Link]:
        if self._links is None:
            self._links = links_in(self._document)
        return self._links

    def focus_link(self, number: int | None) -> None:
        """Mark one link as having the focus, or none."""
        if number != self._focused:
            self._focused = number
            self.update()

    def link_rect(self, number: int) -> QRect:
        """Where a link stands."""
        box = QRectF()
        for rect in rects_of(self._document, self._all_links[number]):
            box = box.united(rect)
        return box.translated(-self.shift, 0).toAlignedRect()

    def rest(self) -> None:
        """It is not needed for now."""
        self._focused = None

    # --- selecting ---

    def word_at(self, position: int) -> tuple[int, int]:
        """The word there."""
        return self._around(position, QTextCursor.SelectionType.WordUnderCursor)

    def paragraph_at(self, position: int) -> tuple[int, int]:
        """The paragraph or line there."""
        return self._around(position, QTextCursor.SelectionType.BlockUnderCursor)

    def _around(self, position: int, kind: QTextCursor.SelectionType) -> tuple[int, int]:
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(position, self._last_position()))
        cursor.select(kind)
        return cursor.selectionStart(), cursor.selectionEnd()

    def _last_position(self) -> int:
        return self._document.characterCount() - 1

    # --- painting ---

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        tokens = theme.current()
        with QPainter(self) as painter:
            painter.translate(-self.shift, 0)
            context = QAbstractTextDocumentLayout.PaintContext()
            context.clip = QRectF(event.rect()).translated(self.shift, 0)
            start, end = self.selection
            if isinstance(self.part, Table):
                start = max(start, 1)  # the sign for the table itself is not to be seen
            spans = [(*mark, tokens.accent_soft) for mark in self.marks]
            if start < end:
                spans.append((start, end, tokens.selection))
            context.selections = [self._selected(*span) for span in spans]
            self._document.documentLayout().draw(painter, context)
            self._paint_bars(painter, QColor(tokens.pressed))
            if self._focused is not None and self._focused < len(self._all_links):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(QColor(tokens.accent), tokens.ring))
                for rect in rects_of(self._document, self._all_links[self._focused]):
                    painter.drawRoundedRect(
                        rect.adjusted(-1.5, 0.5, 1.5, -0.5),
                        tokens.radius_small,
                        tokens.radius_small,
                    )

    def _selected(self, start: int, end: int, colour: str) -> QAbstractTextDocumentLayout.Selection:
        selection = QAbstractTextDocumentLayout.Selection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(start, self._last_position()))
        cursor.setPosition(min(end, self._last_position()), QTextCursor.MoveMode.KeepAnchor)
        look = QTextCharFormat()
        look.setBackground(QColor(colour))
        selection.cursor = cursor
        selection.format = look
        return selection

    def _paint_bars(self, painter: QPainter, colour: QColor) -> None:
        layout = self._document.documentLayout()
        for bar in self._bars:
            top = layout.blockBoundingRect(self._document.findBlockByNumber(bar.first)).top()
            last = layout.blockBoundingRect(self._document.findBlockByNumber(bar.last))
            x = self.width() - bar.inset - _BAR_WIDTH if bar.reverse else bar.inset
            painter.fillRect(QRectF(x, top, _BAR_WIDTH, last.bottom() - top), colour)
