"""Searches the hub as one types: waits for a pause, drops what was overtaken, goes on at the end.

What it shows changes through a `DiscoverModel`; what stands in its place, where there is nothing
to show, is a `Stage`.
"""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.models.library import hub_faults
from desktop.models.library.discover_model import DiscoverModel
from desktop.models.library.discover_words import size_headings
from desktop.models.library.hub_link import HubLink

if TYPE_CHECKING:
    from desktop.models.library.verdict_book import VerdictBook
    from engine.planner.machine import Machine
    from engine.planner.model_shape import ModelShape
    from engine.store.catalogue import CatalogueEntry
    from engine.store.hub.messages import Failed, Filters, Hits

PAUSE_MS: Final = 280  # between two letters
PAGE: Final = 40  # hits at once
MOST_EMPTY: Final = 5  # pages without anything that is wanted, until one gives up
LONGEST: Final = 200  # characters of a question


class Stage(Enum):
    """What the page shows."""

    STARTER = "starter"
    LOADING = "loading"
    RESULTS = "results"
    EMPTY = "empty"
    FAULT = "fault"


class Discovering(QObject):
    """See the module.

    Attributes:
        stage: what is to be shown.
        fault: of the stage `FAULT`, or of the page that could not be added to the results.
        note: what to know about the results, in the hub process's words.
        left_out: models that were passed over.

    Signals:
        changed: any of these, or whether it waits for something.
    """

    changed = Signal()

    def __init__(
        self,
        link: HubLink,
        book: VerdictBook,
        model: DiscoverModel,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        from engine.store.hub.messages import Filters

        self._link = link
        self._book = book
        self._model = model
        self._text = ""
        self._filters = Filters()
        self._sort = "downloads"
        self._use = ""
        self._number = 0  # of the question under way
        self._empty_pages = 0  # of this search, one after the other
        self._is_more = False  # whether it is for the next page
        self._cursor = ""
        self._builds: dict[int, str] = {}  # questions for builds: the base model
        self._waits_for_machine = False
        self.stage = Stage.STARTER
        self.fault: hub_faults.Fault | None = None
        self.note = ""
        self.left_out = 0
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._search)
        model.verdict_of = book.verdict_of
        model.more_wanted.connect(self._ask_more)
        model.builds_wanted.connect(self._ask_builds)
        book.judged.connect(model.touch_repo)
        book.reset.connect(model.touch_all)
        book.machine_read.connect(self._on_machine)
        link.answered.connect(self._on_answer)
        link.failed.connect(self._on_failed)
        link.settings_changed.connect(self._on_settings)

    # --- what is looked for ----------------------------------------------------------------

    @property
    def text(self) -> str:
        """The words that are looked for."""
        return self._text

    @property
    def filters(self) -> Filters:
        """Its limits."""
        return self._filters

    @property
    def sort(self) -> str:
        """In which order."""
        return self._sort

    @property
    def use(self) -> str:
        """What the models of the starter list are to be good at; "": anything."""
        return self._use

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._number) or self._pause.isActive() or self._waits_for_machine

    @property
    def is_adding(self) -> bool:
        """Whether more is being added at the end."""
        return bool(self._number) and self._is_more and self.stage is Stage.RESULTS

    @property
    def is_waiting(self) -> bool:
        """Whether what is shown will give way to something else in a moment."""
        return self.is_busy and not self.is_adding

    @property
    def is_asked(self) -> bool:
        """Whether the hub is asked for something, and not the starter list shown."""
        from engine.store.hub.messages import Filters

        return bool(self._text) or self._filters != Filters()

    def begin(self, filters: Filters, sort: str) -> None:
        """Show the starter list. The hub is asked once the user looks for something, by these."""
        self._filters, self._sort = filters, sort
        self._show_starter()

    def set_text(self, text: str) -> None:
        """Look for these words, in a moment."""
        text = " ".join(text.split())[:LONGEST]
        if text != self._text:
            self._text = text
            self._start(in_a_moment=True)

    def set_filters(self, filters: Filters) -> None:
        """Limit the search to this."""
        if filters != self._filters:
            self._filters = filters
            self._start()

    def set_sort(self, sort: str) -> None:
        """Another order."""
        if sort != self._sort:
            self._sort = sort
            self._start()

    def set_use(self, use: str) -> None:
        """Of the starter list, only what is good at this."""
        if use != self._use:
            self._use = use
            if self.stage is Stage.STARTER:
                self._show_starter()

    def now(self) -> None:
        """Do not wait for another letter."""
        if self._pause.isActive():
            self._pause.stop()
            self._search()

    def retry(self) -> None:
        """The same again."""
        self._start()

    def retry_more(self) -> None:
        """The next page again, which could not be had."""
        self.fault = None
        self._ask_more()

    # --- searching -------------------------------------------------------------------------

    def _start(self, *, in_a_moment: bool = False) -> None:
        self._drop()
        if not self.is_asked:
            self._show_starter()
            return
        if self._link.is_offline:
            self._show_fault(hub_faults.offline_fault())
            return
        if in_a_moment:
            self._pause.start()
            if self.stage in (Stage.STARTER, Stage.FAULT):
                self._show(Stage.LOADING)
            else:
                self.changed.emit()
        else:
            self._search()

    def _search(self) -> None:
        from engine.store.hub.messages import Search

        machine = self._book.machine
        if machine is None and (self._sort == "fit" or self._filters.fits_only):
            # It is read in the background; a driver that hangs is given up by the book.
            self._waits_for_machine = True
            self._show(Stage.LOADING)
            self._book.read_machine()
            return
        self._is_more = False
        self._empty_pages = 0
        self._number = self._link.ask(
            Search(
                id=0,
                text=self._text,
                filters=self._filters,
                sort=self._sort,
                machine=machine,
                limit=PAGE,
            )
        )
        # What was found for the former words stays until something else is there.
        self._show(Stage.RESULTS if self.stage is Stage.RESULTS else Stage.LOADING)

    def _ask_more(self) -> None:
        if self._number or not self._cursor or self.stage is not Stage.RESULTS:
            return
        self._ask_next()

    def _ask_next(self) -> None:
        from engine.store.hub.messages import Search

        self._is_more = True
        self._number = self._link.ask(
            Search(
                id=0,
                text=self._text,
                filters=self._filters,
                sort=self._sort,
                machine=self._book.machine,
                cursor=self._cursor,
                limit=PAGE,
            )
        )
        self.changed.emit()

    def _ask_builds(self, base: str) -> None:
        from engine.store.hub.messages import Builds

        if self._link.is_offline:
            self._model.builds_failed(base)
            return
        number = self._link.ask(Builds(id=0, base_repo=base, machine=self._book.machine))
        self._builds[number] = base

    def _drop(self) -> None:
        """Whatever was asked is overtaken."""
        self._pause.stop()
        self._waits_for_machine = False
        if self._number:
            self._link.cancel(self._number)
            self._number = 0
        for number in self._builds:
            self._link.cancel(number)
        self._builds.clear()
        self._cursor = ""

    # --- what comes ------------------------------------------------------------------------

    def _on_machine(self, _machine: Machine) -> None:
        if self._waits_for_machine:
            self._waits_for_machine = False
            self._search()

    def _on_answer(self, answer: object) -> None:
        from engine.store.hub.messages import Hits

        if not isinstance(answer, Hits):
            return
        if answer.id in self._builds:
            self._model.show_builds(self._builds.pop(answer.id), answer.hits)
        elif answer.id == self._number:
            self._number = 0
            self._on_hits(answer)

    def _on_hits(self, answer: Hits) -> None:
        self._cursor = answer.cursor if answer.more else ""
        self.fault = None
        if self._is_more:
            self.left_out += answer.left_out
            self._model.add_hits(answer.hits, more=bool(self._cursor))
        else:
            self.left_out = answer.left_out
            self._model.show_hits(answer.hits, more=bool(self._cursor))
        from desktop.models.failure_text import translated_text

        self.note = translated_text(answer.note) if answer.note else ""
        if not self._model.count and self._cursor and self._empty_pages < MOST_EMPTY:
            # Nothing within the limits so far, and the hub has more.
            self._empty_pages += 1
            self._show(Stage.LOADING)
            self._ask_next()
            return
        self._show(Stage.RESULTS if self._model.count else Stage.EMPTY)

    def _on_failed(self, failed: Failed) -> None:
        if failed.id in self._builds:
            self._model.builds_failed(self._builds.pop(failed.id))
        elif failed.id == self._number:
            self._number = 0
            fault = hub_faults.fault_of(failed)
            if self._is_more and self.stage is Stage.RESULTS:
                self.fault = fault
                self.changed.emit()
            else:
                self._show_fault(fault)

    def _on_settings(self) -> None:
        """Another hub, or none: what was asked died with its process."""
        self._number = 0
        self._builds.clear()
        if self.stage is not Stage.STARTER:  # which shows no answer of the hub
            self._start()

    # --- what is shown ---------------------------------------------------------------------

    def _show_starter(self) -> None:
        from engine.store.catalogue import read_catalogue

        entries = read_catalogue()
        for entry in entries:
            self._book.know_shape(entry.repo, entry.shape)
            for build in entry.builds:
                if build.format == "bf16":
                    self._book.know_shape(build.repo, partial(_original_shape, entry))
        self.fault = None
        self.note = ""
        self.left_out = 0
        self._model.show_starter(entries, size_headings(), self._use)
        self._show(Stage.STARTER)

    def _show_fault(self, fault: hub_faults.Fault) -> None:
        self.fault = fault
        self._model.clear()
        self._show(Stage.FAULT)

    def _show(self, stage: Stage) -> None:
        self.stage = stage
        if stage is Stage.LOADING:
            self.fault = None
        self.changed.emit()


def _original_shape(entry: CatalogueEntry) -> ModelShape:
    """Of the model that a build of the starter list was made from."""
    from engine.planner.shape import read_shape

    config = {name: value for name, value in entry.config.items() if name != "quantization_config"}
    return read_shape(config)
