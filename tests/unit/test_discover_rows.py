"""Builds of one model stand together, and the starter list by size and use."""

from __future__ import annotations

from desktop.models.library.discover_rows import Grouping, group_of, starter_rows
from engine.store.catalogue import read_catalogue
from engine.store.hub.messages import Hit

HEADINGS = {"small": "Small", "medium": "Medium", "large": "Large"}


def build(repo: str, base: str = "", form: str = "awq", builds: int = 0) -> Hit:
    return Hit(repo=repo, base_model=base, format=form, builds=builds)


def test_a_build_stands_with_its_original_and_a_finetune_alone() -> None:
    assert group_of(build("me/x-AWQ", "you/x")) == "you/x"
    assert group_of(build("me/x-tuned", "you/x", "bf16")) == "me/x-tuned"
    assert group_of(build("me/x", "you/x", "")) == "me/x"
    assert group_of(build("me/x-AWQ")) == "me/x-AWQ"


def test_the_original_leads_its_builds_wherever_it_was_found() -> None:
    grouping = Grouping()
    rows, changed = grouping.add(
        [build("a/x-AWQ", "o/x"), build("b/y-AWQ"), build("o/x", "", "bf16", 5)]
    )
    assert [row.repo for row in rows] == ["o/x", "b/y-AWQ"]
    assert changed == []
    assert rows[0].children == 5  # as the hub says
    assert rows[1].children == 0


def test_builds_without_their_original_stand_below_the_first() -> None:
    grouping = Grouping()
    rows, _ = grouping.add([build("a/x-AWQ", "o/x"), build("b/x-GPTQ", "o/x", "gptq")])
    assert [row.repo for row in rows] == ["a/x-AWQ"]
    assert rows[0].children == 1
    more, changed = grouping.add([build("c/x-AWQ", "o/x"), build("a/x-AWQ", "o/x")])
    assert more == []
    assert changed == ["o/x"]
    group = grouping.group("o/x")
    assert group is not None
    assert list(group.builds) == ["b/x-GPTQ", "c/x-AWQ"]


def test_when_all_builds_are_known_the_count_is_theirs() -> None:
    grouping = Grouping()
    rows, _ = grouping.add([build("o/x", "", "bf16", 40)])
    assert rows[0].children == 40
    group = grouping.complete("o/x", [build("a/x-AWQ", "o/x"), build("b/x-AWQ", "o/x")])
    assert group is not None
    assert group.lead.children == 2
    assert group.is_complete


def test_the_starter_list_is_by_size() -> None:
    rows, below = starter_rows(read_catalogue(), HEADINGS)
    headings = [row.heading for row in rows if row.hit is None]
    assert headings == [HEADINGS[name] for name in HEADINGS if HEADINGS[name] in headings]
    assert headings
    models = [row for row in rows if row.hit is not None]
    assert len(models) == len(read_catalogue())
    for row in models:
        assert row.title
        assert row.children == len(below[row.group])


def test_a_use_leaves_only_what_is_good_at_it() -> None:
    rows, _ = starter_rows(read_catalogue(), HEADINGS, "code")
    models = [row for row in rows if row.hit is not None]
    assert models
    assert all("code" in row.uses for row in models)
    assert starter_rows(read_catalogue(), HEADINGS, "dancing") == ([], {})
