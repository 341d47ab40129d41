"""What the window says of installed models."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from desktop.models.failure_text import translated_text
from desktop.models.library.download_words import wait_text
from desktop.models.library.hub_words import (
    context_text,
    format_name,
    licence_name,
    parameters_text,
    shown,
)
from desktop.models.library.shelf_work import CANCELLED, DIED
from desktop.models.loading.size_text import size_text
from desktop.models.number_text import whole
from engine.store.library.records import InstalledModel, Progress, Source
from engine.store.library.wire import Done, Failed

translate = QCoreApplication.translate

_LONGEST_REASON: Final = 600  # characters
_NAMED: Final = 4  # files that are named; the others are counted


def title_text(model: InstalledModel) -> str:
    """What it is called."""
    name = shown(model.name)
    variant = shown(model.variant, 24)
    return f"{name} · {variant}" if variant and variant.upper() not in name.upper() else name


def source_text(model: InstalledModel) -> str:
    """Where it is from, in a word or two."""
    return {
        Source.STORE: translate("Installed", "Model library")
        if not model.repo
        else translate("Installed", "Downloaded"),
        Source.STARTER: translate("Installed", "Starter model"),
        Source.CONVERTED: translate("Installed", "Converted here"),
        Source.QUANTISED: translate("Installed", "Quantised here"),
        Source.HF_CACHE: translate("Installed", "Hugging Face cache"),
        Source.FOLDER: translate("Installed", "Your folder"),
    }[model.source]


def facts(model: InstalledModel) -> list[str]:
    """What a row says of it, the most telling first."""
    parts = [format_name(model.format)]
    if model.parameters:
        words = translate("HubWords", "{count} parameters")
        parts.append(words.format(count=parameters_text(model.parameters)))
    if model.context:
        parts.append(context_text(model.context))
    if model.licence:
        parts.append(shown(licence_name(model.licence), 24))
    parts.append(source_text(model))
    return [part for part in parts if part]


def used_text(model: InstalledModel, today: date | None = None) -> str:
    """When it was loaded last."""
    if model.last_used is None:
        return translate("Installed", "not used yet")
    today = today or date.today()
    try:
        day = datetime.fromtimestamp(model.last_used).date()
    except (ValueError, OverflowError, OSError):
        return translate("Installed", "not used yet")
    days = (today - day).days
    if days <= 0:
        return translate("Installed", "used today")
    if days == 1:
        return translate("Installed", "used yesterday")
    if days < 30:
        return translate("Installed", "used %n day(s) ago", "", days)
    return translate("Installed", "used on {day}").format(day=day_text(model.last_used))


def problem_text(model: InstalledModel) -> str:
    """Why it cannot be loaded; "": nothing is known to be wrong."""
    if model.problem:
        return shown(translated_text(model.problem), _LONGEST_REASON)
    if model.missing:
        return missing_text(model.missing)
    return ""


def missing_text(names: Sequence[str]) -> str:
    """Which files are not there."""
    return translate("Installed", "Missing: {files}").format(files=names_text(names))


def names_text(names: Sequence[str]) -> str:
    """Names of files, the first few of them."""
    told = ", ".join(shown(name, 60) for name in names[:_NAMED])
    more = len(names) - _NAMED
    if more <= 0:
        return told
    return translate("Installed", "{files} and {count} more").format(files=told, count=whole(more))


def has_gone_wrong(model: InstalledModel) -> bool:
    """Whether something of it is missing or broken."""
    return bool(model.problem or model.missing)


def spoken_text(model: InstalledModel, state: str) -> str:
    """A row for a screen reader."""
    parts = [
        title_text(model),
        state,
        problem_text(model),
        *facts(model),
        size_text(model.size) if model.size else "",
        used_text(model),
    ]
    return ", ".join(part for part in parts if part)


def count_text(shown_now: int, models: Sequence[InstalledModel]) -> str:
    """How many there are, and what they take."""
    taken = size_text(sum(model.size for model in models))
    if shown_now != len(models):
        return translate("Installed", "{shown} of {count} models").format(
            shown=whole(shown_now), count=whole(len(models))
        )
    return translate("Installed", "%n model(s)", "", len(models)) + f" · {taken}"


# --- work -------------------------------------------------------------------------------------


def progress_text(progress: Progress | None) -> str:
    """What is being done, how far it is, how long it takes yet."""
    if progress is None:
        return translate("Installed", "Starting")
    parts = [
        {
            "checking": translate("Installed", "Checking what there is"),
            "copying": translate("Installed", "Copying"),
            "verifying": translate("Installed", "Comparing every byte"),
            "finishing": translate("Installed", "Putting it in place"),
            "removing": translate("Installed", "Removing the old files"),
        }.get(progress.phase, translate("Installed", "Working"))
    ]
    if progress.total > 0:
        parts.append(
            translate("Installed", "{done} of {total}").format(
                done=size_text(min(progress.done, progress.total)), total=size_text(progress.total)
            )
        )
    if progress.seconds_left is not None:
        parts.append(
            translate("Installed", "{time} left").format(time=wait_text(progress.seconds_left))
        )
    return " · ".join(parts)


def share_of(progress: Progress | None) -> float:
    """How far it is, 0 to 1."""
    if progress is None or progress.total <= 0:
        return 0.0
    return min(1.0, max(0.0, progress.done / progress.total))


def verifying_text(share: float | None) -> str:
    """A model is being verified; None: it waits for that."""
    if share is None:
        return translate("Installed", "Waits to be verified")
    return translate("Installed", "Verifying: {percent} %").format(percent=whole(int(100 * share)))


def fetching_text(share: float | None) -> str:
    """A model is being downloaded, anew or what is missing of it; None: how far is not known."""
    if share is None:
        return translate("Installed", "Being fetched")
    return translate("Installed", "Being fetched: {percent} %").format(
        percent=whole(int(100 * share))
    )


def verified_text(model: InstalledModel, done: Done) -> str:
    """What a verification found."""
    found = shown(translated_text(done.text), _LONGEST_REASON)
    if found:
        return found
    name = title_text(model)
    if done.missing or done.damaged:
        return translate("Installed", "{model} is not whole.").format(model=name)
    return translate("Installed", "{model} is whole.").format(model=name)


def failed_text(failed: Failed) -> str:
    """Why some work came to nothing; "": the user stopped it."""
    if failed.code == CANCELLED:
        return ""
    if failed.code == DIED or not failed.text:
        return translate(
            "Installed",
            "The work ended without a word: it was killed, or memory ran out. Nothing was lost; "
            "try again.",
        )
    return shown(translated_text(failed.text), _LONGEST_REASON)


def day_text(moment: float) -> str:
    """A day as the user writes days; "" for none that makes sense."""
    try:
        day = datetime.fromtimestamp(moment).date()
    except (ValueError, OverflowError, OSError):
        return ""
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)
