"""What stands around a message's text: reasoning, siblings, toolbar, attachments, details."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.chats.chat import Attachment, Chat, MessageStatus, Role, Statistics
from desktop.views.dialogs import TextDialog
from desktop.views.transcript import thinking
from desktop.views.transcript.footer_line import unbroken
from desktop.views.transcript.message_details import MessageDetails, detail_rows
from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.transcript_view import TranscriptView
from tests.gui.transcript_kit import (
    LONG,
    button_named,
    canvas_of,
    choose,
    footer_of,
    frame_of,
    message,
    names,
    open_view,
    stepper_of,
    thought_of,
    toolbar_for,
)

THOUGHT = "The user wants *fire*.\n\n- ash\n- embers\n"
STREAMING = MessageStatus.STREAMING


@pytest.fixture
def view(qtbot: QtBot) -> TranscriptView:
    return open_view(qtbot)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock that stands still until it is put on."""
    now = [100.0]
    monkeypatch.setattr(thinking, "monotonic", lambda: now[0])

    def put_on(seconds: float) -> None:
        now[0] += seconds

    return put_on


# --- reasoning ---


def test_reasoning_is_folded_above_the_answer(view: TranscriptView) -> None:
    spent = Statistics(completion_tokens=9, reasoning_seconds=12.4)
    view.set_messages([message(1, content="Bank it.", reasoning=THOUGHT, statistics=spent)])
    bar = thought_of(view, 0)
    assert bar.text == "Thought for 12 s"
    assert view.plain_text() == "Bank it."
    bar.button.click()
    assert view.plain_text() == "The user wants fire.\n\n• ash\n• embers\n\nBank it."
    assert canvas_of(view).items[0].lead == len(canvas_of(view).items[0].parts) - 1
    bar.copy.click()
    assert QGuiApplication.clipboard().text() == THOUGHT
    bar.button.click()
    assert view.plain_text() == "Bank it."
    assert bar.copy.isHidden()


def test_reasoning_of_unknown_length(view: TranscriptView) -> None:
    view.set_messages([message(1, content="x", reasoning=THOUGHT)])
    assert thought_of(view, 0).text == "Thought"
    long = Statistics(reasoning_seconds=185.0)
    view.update_message(message(1, content="x", reasoning=THOUGHT, statistics=long))
    assert thought_of(view, 0).text == "Thought for 3 min 5 s"


def test_thinking_is_counted_while_it_is_seen(
    view: TranscriptView, clock: Callable[[float], None]
) -> None:
    view.set_messages([message(1, status=STREAMING)])
    assert frame_of(view, 0).around.thought is None
    view.append_reasoning("1", "Hm, ")
    bar = thought_of(view, 0)
    ticking = [bar.is_ticking]
    clock(12)
    view.append_reasoning("1", "let me see.")
    bar.show_item(canvas_of(view).items[0])
    assert bar.text == "Thinking… 12 s"
    view.hide()
    ticking.append(bar.is_ticking)
    view.show()
    ticking.append(bar.is_ticking)
    view.append_text("1", "Bank it.")
    clock(30)
    assert bar.text == "Thought for 12 s"
    assert [*ticking, bar.is_ticking] == [True, False, True, False]
    assert canvas_of(view).items[0].reasoning == "Hm, let me see."
    view.update_message(
        message(
            1,
            content="Bank it.",
            reasoning="Hm, let me see.",
            statistics=Statistics(reasoning_seconds=14.0),
        )
    )
    assert bar.text == "Thought for 14 s"


@pytest.mark.parametrize(
    "status", [MessageStatus.STOPPED, MessageStatus.INTERRUPTED, MessageStatus.FAILED]
)
def test_reasoning_that_broke_off_says_so(view: TranscriptView, status: MessageStatus) -> None:
    view.set_messages([message(1, status=status, reasoning=THOUGHT)])
    assert thought_of(view, 0).text == "Broke off while it was thinking"
    cut = Statistics(reasoning_seconds=7, finish_reason="length")
    view.update_message(message(1, reasoning=THOUGHT, statistics=cut))
    assert thought_of(view, 0).text == "Broke off after thinking for 7 s"


def test_reasoning_streams_into_its_ground(view: TranscriptView) -> None:
    view.set_messages([message(1, status=STREAMING)])
    view.append_reasoning("1", "One.")
    thought_of(view, 0).button.click()
    view.append_reasoning("1", "\n\n```\ntwo\n```\n")
    canvas_of(view).arrange()
    assert view.plain_text() == "One.\n\ntwo"
    view.append_text("1", "Three.")
    canvas_of(view).arrange()
    assert view.plain_text() == "One.\n\ntwo\n\nThree."
    item = canvas_of(view).items[0]
    assert item.thought_bottom < item.tops[2]


def test_folded_reasoning_costs_no_layout(view: TranscriptView) -> None:
    view.set_messages([message(1, status=STREAMING)])
    view.append_reasoning("1", "Hm. ")
    before = PartWidget.layouts
    for _ in range(200):
        view.append_reasoning("1", "And so on, and on.\n\n")
    assert PartWidget.layouts == before


def test_unfolding_leaves_the_line_where_it_is(view: TranscriptView) -> None:
    answers = [message(n, content=LONG, reasoning=LONG) for n in range(4)]
    view.set_messages(answers)
    canvas = canvas_of(view)
    canvas.scroll_to_message(2)
    y = frame_of(view, 2).y()
    thought_of(view, 2).button.click()
    assert frame_of(view, 2).y() == y
    thought_of(view, 2).button.click()
    assert frame_of(view, 2).y() == y


def test_what_is_unfolded_stays_so(view: TranscriptView) -> None:
    answers = [message(n, content="x", reasoning=THOUGHT) for n in range(3)]
    view.set_messages(answers)
    thought_of(view, 1).button.click()
    view.set_messages([*answers, message(9, Role.USER, "more")])
    assert [item.unfolded for item in canvas_of(view).items] == [False, True, False, False]


# --- siblings ---


def test_siblings_are_stepped_through(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages(
        [
            message(1, Role.USER, "Hi", siblings=("1", "5")),
            message(2, content="x", siblings=("0", "2", "3")),
            message(3, content="alone", siblings=("3",)),
        ]
    )
    assert frame_of(view, 2).around.stepper is None
    first, second = stepper_of(view, 0), stepper_of(view, 1)
    assert (first.text, second.text) == ("1/2", "2/3")
    assert [b.isEnabled() for b in first.buttons] == [False, True]
    with qtbot.waitSignal(view.sibling_requested, check_params_cb=lambda i, n: (i, n) == ("2", -1)):
        second.buttons[0].click()
    with qtbot.waitSignal(view.sibling_requested, check_params_cb=lambda i, n: (i, n) == ("1", 1)):
        first.buttons[1].click()


def test_a_step_leaves_the_question_where_it_is(view: TranscriptView) -> None:
    start = [message(n, content=LONG) for n in range(4)]
    view.set_messages(
        [*start, message("a", Role.USER, "one", siblings=("a", "b")), message("x", content=LONG)]
    )
    canvas = canvas_of(view)
    canvas.scroll_to_message(4)
    canvas.verticalScrollBar().setValue(canvas.verticalScrollBar().value() - 100)
    y = frame_of(view, 4).y()
    stepper_of(view, 4).buttons[1].click()
    other = message("b", Role.USER, "other", siblings=("a", "b"))
    view.set_messages([*start, other, message("y", content=LONG * 2)])
    assert canvas.items[4].content == "other"
    assert frame_of(view, 4).y() == y


# --- the toolbar ---


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("Edit…", "edit_requested"),
        ("Answer once more", "retry_requested"),
        ("Let it go on writing", "continue_requested"),
        ("Go on from here in a new tab", "fork_requested"),
        ("Delete", "delete_requested"),
    ],
)
def test_the_toolbar_asks_for_its_message(
    view: TranscriptView, qtbot: QtBot, name: str, signal: str
) -> None:
    view.set_messages([message(6, Role.USER, "Hi"), message(7, content="Text")])
    toolbar = toolbar_for(view, 1)
    wanted: SignalInstance = getattr(view, signal)
    with qtbot.waitSignal(wanted, check_params_cb=lambda i: i == "7"):
        choose(toolbar, name)


def test_several_answers_are_asked_for_by_number(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(7, content="Text")])
    button = button_named(toolbar_for(view, 0).buttons, "Several answers side by side")
    with qtbot.waitSignal(view.ways_requested, check_params_cb=lambda i, n: (i, n) == ("7", 3)):
        button.menu().actions()[1].trigger()


def test_nothing_moves_when_the_toolbar_comes(view: TranscriptView) -> None:
    view.set_messages([message(1, Role.USER, "Hi"), message(2, content="Text\n\n```\nx\n```")])
    before = [
        (f.geometry(), footer_of(view, 1).geometry()) for f in canvas_of(view).frames.values()
    ]
    layouts = PartWidget.layouts
    for index in (0, 1):
        toolbar = toolbar_for(view, index)
        assert toolbar.isVisible()
        assert frame_of(view, index).geometry().contains(toolbar.geometry())
    after = [(f.geometry(), footer_of(view, 1).geometry()) for f in canvas_of(view).frames.values()]
    assert after == before
    assert PartWidget.layouts == layouts


@pytest.mark.parametrize(("width", "fits"), [(300, False), (420, False), (900, True)])
def test_what_does_not_fit_is_in_a_menu(qtbot: QtBot, width: int, fits: bool) -> None:
    view = open_view(qtbot, width)
    spent = Statistics(completion_tokens=214, ttft=None if fits else 0.184)
    view.set_messages([message(1, content="x", statistics=spent, siblings=("1", "3"))])
    toolbar = toolbar_for(view, 0)
    for button in toolbar.buttons:
        assert button.toolTip() == button.accessibleName() != ""
    assert ("More to do with this message" not in names(toolbar.buttons)) == fits
    with qtbot.waitSignal(view.delete_requested):
        choose(toolbar, "Delete")
    port, footer = canvas_of(view).viewport(), footer_of(view, 0)
    assert port.rect().contains(toolbar.geometry())
    copy = footer.buttons[-1]
    assert toolbar.geometry().right() < copy.mapTo(port, QPoint()).x()


def test_only_what_makes_sense_is_offered_while_an_answer_comes(view: TranscriptView) -> None:
    view.set_messages(
        [
            message(1, Role.USER, "Hi", siblings=("0", "1")),
            message(2, content="Text", status=STREAMING),
        ]
    )
    enabled = [b.accessibleName() for b in toolbar_for(view, 0).buttons if b.isEnabled()]
    assert enabled == ["Copy", "Go on from here in a new tab"]
    assert not any(b.isEnabled() for b in stepper_of(view, 0).buttons)
    assert names(toolbar_for(view, 1).buttons) == ["Copy what there is so far"]
    view.update_message(message(2, content="Text"))
    assert all(b.isEnabled() for b in toolbar_for(view, 0).buttons)
    assert stepper_of(view, 0).buttons[0].isEnabled()


def test_the_toolbar_goes_with_the_pointer(view: TranscriptView) -> None:
    view.set_messages([message(1, Role.USER, "Hi"), message(2, content="Text")])
    canvas = canvas_of(view)
    for index in (1, 0):
        frame_of(view, index).entered.emit()
        assert frame_of(view, index).toolbar is canvas.lender.toolbar is not None
    canvas.lender.leave()
    assert canvas.lender.toolbar is None


# --- attachments ---


def test_attachments_are_opened_to_read(view: TranscriptView, qtbot: QtBot) -> None:
    files = (Attachment("a", "notes.txt", "line\n" * 400), Attachment("b", "x" * 200, "short"))
    view.set_messages([message(1, Role.USER, "See these", attachments=files)])
    chips = frame_of(view, 0).around.chips
    assert chips is not None
    first, second = chips.focus_stops()
    assert "notes.txt" in first.accessibleName()
    assert first.geometry().isValid()
    assert second.width() < 400
    bottom = chips.geometry().bottom()
    assert bottom < frame_of(view, 0).height()
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    dialog = view.findChild(TextDialog)
    assert isinstance(dialog, TextDialog)
    assert dialog.text.toPlainText() == files[0].content
    assert dialog.text.isReadOnly()
    dialog.close()


# --- details ---

SPENT = Statistics(
    prompt_tokens=812,
    completion_tokens=214,
    cached_tokens=640,
    ttft=0.184,
    seconds=4.91,
    decode_tps=61.27,
    finish_reason="stop",
    stop_string="###",
    reasoning_seconds=12.4,
    dropped_messages=3,
    run={
        "model": "/models/Small",
        "engine_version": "vllm 0.32.0",
        "dtype": "float16",
        "context": 32768,
        "seed": 7,
        "sampling": {"temperature": 0.7, "stop": ["###", "end"]},
    },
)


def test_details_say_what_is_known() -> None:
    rows = dict(detail_rows(message(1, content="x", statistics=SPENT)))
    assert rows["Model"] == "Small"
    assert rows["Ended"] == "It met the stop string “###”."
    assert rows["First token after"] == "0.18 s"
    assert rows["Thought for"] == "12.4 s"
    assert rows["Seed"] == "7"
    assert rows["temperature"] == "0.7"
    assert rows["stop"] == "###, end"
    assert "Quantization" not in rows
    assert "640" in rows["Prompt"]


def test_details_leave_out_what_is_not_known() -> None:
    assert detail_rows(message(1, content="x", model="/models/Small")) == [("Model", "Small")]


def test_details_are_copied_as_a_run_card(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="x", statistics=SPENT)])
    view.chat_source = lambda: Chat("chat", "About fires")
    choose(toolbar_for(view, 0), "Details")
    dialog = view.findChild(MessageDetails)
    assert isinstance(dialog, MessageDetails)
    shown = [label.text() for label in dialog.page.findChildren(QLabel)]
    assert "float16" in shown
    dialog.copy.click()
    card = QGuiApplication.clipboard().text()
    assert "About fires" in card
    assert "temperature: 0.7" in card
    dialog.close()


def test_the_footer_says_what_was_not_read_and_what_ended_it(view: TranscriptView) -> None:
    view.set_messages([message(1, content="x", statistics=SPENT)])
    text = footer_of(view, 0).text
    assert text.startswith("Ended at the stop string “###” · 214 tokens")
    assert "3 older message" in text


def test_figures_wrap_between_each_other_alone() -> None:
    text = "34 tokens · 9.8 tokens/s · first token 0.26 s"
    words = unbroken(text).split(" ")
    assert [word.replace("\u00a0", " ").replace("\u2060", "") for word in words] == [
        "34 tokens ·",
        "9.8 tokens/s ·",
        "first token 0.26 s",
    ]
    sentence = "It failed. There is no room left on the disk that holds the chats"
    assert unbroken(sentence) == sentence


def test_buttons_keep_their_size_where_a_tab_goes_to_another_pane(qtbot: QtBot) -> None:
    view = open_view(qtbot)
    view.set_messages([message(1, status=MessageStatus.STOPPED)])
    view.grab()
    (button,) = [b for b in footer_of(view, 0).buttons if b.text()]
    size = button.font().pointSizeF()
    assert size == theme.current().small
    pane = QWidget()
    qtbot.addWidget(pane)
    pane.show()
    view.setParent(pane)
    view.show()
    view.grab()
    assert button.font().pointSizeF() == size
    assert button.width() >= button.sizeHint().width()
