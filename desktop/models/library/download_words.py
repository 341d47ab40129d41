"""What the window says of downloads."""

from __future__ import annotations

import time

from PySide6.QtCore import QCoreApplication

from desktop.chats.names import name_from
from desktop.models.failure_text import translated_text
from desktop.models.library.download_view import (
    MOST_PARTS,
    DownloadState,
    DownloadTotal,
    DownloadView,
)
from desktop.models.loading.size_text import size_text
from desktop.models.number_text import whole
from desktop.models.quantizing.quantize_words import duration_text

translate = QCoreApplication.translate
_LONGEST_WAIT = 365 * 24 * 3600.0  # s; more is no time that anybody waits


def title_text(view: DownloadView) -> str:
    """What is downloaded."""
    name = name_from(view.repo)
    return f"{name} · {name_from(view.variant)}" if view.variant else name


def wait_text(seconds: float) -> str:
    """A time to wait or to go, roughly."""
    return duration_text(min(max(0.0, seconds), _LONGEST_WAIT))


def state_text(view: DownloadView) -> str:
    """What it is doing, in a few words."""
    match view.state:
        case DownloadState.QUEUED:
            return translate("Downloads", "Waits for its turn")
        case DownloadState.PAUSED:
            return translate("Downloads", "Paused")
        case DownloadState.FAILED:
            return translate("Downloads", "Not finished")
        case DownloadState.DONE:
            return translate("Downloads", "Installed")
    return {
        "": translate("Downloads", "Starting"),
        "resolving": translate("Downloads", "Asking what there is"),
        "downloading": translate("Downloads", "Downloading"),
        "waiting": translate("Downloads", "Waiting"),
        "paused": translate("Downloads", "Paused"),
        "verifying": translate("Downloads", "Checking every byte"),
        "finishing": translate("Downloads", "Putting it in place"),
    }.get(view.phase, translate("Downloads", "Downloading"))


def reason_text(view: DownloadView) -> str:
    """Why it does not go on, and what helps; "": it goes on."""
    if view.state is DownloadState.FAILED:
        if view.code == "died":
            return translate(
                "Downloads",
                "The download ended without a word: it was killed, or memory ran out. What has "
                "come is kept; try again.",
            )
        text = translated_text(name_from(view.text))
        return text or translate("Downloads", "Nobody knows why. Try again.")
    if view.is_waiting:
        reason = translated_text(name_from(view.text))
        left = view.waits_until - time.monotonic() if view.waits_until else view.wait
        if left >= 1:
            again = translate("Downloads", "Tried again in {time}.").format(time=wait_text(left))
            return f"{reason} {again}".strip()
        return reason
    return ""


def figures_text(view: DownloadView) -> str:
    """How much has come, how fast, and how long it takes yet."""
    if view.state is DownloadState.DONE:
        return size_text(view.total or view.done) if view.total or view.done else ""
    parts = []
    if view.total and not view.done:
        parts.append(size_text(view.total))
    elif view.total:
        parts.append(
            translate("Downloads", "{done} of {total}").format(
                done=size_text(min(view.done, view.total)), total=size_text(view.total)
            )
        )
    elif view.done:
        parts.append(size_text(view.done))
    if view.state is DownloadState.RUNNING and view.phase == "downloading":
        if view.speed > 0:
            parts.append(speed_text(view.speed))
        if view.seconds_left is not None:
            parts.append(left_text(view.seconds_left))
    if view.files > 1 and view.state is DownloadState.RUNNING:
        parts.append(
            translate("Downloads", "{done} of {count} files").format(
                done=whole(min(view.files_done, view.files)), count=whole(view.files)
            )
        )
    return " · ".join(parts)


def speed_text(speed: float) -> str:
    """Bytes per second."""
    return translate("Downloads", "{size}/s").format(size=size_text(int(min(speed, MOST_PARTS))))


def left_text(seconds: float) -> str:
    """How long it takes yet."""
    return translate("Downloads", "{time} left").format(time=wait_text(seconds))


def total_text(total: DownloadTotal) -> str:
    """All downloads in a line; "": there is none."""
    parts = []
    if total.running:
        parts.append(translate("Downloads", "%n running", "", total.running))
    if total.queued:
        parts.append(translate("Downloads", "%n waiting", "", total.queued))
    if total.paused:
        parts.append(translate("Downloads", "%n paused", "", total.paused))
    if total.failed:
        parts.append(translate("Downloads", "%n not finished", "", total.failed))
    if total.is_active and total.size:
        parts.append(
            translate("Downloads", "{done} of {total}").format(
                done=size_text(total.have), total=size_text(total.size)
            )
        )
    if total.speed > 0:
        parts.append(speed_text(total.speed))
        if total.seconds_left is not None:
            parts.append(left_text(total.seconds_left))
    if not parts and total.done:
        parts.append(translate("Downloads", "%n installed", "", total.done))
    return " · ".join(parts)


def badge_text(total: DownloadTotal) -> str:
    """All downloads in the status bar; "" when none is under way."""
    if not total.is_active:
        return ""
    if total.size:
        percent = whole(int(100 * min(1.0, total.have / total.size)))
        return translate("Downloads", "{count} downloading: {percent} %").format(
            count=whole(total.running + total.queued), percent=percent
        )
    return translate("Downloads", "{count} downloading").format(
        count=whole(total.running + total.queued)
    )


def spoken_text(view: DownloadView) -> str:
    """One download for a screen reader: what it is, how far, and why it does not go on."""
    parts = (title_text(view), state_text(view), figures_text(view), reason_text(view))
    return ", ".join(part for part in parts if part)
