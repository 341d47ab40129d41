"""What the hub tells, in words for the user: figures in few letters, and verdicts.

All that the hub's users wrote is cut to a length, on one line, without signs that steer other
text. It is shown as plain text only.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.chats.names import name_from
from desktop.models.loading.size_text import count_text, size_text
from desktop.models.number_text import decimal

if TYPE_CHECKING:
    from engine.store.hub.messages import Hit, Verdict

translate = QCoreApplication.translate

LONGEST: Final = 96  # characters of a name, a licence, a tag
NO_BREAK: Final = "\u00a0"
_FORMATS: Final = {
    "awq": "AWQ",
    "gptq": "GPTQ",
    "w4a16": "W4A16",
    "fp8": "FP8",
    "int8": "INT8",
    "bf16": "BF16",
    "fp16": "FP16",
    "fp32": "FP32",
    "gguf": "GGUF",
}


def shown(text: str, longest: int = LONGEST) -> str:
    """Somebody's text as it can stand in a line of ours."""
    line = name_from(text)
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def repo_name(repo: str) -> str:
    """A repository's name without its owner."""
    return shown(repo.rpartition("/")[2] or repo)


def repo_owner(repo: str) -> str:
    """Who keeps it."""
    return shown(repo.partition("/")[0] if "/" in repo else "")


def format_name(name: str) -> str:
    """A format as it is written: "AWQ"; "" where it is not known."""
    return _FORMATS.get(name, shown(name, 12).upper())


def few_letters(count: int) -> str:
    """A count that need not be exact: "1.2 M", "340 k", "12"."""
    count = max(0, min(count, 10**15))
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= size:
            value = count / size
            # 999,950 would be 1,000.0 k.
            return f"{decimal(value, 1 if value < 9.95 else 0)}{NO_BREAK}{letter}"
    return str(count)


def parameters_text(count: int) -> str:
    """How many parameters: "7.6 B", "494 M"."""
    if count >= 10**9:
        value = count / 10**9
        digits = 1 if value < 99.95 and not math.isclose(value, round(value), abs_tol=0.05) else 0
        return f"{decimal(value, digits)}{NO_BREAK}B"
    return f"{max(1, round(count / 10**6))}{NO_BREAK}M"


def context_text(tokens: int) -> str:
    """How long a context is: "32k context"."""
    short = short_tokens(tokens)
    return translate("HubWords", "{count} context").format(count=short).replace(" ", NO_BREAK)


def short_tokens(tokens: int) -> str:
    """A number of tokens in few letters."""
    return f"{round(tokens / 1024)}k" if tokens >= 4096 else count_text(tokens)


def downloads_text(count: int) -> str:
    """How often it was downloaded (in the last month, as the hub counts)."""
    words = translate("HubWords", "{count} downloads").format(count=few_letters(count))
    return words.replace(" ", NO_BREAK)


def day_text(moment: str) -> str:
    """The day of an ISO time, as the user writes days; "" where it is none."""
    from PySide6.QtCore import QDate

    try:
        when = datetime.fromisoformat(moment[:40])
    except ValueError:
        return ""
    if not 1990 <= when.year <= 2200:
        return ""
    day = when.astimezone(UTC).date() if when.tzinfo else when.date()
    locale = QLocale()
    if locale.language() == QLocale.Language.C:  # a system without a language
        locale = QLocale(QLocale.Language.English)
    return locale.toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)


def gated_text(gated: str) -> str:
    """What a gate asks; "" for none."""
    if not gated:
        return ""
    if gated == "manual":
        return translate("HubWords", "on request")
    return translate("HubWords", "licence to accept")


def licence_name(licence: str) -> str:
    """A licence as people write it."""
    known = {
        "apache-2.0": "Apache 2.0",
        "mit": "MIT",
        "llama3.1": "Llama 3.1",
        "llama3.2": "Llama 3.2",
        "llama3.3": "Llama 3.3",
        "gemma": "Gemma",
        "cc-by-4.0": "CC BY 4.0",
        "cc-by-nc-4.0": "CC BY-NC 4.0",
        "bsd-2-clause": "BSD 2-Clause",
        "bsd-3-clause": "BSD 3-Clause",
        "cc0-1.0": "CC0 1.0",
        "unlicense": "Unlicense",
        "other": translate("HubWords", "Its own licence"),
    }
    return known.get(licence.lower(), shown(licence, 40))


def hit_facts(hit: Hit) -> list[str]:
    """What a row says of a model beside its name, the most telling first."""
    parts = []
    if hit.size:
        parts.append(size_text(hit.size).replace(" ", NO_BREAK))
    if hit.parameters:
        words = translate("HubWords", "{count} parameters")
        count = parameters_text(hit.parameters)
        parts.append(words.format(count=count).replace(" ", NO_BREAK))
    if hit.context:
        parts.append(context_text(hit.context))
    if hit.licence:
        parts.append(licence_name(hit.licence))
    if hit.downloads:
        parts.append(downloads_text(hit.downloads))
    if day := day_text(hit.updated):
        parts.append(translate("HubWords", "changed {day}").format(day=day).replace(" ", NO_BREAK))
    return parts


def builds_text(count: int) -> str:
    """How many builds of a model there are."""
    if count == 1:
        return translate("HubWords", "1 build")
    return translate("HubWords", "{count} builds").format(count=count_text(count))


# --- verdicts -------------------------------------------------------------------------------


class Fit(Enum):
    """How a model stands to this machine; each has a form of its own."""

    FITS = "yes"
    TWO = "two"
    BUILD = "build"  # it does not fit, and a build of it does
    TOO_BIG = "no"
    UNKNOWN = "unknown"
    ASKED = "asked"  # on its way
    REFUSED = "refused"  # this engine does not run it


def fit_of(verdict: Verdict | None, *, is_asked: bool, runnable: bool = True) -> Fit:
    """Which of them it is."""
    if not runnable:
        return Fit.REFUSED
    if verdict is None:
        return Fit.ASKED if is_asked else Fit.UNKNOWN
    try:
        return Fit(verdict.fits)
    except ValueError:
        return Fit.UNKNOWN


def fit_head(fit: Fit, verdict: Verdict | None) -> str:
    """The verdict in a word or two."""
    match fit:
        case Fit.FITS:
            return translate("HubWords", "Fits")
        case Fit.TWO:
            count = _devices(verdict)
            if count > 2:
                return translate("HubWords", "Fits on {count} GPUs").format(count=count)
            return translate("HubWords", "Fits on two GPUs")
        case Fit.BUILD:
            return translate("HubWords", "A build fits")
        case Fit.TOO_BIG if verdict is None or verdict.short_by > 0:
            return translate("HubWords", "Too big")
        case Fit.TOO_BIG:
            return translate("HubWords", "Does not fit")
        case Fit.ASKED:
            return translate("HubWords", "Looking…")
        case Fit.REFUSED:
            return translate("HubWords", "Cannot run here")
        case _:
            return translate("HubWords", "Not known")


def fit_detail(fit: Fit, verdict: Verdict | None) -> str:
    """With what, or by how much not; "" where there is nothing to say."""
    if verdict is None:
        return ""
    if fit in (Fit.FITS, Fit.TWO, Fit.BUILD) and verdict.context > 0:
        tokens = translate("HubWords", "{count} tokens").format(count=count_text(verdict.context))
        if verdict.chats > 1:
            chats = translate("HubWords", "{count} chats").format(count=count_text(verdict.chats))
        else:
            chats = translate("HubWords", "one chat")
        return f"{tokens} · {chats}"
    if fit is Fit.TOO_BIG and verdict.short_by > 0:
        return translate("HubWords", "by {size}").format(size=size_text(verdict.short_by))
    if fit is Fit.UNKNOWN and (why := _closed_text(verdict.code)):
        return why
    if fit in (Fit.TOO_BIG, Fit.UNKNOWN, Fit.REFUSED) and verdict.text:
        from desktop.models.failure_text import translated_text

        return translated_text(shown(verdict.text, 300))
    return ""


def _closed_text(code: str) -> str:
    """Why a model cannot be judged yet, short enough for a row; its page says what to do."""
    return {
        "sign_in": translate("HubWords", "sign in to find out"),
        "gated": translate("HubWords", "accept its licence to find out"),
        "gated_pending": translate("HubWords", "its author has yet to let you in"),
    }.get(code, "")


def _devices(verdict: Verdict | None) -> int:
    devices = verdict.devices if verdict is not None else 0
    return devices if isinstance(devices, int) else len(devices)


def fit_sentence(fit: Fit, verdict: Verdict | None, detail: str) -> str:
    """Both in one line, for screen readers and tooltips."""
    head = fit_head(fit, verdict)
    return f"{head}: {detail}" if detail else head
