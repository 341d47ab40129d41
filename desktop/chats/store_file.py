"""The file of chats: its lock, its soundness, its backups. No SQL about chats here.

Opening goes: lock, look at the header with plain reads, and only then let SQLite
touch the file. A database from a newer Inglenook is thus refused with not a byte
changed, neither in it nor in its -wal or -shm.

The plain reads come before SQLite's own: closing any descriptor of a file drops all
POSIX locks that the process holds on it.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import sqlite3
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.chats import store_errors
from desktop.chats.migrations import APPLICATION_ID, TABLES, Migration, migrate, version_of
from desktop.chats.store_errors import CorruptStoreError, Damaged, FutureVersionError
from desktop.paths import make_private

log = logging.getLogger(__name__)

KEPT_BACKUPS: Final = 3
_MAGIC: Final = b"SQLite format 3\0"
_USER_VERSION_OFFSET: Final = 60  # in page 1
_WAL_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_BUSY_SECONDS: Final = 5.0
# The check of a huge file is cut short: opening must not wait for it.
_CHECK_SECONDS: Final = 0.4


@dataclass(slots=True)
class OpenStore:
    """A store ready for use.

    Attributes:
        db: the `sqlite_utils.Database`; belongs to the thread that opened it.
        notice: set when a damaged file was set aside and `db` is a fresh one.
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
    notice = None
    _remove(path.with_name(path.name + ".new"))
    if path.exists():
        try:
            version = _version_on_disk(path)
            if version > len(migrations):
                raise _from_the_future(path, version, len(migrations))
            return _open_existing(path, migrations), None
        except Damaged as damage:
            log.warning("The store %s is damaged: %s", path, damage)
            notice = _quarantine(path, str(damage))
    elif _wal(path).exists():
        # A WAL without its database would be replayed into the new one.
        _quarantine(path, "the database is missing, its write-ahead log is not")
    _make_fresh(path, migrations)
    db = _connect(path)
    _configure(db)
    return db, notice


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


def _version_on_disk(path: Path) -> int:
    """The highest schema version that the file or its WAL speaks of.

    Raises:
        Damaged: this is no SQLite database.
    """
    with path.open("rb") as file:
        header = file.read(100)
    if not header:
        raise Damaged("it is empty")
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise Damaged("it is not a database")
    return max(_user_version(header), _version_in_wal(_wal(path)))


def _user_version(page: bytes) -> int:
    (version,) = struct.unpack_from(">i", page, _USER_VERSION_OFFSET)
    return int(version)


def _version_in_wal(path: Path) -> int:
    """The highest version in any copy of page 1 in the write-ahead log; 0 if none.

    A newer Inglenook that was killed right after its migration leaves the new
    number only here. Uncommitted frames count too: that is refusing a little too
    much rather than a little too little.
    """
    version = 0
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return 0
    with file:
        header = file.read(_WAL_HEADER)
        if len(header) < _WAL_HEADER:
            return 0
        page_size, salts = struct.unpack_from(">I", header, 8)[0], header[16:24]
        if not 512 <= page_size <= 65536:
            return 0
        while len(frame := file.read(_FRAME_HEADER)) == _FRAME_HEADER:
            if frame[8:16] != salts:
                break  # left over from before the last checkpoint
            (number,) = struct.unpack_from(">I", frame)
            if number == 1:
                page = file.read(page_size)
                if len(page) >= 100 and page.startswith(_MAGIC):
                    version = max(version, _user_version(page))
            else:
                file.seek(page_size, os.SEEK_CUR)
    return version


def _from_the_future(path: Path, version: int, known: int) -> FutureVersionError:
    return FutureVersionError(
        f"Your chats were last used by a newer Inglenook (their format is {version}, "
        f"this one knows up to {known}).",
        f"Start the newer Inglenook, or update this one. Nothing was changed in {path}.",
    )


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _remove(path: Path) -> None:
    """Remove a half-made database and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _quarantine(path: Path, how: str) -> CorruptStoreError:
    """Move the damaged file and its WAL aside, as a pair; describe it for the user."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while target.exists() or _wal(target).exists():
        number += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    for suffix in ("-wal", "-journal", ""):  # the database last: a crash here repeats the move
        source = path.with_name(path.name + suffix)
        if source.exists():
            source.rename(target.with_name(target.name + suffix))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    _sync_folder(path.parent)
    backups = backups_of(path)
    advice = (
        f"There is a backup: {backups[-1]}. To go back to it, quit Inglenook and copy it "
        f"over {path}."
        if backups
        else "Keep that file: much of it can often still be read with the sqlite3 tool's "
        "“.recover”."
    )
    return CorruptStoreError(
        f"The file of your chats was damaged ({how}), so a new one was started. "
        f"The old one was moved to {target}.",
        advice,
        usable=True,
        quarantine=target,
    )


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# --- SQLite --------------------------------------------------------------------


def _make_fresh(path: Path, migrations: Sequence[Migration]) -> None:
    """Make an empty store, whole or not at all.

    It is made under another name and renamed, so an empty or half-made file at
    `path` always means damage, never a crash during the first start.
    """
    new = path.with_name(path.name + ".new")
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    new.chmod(0o600)
    try:
        db = _connect(new)
        try:
            _configure(db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(db, migrations)
        finally:
            db.close()
        new.rename(path)
    except BaseException:
        _remove(new)
        raise
    _sync_folder(path.parent)


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
        _check(db, limit=None if suspicion.exists() else _CHECK_SECONDS)
        _configure(db)
        version = version_of(db)
        if version < len(migrations):
            _back_up(db, path, version)
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
    # A flipped bit in a text costs a character, not the chat.
    connection.text_factory = lambda data: str(data, "utf-8", "replace")
    try:
        return sqlite_utils.Database(connection, execute_plugins=False)
    except BaseException:
        connection.close()
        raise


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


def _check(db: Any, limit: float | None) -> None:
    """Look for damage, for `limit` s at most. Indices that are wrong are made anew.

    Raises:
        Damaged: it cannot be mended.
    """
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    if not tables >= TABLES:
        raise Damaged("tables are missing")
    if limit is not None:
        end = time.monotonic() + limit
        db.conn.set_progress_handler(lambda: time.monotonic() > end, 10_000)
    try:
        fault = _fault(db)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
            raise
        log.info("The check of the store was cut short after %.1f s", limit)
        return
    finally:
        db.conn.set_progress_handler(None, 0)
    if not fault:
        return
    try:
        with db.atomic():
            db.execute("REINDEX")
            if _fault(db):
                raise Damaged(fault)
    except sqlite3.Error as error:
        raise Damaged(fault) from error
    log.warning("The store's indices were damaged (%s) and are made anew", fault)


def _fault(db: Any) -> str:
    """The first thing that is wrong, "" if nothing is."""
    (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        return str(found).splitlines()[-1]
    return (
        "a message has lost its chat" if db.execute("PRAGMA foreign_key_check").fetchone() else ""
    )


# --- backups -------------------------------------------------------------------


def backups_of(path: Path) -> list[Path]:
    """The backups of the store at `path`, oldest first, by their number."""
    return sorted((path.parent / "backups").glob(f"{path.stem}-[0-9]*-v*.db"))


def _back_up(db: Any, path: Path, version: int) -> None:
    """Copy the store before a migration, whole or not at all; keep the last few.

    Raises:
        StoreError: there is no room for it, and then there is no migration either.
    """
    folder = path.parent / "backups"
    make_private(folder)
    earlier = backups_of(path)
    number = int(earlier[-1].stem.split("-")[-2]) + 1 if earlier else 1
    target = folder / f"{path.stem}-{number:06d}-v{version}.db"
    new = target.with_suffix(".new")
    _remove(new)
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    new.chmod(0o600)
    try:
        with contextlib.closing(sqlite3.connect(new)) as copy:
            db.conn.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        new.rename(target)
    except BaseException as error:
        _remove(new)
        if isinstance(error, sqlite3.Error):
            raise store_errors.from_sqlite(error, target) from error
        raise
    _sync_folder(folder)
    for old in backups_of(path)[:-KEPT_BACKUPS]:
        old.unlink(missing_ok=True)
