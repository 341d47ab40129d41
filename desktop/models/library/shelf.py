"""The models on this computer as the whole window knows them: one scan, told to whoever shows them.

The scan runs on a thread: a disk may be slow, or gone. What it read is kept between the starts,
so that the next one looks only into what has changed.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.background import Background, in_thread
from desktop.settings import Settings

if TYPE_CHECKING:
    from engine.store.library.records import InstalledModel, PlaceProblem
    from engine.store.library.scan import ScanCache

log = logging.getLogger(__name__)

LOOK_MS: Final = 3_000  # between two looks for changes, while somebody looks at the list


@dataclass(frozen=True, slots=True)
class Places:
    """Where models are looked for.

    Attributes:
        models: the store.
        hf_cache: whether the Hugging Face cache counts.
        folders: that the user added.
        recent: models that were loaded, from anywhere.
    """

    models: Path
    hf_cache: bool = True
    folders: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a scan brought back."""

    models: tuple[InstalledModel, ...]
    problems: tuple[PlaceProblem, ...]
    others: tuple[str, ...]


class Shelf(QObject):
    """See the module.

    Args:
        models: the store.
        state: the folder where the last uses are kept.
        cache: the folder where a scan's findings are kept.
        read_settings: the settings in force.

    Signals:
        changed: the models, a tuple of `InstalledModel`; after each scan that found others.
        failed: a text: a scan came to nothing.
    """

    changed = Signal(object)
    failed = Signal(str)

    def __init__(
        self,
        models: Path,
        state: Path,
        cache: Path,
        read_settings: Callable[[], Settings],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._models_folder = models
        self._state = state
        self._cache = cache
        self._read_settings = read_settings
        self._known: ScanCache | None = None
        self._scanned: Places | None = None
        self._is_running = False
        self._is_wanted_again = False
        self._watchers = 0
        self.models: tuple[InstalledModel, ...] = ()
        self.problems: tuple[PlaceProblem, ...] = ()
        self.others: tuple[str, ...] = ()  # loaded before, there still, and in none of the places
        self.is_read = False  # whether a scan has ended
        self._background = Background(self)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    # --- what the window asks ----------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether a scan runs."""
        return self._is_running

    def places(self) -> Places:
        """Where models are looked for, by the settings in force."""
        settings = self._read_settings()
        return Places(
            self._models_folder,
            settings.use_hf_cache,
            tuple(settings.library_folders),
            tuple(settings.recent_models),
        )

    def refresh(self) -> None:
        """Scan now; while a scan runs, once more after it."""
        if self._is_running:
            self._is_wanted_again = True
            return
        self._run()

    def look(self) -> None:
        """Scan if something has changed on the disk, or in the settings."""
        if self._is_running:
            return
        known = self._known
        if known is None or self.places() != self._scanned:
            self._run()
            return
        from engine.store.library.scan import changed_since

        self._is_running = True

        def done(is_changed: bool) -> None:
            self._is_running = False
            if is_changed:
                self._run()
            else:
                self._go_on()

        self._background.watch(
            in_thread(lambda: changed_since(known), "models-changed"), done, self._on_failed
        )

    def watch(self, on: bool) -> None:
        """Somebody shows the list, or no longer does: changes on the disk are found meanwhile."""
        self._watchers = max(0, self._watchers + (1 if on else -1))
        if self._watchers and not self._timer.isActive():
            self._timer.start()
            self.look()
        elif not self._watchers:
            self._timer.stop()

    def note_used(self, model: str) -> None:
        """A model was loaded now."""
        from engine.store.library import usage

        state = self._state
        done = in_thread(lambda: usage.note_used(state, model), "model-used")
        self._background.watch(done, lambda _none: self._rescan_if_shown(), self._on_unused)

    # --- inside ------------------------------------------------------------------------

    def _run(self) -> None:
        places, known, state, cache = self.places(), self._known, self._state, self._cache
        self._is_running = True

        def work() -> tuple[_Seen, ScanCache]:
            return _scan(places, known, state, cache)

        self._background.watch(
            in_thread(work, "model-scan"),
            lambda seen: self._on_seen(places, *seen),
            self._on_failed,
        )

    def _on_seen(self, places: Places, seen: _Seen, known: ScanCache) -> None:
        self._is_running = False
        self._known, self._scanned = known, places
        before = _Seen(self.models, self.problems, self.others)
        is_new = not self.is_read or seen != before
        self.is_read = True
        self.models, self.problems, self.others = seen.models, seen.problems, seen.others
        if is_new:
            self.changed.emit(seen.models)
        self._go_on()

    def _on_failed(self, error: Exception) -> None:
        self._is_running = False
        log.warning("the installed models cannot be listed: %s", error)
        self.failed.emit(str(error))
        self._go_on()

    def _go_on(self) -> None:
        if self._is_wanted_again and not self._is_running:
            self._is_wanted_again = False
            self._run()

    def _rescan_if_shown(self) -> None:
        if self._watchers:
            self.refresh()

    def _on_unused(self, error: Exception) -> None:
        log.info("the use of a model cannot be kept: %s", error)


def _scan(
    places: Places, known: ScanCache | None, state: Path, cache: Path
) -> tuple[_Seen, ScanCache]:
    """On a thread."""
    from engine.store.library import moving, scan, usage
    from engine.store.library.hf_cache import cache_folder
    from engine.store.library.records import Source

    file = cache / scan.CACHE_FILE
    if known is None:  # the first scan of this start
        moving.repair(places.models)
        known = scan.ScanCache.load(file)
    hf_cache = cache_folder() if places.hf_cache else None
    added = tuple(map(Path, places.folders))
    # Path's own questions raise where a disk fails or may not be looked into.
    there = [one for one in places.recent if os.path.exists(one)]  # noqa: PTH110
    folders = [one for one in there if os.path.isdir(one)]  # noqa: PTH112
    found = scan.scan(
        places.models,
        hf_cache,
        (*added, *map(Path, folders)),
        known=known,
        used=usage.last_used(state),
    )
    # Of a recent model's folder, the model; of the folders that the user added, all.
    models = tuple(
        model
        for model in found
        if model.source is not Source.FOLDER
        or model.path in there
        or any(Path(model.path).is_relative_to(folder) for folder in added)
    )
    paths = {model.path for model in models}
    others = tuple(one for one in there if one not in paths)
    problems = scan.place_problems(places.models, hf_cache, added, known)
    known.save(file)
    return _Seen(models, problems, others), known
