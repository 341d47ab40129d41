"""The search in the sidebar: what was found, or why there is nothing, and its limits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import date
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop import theme
from desktop.chats.chat import ChatSummary
from desktop.chats.search import SearchPage, SearchQuery
from desktop.models.lists.search_filters import SearchFilters
from desktop.models.lists.search_marks import words_of
from desktop.models.lists.search_model import SearchModel, titles_with
from desktop.models.lists.searching import Searching
from desktop.views.sidebar.search_filter_bar import SearchFilterBar
from desktop.views.sidebar.search_results import SearchResults

if TYPE_CHECKING:
    from desktop.background import Background

LIMIT: Final = 50
MORE: Final = 150
STALE_MS: Final = 250  # so long the former hits stay, so that the list does not flicker


class SearchPanel(QWidget):
    """Built when the field is first used.

    Signals:
        hit_chosen: a `SearchHit`; one without a message id means the chat as a whole.
        left_top: go back to the field.
        cleared: end the search.
        typed: a sign that belongs to the field.
    """

    hit_chosen = Signal(object)
    left_top = Signal()
    cleared = Signal()
    typed = Signal(str)

    def __init__(
        self, chats: Callable[[], list[ChatSummary]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._chats = chats
        self._text = ""
        self._limit = LIMIT
        self._open_first = False
        self._searching: Searching | None = None
        self._failure = ""
        self._stale = QTimer(self)
        self._stale.setSingleShot(True)
        self._stale.setInterval(STALE_MS)
        self._stale.timeout.connect(self._on_stale)
        self.model = SearchModel(self)
        self.bar = SearchFilterBar(self)
        self.bar.changed.connect(self._on_filters)
        self.results = SearchResults(self.model)
        self.results.hit_chosen.connect(self.hit_chosen)
        self.results.more_wanted.connect(self._show_more)
        self.results.left_top.connect(self.left_top)
        self.results.cleared.connect(self.cleared)
        self.results.typed.connect(self.typed)
        self.empty = QLabel()
        self.empty.setProperty("role", "muted")
        self.empty.setWordWrap(True)
        self.empty.setTextFormat(Qt.TextFormat.PlainText)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.current().space.s)
        self._column.addWidget(self.bar.chips)
        self._column.addWidget(self.empty)
        self._column.addWidget(self.results, 1)
        self._show_state()
        theme.notifier().changed.connect(self._on_theme_changed)

    def serve(
        self,
        search: Callable[[SearchQuery], Future[SearchPage]],
        background: Background,
    ) -> None:
        """Search messages with this; until then only titles are found."""
        self._searching = Searching(search, background, self)
        self._searching.found.connect(self._on_found)
        self._searching.failed.connect(self._on_failed)

    @property
    def is_busy(self) -> bool:
        """Whether results are still to come."""
        return self._searching is not None and self._searching.is_busy

    def set_text(self, text: str) -> None:
        """Search for this as it is typed."""
        self._open_first = False
        self._limit = LIMIT
        self._text = text
        self._search()

    def clear(self) -> None:
        """Search for nothing, without limits."""
        self._text = ""
        self._open_first = False
        self.bar.set_filters(SearchFilters())
        if self._searching is not None:
            self._searching.want(None)
        self.model.show_titles((), ())
        self.model.show_page(None)

    def refresh_titles(self) -> None:
        """The list of chats changed."""
        if not self._text.strip():
            return
        known = {chat.id for chat in self._chats()}
        if self._searching is not None and not self.model.chat_ids <= known:
            self._searching.forget()  # a chat was deleted: its messages are no hits any more
            self._search()
        else:
            self._show_titles()
            self._show_state()

    def open_first(self) -> None:
        """Open the best hit: now, or as soon as it is there."""
        first = self.model.first_hit()
        hit = self.model.hit_at(first) if first is not None else None
        if hit is not None and (not hit.message_id or not self.is_busy):
            self.hit_chosen.emit(hit)  # titles stand first, whatever else is found
        else:
            self._open_first = self.is_busy

    # --- inside ---------------------------------------------------------------------

    def _on_theme_changed(self) -> None:
        self.results.scheduleDelayedItemsLayout()
        self.results.viewport().update()

    def _on_filters(self, _filters: SearchFilters) -> None:
        self._limit = LIMIT
        if self._text.strip():
            self._search(now=True)

    def _show_more(self) -> None:
        self._limit += MORE
        self._search(now=True)

    def _search(self, *, now: bool = False) -> None:
        self._failure = ""
        self._show_titles()
        if self._searching is not None:
            today = date.today()
            query = self.bar.filters.query(self._text, today, self._limit)
            self._searching.want(query if self._text.strip() else None, now=now)
            if self.is_busy:
                self._stale.start()
        self._show_state()

    def _show_titles(self) -> None:
        words = words_of(self._text)
        today, filters = date.today(), self.bar.filters
        found = [
            chat for chat in titles_with(self._chats(), words) if filters.allow_title(chat, today)
        ]
        self.model.show_titles(found, words)

    def _on_stale(self) -> None:
        if self.is_busy:
            self.model.show_page(None)
            self._show_state()

    def _on_found(self, _query: SearchQuery, page: SearchPage) -> None:
        self._stale.stop()
        self.model.show_page(page)
        self._show_state()
        if self._open_first:
            self._open_first = False
            self.open_first()

    def _on_failed(self, error: Exception) -> None:
        self._failure = self.tr("The search did not work. {reason}").format(reason=error)
        self.model.show_page(None)
        self._show_state()

    def _show_state(self) -> None:
        nothing = self.model.rowCount() == 0
        words = self._failure or (self._nothing_text() if nothing else "")
        self.empty.setText(words)
        self.empty.setVisible(bool(words))
        self.results.setVisible(not nothing)
        self.results.setAccessibleDescription(
            self.tr("%n result(s)", "", self.model.hit_count) if not nothing else ""
        )
        self._column.setStretchFactor(self.empty, 1 if nothing else 0)

    def _nothing_text(self) -> str:
        if self.is_busy:
            return self.tr("Searching…")
        if self._searching is None:
            return self.tr("No title holds these words.")
        if self.bar.filters.are_set:
            return self.tr("Nothing holds all these words within the limits above.")
        return self.tr("No chat and no message holds all these words.")
