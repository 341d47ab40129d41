"""The page of downloads: what each row says, and what its buttons do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QProgressBar, QWidget
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.models.library.download_desk import DownloadDesk
from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.settings import Settings
from desktop.views.dialog_parts import unbroken
from desktop.views.library.download_row import DownloadRow
from desktop.views.library.downloads_page import DownloadsPage

GB = 2**30


class PlayedDesk(DownloadDesk):
    """A desk that starts no process: the test says what becomes of a download."""

    settings = Settings(offline=False)

    def __init__(self, folders: paths.Folders) -> None:
        super().__init__(folders, lambda: self.settings)
        self.asked: list[tuple[str, ...]] = []

    def _fill(self) -> None: ...

    def play(self, key: str, **changes: object) -> None:
        """It is like this now."""
        view = replace(self._views[key], **changes)  # type: ignore[arg-type]
        self._views[key] = view
        self.changed.emit(view)

    def pause(self, key: str) -> None:
        self.asked.append(("pause", key))

    def resume(self, key: str) -> None:
        self.asked.append(("resume", key))

    def try_now(self, key: str) -> None:
        self.asked.append(("try_now", key))


@pytest.fixture
def desk(folders: paths.Folders) -> Iterator[PlayedDesk]:
    result = PlayedDesk(folders)
    yield result
    result.close()
    result.deleteLater()


@pytest.fixture
def page(desk: PlayedDesk, qtbot: QtBot) -> DownloadsPage:
    result = DownloadsPage(desk)
    qtbot.addWidget(result)
    result.resize(700, 700)
    result.show()
    return result


def row_of(page: DownloadsPage, key: str) -> DownloadRow:
    row = page.row(key)
    assert row is not None
    return row


def test_nothing_to_show(page: DownloadsPage) -> None:
    wanted = QSignalSpy(page.find_requested)
    assert page.empty.isVisible()
    assert not page.area.isVisible()
    (find,) = page.empty.buttons()
    assert isinstance(find, QAbstractButton)
    find.click()
    assert wanted.count() == 1


def test_a_row_says_all_of_it(page: DownloadsPage, desk: PlayedDesk) -> None:
    key = desk.start("owner/model", variant="Q4_K_M")
    desk.play(
        key,
        state=DownloadState.RUNNING,
        phase="downloading",
        done=3 * GB,
        total=10 * GB,
        speed=50.0 * 2**20,
        seconds_left=140.0,
    )
    row = row_of(page, key)
    assert row.title.text() == "owner/model · Q4_K_M"
    assert row.state.text() == "Downloading"
    assert row.figures.text() == unbroken("3.0 GiB of 10.0 GiB · 50 MiB/s · 2 min left")
    assert row.bar.value() == 300
    assert row.toggle.text() == "Pause"
    assert row.accessibleName().startswith("owner/model · Q4_K_M, Downloading, 3.0 GiB of 10.0 GiB")
    assert page.total.text() == unbroken("1 running · 3.0 GiB of 10.0 GiB · 50 MiB/s · 2 min left")


def test_its_buttons(page: DownloadsPage, desk: PlayedDesk) -> None:
    key = desk.start("owner/model")
    row = row_of(page, key)
    row.toggle.click()
    desk.play(key, state=DownloadState.RUNNING, phase="paused")
    assert row.toggle.text() == "Go on", "it can be gone on with while it is being paused"
    row.toggle.click()
    desk.play(key, state=DownloadState.PAUSED, phase="")
    row.toggle.click()
    assert desk.asked == [("pause", key), ("resume", key), ("resume", key)]


def test_what_helps_is_offered(page: DownloadsPage, desk: PlayedDesk) -> None:
    signs, links = QSignalSpy(page.sign_in_requested), QSignalSpy(page.link_requested)
    url = "https://hub.example.org/owner/model"
    key = desk.start("owner/model")
    row = row_of(page, key)
    failed = {"state": DownloadState.FAILED, "text": "Who are you?", "url": url}
    desk.play(key, **failed, code="sign_in")
    assert row.reason.text() == "Who are you?"
    assert row.toggle.text() == "Try again"
    assert row.help.isVisible()
    row.help.click()
    desk.play(key, **failed, code="gated")
    assert row.help.text() == "Open its page…"
    row.help.click()
    assert (signs.at(0), links.at(0)) == ([url], [url])
    desk.play(key, state=DownloadState.FAILED, text="No.", url="", code="not_found")
    assert not row.help.isVisible()


def test_what_is_waited_for_is_counted_down(
    page: DownloadsPage, desk: PlayedDesk, qtbot: QtBot
) -> None:
    key = desk.start("owner/model")
    row = row_of(page, key)
    waits = {"state": DownloadState.RUNNING, "phase": "waiting", "text": "The hub is busy."}
    desk.play(key, **waits, wait=90.0, waits_until=time.monotonic() + 90.0)
    assert row.reason.text() == "The hub is busy. Tried again in 90 s."
    assert page._clock.isActive()
    desk.play(key, **waits, wait=90.0, waits_until=time.monotonic() + 20.0)
    with qtbot.waitSignal(page._clock.timeout, timeout=10_000):
        pass
    assert row.reason.text() in {f"The hub is busy. Tried again in {n} s." for n in range(10, 20)}
    assert row.help.text() == "Try now"
    row.help.click()
    assert desk.asked == [("try_now", key)]
    desk.play(key, state=DownloadState.RUNNING, phase="downloading", text="")
    assert not row.help.isVisible()
    assert not page._clock.isActive()


def test_markup_of_the_hub_is_text(page: DownloadsPage, desk: PlayedDesk) -> None:
    key = desk.start("owner/model")
    desk.play(key, state=DownloadState.FAILED, text="<b>bold</b> <img src='x'>", code="x")
    row = row_of(page, key)
    assert row.reason.text() == "<b>bold</b> <img src='x'>"
    for label in (row.reason, row.title, row.state, row.figures):
        assert label.textFormat() is Qt.TextFormat.PlainText


def test_order_is_changed_in_the_rows(page: DownloadsPage, desk: PlayedDesk, qtbot: QtBot) -> None:
    keys = [desk.start(f"owner/{name}") for name in "abc"]
    first, second, third = (row_of(page, key) for key in keys)
    assert not first.sooner.isEnabled()
    assert first.later.isEnabled()
    assert not third.later.isEnabled()
    third.sooner.click()
    assert [view.key for view in desk.views()] == [keys[0], keys[2], keys[1]]
    qtbot.waitUntil(lambda: third.y() < second.y())
    assert not second.later.isEnabled()


def question(page: QWidget) -> QMessageBox:
    box = page.window().findChild(QMessageBox)
    assert box is not None
    return box


def test_giving_up_is_asked_where_something_has_come(
    page: DownloadsPage, desk: PlayedDesk, qtbot: QtBot
) -> None:
    key = desk.start("owner/empty")
    row_of(page, key).end.click()
    assert desk.views() == ()
    key = desk.start("owner/model")
    desk.play(key, state=DownloadState.PAUSED, done=5 * GB, total=9 * GB)
    row_of(page, key).end.click()
    box = question(page)
    assert "5.0 GiB" in box.informativeText()
    assert len(desk.views()) == 1
    next(button for button in box.buttons() if button.text() == "Give it up").click()
    qtbot.waitUntil(lambda: desk.views() == ())


def test_a_finished_one_is_loaded_and_cleared(
    page: DownloadsPage, desk: PlayedDesk, qtbot: QtBot
) -> None:
    wanted = QSignalSpy(page.load_requested)
    key, other = desk.start("owner/model"), desk.start("owner/other")
    done = replace(
        DownloadView(key, "owner/model"),
        state=DownloadState.DONE,
        folder="/models/owner--model",
        done=GB,
        total=GB,
    )
    desk._views[key] = done
    desk.listed.emit()
    row = row_of(page, key)
    assert page.done_title.isVisible()
    qtbot.waitUntil(lambda: row.y() > row_of(page, other).y())
    assert not row.bar.isVisible()
    row.load.click()
    assert wanted.at(0) == ["/models/owner--model"]
    row.load.setFocus()
    row.end.click()
    assert page.row(key) is None
    assert not page.done_title.isVisible()


def test_offline_is_said_with_a_way_out(page: DownloadsPage, desk: PlayedDesk) -> None:
    online = QSignalSpy(page.online_requested)
    desk.settings = replace(desk.settings, offline=True)
    desk.start("owner/model")
    assert page.offline.isVisible()
    (button,) = [one for one in page.offline.findChildren(QAbstractButton) if one.text()]
    button.click()
    assert online.count() == 1
    desk.settings = replace(desk.settings, offline=False)
    page.show_settings()
    assert not page.offline.isVisible()


def test_keys_and_screen_readers_reach_everything(
    page: DownloadsPage, desk: PlayedDesk, qtbot: QtBot
) -> None:
    key = desk.start("owner/model")
    desk.play(key, state=DownloadState.FAILED, code="gated", url="https://x.example.org")
    desk.start("owner/other")
    row = row_of(page, key)
    for button in row.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.accessibleName()
            assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert QAccessible.queryAccessibleInterface(row).text(QAccessible.Text.Name)
    bar = row.findChild(QProgressBar)
    assert bar is not None
    assert bar.accessibleName()
    qtbot.waitActive(page)
    row.toggle.setFocus()
    qtbot.waitUntil(row.toggle.hasFocus)
    QTest.keyClick(row.toggle, Qt.Key.Key_Space)
    assert desk.asked == [("resume", key)]
    QTest.keyClick(row.toggle, Qt.Key.Key_Tab)
    assert row.isAncestorOf(page.focusWidget())
