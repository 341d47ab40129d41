"""The file of chats: locking, opening, making. No SQL about chats here.

Opening goes: lock, look at the header with plain reads (`store_header`), check that
the file is sound (`store_check`), and only then write to it.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.chats.store import store_errors
from desktop.chats.store.migrations import APPLICATION_ID, Migration, migrate, version_of
from desktop.chats.store.store_check import check
from desktop.chats.store.store_errors import CorruptStoreError, Damaged, FutureVersionError
from desktop.chats.store.store_header import version_on_disk
from desktop.chats.store.store_keeping import (
    back_up,
    describe_damage,
    quarantine_file,
    remove,
    sync_folder,
    wal_of,
)
from desktop.paths import make_private

log = logging.getLogger(__name__)

_BUSY_SECONDS: Final = 5.0
# Opening must not wait for the check of a huge file: it is left out above this size (a
# single step of the check cannot be interrupted), and cut short on a slow disk. Damage
# that shows in use has the whole file checked at the next start.
_CHECK_BYTES: Final = 32 * 1024 * 1024
_CHECK_SECONDS: Final = 0.4


@dataclass(slots=True)
class OpenStore:
    """A store ready for use.

    Attributes:
        db: the `sqlite_utils.Database`; belongs to the thread that opened it.
        notice: set when a damaged file was set aside and `db` is a fresh one, with what could be
            taken over.
    """

    db: Any
    lock: int
    notice: CorruptStoreError | None = None

    def close(self) -> None:
        """Close the database (which folds the WAL in), then give the lock back."""
        try:
            self.db.close()
        finally:
            os.close(self.lock)


def open_store(path: Path, migrations: Sequence[Migration]) -> OpenStore:
    """Open the store at `path`, or make it. Takes the place of any damaged file.

    Raises:
        StoreError: one of its subclasses where the reason is known.
    """
    lock = -1
    try:
        make_private(path.parent)
        lock = _take_lock(path.with_name(path.name + ".lock"))
        db, notice = _open_locked(path, migrations)
        return OpenStore(db, lock, notice)
    except BaseException as error:
        if lock >= 0:
            os.close(lock)
        if isinstance(error, sqlite3.Error):
            raise store_errors.from_sqlite(error, path) from error
        if isinstance(error, OSError):
            raise store_errors.from_os(error, path) from error
        raise


def _open_locked(
    path: Path, migrations: Sequence[Migration]
) -> tuple[Any, CorruptStoreError | None]:
    how = ""
    remove(_new(path))
    if path.exists():
        try:
            version = version_on_disk(path)
            if version > len(migrations):
                raise _from_the_future(path, version, len(migrations))
            return _open_existing(path, migrations), None
        except Damaged as damage:
            log.warning("The store %s is damaged: %s", path, damage)
            how = str(damage)
    # First the new one, then the move: without room for it, all stays as it was.
    _make_new(path, migrations)
    quarantine = None
    if how:
        quarantine = quarantine_file(path, how)
    elif wal_of(path).exists():
        # A WAL without its database would be replayed into the new one.
        quarantine_file(path, "the database is missing, its write-ahead log is not")
    _new(path).rename(path)
    sync_folder(path.parent)
    db = _connect(path)
    _configure(db)
    if quarantine is None:
        return db, None
    from desktop.chats.store.store_salvage import salvage  # late: hardly ever needed

    saved = salvage(quarantine, path, db)
    return db, describe_damage(path, how, quarantine, saved.chats, saved.messages)


# --- before SQLite -------------------------------------------------------------


def _take_lock(path: Path) -> int:
    """Take the lock file at `path`, return its descriptor. Freed with the process.

    Raises:
        StoreLockedError: another process has it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise store_errors.locked(path, f" (process {holder})" if holder else "") from None
    except OSError:
        os.close(descriptor)
        raise
    with contextlib.suppress(OSError):  # a full disk: the number is only for people
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode("ascii"), 0)
    return descriptor


def _from_the_future(path: Path, version: int, known: int) -> FutureVersionError:
    return FutureVersionError(
        f"Your chats were last used by a newer Inglenook (their format is {version}, "
        f"this one knows up to {known}).",
        f"Start the newer Inglenook, or update this one. Nothing was changed in {path}.",
    )


# --- SQLite --------------------------------------------------------------------


def _new(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _make_new(path: Path, migrations: Sequence[Migration]) -> None:
    """Make an empty store, whole or not at all, under the name `_new(path)`.

    As it gets its own name only when it is finished, an empty or half-made file at
    `path` always means damage, never a crash during the first start.
    """
    new = _new(path)
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        new.chmod(0o600)
        db = _connect(new)
        try:
            _configure(db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(db, migrations)
        finally:
            db.close()
    except BaseException:
        remove(new)
        raise


def _open_existing(path: Path, migrations: Sequence[Migration]) -> Any:
    """Open and check the store at `path`, bring it up to date.

    Raises:
        Damaged: it is not sound; nothing was written to it.
    """
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            path.with_name(path.name + suffix).chmod(0o600)
    suspicion = _suspicion(path)
    db = None
    try:
        db = _connect(path)
        if suspicion.exists():
            check(db, limit=None)
        else:
            check(db, limit=_CHECK_SECONDS if path.stat().st_size <= _CHECK_BYTES else 0.0)
        _configure(db)
        version = version_of(db)
        if version < len(migrations):
            back_up(db, path, version)
            migrate(db, migrations)
    except BaseException as error:
        if db is not None:
            db.close()
        # A broken schema can break the text of SQLite's own message.
        if isinstance(error, UnicodeDecodeError) or (
            isinstance(error, sqlite3.Error) and store_errors.is_damage(error)
        ):
            raise Damaged(str(error)) from error
        raise
    finally:
        with contextlib.suppress(OSError):
            suspicion.unlink(missing_ok=True)
    return db


def suspect(path: Path) -> None:
    """Note that SQLite met damage in use: the next start checks the whole file."""
    with contextlib.suppress(OSError):
        _suspicion(path).touch(0o600)


def _suspicion(path: Path) -> Path:
    return path.with_name(path.name + ".suspect")


def _connect(path: Path) -> Any:
    """A `sqlite_utils.Database` in autocommit mode. Writes nothing."""
    import sqlite_utils  # late: a third of a second that the first paint must not wait for

    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=_BUSY_SECONDS,
    )
    connection.text_factory = lenient_text
    try:
        return sqlite_utils.Database(connection, execute_plugins=False)
    except BaseException:
        connection.close()
        raise


def lenient_text(data: bytes) -> str:
    """A text with a flipped bit in it: that costs a character, not the chat.

    For `text_factory`. The default one is much faster, so it is this one's turn when that
    one has failed: see `is_undecodable`.
    """
    return str(data, "utf-8", "replace")


def is_undecodable(error: sqlite3.Error) -> bool:
    """Whether a text could not be read for what it holds, not for where it lies."""
    return "decode" in str(error) and getattr(error, "sqlite_errorcode", None) is None


def _configure(db: Any) -> None:
    """Have every commit on disk before it returns, and erase what is deleted."""
    for pragma in (
        "secure_delete = ON",
        "foreign_keys = ON",
        "journal_mode = WAL",
        "synchronous = FULL",
        "journal_size_limit = 8388608",
        "temp_store = MEMORY",
        "trusted_schema = OFF",
    ):
        db.execute(f"PRAGMA {pragma}").fetchall()
    # Takes the write lock once: a read-only file or another writer shows now.
    db.execute("BEGIN IMMEDIATE")
    db.execute("ROLLBACK")
