"""What the picker of models lists: what runs, what is installed, and where to find more."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop import fuzzy
from desktop.chats.names import name_from
from desktop.engine_link.engine_pool import same_folder
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name
from desktop.models.library import picker_words as words
from desktop.models.library.fit_book import Fit

if TYPE_CHECKING:
    from engine.store.library.records import InstalledModel

_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()


class RowKind(StrEnum):
    """What choosing a row does."""

    MODEL = "model"
    FIND = "find"  # more models, in the library
    FOLDER = "folder"  # a folder that is not in the list
    FILE = "file"  # a GGUF file that is not


COMMANDS: Final = (RowKind.FIND, RowKind.FOLDER, RowKind.FILE)


@dataclass(frozen=True, slots=True)
class Running:
    """An engine that has a model, or is about to.

    Attributes:
        key: of the engine, as its pool numbers them.
        model: folder or file of the model.
    """

    key: int
    model: str
    view: EngineView


@dataclass(frozen=True, slots=True)
class PickerRow:
    """One row.

    Attributes:
        key: names the row among the others: the model's real place, or the command's name.
        model: folder or file; "" for a command.
        name: of the model, or the command's words.
        installed: what the scan tells of it; None: it is not among the installed ones.
        engine: the one that has it; None: it is not loaded.
        is_current: it answers in this chat.
        fit: None: not known yet.
        facts: format, size and where it is from, in words.
        problem: why it cannot be loaded, in the user's language; "": nothing is known.
    """

    kind: RowKind
    key: str
    name: str
    model: str = ""
    installed: InstalledModel | None = None
    engine: Running | None = None
    is_current: bool = False
    fit: Fit | None = None
    facts: str = ""
    problem: str = ""

    @property
    def identity(self) -> str:
        """What its plans are kept under; "" where there are none."""
        return self.installed.identity if self.installed is not None else ""


class PickerRole(IntEnum):
    """Data of a row beside its text."""

    ROW = Qt.ItemDataRole.UserRole + 1
    PLACES = Qt.ItemDataRole.UserRole + 2  # indexes of the letters found in the name


def base_rows(
    installed: Sequence[InstalledModel], others: Sequence[str] = ()
) -> dict[str, PickerRow]:
    """What is known of the models without their engines and plans, by key.

    Belongs on a thread: the disk is asked where a path really leads.

    Args:
        others: models that lie elsewhere and were loaded before.
    """
    rows: dict[str, PickerRow] = {}
    for one in installed:
        key = os.path.realpath(one.path)  # not `same_folder`, which keeps the latest few
        rows[key] = PickerRow(
            RowKind.MODEL,
            key,
            model_name(one.path) if one.repo else name_from(one.name),
            one.path,
            one,
            facts=words.facts_text(one),
            problem=words.engine_text(one.problem) if one.problem else "",
        )
    for model in others:
        key = os.path.realpath(model)
        if key not in rows:
            row = PickerRow(RowKind.MODEL, key, model_name(model), model)
            rows[key] = replace(row, facts=words.before_text())
    return rows


def rows_of(
    base: Mapping[str, PickerRow],
    running: Sequence[Running],
    current: int,
    recent: Sequence[str] = (),
    fit_of: Callable[[str], Fit | None] = lambda _identity: None,
) -> list[PickerRow]:
    """The models, in the order in which one looks for them, and the commands at the end.

    First what answers in this chat, then what else is loaded, then by the last use, then by
    name; what cannot be loaded comes last. A model that lies at two places of one name is there
    twice.

    Args:
        base: see `base_rows`.
        current: key of the engine that answers in the chat; 0: none does.
        recent: models loaded last, newest first.
    """
    rows = dict(base)
    for engine in running:
        key, is_current = same_folder(engine.model), engine.key == current
        row = rows.get(key) or PickerRow(RowKind.MODEL, key, model_name(engine.model), engine.model)
        rows[key] = replace(row, engine=engine, is_current=is_current)
    for key, row in rows.items():
        fit = fit_of(row.identity) if row.identity else None
        if fit is not None:
            rows[key] = _with_fit(row, fit)
    ranks = {same_folder(model): rank for rank, model in enumerate(recent)}
    ordered = sorted(rows.values(), key=lambda row: _order(row, ranks))
    return [*ordered, *(PickerRow(kind, kind.value, words.command_text(kind)) for kind in COMMANDS)]


def _with_fit(row: PickerRow, fit: Fit) -> PickerRow:
    if row.problem or fit.failure is None:
        return replace(row, fit=fit)
    return replace(row, fit=fit, problem=words.engine_text(fit.failure.cause))


def _more_text(row: PickerRow) -> str:
    named = row.installed.name if row.installed is not None else ""
    return f"{row.name} {row.facts} {named}"


def _order(row: PickerRow, ranks: Mapping[str, int]) -> tuple[object, ...]:
    used = row.installed.last_used if row.installed is not None else None
    return (
        not row.is_current,
        row.engine is None,
        bool(row.installed is not None and row.installed.problem),
        ranks.get(row.key, len(ranks)),
        -(used or 0.0),
        row.name.casefold(),
        row.key,
    )


class PickerModel(QAbstractListModel):
    """The rows that fit what was typed; the commands stay, whatever it is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[tuple[PickerRow, str]] = []
        self._rows: list[tuple[PickerRow, tuple[int, ...]]] = []
        self._more: dict[str, str] = {}  # what else a row is found by
        self._query = ""

    @property
    def count(self) -> int:
        """How many models are listed, the commands left out."""
        return sum(row.kind is RowKind.MODEL for row, _places in self._rows)

    def set_rows(self, rows: Sequence[PickerRow]) -> None:
        """Offer these."""
        if [row for row, _text in self._all] == list(rows):
            return
        same = [row.key for row, _text in self._all] == [row.key for row in rows]
        self._all = [(row, fuzzy.folded(row.name)) for row in rows]
        self._more = {row.key: fuzzy.folded(_more_text(row)) for row in rows}
        if same:
            self._update({row.key: row for row in rows})
        else:
            self.set_query(self._query)

    def set_query(self, query: str) -> None:
        """Show what fits `query`; also by format, where from, and "owner/name"."""
        self._query = query
        typed = fuzzy.folded(query).split()
        found: list[tuple[int, int, PickerRow, tuple[int, ...]]] = []
        for order, (row, text) in enumerate(self._all):
            if row.kind is not RowKind.MODEL or not typed:
                found.append((0, order, row, ()))
                continue
            match = fuzzy.find_folded(typed, text)
            if match is not None:
                found.append((-match.score, order, row, match.places))
            elif all(word in self._more.get(row.key, "") for word in typed):
                found.append((1, order, row, ()))
        found.sort(key=lambda one: (one[2].kind is not RowKind.MODEL, *one[:2]))
        self.beginResetModel()
        self._rows = [(row, places) for _score, _order, row, places in found]
        self.endResetModel()

    def set_fits(self, fits: Mapping[str, Fit]) -> None:
        """These fits are known now, by the models' identities."""
        changed = {}
        for place, (row, text) in enumerate(self._all):
            fit = fits.get(row.identity) if row.identity else None
            if fit is not None and fit != row.fit:
                row = _with_fit(row, fit)
                self._all[place] = (row, text)
                changed[row.key] = row
        if changed:
            self._update(changed)

    def row(self, number: int) -> PickerRow | None:
        """A row by its number."""
        return self._rows[number][0] if 0 <= number < len(self._rows) else None

    def number_of(self, key: str) -> int:
        """Where the row of this key is; -1: it is not shown."""
        return next((n for n, (row, _) in enumerate(self._rows) if row.key == key), -1)

    def _update(self, rows: Mapping[str, PickerRow]) -> None:
        for number, (row, places) in enumerate(self._rows):
            new = rows.get(row.key)
            if new is not None and new != row:
                self._rows[number] = (new, places)
                index = self.index(number)
                self.dataChanged.emit(index, index)

    # --- Qt --------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        """How many are shown."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A row's name, the row, or what a screen reader says."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row, places = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == PickerRole.ROW:
            return row
        if role == PickerRole.PLACES:
            return places
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken_text(row)
        return None


def state_of(row: PickerRow) -> str:
    """Its state in a few words, with where it is: "Ready · GPU 0"; "": it is not loaded."""
    if row.engine is None:
        return ""
    return words.state_text(row.engine.view)


def answers_now(row: PickerRow) -> bool:
    """Whether an engine has it that can answer, or will soon without being told."""
    if row.engine is None:
        return False
    return row.engine.view.phase not in (Phase.FAILED, Phase.IDLE, Phase.STOPPED)


def second_line(row: PickerRow) -> tuple[str, str]:
    """Below the name: what it is, or what is wrong; and whether it fits."""
    if row.problem:
        return row.problem, ""
    if row.is_current and answers_now(row):
        return row.facts, words.current_text()
    return row.facts, "" if answers_now(row) else words.fit_text(row.fit)


def spoken_text(row: PickerRow) -> str:
    """A row for a screen reader."""
    return ", ".join(part for part in (row.name, state_of(row), *second_line(row)) if part)
