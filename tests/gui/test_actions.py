"""Over the table of actions: nothing dead, nothing out of reach, no two of one key."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop.action_set import Actions, sequences
from desktop.actions import ACTIONS, Menu, Need
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_state import Phase
from desktop.views.icons import icon
from desktop.views.window.command_palette import CommandPalette
from desktop.views.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow

NAMES = [spec.name for spec in ACTIONS]


def menu_actions(open_window: OpenWindow) -> dict[str, QAction]:
    window = open_window("load_seconds=5").window
    menus = [action.menu() for action in window.menuBar().actions()]
    assert [menu.title() for menu in menus if isinstance(menu, QMenu)] == [m.value for m in Menu]
    found = [action for menu in menus if isinstance(menu, QMenu) for action in menu.actions()]
    return {action.objectName(): action for action in found if not action.isSeparator()}


def test_every_name_and_text_is_there_once() -> None:
    assert len(set(NAMES)) == len(NAMES)
    texts = [spec.text.replace("&", "") for spec in ACTIONS]
    assert len(set(texts)) == len(texts)
    for spec in ACTIONS:
        assert spec.text.count("&") == 1, spec.name


def test_no_two_actions_have_one_key() -> None:
    keys = Counter(key.toString() for spec in ACTIONS for key in sequences(spec))
    assert [key for key, count in keys.items() if count > 1] == []


def test_the_keys_in_the_readme_are_those_of_the_table() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    table = text.split("| key | does | key | does |")[1].split("\n\n")[0]
    told = set(re.findall(r"\b(?:(?:Ctrl|Alt|Shift)\+)*(?:F\d|[A-Z][a-z]*|,)(?=,? |$)", table))
    told = {key for key in told if "+" in key or re.fullmatch(r"F\d", key)} - {"Shift+Enter"}
    assert len(told) > 20
    assert told <= {key.toString() for spec in ACTIONS for key in sequences(spec)}


def test_no_two_actions_of_a_menu_have_one_access_key() -> None:
    for menu in Menu:
        letters = [
            spec.text[spec.text.index("&") + 1].lower() for spec in ACTIONS if spec.menu is menu
        ]
        double = [letter for letter, count in Counter(letters).items() if count > 1]
        assert double == [], menu
    titles = [menu.value[menu.value.index("&") + 1] for menu in Menu]
    assert len(set(titles)) == len(titles)


def test_every_action_stands_in_a_menu(open_window: OpenWindow) -> None:
    assert list(menu_actions(open_window)) == NAMES


def test_every_action_does_something(open_window: OpenWindow) -> None:
    window = open_window("load_seconds=5").window
    assert window.actions_by_name.unconnected() == []


def fired(open_window: OpenWindow) -> tuple[MainWindow, dict[str, QSignalSpy]]:
    """A window whose actions do nothing but count, all of them enabled."""
    window = open_window("load_seconds=5").window
    spies = {}
    for spec in ACTIONS:
        action = window.actions_by_name[spec.name]
        if spec.name != "palette":
            action.triggered.disconnect()
        action.setEnabled(True)
        spies[spec.name] = QSignalSpy(action.triggered)
    return window, spies


# Of menus, by the platform without a screen.
@pytest.mark.qt_log_ignore("does not support")
def test_every_action_is_reached_by_keyboard(open_window: OpenWindow, qtbot: QtBot) -> None:
    """By the letters of its menu, whether or not it has a key of its own."""
    from PySide6.QtTest import QTest

    window, spies = fired(open_window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT_MS)
    bar = window.menuBar()
    for spec in ACTIONS:
        bar.setFocus(Qt.FocusReason.MenuBarFocusReason)
        QTest.keyClick(bar, letter(spec.menu.value))
        menu = next(a.menu() for a in bar.actions() if a.text() == spec.menu.value)
        assert isinstance(menu, QMenu)
        qtbot.waitUntil(menu.isVisible, timeout=WAIT_MS)
        QTest.keyClick(menu, letter(spec.text))
        assert spies[spec.name].count() == 1, spec.name
        if spec.name == "palette":
            window.commands.show_palette()  # and away again


def letter(text: str) -> Qt.Key:
    """The access key of a text."""
    return Qt.Key(ord(text[text.index("&") + 1].upper()))


def test_every_action_is_found_and_run_in_the_palette(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    from PySide6.QtTest import QTest

    window, spies = fired(open_window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT_MS)
    for spec in ACTIONS:
        if spec.name == "palette":
            continue
        for other in ACTIONS:  # as the window would, for a chat that has it all
            window.actions_by_name[other.name].setEnabled(True)
        window.commands.show_palette()
        palette = window.findChild(CommandPalette)
        assert palette is not None
        QTest.keyClicks(palette.field, spec.text.replace("&", "").rstrip("…"))
        entry = palette.model.entry(0)
        assert entry is not None
        assert entry.id == spec.name
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        assert spies[spec.name].count() == 1, spec.name


def test_every_icon_is_there(open_window: OpenWindow) -> None:
    for spec in ACTIONS:
        if spec.icon:
            assert not icon(spec.icon).isNull()


@pytest.mark.parametrize("spec", ACTIONS, ids=NAMES)
def test_an_action_follows_its_need(spec: object, qapp: object) -> None:
    from PySide6.QtCore import QObject

    parent = QObject()
    actions = Actions(parent)
    assert spec in ACTIONS
    found = next(one for one in ACTIONS if one is spec)
    actions.connect(found.name, lambda: None)
    actions.enable([])
    assert actions[found.name].isEnabled() == (found.needs is Need.NOTHING)
    actions.enable(list(Need))
    assert actions[found.name].isEnabled()
    others = [one.name for one in ACTIONS if one is not found]
    assert not any(actions[name].isEnabled() for name in others)  # they do nothing


def test_what_can_be_done_follows_the_tab_in_front(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("tokens_per_second=60 load_seconds=0.05")
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    there = app.window.commands.there
    stop = app.window.actions_by_name["stop"]
    tab = app.window.area.current_tab()
    assert tab is not None
    assert Need.CHAT in there()
    assert not there() & {Need.MESSAGES, Need.ACTIVE, Need.ANSWER, Need.TABS, Need.PANES}
    tab.session.send("/long 2000")
    qtbot.waitUntil(stop.isEnabled, timeout=WAIT_MS)
    assert there() >= {Need.MESSAGES, Need.ACTIVE}
    assert not there() & {Need.AT_REST, Need.ANSWER}
    stop.trigger()
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].status is MessageStatus.STOPPED, timeout=WAIT_MS
    )
    qtbot.waitUntil(lambda: not stop.isEnabled(), timeout=WAIT_MS)
    assert there() >= {Need.AT_REST, Need.ANSWER}
    app.window.actions_by_name["close_tab"].trigger()
    assert Need.TAB not in there()
    assert not app.window.actions_by_name["close_tab"].isEnabled()


def test_keys_reach_their_action_from_the_composer(open_window: OpenWindow, qtbot: QtBot) -> None:
    """The editor has keys of its own; none of them may hide one of ours."""
    from PySide6.QtTest import QTest

    app = open_window("load_seconds=5")
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow, timeout=WAIT_MS)
    tab = app.window.area.current_tab()
    assert tab is not None
    hidden = []
    for spec in ACTIONS:
        action = app.window.actions_by_name[spec.name]
        action.triggered.disconnect()
        action.setEnabled(True)
        for sequence in sequences(spec):
            combination = sequence[0]  # type: ignore[index]
            if not combination.key() or sequence.toString() in ("New", "Open", "Zoom In"):
                continue
            if sequence.toString() in ("Zoom Out",):
                continue
            tab.focus_composer()
            spy = QSignalSpy(action.triggered)
            QTest.keyClick(tab.composer.editor, combination.key(), combination.keyboardModifiers())
            action.setEnabled(True)
            if spy.count() != 1:
                hidden.append((spec.name, sequence.toString()))
        action.setEnabled(False)
    assert hidden == []
