"""Which tests run in the same worker, and what the workers begin with.

With `-n 2 --dist loadgroup` (pytest-xdist) tests of one group run in one worker, one after the
other; what belongs to no group goes to whichever worker is free. So what is costly to make is
made once, and never twice at a time on a machine of two cores.

pytest-xdist's own `xdist_group` marks do nothing with pytest 9.2 (pytest-xdist issue 1386), and
change a test's name, by which pytest-randomly seeds it. So each worker writes the groups of what
it has collected to a file, and the main process shares out by it (tests/helpers/worker_queue.py).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

ENGINE = "real-engine"
LAB = "failure-lab"
# The longest first, as --durations tells: the many short tests then fill both workers up.
GROUPS = (ENGINE, LAB, "test_kills", "test_packaging", "test_engine_lifetime")
# Fixtures of the whole session that take long to make, and marks that tell of one. The lab's
# comes first: its tests use the engines' cache too.
_FIXTURES = {"lab": LAB, "loaded_engine": ENGINE, "real_cache": ENGINE}
_MARKS = {"real_engine": ENGINE}

_FOLDER = pytest.StashKey[Path]()


def group_of(module: str, fixtures: Collection[str], marks: Collection[str]) -> str:
    """The group of a test, or "".

    Args:
        module: its module's name, without the packages.
    """
    for found, groups in ((fixtures, _FIXTURES), (marks, _MARKS)):
        for name, group in groups.items():
            if name in found:
                return group
    return module if module in GROUPS else ""


def assign(items: Iterable[pytest.Item]) -> dict[pytest.Item, str]:
    """The groups of tests, without those that have none.

    Tests for which a module makes something once stay together: in the group that one of
    them needs, else in one of their own.
    """
    groups: dict[pytest.Item, str] = {}
    sharing: dict[str, list[pytest.Item]] = {}
    for item in items:
        module = item.path.stem
        fixtures = getattr(item, "fixturenames", ())
        if found := group_of(module, fixtures, {mark.name for mark in item.iter_markers()}):
            groups[item] = found
        if _shares(item):
            sharing.setdefault(module, []).append(item)
    for module, members in sharing.items():
        needed = {groups[item] for item in members if item in groups}
        common = next((group for group in _FIXTURES.values() if group in needed), module)
        groups.update(dict.fromkeys(members, common))
    return groups


def arrange(items: list[pytest.Item]) -> dict[str, str]:
    """Put the tests of groups first, the longest groups ahead; node id -> group."""
    groups = assign(items)

    def rank(item: pytest.Item) -> int:
        group = groups.get(item)
        if group is None:
            return len(GROUPS) + 1
        return GROUPS.index(group) if group in GROUPS else len(GROUPS)

    items.sort(key=rank)
    return {item.nodeid: group for item, group in groups.items()}


def folder_of(config: pytest.Config) -> Path:
    """Where this run's workers write; the main process makes it, and removes it at the end."""
    if _FOLDER not in config.stash:
        folder = tempfile.TemporaryDirectory(prefix="inglenook-groups-")
        config.add_cleanup(folder.cleanup)
        config.stash[_FOLDER] = Path(folder.name)
    return config.stash[_FOLDER]


def write(folder: Path, worker: str, groups: dict[str, str]) -> None:
    """Tell the main process, which reads it when this worker has told what it has collected."""
    (folder / f"{worker}.json").write_text(json.dumps(groups))


def read(folder: Path, worker: str) -> dict[str, str]:
    """What the worker wrote: node id -> group; nothing where it found no tests (a wrong path)."""
    path = folder / f"{worker}.json"
    found: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    return found


def encodable(data: Any) -> Any:
    """The same report, without the halves of characters that UTF-8 has no form for."""
    if isinstance(data, str):
        return data.encode("utf-8", "backslashreplace").decode()
    if isinstance(data, dict):
        return {encodable(key): encodable(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)(encodable(part) for part in data)
    return data


def _shares(item: pytest.Item) -> bool:
    """Whether a fixture that this project makes once a module is used."""
    info = getattr(item, "_fixtureinfo", None)
    definitions = info.name2fixturedefs.values() if info else ()
    return any(
        found.scope in ("class", "module", "package") and found.func.__module__.startswith("tests.")
        for several in definitions
        for found in several
    )
