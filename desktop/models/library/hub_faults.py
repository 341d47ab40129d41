"""Why the hub did not answer, and what the user can do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.i18n import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from engine.store.hub.messages import Failed

translate = QCoreApplication.translate


class Way(Enum):
    """What a user can do about a fault."""

    GO_ONLINE = "go_online"
    SIGN_IN = "sign_in"
    OPEN_PAGE = "open_page"
    NETWORK = "network"
    NEWEST = "newest"
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
        QT_TRANSLATE_NOOP("HubFaults", "The library is offline"),
        (Way.GO_ONLINE,),
        "offline",
    ),
    "unreachable": (
        QT_TRANSLATE_NOOP("HubFaults", "The hub cannot be reached"),
        (Way.RETRY, Way.NETWORK),
        "offline",
    ),
    "timeout": (
        QT_TRANSLATE_NOOP("HubFaults", "The hub did not answer in time"),
        (Way.RETRY, Way.NETWORK),
        "offline",
    ),
    "proxy": (
        QT_TRANSLATE_NOOP("HubFaults", "The proxy does not let us through"),
        (Way.NETWORK, Way.RETRY),
        "offline",
    ),
    "certificate": (
        QT_TRANSLATE_NOOP("HubFaults", "The hub's certificate is not trusted"),
        (Way.NETWORK, Way.RETRY),
        "lock",
    ),
    "sign_in": (
        QT_TRANSLATE_NOOP("HubFaults", "The hub asks who you are"),
        (Way.SIGN_IN, Way.RETRY),
        "lock",
    ),
    "gated": (
        QT_TRANSLATE_NOOP("HubFaults", "Its licence must be accepted first"),
        (Way.OPEN_PAGE, Way.RETRY),
        "lock",
    ),
    "gated_pending": (
        QT_TRANSLATE_NOOP("HubFaults", "Your request is waiting for its author"),
        (Way.RETRY, Way.OPEN_PAGE),
        "lock",
    ),
    "not_found": (
        QT_TRANSLATE_NOOP("HubFaults", "There is no such model"),
        (),
        "search",
    ),
    "too_many_requests": (
        QT_TRANSLATE_NOOP("HubFaults", "The hub wants fewer requests"),
        (Way.RETRY,),
        "warning",
    ),
    "hub_broken": (
        QT_TRANSLATE_NOOP("HubFaults", "The hub has a fault"),
        (Way.RETRY,),
        "warning",
    ),
    "bad_answer": (
        QT_TRANSLATE_NOOP("HubFaults", "The hub's answer cannot be trusted"),
        (Way.RETRY, Way.NETWORK),
        "warning",
    ),
}


def fault_of(failed: Failed) -> Fault:
    """A refusal with what can be done about it."""
    from desktop.models.failure_text import translated_text

    title, ways, sign = _TITLES.get(
        failed.code,
        (QT_TRANSLATE_NOOP("HubFaults", "The hub was asked in vain"), (Way.RETRY,), "warning"),
    )
    url = getattr(failed, "url", "")
    if not url:
        ways = tuple(way for way in ways if way is not Way.OPEN_PAGE)
    elif failed.code in ("gated", "gated_pending", "sign_in") and Way.OPEN_PAGE not in ways:
        ways = (*ways, Way.OPEN_PAGE)
    text = translated_text(failed.text)
    if seconds := min(getattr(failed, "retry_after", 0) or 0, 86_400 * 7):
        text = f"{text} {waiting_text(seconds)}"
    return Fault(translate("HubFaults", title), text, ways, url, sign)


def offline_fault() -> Fault:
    """The user wants no network."""
    return Fault(
        translate("HubFaults", "The library is offline"),
        translate(
            "HubFaults",
            "You switched the network off. The starter list and what is installed are there all "
            "the same; to search the hub, go online.",
        ),
        (Way.GO_ONLINE,),
        icon="offline",
    )


def version_gone_fault(repo: str) -> Fault:
    """The commit that was asked for is not there (any more); the model may be."""
    return Fault(
        translate("HubFaults", "This version is not on the hub"),
        translate(
            "HubFaults",
            "{repo} does not have the commit that our list names: its author may have replaced "
            "it. The newest one is perhaps there.",
        ).format(repo=repo),
        (Way.NEWEST,),
        icon="search",
    )


def waiting_text(seconds: float) -> str:
    """When to try again."""
    if seconds < 90:
        return translate("HubFaults", "It may be asked again in {count} s.").format(
            count=max(1, round(seconds))
        )
    if seconds < 5400:
        return translate("HubFaults", "It may be asked again in {count} minutes.").format(
            count=round(seconds / 60)
        )
    return translate("HubFaults", "It may be asked again in {count} hours.").format(
        count=round(seconds / 3600)
    )


def way_text(way: Way) -> str:
    """What its button says."""
    return {
        Way.GO_ONLINE: translate("HubFaults", "Go online"),
        Way.SIGN_IN: translate("HubFaults", "Sign in…"),
        Way.OPEN_PAGE: translate("HubFaults", "Open its page…"),
        Way.NETWORK: translate("HubFaults", "Network settings…"),
        Way.NEWEST: translate("HubFaults", "Show the newest version"),
        Way.RETRY: translate("HubFaults", "Try again"),
    }[way]
