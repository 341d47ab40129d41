"""A list of the hub's models for a view: headings, models, and the builds unfolded below them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.models.library import hub_words
from desktop.models.library.counted_list import CountedList
from desktop.models.library.discover_rows import Group, Grouping, Row, starter_rows
from desktop.models.tip_text import tip_text

if TYPE_CHECKING:
    from engine.store.catalogue import CatalogueEntry
    from engine.store.hub.messages import Hit, Verdict

_Index = QModelIndex | QPersistentModelIndex
translate = QCoreApplication.translate
_HEADING = Qt.ItemFlag.ItemNeverHasChildren
_MODEL = _HEADING | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class DiscoverRole(IntEnum):
    """The model's own data roles."""

    ROW = Qt.ItemDataRole.UserRole + 1  # the `Row`
    FIT = Qt.ItemDataRole.UserRole + 2  # hub_words.Fit
    VERDICT = Qt.ItemDataRole.UserRole + 3  # the `Verdict`, or None
    HERE = Qt.ItemDataRole.UserRole + 4  # whether it is installed


class DiscoverModel(CountedList[Row]):
    """See the module.

    Verdicts are not kept here: `verdict_of` is asked while a row is painted, and `row_changed`
    says which one to paint again. Telling a QListView of changed data would have it ask every
    row for its size.

    Attributes:
        verdict_of: the verdict on a repository, and whether it is on its way.
        is_here: whether a repository is installed.

    Signals:
        row_changed: the number of a row that is to be painted again.
        builds_wanted: the base model whose builds are to be asked for.
        more_wanted: the view has come near the end.
    """

    row_changed = Signal(int)
    builds_wanted = Signal(str)
    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.verdict_of: Callable[[Hit], tuple[Verdict | None, bool]] = lambda _hit: (None, False)
        self.is_here: Callable[[str], bool] = lambda _repo: False
        self._grouping = Grouping()
        self._below: dict[str, list[Row]] = {}  # of the starter list
        self._places: dict[str, int] | None = None  # of repositories; made when asked for
        self._has_more = False
        self._is_starter = False

    # --- Qt ----------------------------------------------------------------------------

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings are passed over."""
        row = self.row_at(index.row()) if index.isValid() else None
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        return _HEADING if row.hit is None else _MODEL

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One row."""
        row = self.row_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        match role:
            case DiscoverRole.ROW:
                return row
            case Qt.ItemDataRole.DisplayRole:
                return row.heading if row.hit is None else self.name_of(row)
            case DiscoverRole.FIT if row.hit is not None:
                return self.stand_of(row)[0]
            case DiscoverRole.VERDICT if row.hit is not None:
                return self.stand_of(row)[1]
            case DiscoverRole.HERE if row.hit is not None:
                return self.is_here(row.hit.repo)
            case Qt.ItemDataRole.ToolTipRole if row.hit is not None:
                return tip_text(self._tip(row.hit, row))
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.heading if row.hit is None else self.spoken(row)
        return None

    def canFetchMore(self, parent: _Index) -> bool:
        """Whether the hub has more."""
        return not parent.isValid() and self._has_more

    def fetchMore(self, parent: _Index) -> None:
        """Ask for it, once."""
        if not parent.isValid() and self._has_more:
            self._has_more = False
            self.more_wanted.emit()

    # --- content -----------------------------------------------------------------------

    @property
    def is_starter(self) -> bool:
        """Whether it shows the starter list."""
        return self._is_starter

    @property
    def count(self) -> int:
        """How many models it shows, those unfolded included."""
        return sum(row.hit is not None for row in self._rows)

    def clear(self) -> None:
        """Show nothing."""
        self._show([], starter=False)

    def show_starter(
        self, entries: Iterable[CatalogueEntry], headings: dict[str, str], use: str = ""
    ) -> None:
        """Show the starter list, or those of it that are good at something."""
        rows, below = starter_rows(entries, headings, use)
        self._show(rows, starter=True, below=below)

    def show_hits(self, hits: Iterable[Hit], *, more: bool) -> None:
        """Show what was found, in place of all else."""
        grouping = Grouping()
        rows, _ = grouping.add(hits)
        self._show(rows, starter=False, grouping=grouping, more=more)

    def show_flat(self, hits: Iterable[Hit]) -> None:
        """Show these, each in a row of its own."""
        self._show([Row(hit=hit, group=hit.repo) for hit in hits], starter=False)

    def add_hits(self, hits: Iterable[Hit], *, more: bool) -> None:
        """Show more of it below."""
        fresh, changed = self._grouping.add(hits)
        for key in changed:
            group = self._grouping.group(key)
            if group is not None:
                self._show_group(group)
        if fresh:
            self._places = None
            self._insert_rows(len(self._rows), fresh)
        self._has_more = more

    def show_builds(self, key: str, hits: Iterable[Hit]) -> None:
        """All builds of a base model."""
        group = self._grouping.complete(key, hits)
        if group is not None:
            group.lead.is_loading = False
            self._show_group(group)

    def builds_failed(self, key: str) -> None:
        """They cannot be had now."""
        group = self._grouping.give_up(key)
        if group is not None:
            group.lead.is_loading = False
            if not group.builds:
                group.lead.is_open = False
            self._touch(self._row_of(group.lead))

    def toggle(self, number: int) -> None:
        """Unfold the builds below a row, or fold them."""
        row = self.row_at(number)
        if row is not None and row.children and row.level == 0:
            self.set_open(number, is_open=not row.is_open)

    def set_open(self, number: int, *, is_open: bool) -> None:
        """See `toggle`."""
        row = self.row_at(number)
        if row is None or row.level or not row.children or row.is_open == is_open:
            return
        row.is_open = is_open
        self._touch(number)
        if self._is_starter:
            self._set_below(number, self._below.get(row.group, []) if is_open else [])
            return
        group = self._grouping.group(row.group)
        if group is None:
            return
        if is_open and not group.is_complete and group.told > len(group.builds):
            row.is_loading = True
            self.builds_wanted.emit(row.group)
        self._set_below(number, group.rows() if is_open else [])

    def row_at(self, number: int) -> Row | None:
        """A row; None where there is none."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def hit_at(self, number: int) -> Hit | None:
        """The model in a row; None for a heading."""
        row = self.row_at(number)
        return row.hit if row is not None else None

    def hits_in(self, first: int, last: int) -> list[Hit]:
        """The models from one row to another."""
        rows = self._rows[max(0, first) : last + 1]
        return [row.hit for row in rows if row.hit is not None]

    def builds_behind(self, first: int, last: int) -> list[Hit]:
        """Of folded builds in these rows, the likeliest of each: a lead may not fit itself."""
        found = []
        for row in self._rows[max(0, first) : last + 1]:
            build = self._build_behind(row)
            if build is not None and self.fit_of(build) is not hub_words.Fit.REFUSED:
                found.append(build)
        return found

    def _build_behind(self, row: Row) -> Hit | None:
        group = self._grouping.group(row.group) if row.children and not row.level else None
        return group.likeliest if group is not None and not row.is_open else None

    def first_model(self) -> int | None:
        """The first row that is no heading."""
        return next((n for n, row in enumerate(self._rows) if row.hit is not None), None)

    def place_of(self, repo: str) -> int | None:
        """Where a repository stands; None where it does not."""
        if self._places is None:
            self._places = {row.repo: n for n, row in enumerate(self._rows) if row.hit is not None}
        return self._places.get(repo)

    def touch_repo(self, repo: str) -> None:
        """What is known of it changed."""
        self._touch(self.place_of(repo))
        group = self._grouping.group_with(repo)
        if group is not None and group.lead.repo != repo:  # it speaks for its builds
            self._touch(self.place_of(group.lead.repo))

    def touch_all(self) -> None:
        """What is known of all of them changed."""
        self._touch(-1)

    # --- words -------------------------------------------------------------------------

    def name_of(self, row: Row) -> str:
        """What a model is called."""
        return row.title or hub_words.repo_name(row.repo)

    def fit_of(self, hit: Hit) -> hub_words.Fit:
        """How it stands to this machine."""
        verdict, is_asked = self.verdict_of(hit)
        runnable = hit.runnable and (verdict is None or verdict.runnable)
        return hub_words.fit_of(verdict, is_asked=is_asked, runnable=runnable)

    def facts_of(self, row: Row) -> list[str]:
        """Its facts: by the hub, and where that does not know, by the verdict."""
        hit = row.hit
        if hit is None:
            return []
        verdict, _ = self.verdict_of(hit)
        if verdict is not None:
            import msgspec

            hit = msgspec.structs.replace(
                hit,
                size=hit.size or verdict.size,
                context=hit.context or verdict.context_max,
                parameters=hit.parameters or verdict.parameters,
            )
        return hub_words.hit_facts(hit)

    def format_of(self, hit: Hit) -> str:
        """Its format's name."""
        verdict, _ = self.verdict_of(hit)
        return hub_words.format_name(hit.format or (verdict.format if verdict is not None else ""))

    def speaker_of(self, row: Row) -> tuple[hub_words.Fit, Hit]:
        """How a row stands to this machine, and the model whose verdict that is.

        A model that is too big lets its build speak that is not, as long as that is folded.
        """
        hit = row.hit
        assert hit is not None
        fit = self.fit_of(hit)
        if fit is hub_words.Fit.TOO_BIG and row.children and not row.is_open:
            build = self._build_behind(row)
            if build is not None and self.fit_of(build) in (hub_words.Fit.FITS, hub_words.Fit.TWO):
                return hub_words.Fit.BUILD, build
        return fit, hit

    def stand_of(self, row: Row) -> tuple[hub_words.Fit, Verdict | None, str]:
        """The same with the verdict, and the words beside its word."""
        fit, hit = self.speaker_of(row)
        verdict = self.verdict_of(hit)[0]
        if fit is hub_words.Fit.BUILD:
            words = hub_words.fit_detail(fit, verdict)
            name = self.format_of(hit)
            return fit, verdict, f"{name}: {words}" if words else name
        detail = self.detail_of(hit)
        if fit is hub_words.Fit.TOO_BIG and row.children and self._build_behind(row) is None:
            maybe = translate("DiscoverModel", "a build may fit")
            detail = f"{detail} · {maybe}" if detail and not row.is_open else detail
        return fit, verdict, detail

    def detail_of(self, hit: Hit) -> str:
        """What the verdict says beside its word: with how much, by how much not, or why not."""
        fit, (verdict, _) = self.fit_of(hit), self.verdict_of(hit)
        if fit is hub_words.Fit.REFUSED and hit.why_not:
            from desktop.models.failure_text import translated_text

            return translated_text(hub_words.shown(hit.why_not, 300))
        return hub_words.fit_detail(fit, verdict)

    def spoken(self, row: Row) -> str:
        """All that a row shows, for who does not see it."""
        hit = row.hit
        if hit is None:
            return row.heading
        parts = [self.name_of(row), self.format_of(hit)]
        parts.append(hub_words.fit_sentence(*self.stand_of(row)))
        if self.is_here(hit.repo):
            parts.append(translate("DiscoverModel", "installed"))
        if hit.gated:
            parts.append(hub_words.gated_text(hit.gated))
        if owner := hub_words.repo_owner(hit.repo):
            parts.append(translate("DiscoverModel", "by {owner}").format(owner=owner))
        parts += [fact.replace(hub_words.NO_BREAK, " ") for fact in self.facts_of(row)]
        if row.note:
            parts.append(self.note_of(row))
        if row.level:
            parts.append(translate("DiscoverModel", "a build of the model above"))
        if row.children:
            parts.append(hub_words.builds_text(row.children))
            parts.append(
                translate("DiscoverModel", "unfolded")
                if row.is_open
                else translate("DiscoverModel", "folded")
            )
        return ", ".join(filter(None, parts))

    def note_of(self, row: Row) -> str:
        """The sentence on a model of the starter list."""
        if not row.note:
            return ""
        from desktop.models.failure_text import translated_text

        return translated_text(row.note)

    def _tip(self, hit: Hit, row: Row) -> str:
        lines = [hub_words.shown(hit.repo, 200)]
        lines.append(hub_words.fit_sentence(*self.stand_of(row)))
        lines.append(self.note_of(row))
        return "\n".join(filter(None, lines))

    # --- inside ------------------------------------------------------------------------

    def _show(
        self,
        rows: list[Row],
        *,
        starter: bool,
        below: dict[str, list[Row]] | None = None,
        grouping: Grouping | None = None,
        more: bool = False,
    ) -> None:
        self._below = below or {}
        self._grouping = grouping or Grouping()
        self._places = None
        self._has_more = more
        self._is_starter = starter
        self._reset_rows(rows)

    def _touch(self, number: int | None) -> None:
        if number is not None:
            self.row_changed.emit(number)

    def _row_of(self, row: Row) -> int | None:
        place = self.place_of(row.repo)
        return place if place is not None and self._rows[place] is row else None

    def _show_group(self, group: Group) -> None:
        number = self._row_of(group.lead)
        if number is None:
            return
        self._touch(number)
        if group.lead.is_open:
            self._set_below(number, group.rows())

    def _set_below(self, number: int, wanted: Sequence[Row]) -> None:
        """Have exactly these rows below another one; those that stand there already stay."""
        at = last = number + 1
        while last < len(self._rows) and self._rows[last].level:
            last += 1
        fresh: list[Row] = []
        for row in [*wanted, None]:
            if row is not None and (at == last or self._rows[at] is not row):
                fresh.append(row)
                continue
            self._insert_rows(at, fresh)
            at, last, fresh = at + len(fresh), last + len(fresh), []
            at += row is not None
        self._remove_rows(at, last - at)
        self._places = None
