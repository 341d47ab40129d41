"""What is remembered of each model: how it was loaded last, what it took, how long.

One JSON file in the state folder; the model loaded last stands last, and the ones not loaded
for longest go when there are too many. A file that makes no sense is read as far as it does.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from desktop import json_file
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_record import LoadRecord
from desktop.models.loading.load_times import Times, way_of, with_load

if TYPE_CHECKING:
    from engine.planner.learned import Learned
    from engine.planner.plan import Plan
    from engine.planner.shape import ModelShape
    from engine.protocol import Loaded

log = logging.getLogger(__name__)

FILE_NAME: Final = "loads.json"
VERSION: Final = 1
MAX_MODELS: Final = 64
MAX_TEXT: Final = json_file.MAX_BYTES // 2  # characters of the file
_WHAT: Final = "memory of past loads"


@dataclass(frozen=True, slots=True)
class Past:
    """What is remembered of one model.

    Attributes:
        model: its folder or file.
        choices: what the user set by hand; all else is automatic.
        times: of its stages, by the way it was loaded.
        record: of its last load; None before the first.
    """

    model: str
    choices: Choices = AUTOMATIC
    times: Times = field(default_factory=Times)
    record: LoadRecord | None = None


class LoadMemory:
    """See the module. Used from one thread; the file is read when first needed.

    Args:
        path: of the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._models: dict[str, Past] | None = None  # by key, the last one loaded last
        self._learned = ""
        self.warning = ""  # for the user, of the last reading or writing

    def past(self, key: str) -> Past | None:
        """What is remembered of the model with this key (`model_key`)."""
        return self._all().get(key)

    def recent_uses(self) -> tuple[Past, ...]:
        """The models loaded before, the last one first; each place once."""
        found: dict[str, Past] = {}
        for past in reversed(self._all().values()):
            found.setdefault(past.model, past)
        return tuple(found.values())

    def choices(self) -> dict[str, Choices]:
        """What the user set for each model, by its key; a copy, for a thread."""
        return {key: past.choices for key, past in self._all().items()}

    def latest_of(self, model: str) -> Past | None:
        """What is remembered of the model that lay there when it was last loaded."""
        return next((p for p in reversed(self._all().values()) if p.model == model), None)

    def learned(self) -> Learned:
        """What past loads taught the planner."""
        from engine.planner.learned import Learned

        self._all()
        return Learned.from_json(self._learned)

    def choose(self, key: str, model: str, choices: Choices) -> None:
        """Remember what the user set for a model."""
        past = self._all().get(key, Past(model))
        self._put(key, replace(past, model=model, choices=choices))

    def note(self, key: str, loaded: Loaded, plan: Plan | None, shape: ModelShape | None) -> None:
        """Remember what a load came to, beside its plan where there was one."""
        past = self._all().get(key, Past(loaded.model))
        if plan is not None and shape is not None:
            self._learned = self.learned().after(shape, plan, loaded).to_json()
        way = way_of(loaded.device, loaded.settings)
        self._put(
            key,
            replace(
                past,
                model=loaded.model,
                choices=past.choices.with_needs(loaded.settings),
                times=with_load(past.times, loaded),
                record=LoadRecord.of(loaded, plan, round(time.time()), past.times.usual(way)),
            ),
        )

    def forget(self, model: str) -> None:
        """Remember nothing of a model, whatever lay there under its name."""
        models = self._all()
        gone = [key for key, past in models.items() if past.model == model]
        for key in gone:
            del models[key]
        if gone:
            self._save()

    # --- inside ------------------------------------------------------------------------

    def _put(self, key: str, past: Past) -> None:
        models = self._all()
        models.pop(key, None)
        models[key] = past
        while len(models) > MAX_MODELS:
            del models[next(iter(models))]
        self._save()

    def _all(self) -> dict[str, Past]:
        if self._models is None:
            content, self.warning = json_file.read(self._path, _WHAT, VERSION)
            self._models = dict(_pasts(content.get("models")))
            learned = content.get("learned")
            self._learned = json.dumps(learned) if isinstance(learned, dict) else ""
        return self._models

    def _save(self) -> None:
        models = self._all()
        rows: dict[str, object] = {key: msgspec.to_builtins(past) for key, past in models.items()}
        room = MAX_TEXT - len(self._learned)
        sizes = {key: len(json.dumps(row)) for key, row in rows.items()}
        while len(rows) > 1 and sum(sizes.values()) > room:
            oldest = next(iter(rows))
            del rows[oldest], sizes[oldest], models[oldest]
        content: dict[str, object] = {"version": VERSION, "models": rows}
        if self._learned:
            content["learned"] = json.loads(self._learned)
        # From the window's thread, which must not wait for a slow disk.
        self.warning = json_file.write(self._path, content, _WHAT, sync=False)


def _pasts(rows: object) -> list[tuple[str, Past]]:
    """Each row that makes sense; of one that does in part, that part."""
    if not isinstance(rows, Mapping):
        return []
    found = []
    for key, row in list(rows.items())[-MAX_MODELS:]:
        if not isinstance(row, Mapping) or not isinstance(row.get("model"), str):
            log.warning("a row of past loads makes no sense")
            continue
        past = Past(row["model"])
        for name, kind in (("choices", Choices), ("times", Times), ("record", LoadRecord | None)):
            if name in row:
                past = _with(past, name, row[name], kind)
        if past.choices.fault():
            past = replace(past, choices=AUTOMATIC)
        found.append((str(key), past))
    return found


def _with(past: Past, name: str, value: object, kind: Any) -> Past:
    try:
        return replace(past, **{name: msgspec.convert(value, kind)})
    except (msgspec.ValidationError, RecursionError) as error:
        log.warning("%s of a past load make no sense: %s", name, error)
        return past
