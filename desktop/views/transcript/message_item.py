"""One message as the transcript measures it: its parts and their heights, no widget."""

from __future__ import annotations

import bisect
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from desktop.chats import chat
from desktop.chats.markdown_blocks import BlockStream, plain
from desktop.chats.markdown_parts import Block, Code, Part, Prose, Rule, Table
from desktop.theme import Theme
from desktop.views.transcript.document_builder import LEADING, gap_before

READ_S: Final = 0.016  # parsing goes on for so long before the view is painted
_READ_AT_ONCE: Final = 16_000  # characters


@dataclass(frozen=True, slots=True)
class Page:
    """What the width and the theme make of a line of text. Sizes in pixels."""

    theme: Theme
    width: int  # of the text
    line: int  # the body's line height, leading included
    columns: int  # characters a line, about

    def height_of(self, part: Part) -> int:
        """An estimate, until the part is laid out."""
        match part:
            case Prose(paragraphs=paragraphs):
                height = 0
                for index, paragraph in enumerate(paragraphs):
                    height += self.height_of_text(paragraph.text)
                    height += gap_before(paragraph, self.theme) if index else 0
                return height
            case Code(source=source):
                return round((source.count("\n") + 1) * self.line * 0.9) + 48
            case Table(rows=rows):
                return len(rows) * (self.line + 8)
            case Rule():
                return self.theme.space.l

    def height_of_text(self, text: str) -> int:
        """An estimate for text of which nothing but its length is known."""
        return (math.ceil(len(text) / self.columns) or 1) * self.line

    def gap(self, before: Part, part: Part) -> int:
        """The space between two parts."""
        if isinstance(before, Prose) and isinstance(part, Prose):
            return gap_before(part.paragraphs[0], self.theme)
        if isinstance(part, Table) and not part.has_header:
            return 0
        return self.theme.space.m


class MessageItem:
    """A message, cut into parts that are laid out one by one.

    Text waits unread until someone looks at it: `read`. Heights are estimates until
    `measured`; `head` and `foot` are what the frame needs around the parts.
    """

    def __init__(self, message: chat.Message, page: Page) -> None:
        self.message = message  # its content may be behind: see `content`
        self.page = page
        self.content = ""  # as stored
        self.parts: list[Part] = []
        self.heights: list[int] = []
        self.measured: list[bool] = []
        self.head = 0
        self.foot = 0
        self._unread = ""
        self._stream: BlockStream | None = None
        self._gaps: list[int] = []  # above each part
        self._block_starts: list[int] = []  # index of each block's first part
        self._tops: list[int] | None = None
        self.append(message.content)

    # --- content ---

    @property
    def is_read(self) -> bool:
        """Whether all its text is in `parts`."""
        return not self._unread

    @property
    def is_user(self) -> bool:
        """Whether a person wrote it: shown as typed."""
        return self.message.role != chat.Role.ASSISTANT

    def append(self, text: str) -> None:
        """Add text; it is read later."""
        self.content += text
        self._unread += text
        self._tops = None

    def update(self, message: chat.Message) -> None:
        """Take a new state of the message; text that only grew keeps its parts."""
        self.message = message
        if message.content == self.content:
            return
        if message.content.startswith(self.content):
            self.append(message.content[len(self.content) :])
            return
        self.content = ""
        self._unread = ""
        self._stream = None
        self._take([], 0)
        self.append(message.content)

    def read(self) -> bool:
        """Read what waits, for some milliseconds. Returns whether anything changed."""
        if not self._unread:
            return False
        self._tops = None
        if self.is_user:
            self._unread = ""
            self._take(plain(self.content), 0)
            return True
        if self._stream is None:
            self._stream = BlockStream()
        stream = self._stream
        end = time.perf_counter() + READ_S
        first = len(stream.blocks)
        place = 0
        while place < len(self._unread):
            first = min(first, stream.append(self._unread[place : place + _READ_AT_ONCE]))
            place += _READ_AT_ONCE
            if time.perf_counter() > end:
                break
        self._unread = self._unread[place:]
        self._take(stream.blocks, first)
        return True

    def read_all(self) -> None:
        """Read all that waits, however long it takes."""
        while self.read():
            pass

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
                self.heights.append(self.page.height_of(part))
                self.measured.append(False)
            elif self.parts[index] != part:
                # The height it had is a better guess for a growing part than an estimate.
                if type(self.parts[index]) is not type(part) or not self.measured[index]:
                    self.heights[index] = self.page.height_of(part)
                self.parts[index] = part
                self.measured[index] = False
        end = start + len(new)
        del self.parts[end:], self.heights[end:], self.measured[end:]
        self._set_gaps(start)
        self._tops = None

    # --- geometry ---

    def set_page(self, page: Page) -> None:
        """Another width or theme: all heights are estimates again."""
        old, self.page = self.page, page
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
        self._tops = None

    def set_height(self, index: int, height: int) -> bool:
        """A part was laid out. Returns whether that moves anything."""
        self.measured[index] = True
        if self.heights[index] == height:
            return False
        self.heights[index] = height
        self._tops = None
        return True

    def touch(self) -> None:
        """`head` or `foot` changed."""
        self._tops = None

    def gap(self, index: int) -> int:
        """The space above a part."""
        return self._gaps[index]

    def _set_gaps(self, start: int) -> None:
        del self._gaps[start:]
        if start == 0 and self.parts:
            self._gaps.append(0)
        self._gaps += [self.page.gap(*pair) for pair in pairwise(self.parts[max(0, start - 1) :])]

    @property
    def tops(self) -> list[int]:
        """Where each part begins, and where the last one ends, from the message's top."""
        if self._tops is None:
            gaps = self._gaps
            ends = list(accumulate(map(int.__add__, gaps, self.heights), initial=self.head))
            self._tops = [*map(int.__add__, ends, gaps), ends[-1]]
        return self._tops

    @property
    def height(self) -> int:
        """Of the whole message."""
        waiting = self.page.height_of_text(self._unread) if self._unread else 0
        return self.tops[-1] + waiting + self.foot

    def part_at(self, y: int) -> int:
        """The index of the part at or above `y`; 0 where there is none."""
        return max(0, bisect.bisect_right(self.tops, y, hi=len(self.parts)) - 1)


def page_for(theme: Theme, width: int, line_height: float, sign_width: float) -> Page:
    """The page of a column `width` pixels wide, from the body font's metrics."""
    return Page(
        theme,
        width,
        max(1, round(line_height * LEADING / 100)),
        max(10, int(width / max(sign_width, 1))),
    )
