"""What the Up key brings back: messages of this chat, then drafts that were left. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MAX_DRAFTS: Final = 50


class ComposerHistory:
    """Walks through earlier texts; the one that was there at first is never lost."""

    def __init__(self) -> None:
        self._drafts: list[str] = []  # newest first
        self._entries: tuple[str, ...] = ()
        self._at = -1
        self._first = ""

    @property
    def is_walking(self) -> bool:
        """Whether an earlier text is shown."""
        return self._at >= 0

    def keep_draft(self, text: str) -> None:
        """A text that was thrown away unsent: Up finds it again."""
        if text.strip():
            if text in self._drafts:
                self._drafts.remove(text)
            self._drafts.insert(0, text)
            del self._drafts[MAX_DRAFTS:]

    def older(self, text: str, sent: Sequence[str]) -> str | None:
        """What Up shows while the composer shows `text`; None: the key is not for us.

        `sent`: the chat's user messages, newest first.
        """
        if not self._is_unedited(text):
            if text.strip():
                return None
            seen = dict.fromkeys(entry for entry in (*sent, *self._drafts) if entry.strip())
            self._entries, self._at, self._first = tuple(seen), -1, text
        if self._at + 1 >= len(self._entries):
            return None
        self._at += 1
        return self._entries[self._at]

    def newer(self, text: str) -> str | None:
        """What Down shows; at the end the text that was there at first."""
        if not self._is_unedited(text):
            return None
        self._at -= 1
        return self._entries[self._at] if self._at >= 0 else self._first

    def leave(self) -> None:
        """The text was sent or put aside: the next Up begins anew."""
        self._at = -1

    def _is_unedited(self, text: str) -> bool:
        return self._at >= 0 and text == self._entries[self._at]
