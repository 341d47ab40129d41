"""Who asked, by the request's id: chats, titles, measurements, questions from terminals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.models.monitor.frames import ChatRef
from desktop.models.session.title_text import shown_title
from desktop.models.session.titler import PRIORITY

if TYPE_CHECKING:
    from desktop.engine_link.request_desk import Asked
    from desktop.models.session.session_hub import SessionHub

translate = QCoreApplication.translate

MEASURING: Final = ""  # the id under which the engine tells of a measurement's requests


class Owners:
    """See the module. Remembers who asked for as long as a report may still tell of it."""

    def __init__(self, hub: SessionHub) -> None:
        self._hub = hub
        self._known: dict[str, ChatRef] = {}
        self._unnamed: set[str] = set()  # requests of chats that were deleted since

    def forget(self, chat_id: str, asked: Mapping[str, Asked]) -> None:
        """A chat was deleted: what it has asked is named no more, though reports still tell of it.

        Where it is taken back, it asks anew.
        """
        self._unnamed |= {key for key, ref in self._known.items() if ref.chat_id == chat_id}
        self._unnamed |= {key for key, one in asked.items() if one.chat_id == chat_id}

    def take(self, asked: Mapping[str, Asked], reported: Collection[str]) -> dict[str, ChatRef]:
        """Who is whose now.

        Args:
            asked: all requests that have not ended.
            reported: ids in the newest reports of the pools; some may be over by now.
        """
        kept = {key: self._known[key] for key in reported if key in self._known}
        refs = {key: self._ref(one) for key, one in asked.items()}
        self._unnamed &= {*asked, *reported}
        found = {key: ref for key, ref in {**kept, **refs}.items() if key not in self._unnamed}
        if MEASURING in reported:
            found[MEASURING] = ChatRef("", translate("Monitor", "Measurement of speed"))
        self._known = found
        return found

    def _ref(self, asked: Asked) -> ChatRef:
        if asked.priority >= PRIORITY:
            return ChatRef("", translate("Monitor", "Titles of chats"))
        title = self._hub.title_of(asked.chat_id)
        if not title:  # a question from a terminal whose chat is kept nowhere
            return ChatRef(asked.chat_id, translate("Monitor", "Question from a terminal"))
        return ChatRef(asked.chat_id, shown_title(title))
