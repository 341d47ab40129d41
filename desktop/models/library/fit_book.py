"""Which of the installed models fit on this machine now: planned on a thread, and kept.

Two questions for each: in place of a model that is loaded, and beside all that are. Models are
planned in the order they are asked for, a few at a time, so that those on show come first; what
was found stays known as long as the model, the settings for it, the hardware and what past loads
taught stay the same. A model that one cannot plan has a fit, too: "unknown", with what is known.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.background import Background, in_thread
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.machine_reading import read_machine

if TYPE_CHECKING:
    from desktop.models.loading.load_book import LoadBook
    from desktop.models.loading.outlook import ModelReading
    from engine.planner.learned import Learned
    from engine.planner.machine import Machine
    from engine.protocol import Failure

log = logging.getLogger(__name__)

YES: Final = "yes"
TWO: Final = "two"  # on several GPUs together
NO: Final = "no"
UNKNOWN: Final = "unknown"
SLICE: Final = 0.05  # s of planning, then what was found is told
KEPT: Final = 2000  # plans
STEP: Final = 256 * 1024**2  # bytes; memory that differs by less is the same memory


@dataclass(frozen=True, slots=True)
class Room:
    """What one plan came to.

    Attributes:
        fits: `YES`, `TWO`, `NO` or `UNKNOWN`.
        context: tokens of a chat.
        chats: how many of them at once.
        devices: the GPUs; none on the processor.
        short_by: bytes that are missing; 0 where it is not for want of memory.
    """

    fits: str = UNKNOWN
    context: int = 0
    chats: int = 0
    devices: tuple[int, ...] = ()
    short_by: int = 0

    @property
    def is_there(self) -> bool:
        """Whether it can be loaded so."""
        return self.fits in (YES, TWO)


@dataclass(frozen=True, slots=True)
class Fit:
    """One model's two answers.

    Attributes:
        in_place: of the model that it would take the place of.
        beside: all that are loaded.
        gpus: how many the machine has.
        failure: why it would not load as it lies there, with what can be done; None: nothing.
    """

    in_place: Room = Room()
    beside: Room = Room()
    gpus: int = 0
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What would be free.

    Attributes:
        freed: the processes of the engine whose model would go.
        stays: bytes of the host's memory that the other engines keep for their chats.
        all_stay: the same if none of them went.
    """

    freed: frozenset[int] = frozenset()
    stays: int = 0
    all_stay: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A model to be planned: where it lies, and its key (`model_key`)."""

    model: str
    key: str


@dataclass(frozen=True, slots=True)
class _Known:
    """What a slice of planning brought back."""

    fits: dict[str, Fit]
    readings: dict[str, ModelReading | Exception]
    machines: tuple[Machine, Machine]


class FitBook(QObject):
    """See the module.

    Args:
        book: what is remembered of past loads; it may come later than this.
        read: the hardware; called on threads.

    Signals:
        found: keys of models whose fits are known now, a frozenset.
    """

    found = Signal(object)

    def __init__(
        self,
        book: Callable[[], LoadBook | None],
        parent: QObject | None = None,
        *,
        read: Callable[[frozenset[int], int], Machine] | None = None,
    ) -> None:
        super().__init__(parent)
        self._book = book
        self._read = read or (lambda freed, promised: read_machine(freed, promised=promised))
        self._situation = Situation()
        self._machines: tuple[Machine, Machine] | None = None
        self._number = 0  # of the situation; what was planned for another is only kept
        self._wanted: dict[str, Asked] = {}
        self._fits: dict[str, Fit] = {}  # of this situation, by key
        self._readings: dict[str, ModelReading | Exception] = {}
        self._kept: dict[object, Fit] = {}
        self._is_running = False
        self._background = Background(self)

    @property
    def is_busy(self) -> bool:
        """Whether something is still being planned."""
        return self._is_running

    def look(self, situation: Situation) -> None:
        """From now on plan for this situation, with the hardware as it is now."""
        self._number += 1
        self._situation = situation
        self._machines = None
        self._fits, self._wanted = {}, {}

    def forget(self, keys: Iterable[str] = ()) -> None:
        """The files of these models are others now; none named: of all."""
        for key in tuple(keys) or tuple(self._readings):
            self._readings.pop(key, None)
            self._fits.pop(key, None)

    def fit(self, key: str) -> Fit | None:
        """What is known of a model in this situation; None: nothing yet."""
        return self._fits.get(key)

    def ask(self, models: Iterable[Asked]) -> None:
        """Plan these next, in this order; then those that were asked for before."""
        first = {one.key: one for one in models if one.key and one.key not in self._fits}
        self._wanted = {**first, **{k: a for k, a in self._wanted.items() if k not in first}}
        if self._wanted and not self._is_running:
            self._run()

    # --- inside ------------------------------------------------------------------------

    def _run(self) -> None:
        book = self._book()
        memory = book.memory if book is not None else None
        choices = memory.choices() if memory is not None else {}
        learned = memory.learned() if memory is not None else None
        number, situation = self._number, self._situation
        wanted, readings = tuple(self._wanted.values()), dict(self._readings)
        machines, kept, read = self._machines, self._kept, self._read

        def work() -> _Known:
            return _plan_some(
                wanted, readings, machines or _read_both(read, situation), choices, learned, kept
            )

        self._is_running = True
        self._background.watch(
            in_thread(work, "fits"),
            lambda known: self._on_known(known, number),
            lambda error: self._on_failed(error, number),
        )

    def _on_known(self, known: _Known, number: int) -> None:
        self._is_running = False
        self._readings.update(known.readings)
        if number == self._number:
            self._machines = known.machines
            self._fits.update(known.fits)
            for key in known.fits:
                self._wanted.pop(key, None)
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        if number == self._number and known.fits:
            self.found.emit(frozenset(known.fits))
        if self._wanted and not self._is_running:
            self._run()

    def _on_failed(self, error: Exception, number: int) -> None:
        """The hardware cannot be read: then nothing is known, and nothing is tried again."""
        log.warning("no plans for the installed models: %s", error)
        self._is_running = False
        if number != self._number:
            if self._wanted:
                self._run()
            return
        keys = frozenset(self._wanted)
        self._fits.update((key, Fit()) for key in keys)
        self._wanted = {}
        self.found.emit(keys)


def _read_both(
    read: Callable[[frozenset[int], int], Machine], situation: Situation
) -> tuple[Machine, Machine]:
    beside = read(frozenset(), situation.all_stay)
    if not situation.freed and situation.stays == situation.all_stay:
        return beside, beside
    return read(situation.freed, situation.stays), beside


def _plan_some(
    wanted: tuple[Asked, ...],
    readings: dict[str, ModelReading | Exception],
    machines: tuple[Machine, Machine],
    choices: dict[str, Choices],
    learned: Learned | None,
    kept: dict[object, Fit],
) -> _Known:
    """Plan the first of these, as many as a slice of time allows, one at least. On a thread."""
    from desktop.models.loading.outlook import read_model
    from engine.planner.learned import Learned

    learned = learned or Learned()
    given = (tuple(map(_signature, machines)), frozenset(learned.measured.items()))
    read: dict[str, ModelReading | Exception] = {}
    fits: dict[str, Fit] = {}
    end = time.monotonic() + SLICE
    for one in wanted:
        if fits and time.monotonic() > end:
            break
        reading = readings.get(one.key)
        if reading is None:
            try:
                reading = read_model(one.model)
            except Exception as error:
                log.info("%s cannot be planned: %s", one.model, error)
                reading = error
            read[one.key] = reading
        chosen = choices.get(one.key, AUTOMATIC)
        if isinstance(reading, Exception):
            fits[one.key] = Fit(gpus=len(machines[0].gpus), failure=_failure_of(reading))
            continue
        shape = reading.shape
        sign = (one.key, shape.format, shape.weights_bytes, shape.context, chosen, given)
        fit = kept.get(sign)
        if fit is None or fit.failure != reading.problem:
            in_place = _room(reading, machines[0], chosen, learned)
            same = machines[1] is machines[0]
            beside = in_place if same else _room(reading, machines[1], chosen, learned)
            fit = kept[sign] = Fit(in_place, beside, len(machines[0].gpus), reading.problem)
        fits[one.key] = fit
    return _Known(fits, read, machines)


def _room(reading: ModelReading, machine: Machine, choices: Choices, learned: Learned) -> Room:
    from desktop.models.loading.outlook import Outlook, possible_choices
    from engine.planner.planning import plan

    choices = possible_choices(choices, machine)
    try:
        found = plan(reading.shape, machine, choices.wish(), learned, explain=False)
    except Exception as error:  # whatever its files say: the list goes on
        log.warning("%s cannot be planned: %s", reading.model, error)
        return Room()
    if found.fits:
        fits = TWO if found.tp > 1 else YES
        return Room(fits, found.context, found.chats, found.devices)
    missing = Outlook(reading, machine, choices, found, choices).missing
    return Room(NO, found.max_context, 0, found.devices, missing)


def _failure_of(error: Exception) -> Failure | None:
    """What a folder that cannot be read at all has to say."""
    from engine.protocol import Failure

    failure = getattr(error, "failure", None)
    return failure if isinstance(failure, Failure) else None


def _signature(machine: Machine) -> object:
    """What a plan depends on, memory in steps: other programs take and give a little always."""
    gpus = tuple(
        (gpu.index, gpu.name, gpu.usable // STEP, gpu.used_by_others // STEP, gpu.capability)
        for gpu in machine.gpus
    )
    host = machine.host
    return gpus, host.ram_total, host.ram_available // STEP, host.cores, host.flags
