"""How loaded models are built, read from their files on a thread, once each."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.background import Background, in_thread

if TYPE_CHECKING:
    from engine.planner.shape import ModelShape

log = logging.getLogger(__name__)

MOST: Final = 16  # models that are remembered


class ModelShapes(QObject):
    """See the module.

    Args:
        read: called on a thread; by default the planner reads the files.

    Signals:
        changed: a model is known now, or is known not to be.
    """

    changed = Signal()

    def __init__(
        self, parent: QObject | None = None, *, read: Callable[[str], ModelShape] | None = None
    ) -> None:
        super().__init__(parent)
        self._read = read or _read
        self._known: dict[str, ModelShape | None] = {}
        self._asked: set[str] = set()
        self._background = Background(self)

    def shape_of(self, model: str) -> ModelShape | None:
        """How a model is built; None as long as that is not known. `changed` tells when it is."""
        if model and model not in self._known and model not in self._asked:
            self._asked.add(model)
            self._background.watch(
                in_thread(lambda: self._read(model), "model shape"),
                lambda shape: self._take(model, shape),
                lambda error: self._fail(model, error),
            )
        return self._known.get(model)

    def is_pending(self, model: str) -> bool:
        """Whether its files are being read."""
        return model in self._asked

    def forget(self, model: str) -> None:
        """Its files may be others now: it was loaded anew."""
        self._known.pop(model, None)

    def _take(self, model: str, shape: ModelShape | None) -> None:
        self._asked.discard(model)
        self._known[model] = shape
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        self.changed.emit()

    def _fail(self, model: str, error: Exception) -> None:
        log.info("No bandwidth limit for %s: %s", model, error)
        self._take(model, None)


def _read(model: str) -> ModelShape:
    from engine.planner.shape import shape_of_folder

    return shape_of_folder(Path(model))
