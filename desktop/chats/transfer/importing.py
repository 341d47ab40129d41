"""Chats from a file into the store: one at a time, with a bounded number on their way."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from desktop.chats.chat import DEFAULT_TITLE, ChatSummary
from desktop.chats.chat_tree import ChatTree
from desktop.chats.names import name_from
from desktop.chats.store.rows import storable
from desktop.chats.transfer import chatgpt, our_json
from desktop.chats.transfer.limits import LIMITS, Limits
from desktop.chats.transfer.pieces import Cutter, Kind, Piece
from desktop.chats.transfer.source_file import Source, sources
from desktop.chats.transfer.trouble import Cancelled, Problem, TransferError, Trouble

IN_FLIGHT: Final = 4  # chats that wait for the disk
_KEPT_PROBLEMS: Final = 200  # more are only counted
_TITLE_LENGTH: Final = 300

ChatKey = tuple[str, int]


def key_of(title: str, updated: float) -> ChatKey:
    """What a chat is known by when the same file comes again: its title and its last change.

    A chat that was written in or renamed since is another one, and is taken over anew.
    """
    return name_from(storable(title)) or DEFAULT_TITLE, round(updated * 1000)


def keys_of(chats: Collection[ChatSummary]) -> frozenset[ChatKey]:
    """The keys of chats that are here."""
    return frozenset(key_of(chat.title, chat.updated) for chat in chats)


@dataclass(frozen=True, slots=True)
class Import:
    """What to import.

    Attributes:
        add: stores a chat, with ids of its own; called from the importing thread.
        present: keys of the chats that are here: those are passed over.
        folder: where all go; None keeps each in its own.
        progress: told the share of the file that is read, 0 to 1, and how many chats were
            taken over; returns False to cancel. What was taken over until then stays.
    """

    path: Path
    add: Callable[[ChatTree], Future[ChatSummary]]
    present: frozenset[ChatKey] = frozenset()
    folder: str | None = None
    progress: Callable[[float, int], bool] = lambda _share, _count: True
    limits: Limits = LIMITS


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What came of it.

    Attributes:
        imported: chats taken over.
        present: chats passed over, since they are here already.
        empty: chats without a message, passed over.
        left_out: pictures, sounds and files that the export names but does not hold.
        failed: chats that could not be read or stored; `problems` tells of the first ones,
            and of a fault of the file as a whole.
        cancelled: the user stopped it.
    """

    imported: int = 0
    present: int = 0
    empty: int = 0
    left_out: int = 0
    failed: int = 0
    problems: tuple[Problem, ...] = ()
    cancelled: bool = False


def import_chats(job: Import) -> ImportReport:
    """Take over what is in the file. One bad chat does not lose the others.

    Raises:
        TransferError: the file cannot be read at all, or holds no chats.
    """
    taker = _Taker(job)
    try:
        with sources(job.path, job.limits) as found:
            for number, opened in enumerate(found):
                share = (number / len(found), 1 / len(found))
                try:
                    taker.take(opened(), share)
                except TransferError as error:
                    if not taker.has_begun and number == len(found) - 1:
                        raise
                    taker.note(error)
    except Cancelled:
        taker.cancelled = True
    taker.settle(0)
    return taker.report()


@dataclass(frozen=True, slots=True)
class Read:
    """A chat as it was read from the file."""

    tree: ChatTree
    left_out: int = 0


def read_piece(piece: Piece, *, ours: bool) -> Read:
    """The chat in a piece.

    Raises:
        TransferError: what is wrong with it.
    """
    if piece.error is not None:
        raise piece.error
    if ours:
        return Read(our_json.decode(piece.data))
    value = _parsed(piece.data)
    if not isinstance(value, dict):
        raise TransferError(Trouble.WRONG_TYPE, where="")
    converted = chatgpt.convert(value)
    return Read(converted.tree, converted.left_out)


class _Taker:
    def __init__(self, job: Import) -> None:
        self._job = job
        self._waiting: deque[tuple[Future[ChatSummary], int, str]] = deque()
        self._number = 0
        self._imported = self._passed = self._empty = self._left_out = self._failed = 0
        self._problems: list[Problem] = []
        self.cancelled = False

    @property
    def has_begun(self) -> bool:
        return self._number > 0

    def take(self, source: Source, share: tuple[float, float]) -> None:
        """All chats of one JSON text. Raises TransferError, Cancelled."""
        done = 0

        def read(count: int) -> bytes:
            nonlocal done
            data = source.read(count)
            done += len(data)
            part = share[0] + share[1] * min(1.0, done / max(1, source.size))
            if not self._job.progress(part, self._imported):
                raise Cancelled
            return data

        for piece, ours in _chats(Cutter(self._job.limits).cut(read)):
            self._number += 1
            if self._number > self._job.limits.chats:
                raise TransferError(Trouble.TOO_MANY_CHATS, most=self._job.limits.chats)
            self._take_one(piece, ours)

    def _take_one(self, piece: Piece, ours: bool) -> None:
        try:
            read = read_piece(piece, ours=ours)
        except TransferError as error:
            if error.trouble is Trouble.NO_MESSAGES:
                self._empty += 1
            else:
                self._fail(error, self._number, _title_in(piece.data))
            return
        tree = read.tree
        if not tree.messages:
            self._empty += 1
            return
        # Only what was here before counts: two chats of one file are two chats. One without
        # a time is known by nothing.
        if tree.updated and key_of(tree.title, tree.updated) in self._job.present:
            self._passed += 1
            return
        self._left_out += read.left_out
        if self._job.folder is not None:
            tree = replace(tree, folder=self._job.folder)
        self.settle(IN_FLIGHT - 1)
        self._waiting.append((self._job.add(tree), self._number, tree.title))

    def settle(self, most: int) -> None:
        """Wait until at most so many chats are on their way to the disk."""
        while len(self._waiting) > most:
            future, number, title = self._waiting.popleft()
            try:
                future.result()
            except Exception as error:
                self._fail(TransferError(Trouble.NOT_STORED, reason=str(error)), number, title)
            else:
                self._imported += 1

    def note(self, error: TransferError) -> None:
        """A fault of the file as a whole, after which nothing more is read of it."""
        if len(self._problems) < _KEPT_PROBLEMS:
            self._problems.append(Problem(error.trouble, facts=error.facts))

    def _fail(self, error: TransferError, number: int, title: str) -> None:
        self._failed += 1
        if len(self._problems) < _KEPT_PROBLEMS:
            self._problems.append(Problem(error.trouble, number, title, error.facts))

    def report(self) -> ImportReport:
        return ImportReport(
            imported=self._imported,
            present=self._passed,
            empty=self._empty,
            left_out=self._left_out,
            failed=self._failed,
            problems=tuple(self._problems),
            cancelled=self.cancelled,
        )


def _chats(pieces: Iterator[Piece]) -> Iterator[tuple[Piece, bool]]:
    """The pieces that are chats, each with whether it is in our own form.

    Raises:
        TransferError: NOT_CHATS, NEWER_FORMAT.
    """
    members: dict[str, Any] = {}
    single: Piece | None = None
    known = anything = False
    for piece in pieces:
        anything = True
        if piece.kind is Kind.CHAT:
            if members and not known:
                our_json.check_header(members)
            known = True
            yield piece, bool(members)
            continue
        if piece.error is not None or len(piece.data) > 4096:
            # The tree of a single conversation that was saved by itself, perhaps.
            single = _joined(single, piece)
            continue
        members |= _parsed_object(piece.data)
        single = _joined(single, piece)
    if known:
        return
    if members.get("format") == our_json.FORMAT:
        our_json.check_header(members)  # ours, with no chats in it
        return
    if single is not None and b'"mapping"' in single.data:
        yield single, False
    elif single is not None and single.error is not None:
        raise single.error
    elif anything or not known:
        raise TransferError(Trouble.NOT_CHATS)


def _joined(whole: Piece | None, member: Piece) -> Piece:
    if whole is None or whole.error is not None:
        return whole or member
    if member.error is not None:
        return member
    if len(whole.data) + len(member.data) > LIMITS.chat_bytes:
        error = TransferError(Trouble.CHAT_TOO_LARGE, megabytes=LIMITS.chat_bytes // (1024 * 1024))
        return Piece(Kind.MEMBER, b"", error)
    return Piece(Kind.MEMBER, whole.data[:-1] + b"," + member.data[1:])


def _parsed_object(data: bytes) -> dict[str, Any]:
    try:
        value = _parsed(data)
    except TransferError:
        return {}
    return value if isinstance(value, dict) else {}


def _parsed(data: bytes) -> object:
    try:
        return json.loads(data, object_pairs_hook=_unique, parse_constant=_no_number)
    except TransferError:
        raise
    except (ValueError, RecursionError) as error:
        raise TransferError(Trouble.NOT_JSON, reason=str(error)) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise TransferError(Trouble.TWICE, where=twice[:100])
    return found


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is not a number of JSON")


def _title_in(data: bytes) -> str:
    """A title for the report of a chat that could not be read."""
    import re

    match = re.search(rb'"title"\s*:\s*("(?:[^"\\]|\\.){0,1000}")', data[:65_536])
    if match is None:
        return ""
    try:
        title = json.loads(match[1])
    except ValueError:
        return ""
    return title[:_TITLE_LENGTH] if isinstance(title, str) else ""
