"""Panes: split, move, close, too small a window, and that they come back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QDrag, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitter, QToolButton
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.actions import Need
from desktop.app import Inglenook
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_state import Phase
from desktop.models.session.session_state import SessionState
from desktop.pane_layout import Split, panes
from desktop.views.tabs.chat_tab import ChatTab
from desktop.views.tabs.split_area import SplitArea
from desktop.views.tabs.tab_area import Drop, TabArea, Zone, _DropHint
from desktop.views.tabs.tab_bar import TAB_MIME, TabBar
from tests.gui.conftest import WAIT_MS, OpenWindow

SLOW = "load_seconds=5"


def with_tabs(open_window: OpenWindow, qtbot: QtBot, count: int, script: str = SLOW) -> Inglenook:
    """A window of `count` tabs, each with a word in its composer."""
    app = open_window(script)
    app.window.resize(1400, 900)
    while (open_ones := app.window.area.count()) < count:
        current(app).composer.set_text(f"draft {open_ones}")
        current(app).session.touch_draft()
        current(app).session.save_draft()
        app.window.actions_by_name["new_chat"].trigger()
        qtbot.waitUntil(lambda n=open_ones: app.window.area.count() == n + 1, timeout=WAIT_MS)  # type: ignore[misc]
    return app


def current(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


def shape(area: SplitArea) -> list[int]:
    return [pane.count() for pane in area.panes()]


def test_the_tab_in_front_moves_into_a_new_pane(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 3)
    area, tab = app.window.area, current(app)
    app.window.actions_by_name["split_right"].trigger()
    assert shape(area) == [2, 1]
    assert current(app) is tab
    assert app.window.focusWidget() is tab.composer.editor
    first, second = area.panes()
    assert first.isVisible()
    assert second.isVisible()
    assert abs(first.width() - second.width()) < 20
    app.window.actions_by_name["focus_previous_pane"].trigger()
    assert area.current_pane is first
    assert app.window.focusWidget() is current(app).composer.editor
    app.window.actions_by_name["move_to_next_pane"].trigger()
    assert shape(area) == [1, 2]
    app.window.actions_by_name["close_pane"].trigger()
    assert shape(area) == [3]
    assert not app.window.actions_by_name["close_pane"].isEnabled()


def test_the_only_tab_stays_beside_a_new_chat(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 1)
    tab = current(app)
    app.window.actions_by_name["split_down"].trigger()
    qtbot.waitUntil(lambda: shape(app.window.area) == [1, 1], timeout=WAIT_MS)
    above, below = app.window.area.panes()
    assert above.current_tab() is tab
    assert below.current_tab() is current(app)
    assert above.mapTo(app.window, QPoint()).y() < below.mapTo(app.window, QPoint()).y()


def test_the_last_tab_takes_its_pane_with_it(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 2)
    app.window.actions_by_name["split_right"].trigger()
    app.window.actions_by_name["close_tab"].trigger()
    assert shape(app.window.area) == [1]
    assert Need.PANES not in app.window.commands.there()


def test_four_panes_and_no_more(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 5)
    actions, area = app.window.actions_by_name, app.window.area
    actions["split_right"].trigger()
    actions["focus_previous_pane"].trigger()
    actions["split_down"].trigger()
    actions["focus_previous_pane"].trigger()
    actions["split_right"].trigger()
    assert shape(area) == [2, 1, 1, 1]
    assert not actions["split_right"].isEnabled()
    assert area.open_pane(area.panes()[0], Zone.RIGHT) is area.panes()[0]
    names = [pane.accessibleName() for pane in area.panes()]
    assert names == [f"Pane {n} of 4" for n in range(1, 5)]


def test_a_focus_anywhere_in_a_pane_makes_it_the_current_one(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = with_tabs(open_window, qtbot, 2)
    area = app.window.area
    app.window.actions_by_name["split_right"].trigger()
    first, second = area.panes()
    other = first.current_tab()
    assert other is not None
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow, timeout=WAIT_MS)
    with qtbot.waitSignal(area.tabs_changed):
        other.composer.editor.setFocus()
    assert area.current_pane is first
    assert app.window.windowTitle().startswith(other.session.title)
    assert second.tabBar().property("pane") == "back"
    assert not first.tabBar().property("pane")
    look = theme.current()
    assert underline_of(first) == look.colour("accent")
    assert underline_of(second) == look.colour("line")
    area.step_pane(1)
    assert underline_of(first) == look.colour("line")
    assert underline_of(second) == look.colour("accent")


def underline_of(pane: TabArea) -> QColor:
    bar = pane.tabBar()
    place = bar.tabRect(bar.currentIndex())
    return bar.grab().toImage().pixelColor(place.center().x(), place.bottom())


def drop_event(pane: TabArea, position: QPoint) -> QDropEvent:
    return QDropEvent(
        QPointF(position),
        Qt.DropAction.MoveAction,
        QMimeData(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )


def test_a_tab_is_dropped_where_the_pointer_says(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 3)
    area = app.window.area
    pane = area.panes()[0]
    wide, high = pane.width(), pane.height()
    middle = QPoint(wide // 2, high // 2)
    assert pane.zone_at(middle, only=False) is Zone.HERE
    assert pane.zone_at(QPoint(wide - 5, high // 2), only=False) is Zone.RIGHT
    assert pane.zone_at(QPoint(5, high // 2), only=False) is Zone.LEFT
    assert pane.zone_at(QPoint(wide // 2, high - 5), only=False) is Zone.BELOW
    assert pane.zone_at(QPoint(wide // 2, 60), only=False) is Zone.ABOVE
    assert pane.zone_at(QPoint(wide - 5, high // 2), only=True) is Zone.HERE
    pane.dropEvent(drop_event(pane, middle))  # not one of our tabs: nothing

    tabs = area.tabs()
    area.accept_drop(tabs[0], Drop(pane, Zone.LEFT))
    assert shape(area) == [1, 2]
    assert area.panes()[0].current_tab() is tabs[0]
    area.accept_drop(tabs[2], Drop(area.panes()[0], Zone.HERE, 0))
    assert area.panes()[0].tabs() == [tabs[2], tabs[0]]
    area.accept_drop(tabs[1], Drop(area.panes()[0], Zone.HERE))
    assert shape(area) == [3]
    assert area.tabs() == [tabs[2], tabs[0], tabs[1]]
    area.accept_drop(tabs[1], Drop(pane, Zone.HERE))  # that pane is gone by now
    assert shape(area) == [3]


def test_panes_and_their_sizes_come_back(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 3)
    area = app.window.area
    app.window.actions_by_name["split_right"].trigger()
    app.window.actions_by_name["focus_previous_pane"].trigger()
    app.window.actions_by_name["split_down"].trigger()
    app.window.actions_by_name["focus_next_pane"].trigger()
    app.window.actions_by_name["toggle_sidebar"].trigger()
    app.window.resize(790, 590)  # the offscreen screen has 800
    area._root.setSizes([330, 460])
    left = app.window.session()
    assert isinstance(left.panes, Split)
    front = current(app).session.chat_id
    app.window.close()
    app.close()

    again = open_window(SLOW, wait=False)
    # Killed before they are there, nothing is forgotten.
    assert again.window.session().panes == left.panes
    qtbot.waitUntil(lambda: again.window.area.count() == 3, timeout=WAIT_MS)
    assert shape(again.window.area) == [1, 1, 1]
    assert current(again).session.chat_id == front
    found = again.window.session()
    assert found.open_tabs == left.open_tabs
    assert isinstance(found.panes, Split)
    assert [one.tabs for one in panes(found.panes)] == [one.tabs for one in panes(left.panes)]
    first, second = found.panes.sizes
    assert first / second == pytest.approx(left.panes.sizes[0] / left.panes.sizes[1], rel=0.1)


def test_a_pane_whose_chats_are_gone_does_not_come_back(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = with_tabs(open_window, qtbot, 2)
    app.window.actions_by_name["split_right"].trigger()
    gone = current(app).session.chat_id
    app.window.close()
    app.store.delete_chat(gone).result(timeout=10)
    app.close()
    again = open_window(SLOW)
    qtbot.waitUntil(lambda: shape(again.window.area) == [1], timeout=WAIT_MS)


def test_a_small_window_shows_the_current_pane_alone(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 2)
    area = app.window.area
    app.window.actions_by_name["split_right"].trigger()
    sizes = area.layout_now()
    app.window.resize(640, 500)
    first, second = area.panes()
    qtbot.waitUntil(lambda: not first.isVisible(), timeout=WAIT_MS)
    assert second.isVisible()
    corner = second.cornerWidget()
    assert isinstance(corner, QToolButton)
    assert corner.text() == "2/2"
    assert area.layout_now() == sizes  # as they will be in a larger window
    app.window.actions_by_name["focus_next_pane"].trigger()
    assert first.isVisible()
    assert not second.isVisible()
    assert app.window.focusWidget() is current(app).composer.editor
    other = second.current_tab()
    assert other is not None
    area.setCurrentWidget(other)
    assert second.isVisible()
    app.window.resize(1400, 900)
    qtbot.waitUntil(lambda: first.isVisible() and second.isVisible(), timeout=WAIT_MS)
    assert first.cornerWidget() is None
    assert second.cornerWidget() is None


def test_every_pane_streams(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 2, "tokens_per_second=400 load_seconds=0.05")
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    app.window.actions_by_name["split_right"].trigger()
    tabs = app.window.area.front_tabs()
    assert len(tabs) == 2
    for tab in tabs:
        assert tab.session.send("/long 60")
    qtbot.waitUntil(
        lambda: all(tab.session.state is SessionState.STREAMING for tab in tabs), timeout=WAIT_MS
    )
    qtbot.waitUntil(
        lambda: all(tab.session.messages[-1].status is MessageStatus.COMPLETE for tab in tabs),
        timeout=WAIT_MS,
    )


def test_no_splitter_is_left_over(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 4)
    area, actions = app.window.area, app.window.actions_by_name
    for _ in range(3):
        actions["split_right"].trigger()
        actions["focus_previous_pane"].trigger()
        actions["split_down"].trigger()
        while len(area.panes()) > 1:
            actions["close_pane"].trigger()
        assert shape(area) == [4]
    qtbot.waitUntil(lambda: len(area.findChildren(QSplitter)) <= 2, timeout=WAIT_MS)


def test_a_tab_pulled_out_of_the_strip_goes_where_it_is_let_go(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_tabs(open_window, qtbot, 3)
    area = app.window.area
    pane = area.panes()[0]
    bar = pane.tabBar()
    assert isinstance(bar, TabBar)
    first = area.tabs()[0]

    def let_go(drag: QDrag, _action: object) -> Qt.DropAction:
        assert drag.mimeData().hasFormat(TAB_MIME)
        bar.drops.append(Drop(pane, Zone.RIGHT))
        return Qt.DropAction.MoveAction

    monkeypatch.setattr(QDrag, "exec", let_go)
    start = bar.tabRect(0).center()
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    assert area.current_tab() is first
    send_move(bar, start + QPoint(0, 10))  # still within reach of the strip
    assert shape(area) == [3]
    send_move(bar, start + QPoint(0, 120))
    assert shape(area) == [2, 1]
    assert area.panes()[1].current_tab() is first
    assert area.current_tab() is first


def send_move(bar: TabBar, position: QPoint) -> None:
    """The pointer moves with the left button down."""
    event = QMouseEvent(
        QMouseEvent.Type.MouseMove,
        QPointF(position),
        QPointF(bar.mapToGlobal(position)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    bar.mouseMoveEvent(event)


def test_where_a_tab_would_go_is_shown(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = with_tabs(open_window, qtbot, 2)
    pane = app.window.area.panes()[0]
    bar = pane.tabBar()
    assert isinstance(bar, TabBar)
    hint = _DropHint(pane)
    for zone in Zone:
        hint.show_zone(zone)
        assert pane.rect().contains(hint.geometry())
        assert hint.isVisible()
    half = pane.width() // 2
    hint.show_zone(Zone.LEFT)
    assert hint.geometry().right() < half
    assert not hint.grab().isNull()
