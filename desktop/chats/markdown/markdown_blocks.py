"""Markdown to blocks, whole or as it streams in.

CommonMark with tables, strikethrough, task lists, footnotes and formulas; HTML stays
literal text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from desktop.chats.markdown.markdown_maths import unsettled
from desktop.chats.markdown.markdown_parsing import (
    Raw,
    References,
    inline_runs,
    mentions,
    parse_region,
)
from desktop.chats.markdown.markdown_parts import LINE_BREAK, Block, Code, Part, Run, Runs
from desktop.chats.markdown.markdown_reader import PartReader
from desktop.chats.markdown.stream_tail import CONTEXT, mended, ready

# A longer block is cut in two at a line's end, as if a new document began there: else a
# list of 10,000 items would be parsed as a whole for each of them.
MAX_BLOCK: Final = 32_000
_SLICE: Final = 16_000  # characters parsed in one go

_NEWLINES = re.compile(r"\r\n?")


def parse(text: str) -> list[Block]:
    """All top-level blocks of a finished text."""
    stream = BlockStream()
    stream.append(text)
    return stream.blocks


def warm_up() -> None:
    """Load the parser ahead of the first answer: some 80 ms that its first token need not wait."""
    parse("*\n\n$x$")


def plain(text: str) -> list[Block]:
    """What a person typed, shown as typed: line by line, nothing taken for markup but fences.

    A person's `*` or `<tag>` means itself; only a fenced block is set as code.
    """
    blocks: list[Block] = []
    lines = _normalise(text).splitlines(keepends=True)
    offset = number = 0
    while number < len(lines):
        start, first = offset, number
        fence = _FENCE.match(lines[number])
        if fence:
            closer = _closer(fence["marks"])
            number += 1
            while number < len(lines) and not closer.match(lines[number]):
                number += 1
            source = "".join(lines[first + 1 : number]).removesuffix("\n")
            number = min(number + 1, len(lines))
            info = fence["info"].split(maxsplit=1)
            parts: tuple[Part, ...] = (Code(source, info[0] if info else ""),)
        elif not lines[number].strip():
            offset += len(lines[number])
            number += 1
            continue
        else:
            while number < len(lines) and lines[number].strip():
                if number > first and _FENCE.match(lines[number]):
                    break
                number += 1
            body = "".join(lines[first:number]).removesuffix("\n").replace("\n", LINE_BREAK)
            parts = _literal(body)
        offset += sum(map(len, lines[first:number]))
        blocks.append(Block(start, offset, parts))
    return blocks


class BlockStream:
    """Blocks of a text that grows at its end.

    Only what the last blocks cover is parsed again. Finished blocks are frozen: they
    keep their identity, so that a view can keep what it made of them, except where a
    link definition that arrives later gives a meaning to one of their references.
    After every `append`, `blocks` equals what `parse` makes of the whole text.

    With `holds`, the last few characters wait until those after them are known, so that no
    sign is shown in pieces and no line as what it is not; `finish` lets them go.
    """

    def __init__(self, text: str = "", *, holds: bool = False) -> None:
        self.source = ""  # line ends are "\n"
        self.blocks: list[Block] = []
        self.parsed_characters = 0  # work done so far, for tests and benchmarks
        self._frozen = 0  # so many of `blocks` are final
        self._restart = 0  # where in `source` the next parse begins
        self._stable: References = {}  # defined before `_restart`
        self._references: References = {}  # all
        self._inline_cache: dict[str, Runs] = {}
        self._fence: _OpenFence | None = None
        self._ended_in_return = False
        self._holds = holds
        self._held = ""
        if text:
            self.append(text)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is held back."""
        return not self._held

    def finish(self) -> int:
        """No more text comes for now: show what was held back. Returns as `append` does."""
        held, self._held = self._held, ""
        return self._append_all(mended(held))

    def append(self, text: str) -> int:
        """Add text. Returns the index of the first block that may have changed."""
        if self._holds:
            text = self._held + text
            before = self.source[-CONTEXT:]
            end = max(0, ready(before + text) - len(before))
            text, self._held = text[:end], text[end:]
        return self._append_all(mended(text))

    def _append_all(self, text: str) -> int:
        first = len(self.blocks)
        for start in range(0, len(text), _SLICE):
            first = min(first, self._append(text[start : start + _SLICE]))
        return first

    def _append(self, text: str) -> int:
        if self._ended_in_return and text.startswith("\n"):
            text = text[1:]
            self._ended_in_return = False
        if not text:
            return len(self.blocks)
        self._ended_in_return = text.endswith("\r")
        old_length = len(self.source)
        self.source += _normalise(text)
        if self._fence is not None and self._fence.goes_on(self.source, old_length):
            self.blocks[-1] = self._fence.block(self.source)
            return len(self.blocks) - 1
        return self._parse_tail()

    def _parse_tail(self) -> int:
        region = self.source[self._restart :]
        self.parsed_characters += len(region)
        raws, references = parse_region(region, self._stable)
        cut = _cut(raws, region)
        if cut:
            # What comes before the cut is final, whatever follows.
            raws, references = parse_region(region[:cut], self._stable)
        changed = self._take_references(references)
        cache: dict[str, Runs] = {}
        tail: list[Block] = []
        for index, raw in enumerate(raws, self._frozen):
            block = self._resolve(raw, self._restart, cache)
            if index < len(self.blocks) and self.blocks[index] == block:
                block = self.blocks[index]
            else:
                changed = min(changed, index)
            tail.append(block)
        changed = min(changed, self._frozen + len(tail))
        self._inline_cache = cache
        self.blocks[self._frozen :] = tail
        if cut:
            self._frozen = len(self.blocks)
            self._restart += cut
            self._stable = references
            return min(changed, self._parse_tail())
        self._fence = _OpenFence.of(raws, region, self._restart, tail)
        self._freeze(raws, region)
        return changed

    def _resolve(self, raw: Raw, base: int, cache: dict[str, Runs]) -> Block:
        def inline(content: str) -> Runs:
            runs = cache.get(content)
            if runs is None:
                runs = self._inline_cache.get(content)
                if runs is None:
                    runs = inline_runs(content, self._references)
                cache[content] = runs
            return runs

        start, end = base + raw.start, base + raw.end
        parts = PartReader(inline).read(raw.tokens)
        if not parts:  # nested deeper than the parser goes: shown as it is, never dropped
            body = self.source[start:end].removesuffix("\n").replace("\n", LINE_BREAK)
            parts = _literal(body)
        return Block(start, end, parts)

    def _take_references(self, references: References) -> int:
        """Use the definitions now known; returns the first frozen block that changed."""
        if references == self._references:
            return len(self.blocks)
        labels = {
            label
            for label in references.keys() | self._references.keys()
            if references.get(label) != self._references.get(label)
        }
        self._references = references
        self._inline_cache = {}
        first = len(self.blocks)
        for index, block in enumerate(self.blocks[: self._frozen]):
            source = self.source[block.start : block.end]
            if "[" not in source or not mentions(source, labels):
                continue
            raws, _ = parse_region(source, references)
            new = self._resolve(raws[0], block.start, {})
            if new != block:
                self.blocks[index] = new
                first = min(first, index)
        return first

    def _freeze(self, raws: list[Raw], region: str) -> None:
        """Freeze the blocks before the last one whose beginning can no longer change.

        That takes two whole lines: a table is known by its second one, and whether a line
        opens a block is known at its end. The gap before that block stays open with it: a
        link definition there may still swallow the block's first lines as its title.
        """
        complete = region.count("\n")
        settled = unsettled(region)
        last = next(
            (
                i
                for i in range(len(raws) - 1, 0, -1)
                if raws[i].first_line + 1 < complete and raws[i - 1].end < settled
            ),
            0,
        )
        if last == 0:
            return
        end = raws[last - 1].end
        if len(self._references) > len(self._stable):
            _, self._stable = parse_region(region[:end], self._stable)
        self._frozen += last
        self._restart += end


@dataclass(frozen=True, slots=True)
class _OpenFence:
    """A fence at the text's end that nothing has closed yet: it grows without parsing."""

    start: int
    content: int  # where in the source its code begins
    closer: re.Pattern[str]
    language: str

    @classmethod
    def of(cls, raws: list[Raw], region: str, base: int, blocks: list[Block]) -> _OpenFence | None:
        if not raws or raws[-1].tokens[0].type != "fence":
            return None
        raw = raws[-1]
        if unsettled(region) < raw.start:
            return None  # it may yet turn out to stand in a formula
        lines = region[raw.start : raw.end].split("\n", 1)
        if len(lines) < 2 or not lines[0].startswith(raw.tokens[0].markup):
            return None  # its first line may grow, or it is indented: the parser knows better
        if "\n" not in lines[1]:
            return None  # the second line may yet make a table of it
        closer = _closer(raw.tokens[0].markup)
        if any(closer.match(line) for line in lines[1].split("\n")):
            return None
        code = blocks[-1].parts[0]
        if not isinstance(code, Code):
            return None
        start = base + raw.start
        return cls(start, start + len(lines[0]) + 1, closer, code.language)

    def goes_on(self, source: str, new: int) -> bool:
        """Whether what came after offset `new` leaves it open."""
        line = max(source.rfind("\n", 0, new) + 1, self.content)
        return not any(self.closer.match(part) for part in source[line:].split("\n"))

    def block(self, source: str) -> Block:
        line = source.rfind("\n") + 1
        # The parser does not count a last line of nothing but spaces, until it ends.
        end = line if not source[line:].strip(" \t") else len(source)
        code = Code(source[self.content : end].removesuffix("\n"), self.language)
        return Block(self.start, end, (code,))


_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}(?=[^`]*$)|~{3,})(?P<info>[^\n]*)")


def _closer(marks: str) -> re.Pattern[str]:
    return re.compile(rf" {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")


def _cut(raws: list[Raw], region: str) -> int:
    """Where in the region to cut a block that is too long; 0 for nowhere.

    Two whole lines beyond that place settle what stands before it, so that the cut does
    not depend on how the text came; a line without an end is not waited for.
    """
    for raw in raws:
        limit = raw.start + MAX_BLOCK
        if raw.end > limit and raw.tokens[0].type != "fence":
            if region.count("\n", limit) < 2 and len(region) < limit + _SLICE:
                return 0
            if unsettled(region) <= limit:
                return 0  # a formula may begin there; how far it goes is soon known
            return region.rfind("\n", raw.start, limit) + 1 or limit
    return 0


def _normalise(text: str) -> str:
    if "\r" in text:
        text = _NEWLINES.sub("\n", text)
    return text.replace("\0", "\ufffd") if "\0" in text else text


def _literal(text: str) -> tuple[Part, ...]:
    return PartReader(lambda content: (Run(content),)).literal(text)
