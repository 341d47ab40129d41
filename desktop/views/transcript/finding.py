"""Jumping to what a search found, and marking its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QWidget

from desktop.chats import chat
from desktop.chats.markdown.markdown_parts import Part, display_text
from desktop.views.transcript.canvas import Canvas
from desktop.views.transcript.column import Anchor
from desktop.views.transcript.hits import Span, find_words, first_hit
from desktop.views.transcript.part_widget import PartWidget

_FLASH_MS: Final = 1_200
_MARKED: Final = 100_000  # characters of a part; no search is shown within longer ones


@dataclass(frozen=True, slots=True)
class _Marks:
    """What is marked in a part: found once, however often the page is arranged."""

    part: Part
    words: tuple[str, ...]
    spans: Sequence[Span]


class FindingCanvas(Canvas):
    """A canvas that can show where words stand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self._marked: dict[PartWidget, _Marks] = {}
        self._flash = QTimer(self)
        self._flash.setSingleShot(True)
        self._flash.setInterval(_FLASH_MS)
        self._flash.timeout.connect(self._end_flash)
        self._flashed = ""  # the message whose frame stands out for a moment

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are marked."""
        return self._words

    def reveal(self, message_id: str, words: Sequence[str]) -> bool:
        """Bring a message to the middle of the view, at the first place where its words stand.

        All places are marked until `clear_marks`. A thought is unfolded if they stand there.

        Returns whether the message is here.
        """
        if not self.items.has(message_id):
            return False
        index = self.items.index_of(message_id)
        self._words = tuple(word for word in words if word.strip())
        item = self.items[index]
        item.read_all()
        hit = first_hit(item.parts, self._words)
        if hit is None and item.reasoning and not item.unfolded:
            self.unfold(index, True)
            item.read_all()
            hit = first_hit(item.parts, self._words)
            if hit is None:
                self.unfold(index, False)
        self._column.changed(index)
        if hit is None:
            self.scroll_to_message(index)
        else:
            # First near it, so that it is laid out; then exactly.
            self.go_to(Anchor(index, hit.part, 0))
            self._centre(index, hit.part, hit.span)
        self._flashed = message_id
        self._flash.start()
        self._show_marks()
        self._show_flash()
        return True

    def _centre(self, index: int, part: int, span: Span) -> None:
        frame = self.frame_of(index)
        widget = frame.widgets.get(part) if frame is not None else None
        y = y_of(widget, span[0]) if widget is not None else 0
        self.go_to(Anchor(index, part, y - self.viewport().height() // 2))

    def clear_marks(self) -> None:
        """Mark nothing any more."""
        self._words = ()
        self._show_marks()

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these, and mark nothing where it is another chat."""
        before = self.items.messages
        if before and messages and before[0].chat_id != messages[0].chat_id:
            self.clear_marks()
        super().set_messages(messages)

    def arrange(self) -> None:
        """Bring the view and the marks up to date."""
        super().arrange()
        if self._words or self._marked:
            self._show_marks()
        if self._flashed:
            self._show_flash()

    def _show_marks(self) -> None:
        marked: dict[PartWidget, _Marks] = {}
        for frame in self.frames.values():
            for widget in frame.widgets.values():
                part = widget.part
                if part is None or not self._words:
                    continue
                known = self._marked.get(widget)
                if known is None or known.part != part or known.words != self._words:
                    spans = find_words(display_text(part)[:_MARKED], self._words)
                    known = _Marks(part, self._words, spans)
                marked[widget] = known
                widget.set_marks(known.spans)
        for widget in self._marked:
            if widget not in marked:
                widget.set_marks(())
        self._marked = marked

    def _show_flash(self) -> None:
        for frame in self.frames.values():
            frame.set_flash(frame.item is not None and frame.item.message.id == self._flashed)

    def _end_flash(self) -> None:
        self._flashed = ""
        self._show_flash()


def y_of(widget: PartWidget, position: int) -> int:
    """Where a position of a part stands, in its pixels: the top of its line, nearly."""
    low, high = 0, max(0, widget.height() - 1)
    while high - low > 2:
        middle = (low + high) // 2
        # The end of a line stands before what follows: only there is it surely reached.
        if widget.position_at(QPoint(widget.width() - 1, middle)) >= position:
            high = middle
        else:
            low = middle
    return low
