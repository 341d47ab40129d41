"""The planner against the real CPU engine: what it promises, and what vLLM then reports.

Bar: for every model that loads here, at least 6 of different shapes, the planned KV tokens are
within 1 % of those that vLLM reports, and the planned context is the one it serves. That holds
for the defaults, for a context that vLLM fits to little memory, and for a KV cache of exactly
the size that the planner reckons for so many tokens; one block less is refused.

`--only NAME` runs some, `--folder FOLDER` keeps the models.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.environment import engine_environment
from engine.load_defaults import read_machine
from engine.planner.choices import value_bytes
from engine.planner.kv_cache import lay_out
from engine.planner.machine import Machine
from engine.planner.plan import Plan, Wish, plan
from engine.planner.shape import shape_of_folder
from engine.protocol import Failure, Load, Loaded, LoadSettings
from engine.store.folders import starter_folder
from tests.bench.planner_models import OTHERS, make_awq
from tests.helpers.engine_peer import EnginePeer
from tests.helpers.tiny_models import make_tiny_model

BAR_TOKENS = 0.01
BAR_MODELS = 6
LOAD_SECONDS = 300.0
ROOT = Path(__file__).resolve().parents[2]
EXACT_TOKENS = 1000  # not a multiple of any block


@dataclass(frozen=True, slots=True)
class Case:
    """One load: a model, what is wished, and what is asked of it."""

    name: str
    model: str
    wish: Wish
    by_default: bool = False  # the engine chooses, by the same arithmetic
    may_fail: bool = False  # not every processor runs it
    refused: bool = False  # vLLM must not take it


def cases() -> list[Case]:
    """All of them; each takes a process of its own."""
    names = [
        *("starter", "mha-tied", "mha-untied", "gqa-untied", "qwen2-bias", "mistral-window"),
        *OTHERS,
    ]
    # States take kernels that not every processor has.
    made = [
        Case(name, name, Wish(), may_fail=name.endswith("states"))
        for name in names
        if name != "starter"
    ]
    made.insert(0, Case("starter, by default", "starter", Wish(), by_default=True))
    made.append(Case("awq", "awq", Wish(), may_fail=True))
    small = Wish(kv_bytes=3 << 20)
    for name in ("gqa-untied", "gemma2-alternating-windows"):
        made.append(Case(f"{name}, a context to fit", name, small))
    for name in ("gqa-untied", "gemma3-windows-5-to-1"):
        made.append(Case(f"{name}, exactly {EXACT_TOKENS} tokens", name, _exact(1)))
        made.append(Case(f"{name}, a block less", name, _exact(-1), refused=True))
    made.append(Case("gqa-untied in bfloat16", "gqa-untied", Wish(dtype="bfloat16")))
    return made


def _exact(sign: int) -> Wish:
    # The size follows from the model: `_wish` fills it in; its sign says which.
    return Wish(context=EXACT_TOKENS, kv_bytes=sign)


def make_models(folder: Path) -> dict[str, Path]:
    """Make what is not there."""
    found = {"starter": starter_folder()}
    tiny: dict[str, dict[str, Any]] = {
        "mha-tied": {"heads": 2, "kv_heads": 2, "layers": 3},
        "mha-untied": {"heads": 4, "kv_heads": 4, "head_dim": 64, "tied": False},
        "gqa-untied": {"heads": 8, "kv_heads": 2, "layers": 5, "tied": False, "context": 4096},
        "qwen2-bias": {"architecture": "qwen2", "heads": 6, "kv_heads": 2, "hidden": 192},
        "mistral-window": {"architecture": "mistral", "window": 256, "layers": 4},
    }
    for name, shape in tiny.items():
        found[name] = make_tiny_model(folder / name, **shape)
    found["awq"] = make_awq(folder / "awq")
    if not all((folder / name / "config.json").is_file() for name in OTHERS):
        command = [sys.executable, "-m", "tests.bench.planner_models", str(folder)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    return found | {name: folder / name for name in OTHERS}


def planned(folder: Path, wish: Wish, machine: Machine) -> Plan:
    """The plan; for an exact size, with that size, or a block less."""
    shape = shape_of_folder(folder)
    if wish.kv_bytes in {1, -1}:
        free = plan(shape, machine, Wish(context=wish.context), explain=False)
        settings = free.settings
        layout = lay_out(
            shape,
            value_bytes=value_bytes(settings.dtype or "auto"),
            block_size=free.block_size,
            in_flight=settings.max_num_batched_tokens or 0,
        )
        size = layout.bytes_for(EXACT_TOKENS)
        size -= layout.block_bytes if wish.kv_bytes == -1 else 0
        wish = Wish(context=wish.context, kv_bytes=size)
    return plan(shape, machine, wish, explain=False)


def load(folder: Path, settings: LoadSettings) -> Loaded | Failure:
    """Load in a real engine process; what it said."""
    peer = EnginePeer("vllm", environment=engine_environment(dict(os.environ)))
    try:
        peer.send(Load(1, str(folder), settings))
        while True:
            message = peer.next(LOAD_SECONDS)
            if isinstance(message, (Loaded, Failure)):
                return message
    finally:
        peer.close()


def run(case: Case, folder: Path, machine: Machine) -> dict[str, Any]:
    """Plan, load, compare."""
    made = planned(folder, case.wish, machine)
    began = time.monotonic()
    said = load(folder, LoadSettings() if case.by_default else made.settings)
    result: dict[str, Any] = {
        "case": case.name,
        "seconds": round(time.monotonic() - began, 1),
        "planned_tokens": made.kv_tokens,
        "planned_context": made.context,
    }
    if isinstance(said, Failure):
        result["failed"] = f"{said.code}: {said.cause}"[:160]
        result["passed"] = None if case.may_fail else case.refused and not made.fits
        return result
    result |= {"tokens": said.kv_tokens, "context": said.context, "blocks": said.kv_blocks}
    off = abs(made.kv_tokens - said.kv_tokens) / max(1, said.kv_tokens)
    result["off_percent"] = round(100 * off, 3)
    result["passed"] = not case.refused and off <= BAR_TOKENS and made.context == said.context
    return result


def main() -> int:
    """Run the cases, print a line each and the figures last."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    machine = read_machine("cpu").hardware
    results: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        models = make_models(folder)
        for case in cases():
            if given.only in case.name:
                results.append(run(case, models[case.model], machine))
                print(json.dumps(results[-1]), file=sys.stderr, flush=True)
    judged = [result for result in results if result["passed"] is not None]
    measured = [result for result in judged if "tokens" in result]
    enough = bool(given.only) or len({result["case"] for result in measured}) >= BAR_MODELS
    passed = enough and all(result["passed"] for result in judged)
    figures = {
        "bench": "planner",
        "passed": passed,
        "bar_off_percent": 100 * BAR_TOKENS,
        "worst_off_percent": max((result["off_percent"] for result in measured), default=None),
        "loaded": len(measured),
        "missed": [result["case"] for result in judged if not result["passed"]],
        "not_loadable_here": [result["case"] for result in results if result["passed"] is None],
        "cases": results,
    }
    print(json.dumps(figures))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
