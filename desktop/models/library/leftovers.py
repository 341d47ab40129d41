"""What downloads have left unfinished in the store: found, and taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.background import Background, in_thread
from desktop.models.failure_text import translated_text
from desktop.models.library.download_view import DownloadState, DownloadView, key_of

if TYPE_CHECKING:
    from engine.store.download.partials import Partial


class Leftovers(QObject):
    """See the module. The disk is read and written on threads.

    Signals:
        discarded: the key of a download of which nothing is left, and why something is ("").
    """

    discarded = Signal(str, str)

    def __init__(self, models: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._models = models
        self._background = Background(self)
        self._discarding: set[str] = set()

    def look(self, then: Callable[[Sequence[Partial]], None]) -> None:
        """Find what is unfinished; where that cannot be read, there is none."""
        models = self._models

        def look() -> list[Partial]:
            from engine.store.download.partials import partials

            return partials(models)

        self._background.watch(in_thread(look, "partial-downloads"), then, lambda _error: None)

    def is_discarding(self, key: str) -> bool:
        """Whether what this download has left is being taken away."""
        return key in self._discarding

    def discard(self, view: DownloadView) -> None:
        """Take away what a download has left; `discarded` follows."""
        models, repo, variant = self._models, view.repo, view.variant

        def discard() -> None:
            from engine.store.download import partials

            for found in partials.partials(models):
                if (found.repo, found.variant) == (repo, variant):
                    partials.discard(found)

        done = partial(self._on_discarded, view.key)
        self._discarding.add(view.key)
        self._background.watch(in_thread(discard, "discard"), lambda _none: done(), done)

    def _on_discarded(self, key: str, error: Exception | None = None) -> None:
        self._discarding.discard(key)
        self.discarded.emit(key, translated_text(str(error)) if error is not None else "")


def paused_view(found: Partial) -> DownloadView:
    """What was left, as a download that can be gone on with."""
    return DownloadView(
        key_of(found.repo, found.variant),
        found.repo,
        found.job.revision,
        found.variant,
        state=DownloadState.PAUSED,
        done=found.have,
        total=found.total or None,
    )
