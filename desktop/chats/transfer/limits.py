"""How much of a stranger's file is read. All are checked before anything is parsed."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on a file of chats. A chat over its caps is left out, the others are taken."""

    file_bytes: int = 4096 * MIB  # of JSON, unpacked
    chat_bytes: int = 96 * MIB
    chats: int = 100_000
    depth: int = 100  # brackets within brackets
    containers: int = 1_000_000  # objects and arrays in one chat
    messages: int = 100_000  # in one chat
    zip_ratio: int = 200  # unpacked to packed; JSON of chats stays below 30
    zip_free: int = 16 * MIB  # so much may be unpacked whatever the ratio
    zip_directory: int = 64 * MIB  # the zip's own list of files


LIMITS = Limits()
