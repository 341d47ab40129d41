"""Waste of KV memory: paged, and under the allocators of before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.monitor.kv_waste import waste_of
from engine.protocol import KvReport, KvRequest
from tests.bench.old_allocators import RULES, Buddies, Length, simulate


def request(name: str, blocks: list[int], tokens: int, unused: int) -> KvRequest:
    packed = b"".join(number.to_bytes(4, "little") for number in blocks)
    return KvRequest(name, packed, tokens, tokens, 0, unused)


def test_a_shared_block_is_counted_once() -> None:
    requests = (
        request("a", [0, 1, 2], 40, 8),
        request("b", [0, 1, 3], 36, 12),
        request("waits", [], 0, 0),
    )
    waste = waste_of(KvReport(1, 16, 10, used=4, shared=2, cached=b"", requests=requests), 128)
    assert (waste.slots, waste.unused, waste.sequences) == (64, 20, 2)
    assert waste.share == 20 / 64
    assert waste.per_sequence == 10
    assert waste.contiguous_share == 1 - 76 / 256


def test_of_an_empty_pool_there_is_nothing_to_say() -> None:
    waste = waste_of(KvReport(1, 16, 10, 0, 0, b"", ()), 128)
    assert (waste.share, waste.contiguous_share, waste.per_sequence) == (None, None, None)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 40)), max_size=60))
def test_pieces_never_overlap_and_all_come_back(steps: list[tuple[bool, int]]) -> None:
    buddies = Buddies(128)
    held: list[tuple[int, int]] = []
    for takes, size in steps:
        if takes:
            place = buddies.take(size)
            if place is not None:
                assert 1 << place[0] >= size
                held.append(place)
        elif held:
            buddies.give(*held.pop(size % len(held)))
        taken = [slot for order, at in held for slot in range(at, at + (1 << order))]
        assert len(taken) == len(set(taken))
        assert all(slot < 128 for slot in taken)
    for place in held:
        buddies.give(*place)
    assert buddies.take(128) == (7, 0)


def test_the_shares_make_a_whole_and_knowing_more_wastes_less() -> None:
    lengths = [Length(100 + 37 * n % 300, 20 + 91 * n % 500) for n in range(40)]
    uses = {name: simulate(lengths, 1 << 15, 2048, rule) for name, rule in RULES.items()}
    for use in uses.values():
        assert use.tokens + use.reserved + use.internal + use.external == pytest.approx(1)
        assert min(use.tokens, use.reserved, use.internal, use.external) >= 0
    assert uses["maximum"].tokens < uses["power_of_two"].tokens <= uses["oracle"].tokens


def test_equal_requests_of_a_power_of_two_waste_nothing_but_what_is_to_come() -> None:
    use = simulate([Length(32, 32)] * 8, 1024, 64, RULES["oracle"])
    assert use.internal == 0
    assert use.external == 0
    assert use.tokens == pytest.approx(1 - 15.5 / 64, abs=0.01)  # it ends in mid-batch


def test_a_request_that_fits_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="fit"):
        simulate([Length(50, 50)], 1024, 64, RULES["maximum"])
