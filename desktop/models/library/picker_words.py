"""What the picker of models says of each: what it is, whether it fits, how it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.chats.names import name_from
from desktop.engine_link.engine_state import CPU, EngineView, Phase
from desktop.models.engine_text import phase_text
from desktop.models.library.fit_book import NO, TWO, Fit, Room
from desktop.models.loading.size_text import count_text, size_text

if TYPE_CHECKING:
    from engine.store.library.records import InstalledModel

translate = QCoreApplication.translate

_FORMATS = {
    "bf16": "BF16",
    "fp16": "FP16",
    "fp32": "FP32",
    "awq": "AWQ",
    "gptq": "GPTQ",
    "w4a16": "W4A16",
    "int8": "INT8",
    "fp8": "FP8",
    "gguf": "GGUF",
}


def command_text(kind: str) -> str:
    """What a row does that is no model."""
    return {
        "find": translate("ModelPicker", "Find models…"),
        "folder": translate("ModelPicker", "Load a folder…"),
        "file": translate("ModelPicker", "Load a GGUF file…"),
    }[kind]


def facts_text(model: InstalledModel) -> str:
    """Format, size on the disk, and where it lies if not in our store."""
    parts = [_FORMATS.get(model.format, name_from(model.format).upper()[:12])]
    if model.variant and model.variant.upper() not in model.name.upper():
        parts.append(name_from(model.variant)[:24])
    if model.size > 0:
        parts.append(size_text(model.size))
    owner = model.repo.partition("/")[0] if model.repo else ""
    parts.append(_source_text(model))
    parts.append(name_from(owner))
    return " · ".join(part for part in parts if part)


def _source_text(model: InstalledModel) -> str:
    from engine.store.library.records import Source

    match model.source:
        case Source.STARTER:
            return translate("ModelPicker", "the starter model")
        case Source.HF_CACHE:
            return translate("ModelPicker", "Hugging Face cache")
        case Source.QUANTISED:
            return translate("ModelPicker", "quantised here")
        case Source.CONVERTED:
            return translate("ModelPicker", "converted here")
        case Source.FOLDER:
            place = name_from(model.folder.parent.name)
            return translate("ModelPicker", "in {folder}").format(folder=place) if place else ""
    return ""


def fit_text(fit: Fit | None) -> str:
    """Whether it fits, in a few words; "" while that is not known."""
    return room_text(fit.in_place, fit.gpus) if fit is not None else ""


def room_text(room: Room, gpus: int = 0) -> str:
    """What one plan came to: "fits with 32,768 tokens, 4 chats"."""
    if room.fits == NO:
        if room.short_by:
            return translate("ModelPicker", "too big by {size}").format(
                size=size_text(room.short_by)
            )
        return translate("ModelPicker", "does not fit as it is set")
    if not room.is_there:
        return ""
    if room.chats > 1:
        what = translate("ModelPicker", "fits with {tokens} tokens, {chats} chats").format(
            tokens=count_text(room.context), chats=count_text(room.chats)
        )
    else:
        what = translate("ModelPicker", "fits with {tokens} tokens, one chat").format(
            tokens=count_text(room.context)
        )
    where = place_text(room.devices) if gpus > 1 or room.fits == TWO else ""
    return f"{what} · {where}" if where else what


def place_text(devices: tuple[int, ...]) -> str:
    """The GPUs: "GPU 0", "GPU 0 + 1"; "" for none."""
    if not devices:
        return ""
    return translate("ModelPicker", "GPU {numbers}").format(
        numbers=" + ".join(str(device) for device in devices)
    )


def state_text(view: EngineView) -> str:
    """The state of an engine that has a model, and where its memory is: "Ready · GPU 0"."""
    state = phase_text(view)
    if view.phase is Phase.IDLE:
        return translate("ModelPicker", "not loaded")
    if view.phase is Phase.FAILED:
        return translate("ModelPicker", "could not be loaded")
    if view.phase is Phase.LOADING and view.fraction is not None and not view.is_waking:
        share = translate("ModelPicker", "{percent} %").format(percent=round(100 * view.fraction))
        return f"{state} · {share}"
    where = where_text(view)
    return f"{state} · {where}" if where else state


def where_text(view: EngineView) -> str:
    """What a loaded model computes on; "" where that is not known."""
    loaded = view.loaded
    if loaded is None or view.phase not in (Phase.READY, Phase.SLEEPING):
        return ""
    devices = tuple(sorted({one.device for one in loaded.memory if one.device >= 0}))
    if devices:
        return place_text(devices)
    return translate("ModelPicker", "CPU") if loaded.device == CPU else ""


def before_text() -> str:
    """Of a model in none of the places that are looked into."""
    return translate("ModelPicker", "loaded before")


def current_text() -> str:
    """Of the model that answers in this chat."""
    return translate("ModelPicker", "answers this chat")


def engine_text(text: str) -> str:
    """What the engine says, in the user's language and on one line: paths may have several."""
    from desktop.models.failure_text import translated_text

    return " ".join(translated_text(text).split())
