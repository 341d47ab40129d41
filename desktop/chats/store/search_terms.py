"""Words: how a text is cut into them for the index, and what was typed into a query.

The index has FTS5's unicode61 tokenizer: words without case and accents. Scripts that put
no spaces between words (Chinese, Japanese, Thai ...) come to it with a space around every
character, and are searched for as a phrase of characters: so one finds any part of them, of
any length. FTS5's trigram tokenizer would not find the two characters that most Chinese
words have, and its index is several times as large.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from desktop.chats.store.rows import storable

MAX_QUERY: Final = 400  # characters of a query that are looked at
MAX_WORDS: Final = 16

_UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff"
    "\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff])"
)
_QUOTED_OR_WORD: Final = re.compile(r'"([^"]*)"|([^\s"]+)')
_TOKEN: Final = re.compile(r"[^\W_]+")
_MARKS: Final = "[\u0300-\u036f]*"
_BETWEEN: Final = rf"(?:{_MARKS}[\W_])*"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a query, or a phrase in quotes.

    Attributes:
        literal: as typed, folded.
        tokens: what the index has of it, in this order and side by side; may be empty.
        is_open: whether its last token may be the beginning of a word.
    """

    literal: str
    tokens: tuple[str, ...]
    is_open: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether nothing but letters and digits was typed."""
        return self.literal == "".join(self.tokens)

    @property
    def expression(self) -> str:
        """The word in FTS5's language; "" if the index knows nothing of it."""
        if not self.tokens:
            return ""
        if self.is_open and len(self.tokens[-1]) == 1:
            # A tenth of all words begin with the "b" of "foo-b": what has it all as typed
            # comes first anyway.
            return f'"{" ".join(self.tokens[:-1])}"'
        return f'"{" ".join(self.tokens)}"{"*" if self.is_open else ""}'

    def pattern(self, *, anywhere: bool = False) -> str:
        """A regular expression that finds the word in a folded text.

        Args:
            anywhere: within other words too.
        """
        if not self.tokens:
            return re.escape(self.literal)
        body = _BETWEEN.join(
            "".join(f"{re.escape(letter)}{_MARKS}" for letter in token) for token in self.tokens
        )
        if anywhere:
            return body
        before = "" if is_unspaced(self.tokens[0]) else r"(?<![^\W_])"
        after = "" if self.is_open or is_unspaced(self.tokens[-1]) else r"(?![^\W_])"
        return f"{before}{body}{after}"


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a query. Whatever is typed, this never raises."""
    text = unicodedata.normalize("NFC", storable(text[:MAX_QUERY]).replace("\0", " "))
    found: list[Word] = []
    end = len(text.rstrip())
    still_typing = end == len(text)
    for match in _QUOTED_OR_WORD.finditer(text):
        quoted = match.group(1) is not None
        literal = fold((match.group(1) if quoted else match.group(2)).strip())
        if not literal:
            continue
        tokens = tuple(_TOKEN.findall(spaced(literal)))
        is_last = match.end() == end and still_typing and not quoted
        is_open = bool(
            is_last
            and tokens
            and literal.endswith(tokens[-1])
            # "t" alone begins a tenth of all words: nobody reads what it would find.
            and (len(tokens) > 1 or len(tokens[-1]) > 1)
            and not is_unspaced(tokens[-1])
        )
        word = Word(literal, tokens, is_open)
        if word not in found:
            found.append(word)
    return tuple(found[:MAX_WORDS])


def spaced(text: str) -> str:
    """`text` as the index gets it: see the module."""
    if text.isascii():
        return text
    return _UNSPACED.sub(r" \1 ", unicodedata.normalize("NFC", text))


def is_unspaced(token: str) -> bool:
    """Whether a token is a character of a script without spaces."""
    return _UNSPACED.match(token) is not None


def fold(text: str) -> str:
    """`text` in small letters without accents; every character keeps its place."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded, text))


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    lowered = letter.lower()[:1]
    if _UNSPACED.match(lowered):
        return lowered  # a Korean syllable would come apart
    return unicodedata.normalize("NFD", lowered)[:1]
