"""The hub's lists of models: which of them a search needs, read page by page and merged."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from engine.store.hub.asking import known_headers
from engine.store.hub.call import current_call, side_by_side
from engine.store.hub.hits import EXPANDED, read_hit
from engine.store.hub.messages import FORMATS, Filters, Hit

PAGE: Final = 50  # entries that are asked of the hub at once
MOST_BARREN: Final = 3  # pages in a row without anything new

_HUB_SORTS: Final = {
    "downloads": "downloads",
    "likes": "likes",
    "date": "lastModified",
    "trending": "trendingScore",
    "fit": "downloads",
}
# The hub's tag for each format; several formats may share one.
_TAGS: Final = {
    "awq": ("awq",),
    "gptq": ("gptq",),
    "w4a16": ("compressed-tensors",),
    "fp8": ("fp8", "compressed-tensors"),
    "bf16": ("safetensors",),
    "gguf": ("gguf",),
}


def lists_for(text: str, filters: Filters, sort: str) -> list[Iterator[Hit]]:
    """One of the hub's lists for each tag that the formats need."""
    common: list[str] = []
    if len(filters.licences) == 1:
        common.append(f"license:{filters.licences[0].lower()}")
    if len(filters.languages) == 1:
        common.append(filters.languages[0])
    formats = [name for name in FORMATS if name in filters.formats] or ["bf16", "gguf"]
    tags = dict.fromkeys(tag for name in formats for tag in _TAGS[name])
    base: dict[str, Any] = {"pipeline_tag": "text-generation"}
    if text:
        base["search"] = text
    if filters.author:
        base["author"] = filters.author
    order = _HUB_SORTS.get(sort, "downloads")
    return [one_list({**base, "filter": [tag, *common]}, order) for tag in tags]


def one_list(params: dict[str, Any], sort: str) -> Iterator[Hit]:
    """The models of one of the hub's lists, each once, a page asked for when it is needed.

    The hub says where the next page is, and may say so for ever: after some pages in a row
    without a model that was not there before, the list counts as read.
    """
    told = {**params, "sort": sort, "limit": PAGE, "expand": list(EXPANDED)}
    seen: set[str] = set()
    barren = 0
    for page in _pages(f"{current_call().endpoint}/api/models", told):
        barren += 1
        for hit in filter(None, map(read_hit, page)):
            if hit.repo not in seen:
                seen.add(hit.repo)
                barren = 0
                yield hit
        if barren >= MOST_BARREN:
            return


def _pages(url: str, params: dict[str, Any]) -> Iterator[list[Any]]:
    """The entries of a list, page by page, as huggingface_hub's `paginate` reads them."""
    from huggingface_hub import get_session

    told: dict[str, Any] = {"params": params}
    while url:
        answer = get_session().get(url, headers=known_headers(), **told)
        page = answer.json()
        if not isinstance(page, list):
            raise TypeError("a page of a list is a list")
        yield page
        # The address of the next page has the parameters in it.
        url, told = answer.links.get("next", {}).get("url", ""), {}


def merged(lists: Sequence[Iterator[Hit]], sort: str) -> Iterator[Hit]:
    """All of them in one order."""
    lists = _begun(lists)
    if sort == "trending":  # of which the list does not tell the measure: in turn
        yield from _in_turn(lists)
        return
    keys: dict[str, Callable[[Hit], Any]] = {
        "likes": lambda hit: hit.likes,
        "date": lambda hit: hit.updated,
    }
    key = keys.get(sort, lambda hit: hit.downloads)
    yield from heapq.merge(*lists, key=key, reverse=True)


def _begun(lists: Sequence[Iterator[Hit]]) -> Sequence[Iterator[Hit]]:
    """The same, the first page of each read: at one time, since each takes a while."""
    if len(lists) == 1:
        return lists
    firsts = side_by_side(lambda one: list(islice(one, 1)), lists, len(lists))
    return [chain(begun, one) for begun, one in zip(firsts, lists, strict=True)]


def _in_turn(lists: Sequence[Iterator[Hit]]) -> Iterator[Hit]:
    waiting = deque(lists)
    while waiting:
        one = waiting.popleft()
        hit = next(one, None)
        if hit is not None:
            yield hit
            waiting.append(one)
