"""Results of work done on other threads, handed over on the Qt main thread.

The chat store answers with `concurrent.futures.Future`s that are resolved on its
writer thread. Nothing in the window waits for one: it says what is to happen with
the result, and goes on.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Delivery:
    future: Future[Any]
    done: Callable[[Any], None] | None
    failed: Callable[[Exception], None] | None


def in_thread(call: Callable[[], T], name: str) -> Future[T]:
    """Run `call` on a thread of its own; its outcome, for `Background.watch`."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except Exception as error:
            future.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future


class Background(QObject):
    """Delivers the outcome of futures on the thread this object lives in.

    Outcomes of one writer thread arrive in the order in which they were resolved,
    always from the event loop and never inside the call that started the work.

    Signals:
        failed: an exception nobody asked for (no `failed` callback was given).
    """

    failed = Signal(object)
    _resolved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # What is called back is kept here and not by the future: the other thread may be the
        # last to let go of that, and what a callback holds must not end over there.
        self._waiting: dict[int, _Delivery] = {}
        self._numbers = itertools.count()
        # Queued even within one thread: a future that is resolved already must not
        # call back before the caller has finished its own step.
        self._resolved.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def watch(
        self,
        future: Future[T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Call `done(result)` or `failed(error)` here once `future` is resolved.

        A cancelled future calls neither.
        """
        number = next(self._numbers)
        self._waiting[number] = _Delivery(future, done, failed)

        def hand_over(_future: Future[T]) -> None:
            # At the end of the program the store may finish after the window is gone.
            if shiboken6.isValid(self):
                self._resolved.emit(number)

        future.add_done_callback(hand_over)

    def _deliver(self, number: int) -> None:
        delivery = self._waiting.pop(number)
        try:
            result = delivery.future.result()
        except CancelledError:
            return
        except Exception as error:
            if delivery.failed is not None:
                delivery.failed(error)
            else:
                self.failed.emit(error)
            return
        if delivery.done is not None:
            delivery.done(result)
