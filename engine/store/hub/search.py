"""Looks for models on the hub: what this engine can run, by format, size, licence and more.

The hub filters by one format at a time and knows nothing of sizes, contexts or this machine. So
several of its lists are read side by side, page by page and no further than needed, merged in
their order, and sifted here. A search that can go on is kept in `memory` (a `Trail`).
"""

from __future__ import annotations

import math
import re
from collections import Counter, deque
from typing import Final

import msgspec

from engine.store.hub.asking import asking, check_names, known_headers
from engine.store.hub.call import Call, current_call, side_by_side
from engine.store.hub.errors import HubError
from engine.store.hub.formats import UNQUANTISED
from engine.store.hub.hits import EXPANDED, passes, read_hit, with_shape
from engine.store.hub.hub_lists import lists_for, merged, one_list
from engine.store.hub.judge import know, reason_against
from engine.store.hub.memory import Memory, the_memory
from engine.store.hub.messages import FORMATS, Builds, Filters, Hit, Hits, Search
from engine.store.hub.plain_text import one_line
from engine.store.hub.verdicts import room_rank, verdict
from engine.store.hub_names import is_repo

MOST_LIMIT: Final = 200
MOST_SIFTED: Final = 400  # entries read for one answer; then it comes with what was found
RANKED: Final = 100  # entries that are ranked by fit together
WORKERS: Final = 6
MOST_TEXT: Final = 200
MOST_BUILDS: Final = 60

# Among models that fit, of two alike the one in the better format comes first.
_PREFERENCE: Final = {name: 0.1 * (len(FORMATS) - at) for at, name in enumerate(FORMATS)}
_ADDRESS: Final = re.compile(r"https?://[^/\s]+/(?:models/)?([^/\s?#]+/[^/\s?#]+)")


class Trail:
    """A search as far as it has come.

    Attributes:
        shown: how many hits have been given out.
    """

    def __init__(self, request: Search, memory: Memory) -> None:
        self.request = request
        self._memory = memory
        self._seen: set[str] = set()
        self._builds: Counter[str] = Counter()
        self._ready: deque[Hit] = deque()
        self._left_out = 0
        self._read = 0
        text = _plain_query(request.text)
        self._whole_name = text if is_repo(text) else ""
        self._hits = merged(lists_for(text, request.filters, request.sort), request.sort)

    def next_page(self, limit: int) -> tuple[list[Hit], int, bool]:
        """So many hits more, how many were passed over, and whether there may be others.

        Raises:
            HubError: the hub did not go on; the trail is of no use after that.
        """
        self._left_out = self._read = 0
        found: list[Hit] = []
        if self._whole_name and not self._seen:
            found += self._named()
        while len(found) < limit and self._read < MOST_SIFTED:
            if not self._ready:
                batch = self._next_batch(limit - len(found))
                if batch is None:
                    return self._counted(found), self._left_out, False
                self._ready.extend(batch)
                continue
            found.append(self._ready.popleft())
        return self._counted(found), self._left_out, True

    def _named(self) -> list[Hit]:
        """The model of just this name, whatever it is for: it says why it cannot be loaded."""
        from huggingface_hub import get_session

        url = f"{current_call().endpoint}/api/models/{self._whole_name}"
        wanted = {"expand": list(EXPANDED)}
        try:
            told = get_session().get(url, params=wanted, headers=known_headers())
            hit = read_hit(told.json())
        except HubError as error:
            if error.code in {"not_found", "sign_in", "gated", "gated_pending"}:
                return []
            raise
        if hit is None:
            return []
        self._seen.add(hit.repo)
        self._memory.note_commit(current_call().endpoint, hit.repo, hit.commit)
        return [self._with_known(hit)]

    def _next_batch(self, wanted: int) -> list[Hit] | None:
        """Hits that pass, in order; None at the end of all lists."""
        by_fit = self.request.sort == "fit" and self.request.machine is not None
        size = RANKED if by_fit else max(8, wanted)
        batch: list[Hit] = []
        ended = False
        while len(batch) < size and self._read < MOST_SIFTED:
            hit = next(self._hits, None)
            if hit is None:
                ended = True
                break
            self._read += 1
            if hit.repo in self._seen:
                continue
            self._seen.add(hit.repo)
            self._memory.note_commit(current_call().endpoint, hit.repo, hit.commit)
            if self._is_wanted(hit):
                batch.append(self._with_known(hit))
            else:
                self._left_out += 1
        if ended and not batch:
            return None
        batch = self._sifted(batch)
        return self._ranked(batch) if by_fit else batch

    def _is_wanted(self, hit: Hit) -> bool:
        by_name = hit.repo.lower() == self._whole_name.lower()
        return by_name or (hit.runnable and passes(hit, self.request.filters))

    def _with_known(self, hit: Hit) -> Hit:
        known = self._memory.shapes.find(current_call().endpoint, hit.repo, hit.commit)
        return with_shape(hit, known.shape) if known and known.shape else hit

    def _sifted(self, batch: list[Hit]) -> list[Hit]:
        """Without those that the filters stop once more is known of them."""
        filters = self.request.filters
        needs_more = [hit for hit in batch if self._is_open(hit, filters)]
        if not needs_more:
            return [hit for hit in batch if self._stays(hit)]
        more = side_by_side(self._learned, needs_more, WORKERS)
        learned = {hit.repo: told for hit, told in zip(needs_more, more, strict=True)}
        kept = (learned.get(hit.repo, hit) for hit in batch)
        stay = [hit for hit in kept if hit is not None and self._stays(hit)]
        self._left_out += len(batch) - len(stay)
        return stay

    def _is_open(self, hit: Hit, filters: Filters) -> bool:
        """Whether a filter asks for what is not known of it yet."""
        if filters.min_context is not None and hit.context is None:
            return True
        if filters.max_bytes is not None and hit.size is None:
            return True
        machine = self.request.machine
        return filters.fits_only and machine is not None and room_rank(hit.size, machine) < 3

    def _stays(self, hit: Hit) -> bool:
        filters, machine = self.request.filters, self.request.machine
        if hit.repo.lower() == self._whole_name.lower():
            return True
        if not passes(hit, filters):
            return False
        if filters.fits_only and machine is not None:
            return room_rank(hit.size, machine) < 3
        return True

    def _learned(self, hit: Hit) -> Hit | None:
        """`hit` with what its files tell; None where it is known now that it does not pass."""
        filters, machine = self.request.filters, self.request.machine
        endpoint = current_call().endpoint
        try:
            known = know(hit.repo, revision=hit.commit, endpoint=endpoint, memory=self._memory)
        except HubError as error:
            if error.code in {"cancelled", "too_many_requests", "unreachable", "timeout"}:
                raise
            return hit  # gated, often: it is shown, and its verdict says why
        if known.shape is None:
            return None
        hit = with_shape(hit, known.shape)
        if filters.fits_only and machine is not None:
            against = reason_against(known)
            if against or verdict(0, hit.repo, known.shape, machine).fits == "no":
                return None
        return hit

    def _ranked(self, batch: list[Hit]) -> list[Hit]:
        machine = self.request.machine
        assert machine is not None
        return sorted(batch, key=lambda hit: (room_rank(hit.size, machine), -_worth(hit), hit.repo))

    def _counted(self, found: list[Hit]) -> list[Hit]:
        """With the number of builds of the same model that this search has met so far."""
        for hit in found:
            if hit.format not in UNQUANTISED and hit.base_model:
                self._builds[hit.base_model] += 1
        return [
            msgspec.structs.replace(hit, builds=self._builds[hit.repo] or self._builds[base])
            for hit in found
            for base in (hit.base_model or hit.repo,)
        ]


def search(request: Search, memory: Memory | None = None, call: Call | None = None) -> Hits:
    """A page of what was found.

    Raises:
        HubError: the hub cannot be asked.
    """
    memory = memory or the_memory()
    limit = min(max(1, request.limit), MOST_LIMIT)
    with asking(call=call):
        key, _, told = request.cursor.partition(":")
        shown = int(told) if re.fullmatch(r"\d{1,6}", told, re.ASCII) else 0
        trail = memory.take_trail(key) if key else None
        if trail is None:
            trail = Trail(request, memory)
            if shown:  # forgotten meanwhile: from the beginning, to where it was
                _pass_over(trail, shown)
        found, left_out, more = trail.next_page(limit)
        cursor = f"{memory.put_trail(trail)}:{shown + len(found)}" if more else ""
    return Hits(id=request.id, hits=tuple(found), cursor=cursor, more=more, left_out=left_out)


def _pass_over(trail: Trail, count: int) -> None:
    while count > 0:
        found, _, more = trail.next_page(min(count, MOST_LIMIT))
        count -= len(found)
        if not more:
            return


def builds(request: Builds, memory: Memory | None = None, call: Call | None = None) -> Hits:
    """Quantised builds of a base model: the most used first, AWQ before others of a kind.

    Raises:
        HubError: the hub cannot be asked.
    """
    memory = memory or the_memory()
    check_names(request.base_repo)
    with asking(call=call):
        found: list[Hit] = []
        left_out = 0
        pages = one_list({"filter": [f"base_model:quantized:{request.base_repo}"]}, "downloads")
        for hit in pages:
            memory.note_commit(current_call().endpoint, hit.repo, hit.commit)
            if hit.runnable:
                found.append(hit)
            else:
                left_out += 1
            if len(found) >= MOST_BUILDS or left_out >= MOST_SIFTED:
                break
    order = {name: at for at, name in enumerate(FORMATS)}
    found.sort(key=lambda hit: (order.get(hit.format, 9), -hit.downloads, hit.repo))
    count = len(found)
    hits = tuple(msgspec.structs.replace(hit, builds=count) for hit in found)
    return Hits(id=request.id, hits=hits, left_out=left_out)


def _worth(hit: Hit) -> float:
    """How good a model that fits is likely to be: its size first, then how many use it.

    A doubling of parameters counts as much as ten times the downloads.
    """
    size = math.log2(max(hit.parameters or 1_000_000, 1_000_000))
    return size + math.log10(hit.downloads + 1) + _PREFERENCE.get(hit.format, 0.0)


def _plain_query(text: str) -> str:
    """What to look for: of a pasted address the model's name."""
    line = one_line(text, MOST_TEXT)
    found = _ADDRESS.search(line)
    return found[1] if found else line
