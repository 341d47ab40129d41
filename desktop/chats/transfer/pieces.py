"""A JSON file of any size, cut into its chats without being parsed as a whole.

The cutter only tells brackets from strings, so a file of 500 MB needs the memory of its
largest chat, depth and counts are known before a parser runs, and a chat that is broken
takes none of the others with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from desktop.chats.transfer.limits import LIMITS, MIB, Limits
from desktop.chats.transfer.trouble import TransferError, Trouble

CHUNK: Final = MIB // 4
_STREAMED: Final = re.compile(rb'\s*"chats"\s*:\s*\Z')  # the member that is cut up, too
# All up to the next bracket (or comma) outside of strings, or up to a string without an end.
_TO_BRACKET: Final = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_TO_COMMA: Final = re.compile(rb'(?:[^"\[\]{},]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_IN_STRING: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


class Kind(Enum):
    """What a piece is."""

    CHAT = auto()  # one element of the array of chats
    MEMBER = auto()  # one other member of the object around it, as an object of its own


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the file that can be parsed by itself.

    Attributes:
        data: the JSON; empty when `error` says why it must not be parsed.
    """

    kind: Kind
    data: bytes
    error: TransferError | None = None


class Cutter:
    """Feeds on bytes, gives pieces. The file is an array, or an object with "chats" in it."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._depth = 0
        self._cut_at = 1  # the depth whose elements are pieces
        self._in_object = False  # whether the whole is an object
        self._in_string = False
        self._held = bytearray()  # the piece so far
        self._rest = b""  # half of an escape, at the end of what was fed
        self._error: TransferError | None = None
        self._containers = 0
        self._ignoring = False  # the rest of the member whose array was cut up
        self.is_complete = False

    def feed(self, data: bytes) -> Iterator[Piece]:
        """The pieces that end in `data`, which follows what was fed before.

        Raises:
            TransferError: TOO_DEEP, where the file is nothing but brackets; NOT_CHATS, where
                it does not begin as JSON does.
        """
        data = self._rest + data
        position = 0
        start = 0  # what belongs to the piece and is not held yet
        while position < len(data) and not self.is_complete:
            if self._in_string:
                match = _IN_STRING.match(data, position)
                position = match.end() if match else position
                if position >= len(data):
                    break
                if data[position : position + 1] == b"\\":  # half of an escape, at the end
                    break
                self._in_string = False
                position += 1
                continue
            skipped = _TO_COMMA if self._depth == self._cut_at else _TO_BRACKET
            match = skipped.match(data, position)
            place = match.end() if match else position
            if place >= len(data):
                position = place
                break
            sign = data[place : place + 1]
            position = place + 1
            if self._depth == 0 and (sign not in (b"[", b"{") or data[start:place].strip()):
                raise TransferError(Trouble.NOT_CHATS)
            if sign == b'"':
                self._in_string = True
            elif sign in (b"[", b"{"):
                if self._opens(sign, data, start, place):
                    start = position
            elif sign == b",":
                self._hold(data[start:place])
                yield from self._take()
                start = position
            elif self._depth == self._cut_at:
                self._hold(data[start:place])
                yield from self._take()
                start = position
                self._close_cut()
            else:
                self._depth -= 1
        self._rest = data[position:] if self._in_string else b""
        self._hold(data[start : len(data) - len(self._rest)])

    def cut(self, read: Callable[[int], bytes]) -> Iterator[Piece]:
        """All pieces of what `read(size)` gives.

        Raises:
            TransferError: CUT_OFF after the last whole piece, if the file ends too early;
                FILE_TOO_LARGE; NOT_CHATS; TOO_DEEP.
        """
        total = 0
        while chunk := read(CHUNK):
            total += len(chunk)
            if total > self._limits.file_bytes:
                raise TransferError(
                    Trouble.FILE_TOO_LARGE, megabytes=self._limits.file_bytes // MIB
                )
            yield from self.feed(chunk)
        if not self.is_complete:
            raise TransferError(Trouble.CUT_OFF if self._depth else Trouble.NOT_CHATS)

    def _opens(self, sign: bytes, data: bytes, start: int, place: int) -> bool:
        """Whether a container began that is cut up, so that a piece begins behind it."""
        self._depth += 1
        if self._depth == 1:
            self._in_object = sign == b"{"
            self._held.clear()
            return True
        if (
            self._depth == 2
            and self._in_object
            and self._cut_at == 1
            and sign == b"["
            and len(self._held) + place - start < 100
            and _STREAMED.fullmatch(bytes(self._held) + data[start:place])
        ):
            self._cut_at = 2
            self._held.clear()
            return True
        self._containers += 1
        if self._depth > 1000 * self._limits.depth:  # no chat: nothing good comes after it
            raise TransferError(Trouble.TOO_DEEP, most=self._limits.depth)
        if self._depth - self._cut_at > self._limits.depth:
            self._spoil(TransferError(Trouble.TOO_DEEP, most=self._limits.depth))
        if self._containers > self._limits.containers:
            self._spoil(TransferError(Trouble.TOO_MANY_PARTS, most=self._limits.containers))
        return False

    def _close_cut(self) -> None:
        self._depth -= 1
        if self._cut_at == 2:
            self._cut_at = 1
            self._ignoring = True
        else:
            self.is_complete = True

    def _spoil(self, error: TransferError) -> None:
        self._error = self._error or error
        self._held.clear()

    def _hold(self, data: bytes) -> None:
        if self._error is not None or self._ignoring or self._depth == 0:
            return
        if len(self._held) + len(data) > self._limits.chat_bytes:
            self._spoil(
                TransferError(Trouble.CHAT_TOO_LARGE, megabytes=self._limits.chat_bytes // MIB)
            )
            return
        self._held += data

    def _take(self) -> Iterator[Piece]:
        data, error = bytes(self._held), self._error
        ignored = self._ignoring
        self._held.clear()
        self._error, self._containers, self._ignoring = None, 0, False
        if ignored or (error is None and not data.strip()):
            return
        member = self._in_object and self._cut_at == 1
        if member and data:
            data = b"{" + data + b"}"
        yield Piece(Kind.MEMBER if member else Kind.CHAT, data, error)
