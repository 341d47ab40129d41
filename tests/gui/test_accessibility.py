"""Every window and dialog, as a screen reader and a keyboard see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.chats.chat import MessageStatus
from desktop.crash_report import CrashReport
from desktop.engine_link.engine_state import Phase
from desktop.models.lists.search_filters import SearchFilters
from desktop.views.composing.overflow_dialog import OverflowDialog
from desktop.views.dialogs import LinkDialog, TextDialog
from desktop.views.sidebar.bin_dialog import BinDialog
from desktop.views.sidebar.search_dates import DatesDialog
from desktop.views.tabs.chat_tab import ChatTab
from tests.gui.conftest import WAIT_MS, OpenWindow

MAX_DEPTH = 60
# Actions that open a dialog of ours. The file dialogs are Qt's.
DIALOGS = [
    "settings",
    "show_bin",
    "export_chat",
    "export_all",
    "import_chats",
    "chat_settings",
    "message_details",
    "about",
    "show_log",
    "recent_models",
]


def interfaces(widget: QWidget) -> Iterator[QAccessibleInterface]:
    """What a screen reader finds below a widget, itself included."""
    root = QAccessible.queryAccessibleInterface(widget)
    assert root is not None
    waiting = [(root, 0)]
    while waiting:
        one, depth = waiting.pop()
        yield one
        if depth < MAX_DEPTH:
            for index in range(one.childCount()):
                child = one.child(index)
                if child is not None and child.isValid():
                    waiting.append((child, depth + 1))


def nameless(widget: QWidget) -> list[str]:
    """What can have the focus and has no name."""
    found = []
    for one in interfaces(widget):
        state = one.state()
        if state.focusable and not state.invisible and not one.text(QAccessible.Text.Name).strip():
            thing = one.object()
            parent = thing.parent() if thing is not None else None
            found.append(f"{one.role().name} {type(thing).__name__} in {type(parent).__name__}")
    return found


def tab_of(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


@pytest.fixture
def app(open_window: OpenWindow, qtbot: QtBot) -> Inglenook:
    """A window with an answered chat in front and another behind it."""
    app = open_window("tokens_per_second=3000 load_seconds=0.05")
    app.window.resize(1200, 800)
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    tab = tab_of(app)
    tab.session.send("/long 120")
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].status is MessageStatus.COMPLETE, timeout=WAIT_MS
    )
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: app.window.area.count() == 2, timeout=WAIT_MS)
    app.window.area.setCurrentWidget(tab)
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow, timeout=WAIT_MS)
    return app


def dialogs() -> list[QWidget]:
    return [
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, QDialog) and widget.isVisible()
    ]


def test_everything_in_the_window_has_a_name(app: Inglenook) -> None:
    assert nameless(app.window) == []


def test_everything_in_a_split_window_has_a_name(app: Inglenook) -> None:
    app.window.actions_by_name["split_right"].trigger()
    assert nameless(app.window) == []
    names = [pane.accessibleName() for pane in app.window.area.panes()]
    assert names == ["Pane 1 of 2", "Pane 2 of 2"]


def test_everything_in_the_palette_has_a_name(app: Inglenook) -> None:
    app.window.actions_by_name["palette"].trigger()
    assert nameless(app.window) == []


@pytest.mark.parametrize("name", DIALOGS)
def test_everything_in_a_dialog_has_a_name(app: Inglenook, qtbot: QtBot, name: str) -> None:
    before = set(map(id, dialogs()))
    action = app.window.actions_by_name[name]
    assert action.isEnabled()
    action.trigger()
    qtbot.waitUntil(lambda: any(id(one) not in before for one in dialogs()), timeout=WAIT_MS)
    (dialog,) = [one for one in dialogs() if id(one) not in before]
    assert dialog.windowTitle()
    assert nameless(dialog) == []
    dialog.activateWindow()
    qtbot.waitUntil(lambda: dialog.focusWidget() is not None, timeout=WAIT_MS)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not any(id(one) not in before for one in dialogs()), timeout=WAIT_MS)


@pytest.mark.parametrize("name", ["rename_chat", "move_to_folder"])
def test_everything_that_asks_for_a_name_has_one(
    app: Inglenook, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """These wait for their answer: they are looked at instead."""
    asked: list[QDialog] = []

    def look(dialog: QInputDialog) -> int:
        dialog.open()
        assert dialog.windowTitle()
        assert nameless(dialog) == []
        asked.append(dialog)
        dialog.reject()
        return 0

    monkeypatch.setattr(QInputDialog, "exec", look)
    tab = tab_of(app)
    app.hub.store.set_folder(tab.session.chat_id, "Work")  # so that there is one to choose
    app.hub.refresh()
    model = app.window.chat_list.model
    qtbot.waitUntil(lambda: model.folders() == ["Work"], timeout=WAIT_MS)
    app.window.actions_by_name[name].trigger()
    assert len(asked) == 1


def test_everything_in_the_search_has_a_name(app: Inglenook, qtbot: QtBot) -> None:
    app.window.actions_by_name["search"].trigger()
    field = app.window.chat_list.filter
    QTest.keyClicks(field, "block")
    model = app.window.chat_list.search_panel().model
    qtbot.waitUntil(lambda: model.is_complete and model.first_hit() is not None, timeout=WAIT_MS)
    assert nameless(app.window) == []
    dialog = DatesDialog(SearchFilters(), app.window)
    dialog.open()
    assert dialog.windowTitle()
    assert nameless(dialog) == []
    dialog.reject()


def test_everything_in_the_bin_has_a_name(app: Inglenook, qtbot: QtBot) -> None:
    """With a chat in it, and the question before it is erased."""
    app.window.actions_by_name["delete_chat"].trigger()
    qtbot.waitUntil(lambda: app.window.area.count() == 1, timeout=WAIT_MS)
    assert nameless(app.window) == []  # with the offer to undo it
    app.window.actions_by_name["show_bin"].trigger()
    qtbot.waitUntil(lambda: bool(app.window.findChildren(BinDialog)), timeout=WAIT_MS)
    (dialog,) = app.window.findChildren(BinDialog)
    qtbot.waitUntil(lambda: dialog.list.count() == 1, timeout=WAIT_MS)
    dialog.list.selectAll()
    assert nameless(dialog) == []
    dialog.erase.click()
    (box,) = dialog.findChildren(QMessageBox)
    assert box.windowTitle()
    assert nameless(box) == []
    box.reject()
    dialog.reject()


def test_everything_about_attachments_has_a_name(app: Inglenook, qtbot: QtBot) -> None:
    tab = tab_of(app)
    tab.composer.offer.attach("a text that goes along\n" * 20)
    (attachment,) = tab.composer.attachments
    assert nameless(app.window) == []
    tab.attaching._show_attachment(attachment)
    (viewer,) = tab.findChildren(TextDialog)
    assert viewer.windowTitle() == attachment.name
    assert nameless(viewer) == []
    viewer.reject()
    tab.session.send("/echo read it", tab.composer.attachments)
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].content == "read it" and not tab.session.state.is_active,
        timeout=WAIT_MS,
    )
    tab.grab()
    assert nameless(app.window) == []  # with the chip below the message


def test_everything_among_answers_to_choose_from_has_a_name(app: Inglenook, qtbot: QtBot) -> None:
    session = tab_of(app).session
    app.window.actions_by_name["answer_ways"].trigger()
    qtbot.waitUntil(lambda: len(session.candidates) == 4, timeout=WAIT_MS)
    assert nameless(app.window) == []  # while they come
    qtbot.waitUntil(lambda: not session.state.is_active, timeout=WAIT_MS)
    app.window.grab()
    assert nameless(app.window) == []
    app.window.resize(700, 700)  # one at a time
    app.window.grab()
    assert nameless(app.window) == []


def test_everything_about_a_chat_that_is_too_long_has_a_name(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window("tokens_per_second=3000 load_seconds=0.05 context=400")
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    tab = tab_of(app)
    for number in range(3):
        tab.session.send(f"/echo {'word ' * 40}{number}")
        qtbot.waitUntil(
            lambda n=number: (  # type: ignore[misc]
                len(tab.session.messages) == 2 * n + 2 and not tab.session.state.is_active
            ),
            timeout=WAIT_MS,
        )
    tab.session.send("word " * 90)
    qtbot.waitUntil(lambda: bool(tab.findChildren(OverflowDialog)), timeout=WAIT_MS)
    dialog = tab.findChildren(OverflowDialog)[-1]
    assert dialog.windowTitle()
    assert nameless(dialog) == []
    dialog.reject()
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    assert nameless(app.window) == []  # with the notice that tells of it


@pytest.mark.parametrize(
    "make",
    [
        lambda window: LinkDialog("https://example.org/a?b=c", window),
        lambda window: LinkDialog("file:///etc/passwd", window),
        lambda window: TextDialog("Log", "The last lines.", "text", window),
    ],
    ids=["link", "refused link", "text"],
)
def test_everything_in_a_small_dialog_has_a_name(
    app: Inglenook, make: Callable[[QWidget], QDialog]
) -> None:
    dialog = make(app.window)
    dialog.open()
    assert dialog.windowTitle()
    assert nameless(dialog) == []
    dialog.reject()


def test_tab_goes_everywhere_and_comes_back(app: Inglenook) -> None:
    """No trap, and nothing visible is left out."""
    window = app.window
    tab_of(app).focus_composer()
    visited: list[QWidget] = []
    for _ in range(200):
        widget = QApplication.focusWidget()
        assert widget is not None
        if widget in visited:
            break
        visited.append(widget)
        assert window.isAncestorOf(widget), widget
        assert widget.isVisible()
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    else:
        pytest.fail("the focus never comes back")
    assert QApplication.focusWidget() is visited[0]
    wanted = {app.window.chat_list.new_button, tab_of(app).composer.editor}
    assert wanted <= set(visited)


def test_the_focus_stays_where_one_writes_when_the_banner_goes(
    app: Inglenook, qtbot: QtBot
) -> None:
    app.window.actions_by_name["unload_model"].trigger()
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.IDLE, timeout=WAIT_MS)
    banner = app.window.banner
    qtbot.waitUntil(lambda: bool(banner.buttons()), timeout=WAIT_MS)
    banner.buttons()[0].setFocus()
    app.client.load(str(app._folders.data))
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.LOADING, timeout=WAIT_MS)
    assert app.window.focusWidget() in (*banner.buttons(), tab_of(app).composer.editor)
    qtbot.waitUntil(lambda: banner.isHidden(), timeout=WAIT_MS)
    assert app.window.focusWidget() is tab_of(app).composer.editor


def test_a_fault_of_the_program_is_told_accessibly(
    app: Inglenook, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[QDialog] = []
    monkeypatch.setattr(TextDialog, "exec", lambda self: shown.append(self))
    app.window.show_crash(CrashReport("summary", "details"))
    assert nameless(shown[0]) == []
