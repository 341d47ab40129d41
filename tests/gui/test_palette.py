"""The command palette: everything by keyboard, the likeliest first, and the focus goes back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.actions import ACTIONS
from desktop.app import Inglenook
from desktop.chats.chat import ChatSummary
from desktop.models.lists.palette_model import Entry, EntryKind, PaletteModel, PaletteRole
from desktop.views.window.command_palette import CommandPalette
from tests.gui.conftest import WAIT_MS, OpenWindow

ENTRIES = [
    Entry(EntryKind.ACTION, "new_chat", "New chat", "File", "Ctrl+N"),
    Entry(EntryKind.ACTION, "settings", "Settings…", "File", "Ctrl+,"),
    Entry(EntryKind.CHAT, "id1", "News of the week"),
    Entry(EntryKind.CHAT, "id2", "A letter to Ada", "Letters"),
]


def texts(model: PaletteModel) -> list[str]:
    return [model.index(row).data() for row in range(model.rowCount())]


def test_all_is_listed_until_something_is_typed(qtmodeltester: ModelTester) -> None:
    model = PaletteModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    model.set_entries(ENTRIES)
    assert texts(model) == [entry.text for entry in ENTRIES]
    model.set_query("new")
    assert texts(model) == ["New chat", "News of the week"]
    assert model.index(0).data(PaletteRole.PLACES) == (0, 1, 2)
    model.set_query("zzz")
    assert model.rowCount() == 0
    assert model.entry(0) is None


def test_what_was_chosen_lately_comes_first() -> None:
    model = PaletteModel()
    model.set_entries(ENTRIES)
    model.note_use(ENTRIES[3])
    model.set_query("")
    assert texts(model)[0] == "New chat" or texts(model)[0] == "A letter to Ada"
    assert texts(model).index("A letter to Ada") < 3


def test_a_reader_hears_the_place_and_the_keys() -> None:
    model = PaletteModel()
    model.set_entries(ENTRIES)
    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "New chat, File, Ctrl+N"


def test_of_ten_thousand_chats_the_best_are_shown() -> None:
    model = PaletteModel()
    chats = [Entry(EntryKind.CHAT, str(n), f"Chat about thing {n} and more") for n in range(10_000)]
    model.set_entries(chats)
    for query in ("c", "ch", "chat 77", "cat"):
        model.set_query(query)
    assert model.rowCount() == 100


def palette_of(app: Inglenook, qtbot: QtBot) -> CommandPalette:
    QTest.keyClick(app.window.focusWidget(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = app.window.findChild(CommandPalette)
    assert palette is not None
    qtbot.waitUntil(palette.isVisible, timeout=WAIT_MS)
    return palette


def active(app: Inglenook, qtbot: QtBot) -> QWidget:
    """The window has the focus; the widget that has it."""
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow, timeout=WAIT_MS)
    tab = app.window.area.current_tab()
    assert tab is not None
    tab.focus_composer()
    editor: QWidget = tab.composer.editor
    assert editor.hasFocus()
    return editor


def test_it_opens_over_the_composer_and_gives_the_focus_back(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window("load_seconds=5")
    editor = active(app, qtbot)
    assert app.window.findChild(CommandPalette) is None  # built when first asked for
    palette = palette_of(app, qtbot)
    assert palette.field.hasFocus()
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert palette.isHidden()
    assert editor.hasFocus()
    palette_of(app, qtbot)
    app.window.actions_by_name["palette"].trigger()
    assert palette.isHidden()
    assert editor.hasFocus()


def test_a_command_is_run_by_keyboard_alone(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=5")
    active(app, qtbot)
    palette = palette_of(app, qtbot)
    QTest.keyClicks(palette.field, "dark")
    entry = palette.model.entry(0)
    assert entry is not None
    assert entry.id == "theme_dark"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isHidden()
    assert theme.current().name == "dark"
    palette_of(app, qtbot)
    assert palette.field.text() == ""
    entry = palette.model.entry(0)
    assert entry is not None
    assert entry.id == "theme_dark"  # used last
    assert entry.checked


def test_the_arrows_go_round(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=5")
    active(app, qtbot)
    palette = palette_of(app, qtbot)
    last = palette.model.rowCount() - 1
    for key, row in [
        (Qt.Key.Key_Up, last),
        (Qt.Key.Key_Down, 0),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_PageDown, 10),
        (Qt.Key.Key_PageUp, 1),
        (Qt.Key.Key_Tab, 2),
    ]:
        QTest.keyClick(palette.field, key)
        assert palette.view.currentIndex().row() == row
        assert palette.field.hasFocus()
    QTest.keyClicks(palette.field, "qqqq")
    assert palette.nothing.isVisible()
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_a_chat_is_found_by_its_title(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=5")
    chat = app.store.create_chat(title="A letter to Ada").result(timeout=10)
    app.hub.refresh()
    qtbot.waitUntil(lambda: len(app.window.chats) == 2, timeout=WAIT_MS)
    active(app, qtbot)
    palette = palette_of(app, qtbot)
    QTest.keyClicks(palette.field, "ada")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: app.window.area.tab_of(chat.id) is not None, timeout=WAIT_MS)


def test_only_what_can_be_done_is_offered(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=5")
    active(app, qtbot)
    palette = palette_of(app, qtbot)
    rows = [palette.model.entry(row) for row in range(palette.model.rowCount())]
    offered = {entry.id for entry in rows if entry is not None and entry.kind == EntryKind.ACTION}
    enabled = {spec.name for spec in ACTIONS if app.window.actions_by_name[spec.name].isEnabled()}
    assert offered == enabled - {"palette"}
    assert "stop" not in offered


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_titles_of_every_script_are_drawn(open_window: OpenWindow, qtbot: QtBot, name: str) -> None:
    app = open_window("load_seconds=5")
    app.window.change(theme=name)
    palette = CommandPalette(app.window)
    titles = ["שלום עולם", "مرحبا بالعالم", "日本語のタイトル", "👩‍👩‍👧 family", "x" * 300]
    chats = [ChatSummary(str(n), title, n, 0.0) for n, title in enumerate(titles)]
    palette.open_with(app.window.actions_by_name, chats)
    palette.field.setText("ل")
    picture: QPixmap = palette.grab()
    assert not picture.isNull()
    assert palette.model.rowCount() == 1
