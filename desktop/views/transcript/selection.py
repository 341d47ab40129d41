"""A selection that runs across parts and messages; it outlives the widgets."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.chats.markdown.markdown_parts import copied, display_text
from desktop.views.transcript.items import Items
from desktop.views.transcript.units import utf16_length


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position (UTF-16 units) in a part of a message, both by index."""

    item: int
    part: int
    position: int


class Selection:
    """What lies between where a drag began and where it is now.

    It begins with a range rather than a point, so that a drag from a double click
    grows by words and never loses the first one.
    """

    def __init__(self) -> None:
        self._first: tuple[Place, Place] | None = None
        self._range: tuple[Place, Place] | None = None

    @property
    def range(self) -> tuple[Place, Place] | None:
        """The ends in order, or None where nothing is selected."""
        if self._range is None or self._range[0] == self._range[1]:
            return None
        return self._range

    def clear(self) -> None:
        """Select nothing."""
        self._first = self._range = None

    def begin(self, start: Place, end: Place) -> None:
        """Start anew with a point or a range."""
        self._first = self._range = (start, end)

    def extend(self, start: Place, end: Place) -> None:
        """Grow or shrink so that it reaches from where it began to this point or range."""
        if self._first is None:
            self.begin(start, end)
        else:
            self._range = (min(self._first[0], start), max(self._first[1], end))

    def span_in(self, item: int, part: int, length: int) -> tuple[int, int]:
        """Which positions of one part are selected: start and end, equal for none."""
        if self.range is None:
            return (0, 0)
        start, end = self.range
        here = (item, part)
        if here < (start.item, start.part) or here > (end.item, end.part):
            return (0, 0)
        return (
            start.position if here == (start.item, start.part) else 0,
            end.position if here == (end.item, end.part) else length,
        )

    def text(self, items: Items) -> str:
        """The selected text as it goes to the clipboard: parts and messages by blank lines."""
        if self.range is None:
            return ""
        start, end = self.range
        pieces: list[str] = []
        for index in range(start.item, min(end.item + 1, len(items))):
            item = items.passing(index)
            first = start.part if index == start.item else 0
            last = end.part if index == end.item else len(item.parts) - 1
            for number in range(first, min(last + 1, len(item.parts))):
                part = item.parts[number]
                text = display_text(part)
                span = self.span_in(index, number, utf16_length(text))
                pieces.append(copied(part, *span))
        return "\n\n".join(piece for piece in pieces if piece)
