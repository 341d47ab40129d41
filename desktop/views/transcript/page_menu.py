"""The menu of the page: what one can do with a link, a selection and a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from desktop.chats.chat import Message
from desktop.views import icons
from desktop.views.transcript.message_actions import add_to_menu

if TYPE_CHECKING:
    from desktop.views.transcript.pointer import ReadingCanvas


def page_menu(
    canvas: ReadingCanvas,
    *,
    link: str,
    has_selection: bool,
    message: Message | None,
    act: Callable[[str, int], object],
) -> QMenu:
    """What one can do.

    Args:
        link: the address under the pointer or with the focus, or nothing.
        has_selection: whether text is selected; it may be a whole long chat, so it is read
            only when it is wanted.
        message: the one under the pointer, with its texts as they stand.
        act: called with what to do with the message, and the number chosen or 0.
    """
    translate = QCoreApplication.translate
    clipboard = QGuiApplication.clipboard()
    menu = QMenu(canvas)
    if link:
        menu.addAction(
            translate("PageMenu", "Open link…"), lambda: canvas.link_activated.emit(link)
        )
        menu.addAction(translate("PageMenu", "Copy link address"), lambda: clipboard.setText(link))
        menu.addSeparator()
    copy = menu.addAction(icons.icon("copy", "muted"), translate("PageMenu", "Copy"), canvas.copy)
    copy.setEnabled(has_selection)
    if message is not None:
        text = message.content
        menu.addAction(
            translate("PageMenu", "Copy message as Markdown"), lambda: clipboard.setText(text)
        )
        if message.reasoning:
            thought = message.reasoning
            menu.addAction(
                translate("PageMenu", "Copy what it thought"), lambda: clipboard.setText(thought)
            )
        quote = menu.addAction(
            icons.icon("quote", "muted"),
            translate("PageMenu", "Quote in your reply"),
            lambda: canvas.quoted.emit(canvas.selected_text() or text),
        )
        quote.setEnabled(has_selection or bool(text.strip()))
    menu.addAction(translate("PageMenu", "Select all"), canvas.select_all)
    if message is not None:
        actions = [action for action in canvas.offered(message) if action.name != "copy"]
        if actions:
            menu.addSeparator()
            add_to_menu(menu, actions, act)
    return menu
