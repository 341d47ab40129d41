"""The ledger: sorted, still under the mouse, and stopping from there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.models.monitor.ledger import Ledger, LedgerRow, State
from desktop.models.monitor.ledger_model import Column, LedgerModel
from desktop.views.monitor import ledger_view
from desktop.views.monitor.ledger_view import LedgerView
from tests.helpers.kv_scene import KvScene, busy_scene


class Desk:
    """A scene, and the rows of its ledger a quarter of a second from each other."""

    def __init__(self, scene: KvScene) -> None:
        self.scene = scene
        self.ledger = Ledger()
        self.at = 0.0

    def rows(self) -> tuple[LedgerRow, ...]:
        report = self.scene.report()
        self.at += 0.25
        picture = self.scene.books.take(report, self.scene.owners)
        return self.ledger.take(picture, report, self.at)


def three_chats() -> Desk:
    """One of 4, one of 2 and one of 3 blocks."""
    scene = KvScene(200)
    for number, words in ((1, 60), (2, 28), (3, 44)):
        scene.ask(number, words)
    return Desk(scene)


@pytest.fixture
def view(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> LedgerView:
    monkeypatch.setattr(ledger_view, "_ORDER_SECONDS", 0.0)
    # The pointer is wherever a test before has left it.
    monkeypatch.setattr(QWidget, "underMouse", lambda _widget: False)
    result = LedgerView()
    qtbot.addWidget(result)
    result.resize(900, 300)
    result.show()
    qtbot.waitExposed(result)
    return result


def numbers(model: LedgerModel) -> list[int]:
    return [row.owner.number for row in model.rows]


def place_of(view: LedgerView, row: int, column: Column) -> QPoint:
    return view.visualRect(view.ledger.index(row, column)).center()


def test_rows_say_what_a_chat_holds_and_does(qtmodeltester: ModelTester) -> None:
    desk = three_chats()
    model = LedgerModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    model.set_rows(desk.rows())
    desk.scene.grow(5)
    desk.scene.wait("request-3", is_preempted=True)
    model.set_rows(desk.rows())
    texts = [
        [model.index(at, column).data() for column in list(Column)[1:]]
        for at in range(model.rowCount())
    ]
    assert texts == [
        ["Sourdough, day three", "5", "20.0", "answers", "69", "5", "0 %", "–", "–"],
        ["Why is the sky blue?", "3", "20.0", "answers", "37", "5", "0 %", "–", "–"],
        ["Letter to the landlord", "0", "–", "sent back, waits", "53", "53", "–", "1", "1"],
    ]
    assert all(
        model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        for column in Column
    )
    stop = model.index(0, Column.STOP)
    assert stop.data(Qt.ItemDataRole.AccessibleTextRole) == "Stop Sourdough, day three"
    head, *rows = model.csv_rows()
    assert len(head) == len(rows[0])
    assert rows[0][:4] == ["1", "Sourdough, day three", "answers", "5"]


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
@pytest.mark.parametrize("column", list(Column))
def test_every_column_sorts_and_what_is_over_stays_below(
    qtmodeltester: ModelTester, column: Column, order: Qt.SortOrder
) -> None:
    desk = Desk(busy_scene(600, 9, over=3))
    model = LedgerModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    desk.rows()
    desk.scene.wait("request-1")
    desk.scene.wait("request-3", is_preempted=True)
    model.set_rows(desk.rows())
    kept = QPersistentModelIndex(model.index(4, Column.CHAT))
    whose = model.rows[4].key
    model.sort(column, order)
    assert model.rows[kept.row()].key == whose
    over = [row.state is State.OVER for row in model.rows]
    assert over == sorted(over)
    assert sum(over) == 3
    if column is Column.BLOCKS:
        falling = order is Qt.SortOrder.DescendingOrder
        blocks = [row.blocks for row in model.rows if row.state is not State.OVER]
        assert blocks == sorted(blocks, reverse=falling)


def test_rows_stay_where_they_are_while_they_may_not_move(qtmodeltester: ModelTester) -> None:
    desk = three_chats()
    model = LedgerModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    model.sort(Column.BLOCKS, Qt.SortOrder.DescendingOrder)
    model.set_rows(desk.rows())
    assert numbers(model) == [1, 3, 2]
    desk.scene.wait("request-1")
    desk.scene.ask(4, 300)
    desk.scene.end("request-3")
    model.set_rows(desk.rows(), may_move=False)
    assert numbers(model) == [1, 3, 2, 4]
    assert model.rows[1].state is State.OVER
    model.set_rows(desk.rows())
    assert numbers(model) == [4, 2, 1, 3]
    model.set_rows(())
    assert model.rowCount() == 0


def test_only_the_columns_that_changed_are_told(qtbot: QtBot) -> None:
    desk = three_chats()
    model = LedgerModel()
    model.set_rows(desk.rows())
    told: list[tuple[int, int, int]] = []
    model.dataChanged.connect(
        lambda first, last, _roles: told.append((first.column(), first.row(), last.row()))
    )
    model.set_rows(desk.rows())
    assert {column for column, _, _ in told} == {Column.SPEED}  # it is known now
    told.clear()
    model.set_rows(desk.rows())
    assert told == []
    desk.scene.grow(1)
    desk.scene.wait("request-2")
    model.set_rows(desk.rows())
    assert {column for column, _, _ in told} == {
        Column.BLOCKS,
        Column.SPEED,
        Column.STATE,
        Column.TOKENS,
        Column.REREADS,
        Column.SHARED,
        Column.QUEUE,
    }


def test_nothing_jumps_under_the_mouse(view: LedgerView, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = three_chats()
    view.sortByColumn(Column.BLOCKS, Qt.SortOrder.DescendingOrder)
    view.set_rows(desk.rows())
    assert numbers(view.ledger) == [1, 3, 2]
    monkeypatch.setattr(QWidget, "underMouse", lambda _widget: True)
    desk.scene.wait("request-1")
    view.set_rows(desk.rows())
    assert numbers(view.ledger) == [1, 3, 2]
    monkeypatch.setattr(QWidget, "underMouse", lambda _widget: False)
    view.set_rows(desk.rows())
    assert numbers(view.ledger) == [3, 2, 1]


def test_nothing_jumps_while_keys_are_pressed(
    view: LedgerView, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = three_chats()
    view.sortByColumn(Column.BLOCKS, Qt.SortOrder.DescendingOrder)
    view.set_rows(desk.rows())
    QTest.keyClick(view, Qt.Key.Key_Down)
    desk.scene.wait("request-1")
    view.set_rows(desk.rows())
    assert numbers(view.ledger) == [1, 3, 2]
    monkeypatch.setattr(ledger_view, "_REST_SECONDS", 0.0)
    view.set_rows(desk.rows())
    assert numbers(view.ledger) == [3, 2, 1]


def test_rows_change_places_by_themselves_only_now_and_then(
    view: LedgerView, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = three_chats()
    view.sortByColumn(Column.BLOCKS, Qt.SortOrder.DescendingOrder)
    view.set_rows(desk.rows())
    monkeypatch.setattr(ledger_view, "_ORDER_SECONDS", 1e9)
    desk.scene.wait("request-1")
    view.set_rows(desk.rows())
    assert numbers(view.ledger) == [1, 3, 2]


def test_a_click_stops_or_goes(view: LedgerView, qtbot: QtBot) -> None:
    desk = three_chats()
    view.set_rows(desk.rows())
    with qtbot.waitSignal(view.stop_requested) as stopped:
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, 1, Column.STOP)
        )
    assert stopped.args == [("request-2",)]
    with (
        qtbot.waitSignal(view.chat_activated) as gone,
        qtbot.assertNotEmitted(view.stop_requested),
    ):
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, 2, Column.BLOCKS)
        )
    assert gone.args == ["3"]


def test_the_keyboard_does_the_same(view: LedgerView, qtbot: QtBot) -> None:
    desk = three_chats()
    view.set_rows(desk.rows())
    view.setFocus()
    view.setCurrentIndex(view.ledger.index(0, Column.CHAT))
    with qtbot.waitSignal(view.chat_activated) as gone:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert gone.args == ["1"]
    QTest.keyClick(view, Qt.Key.Key_Left)
    with qtbot.waitSignal(view.stop_requested) as stopped:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert stopped.args == [("request-1",)]
    QTest.keyClick(view, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.stop_requested) as stopped:
        QTest.keyClick(view, Qt.Key.Key_Delete)
    assert stopped.args == [("request-2",)]


def test_what_is_over_cannot_be_stopped_and_is_grey(view: LedgerView, qtbot: QtBot) -> None:
    desk = three_chats()
    view.set_rows(desk.rows())
    desk.scene.end("request-1")
    view.set_rows(desk.rows())
    assert numbers(view.ledger) == [2, 3, 1]
    row = view.ledger.rows[2]
    assert view.ledger.state_text(row) == "64 cached"
    state = view.ledger.index(2, Column.STATE)
    assert state.data(Qt.ItemDataRole.AccessibleTextRole) == "over, 64 cached"
    tip = view.ledger.index(2, Column.STATE).data(Qt.ItemDataRole.ToolTipRole)
    assert "64 of its 64 tokens would be found in the cache" in tip
    with qtbot.assertNotEmitted(view.stop_requested):
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, 2, Column.STOP)
        )
    menu = view.menu_for(row)
    assert [action.isEnabled() for action in menu.actions()] == [True, False]
    menu = view.menu_for(view.ledger.rows[0])
    with qtbot.waitSignal(view.stop_requested) as stopped:
        menu.actions()[1].trigger()
    assert stopped.args == [("request-2",)]
    muted, text = theme.current().colour("muted"), theme.current().colour("text")
    image = view.viewport().grab().toImage()

    def has(at: int, colour: object) -> bool:
        rect = view.visualRect(view.ledger.index(at, Column.TOKENS))
        return any(
            image.pixelColor(x, y) == colour
            for x in range(rect.left(), rect.right())
            for y in range(rect.top(), rect.bottom())
        )

    assert has(0, text)
    assert has(2, muted)
    assert not has(2, text)


def test_the_row_that_is_pointed_at_is_told(view: LedgerView, qtbot: QtBot) -> None:
    view.set_rows(three_chats().rows())
    with qtbot.waitSignal(view.row_hovered) as hovered:
        QTest.mouseMove(view.viewport(), place_of(view, 1, Column.CHAT))
    assert hovered.args == [2]
    with qtbot.waitSignal(view.row_hovered) as hovered:
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert hovered.args == [0]


def test_it_is_as_high_as_its_rows_up_to_ten(view: LedgerView) -> None:
    view.set_rows(())
    empty = view.sizeHint().height()
    view.grab()  # says that there are none
    desk = Desk(busy_scene(4000, 64, over=0))
    view.set_rows(desk.rows())
    many = view.sizeHint().height()
    assert empty < many <= empty + 10 * view.verticalHeader().defaultSectionSize()
    assert not view.grab().isNull()


def test_a_column_never_changes_its_width_by_itself(view: LedgerView) -> None:
    desk = Desk(busy_scene(4000, 12))
    header = view.horizontalHeader()
    before = [header.sectionSize(column) for column in Column]
    for _ in range(3):
        desk.scene.grow(50)
        view.set_rows(desk.rows())
    assert [header.sectionSize(column) for column in Column] == before


def test_a_screen_reader_finds_the_stop_buttons(view: LedgerView) -> None:
    view.set_rows(three_chats().rows())
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface is not None
    assert interface.text(QAccessible.Text.Name) == "Ledger of the chats in the KV cache"
    names = {
        child.text(QAccessible.Text.Name)
        for at in range(interface.childCount())
        if (child := interface.child(at)) is not None
    }
    assert {"Stop Sourdough, day three", "answers", "Tokens/s"} <= names
