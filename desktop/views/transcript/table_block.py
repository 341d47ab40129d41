"""Tables: squeezed while they stay readable, then scrolled sideways."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.chats.markdown.markdown_parts import Part, Table
from desktop.views.transcript.prose_block import ProseBlock
from desktop.views.transcript.sideways import SidewaysBar
from desktop.views.transcript.table_builder import width_for


class TableBlock(ProseBlock):
    """Shows a Table. The pieces of one long table are scrolled together."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar: SidewaysBar | None = None  # most tables need none

    @property
    def shift(self) -> int:
        """How far it is scrolled, in pixels."""
        return self._bar.value() if self._bar is not None else 0

    def show_part(self, part: Part, width: int, *, growing: bool) -> int:
        """Lay the part out."""
        del growing
        if not isinstance(part, Table):
            raise TypeError(f"a table block cannot show {type(part).__name__}")
        tokens = theme.current()
        if self._bar is not None and not (
            isinstance(self.part, Table) and _is_one_table(self.part, part)
        ):
            self._bar.setValue(0)
        content = width_for(part, width, tokens)
        height = self._show(part, content)
        if content > width and not part.shares:
            # The width was an estimate; what it really takes may be there.
            content = max(width, math.ceil(self._document.idealWidth()))
            height = self._show(part, content)
        if self._bar is None and content > width:
            self._bar = SidewaysBar(self)
            self._bar.valueChanged.connect(self._scroll_others)
            self._bar.place()
        if self._bar is None:
            return height
        self._bar.fit(content, width, round(4 * tokens.em))
        self._bar.setValue(next((other.shift for other in self._others()), self._bar.value()))
        return height + self._bar.room

    def _others(self) -> list[TableBlock]:
        """The other pieces of the same table that are shown now."""
        parent = self.parentWidget()
        if parent is None or not isinstance(self.part, Table) or not self.part.shares:
            return []
        return [
            other
            for other in parent.findChildren(TableBlock)
            if other is not self
            and other.isVisible()
            and isinstance(other.part, Table)
            and _is_one_table(self.part, other.part)
        ]

    def _scroll_others(self, value: int) -> None:
        for other in self._others():
            if other._bar is not None:
                other._bar.setValue(value)

    def rest(self) -> None:
        """It is not needed for now."""
        super().rest()
        if self._bar is not None:
            self._bar.setValue(0)

    def focus_stops(self) -> list[QWidget]:
        """The scroll bar, where there is one."""
        return self._bar.stops() if self._bar is not None else []

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        if self._bar is not None:
            self._bar.place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways."""
        if self._bar is not None:
            self._bar.take_wheel(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        super().paintEvent(event)
        if self._bar is not None and self._bar.hasFocus():
            tokens = theme.current()
            with QPainter(self) as painter:
                painter.setPen(QPen(QColor(tokens.accent), tokens.ring))
                painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))


def _is_one_table(a: Table, b: Table) -> bool:
    """Whether two parts look like pieces of one table."""
    return a is b or (a.columns == b.columns and a.shares == b.shares and a.nest == b.nest)
