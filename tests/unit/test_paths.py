"""Where files are kept, and who may look."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from desktop import paths
from engine.store.folders import absolute


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_xdg_folders_by_default() -> None:
    folders = paths.find({"HOME": "/home/ada"})
    assert folders.data == Path("/home/ada/.local/share/inglenook")
    assert folders.config == Path("/home/ada/.config/inglenook")
    assert folders.state == Path("/home/ada/.local/state/inglenook")
    assert folders.cache == Path("/home/ada/.cache/inglenook")
    assert folders.runtime == Path("/home/ada/.local/state/inglenook/run")


def test_the_xdg_folders_as_set() -> None:
    folders = paths.find(
        {
            "HOME": "/home/ada",
            "XDG_DATA_HOME": "/d",
            "XDG_CONFIG_HOME": "/c",
            "XDG_STATE_HOME": "/s",
            "XDG_CACHE_HOME": "relative/is/invalid",
            "XDG_RUNTIME_DIR": "/run/user/1000",
        }
    )
    assert folders.store == Path("/d/inglenook/chats.db")
    assert folders.models == Path("/d/inglenook/models")
    assert folders.settings == Path("/c/inglenook/settings.json")
    assert folders.session == Path("/s/inglenook/session.json")
    assert folders.logs == Path("/s/inglenook/logs")
    assert folders.cache == Path("/home/ada/.cache/inglenook")
    assert folders.runtime == Path("/run/user/1000/inglenook")


def test_one_folder_for_everything(home: Path) -> None:
    folders = paths.find()
    for folder in (folders.data, folders.config, folders.state, folders.cache, folders.runtime):
        assert folder.parent == home
    assert not home.exists(), "finding makes none"


def test_a_relative_home_is_taken_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.find({"INGLENOOK_HOME": "portable"}).data == tmp_path / "portable/data"


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_folders_are_private_whatever_the_umask(home: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        folders = paths.find()
        assert folders.prepare() == ()
        assert folders.prepare() == ()
    finally:
        os.umask(before)
    for folder in (home, folders.data, folders.config, folders.state, folders.runtime):
        assert mode(folder) == 0o700


def test_an_open_folder_of_ours_is_closed_and_its_parent_left(home: Path) -> None:
    folders = paths.find()
    folders.data.mkdir(parents=True)
    home.chmod(0o755)
    folders.data.chmod(0o755)
    assert folders.prepare() == ()
    assert mode(folders.data) == 0o700
    assert mode(home) == 0o755


def test_a_folder_that_cannot_be_made_is_named(home: Path) -> None:
    folders = paths.find()
    home.mkdir()
    folders.config.write_text("in the way")
    (warning,) = folders.prepare()
    assert str(folders.config) in warning
    assert "INGLENOOK_HOME" in warning
    assert folders.data.is_dir()


def test_a_link_to_another_disk_is_followed(home: Path, tmp_path: Path) -> None:
    folders, elsewhere = paths.find(), tmp_path / "elsewhere"
    elsewhere.mkdir()
    home.mkdir()
    folders.data.symlink_to(elsewhere)
    assert folders.prepare() == ()
    assert folders.data.is_symlink()


def test_a_path_is_absolute_where_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    assert absolute("model") == gone / "model"
    gone.rmdir()
    assert absolute("model") == Path("model")
    assert absolute("/model") == Path("/model")
    monkeypatch.chdir(tmp_path)
    assert absolute("~no-such-user/model") == tmp_path / "~no-such-user/model"
    monkeypatch.setenv("HOME", "/home/me")
    assert absolute("~/model") == Path("/home/me/model")


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_a_private_file_is_empty_and_for_its_owner(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "a.log"
    before = os.umask(umask)
    try:
        paths.make_private_file(path)
        assert mode(path) == 0o600
        path.write_text("old")
        path.chmod(0o644)
        paths.make_private_file(path)
    finally:
        os.umask(before)
    assert mode(path) == 0o600
    assert path.read_text() == ""
