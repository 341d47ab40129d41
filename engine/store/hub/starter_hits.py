"""The starter list's models as if the hub had told of them, for who is not to ask it."""

from __future__ import annotations

from engine.store.catalogue import CatalogueEntry
from engine.store.hub.messages import Hit


def starter_hit(entry: CatalogueEntry) -> Hit:
    """A model of the list, by the build that it offers first."""
    return Hit(
        repo=entry.repo,
        commit=entry.revision,
        author=entry.repo.partition("/")[0],
        format=entry.format,
        size=entry.bytes,
        parameters=entry.parameters,
        licence=entry.licence,
        context=entry.context,
        base_model=entry.base_model,
        builds=len(entry.builds),
        architecture=entry.shape().architecture,
    )


def build_hits(entry: CatalogueEntry) -> tuple[Hit, ...]:
    """Its other builds."""
    return tuple(
        Hit(
            repo=build.repo,
            commit=build.revision,
            author=build.repo.partition("/")[0],
            format=build.format,
            size=build.bytes,
            parameters=entry.parameters,
            licence=entry.licence,
            context=entry.context,
            base_model=entry.base_model,
        )
        for build in entry.builds
    )
