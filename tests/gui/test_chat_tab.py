"""A tab over the real scripted engine: meter, overflow, attachments, editing, branches."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.chats.chat import MessageStatus, OverflowPolicy
from desktop.engine_link.engine_state import Phase
from desktop.views.composing.overflow_dialog import OverflowDialog
from desktop.views.dialogs import TextDialog
from desktop.views.settings.chat_settings import ChatSettings
from desktop.views.tabs.chat_tab import ChatTab
from engine.protocol import ChatMessage
from engine.script import count_words
from tests.gui.conftest import WAIT_MS, OpenWindow, stored
from tests.helpers.stores import held_up

FAST = "tokens_per_second=2000 load_seconds=0.05"


def current(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


def ready(app: Inglenook, qtbot: QtBot) -> ChatTab:
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    return current(app)


def opened(open_window: OpenWindow, qtbot: QtBot, script: str = FAST) -> ChatTab:
    return ready(open_window(script), qtbot)


def reopened(app: Inglenook, open_window: OpenWindow, qtbot: QtBot) -> ChatTab:
    app.window.close()
    app.close()
    return opened(open_window, qtbot)


def send(tab: ChatTab) -> None:
    QTest.keyClick(tab.composer.editor, Qt.Key.Key_Return)


def ask(tab: ChatTab, qtbot: QtBot, text: str) -> None:
    """Send a message and wait for its answer."""
    count = len(tab.session.messages)
    tab.composer.set_text(text)
    send(tab)
    qtbot.waitUntil(
        lambda: (
            len(tab.session.messages) == count + 2
            and tab.session.messages[-1].status is MessageStatus.COMPLETE
        ),
        timeout=WAIT_MS,
    )


def words(count: int, word: str = "word") -> str:
    return f"/echo {' '.join([word] * count)}"


# --- the meter ---------------------------------------------------------------------------


def test_the_meter_says_what_the_engine_counts(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    assert tab.composer.below.meter_words() == ""  # an empty chat has nothing to count
    tab.composer.set_text("how many are these")
    tokens = count_words(tab.session.prompt_messages("how many are these"))
    expected = f"{tokens:,} of 8,192 tokens"
    qtbot.waitUntil(lambda: tab.composer.below.meter_words() == expected, timeout=WAIT_MS)
    ask(tab, qtbot, "/echo four words come back")
    tokens = count_words(tab.session.prompt_messages(""))
    expected = f"{tokens:,} of 8,192 tokens"
    qtbot.waitUntil(lambda: tab.composer.below.meter_words() == expected, timeout=WAIT_MS)


def test_the_meter_counts_what_is_attached(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    tab.composer.offer.attach("many words " * 300)
    tab.composer.set_text("sum it up")
    tokens = count_words(tab.session.prompt_messages("sum it up", tab.composer.attachments))
    assert tokens > 600
    qtbot.waitUntil(
        lambda: tab.composer.below.meter_words() == f"{tokens:,} of 8,192 tokens", timeout=WAIT_MS
    )


def test_while_a_message_is_edited_the_meter_counts_the_new_branch(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo first")
    ask(tab, qtbot, "/echo second one")
    question = tab.session.messages[0]
    tab.reading.edit(question.id)
    tab.composer.set_text("only these words")
    system = tab.session.prompt_messages("")[:1]
    tokens = count_words((*system, ChatMessage("user", "only these words")))
    expected = f"{tokens} of 8,192 tokens"
    qtbot.waitUntil(lambda: tab.composer.below.meter_words() == expected, timeout=WAIT_MS)


# --- overflow ------------------------------------------------------------------------------

SMALL = "tokens_per_second=5000 load_seconds=0.05 context=400"


def overflowing(tab: ChatTab, qtbot: QtBot) -> OverflowDialog:
    """A chat that is full, and one question more."""
    for number in range(3):
        ask(tab, qtbot, f"{words(40)} {number}")
    tab.composer.set_text(words(90))
    qtbot.waitUntil(lambda: "too many" in tab.composer.below.meter_words(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "left out" in tab.composer.below.meter_words(), timeout=WAIT_MS)
    send(tab)
    qtbot.waitUntil(lambda: bool(tab.findChildren(OverflowDialog)), timeout=WAIT_MS)
    return tab.findChildren(OverflowDialog)[-1]


def test_before_anything_is_left_out_the_user_is_asked(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot, SMALL)
    dialog = overflowing(tab, qtbot)
    rows = [dialog.messages.item(i).text() for i in range(dialog.messages.count())]
    assert rows[0].startswith("You: /echo word")
    assert rows[1].startswith("Model: word")
    dialog.drop_button.click()
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].status is MessageStatus.COMPLETE, timeout=WAIT_MS
    )
    answer = tab.session.messages[-1]
    assert answer.statistics is not None
    assert answer.statistics.dropped_messages == len(rows)
    assert answer.statistics.prompt_tokens < 400
    assert len(tab.session.messages) == 8  # they stay in the chat


def test_escape_sends_nothing_and_gives_the_text_back(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot, SMALL)
    dialog = overflowing(tab, qtbot)
    dialog.always.setChecked(True)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: tab.composer.text() == words(90), timeout=WAIT_MS)
    assert len(tab.session.messages) == 6
    assert "overflow" not in tab.session.chat.parameters  # Escape is no rule


def test_a_choice_can_be_made_the_chats_rule(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot, SMALL)
    dialog = overflowing(tab, qtbot)
    dialog.always.setChecked(True)
    dialog.drop_button.click()
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].status is MessageStatus.COMPLETE, timeout=WAIT_MS
    )
    assert tab.session.chat.parameters["overflow"] == OverflowPolicy.DROP_OLDEST
    ask(tab, qtbot, words(80))
    assert not [d for d in tab.findChildren(OverflowDialog) if d.isVisible()]


def test_the_stop_policy_refuses_with_counts_and_gives_all_back(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot, SMALL)
    for number in range(3):
        ask(tab, qtbot, f"{words(40)} {number}")
    tab.session.set_parameters({"overflow": "stop"})
    tab.composer.offer.attach("attached " * 60)
    tab.composer.set_text(words(40))
    qtbot.waitUntil(lambda: "will be refused" in tab.composer.below.meter_words(), timeout=WAIT_MS)
    send(tab)
    qtbot.waitUntil(lambda: "400" in tab.notice_bar.text(), timeout=WAIT_MS)
    assert tab.composer.text() == words(40)
    assert [a.content for a in tab.composer.attachments] == ["attached " * 60]
    assert len(tab.session.messages) == 6
    assert not tab.findChildren(OverflowDialog)


def test_a_message_that_fits_without_room_may_be_sent_anyway(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot, SMALL)
    tab.composer.set_text(words(330))
    send(tab)
    qtbot.waitUntil(lambda: bool(tab.findChildren(OverflowDialog)), timeout=WAIT_MS)
    dialog = tab.findChildren(OverflowDialog)[0]
    assert dialog.drop_button.isHidden()
    dialog.send_button.click()
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    answer = tab.session.messages[-1]
    assert answer.statistics is not None
    assert answer.statistics.finish_reason == "context"


def test_an_answer_that_waits_alone_is_told_of_once(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot, "tokens_per_second=50 load_seconds=0.05 prefill_seconds=0.5")
    tab.composer.set_text("hello")
    send(tab)
    qtbot.waitUntil(lambda: tab.session.state.is_active, timeout=WAIT_MS)
    assert not tab.waiting.isVisible()  # the message itself says so
    tab.session.stop()
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)


# --- attachments -----------------------------------------------------------------------------


def drop(tab: ChatTab, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(tab, QDragEnterEvent(QPoint(20, 20), *how, none))
    QApplication.sendEvent(tab, QDropEvent(QPoint(20, 20), *how, none))


def test_dropped_files_are_attached_and_survive_a_restart(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("the harbour is blue")
    app = open_window(FAST)
    tab = ready(app, qtbot)
    drop(tab, tmp_path / "notes.txt")
    qtbot.waitUntil(lambda: len(tab.composer.attachments) == 1, timeout=WAIT_MS)
    tab.composer.set_text("what colour is it?")
    again = reopened(app, open_window, qtbot)
    assert again.composer.text() == "what colour is it?"
    assert [a.content for a in again.composer.attachments] == ["the harbour is blue"]
    ask(again, qtbot, again.composer.text())
    assert again.composer.attachments == ()
    question = again.session.messages[0]
    assert [a.name for a in question.attachments] == ["notes.txt"]
    prompt = again.session.prompt_messages("")
    assert any("the harbour is blue" in message.content for message in prompt)


def test_files_that_are_no_text_are_refused_in_the_tab(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    tab = opened(open_window, qtbot)
    drop(tab, tmp_path / "a.pdf")
    qtbot.waitUntil(lambda: "PDF" in tab.notice_bar.text(), timeout=WAIT_MS)
    assert tab.composer.attachments == ()
    QTest.keyClicks(tab.composer.editor, "x")
    assert not tab.notice_bar.isVisible()


def test_an_attachment_can_be_read_however_large(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    tab.composer.offer.attach("line\n" * 1_000_000)
    tab.composer.row.findChildren(QPushButton)[0].click()
    dialog = tab.findChildren(TextDialog)[0]
    assert dialog.isVisible()
    assert len(dialog.text.toPlainText()) == 200_000
    dialog.reject()


def test_each_file_that_is_refused_is_named(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    files = [tmp_path / f"{number}.pdf" for number in range(5)]
    for file in files:
        file.write_bytes(b"%PDF-1.7")
    (tmp_path / "good.txt").write_text("x")
    tab = opened(open_window, qtbot)
    drop(tab, *files, tmp_path / "good.txt")
    qtbot.waitUntil(lambda: "And 2 more" in tab.notice_bar.text(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: len(tab.composer.attachments) == 1, timeout=WAIT_MS)
    assert tab.notice_bar.text().count("is a PDF") == 3


def test_ten_megabytes_pasted_and_sent_touch_no_layout(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot)
    laid_out: list[int] = []
    tab.composer.editor.document().contentsChange.connect(
        lambda _at, _gone, more: laid_out.append(more)
    )
    text = "All work and no play makes a dull evening. " * 244_000
    QGuiApplication.clipboard().setText(text)
    tab.composer.editor.paste()
    QGuiApplication.clipboard().clear()
    tab.composer.set_text("what is it about?")
    send(tab)
    # Far over the context, and it came back whole: text and attachment.
    qtbot.waitUntil(lambda: "tokens" in tab.notice_bar.text(), timeout=WAIT_MS)
    assert tab.composer.text() == "what is it about?"
    assert tab.composer.attachments[0].content == text
    assert sum(laid_out) < 100


# --- editing and branches ------------------------------------------------------------------------


def test_editing_a_message_makes_a_branch(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo first answer")
    tab.composer.set_text("a draft")
    tab.edit_last()
    assert tab.composer.text() == "/echo first answer"
    tab.composer.set_text("/echo second answer")
    send(tab)
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].content.strip() == "second answer", timeout=WAIT_MS
    )
    assert tab.composer.text() == "a draft"
    assert len(tab.session.messages[0].siblings) == 2
    tab.previous_sibling()
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].content.strip() == "first answer", timeout=WAIT_MS
    )
    tab.next_sibling()
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].content.strip() == "second answer", timeout=WAIT_MS
    )


def test_the_draft_is_kept_while_a_message_is_edited(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    tab = ready(app, qtbot)
    ask(tab, qtbot, "/echo hello")
    tab.composer.set_text("a draft")
    tab.edit_last()
    tab.composer.set_text("something else")
    again = reopened(app, open_window, qtbot)
    assert again.composer.text() == "a draft"


def test_deleting_can_be_undone(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo hello")
    tab.delete_last()
    qtbot.waitUntil(lambda: len(tab.session.messages) == 1, timeout=WAIT_MS)
    undo = next(b for b in tab.notice_bar.findChildren(QPushButton) if b.text() == "Undo")
    undo.setFocus()
    undo.click()
    qtbot.waitUntil(lambda: len(tab.session.messages) == 2, timeout=WAIT_MS)
    assert not tab.notice_bar.isVisible()
    assert tab.window().focusWidget() is tab.composer.editor


def test_regenerate_stands_beside_the_first_answer(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo hello")
    tab.regenerate()
    qtbot.waitUntil(lambda: len(tab.session.messages[-1].siblings) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].status is MessageStatus.COMPLETE, timeout=WAIT_MS
    )


def test_a_message_without_an_answer_can_be_answered(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo hello")
    tab.delete_last()
    qtbot.waitUntil(lambda: len(tab.session.messages) == 1, timeout=WAIT_MS)
    tab.transcript.retry_requested.emit(tab.session.messages[0].id)
    qtbot.waitUntil(lambda: len(tab.session.messages) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    assert tab.session.messages[-1].content == "hello"
    assert not tab.session.candidates


def test_a_tab_has_room_for_a_longer_title(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    area = tab.window().area.current_pane  # type: ignore[attr-defined]
    ask(tab, qtbot, "/echo hello there, this is quite a long message for a tab")
    bar, label = area.tabBar(), area.label(tab)
    assert label.width() > 200
    close = bar.tabButton(0, bar.ButtonPosition.RightSide)
    qtbot.waitUntil(lambda: label.geometry().right() < close.geometry().left(), timeout=WAIT_MS)
    assert bar.tabRect(0).contains(label.geometry())


def test_what_was_just_set_is_kept_when_the_window_closes(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    tab = ready(app, qtbot)
    ask(tab, qtbot, "/echo hello")
    tab.show_chat_settings()
    settings = tab.findChild(ChatSettings)
    assert isinstance(settings, ChatSettings)
    settings.system_prompt.setPlainText("Answer in one word.")
    tab = reopened(app, open_window, qtbot)
    assert tab.session.chat.system_prompt == "Answer in one word."


def test_a_fork_opens_in_a_tab_of_its_own(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo hello")
    app = tab.window()
    tab.fork_chat()
    qtbot.waitUntil(lambda: app.area.current_tab() is not tab, timeout=WAIT_MS)  # type: ignore[attr-defined]
    fork = app.area.current_tab()  # type: ignore[attr-defined]
    assert [m.content for m in fork.session.messages] == [m.content for m in tab.session.messages]
    assert fork.session.chat_id != tab.session.chat_id


def test_ways_stand_side_by_side_until_one_is_picked(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo hello")
    tab.answer_ways(3)
    qtbot.waitUntil(lambda: len(tab.session.candidates) == 3, timeout=WAIT_MS)
    qtbot.waitUntil(
        lambda: all(m.status is MessageStatus.COMPLETE for m in tab.session.candidates),
        timeout=WAIT_MS,
    )
    picked = tab.session.candidates[1].id
    focus = tab.window().focusWidget()
    assert focus is not None
    assert focus.accessibleName() == "Use answer 1"
    QTest.keyClick(focus, Qt.Key.Key_2)
    QTest.keyClick(tab.window().focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not tab.session.candidates, timeout=WAIT_MS)
    assert tab.session.messages[-1].id == picked
    assert tab.transcript.isVisible()
    assert tab.window().focusWidget() is tab.composer.editor


def test_a_fork_whose_tab_was_closed_stands_in_the_list(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    tab = ready(app, qtbot)
    ask(tab, qtbot, "/echo a b")
    hub = app.hub
    with held_up(hub.store):
        tab.fork_chat()
        with qtbot.waitSignal(tab.destroyed, timeout=WAIT_MS):
            app.window.tabs.close(tab)
    qtbot.waitUntil(lambda: len(app.window.chats) == 2, timeout=WAIT_MS)
    assert not hub.sessions()


def test_a_hit_on_another_branch_is_shown(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo the first words")
    first = tab.session.messages[-1].id
    tab.edit_last()
    tab.composer.set_text("/echo other words")
    send(tab)
    qtbot.waitUntil(lambda: tab.session.messages[-1].id != first, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    tab.reveal(first, ("first",))
    qtbot.waitUntil(lambda: tab.session.messages[-1].id == first, timeout=WAIT_MS)


def test_a_quote_begins_a_reply(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo hello there")
    tab.quote_selection()
    assert tab.composer.text() == "> hello there\n\n"


def test_up_brings_back_what_was_sent(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo one")
    ask(tab, qtbot, "/echo two")
    QTest.keyClick(tab.composer.editor, Qt.Key.Key_Up)
    QTest.keyClick(tab.composer.editor, Qt.Key.Key_Up)
    assert tab.composer.text() == "/echo one"
    assert stored(tab.session.services.store.load_chat(tab.session.chat_id)).draft in (
        "",
        "/echo one",
    )


def test_a_question_left_without_an_answer_is_answered(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot)
    ask(tab, qtbot, "/echo hello")
    tab.delete_last()
    qtbot.waitUntil(lambda: len(tab.session.messages) == 1, timeout=WAIT_MS)
    tab.regenerate()
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: tab.session.messages[-1].content.strip() == "hello", timeout=WAIT_MS)
    assert not tab.session.candidates
    assert tab.transcript.isVisible()


def test_a_question_in_a_hidden_tab_waits_until_it_is_seen(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(SMALL)
    tab = ready(app, qtbot)
    for number in range(3):
        ask(tab, qtbot, f"{words(40)} {number}")
    tab.composer.set_text(words(90))
    send(tab)
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: current(app) is not tab, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: tab.session.overflow is not None, timeout=WAIT_MS)
    if tab.findChildren(OverflowDialog):  # it was asked before the tab was left
        return
    app.window.tabs.show(tab.session.chat_id)
    qtbot.waitUntil(lambda: bool(tab.findChildren(OverflowDialog)), timeout=WAIT_MS)
    tab.findChildren(OverflowDialog)[-1].reject()


def test_closing_a_tab_while_a_file_is_read_is_harmless(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("x")
    app = open_window(FAST)
    tab = ready(app, qtbot)
    drop(tab, tmp_path / "a.txt")
    app.window.tabs.close(tab)
    qtbot.waitUntil(lambda: app.window.area.count() == 0, timeout=WAIT_MS)


def test_where_one_was_reading_is_kept(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    tab = ready(app, qtbot)
    for _ in range(4):
        ask(tab, qtbot, "tell me more")
    tab.reveal(tab.session.messages[2].id, ())
    qtbot.waitUntil(lambda: not tab.transcript.at_end, timeout=WAIT_MS)
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: current(app) is not tab, timeout=WAIT_MS)
    app.window.tabs.show(tab.session.chat_id)
    qtbot.waitUntil(lambda: current(app) is tab, timeout=WAIT_MS)
    assert not tab.transcript.at_end


def test_every_action_of_the_tab_is_harmless_in_an_empty_chat(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    tab = opened(open_window, qtbot)
    for name in (
        *("regenerate", "continue_answer", "edit_last", "answer_ways", "delete_last"),
        *("fork_chat", "previous_sibling", "next_sibling", "message_details"),
        "quote_selection",
    ):
        getattr(tab, name)()
    assert tab.session.messages == ()
    assert tab.composer.is_empty


def test_files_are_chosen_without_blocking(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("x")
    tab = opened(open_window, qtbot)
    tab.attach_file()
    dialog = tab.findChildren(QFileDialog)[0]
    dialog.filesSelected.emit([str(tmp_path / "a.txt")])
    dialog.reject()
    qtbot.waitUntil(lambda: len(tab.composer.attachments) == 1, timeout=WAIT_MS)


def test_the_row_says_in_what_the_chat_differs(open_window: OpenWindow, qtbot: QtBot) -> None:
    tab = opened(open_window, qtbot)
    tools = tab.composer.below.equip()
    assert tools.facts() == ""
    tab.session.set_parameters({"temperature": 0.1, "top_p": 0.95, "preset": "builtin:coder"})
    assert tools.facts() == "Preset: Coder · default system prompt · temperature 0.1"
    assert "Preset: Coder" in tools.settings.accessibleName()
    tools.settings.click()
    assert tab.findChildren(ChatSettings)[0].isVisible()


def test_a_tab_comes_back_where_one_was_reading(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    tab = ready(app, qtbot)
    for number in range(4):
        ask(tab, qtbot, f"/long {400 + number}")
    tab.transcript.reveal(tab.session.messages[3].id)
    place = tab.reading.place_now()
    assert place is not None
    tab = reopened(app, open_window, qtbot)
    qtbot.waitUntil(lambda: tab.session.is_whole, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: tab.reading.place_now() == place, timeout=WAIT_MS)
    assert tab.transcript.place().message_id == place.message_id
    tab.transcript.scroll_to_end()
    assert tab.reading.place_now() is None
