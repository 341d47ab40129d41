"""Settings of the network and of the models: they apply at once, and what is wrong is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop import settings as settings_file
from desktop.app import Inglenook
from desktop.settings import Settings
from desktop.views.library.move_store_dialog import MoveStoreDialog
from desktop.views.settings.network_page import NetworkPage
from desktop.views.settings.settings_dialog import SettingsDialog
from tests.gui.conftest import WAIT_MS, OpenWindow


@pytest.fixture
def opened(open_window: OpenWindow, qtbot: QtBot) -> tuple[Inglenook, SettingsDialog]:
    app = open_window("load_seconds=5")
    app.window.actions_by_name["settings"].trigger()
    dialog = app.window.findChild(SettingsDialog)
    assert dialog is not None
    dialog.show_network()
    qtbot.waitUntil(dialog.network.isVisible, timeout=WAIT_MS)
    return app, dialog


def test_what_is_set_is_kept(
    opened: tuple[Inglenook, SettingsDialog], folders: paths.Folders, qtbot: QtBot
) -> None:
    app, dialog = opened
    page = dialog.network
    page.offline.setChecked(True)
    page.hf_cache.setChecked(False)
    page.limit.setValue(2.5)
    page.add_folder("/mnt/models")
    page.add_folder("/mnt/models")
    QTest.keyClicks(page.endpoint, "https://mirror.example.org ")
    QTest.keyClicks(page.proxy, "http://proxy:3128")
    qtbot.waitUntil(lambda: app.window.settings.proxy == "http://proxy:3128", timeout=WAIT_MS)
    dialog.close()
    kept, warning = settings_file.load(folders.settings)
    assert warning == ""
    assert kept == replace(
        kept,
        offline=True,
        use_hf_cache=False,
        download_limit=5 << 19,
        hub_endpoint="https://mirror.example.org",
        proxy="http://proxy:3128",
        library_folders=("/mnt/models",),
    )


def test_what_is_wrong_is_said_and_taken_back(
    opened: tuple[Inglenook, SettingsDialog], tmp_path: Path, qtbot: QtBot
) -> None:
    _app, dialog = opened
    page = dialog.network

    def says(text: str) -> None:
        page.settle()
        qtbot.waitUntil(lambda: text in page.trouble.text(), timeout=WAIT_MS)
        assert page.trouble.isVisible() == bool(text)

    page.endpoint.setText("huggingface")
    says("is no web address")
    page.endpoint.setText("")
    page.proxy.setText("socks5://me:secret@proxy:1080")
    says("speaks SOCKS")
    assert "secret" not in page.trouble.text()
    page.proxy.setText("")
    page.certificates.setText(str(tmp_path / "none.pem"))
    says("cannot be read")
    page.certificates.setText("")
    page.settle()
    qtbot.waitUntil(lambda: not page.trouble.isVisible(), timeout=WAIT_MS)


def test_folders_come_and_go(opened: tuple[Inglenook, SettingsDialog]) -> None:
    app, dialog = opened
    page = dialog.network
    for folder in ("/mnt/a", "/mnt/b"):
        page.add_folder(folder)
    assert page.folders.count() == 2
    page.folders.setCurrentRow(0)
    page._remove.click()
    assert app.window.settings.library_folders == ("/mnt/b",)
    assert not page._remove.isEnabled()
    app.window.change(offline=True, download_limit=1 << 20)
    assert page.offline.isChecked()
    assert page.limit.value() == 1.0


def test_places_are_told(
    opened: tuple[Inglenook, SettingsDialog],
    folders: paths.Folders,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    app, dialog = opened
    page = dialog.network
    qtbot.waitUntil(lambda: bool(page.place.text()), timeout=WAIT_MS)
    assert page.place.text() == str(folders.models.resolve())
    token = tmp_path / "token"
    token.write_text("hf_secret")
    monkeypatch.setenv("HF_TOKEN_PATH", str(token))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    other = NetworkPage(app.window)
    qtbot.addWidget(other)
    qtbot.waitUntil(lambda: str(token) in other.token.text(), timeout=WAIT_MS)
    assert "hf_secret" not in other.token.text()
    page._move()
    moving = app.window.findChild(MoveStoreDialog)
    assert moving is not None
    qtbot.waitUntil(moving.isVisible, timeout=WAIT_MS)
    assert not dialog.isVisible(), "it would stand under a modal one"
    moving.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("download_limit", -1),
        ("download_limit", 2.5),
        ("download_limit", True),
        ("offline", "yes"),
        ("use_hf_cache", 1),
        ("library_folders", "/mnt"),
        ("library_folders", ["/mnt", 5]),
        ("library_folders", ["/x"] * 1000),
        ("hub_endpoint", None),
        ("proxy", 5),
        ("ca_bundle", []),
    ],
)
def test_a_senseless_value_is_the_default(tmp_path: Path, name: str, value: object) -> None:
    import json

    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 1, name: value}))
    loaded, warning = settings_file.load(path)
    assert name in warning
    assert loaded == Settings()
