"""Looks for garbage when nobody waits for the window.

A full collection of Python's walks through every object there is: 40 to 60 ms with a chat of
10,000 messages open, paid by whichever allocation happens to cross the threshold, often in
the middle of a stream. The young generations (below 1 ms) stay automatic; the full ones are
made here, while no answer is on its way.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS: Final = 5_000
# In collections of the middle generation since the last full one. Below the first nothing
# worth the walk has gathered; above the second even a stream has to wait for it once.
WORTH_IT: Final = 5
TOO_MANY: Final = 1_000
_NEVER: Final = 1_000_000


class Collector(QObject):
    """See the module.

    Args:
        is_busy: whether an answer is on its way.
    """

    def __init__(self, is_busy: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        self._settled = False
        self._before = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Take over from the automatic full collections."""
        gc.set_threshold(self._before[0], self._before[1], _NEVER)
        gc.enable()
        self._timer.start()

    def stop(self) -> None:
        """Give them back."""
        self._timer.stop()
        gc.set_threshold(*self._before)
        if self._settled:
            gc.unfreeze()

    def look(self) -> None:
        """Collect, if there is a reason to and nobody is kept waiting."""
        pending = gc.get_count()[2]
        if pending < (TOO_MANY if self._is_busy() else WORTH_IT):
            return
        gc.collect()
        if not self._settled:
            # What the start made stays: later collections need not walk through it.
            self._settled = True
            gc.freeze()
