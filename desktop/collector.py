"""Looks for garbage in the window's thread only, and at length only when nobody waits.

Two reasons to take this over from Python:

- Left alone the collector runs in whichever thread's allocation crosses a threshold: the
  store's, a search's. If what it frees are Qt's objects, their destructors run there too, and
  a timer or a widget that dies outside its thread takes the program with it.
- A full collection walks through every object there is: 40 to 60 ms with a chat of 10,000
  messages open, paid in the middle of a stream. The young generations take below 1 ms.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS: Final = 200
# In collections of the middle generation since the last full one. Below the first nothing
# worth the walk has gathered; above the second even a stream has to wait for it once.
WORTH_IT: Final = 10
TOO_MANY: Final = 1_000
# Looks between two walks through the middle generation while somebody waits: 0.2 s each.
MIDDLE_LOOKS: Final = 300
# Of young objects. A chat that was opened makes 100,000 at once, a walk of 20 ms: beside a
# stream it waits for a quiet moment, until memory asks for it.
LEAP: Final = 20_000
TOO_YOUNG: Final = 400_000


class Collector(QObject):
    """See the module.

    Args:
        is_busy: whether an answer is on its way.
    """

    def __init__(self, is_busy: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        self._was_enabled = False
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Take over."""
        self._was_enabled = gc.isenabled()
        gc.disable()
        # What the start made stays: no collection needs to walk through it, and the first
        # would do so for a tenth of a second.
        gc.freeze()
        self._timer.start()

    def stop(self) -> None:
        """Leave the collector as it was."""
        if not self._timer.isActive():
            return
        self._timer.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()

    def look(self) -> None:
        """Collect what there is reason to, as far as nobody is kept waiting by it."""
        young, middle, old = gc.get_threshold()
        counts = gc.get_count()
        if counts[0] <= young:
            return
        busy = self._is_busy()
        if busy and LEAP < counts[0] < TOO_YOUNG:
            return
        if counts[1] <= (MIDDLE_LOOKS if busy else middle):
            gc.collect(0)
        elif counts[2] < (TOO_MANY if busy else max(WORTH_IT, old)):
            gc.collect(1)
        else:
            gc.collect()
