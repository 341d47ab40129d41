"""What the window says of a quantising job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.models.loading.size_text import size_text
from desktop.models.number_text import decimal, whole
from engine.quantize.wire import Progress, Refused, Step

if TYPE_CHECKING:
    from desktop.models.quantizing.quantizing import QuantizeView
    from engine.quantize.preflight import Cost


def step_text(progress: Progress | None) -> str:
    """What is being done."""
    translate = QCoreApplication.translate
    if progress is None or progress.step is Step.CHECKING:
        return translate("Quantizing", "Checking the model and the text")
    match progress.step:
        case Step.LOADING:
            return translate("Quantizing", "Loading the model")
        case Step.ORIGINAL:
            return translate("Quantizing", "Measuring the original")
        case Step.ROUNDING:
            return translate("Quantizing", "Measuring plain rounding")
        case Step.LAYERS:
            return translate("Quantizing", "Layer {number} of {total}").format(
                number=whole(min(progress.done + 1, progress.total)), total=whole(progress.total)
            )
        case Step.WRITING:
            return translate("Quantizing", "Writing")
        case Step.VERIFYING:
            return translate("Quantizing", "Verifying what was written")
    return translate("Quantizing", "Finishing")


def share_text(progress: Progress | None) -> str:
    """How far it is and how long it takes yet."""
    if progress is None or progress.left is None:
        return QCoreApplication.translate("Quantizing", "The time it takes is not known yet")
    return QCoreApplication.translate("Quantizing", "{percent} % · {time} left").format(
        percent=whole(int(100 * progress.share)), time=duration_text(progress.left)
    )


def duration_text(seconds: float) -> str:
    """A length of time, roughly."""
    translate = QCoreApplication.translate
    if seconds < 100:
        return translate("Quantizing", "{count} s").format(count=whole(max(1, round(seconds))))
    if seconds < 5400:
        return translate("Quantizing", "{count} min").format(count=whole(round(seconds / 60)))
    return translate("Quantizing", "{count} h").format(count=decimal(seconds / 3600))


def cost_text(cost: Cost, group_size: int) -> str:
    """What a job takes."""
    return QCoreApplication.translate(
        "Quantizing",
        "About {time} · {disk} of disk ({disk_free} free) · {memory} of memory ({memory_free} "
        "free) · groups of {group}",
    ).format(
        time=duration_text(cost.seconds),
        disk=size_text(cost.disk),
        disk_free=size_text(cost.disk_free),
        memory=size_text(cost.memory),
        memory_free=size_text(cost.memory_free),
        group=whole(group_size),
    )


def refused_text(refused: Refused) -> str:
    """Why nothing came of it, in a sentence; `refused.text` has the particulars."""
    translate = QCoreApplication.translate
    match refused.code:
        case "worse_than_rounding":
            return translate(
                "Quantizing",
                "The model was no better than plain rounding, so it was removed. Other text, more "
                "like what the model is used for, may help.",
            )
        case "agreement":
            return translate(
                "Quantizing",
                "The model agreed too seldom with the original, so it was removed.",
            )
        case "calibration" | "calibration_empty" | "calibration_unreadable":
            return translate("Quantizing", "The calibration text cannot be used.")
        case "memory" | "gpu_memory":
            return translate("Quantizing", "There is not enough memory for it.")
        case "disk_full":
            return translate("Quantizing", "There is not enough room on the disk.")
        case "target_exists":
            return translate("Quantizing", "The folder for the new model is there already.")
        case "not_writable" | "disk":
            return translate("Quantizing", "The folder for the new model cannot be written.")
        case "busy":
            return translate("Quantizing", "Another process is making this model.")
        case "group_size":
            return translate("Quantizing", "This group size does not fit the model.")
        case "quantised_already":
            return translate("Quantizing", "This model is quantised already.")
        case "kind":
            return translate("Quantizing", "There is no recipe for this kind of model.")
        case "not_installed":
            return translate("Quantizing", "The quantiser is not installed.")
        case "no_gpu":
            return translate("Quantizing", "There is no GPU to use.")
        case "died":
            return translate(
                "Quantizing",
                "The quantiser ended without a word: it was killed, or memory ran out.",
            )
        case "failed" | "written":
            return translate("Quantizing", "Quantising failed.")
    return translate("Quantizing", "This model cannot be quantised.")


def particulars(refused: Refused, lead: str) -> list[str]:
    """What `refused_text`, which is `lead`, leaves out: a line for each fault."""
    from desktop.models.failure_text import translated_text

    lines = [translated_text(line) for line in (refused.text, *refused.details) if line]
    return [line for line in lines if line != lead]


def badge_text(view: QuantizeView) -> str:
    """The job in the status bar; "" when there is nothing to say."""
    from desktop.models.quantizing.quantizing import Phase

    if view.job is None:
        return ""
    name = Path(view.job.model).name
    translate = QCoreApplication.translate
    match view.phase:
        case Phase.RUNNING:
            share = view.progress.share if view.progress is not None else 0.0
            return translate("Quantizing", "Quantising {model}: {percent} %").format(
                model=name, percent=whole(int(100 * share))
            )
        case Phase.DONE:
            return translate("Quantizing", "{model} is quantised").format(model=name)
        case Phase.REFUSED:
            return translate("Quantizing", "{model} was not quantised").format(model=name)
    return ""
