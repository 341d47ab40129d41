"""What the hub tells, in words for the user: figures in few letters, verdicts, faults.

All that the hub's users wrote is cut to a length, on one line, without signs that steer other
text. It is shown as plain text only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.chats.names import name_from
from desktop.i18n import QT_TRANSLATE_NOOP
from desktop.models.loading.size_text import count_text, size_text
from desktop.models.number_text import decimal

if TYPE_CHECKING:
    from engine.store.hub.messages import Failed, Hit, Verdict

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
        parts.append(day)
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
    if fit in (Fit.FITS, Fit.TWO) and verdict.context > 0:
        tokens = translate("HubWords", "{count} tokens").format(count=count_text(verdict.context))
        if verdict.chats > 1:
            chats = translate("HubWords", "{count} chats").format(count=count_text(verdict.chats))
        else:
            chats = translate("HubWords", "one chat")
        return f"{tokens} · {chats}"
    if fit is Fit.TOO_BIG and verdict.short_by > 0:
        return translate("HubWords", "by {size}").format(size=size_text(verdict.short_by))
    if fit in (Fit.TOO_BIG, Fit.UNKNOWN, Fit.REFUSED) and verdict.text:
        from desktop.models.failure_text import translated_text

        return translated_text(shown(verdict.text, 300))
    return ""


def _devices(verdict: Verdict | None) -> int:
    devices = verdict.devices if verdict is not None else 0
    return devices if isinstance(devices, int) else len(devices)


def fit_sentence(fit: Fit, verdict: Verdict | None, detail: str) -> str:
    """Both in one line, for screen readers and tooltips."""
    head = fit_head(fit, verdict)
    return f"{head}: {detail}" if detail else head


# --- faults ---------------------------------------------------------------------------------


class Way(Enum):
    """What a user can do about a fault."""

    GO_ONLINE = "go_online"
    SIGN_IN = "sign_in"
    OPEN_PAGE = "open_page"
    NETWORK = "network"
    RETRY = "retry"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the hub did not answer.

    Attributes:
        title: in a few words.
        text: a sentence or two, with what to do.
        ways: buttons, the likeliest first.
        url: of `Way.OPEN_PAGE`.
        icon: its sign.
    """

    title: str
    text: str
    ways: tuple[Way, ...] = (Way.RETRY,)
    url: str = ""
    icon: str = "warning"


_TITLES: Final[Mapping[str, tuple[str, tuple[Way, ...], str]]] = {
    "offline": (
        QT_TRANSLATE_NOOP("HubWords", "The library is offline"),
        (Way.GO_ONLINE,),
        "offline",
    ),
    "unreachable": (
        QT_TRANSLATE_NOOP("HubWords", "The hub cannot be reached"),
        (Way.RETRY, Way.NETWORK),
        "offline",
    ),
    "timeout": (
        QT_TRANSLATE_NOOP("HubWords", "The hub did not answer in time"),
        (Way.RETRY, Way.NETWORK),
        "offline",
    ),
    "proxy": (
        QT_TRANSLATE_NOOP("HubWords", "The proxy does not let us through"),
        (Way.NETWORK, Way.RETRY),
        "offline",
    ),
    "certificate": (
        QT_TRANSLATE_NOOP("HubWords", "The hub's certificate is not trusted"),
        (Way.NETWORK, Way.RETRY),
        "lock",
    ),
    "sign_in": (
        QT_TRANSLATE_NOOP("HubWords", "The hub asks who you are"),
        (Way.SIGN_IN, Way.RETRY),
        "lock",
    ),
    "gated": (
        QT_TRANSLATE_NOOP("HubWords", "Its licence must be accepted first"),
        (Way.OPEN_PAGE, Way.RETRY),
        "lock",
    ),
    "gated_pending": (
        QT_TRANSLATE_NOOP("HubWords", "Your request is waiting for its author"),
        (Way.RETRY, Way.OPEN_PAGE),
        "lock",
    ),
    "not_found": (
        QT_TRANSLATE_NOOP("HubWords", "There is no such model"),
        (),
        "search",
    ),
    "too_many_requests": (
        QT_TRANSLATE_NOOP("HubWords", "The hub wants fewer requests"),
        (Way.RETRY,),
        "warning",
    ),
    "hub_broken": (
        QT_TRANSLATE_NOOP("HubWords", "The hub has a fault"),
        (Way.RETRY,),
        "warning",
    ),
    "bad_answer": (
        QT_TRANSLATE_NOOP("HubWords", "The hub's answer cannot be trusted"),
        (Way.RETRY, Way.NETWORK),
        "warning",
    ),
}


def fault_of(failed: Failed) -> Fault:
    """A refusal with what can be done about it."""
    from desktop.models.failure_text import translated_text

    title, ways, sign = _TITLES.get(
        failed.code,
        (QT_TRANSLATE_NOOP("HubWords", "The hub was asked in vain"), (Way.RETRY,), "warning"),
    )
    url = getattr(failed, "url", "")
    if not url:
        ways = tuple(way for way in ways if way is not Way.OPEN_PAGE)
    elif failed.code in ("gated", "gated_pending", "sign_in") and Way.OPEN_PAGE not in ways:
        ways = (*ways, Way.OPEN_PAGE)
    text = translated_text(failed.text)
    if seconds := min(getattr(failed, "retry_after", 0) or 0, 86_400 * 7):
        text = f"{text} {waiting_text(seconds)}"
    return Fault(translate("HubWords", title), text, ways, url, sign)


def offline_fault() -> Fault:
    """The user wants no network."""
    return Fault(
        translate("HubWords", "The library is offline"),
        translate(
            "HubWords",
            "You switched the network off. The starter list and what is installed are there all "
            "the same; to search the hub, go online.",
        ),
        (Way.GO_ONLINE,),
        icon="offline",
    )


def waiting_text(seconds: float) -> str:
    """When to try again."""
    if seconds < 90:
        return translate("HubWords", "It may be asked again in {count} s.").format(
            count=max(1, round(seconds))
        )
    if seconds < 5400:
        return translate("HubWords", "It may be asked again in {count} minutes.").format(
            count=round(seconds / 60)
        )
    return translate("HubWords", "It may be asked again in {count} hours.").format(
        count=round(seconds / 3600)
    )


def way_text(way: Way) -> str:
    """What its button says."""
    return {
        Way.GO_ONLINE: translate("HubWords", "Go online"),
        Way.SIGN_IN: translate("HubWords", "Sign in…"),
        Way.OPEN_PAGE: translate("HubWords", "Open its page…"),
        Way.NETWORK: translate("HubWords", "Network settings…"),
        Way.RETRY: translate("HubWords", "Try again"),
    }[way]
