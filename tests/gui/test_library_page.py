"""A model's page: what it says, what a download fetches, would it fit, and what is in the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.models.library.hub_words import Fit
from desktop.models.loading.size_text import size_text
from desktop.views.dialogs import LinkDialog
from desktop.views.library.discover_page import DiscoverPage
from desktop.views.library.model_page import WIDE, ModelPage
from desktop.views.library.sign_in_dialog import SignInDialog
from engine.planner.shape import read_shape
from engine.store.hub.messages import Page, WhoAmI
from engine.store.hub.network import NetworkSettings
from engine.store.hub.records import FileChoice, LeftFile, RepoFile, Variant
from tests.gui.library_kit import (
    COMMIT,
    GIB,
    WAIT_MS,
    FakeDesk,
    FakeLink,
    Surroundings,
    account,
    here,
    listing,
    page,
)
from tests.helpers.load_machines import LLAMA_8B, LLAMA_70B, TWO_24

REPO = "owner/model-AWQ"


class Opened:
    """The page of a model, within Discover."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.link = FakeLink()
        self.desk = FakeDesk()
        self.around = Surroundings()
        self.discover: DiscoverPage
        self.page: ModelPage

    def open(self, width: int = 700, revision: str = COMMIT) -> Page:
        """Ask for it; the question."""
        self.discover = DiscoverPage(self.link, self.desk, self.around.context())
        self.qtbot.addWidget(self.discover)
        self.discover.resize(width, 640)
        self.discover.show()
        self.discover.show_model(REPO, revision)
        found = self.discover.model_page
        assert found is not None
        self.page = found
        return self.link.latest(Page)

    def show(self, width: int = 700, **values: object) -> ModelPage:
        """Open it, and have the hub tell."""
        asked = self.open(width)
        self.link.give(page(asked, REPO, **values))
        return self.page

    def planned(self) -> None:
        """Wait for the plan that was asked for."""
        self.qtbot.waitUntil(
            lambda: not self.page.plan.is_busy and self.page.plan.outlook is not None,
            timeout=WAIT_MS,
        )


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Opened]:
    result = Opened(qtbot)
    yield result
    result.link.close()


def texts(root: QWidget) -> str:
    return "\n".join(label.text() for label in root.findChildren(QLabel) if label.isVisible())


def dialog(root: QWidget) -> LinkDialog:
    return root.findChildren(LinkDialog)[-1]


# --- what it says ---------------------------------------------------------------------------


def test_it_says_what_the_model_is(opened: Opened) -> None:
    asked = opened.open()
    assert (asked.repo, asked.revision) == (REPO, COMMIT)
    assert opened.page.skeleton.isVisible()
    opened.link.give(page(asked, REPO))
    shown = opened.page
    assert shown.head.title.accessibleName() == "model-AWQ"
    facts = dict(shown.head.facts.facts())
    assert facts["Format"] == "AWQ, 4 bits, groups of 128"
    assert facts["Weights"] == "5.0 GiB"
    assert facts["Context"] == "128k tokens"
    assert facts["Licence"] == "Apache 2.0"
    assert facts["Made from"] == "owner/model"
    assert facts["Commit"] == COMMIT[:10]


def test_the_card_is_markdown_without_pictures_or_html(opened: Opened, qtbot: QtBot) -> None:
    shown = opened.show()
    qtbot.waitUntil(lambda: "instructions" in shown.card.view.plain_text(), timeout=WAIT_MS)
    text = shown.card.view.plain_text()
    assert "A model to talk to" in text
    assert "HumanEval" in text
    for gone in ("<div", "<img", "onerror", "badge.svg", "logo.png"):
        assert gone not in text


def test_a_link_of_the_card_shows_its_address_first(opened: Opened, qtbot: QtBot) -> None:
    shown = opened.show()
    shown.card.view.link_activated.emit("https://example.org/context")
    assert dialog(shown).informativeText() == "https://example.org/context"
    dialog(shown).close()


def test_no_card_is_no_gap(opened: Opened, qtbot: QtBot) -> None:
    shown = opened.show(card="")
    qtbot.waitUntil(lambda: shown.card.currentWidget() is shown.card.nothing, timeout=WAIT_MS)


def test_its_files_and_why_the_others_are_left(opened: Opened) -> None:
    shown = opened.show()
    shown.tabs.setCurrentWidget(shown.files)
    tree = shown.files.tree
    heads = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
    assert [head.text(0) for head in heads if head is not None] == [
        "Will be downloaded: 3",
        "Left out: 1 (15.0 GiB) · Weights in a format that can carry programs",
    ]
    assert heads[1] is not None
    left = heads[1].child(0)
    assert left is not None
    assert left.text(0) == "pytorch_model.bin"


def test_ten_thousand_files_are_not_ten_thousand_rows(opened: Opened) -> None:
    files = tuple(
        LeftFile(f"checkpoint-{n}/x\u202e<b>.pt", n, "Not wanted.") for n in range(10_000)
    )
    shown = opened.show(choice=FileChoice((RepoFile("a.safetensors", 5),), files, 5))
    head = shown.files.tree.topLevelItem(1)
    assert head is not None
    assert head.childCount() < 1_000
    first = head.child(0)
    assert first is not None
    assert "\u202e" not in first.text(0)


def test_licence_and_page_open_after_their_address_was_shown(opened: Opened) -> None:
    shown = opened.show()
    shown.doing.licence.click()
    assert dialog(shown).informativeText() == "https://example.org/licence"
    dialog(shown).close()
    shown.doing.web.click()
    assert dialog(shown).informativeText() == f"https://huggingface.co/{REPO}"
    dialog(shown).close()


def test_other_builds_lead_to_their_pages(opened: Opened) -> None:
    shown = opened.show()
    assert "(2)" in shown.tabs.tabText(shown.tabs.count() - 1)
    shown.tabs.setCurrentIndex(shown.tabs.count() - 1)
    shown.build_list.setCurrentIndex(shown.builds.index(0))
    QTest.keyClick(shown.build_list, Qt.Key.Key_Return)
    assert opened.link.latest(Page).repo == "other/model-GPTQ"
    assert opened.page.repo == "other/model-GPTQ"


# --- downloading ----------------------------------------------------------------------------


def test_the_button_says_how_much_and_begins_it(opened: Opened, qtbot: QtBot) -> None:
    opened.around.folder = Path("/nowhere/yet")
    shown = opened.show()
    qtbot.waitUntil(lambda: "free on the disk" in shown.doing.room.text(), timeout=WAIT_MS)
    assert "5.0 GiB" in shown.doing.download.text()
    assert "3 of 4 files" in shown.doing.room.text()
    shown.model.free = 100 * GIB  # whatever this machine has
    shown.model.changed.emit()
    with qtbot.waitSignal(opened.discover.downloads_wanted):
        shown.doing.download.click()
    (repo, revision, variant, told) = opened.desk.started[0]
    assert (repo, revision, variant) == (REPO, COMMIT, "")
    assert told == listing(REPO)


def test_a_disk_without_room_says_so(opened: Opened) -> None:
    shown = opened.show()
    shown.model.free = 3 * GIB
    shown.model.changed.emit()
    assert not shown.doing.download.isEnabled()
    assert "too little" in shown.doing.room.text()
    assert size_text(4 * GIB) in shown.doing.room.text()  # with what is to be left over


def test_what_this_engine_cannot_load_is_not_downloaded(opened: Opened) -> None:
    choice = FileChoice(problem="It holds weights as pickle files alone, which can run programs.")
    shown = opened.show(choice=choice, variants=(), shape=None)
    assert not shown.doing.download.isEnabled()
    assert "pickle" in shown.head.warning.text()


def test_one_that_is_here_can_be_loaded(opened: Opened, qtbot: QtBot) -> None:
    opened.around.installed = [here(REPO, path="/models/it", commit=COMMIT)]
    shown = opened.show()
    assert shown.doing.load.isVisible()
    assert "again" in shown.doing.download.text()
    with qtbot.waitSignal(opened.discover.load_requested) as wanted:
        shown.doing.load.click()
    assert wanted.args == ["/models/it"]


def test_one_that_is_here_in_part_is_made_whole(opened: Opened) -> None:
    opened.around.installed = [here(REPO, problem="config.json is missing.")]
    shown = opened.show()
    assert not shown.doing.load.isVisible()
    assert shown.doing.download.text() == "Fetch what is missing"
    assert "not whole" in shown.doing.room.text()


def test_another_version_or_variant_is_told_apart(opened: Opened) -> None:
    opened.around.installed = [here(REPO, variant="Q8_0"), here(REPO, commit="f" * 40)]
    shown = opened.show()
    assert shown.doing.load.isVisible()
    assert "Another version" in shown.doing.room.text()
    opened.around.installed = [here(REPO, variant="Q8_0")]
    opened.discover.refresh_installed()
    assert not shown.doing.load.isVisible()


def test_a_download_under_way_is_shown(opened: Opened, qtbot: QtBot) -> None:
    shown = opened.show()
    view = DownloadView(
        f"{REPO}:", REPO, state=DownloadState.RUNNING, phase="downloading", done=GIB, total=5 * GIB
    )
    opened.desk.views[view.key] = view
    opened.desk.changed.emit(view)
    assert shown.doing.room.text().startswith("Downloading · ")
    with qtbot.waitSignal(opened.discover.downloads_wanted):
        shown.doing.download.click()
    assert opened.desk.started == []


def test_another_variant_is_asked_for(opened: Opened) -> None:
    variants = (
        Variant("Q4_K_M", "gguf", 4 * GIB, ("q4",)),
        Variant("Q8_0", "gguf", 8 * GIB, ("q8",)),
    )
    first = FileChoice((RepoFile("q4.gguf", 4 * GIB),), (), 4 * GIB, "Q4_K_M")
    shown = opened.show(variants=variants, choice=first, shape=None, shape_problem="Not told.")
    assert shown.doing.variant.isVisible()
    assert shown.doing.variant.currentData() == "Q4_K_M"
    assert shown.plan.verdict.text() == "Not told."
    shown.doing.variant.setCurrentIndex(1)
    shown.doing.variant.activated.emit(1)
    asked = opened.link.latest(Page)
    assert asked.variant == "Q8_0"
    assert not shown.doing.download.isEnabled()  # it would fetch the other one
    second = FileChoice((RepoFile("q8.gguf", 8 * GIB),), (), 8 * GIB, "Q8_0")
    opened.link.give(page(asked, REPO, variants=variants, choice=second, shape=None))
    assert "8.0 GiB" in shown.doing.download.text()


# --- would it fit ---------------------------------------------------------------------------


def test_it_is_planned_with_sliders(opened: Opened, qtbot: QtBot) -> None:
    shown = opened.show(width=WIDE + 60)
    opened.planned()
    assert shown.plan.isVisible()
    assert shown.plan.mark.fit is Fit.FITS
    first = shown.plan.slider.stops[0].context
    shown.plan.slider.setFocus()
    QTest.keyClick(shown.plan.slider, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: shown.plan.choices.context == first, timeout=WAIT_MS)
    with qtbot.waitSignal(shown.plan.planned, timeout=WAIT_MS) as planned:
        pass
    assert planned.args[0].plan.context == first
    assert shown.plan.reset.isEnabled()
    with qtbot.waitSignal(shown.plan.planned, timeout=WAIT_MS) as planned:
        shown.plan.reset.click()
    assert planned.args[0].plan.context > first


def test_a_large_one_is_divided_among_two_gpus(opened: Opened, qtbot: QtBot) -> None:
    opened.around.machine = TWO_24
    shown = opened.show(width=WIDE + 60, shape=read_shape(LLAMA_70B))
    opened.planned()
    assert shown.plan.mark.fit is Fit.TWO
    boxes = shown.plan.devices.boxes
    assert list(boxes) == [0, 1]
    with qtbot.waitSignal(shown.plan.planned, timeout=WAIT_MS) as planned:
        boxes[0].click()
    assert planned.args[0].plan.devices == (1,)
    assert shown.plan.mark.fit.value == Fit.TOO_BIG.value
    assert "Too big" in shown.plan.verdict.text()


def test_where_it_is_narrow_the_plan_is_a_tab(opened: Opened, qtbot: QtBot) -> None:
    shown = opened.show(width=WIDE + 60)
    assert shown.tabs.indexOf(shown.plan) < 0
    opened.discover.resize(WIDE - 200, 640)
    qtbot.waitUntil(lambda: shown.tabs.indexOf(shown.plan) >= 0, timeout=WAIT_MS)
    shown.tabs.setCurrentWidget(shown.plan)
    opened.discover.resize(WIDE + 60, 640)
    qtbot.waitUntil(lambda: shown.tabs.indexOf(shown.plan) < 0, timeout=WAIT_MS)
    assert shown.plan.isVisible()
    opened.planned()


def test_larger_text_needs_more_room(opened: Opened, qapp: QApplication) -> None:
    shown = opened.show(width=WIDE + 60)
    opened.planned()
    theme.apply(qapp, "dark", 18)
    assert shown.tabs.indexOf(shown.plan) >= 0
    theme.apply(qapp, "light", 11)
    assert shown.tabs.indexOf(shown.plan) < 0


def test_what_cannot_be_planned_says_why(opened: Opened) -> None:
    shown = opened.show(shape=None, shape_problem="Its config.json tells no layers.")
    assert shown.plan.verdict.text() == "Its config.json tells no layers."
    assert shown.plan.mark.fit is Fit.UNKNOWN


# --- what is in the way ---------------------------------------------------------------------


def test_a_gated_one_says_what_its_owner_asks(opened: Opened) -> None:
    shown = opened.show(listing=listing(REPO, gated="auto"))
    opened.link.give(account(opened.link.latest(WhoAmI)))
    assert shown.head.access.isVisible()
    assert "licence" in shown.head.access.words.text()
    shown.head.access.open_page.click()
    assert dialog(shown).informativeText() == f"https://huggingface.co/{REPO}"
    dialog(shown).close()
    shown.head.access.account.click()
    sign_in = opened.discover.findChild(SignInDialog)
    assert sign_in is not None
    sign_in.close()


def test_who_is_signed_in_is_told(opened: Opened) -> None:
    shown = opened.show(listing=listing(REPO, gated="manual"))
    opened.link.give(account(opened.link.latest(WhoAmI), "ada", "file"))
    assert "ada" in shown.head.access.words.text()
    assert "wait" in shown.head.access.words.text()


@pytest.mark.parametrize(
    ("code", "first"),
    [("gated", "Open its page…"), ("sign_in", "Sign in…"), ("unreachable", "Try again")],
)
def test_a_page_that_cannot_be_had_says_what_to_do(opened: Opened, code: str, first: str) -> None:
    asked = opened.open()
    opened.link.refuse(asked, code, "It is so.", "https://example.org/licence")
    button = opened.page.state.buttons()[0]
    assert isinstance(button, QPushButton)
    assert button.text() == first
    assert opened.page.state.text.text() == "It is so."
    button.click()
    if code == "gated":
        assert dialog(opened.discover).informativeText() == "https://example.org/licence"
        dialog(opened.discover).close()
    elif code == "unreachable":
        assert opened.link.latest(Page).repo == REPO


def test_a_pinned_version_that_is_gone_leads_to_the_newest(opened: Opened) -> None:
    asked = opened.open()
    opened.link.refuse(asked, "not_found")
    assert "not on the hub" in opened.page.state.title.text()
    button = opened.page.state.buttons()[0]
    assert isinstance(button, QPushButton)
    button.click()
    assert (opened.link.latest(Page).repo, opened.link.latest(Page).revision) == (REPO, "main")


def test_the_focus_goes_along_to_what_is_shown(opened: Opened, qtbot: QtBot) -> None:
    asked = opened.open()
    opened.discover.activateWindow()
    opened.page.take_focus()
    opened.link.give(page(asked, REPO))
    shown = opened.page
    qtbot.waitUntil(lambda: opened.discover.focusWidget() is shown.doing.download, timeout=WAIT_MS)
    assert opened.discover.focusProxy() is shown
    opened.discover.show_list()
    assert opened.discover.focusProxy() is opened.discover.field


def test_after_signing_in_it_is_asked_for_again(opened: Opened) -> None:
    asked = opened.open()
    opened.link.refuse(asked, "sign_in")
    opened.discover._on_signed_in()
    assert opened.link.latest(Page).repo == REPO


def test_offline_there_is_no_page_but_a_way_on(opened: Opened) -> None:
    opened.link = FakeLink(offline=True)
    with pytest.raises(IndexError):
        opened.open()
    page_ = opened.discover.model_page
    assert page_ is not None
    assert page_.state.isVisible()
    opened.link.set_settings(NetworkSettings())
    assert opened.link.latest(Page).repo == REPO


def test_leaving_gives_the_question_up(opened: Opened) -> None:
    asked = opened.open()
    opened.discover.show_list()
    assert asked.id in opened.link.cancelled
    assert opened.discover.list.isVisible()


def test_an_answer_for_another_model_is_dropped(opened: Opened) -> None:
    asked = opened.open()
    opened.discover.show_model("other/one")
    opened.link.asked[asked.id] = asked
    opened.link.give(page(asked, REPO))
    assert opened.page.skeleton.isVisible()


# --- reach ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [520, 700, WIDE + 300])
def test_nothing_is_cut_off(opened: Opened, qtbot: QtBot, width: int) -> None:
    shown = opened.show(width=width, listing=listing(REPO, gated="auto"))
    opened.planned()
    inside = QRect(0, 0, shown.width(), shown.height())
    cut = []
    for widget in shown.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, (QLabel, QAbstractButton)):
            continue
        if shown.plan.isAncestorOf(widget) or shown.tabs.isAncestorOf(widget):
            continue  # these scroll
        place = QRect(widget.mapTo(shown, QPoint(0, 0)), widget.size())
        if not inside.contains(place):
            cut.append(widget.text())
    assert cut == []


def test_escape_leads_back_and_tab_everywhere(opened: Opened, qtbot: QtBot) -> None:
    shown = opened.show(width=WIDE + 60)
    opened.planned()
    opened.discover.activateWindow()
    shown.doing.download.setFocus()
    qtbot.waitUntil(shown.doing.download.hasFocus, timeout=WAIT_MS)
    reached: set[QWidget] = set()
    for _ in range(40):
        focus = QApplication.focusWidget()
        assert focus is not None
        assert focus.accessibleName() or focus.metaObject().className() == "QTabBar", focus
        reached.add(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    for wanted in (shown.head.back, shown.doing.licence, shown.tabs.tabBar(), shown.plan.slider):
        assert wanted in reached
    QTest.keyClick(shown.doing.download, Qt.Key.Key_Escape)
    assert opened.discover.stack.currentWidget() is opened.discover.front


def test_words_of_anybody_are_no_markup(opened: Opened) -> None:
    name = "o/<b>x</b>\u202e"
    asked = opened.open()
    told = listing(name, base_model="<i>\u202e", licence="<u>", gated="auto", commit=COMMIT)
    opened.link.give(
        page(asked, name, listing=told, licence="<u>" * 200, shape=read_shape(LLAMA_8B))
    )
    shown = texts(opened.page)
    assert "\u202e" not in shown
    for label in opened.page.findChildren(QLabel):
        assert label.textFormat() is not Qt.TextFormat.RichText
        if "<" in label.text():
            assert label.textFormat() is Qt.TextFormat.PlainText, label.text()
