"""What each action of the window does: tables from an action's name to a method.

An action without a method is disabled, and a test says so; see `Actions.unconnected`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from desktop.action_set import Actions, menu_title
from desktop.actions import Menu
from desktop.views.chat_list import ChatList
from desktop.views.chat_tab import ChatTab

if TYPE_CHECKING:
    from desktop.views.main_window import MainWindow

# Methods of the tab in front, called without arguments.
OF_TAB: Final = (
    "focus_composer",
    "attach_file",
    "chat_settings",
    "edit_last",
    "regenerate",
    "continue_answer",
    "answer_ways",
    "previous_sibling",
    "next_sibling",
    "fork_chat",
    "quote_selection",
    "message_details",
    "delete_last",
)
# Methods of the list of chats, called with the id of the chat in front.
OF_CHAT: Final = ("pin_chat", "archive_chat", "move_to_folder", "export_chat")
# Methods of the list of chats, called without arguments.
OF_LIST: Final = ("show_bin", "export_all", "import_chats")
# Where the method is called otherwise than the action.
METHODS: Final = {"chat_settings": "show_chat_settings"}


def connect_actions(window: MainWindow, others: Mapping[str, Callable[[], object]]) -> None:
    """Connect every action: those of the tables above, and `others` by their names."""
    actions = window.actions_by_name
    for name in OF_TAB:
        method = METHODS.get(name, name)
        if hasattr(ChatTab, method):
            actions.connect(name, partial(_call_tab, window, method))
    for name in OF_CHAT:
        if hasattr(ChatList, name):
            actions.connect(name, partial(_call_with_chat, window, name))
    for name in OF_LIST:
        if hasattr(ChatList, name):
            actions.connect(name, getattr(window.chat_list, name))
    for name, slot in others.items():
        actions.connect(name, slot)


def build_menus(window: MainWindow, actions: Actions) -> None:
    """The menu bar; the window has the actions too, so that their keys work without it."""
    for which in Menu:
        menu = window.menuBar().addMenu(menu_title(which))
        for action, separator in actions.in_menu(which):
            if separator:
                menu.addSeparator()
            menu.addAction(action)
    window.addActions(list(actions))


def _call_tab(window: MainWindow, method: str) -> None:
    tab = window.area.current_tab()
    if tab is not None:
        getattr(tab, method)()


def _call_with_chat(window: MainWindow, method: str) -> None:
    tab = window.area.current_tab()
    if tab is not None and tab.session.chat_id:
        getattr(window.chat_list, method)(tab.session.chat_id)
