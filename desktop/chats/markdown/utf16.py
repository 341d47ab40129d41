"""Positions in text as Qt counts them: in UTF-16 units."""

from __future__ import annotations


def utf16_length(text: str) -> int:
    """The length of `text` in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_slice(text: str, start: int, end: int) -> str:
    """`text[start:end]` for positions in UTF-16 units. Halves of a sign are dropped."""
    if text.isascii():
        return text[start:end]
    data = text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
    return data.decode("utf-16-le", "ignore")
