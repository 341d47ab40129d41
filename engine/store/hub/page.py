"""All there is to say about one model: its files, its card, its shape, its builds."""

from __future__ import annotations

import re

from engine.planner.model_shape import ModelShape
from engine.store.hub.asking import asking
from engine.store.hub.call import Call, current_call, side_by_side
from engine.store.hub.card import Card, fetch_card
from engine.store.hub.choice import choose, variants
from engine.store.hub.errors import HubError
from engine.store.hub.judge import know, reason_against
from engine.store.hub.listing import fetch_listing
from engine.store.hub.memory import Memory, the_memory
from engine.store.hub.messages import Builds, Hit, ModelPage, Page
from engine.store.hub.records import Listing
from engine.store.hub.repo_files import RepoFiles
from engine.store.hub.search import builds as builds_of
from engine.store.hub.shapes import shape_call

# Without these parts the page is still one.
_ENDS = frozenset({"cancelled", "timeout", "unreachable", "offline", "proxy", "certificate"})
_QUANTISED = re.compile(r"^base_model:quantized:", re.I)


def page(request: Page, memory: Memory | None = None, call: Call | None = None) -> ModelPage:
    """The page of a model. A part that cannot be had is missing; the listing is always there.

    Raises:
        HubError: there is no such model, or the hub cannot be asked.
    """
    memory = memory or the_memory()
    with asking(call=call or shape_call()):
        listing = fetch_listing(request.repo, request.revision)
        endpoint = current_call().endpoint
        memory.note_commit(endpoint, listing.repo, listing.commit)
        choice = choose(listing, request.variant)
        card = Card()
        builds: tuple[Hit, ...] = ()
        shape: ModelShape | None = None
        shape_problem = against = ""

        def read_card() -> None:
            nonlocal card
            card = _card(listing)

        def read_shape() -> None:
            nonlocal shape, shape_problem, against
            shape, shape_problem, against = _shape(listing, choice.variant, memory, endpoint)

        def read_builds() -> None:
            nonlocal builds
            builds = _builds(listing, memory)

        side_by_side(lambda part: part(), (read_card, read_shape, read_builds), 3)
        return ModelPage(
            id=request.id,
            listing=listing,
            card=card.text,
            card_cut=card.is_cut,
            licence=listing.licence,
            licence_url=listing.licence_url,
            tags=listing.tags,
            builds=builds,
            shape=shape,
            shape_problem=shape_problem,
            variants=variants(listing),
            choice=choice,
            url=f"{endpoint}/{listing.repo}",
            problem=choice.problem or against,
        )


def _card(listing: Listing) -> Card:
    try:
        return fetch_card(RepoFiles(listing.repo, listing.commit))
    except HubError as error:
        if error.code in _ENDS:
            raise
        return Card()


def _shape(
    listing: Listing, variant: str, memory: Memory, endpoint: str
) -> tuple[ModelShape | None, str, str]:
    """The shape, why it cannot be had, and what else speaks against the model."""
    try:
        known = know(
            listing.repo,
            revision=listing.commit,
            variant=variant,
            endpoint=endpoint,
            memory=memory,
        )
    except HubError as error:
        if error.code in _ENDS:
            raise
        return None, error.text, ""
    return known.shape, known.text, reason_against(known)


def _builds(listing: Listing, memory: Memory) -> tuple[Hit, ...]:
    is_build = any(_QUANTISED.match(tag) for tag in listing.tags)
    base = listing.base_model if is_build and listing.base_model else listing.repo
    try:
        found = builds_of(Builds(id=0, base_repo=base), memory).hits
    except HubError as error:
        if error.code in _ENDS:
            raise
        return ()
    return tuple(hit for hit in found if hit.repo != listing.repo)
