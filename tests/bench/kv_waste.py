"""KV memory that is held and of no use: measured on the real engine, and as it was before paging.

72 requests of mixed lengths (above 400 tokens on average) run on the starter model, 16 at a time;
the KV pool is reported block by block all the while, and each report is counted as the monitor
counts it. Then the same lengths go through the three older allocators of the PagedAttention paper
(`tests.bench.old_allocators`), which it found to use 20.4, 26.8 and 38.2 % of KV memory, where
paging used 96.3 % (Kwon et al., SOSP 2023, figure 2).

Bar: the waste of what requests hold is below 4 % on average; it is (block - 1) / 2 slots a
sequence within 15 %; the older allocators use less the less they know, and each less than paging.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import sys
from dataclasses import asdict

from desktop.models.monitor.kv_waste import KvWaste, waste_of
from engine.protocol import (
    ChatMessage,
    Generate,
    KvReport,
    Loaded,
    LoadSettings,
    Sampling,
    TokenBatch,
    Watch,
)
from engine.store.folders import starter_folder
from tests.bench.old_allocators import RULES, Length, simulate
from tests.helpers.engine_peer import EnginePeer

REQUESTS = 72
AT_ONCE = 16
CONTEXT = 2048
MOST_ANSWER = 240
WATCH_SECONDS = 0.05
MEMORY = 1 << 16  # slots of the simulated memory
BAR_WASTE = 0.04
BAR_EXPECTED = 0.15
BAR_MEAN_TOKENS = 400
PUBLISHED = {"maximum": 0.204, "power_of_two": 0.268, "oracle": 0.382, "paged": 0.963}

_WORDS = (
    *("river", "clock", "bread", "copper", "whale", "letter", "glass", "tide", "moss", "rope"),
    *("lantern", "map", "bridge", "violin", "engine", "harbour", "candle", "stone", "forest"),
)


def questions() -> list[tuple[str, int]]:
    """Prompts that share no beginning, with the answer's greatest length."""
    chance = random.Random(7)
    result = []
    for number in range(REQUESTS):
        words = min(1100, max(20, int(chance.lognormvariate(math.log(230), 0.7))))
        text = " ".join(chance.choice(_WORDS) for _ in range(words))
        most = min(MOST_ANSWER, max(24, int(chance.lognormvariate(math.log(130), 0.5))))
        result.append((f"{number}: {text}. Tell a long story of all of these.", most))
    return result


def serve(peer: EnginePeer) -> tuple[list[Length], list[KvReport]]:
    """Have all answered, `AT_ONCE` at a time; their lengths, and the reports meanwhile."""
    waiting = [(f"w{at}", *asked) for at, asked in enumerate(questions())]
    lengths: list[Length] = []
    reports: list[KvReport] = []

    def send_next() -> None:
        if waiting:
            key, text, most = waiting.pop(0)
            sampling = Sampling(temperature=1.0, seed=len(waiting), max_tokens=most)
            peer.send(Generate(key, (ChatMessage("user", text),), sampling=sampling))

    for _ in range(AT_ONCE):
        send_next()
    while len(lengths) < REQUESTS:
        message = peer.next(180.0)
        if isinstance(message, KvReport):
            reports.append(message)
        elif isinstance(message, TokenBatch):
            for update in message.updates:
                if update.finish is not None:
                    finish = update.finish
                    lengths.append(Length(finish.prompt_tokens, finish.completion_tokens))
                    send_next()
    return lengths, reports


def measured(reports: list[KvReport], context: int) -> tuple[float, float, float]:
    """Of all moments together: the waste, unused slots a sequence, the contiguous waste."""
    found = [waste_of(report, context) for report in reports]
    total = KvWaste(
        *(sum(getattr(waste, name) for waste in found) for name in KvWaste.__dataclass_fields__)
    )
    assert total.share is not None
    assert total.per_sequence is not None
    assert total.contiguous_share is not None
    return total.share, total.per_sequence, total.contiguous_share


def main() -> int:
    """Measure, print, judge."""
    peer = EnginePeer("vllm")
    try:
        loaded: Loaded = peer.load(starter_folder(), LoadSettings(max_model_len=CONTEXT))
        peer.send(Watch(WATCH_SECONDS))
        lengths, reports = serve(peer)
    finally:
        peer.close()
    share, per_sequence, contiguous = measured(reports, CONTEXT)
    expected = (loaded.block_size - 1) / 2
    mean = statistics.fmean(length.total for length in lengths)
    older = {name: simulate(lengths, MEMORY, CONTEXT, rule) for name, rule in RULES.items()}
    for name, use in older.items():
        print(
            f"{name}: {use.tokens:.1%} used (published: {PUBLISHED[name]:.1%}), "
            f"{use.reserved:.1%} reserved, {use.internal:.1%} internal, {use.external:.1%} external"
        )
    print(
        f"paged: {1 - share:.1%} of what is held is used (published: {PUBLISHED['paged']:.1%}); "
        f"{per_sequence:.1f} unused slots a sequence, expected {expected:.1f}"
    )
    used = [use.tokens for use in older.values()]
    passed = (
        share < BAR_WASTE
        and mean > BAR_MEAN_TOKENS
        and abs(per_sequence / expected - 1) < BAR_EXPECTED
        and used == sorted(used)
        and used[-1] < 1 - share
    )
    figures = {
        "requests": len(lengths),
        "mean_tokens": round(mean, 1),
        "moments": len(reports),
        "block_size": loaded.block_size,
        "waste": round(share, 4),
        "unused_per_sequence": round(per_sequence, 2),
        "expected_per_sequence": expected,
        "contiguous_waste": round(contiguous, 4),
        "older": {
            name: {part: round(value, 4) for part, value in asdict(use).items()}
            for name, use in older.items()
        },
        "published": PUBLISHED,
        "passed": passed,
    }
    print(json.dumps(figures))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
