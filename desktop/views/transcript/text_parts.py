"""A text that grows, cut into parts that are laid out one by one; no widget."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from desktop.chats.markdown.markdown_blocks import BlockStream, plain
from desktop.chats.markdown.markdown_parts import Block, Part, Prose
from desktop.views.transcript.page import Page

# Small enough that one piece never costs a frame, large enough to parse a block once.
_READ_AT_ONCE: Final = 2_000  # characters


class TextParts:
    """The parts of a text and their heights, in pixels.

    Text waits unread until someone looks at it: `read`. Heights are estimates until
    `measured`.

    Attributes:
        content: the whole text, as stored.
        gaps: the space above each part; none above the first.
        growing: more text may come; until then the last signs may wait for it.
    """

    __slots__ = (
        "_block_starts",
        "_literal",
        "_page",
        "_stream",
        "_unread",
        "content",
        "gaps",
        "growing",
        "heights",
        "measured",
        "parts",
    )

    def __init__(self, text: str, page: Page, *, literal: bool) -> None:
        self.content = text
        self.parts: list[Part] = []
        self.heights: list[int] = []
        self.measured: list[bool] = []
        self.gaps: list[int] = []
        self.growing = False
        self._page = page
        self._literal = literal  # shown as typed, not read as markdown
        self._unread = text
        self._stream: BlockStream | None = None
        self._block_starts: list[int] = []  # index of each block's first part

    # --- content ---

    @property
    def is_read(self) -> bool:
        """Whether all the text is in `parts`."""
        return not self._unread and (self.growing or self._stream is None or self._stream.is_whole)

    @property
    def waiting(self) -> int:
        """An estimate of the height of what is unread."""
        return self._page.height_of_text(self._unread) if self._unread else 0

    def append(self, text: str) -> None:
        """Add text; it is read later."""
        self.content += text
        self._unread += text

    def update(self, text: str) -> bool:
        """Hold this text; one that only grew keeps its parts. Returns whether it changed."""
        if text == self.content:
            return False
        if text.startswith(self.content):
            self.append(text[len(self.content) :])
            return True
        self.content = self._unread = ""
        self._stream = None
        self._take([], 0)
        self.append(text)
        return True

    def read(self, until: float) -> bool:
        """Read what waits, until that time (perf_counter). Returns whether anything changed."""
        if self.is_read:
            return False
        if self._literal:
            self._unread = ""
            self._take(plain(self.content), 0)
            return True
        if self._stream is None:
            self._stream = BlockStream(holds=True)
        stream = self._stream
        first = len(stream.blocks)
        place = 0
        while place < len(self._unread):
            first = min(first, stream.append(self._unread[place : place + _READ_AT_ONCE]))
            place += _READ_AT_ONCE
            if time.perf_counter() > until:
                break
        self._unread = self._unread[place:]
        if not self._unread and not self.growing:
            first = min(first, stream.finish())
        self._take(stream.blocks, first)
        return True

    def _take(self, blocks: Sequence[Block], first: int) -> None:
        """Use the parts of `blocks`, of which those before `first` are as they were."""
        start = self._block_starts[first] if first < len(self._block_starts) else len(self.parts)
        del self._block_starts[first:]
        new: list[Part] = []
        for block in blocks[first:]:
            self._block_starts.append(start + len(new))
            new.extend(block.parts)
        for index, part in enumerate(new, start):
            if index >= len(self.parts):
                self.parts.append(part)
                self.heights.append(self._page.height_of(part))
                self.measured.append(False)
            elif self.parts[index] != part:
                # The height it had is a better guess for a growing part than an estimate.
                if type(self.parts[index]) is not type(part) or not self.measured[index]:
                    self.heights[index] = self._page.height_of(part)
                self.parts[index] = part
                self.measured[index] = False
        end = start + len(new)
        del self.parts[end:], self.heights[end:], self.measured[end:]
        self._set_gaps(start)

    # --- geometry ---

    def set_page(self, page: Page) -> None:
        """Another width or theme: all heights are estimates again."""
        old, self._page = self._page, page
        ratio = old.width / max(page.width, 1) * page.line / old.line
        for index, part in enumerate(self.parts):
            known = self.measured[index]
            self.heights[index] = (
                max(1, round(self.heights[index] * ratio))
                if known and isinstance(part, Prose)
                else page.height_of(part)
            )
            self.measured[index] = False
        self._set_gaps(0)

    def _set_gaps(self, start: int) -> None:
        del self.gaps[start:]
        if start == 0 and self.parts:
            self.gaps.append(0)
        self.gaps += [self._page.gap(*pair) for pair in pairwise(self.parts[max(0, start - 1) :])]
