"""The log: private, bounded, and no reason to fail."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop import logs


@pytest.fixture(autouse=True)
def _root_logger_restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, complain = list(root.handlers), root.level, logging.raiseExceptions
    yield
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    logging.raiseExceptions = complain


def test_the_log_is_private_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_BYTES", 2_000)
    before = os.umask(0)
    try:
        path = logs.set_up(tmp_path / "logs")
        for number in range(200):
            logging.getLogger("test").info("line %d of a log that rotates \ud83d", number)
    finally:
        os.umask(before)
    assert path == tmp_path / "logs" / "window.log"
    assert "line 199" in path.read_text()
    files = list(path.parent.iterdir())
    assert len(files) == logs.KEPT + 1
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert file.stat().st_size <= 2_100


def test_no_folder_means_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").write_text("in the way")
    assert logs.set_up(tmp_path / "logs") is None
    assert "No log is kept" in capsys.readouterr().err
