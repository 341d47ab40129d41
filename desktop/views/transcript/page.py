"""What the width and the theme make of a line of text."""

from __future__ import annotations

import math
from dataclasses import dataclass

from desktop.chats.markdown.markdown_parts import Code, Formula, Part, Prose, Rule, Table
from desktop.theme import Theme
from desktop.views.transcript.document_builder import LEADING, gap_before


@dataclass(frozen=True, slots=True)
class Page:
    """The column in which messages stand. Sizes in pixels."""

    theme: Theme
    width: int  # of the text
    line: int  # the body's line height, leading included
    columns: int  # characters a line, about

    @property
    def head(self) -> int:
        """An estimate of what stands above a message's text."""
        return self.line + self.theme.space.l

    @property
    def foot(self) -> int:
        """An estimate of what stands below a message's text."""
        return self.line + self.theme.space.s

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
            case Formula():
                return 2 * self.line

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


def page_for(theme: Theme, width: int, line_height: float, sign_width: float) -> Page:
    """The page of a column `width` pixels wide, from the body font's metrics."""
    return Page(
        theme,
        width,
        max(1, round(line_height * LEADING / 100)),
        max(10, int(width / max(sign_width, 1))),
    )
