"""The field one writes in: keys, growth, large texts, nothing changed on the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.views.composer import LONG_LINE, Composer, cut_long_lines, without_soft_breaks


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    result = Composer()
    qtbot.addWidget(result)
    result.resize(600, 300)
    result.show()
    return result


def paste(composer: Composer, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    data.setHtml(f"<b>{len(text)}</b>")
    composer.editor.insertFromMimeData(data)


def sent_by(composer: Composer, qtbot: QtBot, modifier: Qt.KeyboardModifier) -> bool:
    sent: list[str] = []
    composer.send_requested.connect(sent.append)
    composer.set_text("x")
    QTest.keyClick(composer.editor, Qt.Key.Key_Return, modifier)
    composer.send_requested.disconnect(sent.append)
    return bool(sent)


NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


def test_enter_sends_and_shift_enter_makes_a_line(composer: Composer, qtbot: QtBot) -> None:
    assert sent_by(composer, qtbot, NONE)
    assert sent_by(composer, qtbot, CTRL)
    assert not sent_by(composer, qtbot, SHIFT)
    assert composer.text() == "x\n"


def test_ctrl_enter_sends_if_the_user_wants_it(composer: Composer, qtbot: QtBot) -> None:
    composer.set_send_with("ctrl+enter")
    assert not sent_by(composer, qtbot, NONE)
    assert composer.text() == "x\n"
    assert sent_by(composer, qtbot, CTRL)


def test_the_button_is_send_or_stop(composer: Composer, qtbot: QtBot) -> None:
    assert not composer.button.isEnabled()
    composer.set_text("hello")
    assert composer.button.isEnabled()
    with qtbot.waitSignal(composer.send_requested) as sent:
        composer.button.click()
    assert sent.args == ["hello"]
    composer.clear()
    composer.set_active(True)
    assert composer.button.isEnabled()
    with qtbot.waitSignal(composer.stop_requested):
        composer.button.click()
    assert composer.button.accessibleName() == "Stop the answer"


def test_it_grows_with_its_text_up_to_a_share_of_the_tab(composer: Composer) -> None:
    composer.fit_into(600)
    small = composer.editor.height()
    composer.set_text("a\nb\nc\nd\ne")
    grown = composer.editor.height()
    assert grown > small
    composer.set_text("line\n" * 500)
    assert composer.editor.height() <= 0.4 * 600 + 16
    composer.clear()
    assert composer.editor.height() == small


def test_paste_takes_text_only(composer: Composer) -> None:
    paste(composer, "plain\r\nwords\rhere")
    assert composer.text() == "plain\nwords\nhere"


@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "no line break anywhere " * 45_000, "short\n" * 170_000],
    ids=["one word", "one line", "many lines"],
)
def test_a_megabyte_is_laid_out_in_small_pieces(composer: Composer, text: str) -> None:
    """Layout is quadratic in a paragraph's length: what bounds it is guarded, not the clock."""
    paste(composer, text)
    assert composer.text() == text
    block = composer.editor.document().begin()
    while block.isValid():
        assert block.length() <= LONG_LINE + 8
        block = block.next()
    composer.set_text("")
    composer.set_text(text)
    assert composer.text() == text


def test_copying_a_long_line_gives_the_line(composer: Composer) -> None:
    text = "y" * (3 * LONG_LINE)
    paste(composer, text)
    composer.editor.selectAll()
    assert composer.editor.createMimeDataFromSelection().text() == text


def test_editing_at_a_soft_break_leaves_no_mark(composer: Composer) -> None:
    text = "z" * (2 * LONG_LINE)
    paste(composer, text)
    cursor = composer.editor.textCursor()
    cursor.setPosition(composer.editor.document().begin().next().position())
    composer.editor.setTextCursor(cursor)
    QTest.keyClick(composer.editor, Qt.Key.Key_Backspace)
    assert composer.text() == text
    composer.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(composer.editor, "!")
    assert composer.text() == text + "!"
    composer.editor.undo()
    composer.editor.undo()
    assert composer.text() == text


@given(st.text(alphabet="ab \n", max_size=300).map(lambda text: text * 40))
def test_cutting_changes_nothing(text: str) -> None:
    assert without_soft_breaks(cut_long_lines(text)) == text


def test_a_note_tells_of_a_text_larger_than_the_context(composer: Composer) -> None:
    composer.set_context(100)
    composer.set_text("word " * 20)
    assert composer.size_note() == ""
    composer.set_text("word " * 400)
    assert "the model reads 100" in composer.size_note()
    assert composer.button.isEnabled()  # it is a note: nobody is stopped


def test_tab_leaves_the_field(composer: Composer, qtbot: QtBot) -> None:
    assert composer.editor.tabChangesFocus()
    assert composer.focusProxy() is composer.editor
