"""What a search is limited to. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from datetime import time as clock
from enum import StrEnum

from desktop.chats.chat import ChatSummary
from desktop.chats.search import SearchQuery


class Period(StrEnum):
    """How far back."""

    ANY = "any"
    TODAY = "today"
    WEEK = "week"  # the last 7 days, today included
    MONTH = "month"  # 30
    YEAR = "year"  # 365
    DATES = "dates"  # from `first` to `last`


_DAYS = {Period.TODAY: 1, Period.WEEK: 7, Period.MONTH: 30, Period.YEAR: 365}


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """All of them together.

    Attributes:
        chat_id: this chat alone; `chat_title` is for the words.
        folder: this one alone; "" for chats outside of any, None for all.
        model: answers of this model alone.
        first, last: the days of Period.DATES, both included; None for no limit.
        archived: whether the archive is searched too.
    """

    chat_id: str = ""
    chat_title: str = ""
    folder: str | None = None
    model: str = ""
    period: Period = Period.ANY
    first: date | None = None
    last: date | None = None
    archived: bool = True

    @property
    def are_set(self) -> bool:
        """Whether anything is left out."""
        return self != SearchFilters()

    def query(self, text: str, today: date, limit: int) -> SearchQuery:
        """What the store is asked."""
        since, until = self.span(today)
        return SearchQuery(
            text=text,
            chat_id=self.chat_id,
            folder=self.folder,
            model=self.model,
            since=since,
            until=until,
            include_archived=self.archived,
            limit=limit,
        )

    def span(self, today: date) -> tuple[float | None, float | None]:
        """The first and the last second, local time; None for no limit."""
        if self.period is Period.DATES:
            since = _start(self.first) if self.first is not None else None
            if self.last is None or self.last == date.max:
                return since, None
            return since, _start(self.last + timedelta(1)) - 0.001
        days = _DAYS.get(self.period)
        return (None if days is None else _start(today - timedelta(days - 1))), None

    def allow_title(self, chat: ChatSummary, today: date) -> bool:
        """Whether a chat may be found by its title."""
        if self.model or (self.chat_id and chat.id != self.chat_id):
            return False
        if self.folder is not None and chat.folder != self.folder:
            return False
        if chat.archived and not self.archived:
            return False
        since, until = self.span(today)
        return (since is None or chat.updated >= since) and (until is None or chat.updated <= until)

    def without_dates(self) -> SearchFilters:
        """The same for any time."""
        return replace(self, period=Period.ANY, first=None, last=None)


def _start(day: date) -> float:
    return datetime.combine(day, clock.min).timestamp()
