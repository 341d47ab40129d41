"""The folder a model is quantised into: whole or not there, whoever is killed."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

import pytest

from engine.quantize import folders
from engine.quantize.wire import QuantizeError
from engine.store import made_folder


def test_it_takes_its_name_when_all_went_well(tmp_path: Path) -> None:
    target = tmp_path / "store" / "model"
    with folders.made_whole(target) as partial:
        assert partial.name == ".model.quantizing"
        assert not target.exists()
        (partial / "config.json").write_text("{}")
        folders.complete(partial, {"made": {"from": "Plum"}, "verified": {}})
    names = {path.name for path in target.iterdir()}
    assert names == {"config.json", "inglenook.json", "manifest.json"}
    manifest = made_folder.manifest_of(target)
    assert manifest["origin"] == {"kind": "quantised", "from": "Plum"}
    assert set(manifest["files"]) == {"config.json", "inglenook.json"}
    assert made_folder.changed(target) == ""
    assert list(target.parent.iterdir()) == [target]
    assert (target / "config.json").stat().st_mode & 0o777 == 0o600


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    with (
        contextlib.suppress(RuntimeError),
        folders.made_whole(tmp_path / "model") as partial,
    ):
        (partial / "half").write_text("x")
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    with folders.made_whole(target):
        pass  # an empty folder is no loss
    (target / "mine").write_text("x")
    with pytest.raises(QuantizeError, match="is there already"), folders.made_whole(target):
        pass
    assert (target / "mine").read_text() == "x"


def test_what_a_killed_process_left_is_swept_and_a_living_ones_is_not(tmp_path: Path) -> None:
    left = tmp_path / ".other.quantizing"
    left.mkdir()
    (left / "model.safetensors").write_bytes(b"x")
    with folders.made_whole(tmp_path / "model") as partial:
        assert not left.exists()
        assert folders.sweep(tmp_path) == []
        assert partial.exists()
        with (
            pytest.raises(QuantizeError, match="Another process is making model"),
            folders.made_whole(tmp_path / "model"),
        ):
            pass
        assert partial.exists()


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk_full"), (errno.EACCES, "not_writable"), (errno.EIO, "disk")],
)
def test_a_disk_that_refuses_is_told_in_plain_words(tmp_path: Path, number: int, code: str) -> None:
    target = tmp_path / "model"
    with pytest.raises(QuantizeError) as caught, folders.made_whole(target):
        raise OSError(number, os.strerror(number))
    assert caught.value.refused.code == code
    assert str(tmp_path) in caught.value.refused.text


def test_nothing_is_made_where_the_stores_disk_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INGLENOOK_HOME", str(tmp_path))
    (tmp_path / "usb").mkdir()  # where the disk would be
    (tmp_path / "data").mkdir()
    models = tmp_path / "data" / "models"
    models.symlink_to(tmp_path / "usb")
    with (
        pytest.raises(QuantizeError, match="disk with your models is not there"),
        folders.made_whole(models / "quantized" / "mine"),
    ):
        pass
    assert not list((tmp_path / "usb").iterdir())
