"""Imports what the user will open later while nobody waits for it.

The monitor is 70 modules, which take 100 ms when it is opened for the first time; the library is
as many. One a turn of the event loop, and none while an answer comes, they are felt by nobody.
Not on a thread: what is imported are Qt's classes, whose home is this one.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer

log = logging.getLogger(__name__)

# Those that are opened most come first.
PACKAGES: Final = (
    *("desktop.models.library", "desktop.views.library", "desktop.views.engine"),
    *("desktop.models.monitor", "desktop.views.monitor", "desktop.views.settings"),
)
DELAY_MS: Final = 5_000  # the start has its own to do
PAUSE_MS: Final = 50


class Preloading(QObject):
    """See the module.

    Args:
        is_busy: whether an answer is on its way.
        packages: the names of packages, all modules of which are imported.
    """

    def __init__(
        self,
        is_busy: Callable[[], bool],
        parent: QObject | None = None,
        *,
        packages: tuple[str, ...] = PACKAGES,
    ) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        self._names = _modules(packages)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    @property
    def is_at_work(self) -> bool:
        """Whether there is something left to import."""
        return self._timer.isActive()

    def start(self, delay_ms: int = DELAY_MS) -> None:
        """Begin after so long."""
        self._timer.start(delay_ms)

    def stop(self) -> None:
        """Leave the rest to whoever needs it."""
        self._timer.stop()

    def _step(self) -> None:
        busy = self._is_busy()
        self._timer.setInterval(DELAY_MS if busy else PAUSE_MS)
        if busy:
            return
        name = next(self._names, None)
        if name is None:
            self._timer.stop()
            return
        try:
            importlib.import_module(name)
        except Exception:
            # Whoever needs it will be told; nobody has asked for it here.
            log.exception("%s cannot be imported", name)


def _modules(packages: tuple[str, ...]) -> Iterator[str]:
    for package in packages:
        folder = importlib.import_module(package).__path__
        for found in pkgutil.iter_modules(folder, f"{package}."):
            if found.ispkg:
                yield from _modules((found.name,))
            else:
                yield found.name
