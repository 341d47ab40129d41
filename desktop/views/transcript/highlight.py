"""Colours of code: pygments' tokens by line, in slices of time, the tail only as it grows.

Lexers are loaded with the first code of their language, apart from the window's thread.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, Protocol

MAX_SOURCE: Final = 200_000  # characters; beyond it code stays plain
MAX_LINE: Final = 2_000  # a lexer's expressions may take quadratic time along a line
_KEPT: Final = 64  # finished highlights kept for blocks that are scrolled away and back

# (start, length, role) in characters of the line; role is one of theme.Syntax's names.
Span = tuple[int, int, str]
Lines = list[list[Span]]


class Lexer(Protocol):
    """What is used of pygments' lexers."""

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Offset, kind and text of each token."""


_ROLES: Final = (
    ("Comment.Preproc", "keyword"),
    ("Comment", "comment"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Literal.Date", "number"),
    ("Keyword.Type", "type"),
    ("Keyword.Constant", "number"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Name.Function", "name"),
    ("Name.Class", "name"),
    ("Name.Decorator", "name"),
    ("Name.Tag", "name"),
    ("Name.Builtin", "type"),
    ("Name.Attribute", "type"),
    ("Name.Constant", "type"),
    ("Name.Exception", "type"),
    ("Generic.Inserted", "inserted"),
    ("Generic.Deleted", "deleted"),
    ("Generic.Heading", "name"),
    ("Generic.Subheading", "name"),
)

_finished: OrderedDict[tuple[str, str], Lines] = OrderedDict()


class Highlighter:
    """Highlights one source as it grows.

    While it grows, lexing begins again at the last line that looks like the beginning of
    a statement at the top level; `finish` lexes once more from the start, so that what
    stays is exact.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.lines: Lines = []
        self.lexed_characters = 0  # work done so far, for tests
        self._source = ""
        self._exact = False  # what is being made comes from one pass over the whole
        self._safe = (0, 0)  # line and offset where lexing may begin again
        self._start = (0, 0)  # where the pass in progress began
        self._tokens: Iterator[tuple[int, Any, str]] | None = None
        self._done = True

    def show(self, source: str, *, growing: bool) -> None:
        """Take a new source; `work` then brings `lines` up to date."""
        if source == self._source and (self._exact or growing):
            return
        extends = growing and source.startswith(self._source)
        self._source = source
        if not extends:
            self._safe = (0, 0)
        if not growing and (kept := _finished.get((self.language, source))) is not None:
            _finished.move_to_end((self.language, source))
            self.lines, self._done, self._exact = kept, True, True
            return
        if not extends:
            self.lines = []
        self._exact = not growing
        self._begin()

    def work(self, seconds: float) -> bool:
        """Lex for at most about so long. Returns whether all is done."""
        if self._done:
            return True
        if self._tokens is None:
            loading = _loading(self.language)
            if not loading.done():
                return False
            lexer = loading.result()
            if lexer is None:
                self._done = True
                return True
            self._tokens = iter(lexer.get_tokens_unprocessed(self._source[self._start[1] :]))
        end = time.perf_counter() + seconds
        for count, (offset, kind, value) in enumerate(self._tokens):
            self._take(self._start[1] + offset, kind, value)
            if count % 32 == 31 and time.perf_counter() > end:
                return False
        self._done = True
        if self._exact:
            _finished[(self.language, self._source)] = self.lines
            while len(_finished) > _KEPT:
                _finished.popitem(last=False)
        return True

    @property
    def is_waiting(self) -> bool:
        """Whether it has not begun: its lexer is still being loaded."""
        return not self._done and self._tokens is None

    def _begin(self) -> None:
        line, offset = self._start = self._safe
        self.lines = [*self.lines[:line], []]  # a new list: the one before may be kept
        self._tokens = None
        self._done = not self.language or not _is_fit(self._source)
        self.lexed_characters += 0 if self._done else len(self._source) - offset

    def _take(self, offset: int, kind: Any, value: str) -> None:
        role = _role(kind)
        first = True
        for text in value.split("\n"):
            if not first:
                self.lines.append([])
                if role is None and self._source[offset : offset + 1].strip():
                    self._safe = (len(self.lines) - 1, offset)
            if text and role is not None:
                self._add(offset - self._source.rfind("\n", 0, offset) - 1, len(text), role)
            offset += len(text) + 1
            first = False

    def _add(self, start: int, length: int, role: str) -> None:
        line = self.lines[-1]
        if line and line[-1][2] == role and line[-1][0] + line[-1][1] == start:
            line[-1] = (line[-1][0], line[-1][1] + length, role)
        else:
            line.append((start, length, role))


def _is_fit(source: str) -> bool:
    return len(source) <= MAX_SOURCE and (
        len(source) <= MAX_LINE or max(map(len, source.split("\n"))) <= MAX_LINE
    )


@lru_cache(maxsize=1)
def _loader() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "lexers")


@lru_cache(maxsize=64)
def _loading(language: str) -> Future[Lexer | None]:
    """A lexer on its way: importing one takes up to 150 ms, which no frame has."""
    return _loader().submit(_load, language)


def _load(language: str) -> Lexer | None:
    lexers = import_module("pygments.lexers")
    not_found = import_module("pygments.util").ClassNotFound
    try:
        lexer: Lexer = lexers.get_lexer_by_name(language.lower().strip("{}."))
    except not_found:
        return None
    return lexer


@lru_cache(maxsize=512)
def _role(kind: Any) -> str | None:
    name = str(kind).removeprefix("Token.")
    return next((role for prefix, role in _ROLES if name.startswith(prefix)), None)
