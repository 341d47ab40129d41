"""The picker's rows and words: what is listed, in which order, and what each leads to."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.library.fit_book import (
    NO,
    TWO,
    UNKNOWN,
    YES,
    Asked,
    Fit,
    FitBook,
    Room,
    Situation,
)
from desktop.models.library.picker_choices import Others, offer_of, others_of
from desktop.models.library.picker_model import (
    PickerModel,
    PickerRole,
    PickerRow,
    RowKind,
    Running,
    base_rows,
    rows_of,
    second_line,
    spoken_text,
    state_of,
)
from desktop.models.loading.load_book import LoadBook
from desktop.models.loading.load_choices import Choices
from desktop.models.loading.model_key import model_key
from engine.planner.machine import Gpu, Host, Machine
from engine.protocol import DeviceMemory, Failure, Remedy, RemedyAction, Scope
from engine.store.library.records import InstalledModel, Source
from tests.gui.conftest import WAIT_MS
from tests.gui.fake_client import LOADED
from tests.gui.picker_kit import FITS, model, ready_view, running
from tests.helpers.tiny_models import make_tiny_model

GIB = 1024**3
HOST = Host(64 * GIB, 60 * GIB, 16, frozenset({"avx2"}))


def names_of(rows: list[PickerRow]) -> list[str]:
    return [row.name for row in rows if row.kind is RowKind.MODEL]


# --- what is listed ---------------------------------------------------------------------------


def test_what_answers_comes_first_what_is_broken_last() -> None:
    installed = [
        model("Alder"),
        model("Birch", last_used=5.0),
        model("Cedar", problem="2 files are missing."),
        model("Damson"),
        model("Elm"),
    ]
    engines = [running("/models/Elm", 2), running("/models/Damson", 1)]
    rows = rows_of(base_rows(installed), engines, 1, recent=["/models/Alder"])
    assert names_of(rows) == ["Damson", "Elm", "Alder", "Birch", "Cedar"]
    assert [row.kind for row in rows[-3:]] == [RowKind.FIND, RowKind.FOLDER, RowKind.FILE]
    assert [row.is_current for row in rows[:2]] == [True, False]


def test_a_model_that_is_loaded_or_was_is_listed_though_it_lies_elsewhere() -> None:
    base = base_rows([model("Alder")], ["/else/Fir", "/x/old.gguf"])
    rows = rows_of(base, [running("/else/Fir")], 0)
    assert names_of(rows) == ["Fir", "Alder", "old.gguf"]
    assert second_line(rows[2]) == ("loaded before", "")


def test_a_link_to_a_model_is_the_model(tmp_path: Path) -> None:
    real = tmp_path / "Real"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    rows = rows_of(base_rows([model("Real", str(tmp_path))]), [running(str(link))], 1)
    assert names_of(rows) == ["Real"]
    assert rows[0].is_current


def test_the_words_of_a_row() -> None:
    hub = model(
        "Qwen/Qwen2.5-7B-AWQ", repo="Qwen/Qwen2.5-7B-AWQ", path="/m/hub/Qwen--Qwen2.5-7B-AWQ"
    )
    cached = model(
        "a/b", repo="a/b", path=f"/c/models--a--b/snapshots/{'0' * 40}", source=Source.HF_CACHE
    )
    rows = rows_of(base_rows([hub, cached]), [], 0, fit_of={hub.identity: FITS}.get)
    assert names_of(rows) == ["b", "Qwen2.5-7B-AWQ"]
    assert second_line(rows[1]) == ("AWQ · 4.7 GiB · Qwen", "fits with 32,768 tokens, 4 chats")
    assert second_line(rows[0]) == ("AWQ · 4.7 GiB · Hugging Face cache · a", "")
    assert spoken_text(rows[1]).startswith("Qwen2.5-7B-AWQ, AWQ")


@pytest.mark.parametrize(
    ("fit", "words"),
    [
        (Fit(Room(YES, 4096, 1, (0,)), gpus=1), "fits with 4,096 tokens, one chat"),
        (Fit(Room(YES, 4096, 3, (1,)), gpus=2), "fits with 4,096 tokens, 3 chats · GPU 1"),
        (Fit(Room(TWO, 4096, 3, (0, 1)), gpus=2), "fits with 4,096 tokens, 3 chats · GPU 0 + 1"),
        (Fit(Room(NO, short_by=9 * GIB)), "too big by 9.0 GiB"),
        (Fit(Room(NO)), "does not fit as it is set"),
        (Fit(), ""),
        (None, ""),
    ],
)
def test_the_verdict_in_words(fit: Fit | None, words: str) -> None:
    (row, *_) = rows_of(base_rows([model("Alder")]), [], 0, fit_of=lambda _key: fit)
    assert second_line(row)[1] == words


def test_the_state_says_where_the_model_is() -> None:
    memory = (DeviceMemory(1, "a", 1, 1, 1), DeviceMemory(0, "a", 1, 1, 1))
    import msgspec

    on_two = msgspec.structs.replace(LOADED, device="NVIDIA", memory=memory)
    views = {
        "Ready · CPU": ready_view("/m/a"),
        "Ready · GPU 0 + 1": replace(ready_view("/m/a"), loaded=on_two),
        "Sleeping · GPU 0 + 1": EngineView(Phase.SLEEPING, "/m/a", loaded=on_two),
        "Loading · 40 %": EngineView(Phase.LOADING, "/m/a", fraction=0.4),
        "could not be loaded": EngineView(Phase.FAILED, "/m/a"),
        "not loaded": EngineView(Phase.IDLE, "/m/a"),
    }
    for words, view in views.items():
        (row, *_) = rows_of({}, [Running(1, "/m/a", view)], 0)
        assert state_of(row) == words


# --- the list as Qt has it --------------------------------------------------------------------


def test_typing_filters_and_the_commands_stay(qtmodeltester: ModelTester) -> None:
    picker = PickerModel()
    installed = [
        model("Qwen2.5-14B-Instruct-AWQ"),
        model("Llama-3.1-8B", format="gguf"),
        model("me/Plum", repo="me/Plum", path="/m/hub/me--Plum"),
    ]
    picker.set_rows(rows_of(base_rows(installed), [], 0))
    qtmodeltester.check(picker)  # type: ignore[no-untyped-call]
    assert picker.count == 3
    picker.set_query("qw14")
    assert [picker.index(row).data() for row in range(picker.rowCount())] == [
        "Qwen2.5-14B-Instruct-AWQ",
        "Find models…",
        "Load a folder…",
        "Load a GGUF file…",
    ]
    assert picker.index(0).data(PickerRole.PLACES)[:2] == (0, 1)
    for query, name in (("gguf", "Llama-3.1-8B"), ("me/pl", "Plum")):
        picker.set_query(query)
        assert picker.index(0).data() == name
        assert picker.count == 1
    picker.set_query("nothing of the kind")
    assert picker.count == 0
    assert picker.rowCount() == 3


def test_what_becomes_known_changes_its_rows_alone(qtbot: QtBot) -> None:
    picker = PickerModel()
    picker.set_rows(rows_of(base_rows([model("Alder"), model("Birch")]), [], 0))
    with qtbot.assertNotEmitted(picker.modelReset), qtbot.waitSignal(picker.dataChanged) as told:
        picker.set_fits({"key of Birch": FITS})
    assert told.args[0].row() == picker.number_of("/models/Birch")
    with qtbot.assertNotEmitted(picker.modelReset), qtbot.waitSignal(picker.dataChanged):
        rows = rows_of(base_rows([model("Alder"), model("Birch")]), [running("/models/Alder")], 1)
        picker.set_rows(rows)
    spoken = picker.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Alder, Ready · CPU, AWQ · 4.7 GiB, answers this chat"


# --- what it leads to -------------------------------------------------------------------------


def row_of(
    one: InstalledModel, fit: Fit | None = FITS, engine: Running | None = None, current: int = 0
) -> PickerRow:
    return rows_of(base_rows([one]), [engine] if engine else [], current, fit_of=lambda _key: fit)[
        0
    ]


OLD = ready_view("/models/Old")


def test_the_chats_that_lose_their_model_are_named_before() -> None:
    offer = offer_of(row_of(model("New")), OLD, Others(3, 1, 2), can_load_beside=True)
    assert offer.load == "Load"
    assert offer.beside
    assert offer.settings
    assert not offer.unload
    assert "3 other chat" in offer.text
    assert "Old; it is unloaded, and New answers there from then on." in offer.text
    assert re.search("waits? until it is loaded again", offer.text)
    assert "2 answer" in offer.text
    assert "Beside Old: fits with 8,192 tokens, one chat." in offer.text
    assert offer.is_warning


def test_where_both_have_no_room_it_says_so_and_offers_it_not() -> None:
    fit = Fit(Room(YES, 4096, 2, (0,)), Room(NO, short_by=3 * GIB), 1)
    offer = offer_of(row_of(model("New"), fit), OLD, Others(), can_load_beside=True)
    assert not offer.beside
    assert "no room for it beside Old: 3.0 GiB are missing" in offer.text
    assert "Old is unloaded." in offer.text
    assert not offer.is_warning


def test_second_models_that_are_not_wanted_are_not_offered() -> None:
    offer = offer_of(row_of(model("New")), OLD, Others(), can_load_beside=False)
    assert not offer.beside
    assert "Beside" not in offer.text


def test_what_is_too_big_can_be_tried_and_says_by_how_much() -> None:
    fit = Fit(Room(NO, short_by=9 * GIB), Room(NO, short_by=12 * GIB), 1)
    offer = offer_of(row_of(model("New"), fit), EngineView(), Others(), can_load_beside=True)
    assert offer.text.startswith("It is too big by 9.0 GiB.")
    assert offer.is_warning
    assert offer.load


def test_what_runs_answers_at_once_and_can_be_unloaded() -> None:
    engine = running("/models/New", 2)
    offer = offer_of(row_of(model("New"), None, engine), OLD, Others(), can_load_beside=True)
    assert offer.load == "Use it here"
    assert "what is written so far stays" in offer.text
    assert "Old stays loaded." in offer.text
    assert offer.unload
    offer = offer_of(row_of(model("New"), None, engine, 2), OLD, Others(2), can_load_beside=True)
    assert offer.load == ""
    assert "answers this chat" in offer.text
    assert "2 other open chat" in offer.text


def test_a_problem_is_told_with_what_helps() -> None:
    remedy = Remedy("Fetch what is missing", RemedyAction.FETCH_MISSING)
    row = row_of(model("New", problem="2 files of New are missing."))
    offer = offer_of(row, OLD, Others(), can_load_beside=True, remedies=(remedy,))
    assert offer.text == "2 files of New are missing."
    assert offer.remedies == (remedy,)
    assert not offer.load
    failure = Failure(Scope.LOAD, "New has no chat template.")
    row = row_of(model("New"), Fit(failure=failure))
    assert row.problem == "New has no chat template."


def test_whom_a_change_concerns() -> None:
    def chat(folder: str, messages: int = 1) -> object:
        return SimpleNamespace(chat=SimpleNamespace(model=folder), path=[0] * messages)

    primary = SimpleNamespace(view=OLD)
    second = SimpleNamespace(view=ready_view("/models/New"))
    pool = SimpleNamespace(primary=primary)
    mine = chat("")
    sessions = [mine, chat(""), chat(""), chat("", 0), chat("/models/Old"), chat("/models/New")]

    def found(client: object) -> Others:
        return others_of(client, pool, sessions, mine, 0)  # type: ignore[arg-type]

    assert found(primary) == Others(follow=2, keep=1)
    assert found(second) == Others(follow=0, keep=1)


# --- plans ------------------------------------------------------------------------------------


class Hardware:
    """Two readings, as a test has them; it can be slow, or fail."""

    def __init__(self, *gpus: int) -> None:
        self.gpus = gpus
        self.asked: list[tuple[frozenset[int], int]] = []
        self.error: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, freed: frozenset[int], promised: int) -> Machine:
        self.gate.wait(timeout=20)
        self.asked.append((freed, promised))
        if self.error is not None:
            raise self.error
        used = 0 if freed else 6 * GIB
        gpus = tuple(Gpu(i, "RTX", size * GIB, 0, used, (8, 6)) for i, size in enumerate(self.gpus))
        return Machine(gpus, HOST)


@pytest.fixture
def tiny(tmp_path: Path) -> list[Asked]:
    folders = [make_tiny_model(tmp_path / f"Tiny-{number}") for number in range(3)]
    return [Asked(str(folder), model_key(str(folder))) for folder in folders]


def wait(qtbot: QtBot, book: FitBook, *keys: str) -> None:
    qtbot.waitUntil(
        lambda: not book.is_busy and all(book.fit(key) is not None for key in keys),
        timeout=WAIT_MS,
    )


def test_models_are_planned_in_place_and_beside(qtbot: QtBot, tiny: list[Asked]) -> None:
    hardware = Hardware(8)
    book = FitBook(lambda: None, read=hardware)
    book.look(Situation(frozenset({42}), 0, GIB))
    book.ask(tiny)
    wait(qtbot, book, *(one.key for one in tiny))
    assert sorted(hardware.asked, key=str) == sorted(
        [(frozenset[int](), GIB), (frozenset({42}), 0)], key=str
    )
    fit = book.fit(tiny[0].key)
    assert fit is not None
    assert (fit.in_place.fits, fit.in_place.devices, fit.gpus) == (YES, (0,), 1)
    assert fit.in_place.context == 2048
    assert fit.in_place.chats > fit.beside.chats
    book.look(Situation(frozenset({42}), 0, GIB))
    assert book.fit(tiny[0].key) is None  # the hardware may be another by now
    book.ask(tiny[:1])
    wait(qtbot, book, tiny[0].key)
    assert book.fit(tiny[0].key) is fit  # it is not: nothing was planned again


def test_a_model_that_cannot_be_planned_says_why(qtbot: QtBot, tmp_path: Path) -> None:
    broken = make_tiny_model(tmp_path / "Broken")
    (broken / "chat_template.jinja").unlink()
    empty = tmp_path / "Empty"
    empty.mkdir()
    book = FitBook(lambda: None, read=Hardware())
    book.ask([Asked(str(broken), "broken"), Asked(str(empty), "empty")])
    wait(qtbot, book, "broken", "empty")
    fit, nothing = book.fit("broken"), book.fit("empty")
    assert fit is not None
    assert nothing is not None
    assert fit.failure is not None
    assert fit.failure.code == "no_chat_template"
    assert fit.in_place.is_there
    assert nothing.failure is not None
    assert nothing.failure.code == "config_missing"
    assert nothing.in_place.fits == UNKNOWN


def test_hardware_that_cannot_be_read_leaves_all_unknown(qtbot: QtBot, tiny: list[Asked]) -> None:
    hardware = Hardware(8)
    hardware.error = OSError("the driver is gone")
    book = FitBook(lambda: None, read=hardware)
    with qtbot.waitSignal(book.found, timeout=WAIT_MS) as told:
        book.ask(tiny)
    assert told.args[0] == {one.key for one in tiny}
    assert book.fit(tiny[0].key) == Fit()
    assert not book.is_busy


def test_what_was_planned_for_another_moment_is_not_shown(qtbot: QtBot, tiny: list[Asked]) -> None:
    hardware = Hardware(8)
    hardware.gate.clear()
    book = FitBook(lambda: None, read=hardware)
    book.ask(tiny[:1])
    book.look(Situation(frozenset({7})))
    book.ask(tiny[1:2])
    hardware.gate.set()
    wait(qtbot, book, tiny[1].key)
    assert book.fit(tiny[0].key) is None
    fit = book.fit(tiny[1].key)
    assert fit is not None
    assert fit.in_place.chats > fit.beside.chats


def test_settings_that_are_remembered_count(
    qtbot: QtBot, tiny: list[Asked], tmp_path: Path
) -> None:
    loads = LoadBook(tmp_path)
    loads.memory.choose(tiny[0].key, tiny[0].model, Choices(context=512))
    book = FitBook(lambda: loads, read=Hardware(8))
    book.look(Situation(frozenset({42})))
    book.ask(tiny[:2])
    wait(qtbot, book, tiny[0].key, tiny[1].key)
    assert cast(Fit, book.fit(tiny[0].key)).in_place.context == 512
    assert cast(Fit, book.fit(tiny[1].key)).in_place.context == 2048


def test_three_hundred_models_come_with_those_on_show_first(
    qtbot: QtBot, tiny: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.models.library.fit_book.SLICE", 0.0)
    book = FitBook(lambda: None, read=Hardware(8))
    many = [Asked(tiny[0].model, f"key {number}") for number in range(300)]
    book.ask(many)
    shown = many[-3:]
    book.ask(shown)
    seen: list[str] = []
    book.found.connect(seen.extend)
    wait(qtbot, book, *(one.key for one in shown))
    assert {one.key for one in shown} <= set(seen[:4])
    book.look(Situation())
    qtbot.waitUntil(lambda: not book.is_busy, timeout=WAIT_MS)
