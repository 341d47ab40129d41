"""A short message to the user about one chat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NoticeLevel(StrEnum):
    """How much it matters; the view adds an icon and a word, not colour alone."""

    HINT = "hint"  # fades with the next key
    WARNING = "warning"
    ERROR = "error"  # something could not be done


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice. An empty `text` takes the notice away."""

    level: NoticeLevel
    text: str
    code: str = ""


NO_NOTICE = Notice(NoticeLevel.HINT, "")
