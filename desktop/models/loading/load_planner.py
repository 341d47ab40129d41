"""Plans a load on a thread, again and again while the user changes what is wanted.

The folder may lie on a slow disk and the driver may be slow to answer: nothing here waits.
Requests are gathered for a moment; of several the latest counts, and a plan that was
overtaken while it was made is dropped. So is one that takes too long: a driver that hangs never
answers, and the model can be loaded without a plan.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.background import Background, in_thread
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.outlook import ModelReading, Outlook, look_ahead, read_model

if TYPE_CHECKING:
    from engine.planner.learned import Learned
    from engine.planner.machine import Machine

log = logging.getLogger(__name__)

DELAY_MS: Final = 120  # a dragged slider asks thirty times a second
PATIENCE_MS: Final = 15_000


class LoadPlanner(QObject):
    """See the module.

    Args:
        model: its folder or file.
        read_machine: the hardware now; called on a thread.
        learned: what past loads taught.
        patience_ms: how long a plan may take.
        read: what the model's files tell; called on a thread. None: they are read from the disk.

    Signals:
        planned: Outlook; for the latest request.
        failed: the exception that kept the latest request from a plan; TimeoutError: no answer.
    """

    planned = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        model: str,
        read_machine: Callable[[], Machine],
        learned: Learned,
        parent: QObject | None = None,
        *,
        patience_ms: int = PATIENCE_MS,
        read: Callable[[str], ModelReading] | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._read = read or read_model
        self._read_machine = read_machine
        self._learned = learned
        self._reading: ModelReading | None = None
        self._machine: Machine | None = None
        self._choices = AUTOMATIC
        self._is_running = False
        self._is_overtaken = False
        self._background = Background(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._run)
        self._run_number = 0
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(patience_ms)
        self._limit.timeout.connect(self._on_late)

    @property
    def is_busy(self) -> bool:
        """Whether a plan is on its way."""
        return self._is_running or self._timer.isActive()

    def ask(self, choices: Choices) -> None:
        """Plan with these choices, in a moment."""
        self._choices = choices
        self._is_overtaken = self._is_running
        if not self._is_running:
            self._timer.start()

    def ask_now(self, choices: Choices, *, afresh: bool = False) -> None:
        """Plan with these choices at once; `afresh`: with the hardware and the files read again."""
        if afresh:
            self._reading = self._machine = None
        self.ask(choices)
        if not self._is_running:
            self._timer.stop()
            self._run()

    def _run(self) -> None:
        model, choices, learned = self._model, self._choices, self._learned
        reading, machine, read_machine = self._reading, self._machine, self._read_machine
        read = self._read

        def plan() -> Outlook:
            known = reading or read(model)
            return look_ahead(known, machine or read_machine(), choices, learned)

        self._is_running = True
        self._is_overtaken = False
        self._run_number += 1
        number = self._run_number
        self._limit.start()
        self._background.watch(
            in_thread(plan, "load-plan"),
            lambda outlook: self._on_planned(outlook) if self._ends(number) else None,
            lambda error: self._on_failed(error) if self._ends(number) else None,
        )

    def _ends(self, number: int) -> bool:
        """Whether this run is still waited for; it is over now."""
        if number != self._run_number or not self._is_running:
            return False
        self._limit.stop()
        return True

    def _on_late(self) -> None:
        self._on_failed(TimeoutError(self.tr("the disk or the GPU driver does not answer")))

    def _on_planned(self, outlook: Outlook) -> None:
        self._is_running = False
        self._reading, self._machine = outlook.reading, outlook.machine
        if self._is_overtaken:
            self._run()
        else:
            self.planned.emit(outlook)

    def _on_failed(self, error: Exception) -> None:
        self._is_running = False
        if self._is_overtaken:
            self._run()
            return
        log.warning("no plan for a load: %s", error)
        self.failed.emit(error)
