"""How long it takes to list 300 installed models: new to the program, known to it, unchanged.

Bar: cold below 1 s, known below 0.1 s, "has anything changed" below 10 ms. Each model has the
heads of an 8B Llama's four files and their full size, as holes that take no disk. That is by the
clock, less what the scheduler withheld: time in which our thread could have gone on and other
processes had the processor. On a calm machine that is nothing. The clock's and the processor's time
are told besides.

    python -m tests.bench.library_scan [--models 300] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from engine.store.library.scan import ScanCache, changed_since, scan
from tests.helpers.shelf_models import COMMIT, HubCache, write_gguf, write_model
from tests.helpers.withheld import withheld

BAR_COLD, BAR_KNOWN, BAR_UNCHANGED = 1.0, 0.1, 0.01  # s
ROUNDS = 5
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14_336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128_256,
    "max_position_embeddings": 131_072,
    "torch_dtype": "bfloat16",
}
SHARDS = 4
OTHERS = 50  # in the Hugging Face cache, and as many GGUF files


def tensors() -> dict[str, list[int]]:
    """Name -> shape of Llama 3's 8B."""
    found = {
        "model.embed_tokens.weight": [128_256, 4096],
        "lm_head.weight": [128_256, 4096],
        "model.norm.weight": [4096],
    }
    for layer in range(32):
        place = f"model.layers.{layer}"
        for name, shape in (
            ("self_attn.q_proj", [4096, 4096]),
            ("self_attn.k_proj", [1024, 4096]),
            ("self_attn.v_proj", [1024, 4096]),
            ("self_attn.o_proj", [4096, 4096]),
            ("mlp.gate_proj", [14_336, 4096]),
            ("mlp.up_proj", [14_336, 4096]),
            ("mlp.down_proj", [4096, 14_336]),
            ("input_layernorm", [4096]),
            ("post_attention_layernorm", [4096]),
        ):
            found[f"{place}.{name}.weight"] = shape
    return found


def write_hollow(folder: Path, repo: str) -> None:
    """A model of 16 GB in name."""
    write_model(folder)
    (folder / "model.safetensors").unlink()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    every = list(tensors().items())
    named: dict[str, str] = {}
    for number in range(SHARDS):
        name = f"model-{number + 1:05}-of-{SHARDS:05}.safetensors"
        header, at = {}, 0
        for tensor, shape in every[number::SHARDS]:
            size = 2 * math.prod(shape)
            header[tensor] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + size]}
            at += size
            named[tensor] = name
        text = json.dumps(header).encode()
        with (folder / name).open("wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            file.truncate(8 + len(text) + at)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": named}))
    files = {
        path.name: {"size": path.stat().st_size, "sha256": "0" * 64} for path in folder.iterdir()
    }
    origin = {"kind": "hub", "repo": repo, "revision": COMMIT, "licence": "llama3.1"}
    (folder / "manifest.json").write_text(json.dumps({"origin": origin, "files": files}))


def fill(folder: Path, count: int) -> None:
    """A store, a cache and a folder of files."""
    for number in range(count):
        name = f"owner{number % 7}/Model-{number}"
        write_hollow(folder / "models" / "hub" / name.replace("/", "--"), name)
    cache, source = HubCache(folder / "cache"), write_model(folder / "source")
    for number in range(OTHERS):
        cache.add(f"other/Model-{number}", source, f"{number:040x}")
        write_gguf(folder / "files" / f"model-{number}.Q4_K_M.gguf")


class Taken(NamedTuple):
    """Seconds that something took: less what was withheld, by the clock, on the processor."""

    own: float
    wall: float
    cpu: float


def timed(work: Callable[[], object]) -> Taken:
    """How long it takes."""
    waited, began, used = withheld(), time.perf_counter(), time.thread_time()
    work()
    wall, cpu = time.perf_counter() - began, time.thread_time() - used
    return Taken(max(cpu, wall - (withheld() - waited)), wall, cpu)


def median(work: Callable[[], object]) -> Taken:
    """Of some rounds."""
    return sorted(timed(work) for _ in range(ROUNDS))[ROUNDS // 2]


def main() -> int:
    """Measure; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="keep the models there")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if not (folder / "models").exists():
            fill(folder, options.models)
        places = (folder / "models", folder / "cache", [folder / "files"])
        known = ScanCache()

        first = timed(lambda: scan(*places, known=known))
        found = scan(*places, known=known)
        store = (places[0], None)
        figures = [
            ("new, in the store", median(lambda: scan(*store)), BAR_COLD),
            ("known", median(lambda: scan(*places, known=known)), BAR_KNOWN),
            ("unchanged", median(lambda: changed_since(known)), BAR_UNCHANGED),
        ]
        print(
            f"{len(found)} models, {OTHERS} of them GGUF files; all new: {first.own * 1e3:.0f} ms"
        )
        assert all(model.is_whole for model in found)
        for name, taken, bar in figures:
            print(
                f"{name:20}{taken.own * 1e3:10.1f} ms ({taken.wall * 1e3:.1f} by the clock, "
                f"{taken.cpu * 1e3:.1f} on the processor); bar {bar * 1e3:.0f} ms"
            )
        return int(any(taken.own > bar for _name, taken, bar in figures))


if __name__ == "__main__":
    sys.exit(main())
