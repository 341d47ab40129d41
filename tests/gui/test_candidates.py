"""Several answers side by side, one of which is taken."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from desktop.chats.chat import MessageStatus, Statistics
from desktop.views.elided_label import ElidedLabel
from desktop.views.tabs.candidates_view import CandidatesView
from desktop.views.transcript.part_widget import PartWidget
from tests.gui.transcript_kit import (
    LONG,
    button_named,
    canvas_of,
    focus,
    footer_of,
    message,
    names,
    toolbar_for,
)

STREAMING = MessageStatus.STREAMING
_LEAST_WIDTH = 300


def open_candidates(qtbot: QtBot, count: int, width: int = 1300) -> CandidatesView:
    view = CandidatesView()
    qtbot.addWidget(view)
    view.resize(width, 600)
    view.set_candidates([message(n, status=STREAMING) for n in range(1, count + 1)])
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    return view


def uses(view: CandidatesView) -> list[QPushButton]:
    return [b for b in view.findChildren(QPushButton) if b.accessibleName().startswith("Use")]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_answers_stream_side_by_side(qtbot: QtBot, count: int) -> None:
    view = open_candidates(qtbot, count)
    for number in range(1, count + 1):
        view.append_reasoning(str(number), "Hm.")
        view.append_text(str(number), f"Answer *{number}*.")
    assert [page.plain_text() for page in view.views] == [
        f"Answer {n}." for n in range(1, count + 1)
    ]
    lefts = [page.mapTo(view, page.rect().topLeft()).x() for page in view.views]
    assert lefts == sorted(set(lefts))
    view.update_message(
        message(2, content="Answer *2*.", statistics=Statistics(completion_tokens=4))
    )
    assert footer_of(view.views[1], 0).text == "4 tokens"
    with pytest.raises(KeyError):
        view.append_text("9", "x")


def test_one_is_taken_with_its_button(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 3)
    with qtbot.waitSignal(view.picked, check_params_cb=lambda i: i == "2"):
        uses(view)[1].click()


@pytest.mark.parametrize(
    ("keys", "picked"),
    [
        ([Qt.Key.Key_Return], "1"),
        ([Qt.Key.Key_3, Qt.Key.Key_Return], "3"),
        ([Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Enter], "2"),
        ([Qt.Key.Key_Left, Qt.Key.Key_Return], "3"),
        ([Qt.Key.Key_2, Qt.Key.Key_Space], "2"),
        ([Qt.Key.Key_4, Qt.Key.Key_Return], "1"),
    ],
)
def test_one_is_taken_by_keyboard(qtbot: QtBot, keys: list[Qt.Key], picked: str) -> None:
    view = open_candidates(qtbot, 3)
    view.setFocus()
    with qtbot.waitSignal(view.picked, check_params_cb=lambda i: i == picked):
        for key in keys:
            QTest.keyClick(focus(), key)


def test_keys_work_from_within_an_answer(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 2)
    canvas_of(view.views[0]).focus_message(0, Qt.FocusReason.TabFocusReason)
    QTest.keyClick(focus(), Qt.Key.Key_2)
    assert view.current == 1
    assert focus() is uses(view)[1]


def test_what_is_not_taken_yet_is_only_read(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 2)
    view.update_message(message(1, content="A", siblings=("1", "2")))
    view.update_message(message(2, content="B", status=MessageStatus.STOPPED))
    page = view.views[0]
    assert footer_of(page, 0).stepper is None
    assert names(footer_of(view.views[1], 0).buttons) == ["Copy this answer"]
    assert names(toolbar_for(page, 0).buttons) == ["Details"]
    entries = canvas_of(page).make_menu(canvas_of(page).rect().center()).actions()
    assert "Delete" not in [entry.text() for entry in entries]


def test_each_is_stopped_for_itself(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 2)
    with qtbot.waitSignal(view.stop_requested, check_params_cb=lambda i: i == "2"):
        button_named(footer_of(view.views[1], 0).buttons, "Stop").click()


def test_where_it_is_narrow_one_is_shown_at_a_time(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 3, width=560)
    assert view.is_narrow
    assert [page.isVisible() for page in view.views] == [True, False, False]
    layouts = PartWidget.layouts
    view.append_text("2", LONG)
    assert PartWidget.layouts == layouts
    (tabs,) = view.findChildren(QTabBar)
    assert tabs.isVisible()
    tabs.setCurrentIndex(1)
    assert [page.isVisible() for page in view.views] == [False, True, False]
    view.resize(1200, 600)
    assert all(page.isVisible() for page in view.views)
    assert not tabs.isVisible()
    assert view.current == 1


def test_four_that_do_not_fit_in_a_row_stand_in_two(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 4, width=940)
    assert not view.is_narrow
    assert all(page.isVisible() for page in view.views)
    corners = [page.mapTo(view, page.rect().topLeft()) for page in view.views]
    assert corners[0].y() == corners[1].y() < corners[2].y() == corners[3].y()
    assert corners[0].x() == corners[2].x() < corners[1].x() == corners[3].x()
    assert {page.width() for page in view.views} <= set(range(460, 480))
    view.resize(1300, 600)
    qtbot.waitUntil(lambda: len({page.mapTo(view, page.pos()).y() for page in view.views}) == 1)
    assert all(page.width() > _LEAST_WIDTH for page in view.views)


def test_the_same_answers_keep_their_place(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 2)
    view.set_current(1)
    pages = view.views
    view.set_candidates([message(1, content="A"), message(2, content="B")])
    assert view.views == pages
    assert [page.plain_text() for page in pages] == ["A", "B"]
    assert view.current == 1


def test_another_question_brings_other_answers(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 4)
    view.set_current(3)
    view.set_candidates([message("a", content="A"), message("b", content="B")])
    assert [page.plain_text() for page in view.views] == ["A", "B"]
    assert view.current == 0
    view.set_candidates([])
    assert view.views == []
    QTest.keyClick(view, Qt.Key.Key_Return)


def test_whatever_takes_the_focus_has_a_name(qtbot: QtBot) -> None:
    view = open_candidates(qtbot, 4)
    for widget in view.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            assert widget.accessibleName(), widget


def test_long_model_names_give_way_and_columns_stay_even(qtbot: QtBot) -> None:
    view = CandidatesView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    models = ("Short", "SmolLM2-135M-Instruct.Q4_1-747cb1f01955-and-a-good-deal-more-of-it")
    view.set_candidates(
        [message(n, content="Yes.", model=model) for n, model in enumerate(models, 1)]
    )
    view.show()
    titles = view.findChildren(ElidedLabel)
    buttons = uses(view)
    qtbot.waitUntil(lambda: titles[1].shown() != titles[1].text())
    assert titles[1].text().endswith(models[1])
    assert "…" in titles[1].shown()
    assert titles[0].shown() == titles[0].text()
    assert abs(view.views[0].width() - view.views[1].width()) <= 2
    for title, button in zip(titles, buttons, strict=True):
        assert title.geometry().right() < button.geometry().left()
