"""One search, on a connection that only reads.

What makes it fast: the index gives the newest messages first, so a word that stands in all
100,000 of them costs no more than one that stands in 1,000. Up to `_CANDIDATES` messages
are ranked by bm25 and by how new they are among all (by sequence, not by a clock). Words in
more than that say little about any: then the newest come first, and the page says that its
total is a lower bound. In either case those come first in which all stands as typed.

Where whole words and beginnings of words give too little, parts of words are looked for in
the list of all words (`search_vocabulary`), and those messages follow.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from desktop.chats.chat import Role
from desktop.chats.search import SearchHit, SearchPage, SearchQuery
from desktop.chats.store import rows, search_index
from desktop.chats.store.search_snippets import Snippets
from desktop.chats.store.search_terms import fold, words_of
from desktop.chats.store.search_vocabulary import Vocabulary

SECONDS: Final = 0.25  # after which a search shows what it has

_CANDIDATES: Final = 1_000
_RECENCY: Final = 0.5  # how much better the newest message is than an equal oldest one
_SCANNED: Final = 0.05  # s for queries without a letter, which no index answers
_SHORT: Final = 3  # letters that begin many words
_TITLES: Final = 5  # one title for so many hits

_VISIBLE: Final = """
    FROM message_index CROSS JOIN messages ON messages.sequence = message_index.rowid
    CROSS JOIN chats ON chats.id = messages.chat_id
"""


class Search:
    """One search. Not to be used twice.

    Args:
        db: reads only.
        vocabulary: of all words, or None while it is not there.
    """

    def __init__(
        self, db: sqlite3.Connection, query: SearchQuery, vocabulary: Vocabulary | None
    ) -> None:
        self._db = db
        self._query = query
        self._vocabulary = vocabulary
        self._words = words_of(query.text)
        self._is_exact = True
        self._end = time.monotonic() + SECONDS

    def run(self) -> SearchPage:
        """The page of hits. Raises sqlite3.Error alone."""
        limit = max(0, self._query.limit)
        if not self._words or not limit:
            return SearchPage()
        # While an older version's messages are being indexed there may be more.
        self._is_exact = not search_index.backlog(self._db)
        titles = self._titles()
        found = self._by_words() if any(word.tokens for word in self._words) else self._scan()
        parts: list[int] = []
        if len(found) < limit and self._is_exact:
            known = set(found)
            parts = [sequence for sequence in self._by_parts() if sequence not in known]
        shown = self._title_hits(titles[: max(1, limit // _TITLES)])
        shown += self._hits(found[: limit - len(shown)], Snippets(self._words))
        shown += self._hits(parts[: limit - len(shown)], Snippets(self._words, anywhere=True))
        total = len(titles) + len(found) + len(parts)
        return SearchPage(tuple(shown), self._is_exact, total)

    # --- what is found ---------------------------------------------------------------

    def _by_words(self) -> list[int]:
        """Messages that have all the words, the best first."""
        words = [word for word in self._words if word.tokens]
        closed = " AND ".join(replace(word, is_open=False).expression for word in words)
        expression = " AND ".join(word.expression for word in words)
        if closed != expression:
            # "the" is the beginning of "theory" too, but stands in more messages than one
            # can look through even so; all that begin with it take long to put together.
            found = self._newest(closed)
            if len(found) > _CANDIDATES:
                return self._ranked(closed, found)
        found = self._newest(expression)
        # bm25 counts all that an open word begins, which takes long where that is much.
        is_short = words[-1].is_open and len(words[-1].tokens[-1]) <= _SHORT
        return self._ranked(closed if is_short else expression, found)

    def _by_parts(self) -> list[int]:
        """Messages that have the words within others, the best first."""
        if self._vocabulary is None:
            self._is_exact = False
            return []
        wanted = []
        for word in self._words:
            if not word.tokens:
                continue
            others = self._vocabulary.with_part(word.tokens[0]) if len(word.tokens) == 1 else ()
            wanted.append(" OR ".join((word.expression, *(f'"{other}"' for other in others))))
        if not any(" OR " in either for either in wanted):
            return []
        expression = " AND ".join(f"({either})" for either in wanted)
        return self._ranked(expression, self._newest(expression))

    def _newest(self, expression: str) -> list[int]:
        """The newest messages that match: up to one more than `_CANDIDATES`."""
        conditions, values = self._conditions()
        signs = [word.literal for word in self._words if not word.tokens]
        for number, sign in enumerate(signs):  # "->" in "a -> b": the index has none
            conditions += f" AND instr(messages.content, :sign{number}) > 0"
            values[f"sign{number}"] = sign
        values |= {"expression": expression, "most": _CANDIDATES + 1}
        within, limits = "", self._range()
        if limits is not None:
            within = "AND message_index.rowid BETWEEN :first AND :last"
            values |= {"first": limits[0], "last": limits[1]}
        return self._fetch(
            f"SELECT messages.sequence {_VISIBLE} "
            f"WHERE message_index MATCH :expression {within} AND {conditions} "
            "ORDER BY message_index.rowid DESC LIMIT :most",
            values,
        )

    def _ranked(self, expression: str, found: Sequence[int]) -> list[int]:
        """What `_newest` found, the best first; without the one too many."""
        if not found:
            return []
        ranks: dict[int, float] = {}
        if len(found) > _CANDIDATES:
            self._is_exact = False
            found = found[:_CANDIDATES]
        else:
            ranks.update(
                self._db.execute(
                    "SELECT rowid, -bm25(message_index) FROM message_index "
                    "WHERE message_index MATCH ? AND rowid BETWEEN ? AND ?",
                    (expression, found[-1], found[0]),
                )
            )
        literal = self._literally(found)
        if not ranks and not literal:
            return list(found)
        newest = self._db.execute("SELECT max(sequence) FROM messages").fetchone()[0]

        def worth(sequence: int) -> tuple[bool, float, int]:
            rank = ranks.get(sequence, 0.0) * (1.0 + _RECENCY * sequence / newest)
            return sequence in literal, rank, sequence

        return sorted(found, key=worth, reverse=True)

    def _literally(self, found: Sequence[int]) -> frozenset[int]:
        """Those in which all stands as it was typed: they come first.

        "C++" and "foo-bar" are more than the letters that the index knows of them, and
        several words are meant to stand together more often than not.
        """
        typed = " ".join(word.literal for word in self._words)
        if len(self._words) == 1 and self._words[0].is_plain:
            return frozenset()
        places = ", ".join(map(str, found))
        rows_ = self._fetch(
            f"SELECT sequence FROM messages WHERE sequence IN ({places}) "
            "AND instr(lower(content), :typed) > 0",
            {"typed": typed},
        )
        return frozenset(rows_)

    def _scan(self) -> list[int]:
        """Messages that hold signs which the index leaves out, the newest first."""
        conditions, values = self._conditions()
        for number, word in enumerate(self._words):
            conditions += f" AND instr(messages.content, :sign{number}) > 0"
            values[f"sign{number}"] = word.literal
        self._end = min(self._end, time.monotonic() + _SCANNED)
        found = self._fetch(
            "SELECT messages.sequence FROM messages CROSS JOIN chats "
            f"ON chats.id = messages.chat_id WHERE {conditions} "
            "ORDER BY messages.sequence DESC LIMIT :most",
            values | {"most": _CANDIDATES + 1},
        )
        if len(found) > _CANDIDATES:
            self._is_exact = False
        return found[:_CANDIDATES]

    def _fetch(self, sql: str, values: dict[str, Any]) -> list[int]:
        """The first column, or what was found of it before the time was over."""
        found: list[int] = []
        self._db.set_progress_handler(lambda: time.monotonic() > self._end, 20_000)
        try:
            found.extend(first for (first,) in self._db.execute(sql, values))
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
                raise
            self._is_exact = False
        finally:
            self._db.set_progress_handler(None, 0)
        return found

    def _conditions(self) -> tuple[str, dict[str, Any]]:
        """What the filters ask of `messages` and `chats`."""
        query = self._query
        conditions, values = ["chats.deleted IS NULL"], dict[str, Any]()
        if query.chat_id:
            conditions.append("messages.chat_id = :chat_id")
            values["chat_id"] = rows.storable(query.chat_id)
        if query.folder is not None:
            conditions.append("chats.folder = :folder")
            values["folder"] = rows.storable(query.folder)
        if query.model:
            conditions.append("messages.model = :model")
            values["model"] = rows.storable(query.model)
        if query.since is not None:
            conditions.append("messages.created >= :since")
            values["since"] = query.since
        if query.until is not None:
            conditions.append("messages.created <= :until")
            values["until"] = query.until
        if not query.include_archived:
            conditions.append("chats.archived = 0")
        return " AND ".join(conditions), values

    def _range(self) -> tuple[int, int] | None:
        """The first and last sequence that the filters leave; None if they leave all.

        The index walks through a range of sequences only, but knows no chat and no date.
        """
        query = self._query
        conditions, values = [], list[Any]()
        if query.chat_id:
            conditions.append("chat_id = ?")
            values.append(rows.storable(query.chat_id))
        elif query.folder is not None:
            conditions.append("chat_id IN (SELECT id FROM chats WHERE folder = ?)")
            values.append(rows.storable(query.folder))
        elif query.since is not None or query.until is not None:
            conditions.append("created BETWEEN ? AND ?")
            values += [
                -math.inf if query.since is None else query.since,
                math.inf if query.until is None else query.until,
            ]
        if not conditions:
            return None
        first, last = self._db.execute(
            f"SELECT min(sequence), max(sequence) FROM messages WHERE {conditions[0]}", values
        ).fetchone()
        return (1, 0) if first is None else (first, last)

    # --- what is shown ---------------------------------------------------------------

    def _titles(self) -> list[int]:
        """Sequences of chats whose title holds all the words, the one changed last first."""
        query = self._query
        if query.chat_id or query.model:
            return []
        conditions, values = ["deleted IS NULL"], list[Any]()
        if query.folder is not None:
            conditions.append("folder = ?")
            values.append(rows.storable(query.folder))
        if query.since is not None:
            conditions.append("updated >= ?")
            values.append(query.since)
        if query.until is not None:
            conditions.append("updated <= ?")
            values.append(query.until)
        if not query.include_archived:
            conditions.append("archived = 0")
        listed = self._db.execute(
            f"SELECT sequence, title FROM chats WHERE {' AND '.join(conditions)} "
            "ORDER BY sequence DESC",
            values,
        ).fetchall()
        if not listed:
            return []
        literals = [word.literal for word in self._words]
        # All at once: one call for each of 10,000 titles would be what takes the time.
        folded = fold("\n".join(title.replace("\n", " ") for _, title in listed)).split("\n")
        return [
            sequence
            for (sequence, _), line in zip(listed, folded, strict=True)
            if all(literal in line for literal in literals)
        ]

    def _title_hits(self, found: Sequence[int]) -> list[SearchHit]:
        snippets = Snippets(self._words, anywhere=True)
        places = ", ".join(map(str, found))
        return [
            SearchHit(
                chat_id, title, "", Role.SYSTEM, updated, title, snippets.marks(title), "", folder
            )
            for chat_id, title, updated, folder in self._db.execute(
                f"SELECT id, title, updated, folder FROM chats WHERE sequence IN ({places}) "
                "ORDER BY sequence DESC"
            )
        ]

    def _hits(self, found: Sequence[int], snippets: Snippets) -> list[SearchHit]:
        if not found:
            return []
        places = ", ".join(map(str, found))
        contents = self._db.execute(
            "SELECT messages.sequence, chats.id, chats.title, messages.id, messages.role, "
            "messages.created, messages.model, chats.folder, messages.content FROM messages "
            f"JOIN chats ON chats.id = messages.chat_id WHERE messages.sequence IN ({places})"
        )
        words = tuple(word.literal for word in self._words)
        hits = {}
        for sequence, chat_id, title, message_id, role, created, model, folder, text in contents:
            snippet, marks = snippets.cut(text)
            hits[sequence] = SearchHit(
                chat_id,
                title,
                message_id,
                rows.role_from(role),
                created,
                snippet,
                marks,
                model,
                folder,
                words,
            )
        return [hits[sequence] for sequence in found if sequence in hits]
