"""The window's QActions, made from the table in `actions`.

They bear no icons: menus show none, and the palette draws its own when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from desktop.actions import ACTIONS, ActionSpec, Menu, Need


class Actions:
    """The window's QActions by name."""

    def __init__(self, parent: QObject) -> None:
        self._actions: dict[str, QAction] = {}
        self._connected: set[str] = set()
        groups: dict[str, QActionGroup] = {}
        for spec in ACTIONS:
            action = QAction(_translated(spec.text), parent)
            action.setObjectName(spec.name)
            action.setShortcuts(list(sequences(spec)))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.setCheckable(spec.checkable)
            if spec.tip:
                action.setStatusTip(_translated(spec.tip))
            if spec.group:
                group = groups.get(spec.group)
                if group is None:
                    group = groups[spec.group] = QActionGroup(parent)
                group.addAction(action)
            self._actions[spec.name] = action

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def connect(self, name: str, slot: Callable[[], object]) -> None:
        """Call `slot()` when the action is triggered."""
        self._connected.add(name)
        self._actions[name].triggered.connect(lambda _checked=False: slot())

    def enable(self, there: Collection[Need]) -> None:
        """Enable exactly those actions whose need is among `there`, and that do something."""
        for spec in ACTIONS:
            enabled = spec.name in self._connected and (
                spec.needs is Need.NOTHING or spec.needs in there
            )
            self._actions[spec.name].setEnabled(enabled)

    def unconnected(self) -> list[str]:
        """Names of actions that do nothing; a finished window has none."""
        return [spec.name for spec in ACTIONS if spec.name not in self._connected]

    def in_menu(self, menu: Menu) -> Iterator[tuple[QAction, bool]]:
        """The actions of one menu, each with whether a line stands above it."""
        for spec in ACTIONS:
            if spec.menu is menu:
                yield self._actions[spec.name], spec.separator


def menu_title(menu: Menu) -> str:
    """A menu's title, translated."""
    return _translated(menu.value)


def sequences(spec: ActionSpec) -> Iterator[QKeySequence]:
    """All keys of an action on this platform, each once."""
    seen: set[str] = set()
    for key in spec.keys:
        found = [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key)
        for sequence in found:
            text = sequence.toString()
            if text and text not in seen:
                seen.add(text)
                yield sequence


def _translated(text: str) -> str:
    return QCoreApplication.translate("Actions", text)
