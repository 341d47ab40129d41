"""What people reported of programs like this one, and what issue trackers call it: each a test.

The first table names every reported case that touches chats, the second what the window
promises; below each stand the tests (or the benchmark) that hold it. That they are there is
itself a test. The cases that had none elsewhere are below, in the real window over the real
store and the scripted engine's process.

Reported:

    Open WebUI 4310: a very long chat streams while one types and moves panes
        gui/test_needs.py::test_typing_and_moving_panes_while_a_long_chat_streams
        gui/test_transcript.py::test_ten_thousand_messages_cost_what_is_in_view
        bench/ui.py
    Open WebUI 32: the renderer keeps up with a fast stream
        gui/test_transcript.py::test_streaming_lays_out_only_the_tail
        gui/test_transcript.py::test_text_that_is_slow_to_show_is_shown_less_often_but_always
    LM Studio 1440: a chat of 290,000 tokens, left and come back to
        gui/test_needs.py::test_a_chat_of_290_000_tokens_is_left_and_come_back_to
        gui/test_long_chats.py::test_the_end_comes_first_and_the_rest_follows
        gui/test_transcript_places.py::test_ten_thousand_messages_are_not_looked_at
        bench/ui.py
    text-generation-webui 5748, Open WebUI 2647: tokens land in the chat that asked, alone
        gui/test_needs.py::test_tokens_of_a_tab_that_was_left_land_in_it_alone
        gui/test_chat_session.py::test_tokens_land_in_their_own_chat_also_when_its_tab_is_closed
        gui/test_main_window.py::test_four_tabs_stream_at_once_each_with_its_own_words
        end2end/test_real_engine.py::test_streams_run_together_and_do_not_mix
    Open WebUI 9014: a chat is deleted while it is answered
        gui/test_needs.py::test_a_chat_deleted_while_it_is_answered_never_comes_back
        gui/test_chat_session.py::test_deleting_a_chat_that_is_answered_aborts_and_never_revives_it
        unit/test_chat_store_erase.py::test_a_stream_that_ends_late_brings_nothing_back
    Open WebUI 1166: stop really stops the engine
        end2end/test_real_engine.py::test_stop_frees_the_blocks_within_a_step_or_two
        end2end/test_real_engine_hazards.py::test_stop_in_the_middle_of_reading_a_prompt
    LM Studio 573: stop while a model loads
        gui/test_main_window.py::test_a_load_can_be_cancelled
        gui/test_engine_client.py::test_a_hanging_load_can_be_cancelled
        end2end/test_real_engine.py::test_a_load_can_be_cancelled_and_nothing_stays
    GPT4All 2542: a first prompt larger than the context
        gui/test_main_window.py::test_a_prompt_beyond_the_context_comes_back_to_the_composer
        gui/test_session_overflow.py::test_a_first_prompt_beyond_the_context_is_refused
        end2end/test_real_engine.py::test_a_prompt_beyond_the_context_is_refused_with_both_counts
    Ollama 3839: a fact at the head of a prompt far over the window
        end2end/test_real_engine_chats.py::test_a_fact_that_does_not_fit_is_never_left_out_silently
        gui/test_chat_tab.py::test_before_anything_is_left_out_the_user_is_asked
        gui/test_session_overflow.py::test_the_user_is_asked_which_messages_may_go
    Jan 7783: an answer that met its own limit is not called an overflow
        end2end/test_real_engine_chats.py::test_an_answer_cut_by_its_own_limit_is_no_overflow
        gui/test_session_overflow.py::test_a_limit_of_the_users_own_is_no_overflow
    LM Studio 1620: what was left out is said
        gui/test_transcript_messages.py::test_the_footer_says_what_was_not_read_and_what_ended_it
    Open WebUI 12861: <channel> typed by a user; FastChat 88: <img onerror> from a model
        gui/test_needs.py::test_tags_and_markup_are_literal_text_on_both_sides
        gui/test_session_reasoning.py::test_tags_of_a_user_are_text
        gui/test_transcript_hostile.py::test_nothing_is_fetched
        gui/test_rendering_corpus.py::test_the_corpus_is_shown_and_nothing_is_fetched
    Jan 8739, Open WebUI 5016: code that contains fences
        gui/test_needs.py::test_code_that_contains_fences_is_copied_as_it_was_written
        unit/test_markdown_blocks.py::test_fences_inside_longer_fences_are_code
        gui/test_rendering_parts.py::test_copying_code_gives_the_source
    LM Studio 703, Cherry Studio 15709: the disk fills in mid-chat
        unit/test_chat_store_faults.py::test_a_disk_that_fills_while_an_answer_streams
        unit/test_chat_store_faults.py::test_a_real_full_disk
        gui/test_main_window_errors.py::test_an_answer_that_cannot_be_saved_is_kept_and_saved_later
    LM Studio 1015 and 2343, GPT4All 1106, 3406 and 3429: chats outlive updates and crashes
        unit/test_chat_store_kill.py::test_kill_in_mid_write_200_times
        unit/test_chat_store_backups.py::test_a_backup_can_be_put_back
        end2end/test_kills.py::test_kill_9_of_the_window_20_times
        end2end/test_kills.py::test_the_engine_killed_20_times
    vLLM 55510: the window or the engine is killed
        end2end/test_kills.py::test_kill_9_of_the_window_20_times
        end2end/test_engine_lifetime.py::test_a_window_that_is_killed_takes_a_stopped_engine_along
    vLLM 31444 and 39279: a folder without a tokenizer or a chat template
        unit/test_model_folder.py::test_each_missing_file_is_named
    LM Studio 983, Ollama 12452: deleting can be undone, erasing cannot
        gui/test_main_window.py::test_delete_and_undo_while_it_is_answered
        unit/test_chat_store_erase.py::test_no_byte_is_left
        gui/test_chat_shelf.py::test_the_bin_gives_back_and_erases
    Jan 6195, LM Studio 1166: the whole history goes out and comes in
        gui/test_chat_shelf.py::test_out_and_in_again
        unit/test_transfer_json.py::test_from_one_store_to_another
        unit/test_transfer_chatgpt.py::test_branches_and_the_shown_one_are_kept
    LM Studio 668, Cherry Studio 12641: search with a jump to the hit
        gui/test_search_window.py::test_a_hit_opens_its_chat_at_the_message
        gui/test_transcript_places.py::test_a_hit_in_ten_thousand_messages
        bench/search.py
    Open WebUI 8950: titles without reasoning, and never before a message of the user's
        gui/test_session_titles.py::test_no_thought_is_given_to_a_title
        gui/test_session_titles.py::test_whoever_sends_anything_goes_first
    AnythingLLM 823, LM Studio 2199: free scrolling while it streams, a word at the end
        gui/test_transcript.py::test_a_reader_elsewhere_is_left_in_peace
        gui/test_notifier.py::test_a_long_answer_behind_another_tab_is_told
    GPT4All 2649: screen readers
        gui/test_accessibility.py::test_everything_in_the_window_has_a_name
        gui/test_transcript_keys.py::test_the_end_of_an_answer_is_announced_once

Promised:

    the window under load, the opening of a long chat, memory of ten tabs
        bench/ui.py
    search over 100,000 messages
        bench/search.py
    four answers share one reading of their prompt
        end2end/test_real_engine.py::test_several_answers_to_a_new_prompt_share_one_reading_of_it
        gui/test_session_branches.py::test_ways_are_asked_together_and_stream_each_into_its_own
    all of it together, with the real engine
        end2end/test_real_window.py::test_a_day_with_a_chat
    the corpus: links, images, HTML, fences, reasoning, giants; the canary counts no call
        gui/test_rendering_corpus.py::test_the_corpus_is_shown_and_nothing_is_fetched
        gui/test_rendering_corpus.py::test_giants_are_shown_with_bounded_work
        gui/test_rendering_corpus.py::test_the_canary_sings
    emoji split at every byte
        unit/test_stream_tail.py::test_bytes_that_come_one_by_one_are_shown_as_whole_signs
        unit/test_stream_tail.py::test_a_sign_is_never_shown_in_pieces
        unit/test_protocol.py::test_frames_come_whole_byte_by_byte
        gui/test_needs.py::test_signs_of_every_script_go_through_unharmed
        gui/test_rendering_corpus.py::test_the_corpus_streams_to_what_it_is_as_a_whole
    every window and dialog has names; every action has a key's way and stands in the palette
        gui/test_accessibility.py::test_everything_in_a_dialog_has_a_name
        gui/test_actions.py::test_every_action_is_reached_by_keyboard
        gui/test_actions.py::test_every_action_is_found_and_run_in_the_palette
    the pictures
        end2end/test_pictures.py::test_the_readmes_pictures_can_be_taken_today
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.chats.chat import Message, MessageStatus, Role
from desktop.chats.chat_tree import ChatTree
from desktop.engine_link.engine_state import Phase
from desktop.models.session.session_state import SessionState
from desktop.views.tabs.chat_tab import ChatTab
from desktop.views.transcript.code_block import CodeBlock
from desktop.views.transcript.part_widget import PartWidget
from engine.protocol import Telemetry
from tests.bench.ui_texts import conversation
from tests.gui.conftest import WAIT_MS, OpenWindow, stored
from tests.gui.test_transcript_hostile import Canary

TESTS = Path(__file__).resolve().parents[1]
ENTRY = re.compile(r"^ {8}(\S+\.py)(?:::(\w+))?$", re.MULTILINE)
CASE = re.compile(r"^ {4}(\S.*)$", re.MULTILINE)
ENDLESS = 100_000  # tokens; no test waits for them
WIDE = "load_seconds=0.05 context=100000000"


def current(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


def started(open_window: OpenWindow, qtbot: QtBot, script: str = WIDE) -> Inglenook:
    app = open_window(script)
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    return app


def add_tab(app: Inglenook, qtbot: QtBot) -> ChatTab:
    count = app.window.area.count()
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: app.window.area.count() == count + 1, timeout=WAIT_MS)
    return current(app)


def kept(app: Inglenook, messages: tuple[Message, ...]) -> str:
    """The id of a chat in the store."""
    tree = ChatTree(title="Long", messages=messages, active_leaf=messages[-1].id)
    return stored(app.hub.store.import_tree(tree)).id


def shown(app: Inglenook, qtbot: QtBot, chat_id: str) -> ChatTab:
    """Its tab, in front, with all of the chat."""
    app.window.tabs.show(chat_id)
    qtbot.waitUntil(lambda: app.window.area.tab_of(chat_id) is not None, timeout=WAIT_MS)
    tab = app.window.area.tab_of(chat_id)
    assert tab is not None
    qtbot.waitUntil(lambda: tab.session.is_whole, timeout=WAIT_MS)
    return tab


def answered(tab: ChatTab, qtbot: QtBot, text: str) -> Message:
    """Send a message; the answer when it has ended."""
    count = len(tab.session.messages)
    assert tab.session.send(text)
    qtbot.waitUntil(
        lambda: (
            len(tab.session.messages) == count + 2
            and tab.session.messages[-1].status is MessageStatus.COMPLETE
        ),
        timeout=WAIT_MS,
    )
    return tab.session.messages[-1]


# --- the tables ------------------------------------------------------------------------------


def test_every_case_has_a_test_that_is_there() -> None:
    assert __doc__ is not None
    cases = CASE.split(__doc__)[1:]
    assert len(cases) // 2 > 25
    for case, below in zip(cases[::2], cases[1::2], strict=True):
        assert ENTRY.search(below), f"no test for {case}"
    for path, name in ENTRY.findall(__doc__):
        file = TESTS / path
        assert file.is_file(), path
        if name:
            nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            names = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
            assert name in names, f"{path}::{name}"


def test_the_files_that_the_readme_names_are_there() -> None:
    text = (TESTS.parent / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", text))
    assert len(named) > 8
    assert [path for path in sorted(named) if not (TESTS.parent / path).is_file()] == []
    modules = set(re.findall(r"-m (tests\.[\w.]+)", text))
    assert modules >= {"tests.screenshots", "tests.bench.ui", "tests.bench.search"}
    for module in modules:
        assert (TESTS.parent / f"{module.replace('.', '/')}.py").is_file(), module


# --- long chats ------------------------------------------------------------------------------


def test_typing_and_moving_panes_while_a_long_chat_streams(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    """Counted, not timed: all that is laid out is the tail, and what is near the view."""
    app = started(open_window, qtbot, f"tokens_per_second=600 {WIDE}")
    window, do = app.window, app.window.actions_by_name
    window.resize(1200, 800)
    typed = current(app)
    long = shown(app, qtbot, kept(app, tuple(conversation(2_000, "long"))))
    assert long.session.send(f"/long {ENDLESS}")
    qtbot.waitUntil(lambda: long.session.state is SessionState.STREAMING, timeout=WAIT_MS)
    do["split_right"].trigger()
    assert typed.isVisible()
    assert long.isVisible()
    text = ""

    def length() -> int:
        return len(long.session.messages[-1].content)

    def write(words: str) -> int:
        """Type while it streams on; how much was laid out meanwhile."""
        nonlocal text
        before = PartWidget.layouts
        for letter in words:
            had = length()
            QTest.keyClicks(typed.composer.editor, letter)
            text += letter
            assert typed.composer.text() == text  # at once, not when the stream lets it
            qtbot.waitUntil(lambda had=had: length() > had, timeout=WAIT_MS)  # type: ignore[misc]
        return PartWidget.layouts - before

    beside = write("a first line of words, ")
    before = PartWidget.layouts
    for name in ("split_down", "focus_next_pane", "focus_previous_pane", "move_to_next_pane"):
        do[name].trigger()
        had = length()
        qtbot.waitUntil(lambda had=had: length() > had, timeout=WAIT_MS)  # type: ignore[misc]
    moved = PartWidget.layouts - before
    window.area.setCurrentWidget(typed)
    after = write("and a second one")
    assert long.session.state is SessionState.STREAMING
    assert beside < 200
    assert moved < 400
    assert after < 200


def test_a_chat_of_290_000_tokens_is_left_and_come_back_to(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    words = "every word of this long conversation is a token to the scripted engine and so on " * 31
    count = 600
    messages = tuple(
        Message(
            id=f"m{number}",
            chat_id="",
            parent_id=f"m{number - 1}" if number else None,
            role=Role.ASSISTANT if number % 2 else Role.USER,
            content=f"{number} {words}",
            status=MessageStatus.COMPLETE,
            sequence=number + 1,
        )
        for number in range(count)
    )
    assert sum(len(message.content.split()) for message in messages) > 290_000
    app = started(open_window, qtbot)
    app.window.resize(1200, 800)
    other = current(app)
    chat_id = kept(app, messages)
    before = PartWidget.layouts
    tab = shown(app, qtbot, chat_id)
    tab.grab()
    assert PartWidget.layouts - before < 60
    near = [message.id for message in tab.session.messages[299:302]]
    tab.transcript.reveal(near[1])
    qtbot.waitUntil(lambda: tab.transcript.place().message_id in near, timeout=WAIT_MS)
    place = tab.transcript.place()
    for _ in range(3):
        app.window.area.setCurrentWidget(other)
        before = PartWidget.layouts
        app.window.area.setCurrentWidget(tab)
        tab.grab()
        assert PartWidget.layouts - before < 60
        assert tab.transcript.place().message_id == place.message_id
    # And the meter counts it all.
    meter = tab.composer.below.meter_words
    qtbot.waitUntil(lambda: re.match("29[0-9],|3[0-9][0-9],", meter()) is not None, timeout=WAIT_MS)


# --- several chats ---------------------------------------------------------------------------


def test_tokens_of_a_tab_that_was_left_land_in_it_alone(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = started(open_window, qtbot, f"tokens_per_second=400 {WIDE}")
    first = current(app)
    assert first.session.send("/rate 150 /echo " + "alpha " * 300)
    qtbot.waitUntil(lambda: first.session.state is SessionState.STREAMING, timeout=WAIT_MS)
    second = add_tab(app, qtbot)
    seen: list[str] = []
    second.session.text_appended.connect(lambda _id, text: seen.append(text))
    answer = answered(second, qtbot, "/echo " + "beta " * 40)
    assert set(answer.content.split()) == set("".join(seen).split()) == {"beta"}
    session = first.session
    app.window.tabs.close(first)  # in mid-answer, and unseen
    qtbot.waitUntil(lambda: not session.state.is_active, timeout=WAIT_MS)
    content = stored(app.store.load_chat(session.chat_id)).messages[-1].content
    assert content.split() == ["alpha"] * 300
    assert set("".join(seen).split()) == {"beta"}


def test_a_chat_deleted_while_it_is_answered_never_comes_back(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = started(open_window, qtbot, f"tokens_per_second=200 {WIDE}")
    readings: list[Telemetry] = []
    app.client.telemetry.connect(readings.append)
    session = current(app).session
    chat_id = session.chat_id
    assert session.send("/echo " + "xylophonic " * ENDLESS)
    qtbot.waitUntil(lambda: bool(readings) and readings[-1].kv_used > 0, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: session.state is SessionState.STREAMING, timeout=WAIT_MS)
    app.window.actions_by_name["delete_chat"].trigger()
    qtbot.waitUntil(lambda: (readings[-1].running, readings[-1].kv_used) == (0, 0), timeout=WAIT_MS)
    assert [chat.id for chat in stored(app.store.list_bin())] == [chat_id]
    assert chat_id not in [chat.id for chat in stored(app.store.list_chats())]
    stored(app.store.erase_chat(chat_id))
    home = app._folders
    app.window.close()
    app.close()
    assert not any(b"xylophonic" in p.read_bytes() for p in home.data.rglob("*") if p.is_file())
    again = started(open_window, qtbot)
    assert stored(again.store.list_bin()) == []
    assert chat_id not in [chat.id for chat in stored(again.store.list_chats())]


# --- what is said ----------------------------------------------------------------------------


def test_tags_and_markup_are_literal_text_on_both_sides(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    canary = Canary()
    base = f"http://127.0.0.1:{canary.port}"
    hostile = (
        f"<channel>final</channel> <|im_start|> <img src=x onerror=alert(1)> "
        f'<img src="{base}/a.png" onerror="fetch(1)"> <script>x</script>'
    )
    picture = f"![alt]({base}/b.png)"
    try:
        app = started(open_window, qtbot, f"tokens_per_second=2000 {WIDE}")
        tab = current(app)
        answer = answered(tab, qtbot, f"/echo {hostile} {picture}")
        tab.grab()
        text = tab.transcript.plain_text()
    finally:
        calls = canary.end()
    assert calls == 0
    assert answer.content == f"{hostile} {picture}"
    assert answer.reasoning == ""
    assert text.count(hostile) == 2  # as it was typed, and as it was answered


FENCES = "````md\nA block:\n\n```py\n\tx = 1  \n```\n\n~~~\ny\n~~~\n````"


@pytest.mark.parametrize("cut", [1, 5, len(FENCES)])
def test_code_that_contains_fences_is_copied_as_it_was_written(
    open_window: OpenWindow, qtbot: QtBot, cut: int
) -> None:
    app = started(open_window, qtbot, f"tokens_per_second=2000 {WIDE}")
    tab = current(app)
    # As a model sends it: piece by piece.
    tab.transcript.append_message(Message("m", "c", None, Role.ASSISTANT, ""))
    tab.show_page(tab.transcript)
    for place in range(0, len(FENCES), cut):
        tab.transcript.append_text("m", FENCES[place : place + cut])
    tab.transcript.update_message(
        Message("m", "c", None, Role.ASSISTANT, FENCES, MessageStatus.COMPLETE)
    )
    tab.grab()
    (block,) = tab.transcript.findChildren(CodeBlock)
    block.copy()
    inside = FENCES.removeprefix("````md\n").removesuffix("\n````")
    assert QGuiApplication.clipboard().text() == inside


def test_signs_of_every_script_go_through_unharmed(open_window: OpenWindow, qtbot: QtBot) -> None:
    """Over the wire, into the store, onto the page, and back into the composer."""
    signs = "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽你好世界 é 한국어 🙂"
    app = started(open_window, qtbot, f"tokens_per_second=2000 {WIDE}")
    tab = current(app)
    shown_so_far: list[str] = []
    tab.session.text_appended.connect(
        lambda _id, _text: shown_so_far.append(tab.transcript.plain_text())
    )
    answer = answered(tab, qtbot, "/echo " + " ".join([signs] * 30))
    assert answer.content == " ".join([signs] * 30)
    assert not any("\ufffd" in text for text in shown_so_far)
    kept_text = stored(app.store.load_chat(tab.session.chat_id)).messages[-1].content
    assert kept_text == answer.content
    QTest.keyClick(tab.composer.editor, Qt.Key.Key_Up)  # what was sent comes back whole
    assert tab.composer.text().endswith(signs)
