"""Discover: the starter list, a search as one types, verdicts for what is seen, and every fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from desktop.models.library import search_memory
from desktop.models.library.discover_model import DiscoverModel, DiscoverRole
from desktop.models.library.discovering import Stage
from desktop.models.library.hub_faults import Way
from desktop.models.library.hub_words import Fit
from desktop.views.library.discover_page import DiscoverPage
from desktop.views.library.hit_delegate import NARROW
from engine.store.catalogue import read_catalogue
from engine.store.hub.messages import Builds, Filters, Judge, Judged, Page, Search
from engine.store.hub.network import NetworkSettings
from tests.gui.library_kit import (
    GIB,
    WAIT_MS,
    FakeDesk,
    FakeLink,
    Surroundings,
    fitting,
    found,
    here,
    hit,
    hits,
)
from tests.helpers.load_machines import CPU, ONE_8

bare_platform = pytest.mark.qt_log_ignore("This plugin does not support")


class Opened:
    """A page with all that is around it."""

    def __init__(self, qtbot: QtBot, *, offline: bool = False) -> None:
        self.qtbot = qtbot
        self.link = FakeLink(offline=offline)
        self.desk = FakeDesk()
        self.around = Surroundings()
        self.page: DiscoverPage

    def open(self, width: int = 900) -> DiscoverPage:
        self.page = DiscoverPage(self.link, self.desk, self.around.context())
        self.qtbot.addWidget(self.page)
        self.page.resize(width, 640)
        self.page.show()
        return self.page

    def search(self, text: str) -> Search:
        self.page.field.setText(text)
        self.qtbot.waitUntil(lambda: self.link.has(Search), timeout=WAIT_MS)
        return self.link.latest(Search)

    def judged(self) -> Judge:
        self.qtbot.waitUntil(lambda: self.link.has(Judge), timeout=WAIT_MS)
        return self.link.latest(Judge)


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Opened]:
    result = Opened(qtbot)
    yield result
    result.link.close()


def rows(model: DiscoverModel) -> list[str]:
    return [str(model.index(n).data()) for n in range(model.rowCount())]


@bare_platform
def test_a_next_page_that_fails_before_anything_was_found_is_a_fault(opened: Opened) -> None:
    page = opened.open()
    first = opened.search("qwen")
    opened.link.give(found(first, *hits(3)))
    page.discovering.set_filters(Filters(formats=("awq",)))
    opened.link.give(found(opened.link.latest(Search), more=True))
    before = page.discovering.stage
    opened.link.refuse(opened.link.latest(Search), "timeout")
    assert (before, page.discovering.stage) == (Stage.LOADING, Stage.FAULT)
    assert page.discovering.fault is not None
    page.discovering.retry()
    opened.link.give(found(opened.link.latest(Search), *hits(2)))
    assert len(rows(page.hits)) == 2


# --- the starter list -----------------------------------------------------------------------


def test_before_one_types_there_is_the_starter_list(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    assert page.discovering.stage is Stage.STARTER
    assert page.hits.count == len(read_catalogue())
    assert opened.link.asked == {}
    seen = page.list.hits_in_sight()
    assert seen
    # Judged on this machine, and without the hub.
    qtbot.waitUntil(
        lambda: all(page.hits.fit_of(one) in (Fit.FITS, Fit.TOO_BIG) for one in seen),
        timeout=WAIT_MS,
    )
    assert opened.link.asked == {}


def test_offline_the_starter_list_is_there_and_a_search_says_why_not(qtbot: QtBot) -> None:
    opened = Opened(qtbot, offline=True)
    page = opened.open()
    assert page.hits.count == len(read_catalogue())
    page.field.setText("qwen")
    assert page.discovering.stage is Stage.FAULT
    assert page.state.isVisible()
    assert opened.link.asked == {}
    with qtbot.waitSignal(page.online_wanted):
        first = page.state.buttons()[0]
        assert isinstance(first, QPushButton)
        first.click()
    opened.link.set_settings(NetworkSettings())
    assert opened.link.has(Search)
    opened.link.close()


def test_uses_narrow_the_starter_list(opened: Opened) -> None:
    page = opened.open()
    code = [entry.name for entry in read_catalogue() if "code" in entry.use]
    chip = next(b for b in page.uses.findChildren(QPushButton) if b.text() == "Code")
    chip.click()
    shown = [page.hits.row_at(n) for n in range(page.hits.rowCount())]
    assert sorted(row.title for row in shown if row is not None and row.hit) == sorted(code)


def test_builds_of_a_starter_unfold_without_the_hub(opened: Opened) -> None:
    page = opened.open()
    first = page.hits.first_model()
    assert first is not None
    row = page.hits.row_at(first)
    assert row is not None
    before = page.hits.rowCount()
    page.list.setCurrentIndex(page.hits.index(first))
    QTest.keyClick(page.list, Qt.Key.Key_Right)
    assert page.hits.rowCount() == before + row.children
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    QTest.keyClick(page.list, Qt.Key.Key_Left)
    assert page.hits.rowCount() == before
    assert page.list.currentIndex().row() == first
    assert opened.link.asked == {}


# --- searching ------------------------------------------------------------------------------


def test_one_question_for_a_word_that_is_typed_quickly(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    page.field.setFocus()
    QTest.keyClicks(page.field, "qwen coder")
    assert not opened.link.has(Search)
    assert page.discovering.stage is Stage.LOADING
    qtbot.waitUntil(lambda: opened.link.has(Search), timeout=WAIT_MS)
    assert [q.text for q in opened.link.asked.values() if isinstance(q, Search)] == ["qwen coder"]


def test_an_answer_that_was_overtaken_is_dropped(opened: Opened) -> None:
    page = opened.open()
    first = opened.search("one")
    page.field.setText("two")
    assert first.id in opened.link.cancelled
    opened.link.asked[first.id] = first  # it comes all the same
    opened.link.give(found(first, hit("late/answer")))
    assert "answer" not in rows(page.hits)
    opened.qtbot.waitUntil(
        lambda: opened.link.has(Search) and opened.link.latest(Search).text == "two",
        timeout=WAIT_MS,
    )
    opened.link.give(found(opened.link.latest(Search), hit("right/answer")))
    assert rows(page.hits) == ["answer"]
    assert page.discovering.stage is Stage.RESULTS


def test_enter_does_not_wait(opened: Opened) -> None:
    page = opened.open()
    page.field.setText("qwen")
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    assert opened.link.latest(Search).text == "qwen"


def test_no_words_and_no_limits_lead_back_to_the_starter_list(opened: Opened) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("qwen"), hit("a/b")))
    page.field.clear()
    assert page.discovering.stage is Stage.STARTER
    assert page.hits.count == len(read_catalogue())


def test_more_comes_at_the_end(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("q"), *hits(40), more=True))
    page.list.scrollToBottom()
    qtbot.waitUntil(lambda: opened.link.has(Search), timeout=WAIT_MS)
    more = opened.link.latest(Search)
    assert more.cursor == "next"
    assert page.more.isVisible()
    place = page.list.verticalScrollBar().value()
    opened.link.give(found(more, *hits(40, first=40)))
    assert page.hits.count == 80
    assert page.list.verticalScrollBar().value() == place
    assert not page.more.isVisible()
    assert not page.hits.canFetchMore(QModelIndex())


def test_more_that_cannot_be_had_keeps_what_there_is(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("q"), *hits(40), more=True))
    page.list.scrollToBottom()
    qtbot.waitUntil(lambda: opened.link.has(Search), timeout=WAIT_MS)
    opened.link.refuse(opened.link.latest(Search), "timeout", "Too slow.")
    assert page.hits.count == 40
    assert page.more.button.isVisible()
    assert "Too slow." in page.more.words.text()
    page.more.button.click()
    opened.link.give(found(opened.link.latest(Search), *hits(5, first=40)))
    assert page.hits.count == 45


@pytest.mark.parametrize(
    ("code", "way", "signal"),
    [("offline", Way.GO_ONLINE, "online_wanted"), ("proxy", Way.NETWORK, "network_wanted")],
)
def test_a_fault_leads_on(opened: Opened, qtbot: QtBot, code: str, way: Way, signal: str) -> None:
    page = opened.open()
    opened.link.refuse(opened.search("qwen"), code, "It cannot be.")
    assert page.state.isVisible()
    assert page.state.text.text() == "It cannot be."
    assert page.state.fault is not None
    assert way in page.state.fault.ways
    button = page.state.buttons()[page.state.fault.ways.index(way)]
    assert isinstance(button, QPushButton)
    with qtbot.waitSignal(getattr(page, signal)):
        button.click()


def test_trying_again_asks_the_same(opened: Opened) -> None:
    page = opened.open()
    opened.link.refuse(opened.search("qwen"), "hub_broken")
    button = page.state.buttons()[0]
    assert isinstance(button, QPushButton)
    button.click()
    assert opened.link.latest(Search).text == "qwen"
    opened.link.give(found(opened.link.latest(Search), hit("a/b")))
    assert page.list.isVisible()


def test_nothing_found_says_what_else_to_try(opened: Opened) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("qwen"), left_out=12))
    assert page.discovering.stage is Stage.EMPTY
    assert "12" in page.state.text.text()
    button = page.state.buttons()[0]
    assert isinstance(button, QPushButton)
    button.click()
    assert page.field.text() == ""
    assert page.discovering.stage.value == Stage.STARTER.value


def test_pages_without_anything_wanted_are_passed_over(opened: Opened) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("q"), more=True, left_out=40))
    assert page.discovering.stage is Stage.LOADING
    opened.link.give(found(opened.link.latest(Search), hit("a/b"), left_out=2))
    assert page.discovering.stage.value == Stage.RESULTS.value
    assert page.discovering.left_out == 42
    assert "42" in page.lead.text()


def test_they_are_not_passed_over_for_ever(opened: Opened) -> None:
    page = opened.open()
    asked = opened.search("q")
    for _ in range(20):
        opened.link.give(found(asked, more=True, left_out=40))
        if not opened.link.has(Search):
            break
        asked = opened.link.latest(Search)
    assert page.discovering.stage is Stage.EMPTY


# --- limits and order -----------------------------------------------------------------------


@bare_platform
def test_limits_are_asked_of_the_hub(opened: Opened) -> None:
    page = opened.open()
    bar = page.bar
    bar.format.click()
    menu = bar.menu_of(bar.format)
    qwen = next(action for action in menu.actions() if action.text().startswith("AWQ"))
    qwen.trigger()
    menu.close()
    assert opened.link.latest(Search).filters == Filters(formats=("awq",))
    assert "AWQ" in bar.format.text()
    assert bar.format.isChecked()
    bar.size_limit.click()
    menu = bar.menu_of(bar.size_limit)
    next(a for a in menu.actions() if a.text() == "up to 8 GiB").trigger()
    menu.close()
    asked = opened.link.latest(Search).filters
    assert asked == Filters(formats=("awq",), max_bytes=8 * GIB)
    bar.clear.click()
    assert page.discovering.stage is Stage.STARTER
    assert not bar.format.isChecked()


def test_only_what_fits_waits_for_the_hardware(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    page.bar.fits.click()
    qtbot.waitUntil(lambda: opened.link.has(Search), timeout=WAIT_MS)
    asked = opened.link.latest(Search)
    assert asked.filters.fits_only
    assert asked.machine == opened.around.machine


@bare_platform
def test_an_order_is_asked_of_the_hub(opened: Opened) -> None:
    page = opened.open()
    assert not page.bar.sort.isVisible()  # the starter list has its own
    opened.link.give(found(opened.search("q"), hit("a/b")))
    assert page.bar.sort.isVisible()
    page.bar.sort.click()
    menu = page.bar.menu_of(page.bar.sort)
    next(a for a in menu.actions() if a.text() == "Newest").trigger()
    menu.close()
    assert opened.link.latest(Search).sort == "date"


@bare_platform
def test_a_menu_of_several_stays_open(opened: Opened) -> None:
    page = opened.open()
    page.bar.format.click()
    menu = page.bar.menu_of(page.bar.format)
    menu.setActiveAction(menu.actions()[0])
    QTest.keyClick(menu, Qt.Key.Key_Space)
    assert menu.isVisible()
    menu.setActiveAction(menu.actions()[1])
    QTest.keyClick(menu, Qt.Key.Key_Space)
    menu.close()
    assert len(page.discovering.filters.formats) == 2


# --- verdicts -------------------------------------------------------------------------------


def test_only_what_is_seen_is_judged(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("q"), *hits(400)))
    judge = opened.judged()
    seen = [one.repo for one in page.list.hits_in_sight()]
    assert list(judge.repos) == seen
    assert len(seen) < 30
    assert judge.machine == opened.around.machine
    first = page.hits.hit_at(0)
    assert first is not None
    assert page.hits.fit_of(first) is Fit.ASKED
    opened.link.give(fitting(judge, first.repo))
    assert page.hits.fit_of(first) is Fit.FITS
    page.list.scrollToBottom()
    qtbot.waitUntil(lambda: judge.id in opened.link.cancelled, timeout=WAIT_MS)
    later = opened.link.latest(Judge)
    assert first.repo not in later.repos
    assert page.list.hits_in_sight()[-1].repo in later.repos


def test_a_verdict_that_is_known_is_not_asked_for_again(opened: Opened, qtbot: QtBot) -> None:
    opened.open()
    opened.link.give(found(opened.search("q"), *hits(5)))
    judge = opened.judged()
    for repo in judge.repos:
        opened.link.give(fitting(judge, repo))
    opened.link.give(Judged(id=judge.id))
    opened.link.give(found(opened.search("other words"), *hits(6)))
    assert opened.judged().repos == ("owner/model-5-AWQ",)


def test_what_could_not_be_judged_now_is_not_called_anything(opened: Opened) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("q"), *hits(2)))
    judge = opened.judged()
    opened.link.refuse(judge, "timeout")
    one = page.hits.hit_at(0)
    assert one is not None
    assert page.hits.fit_of(one) is Fit.UNKNOWN


def test_with_other_hardware_nothing_that_was_known_holds(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("q"), *hits(1)))
    judge = opened.judged()
    opened.link.give(fitting(judge, judge.repos[0]))
    opened.link.give(Judged(id=judge.id))
    opened.around.machine = ONE_8
    with qtbot.waitSignal(page.book.reset, timeout=WAIT_MS):
        page.book.read_machine(afresh=True)
    assert opened.judged().machine == ONE_8


def test_hardware_that_cannot_be_read_leaves_verdicts_open(opened: Opened, qtbot: QtBot) -> None:
    def fail() -> object:
        raise OSError("the driver is gone")

    opened.around.read = fail  # type: ignore[method-assign,assignment]
    page = opened.open()
    opened.link.give(found(opened.search("q"), *hits(1)))
    one = page.hits.hit_at(0)
    assert one is not None
    qtbot.waitUntil(lambda: page.hits.fit_of(one) is Fit.UNKNOWN, timeout=WAIT_MS)


def test_a_processor_alone_is_judged_too(opened: Opened, qtbot: QtBot) -> None:
    opened.around.machine = CPU
    page = opened.open()
    seen = page.list.hits_in_sight()
    qtbot.waitUntil(
        lambda: all(page.hits.fit_of(one) in (Fit.FITS, Fit.TOO_BIG) for one in seen),
        timeout=WAIT_MS,
    )


# --- builds ---------------------------------------------------------------------------------


def test_builds_are_asked_for_when_they_are_unfolded(opened: Opened) -> None:
    page = opened.open()
    base = hit("o/x", format="bf16", builds=3)
    opened.link.give(found(opened.search("x"), base, hit("a/x-AWQ", base_model="o/x"), hit("b/y")))
    assert rows(page.hits) == ["x", "y"]
    page.hits.set_open(0, is_open=True)
    assert rows(page.hits) == ["x", "x-AWQ", "y"]
    asked = opened.link.latest(Builds)
    assert asked.base_repo == "o/x"
    more = [hit("a/x-AWQ", base_model="o/x"), hit("c/x-GPTQ", base_model="o/x", format="gptq")]
    opened.link.give(found(asked, *more))
    assert rows(page.hits) == ["x", "x-AWQ", "x-GPTQ", "y"]
    page.hits.set_open(0, is_open=False)
    page.hits.set_open(0, is_open=True)
    assert not opened.link.has(Builds)


def test_the_sign_unfolds_and_chooses_nothing(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("x"), hit("o/x", format="bf16", builds=3)))
    row = page.list.visualRect(page.hits.index(0))
    QTest.mouseClick(
        page.list.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(row.left() + 12, row.center().y()),
    )
    assert opened.link.has(Builds)
    assert not opened.link.has(Page)


def test_a_model_that_is_too_big_lets_its_build_speak(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    builds = [
        hit("b/x-GPTQ", base_model="o/x", format="gptq"),
        hit("a/x-AWQ", base_model="o/x"),
    ]
    opened.link.give(found(opened.search("x"), hit("o/x", format="bf16", builds=2), *builds))
    judge = opened.judged()
    assert judge.repos == ("o/x", "a/x-AWQ")  # the likeliest of those that are folded
    opened.link.give(fitting(judge, "o/x", fits="no", short_by=7 * GIB, context=0))
    row = page.hits.row_at(0)
    assert row is not None
    assert page.hits.stand_of(row)[0] is Fit.TOO_BIG
    with qtbot.waitSignal(page.hits.row_changed):
        opened.link.give(fitting(judge, "a/x-AWQ"))
    fit, _, words = page.hits.stand_of(row)
    assert fit is Fit.BUILD
    assert words == "AWQ: 32,768 tokens · 3 chats"
    page.list.grab()
    page.hits.set_open(0, is_open=True)  # now it speaks for itself
    assert page.hits.stand_of(row)[0] is Fit.TOO_BIG


def test_builds_that_are_not_known_yet_may_fit(opened: Opened) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("x"), hit("o/x", format="bf16", builds=2)))
    judge = opened.judged()
    opened.link.give(fitting(judge, "o/x", fits="no", short_by=7 * GIB, context=0))
    row = page.hits.row_at(0)
    assert row is not None
    assert page.hits.stand_of(row)[2] == "by 7.0 GiB · a build may fit"


def test_builds_that_cannot_be_had_fold_again(opened: Opened) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("x"), hit("o/x", format="bf16", builds=3)))
    page.hits.set_open(0, is_open=True)
    opened.link.refuse(opened.link.latest(Builds), "timeout")
    row = page.hits.row_at(0)
    assert row is not None
    assert not row.is_open


# --- what a row says ------------------------------------------------------------------------


def test_a_screen_reader_hears_all_of_a_row(opened: Opened) -> None:
    opened.around.installed = [here("o/x")]
    page = opened.open()
    opened.link.give(
        found(opened.search("x"), hit("o/x", builds=3, gated="auto"), hit("p/y", runnable=False))
    )
    judge = opened.judged()
    opened.link.give(fitting(judge, "o/x", fits="no", short_by=7 * GIB, context=0))
    spoken = page.hits.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    for part in ("x", "AWQ", "Too big: by 7.0 GiB", "installed", "licence", "by o", "3 builds"):
        assert part in spoken
    assert page.hits.index(1).data(DiscoverRole.FIT) is Fit.REFUSED


def test_hostile_names_are_text(opened: Opened) -> None:
    page = opened.open()
    name = "o/<img src=x>\u202egnp" + "y" * 300
    opened.link.give(found(opened.search("x"), hit(name, licence="<b>\n\u202e")))
    shown = page.hits.index(0).data()
    assert "\u202e" not in shown
    assert len(shown) < 120
    tip = page.hits.index(0).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip
    page.list.grab()


def test_the_model_is_one(opened: Opened, qtbot: QtBot) -> None:
    model = DiscoverModel()
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal, model
    )
    assert tester is not None
    model.show_starter(read_catalogue(), {"small": "Small"})
    first = model.first_model()
    assert first is not None
    model.set_open(first, is_open=True)
    model.show_hits([*hits(5), hit("o/x", format="bf16", builds=2)], more=True)
    model.set_open(5, is_open=True)
    model.show_builds("o/x", [hit("a/x", base_model="o/x"), hit("b/x", base_model="o/x")])
    model.add_hits([hit("c/x", base_model="o/x"), *hits(4, first=5)], more=False)
    model.set_open(5, is_open=False)
    model.clear()


@pytest.mark.parametrize("width", [NARROW - 120, NARROW + 300])
def test_rows_have_one_height_by_the_width(opened: Opened, width: int) -> None:
    page = opened.open(width + 40)
    opened.link.give(found(opened.search("q"), *hits(30)))
    page.list.grab()
    first, second = (page.list.visualRect(page.hits.index(n)) for n in (0, 1))
    assert first.height() == second.height()
    assert page.list.uniformItemSizes()
    narrow = page.list.viewport().width() < NARROW
    assert narrow == (width < NARROW)


def test_what_is_installed_is_marked_when_it_comes(opened: Opened) -> None:
    page = opened.open()
    opened.link.give(found(opened.search("q"), *hits(2)))
    assert not page.hits.index(0).data(DiscoverRole.HERE)
    opened.around.installed.append(here("owner/model-0-AWQ"))
    page.refresh_installed()
    assert page.hits.index(0).data(DiscoverRole.HERE)


# --- the keyboard ---------------------------------------------------------------------------


def test_the_keyboard_goes_from_the_field_to_the_list_and_back(
    opened: Opened, qtbot: QtBot
) -> None:
    page = opened.open()
    page.activateWindow()
    page.field.setFocus()
    qtbot.waitUntil(page.field.hasFocus, timeout=WAIT_MS)
    opened.link.give(found(opened.search("q"), *hits(3)))
    QTest.keyClick(page.field, Qt.Key.Key_Down)
    assert page.list.hasFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Up)
    assert page.field.hasFocus()
    QTest.keyClick(page.field, Qt.Key.Key_Down)
    QTest.keyClick(page.list, Qt.Key.Key_W)
    assert page.field.text() == "qw"
    assert page.field.hasFocus()
    QTest.keyClick(page.field, Qt.Key.Key_Escape)
    assert page.field.text() == ""


def test_tab_reaches_everything(opened: Opened, qtbot: QtBot) -> None:
    page = opened.open()
    page.activateWindow()
    page.field.setFocus()
    qtbot.waitUntil(page.field.hasFocus, timeout=WAIT_MS)
    reached = set()
    for _ in range(40):
        focus = QApplication.focusWidget()
        assert focus is not None
        assert focus.accessibleName(), focus
        reached.add(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    for wanted in (page.bar.format, page.bar.language, page.bar.fits, page.list):
        assert wanted in reached


# --- from one start to the next ---------------------------------------------------------------


def test_limits_and_order_are_remembered_and_ask_nothing_by_themselves(
    qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / search_memory.FILE
    for first in (True, False):
        opened = Opened(qtbot)
        opened.around.search_file = file
        page, link = opened.open(), opened.link
        if first:
            page.bar.fits.click()
            page.bar.sorted_by.emit("date")
        else:
            assert page.bar.filters == Filters(fits_only=True)
            assert page.bar.fits.isChecked()
            assert page.discovering.stage is Stage.STARTER
            assert not link.has(Search)
            assert "limits" in page.lead.text()
            search = opened.search("qwen")
            assert (search.filters.fits_only, search.sort) == (True, "date")
            page.bar.clear.click()
        link.close()
    assert search_memory.read(file) == (Filters(), "date")


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"version": 1, "filters": {"formats": 3}, "order": ["x"]}']
)
def test_a_memory_that_makes_no_sense_is_none(tmp_path: Path, content: str) -> None:
    file = tmp_path / search_memory.FILE
    file.write_text(content)
    assert search_memory.read(file) == (Filters(), "downloads")
