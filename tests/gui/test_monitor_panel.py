"""The monitor's panel in the window: what it shows, what can be done with it, what it costs."""

from __future__ import annotations

import csv
import io
import stat
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QSlider
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_state import Phase
from desktop.models.monitor.alerts import Alert, Cause, Kind
from desktop.models.monitor.history import History
from desktop.models.monitor.mutes import UNTIL_END, Mutes
from desktop.models.monitor.tables import histories_table, to_csv
from desktop.views.monitor.monitor_panel import CARDS, LEDGER, MAP, THROUGHPUT, MonitorPanel
from desktop.views.monitor.pacer import Pacer
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.monitor_feed_kit import NoGpu
from tests.gui.monitor_kit import SCRIPT, hardware_from, monitor_of, opened, until_says, words


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    hardware_from(NoGpu, monkeypatch)


@pytest.fixture
def app(open_window: OpenWindow, qtbot: QtBot) -> Inglenook:
    """A window with a chat that answers at length."""
    result = open_window(SCRIPT)
    result.window.resize(1300, 780)
    qtbot.waitUntil(lambda: result.client.view.phase is Phase.READY, timeout=WAIT_MS)
    send(result, "/long 4000")
    return result


@pytest.fixture
def panel(app: Inglenook, qtbot: QtBot) -> MonitorPanel:
    found = opened(app)
    qtbot.waitUntil(lambda: bool(found.shown.rows(1)), timeout=WAIT_MS)
    return found


def send(app: Inglenook, text: str) -> str:
    tab = app.window.area.current_tab()
    assert tab is not None
    assert tab.session.send(text)
    return tab.session.chat_id


def test_it_shows_what_there_is(panel: MonitorPanel, qtbot: QtBot) -> None:
    said = until_says(panel, qtbot, "Computer, unfolded", "No NVIDIA GPU here", "of 512 blocks")
    assert [row.owner.ref.title for row in panel.shown.rows(1)] == ["/long 4000"]
    for text in ("KV cache, unfolded", "Throughput, unfolded", "Chats, unfolded", "Load, unfolded"):
        assert text in said
    picture = panel.shown.picture(1)
    assert picture is not None
    assert picture.used > 0
    assert panel.sections[MAP].facts().endswith("of 512 blocks")
    assert not panel.head.engines.isVisible()  # there is but one


def test_before_a_model_is_there_it_says_so(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=60")
    app.window.resize(1300, 780)
    panel = opened(app)
    until_says(panel, qtbot, "A model is being loaded.")
    app.client.cancel_load()
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.IDLE, timeout=WAIT_MS)
    until_says(panel, qtbot, "No model is loaded, so there is no KV cache.")


def test_a_sleeping_model_has_no_pool(panel: MonitorPanel, app: Inglenook, qtbot: QtBot) -> None:
    app.client.sleep(lend=True)
    until_says(panel, qtbot, "The model sleeps", never=("answers",))


def test_sections_fold_by_mouse_and_key_and_stay_so(panel: MonitorPanel, qtbot: QtBot) -> None:
    section = panel.sections[MAP]
    section.head.click()
    assert not panel.map.isVisible()
    assert panel.folded() == (MAP,)
    assert section.head.accessibleName() == "KV cache, folded"
    QTest.keyClick(section.head, Qt.Key.Key_Right)
    assert panel.folded() == ()
    QTest.keyClick(section.head, Qt.Key.Key_Left)
    assert panel.folded() == (MAP,)
    qtbot.waitUntil(lambda: section.facts().endswith("blocks"), timeout=WAIT_MS)


def test_a_frozen_view_stands_still_while_readings_go_on(
    panel: MonitorPanel, app: Inglenook, qtbot: QtBot
) -> None:
    app.window.actions_by_name["monitor_pause"].trigger()
    assert app.window.actions_by_name["monitor_pause"].isChecked()
    assert panel.head.state_text() == "Frozen"
    seen, now = panel.sections[MAP].facts(), panel.shown.at
    qtbot.waitUntil(lambda: panel.shown.at > now + 1, timeout=WAIT_MS)
    assert panel.sections[MAP].facts() == seen
    panel.head.pause.click()
    assert not panel.is_paused
    assert not app.window.actions_by_name["monitor_pause"].isChecked()
    qtbot.waitUntil(lambda: panel.sections[MAP].facts() != seen, timeout=WAIT_MS)


def test_a_session_is_recorded_and_shown_again(
    panel: MonitorPanel, app: Inglenook, qtbot: QtBot, tmp_path: Path
) -> None:
    monitor, path = monitor_of(app), tmp_path / "evening.jsonl"
    monitor.record(path)
    qtbot.waitUntil(lambda: panel.head.state_text().startswith("● REC"), timeout=WAIT_MS)
    assert app.window.actions_by_name["monitor_record"].isChecked()
    began = panel.shown.at
    qtbot.waitUntil(lambda: panel.shown.at > began + 1.5, timeout=WAIT_MS)
    monitor.toggle()
    (badge,) = (
        one for one in app.window.status.findChildren(QAbstractButton) if one.text() == "● REC"
    )
    assert badge.isVisible()
    assert monitor.feed.rate.value == "panel"  # what is not seen is recorded all the same
    badge.click()
    assert panel.isVisible()
    assert not badge.isVisible()
    panel.head.record.click()  # ends it
    assert panel.head.state_text() == ""
    assert not app.window.actions_by_name["monitor_record"].isChecked()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    monitor.replay(path)
    bar = panel.replay_bar
    assert bar.isVisible()
    assert "This is a recording, evening.jsonl" in bar.text()
    replay = monitor.feed.replaying
    assert replay is not None
    qtbot.waitUntil(lambda: bool(panel.shown.rows(1)), timeout=WAIT_MS)
    assert "from the recording evening.jsonl" in panel.caption()
    if replay.is_playing:
        bar.play.click()
    assert not replay.is_playing
    slider = bar.findChild(QSlider)
    assert slider is not None
    slider.setValue(slider.maximum())
    qtbot.waitUntil(lambda: replay.is_over, timeout=WAIT_MS)
    slider.setValue(0)
    qtbot.waitUntil(lambda: replay.position < 1, timeout=WAIT_MS)
    speed = bar.findChild(QComboBox)
    assert speed is not None
    speed.setCurrentIndex(speed.count() - 1)
    speed.activated.emit(speed.count() - 1)
    assert replay.speed == 16
    bar.play.click()
    qtbot.waitUntil(lambda: replay.is_over, timeout=WAIT_MS)
    bar.back.click()
    assert not bar.isVisible()
    assert monitor.feed.replaying is None
    live = panel.shown.at
    qtbot.waitUntil(lambda: panel.shown.at > live, timeout=WAIT_MS)


def test_what_is_no_recording_is_refused_in_words(
    panel: MonitorPanel, app: Inglenook, tmp_path: Path
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")
    monitor_of(app).replay(path)
    assert panel.notice.text()
    assert not panel.replay_bar.isVisible()
    monitor_of(app).replay(tmp_path / "gone.jsonl")
    assert "gone.jsonl" in panel.notice.text()
    monitor_of(app).record(tmp_path / "no" / "such" / "folder.jsonl")
    assert "Choose another place" in panel.notice.text()
    assert panel.head.state_text() == ""


def test_it_is_exported_as_a_picture_and_as_tables(
    panel: MonitorPanel, app: Inglenook, qtbot: QtBot, tmp_path: Path
) -> None:
    monitor = monitor_of(app)
    app.hub.rename_chat(app.hub.sessions()[0].chat_id, '=HYPERLINK("x")')
    qtbot.waitUntil(
        lambda: any(r.owner.ref.title.startswith("=") for r in panel.shown.rows(1)), timeout=WAIT_MS
    )
    monitor.save_picture(tmp_path / "panel.png")
    picture = QImage(str(tmp_path / "panel.png"))
    assert picture.height() > panel.height()  # all of it, with what is scrolled away
    monitor.save_chats(tmp_path / "chats.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "chats.csv").read_text("utf-8-sig"))))
    assert rows[0][4] == "Context (tokens)"
    assert rows[1][0] == '\'=HYPERLINK("x")'
    assert int(rows[1][2]) > 0
    monitor.save_histories(tmp_path / "histories.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "histories.csv").read_text("utf-8-sig"))))
    assert "Computer processor (%)" in rows[0]
    assert any("generation (tokens/s)" in title for title in rows[0])
    assert len(rows) > 1
    assert all(len(row) == len(rows[0]) for row in rows)
    monitor.save_picture(tmp_path / "no" / "folder.png")
    assert "Choose another place" in panel.notice.text()


def test_a_click_opens_the_chat_and_stop_stops_it(
    panel: MonitorPanel, app: Inglenook, qtbot: QtBot
) -> None:
    window = app.window
    first = window.area.current_tab()
    assert first is not None
    window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: window.area.count() == 2, timeout=WAIT_MS)
    panel.map.chat_activated.emit(first.session.chat_id)
    assert window.area.current_tab() is first
    (row,) = [row for row in panel.shown.rows(1) if row.owner.requests]
    panel.ledger.stop_requested.emit(row.owner.requests)
    qtbot.waitUntil(lambda: not first.session.state.is_active, timeout=WAIT_MS)
    assert first.session.messages[-1].status is MessageStatus.STOPPED
    panel.ledger.chat_activated.emit("gone")
    assert "not there any more" in panel.notice.text()


def test_an_alert_is_seen_leads_to_its_cause_and_can_be_muted(
    panel: MonitorPanel, app: Inglenook, qtbot: QtBot
) -> None:
    monitor = monitor_of(app)
    cause = Cause(Kind.LATENCY, engine=1, name="Small")
    alert = Alert(cause, 0.0, 210.0, 150.0)
    monitor._on_alerts((alert, Alert(Cause(Kind.EVICTIONS, engine=1), 0.0, 80.0, 50.0)))
    badge = monitor.badge
    assert badge is not None
    assert badge.isVisible()
    assert badge.text() == "Slow: 210 ms a token (+1)"
    assert len(panel.alerts.texts()) == 2
    panel.sections[THROUGHPUT].set_folded(True)
    monitor.toggle()
    assert not panel.isVisible()
    badge.click()
    assert panel.isVisible()
    assert not panel.sections[THROUGHPUT].is_folded
    assert not panel.throughput.visibleRegion().isEmpty()
    panel.alerts.mute_wanted.emit(cause, 60.0)
    assert badge.text().startswith("KV cache evicted")
    assert len(panel.alerts.texts()) == 1
    assert "1 alert muted; hear of it again" in words(panel.alerts)
    (hear,) = [one for one in panel.alerts.findChildren(QAbstractButton) if one.text() == "1 muted"]
    hear.click()
    assert len(panel.alerts.texts()) == 2
    monitor._on_alerts(())
    assert badge.isHidden()
    assert not panel.alerts.isVisible()


def test_hidden_or_minimised_it_costs_nothing(
    panel: MonitorPanel, app: Inglenook, qtbot: QtBot
) -> None:
    def rate() -> str:
        return monitor_of(app).feed.rate.value

    assert rate() == "panel"
    app.window.showMinimized()
    qtbot.waitUntil(lambda: rate() == "alerts", timeout=WAIT_MS)
    app.window.showNormal()
    qtbot.waitUntil(lambda: rate() == "panel", timeout=WAIT_MS)
    app.window.actions_by_name["toggle_monitor"].trigger()
    assert rate() == "alerts"
    assert panel.is_settled
    app.window.change(watch_alerts=False)
    assert rate() == "off"
    at = panel.shown.at
    app.window.actions_by_name["toggle_monitor"].trigger()
    assert rate() == "panel"
    qtbot.waitUntil(lambda: panel.shown.at > at, timeout=WAIT_MS)


def test_each_part_has_a_turn_of_its_own(qtbot: QtBot) -> None:
    pacer, done = Pacer(beat_ms=1), list[str]()
    pacer.want("a", lambda: done.append("old"))
    pacer.want("b", lambda: done.append("b"))
    pacer.want("a", lambda: done.append("new"))
    with qtbot.waitSignal(pacer._timer.timeout, timeout=WAIT_MS):
        pass
    assert done == ["new"]
    qtbot.waitUntil(lambda: pacer.is_idle, timeout=WAIT_MS)
    assert done == ["new", "b"]
    pacer.want("c", lambda: done.append("c"))
    pacer.forget()
    assert pacer.is_idle
    pacer.deleteLater()


def test_several_engines_are_chosen_from(
    panel: MonitorPanel, app: Inglenook, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "Large").mkdir()
    other = app.pool.open(str(tmp_path / "Large"))
    qtbot.waitUntil(lambda: other.view.phase is Phase.READY, timeout=WAIT_MS)
    chooser = panel.head.engines
    qtbot.waitUntil(chooser.isVisible, timeout=WAIT_MS)
    assert chooser.count() == 2
    chooser.setCurrentIndex(1)
    chooser.activated.emit(1)
    qtbot.waitUntil(
        lambda: panel.engine is not None and panel.engine.key == app.pool.key_of(other),
        timeout=WAIT_MS,
    )
    until_says(panel.sections[LEDGER], qtbot, "No chat has anything in the KV cache yet.")
    app.pool.close(other)
    qtbot.waitUntil(lambda: panel.engine is not None and panel.engine.key == 1, timeout=WAIT_MS)
    until_says(panel.sections[LEDGER], qtbot, "Ledger")


def test_formulas_in_cells_are_harmless_and_gaps_empty() -> None:
    table = to_csv([["a", " =1+1", "-5", "@x", "ok"], [None, -5, 0.25, 3, "x"]])
    rows = list(csv.reader(io.StringIO(table.decode("utf-8-sig"))))
    assert rows == [["a", "' =1+1", "'-5", "'@x", "ok"], ["", "-5", "0.25", "3", "x"]]
    history = History()
    history.append(1.0, {"gpu0.power": 250.5, "host.load": None})
    history.append(2.0, {"gpu0.power": None, "host.load": None})
    head, only = histories_table(history, {}, 1_700_000_000.0)
    assert head == ["Time (UTC)", "GPU 0 power (W)", "Computer processor (%)"]
    assert only == ["2023-11-14T22:13:19.000+00:00", 250.5, None]


def test_mutes_end_by_themselves() -> None:
    mutes = Mutes()
    one = Alert(Cause(Kind.VRAM, gpu=0), 0.0, 97.0, 95.0)
    two = Alert(Cause(Kind.VRAM, gpu=1), 0.0, 97.0, 95.0)
    mutes.mute(one.cause.place, 100.0)
    mutes.mute(two.cause.place, UNTIL_END)
    assert mutes.heard((one, two), 50.0) == ()
    assert (mutes.count(50.0), mutes.next_end(50.0)) == (2, 100.0)
    assert mutes.heard((one, two), 100.0) == (one,)
    assert mutes.next_end(100.0) is None
    mutes.unmute()
    assert mutes.heard((one, two), 100.0) == (one, two)


def test_everything_in_it_has_a_name(panel: MonitorPanel) -> None:
    assert CARDS in panel.sections
    for button in panel.findChildren(QAbstractButton):
        if button.isVisible() and button.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            assert button.accessibleName() or button.text(), button.parent()
