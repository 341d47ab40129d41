"""Positions in text as Qt counts them: in UTF-16 units."""

from desktop.chats.markdown.utf16 import utf16_length, utf16_slice

__all__ = ["utf16_length", "utf16_slice"]
