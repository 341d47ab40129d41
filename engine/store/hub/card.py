"""A model's card, made fit to be shown: Markdown without its front matter, and of limited length.

Rendering it is the window's, which shows no HTML and fetches no images.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.store.hub.plain_text import many_lines
from engine.store.hub.repo_files import RepoFiles

NAME: Final = "README.md"
MOST_BYTES: Final = 256 * 1024
# A line of nothing else begins it, another one ends it; YAML, which is not read here.
_FRONT: Final = re.compile(r"\A\s*---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)


@dataclass(frozen=True, slots=True)
class Card:
    """Its text; `is_cut`: something is missing at its end."""

    text: str = ""
    is_cut: bool = False


def fetch_card(files: RepoFiles) -> Card:
    """The card of a repository; within a question. An empty one where there is none.

    Raises:
        HubError: it could not be had.
    """
    content = files.start(NAME, MOST_BYTES + 1)
    return Card() if content is None else read_card(content)


def read_card(content: bytes) -> Card:
    """The card in a file's first bytes."""
    is_cut = len(content) > MOST_BYTES
    text = many_lines(content[:MOST_BYTES].decode("utf-8", "replace").removeprefix("\ufeff"))
    text = _FRONT.sub("", text, count=1)
    text = _without_comments(text)
    if is_cut:
        text = text.rstrip("\ufffd").rpartition("\n")[0] or text
    return Card(text.strip() + "\n" if text.strip() else "", is_cut)


def _without_comments(text: str) -> str:
    """Without HTML's comments; one that does not end is none."""
    kept: list[str] = []
    at = 0
    while (begin := text.find("<!--", at)) >= 0 and (end := text.find("-->", begin)) >= 0:
        kept.append(text[at:begin])
        at = end + len("-->")
    return "".join((*kept, text[at:]))
