"""Told that a long answer is there: when, how, and with no word of what it says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess, QProcessEnvironment
from PySide6.QtDBus import QDBusConnection
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.chats.chat import MessageStatus
from desktop.desktop_notifications import DesktopNotifications
from desktop.engine_link.engine_state import Phase
from desktop.models.session.session_hub import AnswerEnded
from desktop.views.window.notifier import LONG_SECONDS, Notifier
from tests.gui.conftest import WAIT_MS, OpenWindow

ROOT = Path(__file__).parent.parent.parent


class FakeDesktop:
    """Remembers what it was told; `refuses` where there is no server."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.told: list[tuple[str, str, str]] = []
        self.withdrawn: list[str] = []
        self.refuses = refuses

    def notify(self, chat_id: str, title: str, body: str, failed: Callable[[], object]) -> None:
        self.told.append((chat_id, title, body))
        if self.refuses:
            failed()

    def withdraw(self, chat_id: str) -> None:
        self.withdrawn.append(chat_id)


def ended(app: Inglenook, **changes: object) -> AnswerEnded:
    tab = app.window.area.tabs()[0]
    long = AnswerEnded(
        tab.session.chat_id,
        "m",
        "A letter to Ada",
        LONG_SECONDS + 1,
        MessageStatus.COMPLETE,
        seen=False,
    )
    return replace(long, **changes)  # type: ignore[arg-type]


def with_notifier(
    open_window: OpenWindow, qtbot: QtBot, *, refuses: bool = False
) -> tuple[Inglenook, Notifier, FakeDesktop]:
    """A window of two tabs with the second in front; it is the active one."""
    app = open_window("load_seconds=5")
    tab = app.window.area.current_tab()
    assert tab is not None
    tab.composer.set_text("a draft")
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: app.window.area.count() == 2, timeout=WAIT_MS)
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow, timeout=WAIT_MS)
    desktop = FakeDesktop(refuses=refuses)
    return app, Notifier(app.window, app.window.area, desktop), desktop


def test_a_long_answer_behind_another_tab_is_told(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, notifier, desktop = with_notifier(open_window, qtbot)
    tab = app.window.area.tabs()[0]
    notifier.on_answer_ended(ended(app))
    assert desktop.told == [(tab.session.chat_id, "A letter to Ada", "The answer is there.")]
    assert "new" in tab.accessibleName()
    with qtbot.waitSignal(notifier.unseen_changed) as seen:
        app.window.area.setCurrentWidget(tab)
    assert seen.args == [tab.session.chat_id, False]
    assert "new" not in tab.accessibleName()
    assert desktop.withdrawn == [tab.session.chat_id]


@pytest.mark.parametrize(
    ("change", "told", "marked"),
    [
        ({"seconds": LONG_SECONDS - 1}, False, True),  # short: only marked
        ({"status": MessageStatus.STOPPED}, False, False),  # the user was there
        ({"status": MessageStatus.INTERRUPTED}, False, False),
        ({"status": MessageStatus.FAILED}, True, True),
    ],
)
def test_what_is_worth_a_word(
    open_window: OpenWindow, qtbot: QtBot, change: dict[str, object], told: bool, marked: bool
) -> None:
    app, notifier, desktop = with_notifier(open_window, qtbot)
    notifier.on_answer_ended(ended(app, **change))
    assert bool(desktop.told) == told
    assert ("new" in app.window.area.tabs()[0].accessibleName()) == marked


def test_what_is_looked_at_is_not_told(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, notifier, desktop = with_notifier(open_window, qtbot)
    front = app.window.area.tabs()[1].session.chat_id
    notifier.on_answer_ended(ended(app, chat_id=front))
    app.window.actions_by_name["split_right"].trigger()
    notifier.on_answer_ended(ended(app))  # in front of another pane
    assert desktop.told == []


def test_a_window_that_is_not_active_is_not_looked_at(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app, notifier, desktop = with_notifier(open_window, qtbot)
    front = app.window.area.tabs()[1].session.chat_id
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not app.window.isActiveWindow(), timeout=WAIT_MS)
    notifier.on_answer_ended(ended(app, chat_id=front))
    assert len(desktop.told) == 1
    with qtbot.waitSignal(notifier.unseen_changed, timeout=WAIT_MS):
        app.window.activateWindow()
    assert desktop.withdrawn == [front]


def test_turned_off_nothing_is_told_but_all_is_marked(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app, notifier, desktop = with_notifier(open_window, qtbot)
    notifier.enabled = False
    notifier.on_answer_ended(ended(app))
    assert desktop.told == []
    assert "new" in app.window.area.tabs()[0].accessibleName()


def test_without_a_server_the_window_asks_for_attention(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, notifier, _desktop = with_notifier(open_window, qtbot, refuses=True)
    alerted: list[QWidget] = []
    monkeypatch.setattr(QApplication, "alert", lambda widget, *_: alerted.append(widget))
    notifier.on_answer_ended(ended(app))
    assert alerted == [app.window]


@pytest.mark.qt_log_ignore("does not support (raise|propagateSizeHints)")
def test_a_real_answer_behind_another_tab_is_marked(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("tokens_per_second=300 load_seconds=0.05")
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    first = app.window.area.current_tab()
    assert first is not None
    first.session.send("/long 150")
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: app.window.area.count() == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "new" in first.accessibleName(), timeout=WAIT_MS)
    app.window.change(notify=False)
    assert app._notifier is not None
    assert not app._notifier.enabled
    app._on_chat_wanted(first.session.chat_id)
    assert app.window.area.current_tab() is first


# --- over a bus -----------------------------------------------------------------------


@pytest.fixture
def bus_address(tmp_path: Path) -> Iterator[str]:
    """A bus of its own; the user's is left alone."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None:
        pytest.skip("there is no dbus-daemon")
    process = subprocess.Popen(
        [daemon, "--session", "--nofork", "--print-address", f"--address=unix:dir={tmp_path}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait(timeout=10)
    process.stdout.close()


class ServerProcess:
    """The notification server as a process; what it said so far."""

    def __init__(self, address: str) -> None:
        self.process = QProcess()
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("DBUS_SESSION_BUS_ADDRESS", address)
        environment.insert("PYTHONPATH", os.fspath(ROOT))
        self.process.setProcessEnvironment(environment)
        self.process.start(sys.executable, ["-m", "tests.helpers.notification_server"])
        self.said: list[dict[str, object]] = []
        self.process.readyReadStandardOutput.connect(self._read)

    def _read(self) -> None:
        while self.process.canReadLine():
            self.said.append(json.loads(bytes(self.process.readLine().data())))

    def heard(self, what: str) -> list[dict[str, object]]:
        return [one for one in self.said if one["what"] == what]

    def close(self) -> None:
        self.process.terminate()
        self.process.waitForFinished(10_000)


@pytest.fixture
def server(bus_address: str) -> Iterator[ServerProcess]:
    process = ServerProcess(bus_address)
    yield process
    process.close()


def test_the_desktop_shows_the_title_and_a_click_says_which_chat(
    bus_address: str, server: ServerProcess, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bool(server.heard("ready")), timeout=WAIT_MS)
    bus = QDBusConnection.connectToBus(bus_address, "notification-test")
    notifications = DesktopNotifications(bus=bus)
    for count in (1, 2):  # the second takes the first one's place
        notifications.notify("id1", "A <b>letter</b>", "The answer is there.", pytest.fail)
        qtbot.waitUntil(lambda n=count: len(server.heard("notify")) == n, timeout=WAIT_MS)  # type: ignore[misc]
        qtbot.waitUntil(lambda: notifications._shown.get("id1") == 7, timeout=WAIT_MS)
    first, second = server.heard("notify")
    assert first["title"] == "A <b>letter</b>"
    assert first["body"] == "The answer is there."
    assert first["number"] == second["number"] == 7
    with qtbot.waitSignal(notifications.clicked, timeout=WAIT_MS) as clicked:
        server.process.write(b"click 7\n")
    assert clicked.args == ["id1"]
    notifications.withdraw("id1")
    qtbot.waitUntil(lambda: bool(server.heard("close")), timeout=WAIT_MS)
    server.close()
    with qtbot.waitCallback(timeout=WAIT_MS) as failed:
        notifications.notify("id2", "t", "b", failed)
    QDBusConnection.disconnectFromBus("notification-test")


def test_no_bus_is_no_fault(qtbot: QtBot) -> None:
    bus = QDBusConnection.connectToBus("unix:path=/nonexistent", "no-bus")
    failed: list[bool] = []
    DesktopNotifications(bus=bus).notify("id", "t", "b", lambda: failed.append(True))
    assert failed == [True]
    QDBusConnection.disconnectFromBus("no-bus")
