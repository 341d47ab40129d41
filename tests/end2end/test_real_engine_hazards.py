"""What has killed, or could kill, the real engine: each ordinary request once, with a seed.

A prompt of more than a step's tokens is prefilled in several steps, and so are several that
arrive together. One engine serves the whole file: whatever kills it fails every test.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.load_defaults import CPU_BATCHED_TOKENS
from engine.protocol import Loaded, Sampling
from tests.helpers.engine_peer import EnginePeer

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(400)]

Engine = tuple[EnginePeer, Loaded]
SEEDED = Sampling(temperature=1.5, top_p=1.0, seed=7, max_tokens=24, ignore_eos=True)


def test_a_seeded_request_may_be_prefilled_in_several_steps(loaded_engine: Engine) -> None:
    peer, _ = loaded_engine
    key = peer.ask("A long prompt, to be read in steps. " * 250, sampling=SEEDED)
    _, finish = peer.collect(key)[key]
    assert finish.prompt_tokens > 3 * CPU_BATCHED_TOKENS
    assert finish.completion_tokens == 24


def test_the_same_seed_gives_the_same_text_in_however_many_steps_the_prompt_is_read(
    loaded_engine: Engine,
) -> None:
    peer, loaded = loaded_engine
    # Among digits at a high temperature each draw counts, and rounding hardly ever does.
    digits = replace(SEEDED, temperature=2.0, regex="[0-9]{16}")
    prompt = "Say some digits, any that come to mind. " * 200
    texts = []
    for steps in ("several", "one", "one"):
        key = peer.ask(prompt, sampling=digits)
        text, finish = peer.collect(key)[key]
        unread = finish.prompt_tokens - finish.cached_tokens
        assert (unread > 2 * CPU_BATCHED_TOKENS) if steps == "several" else unread <= 32
        texts.append(text)
    assert texts[1] == texts[2]
    assert texts[0][:8] == texts[1][:8]
    key = peer.ask(prompt, sampling=replace(digits, seed=8))
    assert peer.collect(key)[key][0][:8] != texts[1][:8]
