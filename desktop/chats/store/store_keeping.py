"""What is kept beside the store: backups daily and before migrations, damaged files set aside."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from desktop.chats.store import store_errors
from desktop.chats.store.store_errors import CorruptStoreError
from desktop.paths import make_private

log = logging.getLogger(__name__)

KEPT_BACKUPS: Final = 3
KEPT_DAILY: Final = 7

_CHUNK: Final = 1024 * 1024


def backups_of(path: Path) -> list[Path]:
    """The backups of the store at `path` before migrations, oldest first, by their number."""
    return sorted(_folder(path).glob(f"{path.stem}-[0-9]*-v*.db"))


def daily_backups_of(path: Path) -> list[Path]:
    """The daily backups of the store at `path`, oldest first, by their number."""
    return sorted(_folder(path).glob(f"{path.stem}-daily-[0-9]*-[0-9]*.db"))


def newest_backup(path: Path) -> Path | None:
    """The backup made last, of either kind; None if there is none."""
    every = [*backups_of(path), *daily_backups_of(path)]
    return max(every, key=lambda file: file.stat().st_mtime_ns, default=None)


def back_up(db: Any, path: Path, version: int) -> None:
    """Copy the store before a migration, whole or not at all; keep the last few.

    Raises:
        StoreError: there is no room for it, and then there is no migration either.
    """
    number = _next_number(backups_of(path))
    _copy(db, _folder(path) / f"{path.stem}-{number:06d}-v{version}.db")
    for old in backups_of(path)[:-KEPT_BACKUPS]:
        old.unlink(missing_ok=True)


def back_up_daily(db: Any, path: Path) -> Path | None:
    """Copy the store unless the newest daily backup is of today; None then.

    Raises:
        StoreError: there is no room for it; the earlier ones are all there.
    """
    earlier = daily_backups_of(path)
    if earlier and earlier[-1].stem.rsplit("-", 1)[-1] == _today():
        return None
    return back_up_now(db, path)


def back_up_now(db: Any, path: Path) -> Path:
    """Copy the store as a daily backup, whole or not at all; keep the last few.

    They are told apart by a number, not by their date: a clock that goes wrong must not
    make the newest one the first to go.
    """
    number = _next_number(daily_backups_of(path))
    target = _folder(path) / f"{path.stem}-daily-{number:06d}-{_today()}.db"
    _copy(db, target)
    for old in daily_backups_of(path)[:-KEPT_DAILY]:
        old.unlink(missing_ok=True)
    return target


def remove_backups_of(path: Path, chat_ids: Sequence[str]) -> int:
    """Remove all backups that hold one of these chats, or cannot be read; how many."""
    removed = 0
    for backup in [*backups_of(path), *daily_backups_of(path)]:
        if not _is_free_of(backup, chat_ids):
            backup.unlink(missing_ok=True)
            removed += 1
    for half_made in _folder(path).glob(f"{path.stem}-*.new*"):
        half_made.unlink(missing_ok=True)
    if removed:
        sync_folder(_folder(path))
    return removed


def damaged_with(path: Path, chat_ids: Sequence[str]) -> list[Path]:
    """The damaged files set aside in which the id of one of these chats stands."""
    ids = [chat_id.encode() for chat_id in chat_ids]
    longest = max(map(len, ids), default=0)
    found = []
    for file in sorted(path.parent.glob(f"{path.name}.damaged-*")):
        with contextlib.suppress(OSError), file.open("rb") as stream:
            tail = b""
            while chunk := stream.read(_CHUNK):
                tail += chunk
                if any(id_ in tail for id_ in ids):
                    found.append(file)
                    break
                tail = tail[-longest:]
    return found


def _folder(path: Path) -> Path:
    return path.parent / "backups"


def _today() -> str:
    return time.strftime("%Y%m%d")


def _next_number(earlier: Sequence[Path]) -> int:
    return int(earlier[-1].stem.split("-")[-2]) + 1 if earlier else 1


def _is_free_of(backup: Path, chat_ids: Sequence[str]) -> bool:
    places = ", ".join("?" * len(chat_ids))
    try:
        with contextlib.closing(
            sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)
        ) as copy:
            found = copy.execute(f"SELECT 1 FROM chats WHERE id IN ({places})", list(chat_ids))
            return found.fetchone() is None
    except sqlite3.Error:
        return False


def _copy(db: Any, target: Path) -> None:
    """Copy the database to `target`, for the user's eyes only, whole or not at all."""
    folder = target.parent
    make_private(folder)
    new = target.with_suffix(".new")
    remove(new)
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    new.chmod(0o600)
    try:
        with contextlib.closing(sqlite3.connect(new)) as copy:
            db.conn.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        new.rename(target)
    except BaseException as error:
        remove(new)
        if isinstance(error, sqlite3.Error):
            raise store_errors.from_sqlite(error, target) from error
        raise
    sync_folder(folder)


def quarantine_file(path: Path, how: str) -> Path:
    """Move the damaged file and its WAL aside, as a pair; where to."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while target.exists() or wal_of(target).exists():
        number += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    for suffix in ("-wal", "-journal", ""):  # the database last: a crash here repeats the move
        source = path.with_name(path.name + suffix)
        if source.exists():
            source.rename(target.with_name(target.name + suffix))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    sync_folder(path.parent)
    log.warning("%s was moved to %s: %s", path, target, how)
    return target


def describe_damage(
    path: Path, how: str, quarantine: Path, chats: int, messages: int
) -> CorruptStoreError:
    """What happened to the damaged file, in the user's words.

    Args:
        chats, messages: how many of each could be taken over.
    """
    if messages or chats:
        saved = (
            f"{messages} message{'' if messages == 1 else 's'} in "
            f"{chats} chat{'' if chats == 1 else 's'} could be read from it and are here."
        )
    else:
        saved = "Nothing could be read from it."
    backup = newest_backup(path)
    if backup is not None:
        advice = (
            f"There is a backup: {backup}. To go back to it, quit Inglenook and copy it over "
            f"{path}."
        )
    elif messages or chats:
        advice = "Keep the old file until you have looked at what is here."
    else:
        advice = (
            "Keep that file: much of it can often still be read with the sqlite3 tool's “.recover”."
        )
    return CorruptStoreError(
        f"The file of your chats was damaged ({how}), so a new one was started. "
        f"The old one was moved to {quarantine}. {saved}",
        advice,
        usable=True,
        quarantine=quarantine,
        saved_messages=messages,
    )


def wal_of(path: Path) -> Path:
    """The write-ahead log of the database at `path`."""
    return path.with_name(path.name + "-wal")


def remove(path: Path) -> None:
    """Remove a half-made database and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Have the names in `folder` on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
