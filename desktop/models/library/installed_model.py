"""The list of installed models: filtered as one types, sorted, with what is loaded of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from os.path import realpath
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.engine_link.engine_pool import EnginePool, model_of, same_folder
from desktop.engine_link.engine_state import Phase
from desktop.models.library import installed_words as words
from desktop.models.library.hub_words import licence_name
from desktop.models.library.picker_words import state_text
from desktop.models.loading.size_text import size_text
from desktop.models.tip_text import tip_text
from engine.store.library.records import InstalledModel

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
FACTS: Final = " · "  # between a row's facts


class SortBy(StrEnum):
    """By what the list is sorted."""

    USED = "used"
    NAME = "name"
    SIZE = "size"
    CONTEXT = "context"
    FORMAT = "format"


class InstalledRole(IntEnum):
    """The model's own data roles."""

    ROW = Qt.ItemDataRole.UserRole + 1  # the `InstalledRow`
    PATH = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class InstalledRow:
    """One model as it is painted.

    Attributes:
        state: whether it is loaded, and where; "": it is not.
        phase: of the engine that has it; None: none has it.
        is_own: that engine is the window's own, and not one beside it.
        work: what is being done with it: "Comparing every byte · 34 %".
        problem: why it cannot be loaded, in words.
        search: what the filter looks into.
    """

    model: InstalledModel
    title: str
    facts: str
    size: str
    used: str
    problem: str = ""
    state: str = ""
    phase: Phase | None = None
    is_own: bool = False
    work: str = ""
    search: str = ""

    @property
    def is_loaded(self) -> bool:
        """Whether an engine has it, or is about to."""
        return self.phase not in (None, Phase.IDLE, Phase.STOPPED, Phase.FAILED)


class InstalledList(QAbstractListModel):
    """See the module."""

    def __init__(self, pool: EnginePool | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._all: list[InstalledRow] = []
        self._rows: list[InstalledRow] = []
        self._filter: tuple[str, ...] = ()
        self._sort = SortBy.USED
        self._states: dict[str, tuple[str, Phase, bool]] = {}
        self._work: dict[str, str] = {}
        self._real: dict[str, str] = {}  # paths without links, looked up once
        if pool is not None:
            pool.views_changed.connect(self.refresh_states)
            self._states = self._read_states()

    # --- what is shown -----------------------------------------------------------------

    @property
    def sort_by(self) -> SortBy:
        """By what it is sorted."""
        return self._sort

    def models(self) -> list[InstalledModel]:
        """All, whatever the filter."""
        return [row.model for row in self._all]

    def row_of(self, path: str) -> int:
        """Where a model stands; -1: it is not among those shown."""
        return next((i for i, row in enumerate(self._rows) if row.model.path == path), -1)

    def row_at(self, index: _Index) -> InstalledRow | None:
        """The row of an index."""
        if index.isValid() and 0 <= index.row() < len(self._rows):
            return self._rows[index.row()]
        return None

    def row_for(self, path: str) -> InstalledRow | None:
        """The row of a model, shown or not."""
        return next((row for row in self._all if row.model.path == path), None)

    def set_models(self, models: Sequence[InstalledModel]) -> None:
        """Take what a scan found."""
        self._real = {one.path: self._real.get(one.path) or realpath(one.path) for one in models}
        self._all = [self._with_state(_row(model)) for model in models]
        self._show()

    def set_filter(self, text: str) -> None:
        """Show those in which each of these words is found."""
        wanted = tuple(text.casefold().split())
        if wanted != self._filter:
            self._filter = wanted
            self._show()

    def set_sort(self, by: SortBy) -> None:
        """Sort them anew."""
        if by is not self._sort:
            self._sort = by
            self._show()

    def set_work(self, path: str, text: str) -> None:
        """Say what is being done with a model; "": nothing."""
        if self._work.get(path, "") == text:
            return
        self._work[path] = text
        if not text:
            del self._work[path]
        self._refresh(path)

    def refresh_states(self) -> None:
        """Some engine's state has changed."""
        states = self._read_states()
        before, self._states = self._states, states
        changed = {key for key in {*before, *states} if before.get(key) != states.get(key)}
        if changed:
            for row in self._all:
                if self._real[row.model.path] in changed:
                    self._refresh(row.model.path)

    # --- Qt ----------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """All that the filter lets through."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One model's name, what is said of it, and its row."""
        row = self.row_at(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.AccessibleTextRole:
                state = " ".join(part for part in (row.state, row.work) if part)
                return words.spoken_text(row.model, state)
            case Qt.ItemDataRole.ToolTipRole:
                parts = (row.title, row.problem, row.model.path)
                return tip_text("\n".join(part for part in parts if part))
            case InstalledRole.ROW:
                return row
            case InstalledRole.PATH:
                return row.model.path
        return None

    # --- inside ------------------------------------------------------------------------

    def _show(self) -> None:
        rows = [row for row in self._all if all(word in row.search for word in self._filter)]
        rows.sort(key=lambda row: _key(row.model, self._sort))
        if [row.model.path for row in rows] == [row.model.path for row in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def _refresh(self, path: str) -> None:
        for rows in (self._all, self._rows):
            for number, row in enumerate(rows):
                if row.model.path == path:
                    rows[number] = self._with_state(row)
        number = self.row_of(path)
        if number >= 0:
            self.dataChanged.emit(self.index(number), self.index(number))

    def _with_state(self, row: InstalledRow) -> InstalledRow:
        state = self._states.get(self._real[row.model.path])
        text, phase, is_own = state if state is not None else ("", None, False)
        work = self._work.get(row.model.path, "")
        return replace(row, state=text, phase=phase, is_own=is_own, work=work)

    def _read_states(self) -> dict[str, tuple[str, Phase, bool]]:
        pool = self._pool
        if pool is None:
            return {}
        return {
            same_folder(folder): (state_text(one.view), one.view.phase, one is pool.primary)
            for one in reversed(pool.clients())
            if (folder := model_of(one)) and one.view.phase not in (Phase.IDLE, Phase.STOPPED)
        }


def _row(model: InstalledModel) -> InstalledRow:
    title, source = words.title_text(model), words.source_text(model)
    searched = (title, model.path, model.format, model.licence, model.architecture, source)
    return InstalledRow(
        model=model,
        title=title,
        facts=FACTS.join(words.facts(model)),
        size=size_text(model.size) if model.size else "",
        used=words.used_text(model),
        problem=words.problem_text(model),
        search="\n".join((*searched, licence_name(model.licence), model.base_model)).casefold(),
    )


def _key(model: InstalledModel, by: SortBy) -> tuple[float | str, str, str]:
    name = model.name.casefold()
    match by:
        case SortBy.USED:
            return (-(model.last_used or 0.0), name, model.path)
        case SortBy.SIZE:
            return (-model.size, name, model.path)
        case SortBy.CONTEXT:
            return (-(model.context or 0), name, model.path)
        case SortBy.FORMAT:
            return (model.format, name, model.path)
    return (name, name, model.path)
