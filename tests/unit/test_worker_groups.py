"""With several workers, what is costly is made once, and the long tests come first."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from setup import cli
from setup.layout import layout_for

from tests.helpers import worker_groups
from tests.helpers.worker_groups import ENGINE, GROUPS, LAB, group_of

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).stem


@pytest.fixture(scope="module")
def made_once() -> int:
    return 1


@pytest.fixture
def item(request: pytest.FixtureRequest) -> Callable[[Callable[..., object]], pytest.Item]:
    """Makes tests of this module that are only collected."""

    def make(function: Callable[..., object]) -> pytest.Item:
        parent: Any = request.node.parent
        result: pytest.Item = pytest.Function.from_parent(
            parent, name=function.__name__, callobj=function
        )
        return result

    return make


@pytest.mark.parametrize(
    ("module", "fixtures", "marks", "group"),
    [
        ("test_real_engine", {"loaded_engine", "tmp_path"}, {"real_engine"}, ENGINE),
        ("test_new", {"real_cache"}, (), ENGINE),
        ("test_new", (), {"real_engine"}, ENGINE),
        ("test_real_failures", {"lab", "real_cache"}, {"real_engine"}, LAB),
        ("test_kills", {"drive"}, (), "test_kills"),
        ("test_packaging", {"made"}, (), "test_packaging"),
        ("test_terminal_chat", {"terminal"}, {"parametrize"}, ""),
    ],
)
def test_what_a_test_uses_says_its_group(
    module: str, fixtures: set[str], marks: set[str], group: str
) -> None:
    assert group_of(module, fixtures, marks) == group


def test_a_module_that_makes_something_once_stays_together(item: Any) -> None:
    def makes(made_once: int) -> None: ...
    def makes_nothing(tmp_path: Path) -> None: ...

    first, second = item(makes), item(makes_nothing)
    assert worker_groups.assign([first, second]) == {first: HERE}


def test_it_stays_together_where_one_of_its_tests_has_to_be(item: Any) -> None:
    def makes(made_once: int) -> None: ...
    def in_the_lab(made_once: int, lab: object) -> None: ...

    first, second = item(makes), item(in_the_lab)
    first.add_marker("real_engine")
    assert worker_groups.assign([first, second]) == {first: LAB, second: LAB}


def test_the_long_groups_come_first_and_else_the_order_stays(item: Any) -> None:
    def alone(tmp_path: Path) -> None: ...
    def makes(made_once: int) -> None: ...
    def in_the_lab(lab: object) -> None: ...
    def asks(loaded_engine: object) -> None: ...
    def asks_too(loaded_engine: object) -> None: ...

    functions = (alone, in_the_lab, asks_too, makes, asks)
    items = [item(function) for function in functions]
    groups = worker_groups.arrange(items)
    assert [one.name for one in items] == ["asks_too", "asks", "in_the_lab", "makes", "alone"]
    assert [groups.get(one.nodeid) for one in items] == [ENGINE, ENGINE, LAB, HERE, None]


def test_the_names_are_still_those_of_fixtures_and_modules() -> None:
    text = (ROOT / "tests/end2end/conftest.py").read_text()
    for name in ("lab", "loaded_engine", "real_cache"):
        assert f'@pytest.fixture(scope="session")\ndef {name}(' in text
    for name in set(GROUPS) - {ENGINE, LAB}:
        assert (ROOT / f"tests/end2end/{name}.py").exists()


def test_two_workers_make_it_once(tmp_path: Path) -> None:
    """A suite of its own, with the arguments of ./packaging/test."""
    pytest.importorskip("xdist")
    (tmp_path / "conftest.py").write_text(
        "import os, pytest\n"
        "from tests.conftest import (pytest_collection_modifyitems, pytest_configure_node,\n"
        "    pytest_xdist_make_scheduler)\n"
        "@pytest.fixture(scope='session')\n"
        "def lab():\n    open(f'made-{os.getpid()}', 'x').close()\n"
    )
    names = [f"test_{number}.py" for number in range(6)]
    for name in names:
        text = "def test_a(lab): pass\ndef test_b(lab): pass\ndef test_c(): pass\n"
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *cli.IN_WORKERS],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "18 passed" in done.stdout
    assert "2 workers" in done.stdout
    assert len(list(tmp_path.glob("made-*"))) == 1


def test_a_report_goes_to_the_main_process_whatever_the_test_wrote() -> None:
    report = {
        "sections": [("log", "half an emoji \ud83d, a name \udcff")],
        "longrepr": None,
        "n": 1,
    }
    sent = worker_groups.encodable(report)
    assert sent == {
        "sections": [("log", "half an emoji \\ud83d, a name \\udcff")],
        "longrepr": None,
        "n": 1,
    }


@pytest.mark.parametrize(
    ("arguments", "cores", "expected"),
    [
        ((), 2, cli.IN_WORKERS),
        ((), 16, cli.IN_WORKERS),
        ((), 1, ()),
        (("-n", "0"), 2, ("-n", "0")),
        (("tests/unit",), 2, ("tests/unit",)),
    ],
)
def test_all_tests_run_in_workers_and_chosen_ones_as_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    cores: int,
    expected: tuple[str, ...],
) -> None:
    started: list[list[str]] = []

    def become(program: str, command: list[str], environ: object) -> None:
        started.append(command)
        raise InterruptedError

    monkeypatch.setattr(os, "execve", become)
    monkeypatch.setattr(os, "chdir", lambda folder: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)))
    with pytest.raises(InterruptedError):
        cli.start(cli.read_wish("test", arguments), layout_for(tmp_path), {})
    assert started[0][1:] == ["-m", "pytest", *expected]
