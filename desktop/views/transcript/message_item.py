"""One message as the transcript measures it: its parts and their heights, no widget."""

from __future__ import annotations

import bisect
import time
from itertools import accumulate
from typing import Final

from desktop.chats import chat
from desktop.chats.markdown.markdown_parts import Part
from desktop.views.transcript.page import Page
from desktop.views.transcript.text_parts import TextParts
from desktop.views.transcript.thinking import Thinking

READ_S: Final = 0.008  # parsing goes on for so long before the view is painted


class MessageItem:
    """A message, cut into parts that are laid out one by one.

    What it thought stands before what it says, and only while `unfolded`: then the first
    `lead` parts are thought. `head` and `foot` are what the frame needs around the parts.
    """

    def __init__(self, message: chat.Message, page: Page) -> None:
        self.message = message  # its texts may be behind: see `content` and `reasoning`
        self.page = page
        self.body = TextParts(message.content, page, literal=self.is_user)
        self.thought = TextParts(message.reasoning, page, literal=False)
        self.thinking = Thinking(message)
        self._set_growing()
        self.head = page.head
        self.foot = page.foot
        self._unfolded = False
        self._parts: list[Part] | None = None
        self._gaps: list[int] | None = None
        self._tops: list[int] | None = None

    # --- content ---

    @property
    def content(self) -> str:
        """What it says, as stored."""
        return self.body.content

    @property
    def reasoning(self) -> str:
        """What it thought, as stored."""
        return self.thought.content

    @property
    def current(self) -> chat.Message:
        """The message with its texts as they stand."""
        message = self.message
        if message.content == self.content and message.reasoning == self.reasoning:
            return message
        from dataclasses import replace

        return replace(message, content=self.content, reasoning=self.reasoning)

    @property
    def is_user(self) -> bool:
        """Whether a person wrote it: shown as typed."""
        return self.message.role != chat.Role.ASSISTANT

    @property
    def is_read(self) -> bool:
        """Whether all the text that is to be shown is in `parts`."""
        return self.body.is_read and (not self._unfolded or self.thought.is_read)

    @property
    def unfolded(self) -> bool:
        """Whether what it thought is shown."""
        return self._unfolded

    @unfolded.setter
    def unfolded(self, unfolded: bool) -> None:
        self._unfolded = unfolded
        self.touch()

    def append(self, text: str) -> bool:
        """Add to what it says. Returns whether that changes more than the text."""
        self.body.append(text)
        self.thought.growing = False
        self.touch()
        return self.thinking.end()

    def append_reasoning(self, text: str) -> bool:
        """Add to what it thought. Returns whether that changes more than the text."""
        is_first = not self.reasoning
        self.thought.append(text)
        self.touch()
        self.thinking.begin(answered=bool(self.content))
        return is_first

    def update(self, message: chat.Message) -> None:
        """Take a new state of the message; text that only grew keeps its parts."""
        self.message = message
        if self.body.update(message.content) | self.thought.update(message.reasoning):
            self.touch()
        self._set_growing()
        self.thinking.update(message)

    def _set_growing(self) -> None:
        active = self.message.status.is_active
        self.body.growing = active
        self.thought.growing = active and not self.content

    def read(self) -> bool:
        """Read what waits, for some milliseconds. Returns whether anything changed."""
        return self._read(time.perf_counter() + READ_S)

    def read_all(self) -> None:
        """Read all that waits, however long it takes."""
        while self._read(float("inf")):
            pass

    def _read(self, until: float) -> bool:
        changed = self._unfolded and self.thought.read(until)
        if not changed or time.perf_counter() < until:
            changed |= self.body.read(until)
        if changed:
            self.touch()
        return changed

    # --- parts: first those of the thought, if it is unfolded ---

    @property
    def lead(self) -> int:
        """So many of the parts are thought."""
        return len(self.thought.parts) if self._unfolded else 0

    @property
    def parts(self) -> list[Part]:
        """All parts that are shown."""
        if not self.lead:
            return self.body.parts
        if self._parts is None:
            self._parts = self.thought.parts + self.body.parts
        return self._parts

    def _of(self, index: int) -> tuple[TextParts, int]:
        lead = self.lead
        return (self.body, index - lead) if index >= lead else (self.thought, index)

    def height_of(self, index: int) -> int:
        """A part's height."""
        text, place = self._of(index)
        return text.heights[place]

    def is_measured(self, index: int) -> bool:
        """Whether a part's height is known, not guessed."""
        text, place = self._of(index)
        return text.measured[place]

    def set_height(self, index: int, height: int) -> bool:
        """A part was laid out. Returns whether that moves anything."""
        text, place = self._of(index)
        text.measured[place] = True
        if text.heights[place] == height:
            return False
        text.heights[place] = height
        self._tops = None
        return True

    # --- geometry ---

    @property
    def padding(self) -> int:
        """Within the thought's ground."""
        return self.page.theme.space.m

    def set_page(self, page: Page) -> None:
        """Another width or theme: all heights are estimates again."""
        self.page = page
        self.body.set_page(page)
        self.thought.set_page(page)
        self.touch()

    def touch(self) -> None:
        """The parts, or `head` or `foot`, changed."""
        self._parts = self._gaps = self._tops = None

    @property
    def gaps(self) -> list[int]:
        """The space above each part."""
        if not self.lead:
            return self.body.gaps
        if self._gaps is None:
            gaps = self.thought.gaps + self.body.gaps
            gaps[0] = self.padding
            if len(gaps) > self.lead:
                gaps[self.lead] = self.padding + self.page.theme.space.m
            self._gaps = gaps
        return self._gaps

    @property
    def tops(self) -> list[int]:
        """Where each part begins, and where the last one ends, from the message's top."""
        if self._tops is None:
            gaps = self.gaps
            heights = self.body.heights
            if self.lead:
                heights = self.thought.heights + heights
            ends = list(accumulate(map(int.__add__, gaps, heights), initial=self.head))
            self._tops = [*map(int.__add__, ends, gaps), ends[-1]]
        return self._tops

    @property
    def thought_bottom(self) -> int:
        """Where the ground of the thought ends, from the message's top."""
        lead = self.lead
        if not lead:
            return self.head
        return self.tops[lead - 1] + self.thought.heights[lead - 1] + self.padding

    @property
    def height(self) -> int:
        """Of the whole message."""
        waiting = self.body.waiting
        if self._unfolded:
            waiting += self.thought.waiting
            if self.lead and not self.body.parts:
                waiting += self.padding
        return self.tops[-1] + waiting + self.foot

    def part_at(self, y: int) -> int:
        """The index of the part at or above `y`; 0 where there is none."""
        return max(0, bisect.bisect_right(self.tops, y, hi=len(self.parts)) - 1)
