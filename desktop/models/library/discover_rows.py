"""What a list of the hub's models shows, row by row: headings, models, and builds below them.

Pure: no Qt. Builds of one model stand below the first of them that was found, folded until they
are asked for; the model that they were made from leads where it was found too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.store.catalogue import CatalogueEntry
    from engine.store.hub.messages import Hit


@dataclass(slots=True)
class Row:
    """One row.

    Attributes:
        hit: the model; None for a heading.
        heading: its words.
        title: what a model is called; "": its repository's name.
        note: a sentence on it.
        uses: what it is good at, by the catalogue's words.
        level: 1 for a build that stands below another row.
        group: of which it is one; builds of one model share it.
        children: how many builds can be unfolded below it (those known, or told by the hub).
        is_open: whether they are.
        is_loading: whether they are asked for.
    """

    hit: Hit | None = None
    heading: str = ""
    title: str = ""
    note: str = ""
    uses: tuple[str, ...] = ()
    level: int = 0
    group: str = ""
    children: int = 0
    is_open: bool = False
    is_loading: bool = False

    @property
    def repo(self) -> str:
        """Its repository; "" for a heading."""
        return self.hit.repo if self.hit is not None else ""


@dataclass(slots=True)
class Group:
    """Builds of one model.

    Attributes:
        lead: what stands for all of them.
        builds: the others, in the order in which they were found.
        told: how many there are as the hub says.
        is_complete: whether the hub was asked for all of them.
        likeliest: the build that a user would take, by its format; None: none is known.
    """

    lead: Row
    builds: dict[str, Row] = field(default_factory=dict)
    told: int = 0
    is_complete: bool = False
    likeliest: Hit | None = None

    def add(self, hit: Hit) -> None:
        """Another build; the same one again says nothing new."""
        if hit.repo != self.lead.repo and hit.repo not in self.builds:
            self.builds[hit.repo] = Row(hit=hit, level=1, group=self.lead.group)
            if self.likeliest is None or _rank(hit) < _rank(self.likeliest):
                self.likeliest = hit

    def rows(self) -> list[Row]:
        """The builds as they stand below the lead: by format, AWQ first."""
        return sorted(self.builds.values(), key=lambda row: _rank(row.hit))

    def settle(self) -> None:
        """Have the lead say how many there are."""
        own = 1 if self.lead.repo != self.lead.group else 0  # the lead is one of those told
        told = 0 if self.is_complete else max(0, self.told - own)
        self.lead.children = max(len(self.builds), told)


def _rank(hit: Hit | None) -> int:
    """Where a build's format stands among those that a user would take."""
    from engine.store.hub.messages import FORMATS

    name = hit.format if hit is not None else ""
    return FORMATS.index(name) if name in FORMATS else len(FORMATS)


def group_of(hit: Hit) -> str:
    """What a model stands with: a quantised build with its original, all others alone."""
    is_build = hit.format not in ("", "bf16", "fp16", "fp32")
    return (hit.base_model if is_build else "") or hit.repo


class Grouping:
    """Models in the order in which they were found, builds of one model together."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._keys: dict[str, str] = {}  # of repositories: the group that each is in

    def __len__(self) -> int:
        return len(self._groups)

    def group(self, key: str) -> Group | None:
        """The group of this name."""
        return self._groups.get(key)

    def group_with(self, repo: str) -> Group | None:
        """The group that a repository is in."""
        return self._groups.get(self._keys.get(repo, ""))

    def add(self, hits: Iterable[Hit]) -> tuple[list[Row], list[str]]:
        """Take what was found now.

        Returns:
            The rows that are to be appended, and the groups whose rows changed.
        """
        fresh: list[Row] = []
        changed: dict[str, None] = {}
        found = list(hits)
        # Of one answer the original leads, wherever it stands in it.
        originals = {hit.repo: hit for hit in found}
        for hit in found:
            key = group_of(hit)
            group = self._groups.get(key)
            if group is None:
                lead = originals.get(key, hit)
                row = Row(hit=lead, group=key)
                group = self._groups[key] = Group(row)
                fresh.append(row)
            else:
                changed[key] = None
            self._keys[hit.repo] = key
            group.told = max(group.told, hit.builds)
            group.add(hit)
            group.settle()
        names = {row.group for row in fresh}
        return fresh, [key for key in changed if key not in names]

    def complete(self, key: str, hits: Iterable[Hit]) -> Group | None:
        """All builds of a model are known now."""
        group = self._groups.get(key)
        if group is not None:
            for hit in hits:
                self._keys.setdefault(hit.repo, key)
                group.add(hit)
            group.is_complete = True
            group.settle()
        return group

    def give_up(self, key: str) -> Group | None:
        """Its builds cannot be had now: what is known is what there is."""
        return self._groups.get(key)


def starter_rows(
    entries: Iterable[CatalogueEntry], headings: dict[str, str], use: str = ""
) -> tuple[list[Row], dict[str, list[Row]]]:
    """The starter list: a heading for each size, its models by use.

    Args:
        headings: words for each size class, in the order to show.
        use: only models that are good at this; "": all.

    Returns:
        The rows, and the builds that can be unfolded below each model, by its group.
    """
    from engine.store.hub.starter_hits import build_hits, starter_hit

    rows: list[Row] = []
    below: dict[str, list[Row]] = {}
    by_size: dict[str, list[CatalogueEntry]] = {}
    for entry in entries:
        if not use or use in entry.use:
            by_size.setdefault(entry.size_class, []).append(entry)
    order = [*headings, *(name for name in by_size if name not in headings)]
    for name in order:
        chosen = by_size.get(name, [])
        if not chosen:
            continue
        rows.append(Row(heading=headings.get(name, name)))
        for entry in sorted(chosen, key=lambda one: (one.use[:1], one.bytes)):
            builds = [Row(hit=hit, level=1, group=entry.repo) for hit in build_hits(entry)]
            below[entry.repo] = builds
            rows.append(
                Row(
                    hit=starter_hit(entry),
                    title=entry.name,
                    note=entry.note,
                    uses=entry.use,
                    group=entry.repo,
                    children=len(builds),
                )
            )
    return rows, below
