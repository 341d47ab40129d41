"""Keeps the loads of the window: plans one before it starts, and learns from it afterwards."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.background import Background, in_thread
from desktop.engine_link.engine_state import CPU, EngineView, Phase
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_memory import FILE_NAME, LoadMemory, Past
from desktop.models.loading.load_planner import LoadPlanner
from desktop.models.loading.load_times import way_of
from desktop.models.loading.machine_reading import read_machine
from desktop.models.loading.model_key import model_key
from desktop.models.loading.outlook import Outlook, look_ahead, read_model

if TYPE_CHECKING:
    from engine.planner.machine import Machine
    from engine.protocol import Loaded, LoadSettings

log = logging.getLogger(__name__)

MAX_UNDER_WAY: Final = 8  # plans whose loads have not ended
PATIENCE_MS: Final = 15_000  # for a plan; a driver that hangs never answers


@dataclass(frozen=True, slots=True)
class Prepared:
    """A load that can start: what the user wants, and the plan where there could be one."""

    model: str
    key: str
    choices: Choices
    outlook: Outlook | None = None

    def way(self) -> str:
        """How it is loaded, as far as the time depends on it; "" where that is not known."""
        plan = self.outlook.plan if self.outlook is not None else None
        if plan is None or not plan.budget:
            return ""
        device = CPU if plan.device == "cpu" else plan.budget[0].name
        return way_of(device, self.settings())

    def settings(self) -> LoadSettings:
        """For the engine.

        Where no plan fits, it is left to the engine what it makes of the user's choices: it
        knows best what is there, and says why if it cannot.
        """
        plan = self.outlook.plan if self.outlook is not None else None
        return self.choices.settings(plan.settings if plan is not None and plan.fits else None)


class LoadBook(QObject):
    """See the module.

    Args:
        state: the folder where the memory is kept.
        read: the hardware, for plans; called on threads.
        patience_ms: how long a load waits for its plan.

    Signals:
        noted: the model (a str) whose load was compared with its plan and remembered.
        warned: a text for the user: the memory could not be read or written.
    """

    noted = Signal(str)
    warned = Signal(str)

    def __init__(
        self,
        state: Path,
        parent: QObject | None = None,
        *,
        read: Callable[[], Machine] | None = None,
        patience_ms: int = PATIENCE_MS,
    ) -> None:
        super().__init__(parent)
        self.memory = LoadMemory(state / FILE_NAME)
        self.ours: Callable[[], frozenset[int]] = frozenset  # our engines' processes
        # Bytes of the host's memory that engines which stay have set aside for chats, but may
        # not have touched yet: the system calls them free.
        self.promised: Callable[[], int] = int
        self._read = read
        self._patience_ms = patience_ms
        self._under_way: dict[str, Prepared] = {}  # by model
        self._noted: list[Loaded] = []  # a model that wakes is no new load
        self._background = Background(self)

    def planner(self, model: str, parent: QObject) -> LoadPlanner:
        """A planner for a model that one may choose settings for."""
        return LoadPlanner(model, self._reader(), self.memory.learned(), parent)

    def past(self, key: str) -> Past | None:
        """What is remembered of a model."""
        return self.memory.past(key)

    def prepare(self, model: str, ready: Callable[[Prepared], None]) -> None:
        """Plan a load with the settings remembered for the model; `ready` is called later.

        A model that cannot be planned is loaded with what is remembered alone; so is one whose
        plan does not come in time, and the plan is then dropped.
        """
        remembered, learned, read = self.memory.choices(), self.memory.learned(), self._reader()

        def work() -> Prepared:
            key = model_key(model)
            choices = remembered.get(key, AUTOMATIC)
            try:
                outlook = look_ahead(read_model(model), read(), choices, learned)
            except Exception as error:
                log.info("no plan for %s: %s", model, error)
                return Prepared(model, key, choices)
            return Prepared(model, key, choices, outlook)

        limit = QTimer(self, singleShot=True, interval=self._patience_ms)
        is_late = False

        def done(prepared: Prepared) -> None:
            if not is_late:
                limit.stop()
                limit.deleteLater()
                ready(prepared)

        def give_up() -> None:
            nonlocal is_late
            is_late = True
            limit.deleteLater()
            log.warning("no plan for %s within %d ms", model, self._patience_ms)
            past = self.memory.latest_of(model)
            ready(Prepared(model, "", past.choices if past is not None else AUTOMATIC))

        limit.timeout.connect(give_up)
        limit.start()
        self._background.watch(in_thread(work, "load-prepare"), done)
        self._tell()

    def choose(self, prepared: Prepared) -> None:
        """The user chose how to load a model: so it is loaded the next time, too."""
        if prepared.key:
            self.memory.choose(prepared.key, prepared.model, prepared.choices)
            self._tell()

    def started(self, prepared: Prepared) -> None:
        """A load begins: what comes of it is to be compared with its plan."""
        self._under_way.pop(prepared.model, None)
        if not prepared.key:
            return
        self._under_way[prepared.model] = prepared
        while len(self._under_way) > MAX_UNDER_WAY:
            del self._under_way[next(iter(self._under_way))]

    def on_view(self, view: EngineView) -> None:
        """An engine's state changed: a load that ended well is remembered."""
        loaded = view.loaded
        if (
            view.phase is not Phase.READY
            or loaded is None
            or any(loaded is one for one in self._noted)
        ):
            return
        self._noted = [*self._noted[1 - MAX_UNDER_WAY :], loaded]
        prepared = self._under_way.pop(loaded.model, None)
        if prepared is not None:
            self._note(prepared, loaded)
            return
        model = loaded.model

        def note(key: str) -> None:
            self._note(Prepared(model, key, AUTOMATIC), loaded)

        self._background.watch(in_thread(lambda: model_key(model), "model-key"), note)

    def usual(self, model: str) -> dict[str, float]:
        """The usual seconds of each stage of a load of this model; empty before the first."""
        prepared = self._under_way.get(model)
        past = self.memory.past(prepared.key) if prepared else self.memory.latest_of(model)
        if past is None:
            return {}
        return past.times.usual(prepared.way() if prepared is not None else "")

    # --- inside ------------------------------------------------------------------------

    def _note(self, prepared: Prepared, loaded: Loaded) -> None:
        outlook = prepared.outlook
        self.memory.note(
            prepared.key,
            loaded,
            outlook.plan if outlook is not None else None,
            outlook.reading.shape if outlook is not None else None,
        )
        self._tell()
        self.noted.emit(loaded.model)

    def _reader(self) -> Callable[[], Machine]:
        if self._read is not None:
            return self._read
        ours, promised = self.ours(), self.promised()
        return lambda: read_machine(ours, promised=promised)

    def _tell(self) -> None:
        if self.memory.warning:
            warning, self.memory.warning = self.memory.warning, ""
            self.warned.emit(warning)
