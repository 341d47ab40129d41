"""Where messages stand on the page: heights, sums, and the reader's place."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from desktop.chats.chat import Message
from desktop.views.transcript.items import Items
from desktop.views.transcript.page import Page


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place on the page that keeps its meaning when heights change.

    `offset` pixels below the top of a part, or of the message itself for part -1.
    """

    item: int
    part: int
    offset: int


class Column:
    """Messages below each other, `gap` pixels apart. All positions are in pixels.

    A message whose height may have changed is named with `changed`; only what follows
    it is summed again.
    """

    def __init__(self, page: Page) -> None:
        self.items = Items(page)
        self._heights: list[int] = []
        self._set_space(page)
        self._tops: list[int] = [self.gap]
        self._known = 0  # so many messages are summed up in `_tops`

    def _set_space(self, page: Page) -> None:
        self.gap = page.theme.space.l
        self._room = page.theme.space.s  # below the last message

    def set_messages(self, messages: Iterable[Message]) -> None:
        """Hold these from now on."""
        self.items.replace(messages)
        self._look_again()

    def set_page(self, page: Page) -> None:
        """Another width or theme: all heights are estimates until the messages are taken."""
        self.items.page = page
        self._set_space(page)
        self._look_again()

    def _look_again(self) -> None:
        self._heights = self.items.heights()
        self._tops = [self.gap]
        self._known = 0

    def append(self, message: Message) -> None:
        """Add one below."""
        self.items.append(message)
        self._heights.append(self.items.height(len(self.items) - 1))

    def changed(self, index: int) -> bool:
        """Look at a message's height again. Returns whether it is another."""
        height = self.items.height(index)
        if height == self._heights[index]:
            return False
        self._heights[index] = height
        self._known = min(self._known, index)
        return True

    def height_of(self, index: int) -> int:
        """A message's height as it was looked at last."""
        return self._heights[index]

    @property
    def tops(self) -> list[int]:
        """The top of every message; one more for where the next would stand."""
        if self._known < len(self.items) or len(self._tops) != len(self.items) + 1:
            gap = self.gap
            heights = (height + gap for height in self._heights[self._known :])
            self._tops[self._known :] = accumulate(heights, initial=self._tops[self._known])
            self._known = len(self.items)
        return self._tops

    @property
    def height(self) -> int:
        """Of the whole page."""
        return self.tops[-1] + self._room

    def item_at(self, y: int) -> int:
        """The message at or above `y`; the first one above all."""
        return max(0, min(bisect.bisect_right(self.tops, y) - 1, len(self.items) - 1))

    def anchor_at(self, y: int) -> Anchor:
        """What stands at `y`."""
        if not self.items:
            return Anchor(0, -1, 0)
        index = self.item_at(y)
        item = self.items[index]
        inside = y - self.tops[index]
        if not item.parts or inside < item.head:
            return Anchor(index, -1, inside)
        part = item.part_at(inside)
        return Anchor(index, part, inside - item.tops[part])

    def y_of(self, anchor: Anchor) -> int:
        """Where an anchor is now."""
        if not self.items:
            return 0
        index = min(anchor.item, len(self.items) - 1)
        top = self.tops[index]
        if anchor.part >= 0:
            tops = self.items[index].tops
            top += tops[min(anchor.part, len(tops) - 1)]
        return top + anchor.offset
