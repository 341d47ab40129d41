"""Paragraphs, lists, quotations and tables: a light widget around a text document."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.chats.markdown_parts import Part, Prose, Table
from desktop.views.transcript.document_builder import Bar, InertDocument, fill
from desktop.views.transcript.part_widget import PartWidget

_BAR_WIDTH = 2


class ProseBlock(PartWidget):
    """Shows a Prose or a Table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = InertDocument()
        self._bars: tuple[Bar, ...] = ()
        self._made_for: tuple[Part, theme.Theme] | None = None

    @property
    def document(self) -> InertDocument:
        """What it paints."""
        return self._document

    def show_part(self, part: Part, width: int, *, growing: bool) -> int:
        """Lay the part out."""
        del growing
        if not isinstance(part, Prose | Table):
            raise TypeError(f"a prose block cannot show {type(part).__name__}")
        tokens = theme.current()
        PartWidget.layouts += 1
        self.part = part
        if self._made_for != (part, tokens):
            self._bars = fill(self._document, part, tokens)
            self._made_for = (part, tokens)
        self._document.setTextWidth(width)
        self.update()
        return max(1, math.ceil(self._document.size().height()))

    def position_at(self, point: QPoint) -> int:
        """The nearest position."""
        layout = self._document.documentLayout()
        return max(0, layout.hitTest(QPointF(point), Qt.HitTestAccuracy.FuzzyHit))

    def link_at(self, point: QPoint) -> str:
        """The address there, or nothing."""
        return self._document.documentLayout().anchorAt(QPointF(point))

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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        tokens = theme.current()
        with QPainter(self) as painter:
            context = QAbstractTextDocumentLayout.PaintContext()
            context.clip = QRectF(event.rect())
            start, end = self.selection
            if start < end:
                selection = QAbstractTextDocumentLayout.Selection()
                cursor = QTextCursor(self._document)
                cursor.setPosition(min(start, self._last_position()))
                cursor.setPosition(min(end, self._last_position()), QTextCursor.MoveMode.KeepAnchor)
                look = QTextCharFormat()
                look.setBackground(QColor(tokens.selection))
                selection.cursor = cursor
                selection.format = look
                context.selections = [selection]
            layout = self._document.documentLayout()
            layout.draw(painter, context)
            for bar in self._bars:
                top = layout.blockBoundingRect(self._document.findBlockByNumber(bar.first)).top()
                last = layout.blockBoundingRect(self._document.findBlockByNumber(bar.last))
                painter.fillRect(
                    QRectF(bar.x, top, _BAR_WIDTH, last.bottom() - top), QColor(tokens.pressed)
                )
