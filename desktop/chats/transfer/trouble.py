"""What can be wrong with a file of chats: kinds and facts; `views.transfer_words` says it."""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from enum import StrEnum


class Trouble(StrEnum):
    """What is wrong. In brackets: the facts that come with it."""

    # With the whole file.
    NOT_FOUND = "not found"  # (path)
    UNREADABLE = "unreadable"  # (path, reason)
    UNWRITABLE = "unwritable"  # (path, reason)
    NOT_ALLOWED = "not allowed"  # (path)
    DISK_FULL = "disk full"  # (path)
    FILE_TOO_LARGE = "file too large"  # (megabytes)
    NOT_CHATS = "not chats"  # neither kind of file
    NEWER_FORMAT = "newer format"  # (version)
    NO_CHATS_IN_ZIP = "no chats in zip"
    BAD_ZIP = "bad zip"
    LOCKED_ZIP = "locked zip"
    ZIP_BOMB = "zip bomb"  # (name)
    TOO_MANY_CHATS = "too many chats"  # (most)
    CUT_OFF = "cut off"  # the file ends in the middle
    # With one chat.
    CHAT_TOO_LARGE = "chat too large"  # (megabytes)
    TOO_DEEP = "too deep"  # (most)
    TOO_MANY_PARTS = "too many parts"  # (most)
    NOT_JSON = "not JSON"  # (reason)
    WRONG_TYPE = "wrong type"  # (where)
    MISSING = "missing"  # (where)
    TWICE = "twice"  # (where)
    NO_PARENT = "no parent"  # (where)
    CIRCLE = "circle"  # (where)
    NO_MESSAGES = "no messages"
    GONE = "gone"  # deleted while it was exported
    NOT_STORED = "not stored"  # (reason)


class TransferError(Exception):
    """A file or a chat that cannot be read or written.

    Attributes:
        trouble: what is wrong.
        facts: what the words need: see `Trouble`.
    """

    def __init__(self, trouble: Trouble, **facts: object) -> None:
        super().__init__(f"{trouble}: {facts}" if facts else str(trouble))
        self.trouble = trouble
        self.facts = facts


class Cancelled(Exception):  # noqa: N818  (the user's wish, not a fault)
    """The user stopped it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One chat that could not be taken over or written.

    Attributes:
        number: its place in the file, from 1; 0 where the file as a whole is meant.
        title: as far as it could be read.
    """

    trouble: Trouble
    number: int = 0
    title: str = ""
    facts: dict[str, object] = field(default_factory=dict)


def from_os(error: OSError, path: object, *, writing: bool) -> TransferError:
    """The trouble behind an error of the file system's."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return TransferError(Trouble.DISK_FULL, path=str(path))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return TransferError(Trouble.NOT_ALLOWED, path=str(path))
    if error.errno == errno.ENOENT and not writing:
        return TransferError(Trouble.NOT_FOUND, path=str(path))
    kind = Trouble.UNWRITABLE if writing else Trouble.UNREADABLE
    return TransferError(kind, path=str(path), reason=error.strerror or str(error))
