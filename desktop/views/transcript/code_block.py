"""A code block: language, copy button, lines painted as they come into view."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolButton, QWidget

from desktop import theme
from desktop.chats.markdown.markdown_parts import Code, Part
from desktop.views import icons
from desktop.views.transcript.code_rows import TAB, CodeRows
from desktop.views.transcript.highlight import Highlighter, Span
from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.sideways import SidewaysBar
from desktop.views.transcript.units import utf16_length, utf16_slice

COPIED_MS: Final = 2_000
_SLICE_S: Final = 0.006  # of highlighting at a time
_TICK_MS: Final = 8
_LAYOUTS_KEPT: Final = 300


class CodeBlock(PartWidget):
    """Shows a Code. Lays out only the rows that are painted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = CodeRows()
        self._layouts: dict[int, QTextLayout] = {}
        self._highlighter = Highlighter("")
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._highlight)
        self._copy = QToolButton(self)
        self._copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._copy.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._copy.setCursor(Qt.CursorShape.ArrowCursor)
        self._copy.setProperty("role", "small")
        self._copy.setIconSize(QSize(16, 16))
        self._copy.clicked.connect(self.copy)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(self._show_copy)
        self._bar = SidewaysBar(self)
        self._show_copy()

    # --- what the transcript asks of a part ---

    def show_part(self, part: Part, width: int, *, growing: bool) -> int:
        """Lay the part out."""
        if not isinstance(part, Code):
            raise TypeError(f"a code block cannot show {type(part).__name__}")
        PartWidget.layouts += 1
        if not isinstance(self.part, Code) or self.part.language != part.language:
            self._highlighter = Highlighter(part.language)
        if self._copied.isActive() and part != self.part:
            self._copied.stop()
            self._show_copy()
        self.part = part
        self._measure()
        self._rows.show(part.source)
        self._copy.setAccessibleDescription(
            self.tr("Code, {language}").format(language=part.language or self.tr("text"))
        )
        self._highlighter.show(part.source, growing=growing)
        if self._highlighter.work(0):
            self._tick.stop()
        else:
            self._tick.start()
        self._layouts.clear()
        self._set_bar(width)
        self.update()
        return self._body_top + self._body_height + self._pad + self._bar.room

    def position_at(self, point: QPoint) -> int:
        """The nearest position."""
        row = (point.y() - self._body_top) // self._line_height
        row = min(max(row, 0), len(self._rows) - 1)
        x = point.x() - self._pad + self._bar.value()
        inside = self._layout_of(row).lineAt(0).xToCursor(float(x))
        return self._rows.range(row)[0] + inside

    def word_at(self, position: int) -> tuple[int, int]:
        """The word there."""
        row = self._rows.at(position)
        text = self._rows.text(row)
        base, limit = self._rows.range(row)
        start = end = position - base

        def is_word(place: int) -> bool:
            sign = utf16_slice(text, place, place + 1)
            return sign.isalnum() or sign == "_"

        while start > 0 and is_word(start - 1):
            start -= 1
        while end < limit - base and is_word(end):
            end += 1
        return base + start, base + end

    def paragraph_at(self, position: int) -> tuple[int, int]:
        """The paragraph or line there."""
        return self._rows.range(self._rows.at(position))

    def focus_stops(self) -> list[QWidget]:
        """The copy button, and the scroll bar where there is one."""
        return [self._copy, *self._bar.stops()]

    def rest(self) -> None:
        """Stop colouring: nobody sees it."""
        self._tick.stop()

    @property
    def rows_laid_out(self) -> int:
        """How many rows have a layout now."""
        return len(self._layouts)

    @property
    def is_highlighted(self) -> bool:
        """Whether the colours are up to date."""
        return not self._tick.isActive()

    def spans(self, line: int) -> list[Span]:
        """The colours of a line of the source."""
        lines = self._highlighter.lines
        return lines[line] if line < len(lines) else []

    # --- copying ---

    def copy(self) -> None:
        """Put the exact source on the clipboard, and say so for a while."""
        if isinstance(self.part, Code):
            QGuiApplication.clipboard().setText(self.part.source)
            self._copy.setText(self.tr("Copied"))
            self._copy.setIcon(icons.icon("check", "ok"))
            self._copy.setAccessibleName(self.tr("Copied"))
            self._copied.start()
            self._place()

    def _show_copy(self) -> None:
        self._copy.setText(self.tr("Copy"))
        self._copy.setIcon(icons.icon("copy", "muted"))
        self._copy.setAccessibleName(self.tr("Copy code"))
        self._place()

    # --- geometry ---

    def _measure(self) -> None:
        tokens = theme.current()
        self._font = tokens.mono_font()
        metrics = QFontMetricsF(self._font)
        self._sign_width = metrics.horizontalAdvance("0")
        self._line_height = round(metrics.height() * 1.25)
        self._pad = tokens.space.m
        self._small = tokens.text_font(tokens.small)
        self._head = round(QFontMetricsF(self._small).height()) + tokens.space.l
        self._body_top = self._head

    @property
    def _body_height(self) -> int:
        return len(self._rows) * self._line_height

    def _set_bar(self, width: int) -> None:
        content = round(self._rows.columns * self._sign_width) + 2 * self._pad
        self._bar.fit(content, width, round(4 * self._sign_width))
        self._place()

    def _place(self) -> None:
        space = theme.current().space
        self._copy.ensurePolished()  # its size is known only then
        size = self._copy.sizeHint()
        top = max(0, (getattr(self, "_head", size.height()) - size.height()) // 2)
        self._copy.setGeometry(
            self.width() - size.width() - space.xs, top, size.width(), size.height()
        )
        self._bar.place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self._place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways here, and down in the transcript."""
        self._bar.take_wheel(event)

    # --- painting ---

    def _highlight(self) -> None:
        if self._highlighter.work(_SLICE_S):
            self._tick.stop()
        elif self._highlighter.is_waiting:
            return
        self._layouts.clear()
        self.update()

    def _layout_of(self, row: int) -> QTextLayout:
        layout = self._layouts.get(row)
        if layout is None:
            if len(self._layouts) > _LAYOUTS_KEPT:
                self._layouts.clear()
            layout = self._layouts[row] = self._make_layout(row)
        return layout

    def _make_layout(self, row: int) -> QTextLayout:
        text = self._rows.text(row)
        layout = QTextLayout(text, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setTabStopDistance(TAB * self._sign_width)
        layout.setTextOption(option)
        layout.setFormats(self._formats(row, text))
        layout.beginLayout()
        layout.createLine().setLineWidth(1_000_000)
        layout.endLayout()
        return layout

    def _formats(self, row: int, text: str) -> list[QTextLayout.FormatRange]:
        lines = self._highlighter.lines
        line, shift = self._rows.line(row)
        if line >= len(lines):
            return []
        syntax = theme.current().syntax
        result: list[QTextLayout.FormatRange] = []
        for start, length, role in lines[line]:
            begin, end = max(0, start - shift), min(len(text), start + length - shift)
            if begin >= end:
                continue
            span = QTextLayout.FormatRange()
            span.start = utf16_length(text[:begin])
            span.length = utf16_length(text[begin:end])
            look = QTextCharFormat()
            look.setForeground(QColor(getattr(syntax, role)))
            if role == "comment":
                look.setFontItalic(True)
            span.format = look
            result.append(span)
        return result

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        tokens = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = tokens.accent if self._bar.hasFocus() else tokens.line
            painter.setPen(QPen(QColor(edge), 1))
            painter.setBrush(QColor(tokens.raised))
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(box, tokens.radius, tokens.radius)
            if not isinstance(self.part, Code):
                return
            painter.setFont(self._small)
            painter.setPen(QColor(tokens.muted))
            label = QRect(self._pad, 0, self._copy.x() - self._pad, self._head)
            painter.drawText(label, Qt.AlignmentFlag.AlignVCenter, self.part.language)
            painter.setPen(QColor(tokens.text))
            body = self.rect().adjusted(1, self._body_top, -1, -1)
            painter.setClipRect(body)
            dirty = event.rect()
            first = max(0, (dirty.top() - self._body_top) // self._line_height)
            last = min(len(self._rows), (dirty.bottom() - self._body_top) // self._line_height + 1)
            x = self._pad - self._bar.value()
            for row in range(first, last):
                place = QPointF(x, self._body_top + row * self._line_height)
                self._layout_of(row).draw(painter, place, self._selection_in(row))

    def _selection_in(self, row: int) -> list[QTextLayout.FormatRange]:
        tokens = theme.current()
        spans = [(*mark, tokens.accent_soft) for mark in self.marks]
        spans.append((*self.selection, tokens.selection))
        base, limit = self._rows.range(row)
        result: list[QTextLayout.FormatRange] = []
        for begin, finish, colour in spans:
            start, end = max(0, begin - base), min(limit, finish) - base
            if start < end:
                span = QTextLayout.FormatRange()
                span.start, span.length = start, end - start
                span.format.setBackground(QColor(colour))
                result.append(span)
        return result
