"""A plan and all that it was made of: what the dialog of a load shows.

Pure: called on a thread, and by the tests with hardware that is only named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desktop.models.loading.load_choices import MAX_CONTEXT, Choices
from desktop.models.loading.model_key import model_key

if TYPE_CHECKING:
    from engine.planner.answer import DeviceBudget, Plan, Problem
    from engine.planner.learned import Learned
    from engine.planner.machine import Machine
    from engine.planner.shape import ModelShape
    from engine.protocol import Failure

LEAST_STOP: Final = 512  # tokens; below it nobody chats
MAX_TP: Final = 8


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model's files tell.

    Attributes:
        model: its folder or file.
        key: what its memory is kept under.
        problem: why it would not load as it lies there (no template, say); None: nothing found.
    """

    model: str
    key: str
    shape: ModelShape
    problem: Failure | None = None


@dataclass(frozen=True, slots=True)
class TpOption:
    """A number of GPUs that could share the model.

    Attributes:
        problem: why it cannot; None if it can.
    """

    tp: int
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """A place on the slider of contexts: so many tokens, and how many such chats have room."""

    context: int
    chats: int

    @property
    def fits(self) -> bool:
        """Whether at least one has."""
        return self.chats > 0


@dataclass(frozen=True, slots=True)
class Outlook:
    """See the module.

    Attributes:
        automatic: each field's value if it alone were left to the planner.
        tp_options: from one GPU to all there are; on a CPU none.
        stops: rising.
    """

    reading: ModelReading
    machine: Machine
    choices: Choices
    plan: Plan
    automatic: Choices
    tp_options: tuple[TpOption, ...] = ()
    stops: tuple[Stop, ...] = ()

    def devices(self) -> tuple[DeviceBudget, ...]:
        """Where the memory of each device goes, of the GPUs that are not used too."""
        from engine.planner.answer import DeviceBudget

        used = {one.device: one for one in self.plan.budget}
        for gpu in self.machine.gpus:
            total, others = gpu.total or 0, gpu.used_by_others + gpu.reserved
            unused = DeviceBudget(gpu.index, gpu.name, total, others, 0, 0, 0, total - others)
            used.setdefault(gpu.index, unused)
        return tuple(used[device] for device in sorted(used))

    def pair(self) -> tuple[int, ...]:
        """The two GPUs to try one against two with, the better one first; () for fewer."""
        if len(self.machine.gpus) < 2:
            return ()
        room = {gpu.index: (gpu.total or 0) - gpu.used_by_others for gpu in self.machine.gpus}
        chosen = [index for index in self.choices.devices or () if index in room]
        others = sorted(room, key=lambda index: (index not in chosen, -room[index], index))
        first = [index for index in self.plan.devices[:1] if self.plan.tp == 1]
        return tuple(dict.fromkeys([*first, *others]))[:2]

    @property
    def missing(self) -> int:
        """How many bytes the fullest device lacks for the least of a chat; 0: it has them."""
        told = (p.values.get("missing") for p in self.plan.problems if p.code == "no_room")
        lacking = max((-one.free for one in self.plan.budget), default=0)
        return max(0, lacking, *(int(size) for size in told if isinstance(size, int)))


def read_model(model: str) -> ModelReading:
    """Read what a model's small files tell.

    Raises:
        engine.store.model_folder.ModelFolderError: it is no model that can be loaded.
        engine.planner.shape.ShapeError: its files do not tell what it is made of.
    """
    from engine.planner.shape import shape_of_folder
    from engine.store.gguf_folders import gguf_of
    from engine.store.model_folder import ModelFolderError, read_model_folder

    path = gguf_of(Path(model)) or Path(model)
    problem: ModelFolderError | None = None
    if path.suffix.lower() != ".gguf":
        try:
            read_model_folder(path)
        except ModelFolderError as error:
            problem = error
    try:
        shape = shape_of_folder(path)
    except Exception:
        if problem is not None:
            raise problem from None  # it says the same, and what to do
        raise
    return ModelReading(model, model_key(model), shape, problem.failure if problem else None)


def look_ahead(
    reading: ModelReading, machine: Machine, choices: Choices, learned: Learned
) -> Outlook:
    """Plan a load, and each field's automatic value beside it.

    Choices that were made for other hardware (GPUs that are not there now) are dropped.
    """
    from engine.planner.planning import plan

    def planned(choices: Choices) -> Plan:
        return plan(reading.shape, machine, choices.wish(), learned, explain=False)

    choices = possible_choices(choices, machine)
    result = plan(reading.shape, machine, choices.wish(), learned)
    automatic = _automatic(choices, result, planned)
    return Outlook(
        reading,
        machine,
        choices,
        result,
        automatic,
        tp_options(reading.shape, machine, choices.devices),
        stops(reading.shape.context, result, automatic.context),
    )


def tp_options(
    shape: ModelShape, machine: Machine, devices: tuple[int, ...] | None = None
) -> tuple[TpOption, ...]:
    """How many GPUs could share a model, and why not."""
    count = len(machine.gpus)
    allowed = len(devices) if devices else count
    return tuple(_tp_option(shape, tp, allowed) for tp in range(1, min(count, MAX_TP) + 1))


def _tp_option(shape: ModelShape, tp: int, allowed: int) -> TpOption:
    from engine.planner.answer import Problem
    from engine.planner.divisibility import indivisible

    if tp > allowed:
        return TpOption(tp, Problem("too_few_gpus", f"{allowed} chosen", {"count": allowed}))
    return TpOption(tp, indivisible(shape, tp))


def stops(longest: int, plan: Plan, automatic: int | None = None) -> tuple[Stop, ...]:
    """Contexts for the slider: the powers of two, what fits, what is planned, the model's own."""
    longest = min(longest, MAX_CONTEXT)
    if longest <= 0:
        return ()
    found = {longest}
    size = min(LEAST_STOP, longest)
    while size < longest:
        found.add(size)
        size *= 2
    found.update(
        context
        for context in (plan.max_context, plan.context, automatic or 0)
        if 0 < context < longest
    )
    return tuple(Stop(context, _chats(context, plan)) for context in sorted(found))


def _chats(context: int, plan: Plan) -> int:
    return max(1, plan.kv_tokens // context) if context <= plan.max_context else 0


def possible_choices(choices: Choices, machine: Machine) -> Choices:
    """`choices` without what was chosen for GPUs that are not there now."""
    present = {gpu.index for gpu in machine.gpus}
    if choices.devices is not None and not present.issuperset(choices.devices):
        choices = replace(choices, devices=None, tp=None)
    if not present:
        return replace(choices, devices=None, tp=None, utilisation=None, offload_bytes=None)
    if choices.tp is not None and choices.tp > len(present):
        choices = replace(choices, tp=None)
    return choices


def _automatic(choices: Choices, result: Plan, planned: Callable[[Choices], Plan]) -> Choices:
    """What the planner takes for each field, the others being as they are chosen."""

    def without(name: str) -> Plan:
        # A wish for a devices' number and for how many share go together.
        names = ("devices", "tp") if name == "devices" else (name,)
        if all(getattr(choices, one) is None for one in names):
            return result
        return planned(replace(choices, **dict.fromkeys(names)))

    def setting(name: str, theirs: str) -> Any:
        return getattr(without(name).settings, theirs)

    devices = without("devices")
    return Choices(
        devices=devices.devices or None,
        tp=without("tp").tp,
        context=without("context").context or None,
        utilisation=setting("utilisation", "gpu_memory_utilization"),
        kv_bytes=max((one.kv for one in without("kv_bytes").budget), default=0) or None,
        kv_dtype=setting("kv_dtype", "kv_cache_dtype"),
        dtype=setting("dtype", "dtype"),
        sequences=setting("sequences", "max_num_seqs"),
        eager=setting("eager", "enforce_eager"),
        offload_bytes=0,
        foreground_first=True,
    )
