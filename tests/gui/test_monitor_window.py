"""Where the monitor stands: beside the chats, in a window of its own, as a strip; remembered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from desktop import monitor_wiring
from desktop import session as session_file
from desktop.app import Inglenook
from desktop.engine_link.engine_state import Phase
from desktop.models.monitor.alerts import Kind
from desktop.session import MonitorPlace
from desktop.views.monitor.monitor_panel import LEDGER, MAP
from desktop.views.settings.settings_dialog import SettingsDialog
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.monitor_feed_kit import NoGpu
from tests.gui.monitor_kit import SCRIPT, hardware_from, monitor_of, opened

WIDE = (1300, 780)
NARROW = (700, 600)


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    hardware_from(NoGpu, monkeypatch)


@pytest.fixture
def app(open_window: OpenWindow, qtbot: QtBot) -> Inglenook:
    result = open_window(SCRIPT)
    result.window.resize(*WIDE)
    qtbot.waitUntil(lambda: result.client.view.phase is Phase.READY, timeout=WAIT_MS)
    return result


def shown(app: Inglenook) -> bool:
    return app.window.body.monitor_pane.isVisible()


def until(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=WAIT_MS)


def test_nothing_of_it_is_there_before_it_is_opened(app: Inglenook) -> None:
    monitor = monitor_of(app)
    assert (monitor.panel, monitor.strip, shown(app)) == (None, None, False)
    assert app.window.body.monitor_pane.layout() is None


def test_f9_shows_it_and_puts_it_away(app: Inglenook) -> None:
    tab = app.window.area.current_tab()
    assert tab is not None
    tab.focus_composer()
    QTest.keyClick(tab.composer.editor, Qt.Key.Key_F9)
    panel = monitor_of(app).panel
    assert panel is not None
    assert panel.isVisible()
    assert panel.window() is app.window
    assert app.window.actions_by_name["toggle_monitor"].isChecked()
    assert app.window.focusWidget() is tab.composer.editor
    panel.sections[MAP].head.setFocus()
    QTest.keyClick(panel.sections[MAP].head, Qt.Key.Key_F9)
    assert not panel.isVisible()
    assert not app.window.actions_by_name["toggle_monitor"].isChecked()
    assert app.window.focusWidget() is tab.composer.editor


def test_the_chat_gives_the_room_and_gets_it_back(app: Inglenook) -> None:
    before = app.window.body.sizes()
    opened(app)
    sidebar, centre, width = app.window.body.sizes()
    assert sidebar == before[0]
    assert width >= 300
    assert abs(centre + width - before[1]) <= 2
    app.window.actions_by_name["toggle_monitor"].trigger()
    assert abs(app.window.body.sizes()[1] - before[1]) <= 2


def test_it_goes_into_a_window_of_its_own_and_back(app: Inglenook, qtbot: QtBot) -> None:
    monitor, panel = monitor_of(app), opened(app)
    panel.head.window_button.click()
    own = panel.window()
    assert own is not app.window
    assert own.isVisible()
    assert own.windowTitle().startswith("Monitor")
    assert not shown(app)
    assert monitor.feed.rate.value == "panel"
    assert app.window.actions_by_name["monitor_window"].isChecked()
    own.resize(500, 640)
    own.close()  # as its frame's button does: it is put away, and comes back there
    assert not monitor.is_open
    assert not own.isVisible()
    monitor.toggle()
    assert panel.window() is own
    assert own.isVisible()
    assert own.size().width() == 500
    app.window.actions_by_name["monitor_window"].trigger()
    assert panel.window() is app.window
    assert panel.isVisible()
    assert not own.isVisible()
    until(qtbot, lambda: panel.is_seen)


def test_a_deleted_chat_is_named_no_more(app: Inglenook, qtbot: QtBot) -> None:
    panel = opened(app)
    tab = app.window.area.current_tab()
    assert tab is not None
    tab.session.send("Tell me of bread /long 40")

    def titles() -> list[str]:
        engine = panel.engine
        return [row.owner.ref.title for row in panel.shown.rows(engine.key)] if engine else []

    until(qtbot, lambda: bool(titles()) and not tab.session.state.is_active)
    app.hub.delete_chat(tab.session.chat.id)
    until(qtbot, lambda: titles() == [])
    assert panel.engine is not None
    picture = panel.shown.picture(panel.engine.key)
    assert picture is not None
    assert picture.remembered == ()


def test_a_small_window_has_a_strip_of_it(app: Inglenook, qtbot: QtBot) -> None:
    monitor, panel = monitor_of(app), opened(app)
    app.window.resize(*NARROW)
    strip = monitor.strip
    assert strip is not None
    assert strip.isVisible()
    assert not panel.isVisible()
    until(qtbot, lambda: "KV" in strip.readings.text() and "CPU" in strip.readings.text())
    assert strip.geometry().bottom() < app.window.status.geometry().top() + 1
    app.window.resize(*WIDE)
    assert not strip.isVisible()
    assert panel.isVisible()
    app.window.resize(1300, 480)  # too low
    assert strip.isVisible()
    QTest.keyClick(strip.readings, Qt.Key.Key_Return)
    assert panel.window() is not app.window
    assert panel.isVisible()
    assert not strip.isVisible()


def test_a_restart_brings_it_back_as_it_was(
    app: Inglenook, open_window: OpenWindow, qtbot: QtBot
) -> None:
    app.window.change(sidebar_visible=False)
    app.window.resize(790, 700)  # the offscreen screen has 800
    panel = opened(app)
    app.window.body.setSizes([0, 460, 330])
    width = app.window.body.sizes()[2]
    panel.sections[LEDGER].head.click()
    app.window.close()
    app.close()
    session, _ = session_file.load(app._folders.session)
    assert session.monitor == MonitorPlace(True, False, width, "", (LEDGER,))

    again = open_window(SCRIPT)
    assert shown(again)  # its room, from the first paint on
    assert again.window.body.sizes()[2] == width
    until(qtbot, lambda: monitor_of(again).panel is not None)
    restored = monitor_of(again).panel
    assert restored is not None
    until(qtbot, restored.isVisible)
    assert restored.folded() == (LEDGER,)
    assert again.window.body.sizes()[2] == width


def test_a_senseless_place_is_left_out() -> None:
    assert session_file._monitor({"open": 1, "width": -3, "folded": "x"}) == MonitorPlace()
    assert session_file._monitor([]) == MonitorPlace()


def test_the_settings_say_what_is_watched(app: Inglenook) -> None:
    app.window.actions_by_name["monitor_alerts"].trigger()
    (dialog,) = app.window.findChildren(SettingsDialog)
    page = dialog.monitor
    assert page.isVisible()
    page.limits[Kind.TEMPERATURE].setValue(80)
    page.switches[Kind.THROTTLE_POWER].setChecked(True)
    assert app.window.settings.alerts == {
        "temperature": {"limit": 80.0},
        "throttle_power": {"on": True},
    }
    page.switches[Kind.VRAM].setChecked(False)
    assert not page.limits[Kind.VRAM].isEnabled()
    page.watch.setChecked(False)
    page._restore()
    assert app.window.settings.alerts == {}
    assert page.watch.isChecked()
    assert page.limits[Kind.TEMPERATURE].value() == 87
    off = [kind for kind, box in page.switches.items() if not box.isChecked()]
    assert off == [Kind.THROTTLE_POWER]
    assert all(box.accessibleName() for box in page.findChildren(QCheckBox))
    dialog.reject()


def test_alerts_are_watched_without_the_panel(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitor_wiring, "SETTLE_MS", 0)
    app = open_window(SCRIPT)
    monitor = monitor_of(app)
    until(qtbot, lambda: monitor._watch is not None)
    assert monitor.panel is None
    assert monitor.feed.rate.value == "alerts"
