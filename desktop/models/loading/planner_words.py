"""What the planner says, in the user's language: it speaks English, and gives its figures along.

A text whose code is not known here is shown as the planner wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.i18n import QT_TRANSLATE_NOOP
from desktop.models.loading.size_text import count_text, size_text
from desktop.models.number_text import decimal

if TYPE_CHECKING:
    from engine.planner.answer import Change, Problem

CONTEXT: Final = "Planner"
_SIZES: Final = ("weights", "missing", "needed", "available", "bytes", "others", "asked")
_COUNTS: Final = ("context", "largest", "longest")

PROBLEMS: Final[Mapping[str, str]] = {
    "no_room": QT_TRANSLATE_NOOP(
        "Planner",
        "The weights take {weights} and leave no room for a chat; {missing} more are needed.",
    ),
    "short_context": QT_TRANSLATE_NOOP("Planner", "Only {context} tokens fit: a short chat."),
    "unequal_gpus": QT_TRANSLATE_NOOP(
        "Planner", "The GPUs are unequal: {gpu} with {bytes} decides for all."
    ),
    "memory_in_use": QT_TRANSLATE_NOOP(
        "Planner",
        "{asked} of GPU {gpu} ({name}) are wanted, but other programs use {others} of it: "
        "{utilisation} % can be had.",
    ),
    "gpu_too_old": QT_TRANSLATE_NOOP(
        "Planner",
        "{gpu} (capability {capability}) cannot run models of this format: that takes 7.5 or "
        "newer. A 16-bit build runs.",
    ),
    "float16_instead": QT_TRANSLATE_NOOP(
        "Planner", "{gpu} does not compute in bfloat16: the model is loaded in float16."
    ),
    "no_such_gpu": QT_TRANSLATE_NOOP("Planner", "There is no GPU {gpu} here."),
    "too_few_gpus": QT_TRANSLATE_NOOP(
        "Planner", "The model cannot be divided among {tp} GPUs: {gpus} are there."
    ),
    "unpacked": QT_TRANSLATE_NOOP(
        "Planner",
        "On the processor the GGUF file is converted to 16-bit safetensors first, which take more "
        "memory.",
    ),
    "fp8_unpacked": QT_TRANSLATE_NOOP(
        "Planner", "FP8 is unpacked on this processor, which takes {times} times the memory."
    ),
    "weights_estimated": QT_TRANSLATE_NOOP(
        "Planner",
        "The size of the weights is reckoned from the model's config.json: its weight files could "
        "not be looked into.",
    ),
    "state_layers": QT_TRANSLATE_NOOP(
        "Planner",
        "{layers} of its {all} layers keep a state of fixed size instead of a KV cache, which is "
        "not counted here.",
    ),
    "groups_indivisible": QT_TRANSLATE_NOOP(
        "Planner",
        "Divided among {tp} GPUs, a layer of width {width} would split a group of {group} weights "
        "that belong together.",
    ),
}
CHANGES: Final[Mapping[str, str]] = {
    "utilisation": QT_TRANSLATE_NOOP("Planner", "Use {utilisation} % of the GPU memory"),
    "devices": QT_TRANSLATE_NOOP("Planner", "Use GPU {gpu} ({name})"),
    "tp": QT_TRANSLATE_NOOP("Planner", "Divide the model among {tp} GPUs"),
    "bfloat16": QT_TRANSLATE_NOOP(
        "Planner", "Compute in bfloat16: half the memory, several times slower here"
    ),
    "kv_fp8": QT_TRANSLATE_NOOP("Planner", "Keep the KV cache in FP8: half the memory a token"),
    "sequences": QT_TRANSLATE_NOOP("Planner", "Write at most {sequences} answers at once"),
    "eager": QT_TRANSLATE_NOOP("Planner", "Do without CUDA graphs: slower, and a quicker start"),
    "chats": QT_TRANSLATE_NOOP("Planner", "Have room for {chats} such chats"),
    "context": QT_TRANSLATE_NOOP("Planner", "Make do with a context of {context} tokens"),
    "smaller_build": QT_TRANSLATE_NOOP(
        "Planner", "Choose its AWQ build (4 bits, {bytes}), or quantise it"
    ),
    "offload": QT_TRANSLATE_NOOP("Planner", "Keep {bytes} of the weights in RAM: much slower"),
}
# Of these codes there are several texts; which one it is, is in the values.
OTHERS: Final = {
    "close_named": QT_TRANSLATE_NOOP("Planner", "Close {program}, which uses {bytes} of GPU {gpu}"),
    "close_gpu": QT_TRANSLATE_NOOP("Planner", "Close what uses {bytes} of GPU {gpu}"),
    "close_host": QT_TRANSLATE_NOOP("Planner", "Close programs that use {bytes} of memory"),
    "no_room_each": QT_TRANSLATE_NOOP(
        "Planner",
        "The weights take {weights} of each GPU and leave no room for a chat; {missing} more "
        "are needed.",
    ),
    "kv_one": QT_TRANSLATE_NOOP(
        "Planner",
        "{context} tokens need {needed} of KV cache; {available} are there, enough for {largest} "
        "tokens.",
    ),
    "kv_many": QT_TRANSLATE_NOOP(
        "Planner",
        "{chats} chats of {context} tokens need {needed} of KV cache; {available} are there, "
        "enough for {largest} tokens.",
    ),
    "above_model": QT_TRANSLATE_NOOP(
        "Planner", "The model was made for {context} tokens, not for {asked_tokens}."
    ),
    "fp8_cpu": QT_TRANSLATE_NOOP(
        "Planner", "An FP8 KV cache on the processor takes AVX-512, which this one does not have."
    ),
    "fp8_gpu": QT_TRANSLATE_NOOP(
        "Planner", "{gpu} (capability {capability}) has no kernels for an FP8 KV cache."
    ),
    "heads": QT_TRANSLATE_NOOP("Planner", "Its {heads} heads cannot be divided among {tp} GPUs."),
    "converted": QT_TRANSLATE_NOOP(
        "Planner",
        "vLLM is not known to load a GGUF file of this architecture ({architecture}) as it is: it "
        "is converted to 16-bit safetensors first, which take more memory.",
    ),
    "no_gpu": QT_TRANSLATE_NOOP("Planner", "No GPU is chosen."),
}


def problem_text(problem: Problem) -> str:
    """Why a plan does not fit, or what to know of it."""
    values = problem.values
    match problem.code:
        case "kv_too_small":
            template = OTHERS["kv_many" if values.get("chats", 1) != 1 else "kv_one"]
        case "context_above_model":
            template = OTHERS["above_model"]
        case "kv_fp8_unsupported":
            template = OTHERS["fp8_gpu" if values.get("gpu") else "fp8_cpu"]
        case "heads_indivisible":
            template = OTHERS["heads"]
        case "no_room" if values.get("devices", 1) != 1:
            template = OTHERS["no_room_each"]
        case "no_such_gpu" if values.get("gpu") == -1:
            template = OTHERS["no_gpu"]
        case "unpacked" if values.get("architecture"):
            template = OTHERS["converted"]
        case code:
            template = PROBLEMS.get(code, "")
    return _filled(template, values, problem.text)


def change_text(change: Change) -> str:
    """What a change does, for its button."""
    values = change.values
    if change.code == "close_program":
        if values.get("program"):
            template = OTHERS["close_named"]
        else:
            template = OTHERS["close_host" if values.get("gpu") == -1 else "close_gpu"]
    else:
        template = CHANGES.get(change.code, "")
    return _filled(template, values, change.label)


def _filled(template: str, values: Mapping[str, int | float | str], otherwise: str) -> str:
    if not template:
        return QCoreApplication.translate(CONTEXT, otherwise)
    words: dict[str, str] = {}
    for name, value in values.items():
        words[name] = str(value)
        if isinstance(value, str):
            continue
        if name in _SIZES:
            words[name] = size_text(int(value))
        elif name in _COUNTS:
            words[name] = count_text(int(value))
        elif name == "utilisation":
            words[name] = decimal(100 * value, 0)
    asked = values.get("asked")
    if isinstance(asked, int):
        words["asked_tokens"] = count_text(asked)
    try:
        return QCoreApplication.translate(CONTEXT, template).format(**words)
    except (KeyError, IndexError):  # the planner gives other figures now
        return otherwise
