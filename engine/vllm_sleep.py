"""Lends the GPU: vLLM's sleep at level 1, and what comes meanwhile waits.

Level 1 moves the weights to the host's memory and drops the KV cache; waking takes seconds
where a load takes a minute. A request does not wake the model: who has lent the GPU decides
when to take it back (the window wakes it for a message, and shows that).
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any

from engine.failures import explain
from engine.load_defaults import read_machine
from engine.protocol import Failure, Scope
from engine.refusals import cannot_sleep, no_room_to_sleep, sleep_busy
from engine.vllm_prompts import Rendered

LEVEL = 1
RESERVE = 1 << 30  # bytes that stay free for the other programs


class Bed:
    """All calls come from the thread that steps the engine.

    Attributes:
        is_asleep: no request may be added.
    """

    def __init__(
        self,
        slept: Callable[[], None],
        woke: Callable[[], None],
        failed: Callable[[Failure], None],
    ) -> None:
        self._slept = slept
        self._woke = woke
        self._failed = failed
        self._waiting: list[Rendered] = []
        self.is_asleep = False

    def hold(self, rendered: Rendered) -> None:
        """Keep a request until the model wakes."""
        self._waiting.append(rendered)

    def sleep(self, engine: Any, *, busy: bool, needed: int) -> None:
        """Fall asleep, or say why not.

        Args:
            busy: answers are under way.
            needed: bytes of the weights, which go to the host's memory.
        """
        free = read_machine("cpu").memory_available
        if not can_sleep(engine):
            self._failed(cannot_sleep())
        elif busy:
            self._failed(sleep_busy())
        elif needed + RESERVE > free:
            # The kernel would end some program for it.
            self._failed(no_room_to_sleep(needed, free))
        elif self._try(lambda: engine.sleep(level=LEVEL)):
            self.is_asleep = True
            self._slept()

    def wake(self, engine: Any) -> list[Rendered]:
        """Wake; returns what has waited, to be added. Nothing, if it sleeps on."""
        if not self._try(engine.wake_up):
            return []
        self.is_asleep = False
        self._woke()
        waited, self._waiting = self._waiting, []
        return waited

    def _try(self, change: Callable[[], Any]) -> bool:
        try:
            change()
        except Exception:
            error = traceback.format_exc()
            print(error, file=sys.stderr)
            self._failed(explain(Scope.SLEEP, error))
            return False
        return True


def can_sleep(engine: Any) -> bool:
    """Whether the loaded engine can lend its GPU."""
    return bool(engine.vllm_config.model_config.enable_sleep_mode)
