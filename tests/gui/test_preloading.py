"""What is opened later is imported before, a module a turn, and never in the way of an answer."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop import preloading
from desktop.preloading import PACKAGES, Preloading, _modules

WAIT_MS = 20_000


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Of two modules, one that cannot be imported, and a package in it."""
    inner = tmp_path / "plums" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    for file in (inner / "deep.py", inner.parent / "apple.py", inner.parent / "pear.py"):
        file.touch()
    (inner.parent / "bad.py").write_text("raise RuntimeError('rotten')")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "plums"
    for name in [name for name in sys.modules if name.split(".")[0] == "plums"]:
        del sys.modules[name]


def loaded() -> set[str]:
    return {name for name in sys.modules if name.startswith("plums.")}


def test_all_of_it_one_a_turn(qtbot: QtBot, package: str, caplog: pytest.LogCaptureFixture) -> None:
    work = Preloading(lambda: False, packages=(package,))
    work.start(0)
    seen: list[int] = []
    work._timer.timeout.connect(lambda: seen.append(len(loaded() - {"plums.inner"})))
    qtbot.waitUntil(lambda: not work.is_at_work, timeout=WAIT_MS)
    assert loaded() == {"plums.apple", "plums.pear", "plums.inner", "plums.inner.deep"}
    assert all(after - before <= 1 for before, after in itertools.pairwise(seen))
    assert "rotten" in caplog.text  # noted, and gone on


def test_none_while_an_answer_comes(
    qtbot: QtBot, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preloading, "DELAY_MS", 10)
    busy = [True]
    work = Preloading(lambda: busy[0], packages=(package,))
    turns: list[None] = []
    work._timer.timeout.connect(lambda: turns.append(None))
    work.start(0)
    qtbot.waitUntil(lambda: len(turns) >= 3, timeout=WAIT_MS)
    assert not loaded()
    busy[0] = False
    qtbot.waitUntil(lambda: not work.is_at_work, timeout=WAIT_MS)
    assert loaded()


def test_stopped_it_leaves_the_rest(qtbot: QtBot, package: str) -> None:
    work = Preloading(lambda: False, packages=(package,))
    work.start(0)
    qtbot.waitUntil(lambda: bool(loaded()), timeout=WAIT_MS)
    work.stop()
    assert len(loaded() - {"plums.inner"}) < 3


def test_the_programs_own_can_all_be_imported() -> None:
    names = list(_modules(PACKAGES))
    assert "desktop.views.monitor.monitor_panel" in names
    for name in names:
        importlib.import_module(name)
