"""Whether a store is sound, and mending it where only its indices are not."""

from __future__ import annotations

import logging
import sqlite3
import time
from typing import Any

from desktop.chats.store.migrations import tables_of, version_of
from desktop.chats.store.store_errors import Damaged

log = logging.getLogger(__name__)


def check(db: Any, limit: float | None) -> None:
    """Look for damage, for `limit` s at most. Indices that are wrong are made anew.

    With a `limit` of 0 only the schema is looked at; None looks at everything.

    Raises:
        Damaged: it cannot be mended.
    """
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    if not tables >= tables_of(max(1, version_of(db))):
        raise Damaged("tables are missing")
    if limit == 0.0:
        return
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
