"""Takes a streamed answer apart: what the model thought, and what it says. No Qt.

Models that think write it between tags at the head of their answer, or the chat template
has opened the tag already and the answer begins within. A tag anywhere else is text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

# Opening tag -> closing tag.
TAGS: Final = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<reason>": "</reason>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
DEFAULT_TAG: Final = "<think>"


def closing_of(tag: str) -> str:
    """What closes `tag`, also where it is one that only a template knows."""
    return TAGS.get(tag) or f"{tag[:1]}/{tag[1:]}"


def reopened(tag: str, reasoning: str) -> str:
    """How an answer begins that is to go on with `reasoning`."""
    return f"{tag or DEFAULT_TAG}\n{reasoning}"


@dataclass(slots=True)
class _Found:
    """What one piece of the answer was made of."""

    reasoning: str = ""
    content: str = ""


class ReasoningSplitter:
    """Splits one answer, however its text is cut into pieces.

    Space around the reasoning belongs to neither side and is dropped; all other text
    comes out exactly as it went in.

    Args:
        opened: the tag within which the answer begins; "" if it may open one itself.
        goes_on: there is reasoning already, and what comes is its next word.

    Attributes:
        tag: the tag that the reasoning stands in; "" if there is none (so far).
    """

    def __init__(self, opened: str = "", *, goes_on: bool = False) -> None:
        self.tag = opened.strip()
        self._held = ""  # not known yet what it is
        self._began = goes_on  # anything but space came within the tag
        self._step: Callable[[_Found], bool]
        if not self.tag:
            self._step = self._at_start
        elif goes_on:
            self._step = self._in_reasoning
        else:
            self._step = self._in_opened

    @property
    def is_reasoning(self) -> bool:
        """Whether what comes next is thought."""
        return bool(self.tag) and self._step in (self._in_opened, self._in_reasoning)

    @property
    def is_closed(self) -> bool:
        """Whether the reasoning has come to its end."""
        return bool(self.tag) and not self.is_reasoning

    def feed(self, text: str) -> tuple[str, str]:
        """Take more of the answer; what of it is surely reasoning, and surely content."""
        self._held += text
        found = _Found()
        while self._step(found):
            pass
        return found.reasoning, found.content

    def finish(self) -> tuple[str, str]:
        """The answer has ended: what was held back, as reasoning and as content."""
        held, self._held = self._held, ""
        if self._step == self._in_content and not held.strip():
            return "", ""
        return (held.rstrip(), "") if self.is_reasoning else ("", held)

    # Each step takes what it can of `_held`, and says whether another one follows at once.

    def _at_start(self, _found: _Found) -> bool:
        begun = self._held.lstrip()
        for tag in TAGS:
            if begun.startswith(tag):
                self.tag = tag
                self._held = begun[len(tag) :]
                self._step = self._in_reasoning
                return True
        if any(tag.startswith(begun) for tag in TAGS):
            return False  # nothing but space, or the beginning of a tag
        self._step = self._in_plain
        return True

    def _in_opened(self, _found: _Found) -> bool:
        """Within the template's tag; some models write it once more."""
        begun = self._held.lstrip()
        if begun.startswith(self.tag):
            self._held = begun[len(self.tag) :]
        elif self.tag.startswith(begun):
            return False
        self._step = self._in_reasoning
        return True

    def _in_reasoning(self, found: _Found) -> bool:
        if not self._began:
            self._held = self._held.lstrip()
        closing = closing_of(self.tag)
        thought, closed, rest = self._held.partition(closing)
        if not closed:
            # The tag may have begun, and space before it is not part of the thought.
            keep = _overlap(self._held, closing)
            thought = self._held[: len(self._held) - keep].rstrip()
            self._held = self._held[len(thought) :]
        else:
            thought, self._held = thought.rstrip(), rest
            self._step = self._in_content
        self._began = self._began or bool(thought)
        found.reasoning += thought
        return bool(closed)

    def _in_content(self, _found: _Found) -> bool:
        """Behind the closing tag: the answer begins with its first word."""
        self._held = self._held.lstrip()
        if not self._held:
            return False
        self._step = self._in_plain
        return True

    def _in_plain(self, found: _Found) -> bool:
        found.content += self._held
        self._held = ""
        return False


def split(text: str, opened: str = "") -> tuple[str, str]:
    """A whole answer's reasoning and content."""
    splitter = ReasoningSplitter(opened)
    reasoning, content = splitter.feed(text)
    last_reasoning, last_content = splitter.finish()
    return reasoning + last_reasoning, content + last_content


def _overlap(text: str, tag: str) -> int:
    """How many characters of `text`'s end are the beginning of `tag`."""
    for length in range(min(len(text), len(tag) - 1), 0, -1):
        if text.endswith(tag[:length]):
            return length
    return 0
