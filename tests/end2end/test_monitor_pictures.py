"""What the monitor shows of each machine that the stub of NVML plays, in words and in pictures.

The pictures go to the folder that INGLENOOK_PICTURES names, else into the test's own.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.app import Inglenook
from desktop.engine_link.engine_state import Phase
from tests.gui.conftest import (  # noqa: F401 - fixtures
    WAIT_MS,
    OpenWindow,
    folders,
    open_window,
)
from tests.gui.monitor_feed_kit import NoGpu, StubGpus
from tests.gui.monitor_kit import SCRIPT, hardware_from, monitor_of, opened, until_says, words
from tests.helpers.nvml_stub import GIB, Scenario, two_3090s, unequal

pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")

CHATS = 3
SIZE = (1360, 900)
ENOUGH_COLOURS = 60  # a blank picture has a few


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("INGLENOOK_PICTURES") or tmp_path / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def take(app: Inglenook, folder: Path, name: str) -> None:
    """The window, and all of the panel."""
    assert app.monitor is not None
    panel = app.monitor.panel
    assert panel is not None
    for part, picture in (("", app.window.grab().toImage()), ("-panel", panel.picture())):
        assert colours(picture) > ENOUGH_COLOURS, name
        assert picture.save(str(folder / f"{name}{part}.png"))


def colours(picture: QImage) -> int:
    step = 3
    points = (
        (x, y) for x in range(0, picture.width(), step) for y in range(0, picture.height(), step)
    )
    return len({picture.pixel(x, y) for x, y in points})


def at_work(app: Inglenook, qtbot: QtBot) -> None:
    """Some chats that answer at length."""
    window = app.window
    window.resize(*SIZE)
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    for number in range(CHATS):
        if number:
            window.actions_by_name["new_chat"].trigger()
            qtbot.waitUntil(lambda n=number: window.area.count() == n + 1, timeout=WAIT_MS)  # type: ignore[misc]
        tab = window.area.current_tab()
        assert tab is not None
        tab.session.send(f"/long {3000 + number}")


def test_two_cards_through_an_evening(
    open_window: OpenWindow,  # noqa: F811
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    pictures: Path,
) -> None:
    """Another program takes memory, one is held back, one is lost, and returns."""
    scenario = Scenario(tmp_path / "scenario", two_3090s() | {"gpu1.process.4194301": 2 * GIB})
    scenario.change({"gpu1.used": 3 * GIB, "gpu1.throttle": 0, "gpu1.temperature": 61})
    hardware_from(lambda: StubGpus(scenario), monkeypatch)
    app = open_window(SCRIPT)
    at_work(app, qtbot)
    panel = opened(app)
    hardware = panel.hardware

    said = until_says(hardware, qtbot, "GPU 0", "GPU 1", "GeForce RTX 3090", "97 %", "24.0 GiB")
    assert "warzone" in said
    assert "PCIe" in said
    assert "NVLink" in said
    assert "Held back" not in said
    qtbot.waitUntil(lambda: len(panel.shown.rows(1)) == CHATS, timeout=WAIT_MS)
    take(app, pictures, "two-3090s")

    scenario.change({"gpu1.used": 23.5 * GIB // 1, "gpu1.process.4194301": 22 * GIB})
    until_says(hardware, qtbot, "22.0 GiB", "warzone")
    take(app, pictures, "other-program")

    scenario.change({"gpu1.throttle": 0x40, "gpu1.temperature": 93})
    until_says(hardware, qtbot, "Held back", "too hot", "93 °C")
    take(app, pictures, "throttled")

    scenario.change({"gpu1.lost": 1})
    said = until_says(hardware, qtbot, "no longer answers")
    assert "GPU 0" in said
    assert app.monitor is not None
    qtbot.waitUntil(lambda: bool(app.monitor and app.monitor.alerts), timeout=WAIT_MS)
    badge = app.monitor.badge
    assert badge is not None
    assert badge.isVisible()
    assert badge.text() == "GPU 1 lost"
    assert "restart the computer" in words(panel.alerts)
    take(app, pictures, "lost")

    scenario.change({"gpu1.lost": None, "gpu1.throttle": 0, "gpu1.temperature": 64})
    until_says(hardware, qtbot, "64 °C", never=("no longer answers",))
    qtbot.waitUntil(lambda: badge.isHidden(), timeout=WAIT_MS)
    theme.apply(theme.notifier().application, "dark", 11)  # type: ignore[arg-type]
    take(app, pictures, "returned")


def test_cards_that_are_not_alike_stand_on_one_scale(
    open_window: OpenWindow,  # noqa: F811
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    pictures: Path,
) -> None:
    scenario = Scenario(tmp_path / "scenario", unequal())
    hardware_from(lambda: StubGpus(scenario), monkeypatch)
    app = open_window(SCRIPT)
    at_work(app, qtbot)
    panel = opened(app)
    until_says(panel.hardware, qtbot, "RTX 3090", "RTX 3060", "24.0 GiB", "12.0 GiB")
    larger, smaller = (card.plots for card in panel.hardware.gpu_cards())
    assert [plot.top for plot in larger] == [plot.top for plot in smaller]
    take(app, pictures, "unequal")


def test_a_machine_without_a_gpu(
    open_window: OpenWindow,  # noqa: F811
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    pictures: Path,
) -> None:
    hardware_from(NoGpu, monkeypatch)
    app = open_window(SCRIPT)
    at_work(app, qtbot)
    panel = opened(app)
    until_says(panel, qtbot, "Computer", "No NVIDIA GPU here", "Processor", "10 %")
    assert not panel.hardware.gpu_cards()
    assert monitor_of(app).alerts == ()
    take(app, pictures, "no-gpu")
