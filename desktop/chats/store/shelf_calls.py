"""The store's calls about where chats are kept: folders, pins, the archive, the bin."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Final

from desktop.chats.chat import ChatSummary
from desktop.chats.names import name_from
from desktop.chats.presets import Preset
from desktop.chats.store import chat_rows, message_changes, rows
from desktop.chats.store.rows import storable
from desktop.chats.store.store_calls import StoreCalls

# Hops from one name to the next in the index: 100,000 rows are not read for three names.
_MODELS: Final = """
    WITH RECURSIVE names (name) AS (
        SELECT min(model) FROM messages WHERE model <> ''
        UNION ALL
        SELECT (SELECT min(model) FROM messages WHERE model > name AND model <> '')
        FROM names WHERE name IS NOT NULL
    )
    SELECT name FROM names WHERE name IS NOT NULL
"""


class ShelfCalls(StoreCalls):
    """See the module; a part of `ChatStore`."""

    def list_chats(self, include_archived: bool = False) -> Future[list[ChatSummary]]:
        """All chats outside the bin, the one changed last first.

        A change is a new message or a new chat; renaming, drafts and streamed text
        do not move a chat about in the list.
        """
        archived = "" if include_archived else " AND archived = 0"
        return self._read(lambda db: chat_rows.summaries(db, f"deleted IS NULL{archived}"))

    def list_folders(self) -> Future[list[str]]:
        """The names of all folders that hold a chat, in the alphabet's order."""

        def run(db: Any) -> list[str]:
            found = db.execute(
                "SELECT DISTINCT folder FROM chats WHERE folder <> '' AND deleted IS NULL"
            )
            return sorted((name for (name,) in found), key=str.casefold)

        return self._read(run)

    def list_models(self) -> Future[list[str]]:
        """The names of all models that have answered, in the alphabet's order."""
        return self._read(
            lambda db: sorted((name for (name,) in db.execute(_MODELS)), key=str.casefold)
        )

    def set_folder(self, chat_id: str, name: str) -> Future[None]:
        """Put a chat into a folder, which need not exist; "" takes it out of any."""
        return self._set(chat_id, {"folder": name_from(storable(name))})

    def rename_folder(self, old: str, new: str) -> Future[None]:
        """Rename a folder; one of the new name takes up its chats. "" dissolves it."""

        def run(db: Any) -> None:
            db.execute(
                "UPDATE chats SET folder = ? WHERE folder = ?",
                (name_from(storable(new)), storable(old)),
            )

        return self._write(run)

    def set_pinned(self, chat_id: str, pinned: bool) -> Future[None]:
        """Pin a chat, or do so no more."""
        return self._set(chat_id, {"pinned": int(pinned)})

    def set_archived(self, chat_id: str, archived: bool) -> Future[None]:
        """Put a chat into the archive, or take it out."""
        return self._set(chat_id, {"archived": int(archived)})

    # --- the bin -----------------------------------------------------------------

    def delete_chat(self, chat_id: str) -> Future[None]:
        """Put a chat into the bin. Answers on their way count as interrupted there."""

        def run(db: Any) -> None:
            chat_rows.update(db, chat_id, {"deleted": time.time()})
            message_changes.interrupt(db, chat_id)

        return self._write(run)

    def list_bin(self) -> Future[list[ChatSummary]]:
        """All chats in the bin, the one changed last first."""
        return self._read(lambda db: chat_rows.summaries(db, "deleted IS NOT NULL"))

    def restore_chat(self, chat_id: str) -> Future[None]:
        """Take a chat out of the bin. KeyError if it is not there at all."""

        def run(db: Any) -> None:
            cursor = db.execute("UPDATE chats SET deleted = NULL WHERE id = ?", (chat_id,))
            if not cursor.rowcount:
                raise KeyError(chat_id)

        return self._write(run)

    def erase_chat(self, chat_id: str) -> Future[None]:
        """Erase a chat for good, whether it is in the bin or not. KeyError if it is gone.

        Nothing of it is left in the file, its log, its search index or its free pages.
        Backups that hold it are removed; a new one takes their place. Takes a second or
        two in a store of 100,000 messages. Fails with a `StoreError` that says what
        remains where; the chat is gone all the same, and the rest is tried again by
        `back_up_daily`.
        """
        return self.erase_chats([chat_id])

    def erase_chats(self, chat_ids: Sequence[str]) -> Future[None]:
        """Erase several chats in one go, like `erase_chat`. If one is gone none is erased."""
        ids = tuple(chat_ids)

        def run(db: Any) -> None:
            from desktop.chats.store import erasure  # late: see chat_store

            erasure.erase(db, self.path, ids)

        return self._queue.alone(run)

    def empty_bin(self) -> Future[int]:
        """Erase all chats in the bin for good, like `erase_chat`; how many there were."""

        def run(db: Any) -> int:
            from desktop.chats.store import erasure

            return erasure.empty_bin(db, self.path)

        return self._queue.alone(run)

    # --- presets -----------------------------------------------------------------

    def list_presets(self) -> Future[list[Preset]]:
        """All presets, in the alphabet's order."""

        def run(db: Any) -> list[Preset]:
            found = db.execute(f"SELECT {rows.PRESET_COLUMNS} FROM presets")
            presets = [rows.preset_from(row) for row in found]
            return sorted(presets, key=lambda preset: (preset.name.casefold(), preset.id))

        return self._read(run)

    def save_preset(self, preset: Preset) -> Future[None]:
        """Keep a preset; one with the same id is replaced."""
        values = (
            storable(preset.id),
            name_from(storable(preset.name)),
            storable(preset.system_prompt),
            rows.parameters_json(preset.parameters),
        )

        def run(db: Any) -> None:
            db.execute(
                f"INSERT OR REPLACE INTO presets ({rows.PRESET_COLUMNS}) VALUES (?, ?, ?, ?)",
                values,
            )

        return self._write(run)

    def delete_preset(self, preset_id: str) -> Future[None]:
        """Forget a preset; nothing if it is gone. Chats keep what they took from it."""
        return self._write(lambda db: db.execute("DELETE FROM presets WHERE id = ?", (preset_id,)))
