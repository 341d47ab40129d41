"""What a search found, as a list: chats by their title first, then messages, ranked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop.chats.chat import ChatSummary, Role
from desktop.chats.search import SearchHit, SearchPage
from desktop.models.lists.search_marks import marks_in
from desktop.models.tip_text import tip_text

_Index = QModelIndex | QPersistentModelIndex
MOST_TITLES: Final = 5  # so that the messages are in sight


class HitKind(IntEnum):
    """What a row is."""

    HEADING = 0
    TITLE = 1
    MESSAGE = 2
    MORE = 3  # asks for more hits
    MORE_TITLES = 4  # shows the other chats that were found by their titles


class HitRole(IntEnum):
    """The model's own data roles."""

    KIND = Qt.ItemDataRole.UserRole + 1
    HIT = Qt.ItemDataRole.UserRole + 2  # the `SearchHit` of a title or a message
    WHO = Qt.ItemDataRole.UserRole + 3  # who said it
    WHEN = Qt.ItemDataRole.UserRole + 4  # its date, short


@dataclass(frozen=True, slots=True)
class _Row:
    kind: HitKind
    text: str
    hit: SearchHit | None = None


class SearchModel(QAbstractListModel):
    """See the module. Titles come at once from the list of chats, messages from the store."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles: list[ChatSummary] = []
        self._words: tuple[str, ...] = ()
        self._all_titles = False
        self._page: SearchPage | None = None
        self._rows: list[_Row] = []

    # --- Qt ----------------------------------------------------------------------

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Headings and hits."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings are passed over."""
        if not index.isValid() or index.row() >= len(self._rows):
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemNeverHasChildren
        if self._rows[index.row()].kind is HitKind.HEADING:
            return flags
        return flags | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One row."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.text
            case Qt.ItemDataRole.ToolTipRole if row.hit is not None:
                return tip_text(row.hit.chat_title)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case HitRole.KIND:
                return row.kind
            case HitRole.HIT:
                return row.hit
            case HitRole.WHO if row.hit is not None:
                return self.who(row.hit)
            case HitRole.WHEN if row.hit is not None:
                return self.when(row.hit)
        return None

    # --- content -------------------------------------------------------------------

    def show_titles(self, chats: Iterable[ChatSummary], words: Sequence[str]) -> None:
        """Show chats by their titles; what was found in messages stays until `show_page`."""
        found, words = list(chats), tuple(words)
        if (found, words) != (self._titles, self._words):
            self._titles, self._words = found, words
            self._all_titles = False
            self._rebuild()

    def show_all_titles(self) -> None:
        """Show all chats that were found by their titles, not the first few alone."""
        self._all_titles = True
        self._rebuild()

    def show_page(self, page: SearchPage | None) -> None:
        """Show what the store found; None takes it away."""
        if page != self._page:
            self._page = page
            self._rebuild()

    def hit_at(self, row: int) -> SearchHit | None:
        """The hit in a row; None for a heading."""
        return self._rows[row].hit if 0 <= row < len(self._rows) else None

    def first_hit(self) -> int | None:
        """The first row with a hit."""
        return next((i for i, row in enumerate(self._rows) if row.hit is not None), None)

    @property
    def hit_count(self) -> int:
        """How many hits are shown."""
        return sum(row.hit is not None for row in self._rows)

    @property
    def chat_ids(self) -> set[str]:
        """The chats in which messages were found."""
        page = self._page or SearchPage()
        return {hit.chat_id for hit in page.hits if hit.message_id}

    @property
    def is_complete(self) -> bool:
        """Whether the store has answered."""
        return self._page is not None

    def who(self, hit: SearchHit) -> str:
        """Who said it."""
        if not hit.message_id:
            return ""
        if hit.role is Role.USER:
            return self.tr("You")
        if hit.role is Role.SYSTEM:
            return self.tr("System")
        return hit.model or self.tr("Answer")

    def when(self, hit: SearchHit) -> str:
        """Its date; empty if it is not known."""
        from desktop.chats.transfer.times import sane

        seconds = sane(hit.created)
        if not seconds:
            return ""
        from PySide6.QtCore import QDateTime

        day = QDateTime.fromSecsSinceEpoch(int(seconds)).date()
        return QLocale().toString(day, QLocale.FormatType.ShortFormat)

    # --- inside --------------------------------------------------------------------

    def _spoken(self, row: _Row) -> str:
        if row.hit is None or row.kind is HitKind.TITLE:
            return row.text
        parts = (self.who(row.hit), row.hit.chat_title, self.when(row.hit), row.text)
        return ", ".join(filter(None, parts))

    def _rebuild(self) -> None:
        page = self._page or SearchPage()
        listed = {chat.id for chat in self._titles}
        # The store knows chats that the list does not show, and foreign spellings.
        others = [hit for hit in page.hits if not hit.message_id and hit.chat_id not in listed]
        messages = [hit for hit in page.hits if hit.message_id]
        rows: list[_Row] = []
        count = len(self._titles) + len(others)
        if count:
            # One more is no more than the row that would offer it.
            few = not self._all_titles and count > MOST_TITLES + 1
            most = MOST_TITLES if few else count
            titles = [_title_hit(chat, self._words) for chat in self._titles[:most]]
            titles += others[: most - len(titles)]
            rows.append(_Row(HitKind.HEADING, self.tr("Chats")))
            rows += [_Row(HitKind.TITLE, hit.chat_title, hit) for hit in titles]
            if few:
                words = self.tr("Show all %n chats", "", count)
                rows.append(_Row(HitKind.MORE_TITLES, words))
        if messages:
            rows.append(_Row(HitKind.HEADING, self._message_heading(page, len(messages))))
            rows += [_Row(HitKind.MESSAGE, hit.snippet, hit) for hit in messages]
            if page.total > len(page.hits):
                rows.append(_Row(HitKind.MORE, self.tr("Show more")))
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def _message_heading(self, page: SearchPage, shown: int) -> str:
        total = page.total - (len(page.hits) - shown)
        if total <= shown:
            if not page.total_is_exact:
                return self.tr("%n message(s), perhaps more", "", shown)
            return self.tr("%n message(s)", "", shown)
        words = self.tr("{shown} of {total} messages")
        if not page.total_is_exact:
            words = self.tr("{shown} of more than {total} messages")
        numbers = QLocale()
        return words.format(shown=numbers.toString(shown), total=numbers.toString(total))


def titles_with(chats: Iterable[ChatSummary], words: Sequence[str]) -> list[ChatSummary]:
    """The chats whose title holds every word, case aside."""
    return [chat for chat in chats if _holds(chat.title.casefold(), words)]


def _holds(title: str, words: Sequence[str]) -> bool:
    return bool(words) and all(word in title for word in words)


def _title_hit(chat: ChatSummary, words: Sequence[str]) -> SearchHit:
    return SearchHit(
        chat_id=chat.id,
        chat_title=chat.title,
        message_id="",
        role=Role.SYSTEM,
        created=chat.updated,
        snippet=chat.title,
        marks=marks_in(chat.title, words),
        folder=chat.folder,
    )
