"""What is kept beside the store: backups before migrations, damaged files set aside."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from desktop.chats import store_errors
from desktop.chats.store_errors import CorruptStoreError
from desktop.paths import make_private

KEPT_BACKUPS: Final = 3


def backups_of(path: Path) -> list[Path]:
    """The backups of the store at `path`, oldest first, by their number."""
    return sorted((path.parent / "backups").glob(f"{path.stem}-[0-9]*-v*.db"))


def back_up(db: Any, path: Path, version: int) -> None:
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
    for old in backups_of(path)[:-KEPT_BACKUPS]:
        old.unlink(missing_ok=True)


def quarantine_file(path: Path, how: str) -> CorruptStoreError:
    """Move the damaged file and its WAL aside, as a pair; describe it for the user."""
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
