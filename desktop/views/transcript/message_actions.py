"""What one can do with a message: one list for its toolbar, its menus and the keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from desktop.chats.chat import Message, MessageStatus, Role
from desktop.views import icons

WAYS: Final = (2, 3, 4)  # so many answers side by side are offered


@dataclass(frozen=True, slots=True)
class MessageAction:
    """One thing to do with a message.

    `name` is what the transcript is told; `choices` are numbers to choose from, if it
    takes one, with their labels.
    """

    name: str
    icon: str
    text: str
    enabled: bool = True
    choices: tuple[tuple[int, str], ...] = ()


def actions_for(message: Message, *, busy: bool) -> list[MessageAction]:
    """What one can do with `message`, most wanted first.

    `busy`: an answer of this chat is on its way; what would change the chat waits.
    """
    translate = QCoreApplication.translate
    if message.status.is_active:
        if not message.content:
            return []
        return [
            MessageAction("copy", "copy", translate("MessageActions", "Copy what there is so far"))
        ]
    is_answer = message.role == Role.ASSISTANT
    free = not busy
    actions = [
        MessageAction("copy", "copy", translate("MessageActions", "Copy")),
        MessageAction("edit", "edit", translate("MessageActions", "Edit…"), free),
    ]
    again = (
        translate("MessageActions", "Answer once more")
        if is_answer
        else translate("MessageActions", "Answer this message")
    )
    actions.append(MessageAction("retry", "retry", again, free))
    if is_answer and message.status != MessageStatus.FAILED:
        actions.append(MessageAction("continue", "continue", _continue_text(), free))
    actions += [
        MessageAction(
            "fork", "branch", translate("MessageActions", "Go on from here in a new tab")
        ),
        MessageAction(
            "ways",
            "columns",
            translate("MessageActions", "Several answers side by side"),
            free,
            tuple(
                (n, translate("MessageActions", "{count} answers").format(count=n)) for n in WAYS
            ),
        ),
    ]
    if is_answer:
        words = translate("MessageActions", "Answer again with another model…")
        actions.append(MessageAction("other_model", "cpu", words, free))
        actions.append(MessageAction("details", "info", translate("MessageActions", "Details")))
    actions.append(MessageAction("delete", "trash", translate("MessageActions", "Delete"), free))
    return actions


def _continue_text() -> str:
    return QCoreApplication.translate("MessageActions", "Let it go on writing")


def add_to_menu(
    menu: QMenu, actions: list[MessageAction], act: Callable[[str, int], object]
) -> None:
    """Put `actions` into a menu; `act` is called with the name and the number chosen, or 0."""
    for action in actions:
        icon = icons.icon(action.icon, "muted")
        if action.choices:
            below = menu.addMenu(icon, action.text)
            below.setEnabled(action.enabled)
            add_choices(below, action, act)
            continue
        entry = menu.addAction(icon, action.text)
        entry.setEnabled(action.enabled)
        entry.triggered.connect(lambda _checked=False, name=action.name: act(name, 0))


def add_choices(menu: QMenu, action: MessageAction, act: Callable[[str, int], object]) -> None:
    """Put the numbers that an action takes into a menu."""
    for number, label in action.choices:
        entry = menu.addAction(label)
        entry.triggered.connect(lambda _checked=False, n=number: act(action.name, n))
