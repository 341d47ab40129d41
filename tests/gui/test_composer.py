"""The field one writes in: keys, growth, large texts, nothing changed on the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Attachment
from desktop.views.composing.composer import Composer
from desktop.views.composing.composer_editor import (
    HUGE_PASTE,
    LARGE_PASTE,
    LONG_LINE,
    cut_long_lines,
    without_soft_breaks,
)
from desktop.views.composing.composer_modes import Draft


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
    composer.set_text(text)
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
    composer.set_text(text)
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


def test_tab_leaves_the_field(composer: Composer, qtbot: QtBot) -> None:
    assert composer.editor.tabChangesFocus()
    assert composer.focusProxy() is composer.editor


# --- large pastes ------------------------------------------------------------------------


def button(composer: Composer, label: str) -> QPushButton:
    return next(
        b
        for b in composer.offer.bar.findChildren(QPushButton)
        if b.text() == label and not b.isHidden()
    )


def test_an_ordinary_paste_offers_nothing(composer: Composer) -> None:
    paste(composer, "x" * LARGE_PASTE)
    assert len(composer.text()) == LARGE_PASTE
    assert not composer.offer.bar.isVisible()


@pytest.mark.parametrize("text", ["word " * 2000, "line\n" * 201], ids=["long", "many lines"])
def test_a_large_paste_is_offered_as_an_attachment(composer: Composer, text: str) -> None:
    composer.set_text("before ")
    paste(composer, text)
    assert composer.text() == f"before {text}"
    QTest.keyClicks(composer.editor, "after")
    button(composer, "Attach as text file").click()
    assert composer.text() == "before after"
    assert [a.content for a in composer.attachments] == [text]
    assert composer.attachments[0].name == "Pasted text.txt"
    assert not composer.offer.bar.isVisible()


def test_a_large_paste_may_stay(composer: Composer) -> None:
    paste(composer, "word " * 2000)
    button(composer, "Keep in the message").click()
    assert composer.attachments == ()
    assert composer.text() == "word " * 2000


def test_ten_megabytes_never_reach_the_editor(composer: Composer) -> None:
    """What makes a huge paste slow is laying it out: counted, not timed."""
    added: list[int] = []
    composer.editor.document().contentsChange.connect(lambda _at, _gone, more: added.append(more))
    text = "All work and no play makes a dull evening. " * 244_000
    paste(composer, text)
    assert len(text) > 10_000_000
    assert sum(added) == 0
    assert [a.content for a in composer.attachments] == [text]
    assert composer.button.isEnabled()
    button(composer, "Undo").click()
    assert composer.is_empty


def test_a_huge_paste_can_be_put_into_the_message_instead(composer: Composer) -> None:
    text = "x" * (HUGE_PASTE + 1)
    paste(composer, text)
    assert composer.text() == ""
    button(composer, "Put it into the message instead").click()
    assert composer.text() == text
    assert composer.attachments == ()


# --- attachments -------------------------------------------------------------------------

NOTES = Attachment("a1", "notes.txt", "some notes")
PLAN = Attachment("a2", "plan.md", "# A plan")


def test_chips_name_what_is_attached_and_take_it_away(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.edited):
        composer.set_attachments([NOTES, PLAN])
    assert composer.row.isVisible()
    assert composer.button.isEnabled()  # a text that goes with it is something to send
    names = [b.accessibleName() for b in composer.row.findChildren(QPushButton)]
    assert names == ["Attached: notes.txt, 10 characters", "Attached: plan.md, 8 characters"]
    remove = composer.row.findChildren(QToolButton)[0]
    assert remove.accessibleName() == "Remove notes.txt"
    with qtbot.waitSignal(composer.edited):
        remove.click()
    assert [a.name for a in composer.attachments] == ["plan.md"]
    composer.clear()
    assert composer.is_empty
    assert not composer.row.isVisible()


def test_chips_wrap_where_they_have_no_room(composer: Composer) -> None:
    composer.set_attachments([Attachment(str(i), f"file number {i}.txt", "x") for i in range(8)])
    wide = composer.row.height()
    composer.resize(280, 400)
    assert composer.row.height() > wide
    edge = composer.row.width()
    chips = [b.parentWidget() for b in composer.row.findChildren(QPushButton)]
    assert all(chip is not None and chip.geometry().right() < edge for chip in chips)


def test_files_are_given_on_and_pictures_refused(composer: Composer, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/etc/hostname")])
    assert composer.editor.canInsertFromMimeData(data)
    with qtbot.waitSignal(composer.files_given) as given:
        composer.editor.insertFromMimeData(data)
    assert given.args == [[Path("/etc/hostname")]]
    picture = QMimeData()
    picture.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    with qtbot.waitSignal(composer.refused) as refused:
        composer.editor.insertFromMimeData(picture)
    assert "picture" in str(refused.args)
    address = QMimeData()
    address.setUrls([QUrl("https://example.org/a.txt")])
    address.setText("https://example.org/a.txt")
    composer.editor.insertFromMimeData(address)
    assert composer.text() == "https://example.org/a.txt"  # an address is a text, never fetched


# --- earlier texts -------------------------------------------------------------------------


def press(composer: Composer, key: Qt.Key) -> None:
    QTest.keyClick(composer.editor, key)


def test_up_brings_earlier_messages_back_and_down_the_way_home(composer: Composer) -> None:
    composer.sent_texts = lambda: ["newest", "older"]
    press(composer, Qt.Key.Key_Up)
    assert composer.text() == "newest"
    press(composer, Qt.Key.Key_Up)
    assert composer.text() == "older"
    press(composer, Qt.Key.Key_Up)
    assert composer.text() == "older"
    press(composer, Qt.Key.Key_Down)
    press(composer, Qt.Key.Key_Down)
    assert composer.text() == ""


def test_an_edited_text_keeps_the_keys_for_its_cursor(composer: Composer) -> None:
    composer.sent_texts = lambda: ["newest", "older"]
    press(composer, Qt.Key.Key_Up)
    QTest.keyClicks(composer.editor, "!")
    press(composer, Qt.Key.Key_Up)
    press(composer, Qt.Key.Key_Down)
    assert composer.text() == "newest!"


def test_a_text_thrown_away_is_found_again(composer: Composer) -> None:
    composer.set_text("a thought")
    assert composer.text() == "a thought"  # as the draft's keeper asks
    composer.editor.selectAll()
    press(composer, Qt.Key.Key_Delete)
    press(composer, Qt.Key.Key_Up)
    assert composer.text() == "a thought"


# --- editing a message -----------------------------------------------------------------------


def test_editing_puts_the_draft_aside(composer: Composer) -> None:
    composer.set_text("half a thought")
    composer.set_attachments([NOTES])
    composer.edit.begin("m1", Draft("the old words", (PLAN,)), "Editing your message.")
    assert composer.text() == "the old words"
    assert composer.attachments == (PLAN,)
    assert composer.draft() == Draft("half a thought", (NOTES,))
    composer.edit.begin("m2", Draft("other words", ()), "Editing your message.")
    assert composer.draft().text == "half a thought"
    press(composer, Qt.Key.Key_Escape)
    assert composer.edited_id == ""
    assert composer.draft() == Draft("half a thought", (NOTES,))
    assert composer.text() == "half a thought"


def test_what_was_changed_in_a_cancelled_edit_is_found_again(composer: Composer) -> None:
    composer.edit.begin("m1", Draft("the old words", ()), "Editing your message.")
    composer.set_text("better words")
    press(composer, Qt.Key.Key_Escape)
    assert composer.text() == ""
    press(composer, Qt.Key.Key_Up)
    assert composer.text() == "better words"


def test_a_quote_stands_before_the_reply(composer: Composer) -> None:
    composer.quote("first\n\nsecond")
    assert composer.text() == "> first\n>\n> second\n\n"
    QTest.keyClicks(composer.editor, "yes")
    assert composer.text().endswith("second\n\nyes")


def test_a_huge_quote_is_attached(composer: Composer) -> None:
    composer.quote("x" * (HUGE_PASTE + 1))
    assert composer.text() == ""
    assert len(composer.attachments[0].content) == HUGE_PASTE + 1


def test_what_was_copied_does_not_outlive_python() -> None:
    """The clipboard may let go of it after the interpreter has ended, and calls nobody then."""
    code = """
from PySide6.QtWidgets import QApplication
app = QApplication([])
from desktop import theme
theme.apply(app, "light", 11)
from desktop.views.composing.composer_editor import Editor
editor = Editor()
editor.setPlainText("words")
editor.selectAll()
editor.copy()
assert app.clipboard().mimeData().formats() == ["text/plain"]
assert app.clipboard().text() == "words"
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == 0
