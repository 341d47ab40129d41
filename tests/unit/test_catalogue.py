"""The starter list: its form, and that all of it can be planned for."""

from __future__ import annotations

import json
from itertools import chain

import pytest

from engine.planner.machine import GIB, Host, Machine, parse_gpus
from engine.planner.plan import plan
from engine.store import catalogue
from engine.store.catalogue import CatalogueEntry, read_catalogue
from engine.store.hub_names import COMMIT, is_model_id

ENTRIES = read_catalogue()
# Of the identifiers that SPDX lists, those of licences that let anybody use the weights.
OPEN_LICENCES = {"Apache-2.0", "MIT", "BSD-3-Clause", "CC-BY-4.0"}
HOST = Host(64 * GIB, 64 * GIB, 8)
WORTH_HAVING = 4096  # tokens


def named(entry: CatalogueEntry) -> str:
    return entry.repo


def test_it_is_about_a_dozen_and_sorted_by_size() -> None:
    assert 10 <= len(ENTRIES) <= 16
    assert [entry.size_class for entry in ENTRIES] == sorted(
        (entry.size_class for entry in ENTRIES), key=catalogue.SIZES.index
    )


def test_every_size_and_every_use_is_there() -> None:
    for size in catalogue.SIZES:
        uses = set(chain.from_iterable(e.use for e in ENTRIES if e.size_class == size))
        assert uses == set(catalogue.USES), size


def test_nothing_stands_there_twice() -> None:
    repos = [repo for e in ENTRIES for repo in (e.repo, *(build.repo for build in e.builds))]
    assert len(set(repos)) == len(repos)
    commits = [c for e in ENTRIES for c in (e.revision, *(build.revision for build in e.builds))]
    assert len(set(commits)) == len(commits)
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_form(entry: CatalogueEntry) -> None:
    for repo in (entry.repo, entry.base_model, *(build.repo for build in entry.builds)):
        assert is_model_id(repo)
        assert repo.count("/") == 1
    for commit in (entry.revision, *(build.revision for build in entry.builds)):
        assert COMMIT.fullmatch(commit)
    assert entry.format == "awq"
    assert {build.format for build in entry.builds} <= set(catalogue.FORMATS)
    assert entry.licence in OPEN_LICENCES
    assert entry.use
    assert set(entry.use) <= set(catalogue.USES)
    assert entry.base_model in {build.repo for build in entry.builds}
    assert entry.name.isprintable()
    assert entry.note.isprintable()
    # The 4-bit build is between a quarter and half of what the original takes.
    assert all(0.25 < entry.bytes / build.bytes < 0.5 for build in entry.builds)


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_the_planner_takes_it(entry: CatalogueEntry) -> None:
    shape = entry.shape()
    assert shape.name == entry.repo
    assert shape.layers
    assert shape.attention
    assert shape.kv_heads
    for gpus in (f"{catalogue.FITS_ON[entry.size_class]}", "2x24"):
        made = plan(shape, Machine(parse_gpus(gpus), HOST))
        context = made.context if made.fits else 0
        assert WORTH_HAVING <= (context or 0) <= entry.context, (gpus, made.problems)


def test_sizes_are_those_of_the_files() -> None:
    """Where the published size is known, it is the planner's, but for the heads of the files."""
    found = catalogue.find("stelterlab/Mistral-Small-24B-Instruct-2501-AWQ")
    assert found is not None
    assert 0 <= 14_234_370_648 - found.bytes < 200_000


def test_find_knows_all_builds() -> None:
    for entry in ENTRIES:
        assert catalogue.find(entry.repo) is entry
        assert catalogue.pinned(entry.repo) == entry.revision
        for build in entry.builds:
            assert catalogue.find(build.repo) is entry
            assert catalogue.pinned(build.repo) == build.revision
    assert catalogue.find("nobody/nothing") is None
    assert catalogue.pinned("nobody/nothing") == ""


def test_the_file_holds_facts_and_no_address() -> None:
    text = catalogue.FILE.read_text(encoding="utf-8")
    assert "://" not in text
    known = {"repo", "name", "revision", "licence", "use", "size_class", "base_model"}
    for told in json.loads(text)["models"]:
        assert set(told) == known | {"builds", "config"} | ({"note"} & set(told))
