"""What a rendered message is made of: frozen values, no parser and no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Final

LINE_BREAK: Final = "\u2028"  # a break within a paragraph
QUOTE: Final = "q"
LIST: Final = "l"


class Style(IntFlag):
    """How a run of text is set."""

    PLAIN = 0
    BOLD = 1
    ITALIC = 2
    STRIKE = 4
    CODE = 8


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look. `link` is an http or https address, or empty."""

    text: str
    style: Style = Style.PLAIN
    link: str = ""


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
        body = "".join(run.text for run in self.runs)
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
    """Rows of cells. `alignments`: "left", "center" or "right".

    A long table comes in several of these: only the first has the header, as its first
    row, and `shares` gives all of them the same columns, in per cent of the width.
    """

    rows: tuple[tuple[Runs, ...], ...]
    alignments: tuple[str, ...]
    nest: str = ""
    has_header: bool = True
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A thematic break."""

    nest: str = ""


Part = Prose | Code | Table | Rule


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level block of the source: `source[start:end]`, and what it shows."""

    start: int
    end: int
    parts: tuple[Part, ...]


def display_text(part: Part) -> str:
    """The text in the order and length in which a view lays it out, for positions in it.

    Paragraphs are parted by newlines. A table begins with one sign for the table itself;
    cells are parted by tabs, rows by newlines.
    """
    match part:
        case Prose():
            return "\n".join(paragraph.text for paragraph in part.paragraphs)
        case Code():
            return part.source
        case Table():
            return "\n" + "\n".join(
                "\t".join("".join(run.text for run in cell) for cell in row) for row in part.rows
            )
        case Rule():
            return ""


def as_copied(part: Part, text: str) -> str:
    """A piece of `display_text(part)` as it goes to the clipboard."""
    if isinstance(part, Code):
        return text
    text = text.replace(LINE_BREAK, "\n")
    return text.replace("\t", " ") if isinstance(part, Prose) else text.removeprefix("\n")


def plain_text(part: Part) -> str:
    """The whole text of a part as one copies it."""
    return "---" if isinstance(part, Rule) else as_copied(part, display_text(part))
