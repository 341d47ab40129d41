"""The window's parts by themselves: chat list, banner, status bar, welcome, threads."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
import shiboken6
from PySide6.QtCore import QRect, Qt, QThread
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.background import Background
from desktop.engine_link.engine_pool import PRIMARY
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.views.engine.engine_banner import EngineBanner
from desktop.views.engine.status_bar import StatusBar
from desktop.views.tabs.welcome import Welcome
from engine.protocol import Failure, LoadStage, Remedy, RemedyAction, Scope, Telemetry
from tests.gui.conftest import WAIT_MS
from tests.gui.fake_client import LOADED


def failed(*remedies: Remedy) -> EngineView:
    failure = Failure(Scope.LOAD, "The model's folder is gone.", remedies=remedies, detail="ENOENT")
    return EngineView(Phase.FAILED, "/models/gone", failure=failure, queued=2)


def test_the_banner_explains_each_state(qtbot: QtBot) -> None:
    banner = EngineBanner()
    qtbot.addWidget(banner)
    banner.set_view(EngineView(Phase.STARTING))
    assert "Starting" in banner.text()
    banner.set_view(
        EngineView(Phase.LOADING, "/m/Small", stage=LoadStage.READING_WEIGHTS, fraction=0.5)
    )
    assert "Loading Small" in banner.text()
    assert "Step 2 of 5: reading weights" in banner.text()
    banner.set_view(EngineView(Phase.LOADING, "/m/a.gguf", stage=LoadStage.DESCRIBING))
    assert "vocabulary" in banner.text()
    assert "Step" not in banner.text()  # few loads have it
    with qtbot.waitSignal(banner.cancel_requested):
        banner.buttons()[0].click()
    banner.set_view(EngineView(Phase.RESTARTING, "/m/Small", restarts=2, retry_in=4.0))
    assert "again in 4 s" in banner.text()
    banner.set_view(failed(Remedy("Build it again", RemedyAction.REBUILD_STARTER)))
    assert "folder is gone" in banner.text()
    assert "2 messages wait" in banner.text()
    with qtbot.waitSignal(banner.remedy_chosen) as chosen:
        banner.buttons()[0].click()
    assert chosen.args is not None
    assert chosen.args[0].action is RemedyAction.REBUILD_STARTER
    assert banner.buttons()[-1].text() == "Show log"
    banner.set_view(EngineView(Phase.READY, "/m/Small", loaded=LOADED))
    assert banner.isHidden()


def test_figures_keep_their_places(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.resize(1000, 30)
    bar.show()
    bar.set_view(EngineView(Phase.READY, "/m/Small", loaded=LOADED))
    assert "Small" in bar.state_text()
    places = set()
    for rate, used in ((1.0, 1), (88.8, 511), (1234.5, 512)):
        bar.set_telemetry(Telemetry(1, 0, used, 512, rate, 0.0, resident_bytes=int(1.4e9)))
        qtbot.waitExposed(bar)
        places.add(tuple(label.width() for label in (bar._speed, bar._kv)))
    assert len(places) == 1
    assert bar.figures() == ("1,234.5 tokens/s", "KV 100.0 % · 512 of 512 blocks", "Memory 1.3 GiB")
    bar.set_view(EngineView(Phase.RESTARTING, "/m/Small"))
    assert bar.figures() == ("", "", "")


@pytest.mark.parametrize("size", [9, 11, 16])
def test_the_status_bar_keeps_its_height(qapp: QApplication, qtbot: QtBot, size: int) -> None:
    theme.apply(qapp, "light", size)
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = StatusBar()
    window.setStatusBar(bar)
    window.show()
    height = bar.height()
    for number, model in enumerate(("/m/small", "/m/other", "/m/茶 🫖 ཇ")):
        bar.set_view(EngineView(Phase.READY, model), PRIMARY + number)
        bar.set_telemetry(Telemetry(1, 0, 3, 9, 12.5, 0.0, resident_bytes=10**9), PRIMARY + number)
        layout = window.layout()
        assert layout is not None
        layout.activate()
        assert bar.height() == height
    theme.apply(qapp, "light", size + 3)
    assert bar.height() > height


@pytest.mark.parametrize("width", [1000, 640, 400])
def test_a_narrow_status_bar_shows_whole_figures_or_none(qtbot: QtBot, width: int) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.setMinimumWidth(0)
    bar.resize(width, 30)
    bar.show()
    bar.set_view(EngineView(Phase.READY, "/m/Small-but-with-a-name", loaded=LOADED))
    bar.set_telemetry(Telemetry(1, 0, 5, 512, 88.8, 0.0, resident_bytes=int(1.4e9)))
    assert bar.state_text().startswith("Ready · Small-but-with-a-name")

    def is_laid_out() -> None:
        shown = [label for label in (bar._speed, bar._kv, bar._memory) if label.isVisible()]
        assert len(shown) == 3 or width < 1000
        for label in (bar._state, *shown):
            assert label.mapTo(bar, label.rect().topRight()).x() < bar.width()
            assert label.width() >= label.fontMetrics().horizontalAdvance(label.text())

    qtbot.waitUntil(is_laid_out, timeout=WAIT_MS)


@pytest.mark.parametrize("phase", list(Phase))
def test_the_welcome_says_what_to_do_in_every_state(qtbot: QtBot, phase: Phase) -> None:
    welcome = Welcome()
    qtbot.addWidget(welcome)
    welcome.set_view(EngineView(phase, "/m/Small"))
    assert len(welcome.text()) > 20
    assert "{" not in welcome.text()


@pytest.mark.parametrize("size", [(1000, 600), (340, 420), (340, 160)])
def test_the_welcome_cuts_nothing_off(qtbot: QtBot, size: tuple[int, int]) -> None:
    welcome = Welcome()
    qtbot.addWidget(welcome)
    welcome.resize(*size)
    welcome.show()

    def is_laid_out() -> None:
        for words in welcome.findChildren(QLabel):
            room = QRect(0, 0, words.width(), 1000)
            wrapped = words.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, words.text())
            assert words.height() == pytest.approx(wrapped.height(), abs=4)
        shown = [b for b in welcome.findChildren(QPushButton) if b.isVisible()]
        for button in shown:
            assert button.width() >= button.sizeHint().width()
            place = button.mapTo(welcome, button.rect().bottomRight())
            assert place.x() < welcome.width()
            assert place.y() < welcome.height()
        assert len(shown) == 3 or size[1] < 300

    for phase in (Phase.READY, Phase.LOADING, Phase.READY):
        welcome.set_view(EngineView(phase, "/m/A-model-with-a-long-name-135M-Instruct"))
        qtbot.waitUntil(is_laid_out, timeout=WAIT_MS)


def test_results_arrive_on_the_main_thread_in_order(qtbot: QtBot) -> None:
    background = Background()
    seen: list[object] = []
    threads: set[bool] = set()
    main = QThread.currentThread()

    def done(value: object) -> None:
        seen.append(value)
        threads.add(QThread.currentThread() is main)

    def broken() -> None:
        raise OSError("no room")

    with ThreadPoolExecutor(1) as pool:
        for number in range(20):
            background.watch(pool.submit(lambda n=number: n), done)  # type: ignore[misc]
        background.watch(pool.submit(broken), done, lambda error: seen.append(str(error)))
        assert seen == []  # never inside the call
        with qtbot.waitSignal(background.failed):
            background.watch(pool.submit(broken))
    assert seen == [*range(20), "no room"]
    assert threads == {True}


def test_a_future_that_ends_after_the_window_harms_nobody() -> None:
    background = Background()
    future: Future[int] = Future()
    background.watch(future, lambda _value: pytest.fail("nobody is there"))
    shiboken6.delete(background)
    thread = threading.Thread(target=future.set_result, args=(1,))
    thread.start()
    thread.join()


def test_the_figures_come_back_when_the_other_engine_goes(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.resize(1000, 30)
    bar.show()
    bar.set_view(EngineView(Phase.READY, "/m/Small", loaded=LOADED))
    bar.set_telemetry(Telemetry(0, 0, 0, 512, 0.0, 0.0, resident_bytes=int(1.4e9)))
    figures = bar.figures()
    bar.set_view(EngineView(Phase.READY, "/m/Large", loaded=LOADED), 2)
    assert bar.figures() == ("", "", "")
    bar.keep_only({1})
    assert bar.figures() == figures
    assert figures[0]
