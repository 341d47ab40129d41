"""Steps vLLM in this process and sets our report of its KV pool beside its own figures.

`python -m tests.helpers.kv_probe MODEL`: eight chats, four of which share a long system prompt;
one is aborted on the way. Prints one JSON object of what did not agree, and of what was seen.
VLLM's own: the statistics that it logs (usage, running, waiting, prefix cache), and what its
scheduler would send a worker: the block table of each request.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.bench.bare_engine import load

SHARED = "You keep the minutes of a club that collects old clocks. " * 40
TOKENS = 48
ABORTED = "chat 5"


def report_of(kv: Any, step: int) -> tuple[Any, dict[str, list[int]]]:
    """Our report, and each request's blocks."""
    names = {name: (name, 0) for name in kv._scheduler.requests}
    report = kv.report(step, names)
    tables = {
        request.request_id: list(memoryview(request.blocks).cast("I"))
        for request in report.requests
    }
    return report, tables


def compare(kv: Any, engine: Any, step: int, faults: list[str]) -> dict[str, Any]:
    """One step's figures; what differs is added to `faults`."""
    scheduler = engine.engine_core.engine_core.scheduler
    pool = scheduler.kv_cache_manager.block_pool
    report, tables = report_of(kv, step)
    stats = scheduler.make_stats()

    def check(what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            faults.append(f"step {step}: {what}: {ours} for {theirs}")

    check("usage", round(report.used / report.total, 9), round(stats.kv_cache_usage, 9))
    running = [request for request in report.requests if not request.position]
    check("running", len(running), stats.num_running_reqs)
    check("waiting", len(report.requests) - len(running), stats.num_waiting_reqs)
    holders: Counter[int] = Counter()
    for name, table in tables.items():
        own = [n for ids in scheduler.kv_cache_manager.get_block_ids(name) for n in ids]
        check(f"blocks of {name}", [number + 1 for number in table], own)
        holders.update(table)
    references = {b.block_id - 1: b.ref_cnt for b in pool.blocks if b.ref_cnt and not b.is_null}
    check("holders of each block", dict(holders), references)
    check("shared", report.shared, sum(count > 1 for count in references.values()))
    free, block = set(), pool.free_block_queue.fake_free_list_head.next_free_block
    while block.next_free_block is not None:
        free.add(block.block_id - 1)
        block = block.next_free_block
    check("free", set(range(report.total)) - set(tables and holders), free)
    found = {
        number for number in range(report.total) if report.cached[number >> 3] >> (number & 7) & 1
    }
    hashed = {
        one.block_id - 1
        for one in pool.blocks
        if one.block_hash is not None and one.block_id - 1 in free
    }
    check("cached", found, hashed)
    return {
        "requests": len(report.requests),
        "shared": report.shared,
        "used": report.used,
        "cached": len(found),
        "tokens": {request.request_id: request.tokens for request in report.requests},
        "computed": {
            name: request.num_computed_tokens for name, request in scheduler.requests.items()
        },
    }


def main(model: Path) -> None:
    """Run and tell."""
    engine = load(model, log_stats=True)
    from vllm import SamplingParams
    from vllm.renderers import ChatParams
    from vllm.sampling_params import RequestOutputKind

    from engine.kv_map import KvMap

    kv = KvMap(engine)
    chat = ChatParams(chat_template_kwargs={"add_generation_prompt": True, "tokenize": False})
    parameters = SamplingParams(
        max_tokens=TOKENS, temperature=0, ignore_eos=True, output_kind=RequestOutputKind.DELTA
    )
    ids: dict[str, str] = {}
    for number in range(8):
        system = SHARED if number < 4 else f"You are number {number}."
        messages = [
            {"role": "system", "content": system},
            {"role": "user", "content": f"Tell me of clock {number}."},
        ]
        _, (rendered,) = engine.renderer.render_chat([messages], chat)
        ids[f"chat {number}"] = engine.add_request(f"chat {number}", rendered, parameters)
    scheduler = engine.engine_core.engine_core.scheduler
    make_stats, hits = scheduler.make_stats, Counter[str]()

    def counted(*given: Any, **more: Any) -> Any:
        """VLLM takes its counts of the prefix cache out with each step: keep a sum."""
        stats = make_stats(*given, **more)
        hits["all"] += stats.prefix_cache_stats.hits
        return stats

    scheduler.make_stats = counted
    faults: list[str] = []
    seen = [compare(kv, engine, 0, faults)]
    hits_told: dict[str, int] = {}
    while engine.has_unfinished_requests():
        for output in engine.step():
            hits_told.setdefault(output.request_id, output.num_cached_tokens or 0)
        if len(seen) == TOKENS // 2:
            engine.abort_request([ABORTED])
        seen.append(compare(kv, engine, len(seen), faults))
    print(
        json.dumps(
            {
                "faults": faults[:20],
                "steps": len(seen),
                "most_requests": max(one["requests"] for one in seen),
                "most_shared": max(one["shared"] for one in seen),
                "hits": hits["all"],
                "hits_told": sum(hits_told.values()),
                "token_faults": sum(one["tokens"] != one["computed"] for one in seen),
                "last": {key: seen[-1][key] for key in ("requests", "used", "shared", "cached")},
                "block_size": kv._block_size,
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
