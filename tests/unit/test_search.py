"""Search through the store: what is found, in which order, and what never is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.chat import MessageStatus, Role
from desktop.chats.search import SearchHit, SearchPage, SearchQuery
from desktop.chats.store import search_run, search_thread
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.store_errors import StoreClosedError
from tests.helpers.search_index import index_is_right, indexed
from tests.helpers.stores import held_up, on_thread, opened

# Chinese, Japanese, Thai, emoji, accents, code: found by any part that one would type.
TEXTS = {
    "zh": "机器学习模型可以在本地运行。",
    "ja": "東京タワーは高いです。",
    "th": "สวัสดีชาวโลก",
    "ko": "부산에서 만나요",
    "fr": "Un éclair au café, naturellement",
    "nfd": "Un ble\u0301 d'or et \u1109\u1165\u110b\u116e\u11af",
    "cpp": "It is written in C++ and a bit of C.",
    "snake": "see chat_store.py and foo-bar",
    "de": "Wir treffen uns am Hauptbahnhof",
    "oneil": "O'Neil wrote a:b to me",
    "emoji": "well done 🎉 my friend",
}


@pytest.fixture
def store(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatStore]:
    monkeypatch.setattr(search_thread, "_FRESH_SECONDS", 0.0)
    with opened(path) as store:
        yield store


def say(store: ChatStore, text: str, **chat: Any) -> tuple[str, str]:
    """Put `text` into a chat of its own; the ids of both."""
    made = store.create_chat(**chat).result(10)
    message = store.add_message(made.id, None, Role.USER, text).result(10)
    return made.id, message.id


def search(store: ChatStore, text: str, **filters: Any) -> SearchPage:
    return store.search(SearchQuery(text, **filters)).result(10)


def ids(page: SearchPage) -> list[str]:
    return [hit.message_id for hit in page.hits]


def with_all_words(store: ChatStore, text: str) -> SearchPage:
    """Search until the list of all words has been read (the thread does so while idle)."""
    for _ in range(1_000):
        page = search(store, text)
        if page.total_is_exact:
            return page
    raise AssertionError("the words were never read")


def test_a_hit_says_what_is_needed_to_show_it(store: ChatStore) -> None:
    chat = store.create_chat(title="Winter").result(10)
    store.set_folder(chat.id, "Home")
    _, answer = store.add_exchange(chat.id, None, "Is it cold?", model="tiny").result(10)
    store.update_message(
        answer.id, content="The hearth\nis warm.", status=MessageStatus.COMPLETE
    ).result(10)
    page = search(store, "hearth")
    assert page == SearchPage(
        (
            SearchHit(
                chat.id,
                "Winter",
                answer.id,
                Role.ASSISTANT,
                answer.created,
                "The hearth is warm.",
                ((4, 10),),
                "tiny",
                "Home",
                ("hearth",),
            ),
        ),
        page.total_is_exact,
        1,
    )


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("zh", ["学习", "机器学习", "模", "机器 本地"]),
        ("ja", ["東京", "タワー", "京タ"]),
        ("th", ["สวัสดี", "โลก", "ชาว"]),
        ("ko", ["부산", "에서", "만나"]),
        ("fr", ["eclair", "ÉCLAIR", "cafe", "natur", "au café"]),
        ("nfd", ["blé", "ble\u0301", "ble d", "서울"]),
        ("cpp", ["C++", "c++ written", "bit of"]),
        ("snake", ["chat_store", "store.py", "chat_sto", "foo-bar", "foo bar", '"foo-bar"']),
        ("de", ["haupt", "HAUPTBAHNHOF"]),
        ("oneil", ["O'Neil", "o'n", "a:b", "neil"]),
        ("emoji", ["🎉", "done 🎉"]),
    ],
)
def test_what_people_type_is_found(store: ChatStore, name: str, queries: list[str]) -> None:
    messages = {key: say(store, text)[1] for key, text in TEXTS.items()}
    for query in queries:
        assert ids(search(store, query))[:1] == [messages[name]], query


def test_parts_of_words_are_found_after_whole_ones(store: ChatStore) -> None:
    messages = {key: say(store, text)[1] for key, text in TEXTS.items()}
    _, whole = say(store, "der bahnhof")
    page = with_all_words(store, "bahnhof")
    assert ids(page) == [whole, messages["de"]]
    hit = page.hits[1]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["bahnhof"]
    assert ids(with_all_words(store, "uptbahn")) == [messages["de"]]


def test_all_words_must_be_there_in_any_order(store: ChatStore) -> None:
    _, both = say(store, "a warm stove and a hearth")
    say(store, "a hearth")
    say(store, "warm")
    assert ids(search(store, "hearth warm ")) == [both]
    assert ids(search(store, '"warm hearth"')) == []


def test_as_typed_comes_first_then_relevance_then_the_newest(store: ChatStore) -> None:
    _, together = say(store, "it is a warm hearth indeed and there is more to say about it")
    _, apart = say(store, "hearth, warm")
    _, last = say(store, "hearth so warm")
    assert ids(search(store, "warm hearth "))[0] == together
    _, often = say(store, "stove stove stove")
    say(store, "a stove among many other words that make this message a long one " * 3)
    assert ids(search(store, "stove "))[0] == often
    equal = ids(search(store, "hearth warm "))
    assert equal.index(last) < equal.index(apart) or equal[0] == apart


def test_a_title_is_found_by_any_part(store: ChatStore) -> None:
    chat, _ = say(store, "nothing of it here", title="Der Hauptbahnhof von Zürich")
    page = search(store, "bahnhof zurich")
    (hit,) = page.hits
    assert (hit.chat_id, hit.message_id, hit.role) == (chat, "", Role.SYSTEM)
    assert hit.snippet == "Der Hauptbahnhof von Zürich"
    assert [hit.snippet[a:b] for a, b in hit.marks] == ["bahnhof", "Zürich"]
    store.rename_chat(chat, "Something else").result(10)
    assert search(store, "bahnhof zurich").hits == ()


def test_titles_leave_room_for_messages(store: ChatStore) -> None:
    for _ in range(30):
        say(store, "the hearth", title="Hearth")
    page = search(store, "hearth", limit=10)
    assert len(page.hits) == 10
    assert [bool(hit.message_id) for hit in page.hits] == [False] * 2 + [True] * 8
    assert page.total == 60


def test_filters(store: ChatStore) -> None:
    one, in_one = say(store, "the hearth is warm")
    two, in_two = say(store, "the hearth is cold")
    store.set_folder(two, "Home").result(10)
    answer = store.add_message(one, in_one, Role.ASSISTANT, "a hearth!", model="m").result(10)
    everything = {in_one, in_two, answer.id}
    for filters, expected in (
        ({}, everything),
        ({"chat_id": two}, {in_two}),
        ({"chat_id": "no such chat"}, set()),
        ({"folder": "Home"}, {in_two}),
        ({"folder": ""}, {in_one, answer.id}),
        ({"model": "m"}, {answer.id}),
        ({"model": "other"}, set()),
        ({"since": answer.created + 1}, set()),
        ({"until": answer.created + 1}, everything),
        ({"until": answer.created - 1_000}, set()),
        ({"since": answer.created - 1_000, "until": answer.created + 1}, everything),
        ({"since": float("nan")}, set()),
        ({"since": float("-inf"), "until": float("inf")}, everything),
    ):
        assert set(ids(search(store, "hearth", **filters))) == expected, filters
    store.set_archived(one, True).result(10)
    assert set(ids(search(store, "hearth"))) == everything
    assert ids(search(store, "hearth", include_archived=False)) == [in_two]


def test_very_common_words_are_cut_at_the_newest(
    store: ChatStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_run, "_CANDIDATES", 20)
    chat = store.create_chat().result(10)
    added = [store.add_message(chat.id, None, Role.USER, f"the {n}") for n in range(30)]
    messages = [future.result(10).id for future in added]
    page = search(store, "the", limit=5)
    assert ids(page) == messages[:-6:-1]
    assert (page.total_is_exact, page.total) == (False, 20)
    # What is rare is still found among what is common.
    assert ids(search(store, "the 3 ")) == [messages[3]]


def test_what_is_in_the_bin_never_shows_up(store: ChatStore) -> None:
    chat, message = say(store, "the hearth", title="Hearth")
    store.delete_chat(chat).result(10)
    for text in ("hearth", "hear", "art", "->"):
        page = search(store, text)
        assert (page.hits, page.total) == ((), 0)
    store.restore_chat(chat).result(10)
    assert ids(search(store, "hearth")) == ["", message]
    store.erase_chat(chat).result(10)
    assert search(store, "hearth").hits == ()


def test_a_removed_message_is_not_found_until_it_is_put_back(store: ChatStore) -> None:
    _, message = say(store, "the hearth")
    removed = store.remove_message(message).result(10)
    assert search(store, "hearth").hits == ()
    store.put_back(removed).result(10)
    assert ids(search(store, "hearth")) == [message]


def test_an_answer_is_found_when_it_has_ended(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    _, answer = store.add_exchange(chat.id, None, "question").result(10)
    streaming = MessageStatus.STREAMING
    store.update_message(answer.id, content="the hea", status=streaming).result(10)
    assert search(store, "hea").hits == ()
    store.update_message(answer.id, content="the hearth", status=MessageStatus.STOPPED).result(10)
    assert ids(search(store, "hearth")) == [answer.id]
    # Continued: not found while it streams, then with all of it.
    store.update_message(answer.id, status=MessageStatus.QUEUED).result(10)
    assert search(store, "hearth").hits == ()
    store.update_message(answer.id, content="the hearth glows", status=streaming).result(10)
    store.update_message(answer.id, status=MessageStatus.COMPLETE).result(10)
    assert ids(search(store, "glows")) == [answer.id]
    store.update_message(answer.id, content="a stove").result(10)
    assert search(store, "glows").hits == ()
    assert ids(search(store, "stove")) == [answer.id]
    assert on_thread(store, index_is_right)


def test_streaming_writes_nothing_into_the_index(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    _, answer = store.add_exchange(chat.id, None, "question").result(10)
    statements: list[str] = []
    on_thread(store, lambda db: db.conn.set_trace_callback(statements.append))
    for number in range(5):
        store.update_message(
            answer.id, content="words " * number, status=MessageStatus.STREAMING
        ).result(10)
    assert not [s for s in statements if "message_index" in s]


def test_interrupted_answers_are_found(path: Path) -> None:
    with opened(path) as store:
        chat = store.create_chat().result(10)
        _, answer = store.add_exchange(chat.id, None, "question").result(10)
        store.update_message(answer.id, content="the hearth", status=MessageStatus.STREAMING)
    with opened(path) as store:
        assert search(store, "hearth").hits == ()
        store.recover_interrupted().result(10)
        assert ids(search(store, "hearth")) == [answer.id]
        _, second = store.add_exchange(chat.id, answer.id, "question").result(10)
        store.update_message(second.id, content="a stove", status=MessageStatus.RUNNING)
        store.delete_chat(chat.id)
        store.restore_chat(chat.id).result(10)
        assert ids(search(store, "stove")) == [second.id]


HOSTILE = [
    "",
    " ",
    '"',
    '""',
    '"""',
    "AND",
    "AND OR NOT NEAR",
    "foo-bar",
    "a:b",
    "content:x",
    "C++",
    "O'Neil",
    "'; DROP TABLE messages; --",
    "\0",
    "a\0b",
    "\ud83d",
    "*",
    "^a",
    "-a",
    "(",
    ")",
    "{a b}",
    "NEAR(a b, 2)",
    "a" * 1_000_000,
    "a " * 500_000,
    "%_",
    "\\",
    "İ",
    "ß",
    "\u202e",
    "🎉" * 50,
    "\u0301",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_queries_find_or_find_nothing(store: ChatStore, text: str) -> None:
    _, message = say(store, f"x {text} y")
    page = search(store, text)
    assert isinstance(page, SearchPage)
    for filters in ({"chat_id": text}, {"folder": text}, {"model": text}):
        search(store, "x", **filters)
    search(store, text, limit=0)
    search(store, text, limit=-1)
    if text in ("foo-bar", "a:b", "C++", "O'Neil", "%_", "\\", "ß"):
        assert ids(page) == [message]


def test_any_query_at_all(path: Path) -> None:
    with opened(path) as store:
        for text in TEXTS.values():
            say(store, text, title=text[:5])

        @given(st.text(max_size=30))
        def run(text: str) -> None:
            for hit in search(store, text).hits:
                assert all(0 <= a < b <= len(hit.snippet) for a, b in hit.marks)

        run()


def test_the_newest_search_comes_first_and_the_others_can_be_cancelled(
    store: ChatStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(store, "the hearth")
    search(store, "hearth")
    gate, order = threading.Event(), list[str]()
    run = search_run.Search.run

    def slow(self: search_run.Search) -> SearchPage:
        order.append(self._query.text)
        assert gate.wait(10)
        return run(self)

    monkeypatch.setattr(search_run.Search, "run", slow)
    futures: list[Future[SearchPage]] = [store.search(SearchQuery("h"))]
    while not order:
        futures[0].running()
    futures += [store.search(SearchQuery("hearth"[:end])) for end in (2, 3, 4)]
    assert futures[1].cancel()
    gate.set()
    assert ids(futures[3].result(10))
    futures[2].result(10)
    assert order == ["h", "hear", "hea"]


def test_a_search_does_not_wait_for_the_writer(store: ChatStore) -> None:
    _, message = say(store, "the hearth")
    search(store, "hearth")
    with held_up(store):
        assert ids(search(store, "hearth")) == [message]


def test_a_search_sees_what_was_confirmed_before(store: ChatStore) -> None:
    for number in range(20):
        _, message = say(store, f"word{number}")
        assert ids(search(store, f"word{number}")) == [message]


def test_searching_before_opening_and_after_closing(path: Path) -> None:
    store = ChatStore(path)
    with pytest.raises(StoreClosedError):
        store.search(SearchQuery("x")).result(10)
    store.open()
    assert store.search(SearchQuery("x")).result(10).hits == ()
    store.close()
    with pytest.raises(StoreClosedError):
        store.search(SearchQuery("x")).result(10)


def test_a_search_that_is_overtaken_by_the_closing(path: Path) -> None:
    """It is answered or refused, and leaves no thread (see conftest) and no log behind."""
    for _ in range(10):
        store = ChatStore(path)
        store.open()
        future = store.search(SearchQuery("x"))
        store.close()
        assert future.exception(10) is None or isinstance(future.exception(), StoreClosedError)
        assert not path.with_name("chats.db-wal").exists()


def test_closing_folds_the_log_in_although_there_was_a_reader(path: Path) -> None:
    with opened(path) as store:
        say(store, "the hearth")
        search(store, "hearth")
    assert sorted(file.name for file in path.parent.iterdir()) == ["chats.db", "chats.db.lock"]


def test_a_damaged_index_is_made_anew_and_costs_no_message(store: ChatStore) -> None:
    chat, message = say(store, "the hearth")
    on_thread(store, lambda db: db.execute("UPDATE message_index_data SET block = x'00ff'"))
    _, second = say(store, "a second hearth")
    indexed(store)
    assert set(ids(search(store, "hearth"))) == {message, second}
    on_thread(store, lambda db: db.execute("DELETE FROM message_index_data"))
    store.search(SearchQuery("hearth")).exception(10)
    store.flush().result(10)
    indexed(store)
    assert set(ids(search(store, "hearth"))) == {message, second}
    assert on_thread(store, index_is_right)
    assert chat


def test_a_text_with_a_flipped_bit_is_found_all_the_same(store: ChatStore) -> None:
    _, message = say(store, "the hearth is warm")
    on_thread(
        store,
        lambda db: db.execute(
            "UPDATE messages SET content = CAST(x'7468652068656172746820ff' AS TEXT)"
        ),
    )
    (hit,) = search(store, "hearth").hits
    assert (hit.message_id, hit.snippet) == (message, "the hearth \ufffd")


def test_the_index_uses_no_copy_of_the_texts(store: ChatStore) -> None:
    def tables(db: Any) -> set[str]:
        return {name for (name,) in db.execute("SELECT name FROM sqlite_master")}

    assert "message_index_content" not in on_thread(store, tables)


def test_filters_use_the_indices(store: ChatStore) -> None:
    def plan(sql: str, db: Any) -> str:
        return str(db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall())

    limits = "SELECT min(sequence), max(sequence) FROM messages WHERE"
    for condition, index in (
        ("chat_id = 'a'", "messages_of_chat"),
        ("created BETWEEN 1 AND 2", "messages_by_date"),
    ):
        assert index in on_thread(store, partial(plan, f"{limits} {condition}"))
