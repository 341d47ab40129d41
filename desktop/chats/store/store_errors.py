"""What can go wrong with the file of chats, in the user's words.

Every error says what happened (`cause`) and what to do next (`advice`). The raw
SQLite error, where there is one, is chained as `__cause__`.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from pathlib import Path
from typing import Final

# Primary result codes (https://sqlite.org/rescode.html). The sqlite3 module names
# them only from 3.11 on as module constants that type checkers do not all know.
_BUSY: Final = 5
_LOCKED: Final = 6
_READONLY: Final = 8
_IOERR: Final = 10
_CORRUPT: Final = 11
_FULL: Final = 13
_CANTOPEN: Final = 14
_TOOBIG: Final = 18
_NOTADB: Final = 26

# Below this many free bytes an I/O error is taken for a full disk: SQLite reports
# a -shm file that cannot grow as an I/O error, not as SQLITE_FULL.
_NO_SPACE: Final = 256 * 1024


class StoreError(Exception):
    """Chats could not be read or written.

    Attributes:
        cause: what happened, in the user's words.
        advice: what to do next.
        usable: whether the store works all the same (a damaged file was set aside
            and a fresh one made).
    """

    def __init__(self, cause: str, advice: str = "", *, usable: bool = False) -> None:
        super().__init__(f"{cause} {advice}".strip())
        self.cause = cause
        self.advice = advice
        self.usable = usable


class FutureVersionError(StoreError):
    """The file was written by a newer Inglenook. It is left as it is."""


class CorruptStoreError(StoreError):
    """The file is damaged.

    Attributes:
        quarantine: where the damaged file was moved to; None if it was not moved.
        saved_messages: how many of its messages the new file has.
    """

    def __init__(
        self,
        cause: str,
        advice: str = "",
        *,
        usable: bool = False,
        quarantine: Path | None = None,
        saved_messages: int = 0,
    ) -> None:
        super().__init__(cause, advice, usable=usable)
        self.quarantine = quarantine
        self.saved_messages = saved_messages


class ReadOnlyStoreError(StoreError):
    """The folder or the file cannot be written to."""


class StoreLockedError(StoreError):
    """Another process has the store."""


class DiskFullError(StoreError):
    """There is no room left. Nothing stored before is lost; later writes may work."""


class StoreClosedError(StoreError):
    """The store is not open, or not any more."""


class Damaged(Exception):  # noqa: N818  (not an error to show: it leads to quarantine)
    """The file is not a sound database. `args[0]` says how that shows."""


def closed() -> StoreClosedError:
    """The error for a call before `open` or after `close`."""
    return StoreClosedError("The chats are closed.", "Start Inglenook again.")


def disk_full(path: Path) -> DiskFullError:
    """The error for a full disk under `path`."""
    return DiskFullError(
        f"The disk is full, so the chat could not be saved in {path.parent}.",
        "Free some space and try again. Everything saved before is safe.",
    )


def read_only(path: Path) -> ReadOnlyStoreError:
    """The error for a folder or file under `path` that cannot be written to."""
    return ReadOnlyStoreError(
        f"Inglenook may not write to its chats in {path.parent}.",
        f"Make the folder and {path.name} writable for you, or set INGLENOOK_HOME to a "
        "folder that is, then start Inglenook again.",
    )


def locked(path: Path, holder: str = "") -> StoreLockedError:
    """The error for a store that another process has. `path`: of the lock file."""
    return StoreLockedError(
        f"Inglenook is already running{holder}: it holds {path}.",
        "Another window, or a chat on a terminal, is using these chats. Use that one, or wait "
        "until it ends and try again.",
    )


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is broken."""
    return _primary_code(error) in (_CORRUPT, _NOTADB)


def _primary_code(error: sqlite3.Error) -> int:
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _NO_SPACE
    except OSError:
        return False


def from_sqlite(error: sqlite3.Error, path: Path) -> Exception:
    """Turn an SQLite error about the database at `path` into a typed one.

    A broken constraint is a mistake of the caller's and becomes a ValueError.
    """
    if isinstance(error, sqlite3.IntegrityError):
        return ValueError(f"the store refused this: {error}")
    code = _primary_code(error)
    if code == _FULL or (code in (_IOERR, _CANTOPEN) and _is_full(path)):
        return disk_full(path)
    if code in (_READONLY, _CANTOPEN):
        return read_only(path)
    if code in (_BUSY, _LOCKED):
        return StoreLockedError(
            f"Another program holds the chats in {path}.",
            "Close it (a database browser, a backup program) and try again.",
        )
    if code in (_CORRUPT, _NOTADB):
        return CorruptStoreError(
            f"The file of your chats is damaged: {path}.",
            "Copy it somewhere safe, then quit and start Inglenook again: it sets the "
            "damaged file aside and starts a new one.",
        )
    if code == _TOOBIG or isinstance(error, sqlite3.DataError):
        return StoreError("This text is too large to be saved.", "Send it in smaller pieces.")
    return StoreError(
        f"The chats in {path} could not be read or written ({error}).",
        "Try again. If it stays, check the disk and start Inglenook again.",
    )


def from_os(error: OSError, path: Path) -> StoreError:
    """Turn an error of the file system's about the store at `path` into a typed one."""
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return read_only(path)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(path)
    return StoreError(
        f"The folder of your chats cannot be used: {path.parent} ({error.strerror or error}).",
        "Check that it is a folder on a disk that works, then start Inglenook again.",
    )
