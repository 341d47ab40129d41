"""What a rendered message is made of: frozen values, no parser and no Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final

from desktop.chats.markdown.utf16 import utf16_length, utf16_slice

LINE_BREAK: Final = "\u2028"  # a break within a paragraph
OBJECT: Final = "\ufffc"  # stands for a formula in the text as laid out
QUOTE: Final = "q"
LIST: Final = "l"


class Style(IntFlag):
    """How a run of text is set."""

    PLAIN = 0
    BOLD = 1
    ITALIC = 2
    STRIKE = 4
    CODE = 8
    NOTE = 16  # a footnote's reference
    MATHS = 32  # a formula, its delimiters included
    UNSEEN = 64  # signs that only steer the direction of the text; never copied


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look. `link` is an http or https address, or empty."""

    text: str
    style: Style = Style.PLAIN
    link: str = ""

    @property
    def shown(self) -> str:
        """Its text as laid out: a formula is one sign there."""
        return OBJECT if self.is_formula else self.text

    @property
    def is_formula(self) -> bool:
        """Whether it is a formula."""
        # The comparison spares nearly all runs the slow one: flags are objects.
        return self.style >= Style.MATHS and bool(self.style & Style.MATHS)


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, heading or list item.

    `heading` is 1 to 6, or 0. `nest` names the containers around it from the outside
    in, one sign each: QUOTE or LIST. `marker` is a list item's sign or number.
    `tight`: no space before it. `joined`: it goes on from the paragraph before, which
    was cut only to keep layouts small.
    """

    runs: Runs
    heading: int = 0
    nest: str = ""
    marker: str = ""
    tight: bool = False
    joined: bool = False

    @property
    def text(self) -> str:
        """Its text as shown, the marker first, then a tab."""
        body = "".join(run.shown for run in self.runs)
        return f"{self.marker}\t{body}" if self.marker else body


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs that are laid out together: few enough to be cheap."""

    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A code block. `source` is exact, without the last line's end."""

    source: str
    language: str = ""
    nest: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. `alignments`: "left", "center", "right", or "" where the
    table does not say. `columns`: how many signs the widest cell of each column has.

    A long table comes in several of these: only the first has the header, as its first
    row, and `shares` gives all of them the same columns, in per cent of the width.
    """

    rows: tuple[tuple[Runs, ...], ...]
    alignments: tuple[str, ...]
    nest: str = ""
    has_header: bool = True
    shares: tuple[float, ...] = ()
    columns: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """A thematic break."""

    nest: str = ""


@dataclass(frozen=True, slots=True)
class Formula:
    """A displayed formula that can be typeset. `source` has its delimiters."""

    source: str
    nest: str = ""


Part = Prose | Code | Table | Rule | Formula


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level block of the source: `source[start:end]`, and what it shows."""

    start: int
    end: int
    parts: tuple[Part, ...]


def display_text(part: Part) -> str:
    """The text in the order and length in which a view lays it out, for positions in it.

    Paragraphs are parted by newlines. A table begins with one sign for the table itself;
    cells are parted by tabs, rows by newlines. A formula within text is one `OBJECT`; one
    that is displayed counts as long as its source.
    """
    match part:
        case Code() | Formula():
            return part.source
        case Rule():
            return ""
        case _:
            return "".join(shown for shown, _ in _pieces(part))


def has_formulas(part: Prose | Table) -> bool:
    """Whether there is a formula among its text."""
    if isinstance(part, Prose):
        return any(run.is_formula for p in part.paragraphs for run in p.runs)
    return any(run.is_formula for row in part.rows for cell in row for run in cell)


def copied(part: Part, start: int, end: int) -> str:
    """What lies between two positions of `display_text(part)` as it goes to the clipboard.

    Positions are in UTF-16 units. Formulas become their source; one that is displayed is
    copied as a whole, however little of it is selected.
    """
    if start >= end or isinstance(part, Rule):
        return ""
    if isinstance(part, Formula):
        return part.source
    if isinstance(part, Code):
        return utf16_slice(part.source, start, end)
    result: list[str] = []
    place = 0
    for shown, copy in _pieces(part):
        after = place + utf16_length(shown)
        if after > start and place < end:
            if copy is None:
                text = utf16_slice(shown, max(0, start - place), end - place)
                result.append(text.replace(LINE_BREAK, "\n"))
            else:
                result.append(copy)
        place = after
    return "".join(result)


def plain_text(part: Part) -> str:
    """The whole text of a part as one copies it."""
    if isinstance(part, Rule):
        return "---"
    return copied(part, 0, utf16_length(display_text(part)))


def _pieces(part: Prose | Table) -> Iterator[tuple[str, str | None]]:
    """What is laid out, piece by piece, and what is copied where that differs."""
    if isinstance(part, Prose):
        for index, paragraph in enumerate(part.paragraphs):
            if index:
                yield "\n", None
            if paragraph.marker:
                yield paragraph.marker, None
                yield "\t", " "
            yield from map(_piece, paragraph.runs)
        return
    for number, row in enumerate(part.rows):
        yield "\n", None if number else ""
        for column, cell in enumerate(row):
            if column:
                yield "\t", None
            yield from map(_piece, cell)


def _piece(run: Run) -> tuple[str, str | None]:
    if run.style >= Style.UNSEEN:
        return run.text, ""
    return run.shown, run.text if run.is_formula else None
