"""A plan in words: the verdict in one sentence, what each part of memory is, what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.chats.names import name_from
from desktop.models.loading.planner_words import problem_text
from desktop.models.loading.size_text import bits_text, count_text, size_text
from desktop.models.number_text import decimal

if TYPE_CHECKING:
    from desktop.models.loading.outlook import Outlook, TpOption
    from engine.planner.answer import Change, DeviceBudget
    from engine.planner.machine import Machine
    from engine.planner.shape import ModelShape

translate = QCoreApplication.translate

NAMED_OTHERS: Final = 3  # programs
SHORT_NAME: Final = 20  # characters


def format_text(shape: ModelShape) -> str:
    """What kind of model it is: "AWQ, 4 bits · 5.3 GiB of weights · reads 131,072 tokens"."""
    names = {
        "bf16": "BF16",
        "fp16": "FP16",
        "fp32": "FP32",
        "awq": "AWQ",
        "gptq": "GPTQ",
        "w4a16": "W4A16",
        "fp8": "FP8",
        "int8": "INT8",
        "gguf": "GGUF",
    }
    name = names.get(shape.format, shape.format.upper()[:20])
    if shape.is_quantised and 0 < shape.bits < 16:
        name = translate("LoadWords", "{format}, {bits} bits").format(
            format=name, bits=bits_text(shape.bits)
        )
    parts = [name]
    if shape.weights_bytes > 0:
        parts.append(
            translate("LoadWords", "{size} of weights").format(size=size_text(shape.weights_bytes))
        )
    if shape.context > 0:
        parts.append(
            translate("LoadWords", "reads {count} tokens").format(count=count_text(shape.context))
        )
    return " · ".join(parts)


def machine_text(machine: Machine) -> str:
    """The hardware in a line."""
    host = machine.host
    ram = translate("LoadWords", "{free} of {total} RAM free").format(
        free=size_text(host.ram_available), total=size_text(host.ram_total)
    )
    if machine.gpus:
        return ram
    cores = (
        translate("LoadWords", "{count} cores").format(count=host.cores)
        if host.cores != 1
        else translate("LoadWords", "one core")
    )
    return translate(
        "LoadWords", "No GPU: the model runs on the processor ({cores}, {ram})."
    ).format(cores=cores, ram=ram)


def verdict(outlook: Outlook) -> str:
    """Whether it fits, in one sentence."""
    plan = outlook.plan
    if plan.fits:
        count = count_text(plan.context)
        if plan.chats > 1:
            return translate(
                "LoadWords", "Fits: {context} tokens of context, with room for {chats} such chats."
            ).format(context=count, chats=count_text(plan.chats))
        return translate(
            "LoadWords", "Fits: {context} tokens of context, with room for one such chat."
        ).format(context=count)
    if outlook.missing:
        where = _fullest(outlook)
        if where and len(plan.budget) > 1:
            return translate("LoadWords", "Too big by {size} on {device}.").format(
                size=size_text(outlook.missing), device=where
            )
        return translate("LoadWords", "Too big by {size}.").format(size=size_text(outlook.missing))
    if plan.max_context > 0:
        return translate(
            "LoadWords", "Does not fit with this context: {count} tokens would."
        ).format(count=count_text(plan.max_context))
    return translate("LoadWords", "Does not fit like this.")


def _fullest(outlook: Outlook) -> str:
    worst = min(outlook.plan.budget, key=lambda one: one.free, default=None)
    return device_title(worst) if worst is not None else ""


def notes(outlook: Outlook) -> list[str]:
    """What else to know, a sentence each: the planner's problems, then the speed to expect."""
    plan = outlook.plan
    said = [problem_text(problem) for problem in plan.problems]
    if plan.fits and plan.decode_tps_bound:
        said.append(
            translate("LoadWords", "One answer runs at {rate} tokens/s at most.").format(
                rate=decimal(plan.decode_tps_bound, 0 if plan.decode_tps_bound >= 10 else 1)
            )
        )
    return said


def dtype_text(dtype: str) -> str:
    """A kind of number: "BF16", "FP16", "FP32"; "" where the engine decides."""
    return {"bfloat16": "BF16", "float16": "FP16", "float32": "FP32"}.get(dtype, "")


def short_name(name: str) -> str:
    """A GPU's name where there is little room: "RTX 3090"."""
    name = name_from(name)
    for maker in ("NVIDIA GeForce ", "NVIDIA "):
        name = name.removeprefix(maker)
    return name if len(name) <= SHORT_NAME else f"{name[: SHORT_NAME - 1].rstrip()}…"


def device_title(budget: DeviceBudget) -> str:
    """What a device is called: "GPU 0 · NVIDIA GeForce RTX 3090", "RAM"."""
    if budget.device < 0:
        return translate("LoadWords", "RAM")
    return (
        translate("LoadWords", "GPU {number} · {name}")
        .format(number=budget.device, name=name_from(budget.name))
        .rstrip(" ·")
    )


def others_text(machine: Machine, device: int) -> str:
    """Who the other programs on a GPU are: "firefox 0.8 GiB, Xorg 120 MiB"; "": not known."""
    gpu = next((gpu for gpu in machine.gpus if gpu.index == device), None)
    if gpu is None:
        return ""
    return ", ".join(f"{name} {size_text(size)}" for name, size in gpu.others[:NAMED_OTHERS])


def change_gain(change: Change) -> str:
    """What a change brings."""
    if change.context <= 0:
        return ""
    return translate("LoadWords", "{context} tokens of context").format(
        context=count_text(change.context)
    )


def tp_text(option: TpOption) -> str:
    """A number of GPUs, with why it cannot be where it cannot."""
    name = (
        translate("LoadWords", "1 GPU")
        if option.tp == 1
        else translate("LoadWords", "{count} GPUs").format(count=option.tp)
    )
    problem = option.problem
    if problem is None:
        return name
    if problem.code == "too_few_gpus":
        count = problem.values.get("count")
        why = translate("LoadWords", "only {count} chosen").format(count=count)
    elif problem.code == "heads_indivisible":
        why = translate("LoadWords", "its {count} heads do not divide").format(
            count=problem.values.get("heads")
        )
    elif problem.code == "groups_indivisible":
        why = translate("LoadWords", "groups of weights would be split")
    else:
        why = problem_text(problem)
    return f"{name} — {why}"
