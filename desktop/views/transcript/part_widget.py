"""What shows one part of a message: the base of all of them, and the plainest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.chats.markdown.markdown_parts import Part, Rule, display_text
from desktop.views.transcript.units import utf16_length


class PartWidget(QWidget):
    """Shows one part; recycled from part to part.

    Positions are offsets into `display_text(part)` in UTF-16 units, as Qt counts.
    Mouse events pass through to the transcript, which selects across parts.
    `layouts` counts how often any part was laid out: the tests' gauge.
    """

    layouts: ClassVar[int] = 0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.part: Part | None = None
        self.selection = (0, 0)
        self.marks: Sequence[tuple[int, int]] = ()  # what a search found

    def show_part(self, part: Part, width: int, *, growing: bool) -> int:
        """Lay `part` out `width` pixels wide. Returns the height it takes, in pixels.

        `growing`: more text of it may come; work that pays only for a finished part
        can wait.
        """
        raise NotImplementedError

    def position_at(self, point: QPoint) -> int:
        """The position in the text nearest to `point`."""
        raise NotImplementedError

    def word_at(self, position: int) -> tuple[int, int]:
        """Where the word at `position` begins and ends."""
        return position, position

    def paragraph_at(self, position: int) -> tuple[int, int]:
        """Where the paragraph or line at `position` begins and ends."""
        del position
        return 0, self.length

    def link_at(self, point: QPoint) -> str:
        """The web address under `point`, or nothing."""
        del point
        return ""

    def links(self) -> list[str]:
        """The web addresses of its links, in reading order."""
        return []

    def focus_link(self, number: int | None) -> None:
        """Mark one of the links as having the focus, or none."""
        del number

    def link_rect(self, number: int) -> QRect:
        """Where a link stands, in this widget's pixels."""
        del number
        return self.rect()

    @property
    def length(self) -> int:
        """How many positions the text has."""
        return 0 if self.part is None else utf16_length(display_text(self.part))

    def set_selection(self, start: int, end: int) -> None:
        """Mark the text between two positions."""
        if (start, end) != self.selection:
            self.selection = (start, end)
            self.update()

    def set_marks(self, marks: Sequence[tuple[int, int]]) -> None:
        """Mark what a search found: starts and ends of positions, in order, apart."""
        if marks != self.marks:
            self.marks = marks
            self.update()

    def rest(self) -> None:
        """It is not needed for now."""

    def focus_stops(self) -> list[QWidget]:
        """The widgets in it that the keyboard can reach, in order."""
        return []


class RuleBlock(PartWidget):
    """A thematic break."""

    def show_part(self, part: Part, width: int, *, growing: bool) -> int:
        """Lay the part out."""
        del width, growing
        PartWidget.layouts += 1
        self.part = part if isinstance(part, Rule) else Rule()
        return theme.current().space.l

    def position_at(self, point: QPoint) -> int:
        """The nearest position."""
        del point
        return 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        del event
        with QPainter(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.fillRect(0, self.height() // 2, self.width(), 1, QColor(theme.current().line))
