"""Settings survive restarts, mistakes, newer versions and full disks."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop import settings
from desktop.settings import Settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.json"


def test_the_defaults_at_the_first_start(path: Path) -> None:
    assert settings.load(path) == (Settings(), "")
    assert not path.exists()


def test_settings_come_back(path: Path) -> None:
    chosen = Settings(
        theme="contrast",
        model="/models/m",
        font_size=14,
        send_with="ctrl+enter",
        sidebar_visible=False,
        titles="first_words",
        notify=False,
        language="de",
        overflow="drop_oldest",
        system_prompt="",
    )
    assert settings.save(path, chosen) == ""
    assert settings.load(path) == (chosen, "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path], "nothing left over"


def test_unknown_keys_are_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"version": 1, "theme": "light", "colour": {"of": ["ember"]}}))
    loaded, warning = settings.load(path)
    assert (loaded.theme, warning) == ("light", "")
    settings.save(path, replace(loaded, theme="dark"))
    assert json.loads(path.read_text())["colour"] == {"of": ["ember"]}
    assert settings.load(path)[0].theme == "dark"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"version": "1"}', b" " * 2_000_000],
)
def test_a_broken_file_is_set_aside(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    loaded, warning = settings.load(path)
    assert loaded == Settings()
    (aside,) = path.parent.glob("settings.json.damaged-*")
    assert aside.read_bytes() == content
    assert str(aside) in warning
    assert not path.exists()
    assert settings.load(path) == (Settings(), "")


def test_a_newer_file_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"version": 2, "theme": "dark"}')
    loaded, warning = settings.load(path)
    assert loaded == Settings()
    assert "newer Inglenook" in warning
    assert len(list(path.parent.glob("settings.json.newer-*"))) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("theme", ["dark"]),
        ("font_size", 7),
        ("font_size", 10**9),
        ("font_size", True),
        ("font_size", 11.5),
        ("send_with", "tab"),
        ("sidebar_visible", 1),
        ("model", None),
        ("titles", "nobody"),
        ("notify", "yes"),
        ("language", "xx"),
        ("overflow", "guess"),
        ("system_prompt", 5),
        ("system_prompt", "x" * 100_001),
    ],
)
def test_one_senseless_value_costs_only_itself(path: Path, name: str, value: object) -> None:
    path.parent.mkdir()
    good: dict[str, object] = {"theme": "dark", "model": "/m", "font_size": 20}
    path.write_text(json.dumps({**good, name: value}))
    loaded, warning = settings.load(path)
    assert name in warning
    expected = {**good, name: getattr(Settings(), name)}
    assert {key: getattr(loaded, key) for key in expected} == expected


@given(content=st.binary(max_size=200))
def test_no_file_stops_the_start(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    settings.load(path)
    assert settings.save(path, Settings()) == ""


def test_a_failed_save_keeps_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.save(path, Settings(theme="dark"))

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    warning = settings.save(path, Settings(theme="light"))
    assert "No space left" in warning
    assert settings.load(path)[0].theme == "dark"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_in_the_way_is_no_crash(path: Path) -> None:
    path.mkdir(parents=True)
    loaded, warning = settings.load(path)
    assert loaded == Settings()
    assert str(path) in warning
    assert settings.save(path, Settings())
