"""Sends models to sleep that nobody has asked anything for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from desktop.engine_link.engine_state import Phase

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.engine_link.engine_pool import EnginePool

CHECK_MS: Final = 10_000


class IdleWatch(QObject):
    """See the module. Every engine has a time of its own.

    Attributes:
        after: seconds without a request until a model sleeps; 0: never.

    Args:
        clock: monotonic seconds. A machine that was suspended has not been idle: the usual
            clock stands still meanwhile.
    """

    def __init__(
        self,
        pool: EnginePool,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._pool = pool
        self._clock = clock
        self._quiet_since: dict[int, float] = {}  # by the engine's key; while it is ready
        self._after = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(CHECK_MS)
        self._timer.timeout.connect(self.check)
        pool.views_changed.connect(self.check)
        pool.opened.connect(self._listen)
        for client in pool.clients():
            self._listen(client)

    @property
    def after(self) -> float:
        """See the class."""
        return self._after

    @after.setter
    def after(self, seconds: float) -> None:
        if seconds != self._after:
            self._after = seconds
            self._quiet_since.clear()  # a shorter time begins now
            if seconds > 0:
                self._timer.start()
                self.check()
            else:
                self._timer.stop()

    def check(self) -> None:
        """Look whether the time of one is over."""
        if self._after <= 0:
            return
        now = self._clock()
        for client in self._pool.clients():
            key = self._pool.key_of(client)
            if client.view.phase is not Phase.READY or client.is_busy:
                self._quiet_since.pop(key, None)
            elif now - self._quiet_since.setdefault(key, now) >= self._after:
                del self._quiet_since[key]
                client.sleep(lend=False)

    def _listen(self, client: EngineClient) -> None:
        """A token, or a count of what is being typed: somebody uses this one."""
        for signal in (client.token_batch, client.token_counted):
            signal.connect(lambda _news: self._touch(client))

    def _touch(self, client: EngineClient) -> None:
        key = self._pool.key_of(client)
        if key in self._quiet_since:
            self._quiet_since[key] = self._clock()
