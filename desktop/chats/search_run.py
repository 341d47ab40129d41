"""One search, on a connection that only reads.

What makes it fast: the index gives the newest messages first, so a word that stands in all
100,000 of them costs no more than one that stands in 1,000. The newest `_CANDIDATES` are
ranked, by bm25 and by how new they are among all messages (by sequence, not by a clock);
with more than that the page says that its total is a lower bound.

Where whole words and beginnings of words give too little, parts of words are looked for in
the list of all words (`search_vocabulary`), and those messages follow.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from desktop.chats import rows
from desktop.chats.chat import Role
from desktop.chats.search import SearchHit, SearchPage, SearchQuery
from desktop.chats.search_snippets import Snippets
from desktop.chats.search_terms import fold, words_of
from desktop.chats.search_vocabulary import Vocabulary

SECONDS: Final = 0.25  # after which a search shows what it has

_CANDIDATES: Final = 1_000
_RECENCY: Final = 0.5  # how much better the newest message is than an equal oldest one
_SCANNED: Final = 0.05  # s for queries without a letter, which no index answers
_TITLES: Final = 5  # one title for so many hits

_VISIBLE: Final = """
    FROM message_index CROSS JOIN messages ON messages.sequence = message_index.rowid
    CROSS JOIN chats ON chats.id = messages.chat_id
"""


@dataclass(frozen=True, slots=True)
class _Found:
    sequence: int
    score: float  # the higher the better
    is_literal: bool = True


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
        self._db.set_progress_handler(self._is_over, 20_000)
        try:
            titles = self._titles()
            found = self._by_words() if any(word.tokens for word in self._words) else self._scan()
            parts: list[_Found] = []
            if len(found) < limit and self._is_exact:
                known = {hit.sequence for hit in found}
                parts = [hit for hit in self._by_parts() if hit.sequence not in known]
        finally:
            self._db.set_progress_handler(None, 0)
        shown = titles[: max(1, limit // _TITLES)]
        left = limit - len(shown)
        shown += self._hits(found[:left], Snippets(self._words))
        shown += self._hits(parts[: limit - len(shown)], Snippets(self._words, anywhere=True))
        total = len(titles) + len(found) + len(parts)
        return SearchPage(tuple(shown), self._is_exact, total)

    def _is_over(self) -> bool:
        return time.monotonic() > self._end

    # --- what is found ---------------------------------------------------------------

    def _by_words(self) -> list[_Found]:
        """Messages that have all the words, the best first."""
        expression = " AND ".join(word.expression for word in self._words if word.tokens)
        return self._match(expression)

    def _by_parts(self) -> list[_Found]:
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
        if not any(" OR " in expression for expression in wanted):
            return []
        return self._match(" AND ".join(f"({expression})" for expression in wanted))

    def _match(self, expression: str) -> list[_Found]:
        # "C++" and "foo-bar" are more than the letters that the index knows of them.
        special = [word.literal for word in self._words if not word.is_plain]
        literal = " AND ".join(
            f"instr(lower(messages.content), :literal{n}) > 0" for n in range(len(special))
        )
        conditions, values = self._conditions()
        for number, text in enumerate(special):
            values[f"literal{number}"] = text
        values |= {"expression": expression, "most": _CANDIDATES + 1}
        found = self._fetch(
            f"SELECT messages.sequence, bm25(message_index), {literal or '1'} {_VISIBLE} "
            f"WHERE message_index MATCH :expression AND {conditions} "
            "ORDER BY message_index.rowid DESC LIMIT :most",
            values,
        )
        if len(found) > _CANDIDATES:
            self._is_exact = False
        newest = self._db.execute("SELECT max(sequence) FROM messages").fetchone()[0] or 1
        hits = [
            _Found(sequence, -rank * (1.0 + _RECENCY * sequence / newest), bool(is_literal))
            for sequence, rank, is_literal in found[:_CANDIDATES]
        ]
        hits.sort(key=lambda hit: (hit.is_literal, hit.score, hit.sequence), reverse=True)
        return hits

    def _scan(self) -> list[_Found]:
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
        return [_Found(sequence, 0.0) for (sequence,) in found[:_CANDIDATES]]

    def _fetch(self, sql: str, values: dict[str, Any]) -> list[Any]:
        """The rows, or those that were found before the time was over."""
        found: list[Any] = []
        try:
            found.extend(self._db.execute(sql, values))
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
                raise
            self._is_exact = False
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

    # --- what is shown ---------------------------------------------------------------

    def _titles(self) -> list[SearchHit]:
        """Chats whose title holds all the words, the one changed last first."""
        query = self._query
        if query.chat_id or query.model:
            return []
        literals = [word.literal for word in self._words]
        snippets = Snippets(self._words, anywhere=True)
        found = []
        for chat_id, title, folder, archived, updated in self._db.execute(
            "SELECT id, title, folder, archived, updated FROM chats WHERE deleted IS NULL "
            "ORDER BY sequence DESC"
        ):
            if query.folder is not None and folder != query.folder:
                continue
            if archived and not query.include_archived:
                continue
            if query.since is not None and updated < query.since:
                continue
            if query.until is not None and updated > query.until:
                continue
            folded = fold(title)
            if all(literal in folded for literal in literals):
                found.append(
                    SearchHit(
                        chat_id,
                        title,
                        "",
                        Role.SYSTEM,
                        updated,
                        title,
                        snippets.marks(title),
                        folder=folder,
                    )
                )
        return found

    def _hits(self, found: Sequence[_Found], snippets: Snippets) -> list[SearchHit]:
        hits = []
        for item in found:
            row = self._db.execute(
                "SELECT chats.id, chats.title, messages.id, messages.role, messages.created, "
                "messages.model, chats.folder, messages.content FROM messages JOIN chats "
                "ON chats.id = messages.chat_id WHERE messages.sequence = ?",
                (item.sequence,),
            ).fetchone()
            if row is None:  # erased since
                continue
            chat_id, title, message_id, role, created, model, folder, content = row
            snippet, marks = snippets.cut(content)
            hits.append(
                SearchHit(
                    chat_id,
                    title,
                    message_id,
                    rows.role_from(role),
                    created,
                    snippet,
                    marks,
                    model,
                    folder,
                )
            )
        return hits
