"""What bad surroundings get: a clear message, and nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from desktop import handover, paths
from desktop.chats.store.store_errors import ReadOnlyStoreError
from desktop.crash_report import CrashReport, CrashReporter, report_of
from desktop.models.starter_rebuild import StarterRebuild
from desktop.views.dialogs import LinkDialog
from desktop.views.engine.engine_banner import EngineBanner
from tests.gui.conftest import WAIT_MS, OpenWindow, stored
from tests.gui.test_main_window import FAST, add_tab, current, ready, write
from tests.helpers.stores import opened

ROOT = Path(__file__).resolve().parents[2]


def test_a_damaged_store_is_set_aside_and_the_window_works(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    folders.store.write_bytes(b"this is no database at all" * 400)
    app = open_window(FAST)
    qtbot.waitUntil(app.window.store_bar.isVisible, timeout=WAIT_MS)
    assert "damaged" in app.window.store_bar.text()
    ready(app, qtbot)
    write(current(app), "/long 5")
    qtbot.waitUntil(lambda: len(current(app).session.messages) == 2, timeout=WAIT_MS)


def test_a_read_only_folder_is_named_and_the_text_stays(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST)
    tab = current(app)
    error = ReadOnlyStoreError("Inglenook may not write to its chats.", "Make it writable.")

    def refuse(*_arguments: object, **_more: object) -> object:
        from concurrent.futures import Future

        future: Future[object] = Future()
        future.set_exception(error)
        return future

    monkeypatch.setattr(app.store, "add_exchange", refuse)
    write(tab, "keep me")
    qtbot.waitUntil(lambda: tab.composer.text() == "keep me", timeout=WAIT_MS)
    assert "may not write" in tab.notice_bar.text()
    assert tab.session.messages == ()
    monkeypatch.undo()
    ready(app, qtbot)
    write(tab, "/long 5")
    qtbot.waitUntil(lambda: len(tab.session.messages) == 2, timeout=WAIT_MS)


def refused(*_arguments: object, **_more: object) -> object:
    future: Future[object] = Future()
    future.set_exception(ReadOnlyStoreError("The disk is full.", "Free some space."))
    return future


def test_a_chat_can_be_made_after_one_could_not(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    write(current(app), "/long 5")
    qtbot.waitUntil(lambda: len(current(app).session.messages) == 2, timeout=WAIT_MS)
    monkeypatch.setattr(app.store, "create_chat", refused)
    with qtbot.waitSignal(app.hub.failed, timeout=WAIT_MS):
        app.window.actions_by_name["new_chat"].trigger()
    assert "disk is full" in app.window.store_bar.text()
    monkeypatch.undo()
    add_tab(app, qtbot)


def test_the_first_chat_can_be_made_after_it_could_not(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST, wait=False)
    monkeypatch.setattr(app.store, "create_chat", refused)
    with qtbot.waitSignal(app.hub.failed, timeout=WAIT_MS):
        pass
    tab = current(app)
    assert not tab.session.chat_id
    tab.composer.set_text("/long 5")
    monkeypatch.undo()
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: bool(tab.session.chat_id), timeout=WAIT_MS)
    write(tab, "/long 5")
    qtbot.waitUntil(lambda: len(tab.session.messages) == 2, timeout=WAIT_MS)


def test_a_tab_that_cannot_be_saved_is_closed_only_when_nothing_stands_in_it(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST, wait=False)
    monkeypatch.setattr(app.store, "create_chat", refused)
    with qtbot.waitSignal(app.hub.failed, timeout=WAIT_MS):
        pass
    tab = current(app)
    tab.composer.offer.attach("words " * 10)  # no text, but a file
    app.window.tabs.close(tab)
    assert current(app) is tab
    tab.composer.clear()
    app.window.tabs.close(tab)
    assert app.window.area.count() == 0


def test_a_chat_that_is_deleted_while_it_opens_gets_no_tab(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    chat = stored(app.store.create_chat())
    with qtbot.waitSignal(app.hub.chat_deleted, timeout=WAIT_MS):
        app.window.tabs.show(chat.id)
        app.window.tabs.delete(chat.id)
    assert app.window.area.tab_of(chat.id) is None
    assert app.hub.session(chat.id) is None


def test_a_chat_that_waits_for_the_model_can_be_deleted(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window("hang_load=1")
    tab = current(app)
    chat = tab.session.chat_id
    write(tab, "hello")
    qtbot.waitUntil(lambda: app.client.view.queued == 1, timeout=WAIT_MS)
    with qtbot.waitSignal(app.hub.chat_deleted, timeout=WAIT_MS):
        app.window.tabs.delete(chat)
    assert app.client.view.queued == 0
    assert app.hub.session(chat) is None
    assert chat not in [summary.id for summary in stored(app.store.list_chats())]


def test_an_answer_that_cannot_be_saved_is_kept_and_saved_later(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    tab = current(app)
    update = app.store.update_message
    broken = [True]

    def sometimes(*arguments: object, **more: object) -> object:
        from concurrent.futures import Future

        if not broken[0]:
            return update(*arguments, **more)  # type: ignore[arg-type]
        future: Future[object] = Future()
        future.set_exception(ReadOnlyStoreError("The disk is full."))
        return future

    monkeypatch.setattr(app.store, "update_message", sometimes)
    write(tab, "/long 20")
    qtbot.waitUntil(lambda: "disk is full" in tab.notice_bar.text(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    broken[0] = False
    qtbot.waitUntil(lambda: not tab.notice_bar.isVisible(), timeout=WAIT_MS)
    kept = stored(app.store.load_chat(tab.session.chat_id)).messages
    assert kept[-1].content == tab.session.messages[-1].content


def test_the_tabs_are_not_forgotten_when_the_store_cannot_be_opened(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    write(current(app), "/long 5")
    qtbot.waitUntil(lambda: len(current(app).session.messages) == 2, timeout=WAIT_MS)
    chat_id = current(app).session.chat_id
    app.window.close()
    app.close()
    with opened(folders.store):
        app = open_window(FAST)
        qtbot.waitUntil(app.window.store_bar.isVisible, timeout=WAIT_MS)
        app.window.close()
        app.close()
    app = open_window(FAST)
    assert current(app).session.chat_id == chat_id


def start_program(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "INGLENOOK_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen(
        [sys.executable, "-m", "desktop", "--engine", "scripted", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_a_second_start_raises_the_first_and_leaves(qtbot: QtBot, folders: paths.Folders) -> None:
    home = folders.data.parent
    first = start_program(home, "--model", str(home))
    try:
        qtbot.waitUntil(lambda: handover.ask_to_raise(folders.data), timeout=WAIT_MS)
        second = start_program(home)
        assert second.wait(20) == 0
        assert first.poll() is None
        first.send_signal(signal.SIGTERM)
        output, _ = first.communicate(timeout=20)
        assert first.returncode == 0, output.decode()
        assert folders.session.exists()
    finally:
        first.kill()
        first.wait()


def test_the_program_tells_its_version_and_its_use() -> None:
    for argument, expected in (("--version", "Inglenook 0."), ("--help", "chat --help")):
        result = subprocess.run(
            [sys.executable, "-m", "desktop", argument], cwd=ROOT, capture_output=True, text=True
        )
        assert result.returncode == 0
        assert expected in result.stdout


def test_the_starter_is_built_with_progress_or_says_why_not(qtbot: QtBot) -> None:
    script = "print('reading'); print('writing')"
    rebuild = StarterRebuild(command=(sys.executable, "-c", script))
    lines: list[str] = []
    rebuild.progress.connect(lines.append)
    with qtbot.waitSignal(rebuild.finished, timeout=WAIT_MS) as done:
        rebuild.start()
    assert done.args == [""]
    assert lines[-1] == "writing"
    rebuild = StarterRebuild(command=(sys.executable, "-c", "raise SystemExit('no {room}')"))
    with qtbot.waitSignal(rebuild.finished, timeout=WAIT_MS) as done:
        rebuild.start()
    assert done.args == ["no {room}"]
    rebuild = StarterRebuild(command=("/no/such/program",))
    with qtbot.waitSignal(rebuild.finished, timeout=WAIT_MS) as done:
        rebuild.start()
    assert done.args is not None
    assert done.args[0]


def test_building_the_starter_can_be_cancelled(qtbot: QtBot) -> None:
    rebuild = StarterRebuild(command=(sys.executable, "-uc", "print(1); input()"))
    banner = EngineBanner()
    qtbot.addWidget(banner)
    rebuild.progress.connect(banner.set_work)
    with qtbot.waitSignal(rebuild.progress, timeout=WAIT_MS):
        rebuild.start()
    assert "starter" in banner.text()
    with qtbot.assertNotEmitted(rebuild.finished):
        rebuild.cancel()
    assert not rebuild.is_running
    banner.set_work("")


@pytest.mark.parametrize(
    ("address", "opens"),
    [
        ("https://example.org/a?b=c", True),
        ("http://xn--e1awd7f.com", True),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("qrc:/x", False),
        ("", False),
    ],
)
def test_a_link_is_shown_whole_before_it_is_opened(qtbot: QtBot, address: str, opens: bool) -> None:
    opened_urls: list[QUrl] = []
    dialog = LinkDialog(address, open_url=opened_urls.append)
    dialog.open()
    assert dialog.opens is opens
    assert dialog.informativeText() == address
    buttons: list[QAbstractButton] = dialog.buttons()
    assert bool([b for b in buttons if "browser" in b.text()]) is opens
    assert opened_urls == []
    dialog.close()


def test_an_uncaught_exception_is_logged_and_shown_once(
    qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    reporter = CrashReporter()
    shown: list[CrashReport] = []

    def show(report: CrashReport) -> None:
        shown.append(report)
        reporter.handle(ValueError, ValueError("again"), None)

    reporter.show_with(show)
    try:
        raise RuntimeError("lost a bolt")
    except RuntimeError as error:
        reporter.handle(type(error), error, error.__traceback__)
    qtbot.waitUntil(lambda: bool(shown), timeout=WAIT_MS)
    assert shown[0].summary == "RuntimeError: lost a bolt"
    assert "Traceback" in shown[0].details
    assert "lost a bolt" in caplog.text
    assert report_of(KeyError, None, None).details


def test_hooks_are_taken_and_given_back(tmp_path: Path) -> None:
    before = sys.excepthook
    reporter = CrashReporter()
    reporter.install()
    reporter.keep_faults(tmp_path / "faults.log")
    assert sys.excepthook == reporter.handle
    reporter.uninstall()
    sys.excepthook = before
    assert (tmp_path / "faults.log").exists()
