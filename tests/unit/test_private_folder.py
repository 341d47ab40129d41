"""Folders that are made on the way are as private as the one that was asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.store.private_folder import make_private


def test_parents_are_as_private_as_the_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    umask = os.umask(0o022)
    try:
        make_private(tmp_path / "data" / "inglenook" / "models")
    finally:
        os.umask(umask)
    for name in ("data", "data/inglenook", "data/inglenook/models"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o700, name
    assert tmp_path.stat().st_mode & 0o777 == 0o755  # it was there


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(OSError):
        make_private(tmp_path / "data")
    with pytest.raises(OSError):
        make_private(tmp_path / "data" / "inglenook")
