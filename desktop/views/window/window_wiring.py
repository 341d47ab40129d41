"""What each action of the window does: tables from an action's name to a method.

An action without a method is disabled, and a test says so; see `Actions.unconnected`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from desktop.action_set import Actions, menu_title
from desktop.actions import Menu
from desktop.views.sidebar.chat_list import ChatList
from desktop.views.tabs.chat_tab import ChatTab

if TYPE_CHECKING:
    from desktop.views.window.main_window import MainWindow

# Done by the tab in front.
OF_TAB: Final[Mapping[str, Callable[[ChatTab], object]]] = {
    "focus_composer": ChatTab.focus_composer,
    "attach_file": ChatTab.attach_file,
    "chat_settings": ChatTab.show_chat_settings,
    "edit_last": ChatTab.edit_last,
    "chat_model": ChatTab.choose_model,
    "answer_with": ChatTab.answer_with,
    "regenerate": ChatTab.regenerate,
    "continue_answer": ChatTab.continue_answer,
    "answer_ways": ChatTab.answer_ways,
    "previous_sibling": ChatTab.previous_sibling,
    "next_sibling": ChatTab.next_sibling,
    "fork_chat": ChatTab.fork_chat,
    "quote_selection": ChatTab.quote_selection,
    "message_details": ChatTab.message_details,
    "delete_last": ChatTab.delete_last,
}
# Done by the list of chats, with the chat in front.
OF_CHAT: Final[Mapping[str, Callable[[ChatList, str], object]]] = {
    "pin_chat": ChatList.pin_chat,
    "archive_chat": ChatList.archive_chat,
    "move_to_folder": ChatList.move_to_folder,
    "export_chat": ChatList.export_chat,
}
# Done by the list of chats.
OF_LIST: Final[Mapping[str, Callable[[ChatList], object]]] = {
    "show_bin": ChatList.show_bin,
    "export_all": ChatList.export_all,
    "import_chats": ChatList.import_chats,
}


def connect_actions(window: MainWindow, others: Mapping[str, Callable[[], object]]) -> None:
    """Connect every action: those of the tables above, and `others` by their names."""
    actions = window.actions_by_name
    for name, of_tab in OF_TAB.items():
        actions.connect(name, partial(_call_tab, window, of_tab))
    for name, of_chat in OF_CHAT.items():
        actions.connect(name, partial(_call_with_chat, window, of_chat))
    for name, of_list in OF_LIST.items():
        actions.connect(name, partial(of_list, window.chat_list))
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


def _call_tab(window: MainWindow, method: Callable[[ChatTab], object]) -> None:
    tab = window.area.current_tab()
    if tab is not None:
        method(tab)


def _call_with_chat(window: MainWindow, method: Callable[[ChatList, str], object]) -> None:
    tab = window.area.current_tab()
    if tab is not None and tab.session.chat_id:
        method(window.chat_list, tab.session.chat_id)
