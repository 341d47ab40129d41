"""All words of all messages, for finding those that have a given part."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

_FETCHED: Final = 250  # words between two looks at what waits
_MOST_WORDS: Final = 1_000_000
_SHORTEST_PART: Final = 3
_MOST_FOUND: Final = 60


class Vocabulary:
    """The words in one text: 300,000 of them take 3 MB, and are searched in a millisecond."""

    def __init__(self, words: list[str]) -> None:
        self._text = "\n".join(("", *words, ""))

    def with_part(self, part: str) -> tuple[str, ...]:
        """Words that hold `part` anywhere but at their beginning alone; none if it is short."""
        if len(part) < _SHORTEST_PART:
            return ()
        found: list[str] = []
        at = self._text.find(part)
        while at >= 0 and len(found) < _MOST_FOUND:
            start, end = self._text.rfind("\n", 0, at) + 1, self._text.find("\n", at)
            word = self._text[start:end]
            if word != part:
                found.append(word)
            at = self._text.find(part, end)
        return tuple(found)


def load(db: sqlite3.Connection) -> Iterator[Vocabulary | None]:
    """Read the words in pieces: None after each, the vocabulary in the end."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, message_index, row)"
    )
    words: list[str] = []
    cursor = db.execute("SELECT term FROM temp.words")
    try:
        while piece := cursor.fetchmany(_FETCHED):
            words.extend(word for (word,) in piece if len(word) > _SHORTEST_PART)
            if len(words) >= _MOST_WORDS:
                break
            yield None
    finally:
        cursor.close()
    yield Vocabulary(words)
