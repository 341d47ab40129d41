"""Where a card's memory goes: one bar of patterned parts, and what each of them is and how much.

The bar is as long as the card's memory is on the scale of all cards: 12 GiB beside 24 GiB are
half as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QStaticText
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.monitor.memory_split import Part, Segment
from desktop.views.monitor.card_words import GIB, gib_text, part_text, share_text
from desktop.views.monitor.focus_ring import paint_focus

BAR_HEIGHT: Final = 18
SWATCH: Final = 10
LEAST_ENTRY: Final = 168  # pixels of a column of the key
NAMED: Final = 10  # characters of a name that its column has room for, in any size of the font
MOST_COLUMNS: Final = 4
MOST_TEXTS: Final = 64
MOST_PROGRAMS: Final = 4  # with a line of their own; the others are taken together
_LEAST_PART: Final = 2.0  # pixels; a part that is there is seen
_Brush = Qt.BrushStyle

# Colour and pattern of each part; no two are alike without colour.
LOOKS: Final[dict[Part, tuple[str, Qt.BrushStyle]]] = {
    Part.WEIGHTS: ("accent", _Brush.SolidPattern),
    Part.KV_USED: ("cool", _Brush.SolidPattern),
    Part.KV_CACHED: ("cool", _Brush.BDiagPattern),
    Part.KV_FREE: ("cool", _Brush.NoBrush),
    Part.OVERHEAD: ("accent", _Brush.Dense5Pattern),
    Part.OTHER: ("muted", _Brush.SolidPattern),
    Part.UNNAMED: ("muted", _Brush.DiagCrossPattern),
    Part.RESERVED: ("faint", _Brush.HorPattern),
    Part.FREE: ("faint", _Brush.NoBrush),
}


def gathered(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The segments with the smallest of many programs taken together, under no name."""
    others = sorted((one for one in segments if one.part is Part.OTHER), key=lambda one: -one.bytes)
    named = [one for one in others if one.name][:MOST_PROGRAMS]
    rest = sum(one.bytes for one in others) - sum(one.bytes for one in named)
    result = [one for one in segments if one.part is not Part.OTHER]
    at = next((i for i, one in enumerate(result) if _after_others(one)), len(result))
    gathered_rest = [Segment(Part.OTHER, rest)] if rest > 0 else []
    return (*result[:at], *named, *gathered_rest, *result[at:])


def _after_others(segment: Segment) -> bool:
    order = list(Part)
    return order.index(segment.part) > order.index(Part.OTHER)


class MemoryStrip(QWidget):
    """See the module.

    Args:
        ground: the colour's role of what it stands on, as of `Plot`.
    """

    def __init__(self, ground: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ground = ground
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, bool(ground))
        self._segments: tuple[Segment, ...] = ()
        self._total = 0
        self._scale = 0
        self._engines = 0
        self._last_drawn: object = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._restyle()
        theme.notifier().changed.connect(self._restyle)

    def show_segments(self, segments: Sequence[Segment], scale: int = 0) -> None:
        """Show the parts, which make the whole.

        Args:
            scale: bytes that the full width stands for; the parts' sum, where that is more.
        """
        shown = gathered(segments)
        total = sum(one.bytes for one in shown)
        rows = len(self._segments)
        self._segments, self._total, self._scale = shown, total, max(scale, total)
        drawn = self._drawn()
        if drawn == self._last_drawn:
            return
        self._last_drawn = drawn
        self._engines = len({one.name for one in shown if one.part is Part.WEIGHTS})
        name = self.tr("Memory of {total}: {parts}").format(
            total=gib_text(total),
            parts=", ".join(f"{self._name(one)} {gib_text(one.bytes)}" for one in shown),
        )
        if name != self.accessibleName():
            self.setAccessibleName(name)
        if rows != len(shown):
            self.updateGeometry()
        self.update()

    def _drawn(self) -> object:
        """What tells whether it looks as it did: memory changes by less than a pixel, mostly."""
        half = 2 * max(1, self.width()) / max(1, self._scale)
        tenth = GIB / 10
        return (
            self._scale,
            *(
                (one.part, one.name, round(one.bytes / tenth), round(one.bytes * half))
                for one in self._segments
            ),
        )

    # --- size and look -------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        """A narrow one has more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The bar and the lines below it."""
        rows = -(-len(self._segments) // self._columns(width))
        return BAR_HEIGHT + (self._space.xs + rows * self._line if rows else 0)

    def sizeHint(self) -> QSize:
        """Two columns."""
        return QSize(2 * LEAST_ENTRY, self.heightForWidth(2 * LEAST_ENTRY))

    def minimumSizeHint(self) -> QSize:
        """One column."""
        return QSize(120, BAR_HEIGHT)

    def _restyle(self) -> None:
        look = theme.current()
        self._look, self._space = look, look.space
        self._font = look.figure_font(look.small)
        self._texts: dict[tuple[str, int], QStaticText] = {}
        self._metrics = QFontMetrics(self._font, self)
        self._line = self._metrics.height() + 2
        self._size_width = self._metrics.horizontalAdvance(gib_text(88.8 * 1024**3))
        name = self._metrics.averageCharWidth() * NAMED
        self._least = SWATCH + self._space.s + name + self._space.xs + self._size_width
        self.updateGeometry()
        self.update()

    def _columns(self, width: int) -> int:
        fit = (width + self._space.m) // (max(LEAST_ENTRY, self._least) + self._space.m)
        return max(1, min(fit, MOST_COLUMNS, len(self._segments) or 1))

    def _name(self, segment: Segment) -> str:
        name = part_text(segment)
        if self._engines > 1 and segment.part is Part.WEIGHTS:
            return self.tr("{part}, {model}").format(part=name, model=model_name(segment.name))
        return name

    # --- hover ---------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """A part's tool tip: what it is, how much, and its share."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.segment_at(event.pos().x(), event.pos().y())
            if found is not None:
                QToolTip.showText(event.globalPos(), self.tip(found), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def tip(self, segment: Segment) -> str:
        """All that is to be said of a part."""
        share = share_text(segment.bytes / max(1, self._total))
        return self.tr("{name}: {size}, {share} of the memory").format(
            name=self._name(segment), size=gib_text(segment.bytes), share=share
        )

    def segment_at(self, x: int, y: int) -> Segment | None:
        """The part of the bar, or of the key, at a place."""
        for segment, left, right in self._places():
            if y <= BAR_HEIGHT and left <= x < right:
                return segment
        for segment, rect in zip(self._segments, self._entries(), strict=True):
            if rect.contains(x, y):
                return segment
        return None

    # --- painting ------------------------------------------------------------------------

    def _places(self) -> list[tuple[Segment, float, float]]:
        """Where each part lies in the bar; small ones get a little from the large."""
        if not self._scale:
            return []
        per_byte = (self.width() - 1) / self._scale
        widths = [max(_LEAST_PART, one.bytes * per_byte) for one in self._segments]
        over = sum(widths) - self._total * per_byte
        if over > 0 and widths:
            widest = max(range(len(widths)), key=widths.__getitem__)
            widths[widest] = max(_LEAST_PART, widths[widest] - over)
        places, left = [], 0.5
        for segment, width in zip(self._segments, widths, strict=True):
            places.append((segment, left, left + width))
            left += width
        return places

    def _entries(self) -> list[QRect]:
        """Where each line of the key lies, down the columns."""
        columns = self._columns(self.width())
        rows = -(-len(self._segments) // columns)
        gap = self._space.m
        each = (self.width() - gap * (columns - 1)) // columns
        top = BAR_HEIGHT + self._space.xs
        return [
            QRect(
                (number // rows) * (each + gap),
                top + (number % rows) * self._line,
                each,
                self._line,
            )
            for number in range(len(self._segments))
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar and its key."""
        del event
        look = self._look
        places = self._places()
        with QPainter(self) as painter:
            if self._ground:
                painter.fillRect(self.rect(), look.colour(self._ground))
            before: Part | None = None
            for segment, left, right in places:
                self._fill(painter, QRectF(left, 0.5, right - left, BAR_HEIGHT - 1), segment.part)
                if segment.part is before:  # two programs
                    painter.fillRect(QRectF(left, 1, 1, BAR_HEIGHT - 2), look.colour("page"))
                before = segment.part
            if places:
                painter.setBrush(_Brush.NoBrush)
                painter.setPen(QPen(look.colour("muted"), 1))
                painter.drawRect(QRectF(0.5, 0.5, places[-1][2] - 0.5, BAR_HEIGHT - 1))
            painter.setFont(self._font)
            for segment, rect in zip(self._segments, self._entries(), strict=True):
                self._paint_entry(painter, segment, rect)
            if self.hasFocus():
                paint_focus(painter, QRectF(0, 0, self.width(), BAR_HEIGHT))

    def _paint_entry(self, painter: QPainter, segment: Segment, rect: QRect) -> None:
        look = self._look
        middle = rect.center().y()
        swatch = QRectF(rect.x() + 0.5, middle - SWATCH / 2 + 0.5, SWATCH, SWATCH)
        self._fill(painter, swatch, segment.part)
        left = rect.x() + SWATCH + self._space.s
        room = rect.right() - left - self._size_width - self._space.xs
        painter.setPen(look.colour("muted"))
        name = self._written(self._name(segment), room)
        top = rect.y() + (rect.height() - name.size().height()) / 2
        painter.drawStaticText(QPointF(left, top), name)
        size = self._written(gib_text(segment.bytes), rect.width())
        painter.setPen(look.colour("text"))
        painter.drawStaticText(QPointF(rect.right() + 1 - size.size().width(), top), size)

    def _written(self, text: str, room: int) -> QStaticText:
        """As much of a text as there is room for; laid out once, as most texts come again."""
        found = self._texts.get((text, room))
        if found is None:
            if len(self._texts) >= MOST_TEXTS:
                self._texts.clear()
            middle = Qt.TextElideMode.ElideMiddle
            found = QStaticText(self._metrics.elidedText(text, middle, max(0, room)))
            found.setTextFormat(Qt.TextFormat.PlainText)
            found.prepare(font=self._font)
            self._texts[text, room] = found
        return found

    def _fill(self, painter: QPainter, rect: QRectF, part: Part) -> None:
        role, pattern = LOOKS[part]
        colour = self._look.colour(role)
        painter.fillRect(rect, self._look.colour("page"))
        if pattern is not _Brush.NoBrush:
            painter.fillRect(rect, QBrush(colour, pattern))
        painter.setBrush(_Brush.NoBrush)
        painter.setPen(QPen(colour if part is not Part.FREE else self._look.colour("line"), 1))
        painter.drawRect(rect)
        if part is Part.KV_FREE and rect.width() > SWATCH:
            y = rect.center().y()
            pen = QPen(colour, 1, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawLine(QPointF(rect.left() + 2, y), QPointF(rect.right() - 2, y))
