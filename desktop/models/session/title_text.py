"""A chat's title as it is shown."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import DEFAULT_TITLE


def shown_title(title: str) -> str:
    """`title`; that of a chat which has none yet in the user's language.

    The store keeps the same one in every language, so that a chat without a title is known.
    """
    if title == DEFAULT_TITLE:
        return QCoreApplication.translate("ChatTitle", "New chat")
    return title
