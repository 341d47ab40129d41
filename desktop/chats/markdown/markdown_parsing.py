"""The parser of Markdown (markdown-it), set up once: a region of text to its blocks' tokens.

It is loaded on first use: nothing that the first window shows needs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from desktop.chats.markdown.markdown_inline import read_inline
from desktop.chats.markdown.markdown_maths import add_maths
from desktop.chats.markdown.markdown_notes import add_notes, defined, environment
from desktop.chats.markdown.markdown_parts import LINE_BREAK, Run, Runs

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Longer paragraphs are shown as they are: inline markup costs more than linear time.
MAX_INLINE: Final = 8000

References = dict[str, Any]  # what a text defines, by label


@dataclass(frozen=True, slots=True)
class Raw:
    """The tokens of one top-level block; offsets and lines within the parsed region."""

    start: int
    end: int
    first_line: int
    tokens: list[Token]


def mentions(source: str, labels: set[str]) -> bool:
    """Whether all words of one of the labels are there: rather too often than too seldom."""
    # markdown-it folds labels by lower(), then upper().
    folded = source.lower().upper()
    return any(all(word in folded for word in label.lower().upper().split()) for label in labels)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # Inline markup is read by paragraph, so that what did not change is not read again.
    parser.core.ruler.enableOnly(["normalize", "block"])
    add_maths(parser)
    add_notes(parser)
    return parser


def parse_region(region: str, stable: References) -> tuple[list[Raw], References]:
    """The top-level blocks of a region, and all that is defined at its end.

    `stable`: what is defined before it.
    """
    found = environment(stable)
    tokens = _parser().parse(region, found)
    starts = [0]
    place = region.find("\n")
    while place >= 0:
        starts.append(place + 1)
        place = region.find("\n", place + 1)
    starts.append(len(region))
    raws: list[Raw] = []
    first = 0
    for index, token in enumerate(tokens):
        if token.level != 0 or token.nesting > 0:
            continue
        opening = tokens[first]
        begin, end = opening.map or (0, 0)
        last = min(end, len(starts) - 1)
        raws.append(Raw(starts[begin], starts[last], begin, tokens[first : index + 1]))
        first = index + 1
    return raws, found["references"] | defined(found)


def inline_runs(content: str, references: References) -> Runs:
    """The runs of a paragraph; a very long one is shown as it is."""
    if len(content) > MAX_INLINE:
        return (Run(content.replace("\n", LINE_BREAK)),)
    parser = _parser()
    tokens: list[Token] = []
    parser.inline.parse(content, parser, environment(references), tokens)
    return read_inline(tokens)
