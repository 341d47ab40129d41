"""Every action of the window, declared apart from the widgets that show it.

One table says what an action is called, which keys it has and in which menu it stands;
the menus, the toolbar buttons and the tests all read it. Qt's standard keys come first,
so that the platform's own habits hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence

_Key = QKeySequence.StandardKey


class Menu(StrEnum):
    """The menus, in order."""

    FILE = "&File"
    CHAT = "&Chat"
    VIEW = "&View"
    HELP = "&Help"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """What an action is.

    Attributes:
        name: how the code calls it.
        text: the menu's text, with its access key; also the accessible name.
        menu: where it stands.
        keys: standard keys and texts like "Ctrl+B"; all of them work.
        tip: the status tip, if the text does not say it all.
        icon: a name of `views.icons`, or empty.
        group: actions of one group exclude each other.
        checkable: whether it is a switch.
        separator: whether a line stands above it.
    """

    name: str
    text: str
    menu: Menu
    keys: tuple[_Key | str, ...] = ()
    tip: str = ""
    icon: str = ""
    group: str = ""
    checkable: bool = False
    separator: bool = False


def _t(text: str) -> str:
    """Mark a text for translation; it is translated when the action is made."""
    return text


ACTIONS: Final = (
    ActionSpec("new_chat", _t("&New chat"), Menu.FILE, (_Key.New, _Key.AddTab), icon="plus"),
    ActionSpec("close_tab", _t("&Close tab"), Menu.FILE, ("Ctrl+W",), icon="close"),
    ActionSpec(
        "load_model",
        _t("&Load a model folder…"),
        Menu.FILE,
        (_Key.Open,),
        _t("Choose the folder of a model on this computer"),
        icon="folder",
        separator=True,
    ),
    ActionSpec(
        "unload_model",
        _t("&Unload the model"),
        Menu.FILE,
        (),
        _t("Give the model's memory back"),
    ),
    ActionSpec("quit", _t("&Quit"), Menu.FILE, (_Key.Quit, "Ctrl+Q"), separator=True),
    ActionSpec("focus_composer", _t("&Write a message"), Menu.CHAT, ("Ctrl+L",), icon="edit"),
    ActionSpec("stop", _t("&Stop the answer"), Menu.CHAT, ("Esc",), icon="stop"),
    ActionSpec("rename_chat", _t("&Rename…"), Menu.CHAT, ("F2",), separator=True),
    ActionSpec("delete_chat", _t("&Delete the chat"), Menu.CHAT, ("Ctrl+Shift+D",), icon="trash"),
    ActionSpec("next_tab", _t("Ne&xt tab"), Menu.CHAT, ("Ctrl+Tab", "Ctrl+PgDown"), separator=True),
    ActionSpec("previous_tab", _t("&Previous tab"), Menu.CHAT, ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
    ActionSpec("toggle_sidebar", _t("Show the &sidebar"), Menu.VIEW, ("Ctrl+B",), checkable=True),
    ActionSpec("find_chat", _t("&Find a chat"), Menu.VIEW, ("Ctrl+Shift+F",), icon="search"),
    ActionSpec(
        "theme_system",
        _t("Colours as the s&ystem"),
        Menu.VIEW,
        group="theme",
        checkable=True,
        separator=True,
    ),
    ActionSpec("theme_light", _t("&Light"), Menu.VIEW, group="theme", checkable=True),
    ActionSpec("theme_dark", _t("&Dark"), Menu.VIEW, group="theme", checkable=True),
    ActionSpec(
        "font_larger", _t("L&arger text"), Menu.VIEW, (_Key.ZoomIn, "Ctrl+="), separator=True
    ),
    ActionSpec("font_smaller", _t("S&maller text"), Menu.VIEW, (_Key.ZoomOut,)),
    ActionSpec("font_normal", _t("&Normal text"), Menu.VIEW, ("Ctrl+0",)),
    ActionSpec(
        "send_enter",
        _t("&Enter sends, Shift+Enter starts a new line"),
        Menu.VIEW,
        group="send",
        checkable=True,
        separator=True,
    ),
    ActionSpec(
        "send_ctrl_enter",
        _t("&Ctrl+Enter sends, Enter starts a new line"),
        Menu.VIEW,
        group="send",
        checkable=True,
    ),
    ActionSpec("show_log", _t("Engine &log"), Menu.HELP),
    ActionSpec("about", _t("&About Inglenook"), Menu.HELP, separator=True),
)


class Actions:
    """The window's QActions by name."""

    def __init__(self, parent: QObject, icon: Callable[[str], QIcon]) -> None:
        self._actions: dict[str, QAction] = {}
        groups: dict[str, QActionGroup] = {}
        self._icon = icon
        for spec in ACTIONS:
            action = QAction(_translated(spec.text), parent)
            action.setObjectName(spec.name)
            action.setShortcuts(list(_sequences(spec)))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.setCheckable(spec.checkable)
            if spec.tip:
                action.setStatusTip(_translated(spec.tip))
            if spec.group:
                group = groups.get(spec.group)
                if group is None:
                    group = groups[spec.group] = QActionGroup(parent)
                group.addAction(action)
            if spec.icon:
                action.setIconVisibleInMenu(False)
            self._actions[spec.name] = action
        self.refresh_icons()

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def refresh_icons(self) -> None:
        """Draw the icons again, after the theme changed."""
        for spec in ACTIONS:
            if spec.icon:
                self._actions[spec.name].setIcon(self._icon(spec.icon))

    def connect(self, name: str, slot: Callable[[], object]) -> None:
        """Call `slot()` when the action is triggered."""
        self._actions[name].triggered.connect(lambda _checked=False: slot())

    def in_menu(self, menu: Menu) -> Iterator[tuple[QAction, bool]]:
        """The actions of one menu, each with whether a line stands above it."""
        for spec in ACTIONS:
            if spec.menu is menu:
                yield self._actions[spec.name], spec.separator


def menu_title(menu: Menu) -> str:
    """A menu's title, translated."""
    return _translated(menu.value)


def _translated(text: str) -> str:
    return QCoreApplication.translate("Actions", text)


def _sequences(spec: ActionSpec) -> Iterator[QKeySequence]:
    seen: set[str] = set()
    for key in spec.keys:
        found = [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key)
        for sequence in found:
            text = sequence.toString()
            if text and text not in seen:
                seen.add(text)
                yield sequence
