"""The dialog about a chat that is too long: who would go, what it brings, what may be done."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Attachment, Message, Role
from desktop.models.session.overflow import Overflow, OverflowChoice
from desktop.views.composing.overflow_dialog import OverflowDialog

DROPPED = (
    Message("1", "c", None, Role.USER, "How do\n\nI bake bread?"),
    Message("2", "c", "1", Role.ASSISTANT, "With flour. " * 100),
    Message("3", "c", "2", Role.USER, "", attachments=(Attachment("a", "log.txt", "x"),)),
)
TOO_LONG = Overflow(9211, 8192, 512, DROPPED, 7011, can_drop=True)
TIGHT = Overflow(8000, 8192, 512, (), 0, can_drop=False)


def shown(overflow: Overflow, qtbot: QtBot) -> tuple[OverflowDialog, list[object]]:
    dialog = OverflowDialog(overflow)
    qtbot.addWidget(dialog)
    chosen: list[object] = []
    dialog.chosen.connect(lambda choice, remember: chosen.append((choice, remember)))
    dialog.open()
    return dialog, chosen


def words(dialog: OverflowDialog) -> str:
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    rows = [dialog.messages.item(i).text() for i in range(dialog.messages.count())]
    return "\n".join([*labels, *rows])


def test_it_names_what_would_go_and_the_counts(qtbot: QtBot) -> None:
    dialog, _ = shown(TOO_LONG, qtbot)
    text = words(dialog)
    assert "9,211" in text
    assert "the oldest 3 messages" in text
    assert "7,011 of 8,192" in text
    assert "You: How do I bake bread?" in text
    assert "Model: With flour." in text
    assert "You: log.txt" in text
    assert not dialog.send_button.isVisible() or TOO_LONG.can_send_anyway
    assert dialog.focusWidget() is dialog.drop_button


@pytest.mark.parametrize(
    ("overflow", "button", "remember", "expected"),
    [
        (TOO_LONG, "drop_button", False, (OverflowChoice.DROP, False)),
        (TOO_LONG, "drop_button", True, (OverflowChoice.DROP, True)),
        (TOO_LONG, "stop_button", True, (OverflowChoice.STOP, True)),
        (TIGHT, "send_button", True, (OverflowChoice.SEND_ANYWAY, False)),
        (TIGHT, "stop_button", False, (OverflowChoice.STOP, False)),
    ],
)
def test_each_choice(
    qtbot: QtBot, overflow: Overflow, button: str, remember: bool, expected: object
) -> None:
    dialog, chosen = shown(overflow, qtbot)
    dialog.always.setChecked(remember)
    getattr(dialog, button).click()
    assert chosen == [expected]


def test_escape_sends_nothing_and_makes_no_rule(qtbot: QtBot) -> None:
    dialog, chosen = shown(TOO_LONG, qtbot)
    dialog.always.setChecked(True)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert chosen == [(OverflowChoice.STOP, False)]


def test_enter_takes_what_is_offered_first(qtbot: QtBot) -> None:
    dialog, chosen = shown(TOO_LONG, qtbot)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert chosen == [(OverflowChoice.DROP, False)]


def test_a_question_that_is_pointless_answers_nothing(qtbot: QtBot) -> None:
    dialog, chosen = shown(TOO_LONG, qtbot)
    dialog.withdraw()
    assert chosen == []


def test_thousands_of_messages_are_told_not_listed(qtbot: QtBot) -> None:
    many = tuple(Message(str(i), "c", None, Role.USER, "x") for i in range(10_000))
    dialog, _ = shown(Overflow(99_999, 8192, 512, many, 100, can_drop=True), qtbot)
    assert dialog.messages.count() == 2001
    assert "8,000 more" in words(dialog)


@pytest.mark.parametrize("overflow", [TOO_LONG, TIGHT])
def test_every_control_has_a_name(qtbot: QtBot, overflow: Overflow) -> None:
    dialog, _ = shown(overflow, qtbot)
    nameless = [
        type(widget).__name__
        for widget in dialog.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and not widget.accessibleName()
    ]
    assert nameless == []
