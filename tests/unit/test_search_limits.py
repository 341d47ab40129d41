"""What a search is limited to, and where its words stand. Pure."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.chat import ChatSummary
from desktop.models.lists.chat_list_rows import Groups, RowKind, rows_of
from desktop.models.lists.search_filters import Period, SearchFilters
from desktop.models.lists.search_marks import marks_in, words_of
from desktop.views.sidebar.search_delegate import brought_near

TODAY = date(2026, 3, 10)


def at(year: int, month: int, day: int, hour: int = 12) -> float:
    return datetime(year, month, day, hour).timestamp()


@pytest.mark.parametrize(
    ("filters", "inside", "outside"),
    [
        (SearchFilters(period=Period.TODAY), at(2026, 3, 10, 0), at(2026, 3, 9, 23)),
        (SearchFilters(period=Period.WEEK), at(2026, 3, 4, 0), at(2026, 3, 3, 23)),
        (SearchFilters(period=Period.MONTH), at(2026, 2, 9, 0), at(2026, 2, 8, 23)),
        (
            SearchFilters(period=Period.DATES, first=date(2026, 1, 2), last=date(2026, 1, 3)),
            at(2026, 1, 3, 23),
            at(2026, 1, 4, 0),
        ),
        (SearchFilters(period=Period.DATES, first=date(2026, 1, 2)), at(2030, 1, 1), 5.0),
    ],
)
def test_times(filters: SearchFilters, inside: float, outside: float) -> None:
    assert filters.are_set
    assert filters.allow_title(ChatSummary("a", "t", 1, inside), TODAY)
    assert not filters.allow_title(ChatSummary("a", "t", 1, outside), TODAY)
    query = filters.query("text", TODAY, 50)
    assert query.since is not None
    assert query.since <= inside
    assert (
        (query.until is None and outside < inside)
        or (query.until or 0) < outside
        or (outside < query.since)
    )
    assert filters.without_dates() == SearchFilters()


def test_other_limits() -> None:
    chat = ChatSummary("a", "t", 1, 5.0, folder="Work", archived=True)
    assert SearchFilters().allow_title(chat, TODAY)
    assert not SearchFilters(archived=False).allow_title(chat, TODAY)
    assert not SearchFilters(folder="").allow_title(chat, TODAY)
    assert SearchFilters(folder="Work").allow_title(chat, TODAY)
    assert not SearchFilters(chat_id="b").allow_title(chat, TODAY)
    assert not SearchFilters(model="m").allow_title(chat, TODAY)
    query = SearchFilters(folder="", model="m", chat_id="c", archived=False).query("x", TODAY, 7)
    assert (query.folder, query.model, query.chat_id) == ("", "m", "c")
    assert (query.include_archived, query.limit, query.since) == (False, 7, None)


@given(st.text(max_size=40), st.text(max_size=6))
def test_marks_lie_in_the_text_and_in_order(text: str, query: str) -> None:
    last = -1
    for start, end in marks_in(text, words_of(query)):
        assert last < start < end <= len(text)
        last = end


def test_marks_are_the_words() -> None:
    text = "Straße und STRASSE, strasse"
    assert [text[a:b] for a, b in marks_in(text, ("und", "strasse"))] == [
        "und",
        "STRASSE",
        "strasse",
    ]
    assert marks_in("aaaa", ("aa", "a")) == ((0, 4),)


@given(st.text(max_size=200), st.integers(0, 199), st.integers(1, 20), st.integers(5, 60))
def test_a_mark_is_brought_into_sight(text: str, start: int, length: int, room: int) -> None:
    if start + length > len(text):
        return
    shown, marks = brought_near(text, ((start, start + length),), room)
    ((first, last),) = marks
    assert first <= max(room, 1)
    assert shown[first:last] == text[start : start + length]


def test_every_chat_has_one_row_whatever_is_closed() -> None:
    chats = [
        ChatSummary(str(n), f"t{n}", n, 1e9 + n * 1e5, ["", "A", "B"][n % 3], pinned=n % 5 == 0)
        for n in range(60)
    ]
    groups = Groups("Pinned", "Folders", "Archived", str)
    rows = rows_of(chats[:50], chats[50:], (), True, groups, TODAY)
    assert sorted(row.chat_id for row in rows if row.chat_id) == sorted(c.id for c in chats)
    closed = rows_of(chats[:50], chats[50:], ("A", "B"), False, groups, TODAY)
    assert not [row for row in closed if row.inside]
    assert sum(row.size for row in closed if row.kind is RowKind.ARCHIVE) == 10
