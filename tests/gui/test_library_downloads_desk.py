"""The queue of downloads: its processes, its order, and what is left of it after any end."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.engine_link.engine_process import project_root
from desktop.models.library.download_desk import DownloadDesk
from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.settings import Settings
from tests.helpers.processes import ended

COMMAND = (sys.executable, "-m", "tests.helpers.scripted_download")
WAIT_MS = 20_000


def is_alive(pid: int) -> bool:
    """Whether a process is there."""
    return not ended(pid, 0.0)


class Kit:
    """A desk over scripted downloads, and what they heard."""

    def __init__(self, folders: paths.Folders, qtbot: QtBot) -> None:
        self.folders = folders
        self.qtbot = qtbot
        self.settings = Settings()
        self.desks: list[DownloadDesk] = []
        self.desk = self.another()

    def another(self) -> DownloadDesk:
        """As after a restart."""
        desk = DownloadDesk(self.folders, lambda: self.settings, command=COMMAND)
        self.desks.append(desk)
        self.desk = desk
        return desk

    def state(self, key: str) -> DownloadState | None:
        view = self.desk.view(key)
        return view.state if view is not None else None

    def until(self, key: str, state: DownloadState) -> DownloadView:
        self.qtbot.waitUntil(lambda: self.state(key) is state, timeout=WAIT_MS)
        view = self.desk.view(key)
        assert view is not None
        return view

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def moves(self, key: str) -> bool:
        view = self.desk.view(key)
        return view is not None and view.done > 0

    def heard(self) -> list[dict[str, Any]]:
        try:
            lines = (self.folders.models / "heard.jsonl").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines]

    def jobs(self, repo: str) -> list[dict[str, Any]]:
        return [one for one in self.heard() if one.get("job") == repo]


@pytest.fixture
def kit(folders: paths.Folders, qtbot: QtBot) -> Iterator[Kit]:
    result = Kit(folders, qtbot)
    yield result
    for desk in result.desks:
        desk.close()
        desk.deleteLater()


def test_a_download_comes_to_its_end(kit: Kit) -> None:
    finished = QSignalSpy(kit.desk.finished)
    states: list[str] = []
    kit.desk.changed.connect(lambda view: states.append(view.phase))
    key = kit.desk.start("owner/slow")
    view = kit.until(key, DownloadState.DONE)
    assert finished.at(0)[0] == view.folder
    assert Path(view.folder).is_dir()
    assert view.ended > 0
    assert view.share == 1.0
    assert "downloading" in states
    assert "verifying" in states
    assert kit.jobs("owner/slow")[0]["verify"] is True


def test_what_ran_in_it_does_not_keep_it(folders: paths.Folders, qtbot: QtBot) -> None:
    """Else the desk would end within the end of its own child, and the program with it."""
    settings = Settings()
    desk = DownloadDesk(folders, lambda: settings, command=COMMAND)
    with qtbot.waitSignal(desk.finished, timeout=WAIT_MS):
        desk.start("owner/slow")
    alive = weakref.ref(desk)
    desk.close()
    del desk
    gc.collect()
    assert alive() is None


def test_two_at_once_the_others_in_their_order(kit: Kit) -> None:
    for name in ("a", "b", "c", "d"):
        kit.desk.start(f"owner/stays-{name}")
    kit.wait(lambda: kit.moves("owner/stays-a") and kit.moves("owner/stays-b"))
    assert kit.state("owner/stays-c") is DownloadState.QUEUED
    kit.desk.move("owner/stays-d", -1)
    kit.desk.pause("owner/stays-a")
    kit.wait(lambda: kit.moves("owner/stays-d"))
    assert kit.state("owner/stays-a") is DownloadState.PAUSED
    assert kit.state("owner/stays-c") is DownloadState.QUEUED
    order = [view.repo[-1] for view in kit.desk.views()]
    assert order == ["a", "b", "d", "c"]


def test_paused_goes_on_where_it_was_and_reads_nothing_twice(kit: Kit) -> None:
    kit.desk.start("owner/slow")
    kit.wait(lambda: kit.moves("owner/slow"))
    kit.desk.pause("owner/slow")
    view = kit.desk.view("owner/slow")
    assert view is not None
    assert view.phase == "paused", "it is said at once"
    paused = kit.until("owner/slow", DownloadState.PAUSED)
    assert 0 < paused.done < (paused.total or 0)
    kit.desk.resume("owner/slow")
    kit.until("owner/slow", DownloadState.DONE)
    first, second = kit.jobs("owner/slow")
    assert second["have"] >= paused.done
    assert (first["verify"], second["verify"]) == (True, False)


def test_gone_on_with_while_it_is_being_paused(kit: Kit) -> None:
    kit.desk.start("owner/stays")
    kit.wait(lambda: kit.moves("owner/stays"))
    kit.desk.pause("owner/stays")
    kit.desk.resume("owner/stays")
    kit.wait(lambda: len(kit.jobs("owner/stays")) == 2)
    assert kit.state("owner/stays") is DownloadState.RUNNING


def test_closed_while_it_is_being_paused(kit: Kit) -> None:
    kit.desk.start("owner/stays")
    kit.wait(lambda: kit.moves("owner/stays"))
    kit.desk.pause("owner/stays")
    kit.desk.close()
    kit.another().restore()
    assert kit.state("owner/stays") is DownloadState.PAUSED


@pytest.mark.parametrize(
    ("name", "code"),
    [("refused", "sign_in"), ("gone", "not_found"), ("dies", "died"), ("silent", "died")],
)
def test_what_fails_says_why_and_lets_others_go_on(kit: Kit, name: str, code: str) -> None:
    failed = QSignalSpy(kit.desk.failed)
    kit.desk.start(f"owner/{name}")
    kit.desk.start("owner/quick")
    view = kit.until(f"owner/{name}", DownloadState.FAILED)
    assert view.code == code
    assert failed.count() == 1
    kit.until("owner/quick", DownloadState.DONE)


def test_a_second_try(kit: Kit) -> None:
    kit.desk.start("owner/full")
    view = kit.until("owner/full", DownloadState.FAILED)
    assert (view.code, view.can_retry) == ("disk_full", True)
    kit.desk.retry("owner/full")
    done = kit.until("owner/full", DownloadState.DONE)
    assert (done.code, done.text) == ("", "")


def test_what_is_no_event_does_no_harm(kit: Kit, caplog: pytest.LogCaptureFixture) -> None:
    kit.desk.start("owner/babbles")
    kit.until("owner/babbles", DownloadState.DONE)
    assert "none of its events" in caplog.text


def test_why_it_waits_is_told(kit: Kit) -> None:
    kit.desk.start("owner/waits")
    kit.wait(lambda: (view := kit.desk.view("owner/waits")) is not None and bool(view.text))
    view = kit.desk.view("owner/waits")
    assert view is not None
    assert (view.phase, view.code, view.wait) == ("waiting", "too_many_requests", 40.0)
    assert view.state is DownloadState.RUNNING
    kit.desk.try_now("owner/waits")
    kit.wait(lambda: any(one.get("command") == "Resume" for one in kit.heard()))


def test_given_up_nothing_is_left(kit: Kit) -> None:
    kit.desk.start("owner/stays")
    kit.wait(lambda: kit.moves("owner/stays"))
    pid = kit.jobs("owner/stays")[0]["pid"]
    kit.desk.cancel("owner/stays")
    assert kit.desk.views() == ()
    assert not is_alive(pid)
    assert json.loads((kit.folders.state / "downloads.json").read_text())["downloads"] == []


def test_what_cannot_be_removed_is_said(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.store.download import partials

    def refuse(_models: Path) -> list[object]:
        raise OSError("the disk is read-only")

    monkeypatch.setattr(partials, "partials", refuse)
    noticed = QSignalSpy(kit.desk.noticed)
    kit.desk.start("owner/quick")
    kit.desk.cancel("owner/quick")
    kit.wait(lambda: noticed.count() == 1)
    assert "the disk is read-only" in str(noticed.at(0)[0])
    kit.desk.start("owner/quick")
    kit.until("owner/quick", DownloadState.DONE)


def test_asked_for_twice_it_is_one(kit: Kit) -> None:
    assert kit.desk.start("owner/stays") == kit.desk.start("owner/stays")
    kit.desk.start("owner/stays", variant="Q4_K_M")
    assert [view.key for view in kit.desk.views()] == ["owner/stays", "owner/stays#Q4_K_M"]


def test_finished_ones_stand_below_until_they_are_cleared(kit: Kit) -> None:
    kit.desk.start("owner/quick-a")
    kit.until("owner/quick-a", DownloadState.DONE)
    kit.desk.start("owner/quick-b")
    kit.until("owner/quick-b", DownloadState.DONE)
    kit.desk.start("owner/stays")
    assert [view.repo[6:] for view in kit.desk.views()] == ["stays", "quick-b", "quick-a"]
    kit.desk.clear("owner/stays")
    kit.desk.clear("owner/quick-a")
    assert [view.repo[6:] for view in kit.desk.views()] == ["stays", "quick-b"]
    kit.desk.clear_finished()
    assert [view.repo[6:] for view in kit.desk.views()] == ["stays"]


def test_the_limit_is_shared(kit: Kit) -> None:
    kit.settings = replace(kit.settings, download_limit=10_000_000)
    kit.desk.start("owner/stays-a")
    kit.wait(lambda: kit.moves("owner/stays-a"))
    assert kit.jobs("owner/stays-a")[0]["limit"] == 10_000_000
    kit.desk.start("owner/stays-b")
    kit.wait(lambda: any(one.get("limit") == 5_000_000 and "command" in one for one in kit.heard()))
    kit.wait(lambda: kit.moves("owner/stays-b"))
    assert kit.jobs("owner/stays-b")[0]["limit"] == 5_000_000
    kit.settings = replace(kit.settings, download_limit=0)
    kit.desk.apply_settings()
    kit.wait(lambda: sum(one.get("command") == "Limit" for one in kit.heard()) == 3)
    assert [one["limit"] for one in kit.heard() if one.get("command") == "Limit"][1:] == [0, 0]


def test_the_hub_of_the_settings_is_asked(kit: Kit) -> None:
    kit.settings = replace(kit.settings, hub_endpoint="https://mirror.example.org/")
    kit.desk.start("owner/quick")
    kit.until("owner/quick", DownloadState.DONE)
    assert kit.jobs("owner/quick")[0]["endpoint"] == "https://mirror.example.org"
    assert kit.desk.endpoint == "https://mirror.example.org"


def test_what_runs_goes_on_by_another_way_once_that_is_wanted(kit: Kit) -> None:
    kit.desk.start("owner/slow")
    kit.wait(lambda: kit.moves("owner/slow"))
    kit.settings = replace(kit.settings, theme="dark")
    kit.desk.apply_settings()
    kit.settings = replace(kit.settings, hub_endpoint="https://mirror.example.org")
    kit.desk.apply_settings()
    kit.until("owner/slow", DownloadState.DONE)
    jobs = kit.jobs("owner/slow")
    assert [job["endpoint"] for job in jobs][1:] == ["https://mirror.example.org"]
    assert jobs[-1]["have"] > 0


def test_offline_all_wait_and_go_on_by_themselves(kit: Kit) -> None:
    kit.desk.start("owner/slow")
    kit.wait(lambda: kit.moves("owner/slow"))
    kit.settings = replace(kit.settings, offline=True)
    kit.desk.apply_settings()
    kit.until("owner/slow", DownloadState.QUEUED)
    kit.desk.start("owner/quick")
    assert kit.state("owner/quick") is DownloadState.QUEUED
    assert kit.jobs("owner/quick") == []
    kit.settings = replace(kit.settings, offline=False)
    kit.desk.apply_settings()
    kit.until("owner/slow", DownloadState.DONE)
    kit.until("owner/quick", DownloadState.DONE)


def test_a_restart_goes_on(kit: Kit) -> None:
    kit.desk.start("owner/stays")
    kit.wait(lambda: kit.moves("owner/stays"))
    kit.desk.pause("owner/stays")
    kit.until("owner/stays", DownloadState.PAUSED)
    kit.desk.start("owner/refused")
    kit.until("owner/refused", DownloadState.FAILED)
    later = [f"owner/quick-{name}" for name in "abcde"]
    for key in ("owner/slow", "owner/waits", *later):
        kit.desk.start(key)
    kit.wait(lambda: kit.moves("owner/slow"))
    pids = [one["pid"] for one in kit.heard() if "pid" in one]
    kit.desk.close()
    assert not any(map(is_alive, pids)), "no download outlives the window"
    desk = kit.another()
    desk.restore()
    kit.until("owner/slow", DownloadState.DONE)
    kit.until(later[-1], DownloadState.DONE)
    begun = [one["job"] for one in kit.heard() if one.get("job") in later]
    assert begun == later, "each once, in their order"
    assert kit.state("owner/stays") is DownloadState.PAUSED, "as the user left it"
    failed = desk.view("owner/refused")
    assert failed is not None
    assert (failed.state, failed.code) == (DownloadState.FAILED, "sign_in")
    assert kit.jobs("owner/slow")[-1]["have"] > 0


VICTIM = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtCore import QCoreApplication
from desktop import paths
from desktop.models.library.download_desk import DownloadDesk
from desktop.settings import Settings
app = QCoreApplication([])
command = (sys.executable, "-m", "tests.helpers.scripted_download")
desk = DownloadDesk(paths.find(), Settings, command=command)
desk.changed.connect(lambda view: view.done and print(view.done, flush=True))
desk.start("owner/slow")
desk.start("owner/stays")
app.exec()
"""


def test_kill_9_of_the_window(kit: Kit) -> None:
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM], cwd=project_root(), stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout is not None
    for _ in range(5):
        assert victim.stdout.readline()
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    victim.stdout.close()
    pids = [one["pid"] for one in kit.heard() if "pid" in one]
    kit.wait(lambda: not any(map(is_alive, pids)))
    kit.desk.restore()
    kit.until("owner/slow", DownloadState.DONE)
    assert kit.jobs("owner/slow")[-1]["have"] > 0
    kit.wait(lambda: kit.moves("owner/stays"))


def test_a_list_that_cannot_be_written_is_said_once(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed = QSignalSpy(kit.desk.noticed)
    monkeypatch.setattr(
        "desktop.models.library.wish_list.write", lambda _path, _views: "It could not be saved."
    )
    kit.desk.start("owner/stays-a")
    kit.desk.start("owner/stays-b")
    assert noticed.count() == 1


def test_unfinished_ones_of_others_can_be_gone_on_with(kit: Kit) -> None:
    """The terminal was stopped in the middle of a download."""
    from engine.store.download import partials

    monkeypatch = pytest.MonkeyPatch()
    job = type("Job", (), {"revision": "main"})()
    partial = type(
        "Partial",
        (),
        {"repo": "owner/quick", "variant": "", "have": 5, "total": 9, "job": job},
    )()
    monkeypatch.setattr(partials, "partials", lambda _models: [partial])
    try:
        kit.desk.restore()
        view = kit.until("owner/quick", DownloadState.PAUSED)
        assert (view.done, view.total) == (5, 9)
        kit.desk.resume("owner/quick")
        kit.until("owner/quick", DownloadState.DONE)
    finally:
        monkeypatch.undo()


def test_pause_all_and_go_on_with_all(kit: Kit) -> None:
    for name in ("stays-a", "stays-b", "quick"):
        kit.desk.start(f"owner/{name}")
    kit.wait(lambda: kit.moves("owner/stays-a") and kit.moves("owner/stays-b"))
    kit.desk.pause_all()
    kit.wait(lambda: all(view.state is DownloadState.PAUSED for view in kit.desk.views()))
    assert kit.jobs("owner/quick") == [], "none takes the place of another meanwhile"
    kit.desk.resume_all()
    kit.wait(lambda: kit.desk.total().running == 2)
