"""From markdown-it's tokens to parts, flat; what stands in a line `markdown_inline` reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

from desktop.chats.markdown.markdown_parts import (
    LIST,
    QUOTE,
    Code,
    Formula,
    Paragraph,
    Part,
    Prose,
    Rule,
    Run,
    Runs,
    Table,
)
from desktop.chats.markdown.typesetting import UNITS, typeset

if TYPE_CHECKING:
    from markdown_it.token import Token

Inline = Callable[[str], Runs]  # the runs of a paragraph's source

# A layout of this many characters takes a few milliseconds.
PROSE_CHARACTERS: Final = 3000
PROSE_PARAGRAPHS: Final = 16
TABLE_ROWS: Final = 50
TABLE_CELLS: Final = 1000
_BULLETS: Final = ("•", "◦", "▪")
_TASK = re.compile(r"\[([ xX])\](?=\s)\s?")


class PartReader:
    """Reads one top-level block's tokens. Use once."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._parts: list[Part] = []
        self._paragraphs: list[Paragraph] = []
        self._nest: list[str] = []
        self._numbers: list[int | None] = []  # of the open lists: the next number, None for bullets
        self._marker = ""
        self._heading = 0
        self._tight = False
        self._rows: list[list[Runs]] | None = None
        self._alignments: list[str] = []

    def read(self, tokens: Sequence[Token]) -> tuple[Part, ...]:
        """The parts that these tokens show."""
        for token in tokens:
            self._read(token)
        self._end_prose()
        return tuple(self._parts)

    def literal(self, text: str) -> tuple[Part, ...]:
        """One paragraph of text that is no markup."""
        self._add(self._inline(text))
        self._end_prose()
        return tuple(self._parts)

    def _read(self, token: Token) -> None:
        match token.type:
            case "inline":
                self._read_inline(token)
            case "paragraph_open":
                self._tight = token.hidden
            case "heading_open":
                self._heading = int(token.tag[1])
            case "heading_close":
                self._heading = 0
            case "bullet_list_open":
                self._numbers.append(None)
            case "ordered_list_open":
                start = token.attrGet("start")
                self._numbers.append(1 if start is None else int(start))
            case "bullet_list_close" | "ordered_list_close":
                self._numbers.pop()
            case "list_item_open":
                self._nest.append(LIST)
                self._marker = self._next_marker()
            case "list_item_close":
                self._show_marker()
                self._nest.pop()
            case "blockquote_open":
                self._show_marker()
                self._nest.append(QUOTE)
            case "blockquote_close":
                self._nest.pop()
            case "fence" | "code_block":
                self._end_part()
                language = token.info.strip().split(maxsplit=1)[0] if token.info.strip() else ""
                source = token.content.removesuffix("\n")
                self._parts.append(Code(source, language, "".join(self._nest)))
            case "math_block":
                self._end_part()
                nest = "".join(self._nest)
                formula = typeset(token.content) is not None
                self._parts.append(
                    Formula(token.content, nest) if formula else Code(token.content, "latex", nest)
                )
            case "footnote_reference_open":
                self._show_marker()
                self._nest.append(LIST)
                self._marker = f"[{token.meta['label']}]"
            case "footnote_reference_close":
                self._show_marker()
                self._nest.pop()
            case "hr":
                self._end_part()
                self._parts.append(Rule("".join(self._nest)))
            case "table_open":
                self._end_part()
                self._rows, self._alignments = [], []
            case "tr_open" if self._rows is not None:
                self._rows.append([])
            case "th_open":
                style = str(token.attrGet("style") or "")
                self._alignments.append(style.removeprefix("text-align:"))
            case "table_close" if self._rows is not None:
                self._parts += _tables(self._rows, tuple(self._alignments), "".join(self._nest))
                self._rows = None

    def _next_marker(self) -> str:
        number = self._numbers[-1]
        if number is None:
            return _BULLETS[min(len(self._numbers), len(_BULLETS)) - 1]
        self._numbers[-1] = number + 1
        return f"{number}."

    def _read_inline(self, token: Token) -> None:
        if self._rows is not None:
            self._rows[-1].append(self._inline(token.content))
            return
        content = token.content
        if self._marker and (task := _TASK.match(content)):
            self._marker = "☐" if task.group(1) == " " else "☑"
            content = content[task.end() :]
        self._add(self._inline(content))

    def _add(self, runs: Runs) -> None:
        marker, self._marker = self._marker, ""
        nest = "".join(self._nest)
        tight = self._tight and bool(self._parts or self._paragraphs)
        for index, piece in enumerate(_cut(runs)):
            if len(self._paragraphs) >= PROSE_PARAGRAPHS or (
                self._paragraphs
                and sum(len(p.text) for p in self._paragraphs) + sum(len(r.text) for r in piece)
                > PROSE_CHARACTERS
            ):
                self._end_prose()
            self._paragraphs.append(
                Paragraph(
                    piece,
                    self._heading,
                    nest,
                    marker if index == 0 else "",
                    tight,
                    joined=index > 0,
                )
            )

    def _show_marker(self) -> None:
        """An item that begins with something other than text still shows its marker."""
        if self._marker:
            self._tight = True
            self._add(())

    def _end_part(self) -> None:
        self._show_marker()
        self._end_prose()

    def _end_prose(self) -> None:
        if self._paragraphs:
            self._parts.append(Prose(tuple(self._paragraphs)))
            self._paragraphs = []


def _tables(rows: list[list[Runs]], alignments: tuple[str, ...], nest: str) -> list[Table]:
    """A table, in pieces where it is too large to be laid out at once."""
    frozen = [tuple(row) for row in rows]
    height = max(1, min(TABLE_ROWS, TABLE_CELLS // max(1, len(alignments))))
    columns = tuple(
        max((columns_of(row[column]) for row in frozen if column < len(row)), default=0)
        for column in range(len(alignments))
    )
    if len(frozen) <= height:
        return [Table(tuple(frozen), alignments, nest, columns=columns)]
    widths = [min(column, 60) + 3 for column in columns]
    shares = tuple(100 * width / sum(widths) for width in widths)
    return [
        Table(
            tuple(frozen[start : start + height]),
            alignments,
            nest,
            has_header=start == 0,
            shares=shares,
            columns=columns,
        )
        for start in range(0, len(frozen), height)
    ]


def columns_of(runs: Runs) -> int:
    """How many columns of a typewriter the runs would take, about."""
    result = 0
    for run in runs:
        text = run.text
        if run.is_formula:
            drawing = typeset(text)
            result += round(drawing.width / UNITS * 2) if drawing else len(text)
        elif text.isascii():
            result += len(text)
        else:
            result += sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)
    return result


def _cut(runs: Runs) -> list[Runs]:
    """Cut a very long paragraph into pieces that are cheap to lay out, at spaces if it can."""
    if sum(len(run.text) for run in runs) <= 2 * PROSE_CHARACTERS:
        return [runs]
    pieces: list[Runs] = []
    piece: list[Run] = []
    room = PROSE_CHARACTERS
    for run in runs:
        text = run.text
        if len(text) > room and piece and run.is_formula:
            pieces.append(tuple(piece))
            piece, room = [], PROSE_CHARACTERS
        while len(text) > room and not run.is_formula:
            end = text.rfind(" ", room // 2, room) + 1 or room
            piece.append(Run(text[:end], run.style, run.link))
            pieces.append(tuple(piece))
            piece, text, room = [], text[end:], PROSE_CHARACTERS
        if text:
            piece.append(Run(text, run.style, run.link))
            room -= len(text)
    if piece:
        pieces.append(tuple(piece))
    return pieces
