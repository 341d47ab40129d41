"""A loopback hub with well-known models as the real hub has them, without their gigabytes.

What the starter list names (assets/starter_models.json): the configurations are theirs, the heads
of the weight files tell the tensors that follow from these, and behind the heads are zeros. So
searching, judging and planning are as with the real ones; a download never comes out right.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from engine.store.catalogue import CatalogueEntry, read_catalogue
from tests.helpers.hub_files import Hollow
from tests.helpers.loopback_hub import File, LoopbackHub

SHARD_BYTES = 4_500_000_000
_SIZES = {"F16": 2, "BF16": 2, "I32": 4}
_CARD = """---
license: {licence}
base_model: {base}
pipeline_tag: text-generation
library_name: transformers
language:
- en
---
# {name}

{what} of [{base}]({base}), for chats of up to {context:,} tokens.

| | |
| --- | --- |
| Parameters | {billions:.1f} billion |
| Weights | {gigabytes:.1f} GB |
| Licence | {licence} |

## How to use it

Load it, and write. It answers in the language it is asked in.
"""
Tensors = dict[str, tuple[str, tuple[int, ...]]]


def stock(hub: LoopbackHub) -> list[str]:
    """Put the list's models and their other builds on the hub; returns the names."""
    found: list[str] = []
    entries = read_catalogue()
    for place, entry in enumerate(entries):
        _add(hub, entry, entry.repo, dict(entry.config), len(entries) - place)
        found.append(entry.repo)
        plain = {k: v for k, v in entry.config.items() if k != "quantization_config"}
        plain["torch_dtype"] = "bfloat16"
        for build in entry.builds:
            if build.format == "bf16":
                _add(hub, entry, build.repo, plain, 0)
                found.append(build.repo)
    return found


def _add(
    hub: LoopbackHub, entry: CatalogueEntry, repo: str, config: dict[str, Any], trending: int
) -> None:
    tensors = dict(_tensors(config))
    licence = entry.licence.lower()
    is_base = repo == entry.base_model
    base = "" if is_base else entry.base_model
    size = sum(_bytes(*tensor) for tensor in tensors.values())
    what = "The 16-bit weights" if "quantization_config" not in config else "A 4-bit build (AWQ)"
    card = _CARD.format(
        licence=licence,
        base=entry.base_model,
        name=repo.partition("/")[2],
        what=what,
        context=entry.context,
        billions=entry.parameters / 1e9,
        gigabytes=size / 1e9,
    )
    if is_base:
        card = card.replace(f"base_model: {entry.base_model}\n", "")
    files: dict[str, File] = {
        ".gitattributes": b"*.safetensors filter=lfs diff=lfs merge=lfs -text\n",
        "LICENSE": b"The licence's text.\n",
        "README.md": card.encode(),
        "config.json": json.dumps(config, indent=2).encode(),
        "generation_config.json": b'{"do_sample": true, "temperature": 0.7, "top_p": 0.8}',
        "tokenizer.json": Hollow(b"{}", 7_031_645),
        "tokenizer_config.json": b'{"chat_template": "{{ messages }}"}',
        **_weights(tensors),
    }
    hub.add(repo, files, licence=licence, base_model=base, languages=["en"], trending=trending)


def _tensors(config: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, tuple[int, ...]]]]:
    """The tensors of a dense model, by its configuration."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    heads, pairs = config["num_attention_heads"], config["num_key_value_heads"]
    side = config.get("head_dim") or hidden // heads
    method = config.get("quantization_config")
    dtype = "F16" if method else "BF16"
    embedding = (config["vocab_size"], hidden)
    queries, keys = heads * side, pairs * side
    linear = {
        "self_attn.q_proj": (queries, hidden),
        "self_attn.k_proj": (keys, hidden),
        "self_attn.v_proj": (keys, hidden),
        "self_attn.o_proj": (hidden, queries),
        "mlp.gate_proj": (inner, hidden),
        "mlp.up_proj": (inner, hidden),
        "mlp.down_proj": (hidden, inner),
    }
    if config["model_type"] == "phi3":  # some are one
        for name in ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"):
            del linear[name]
        linear["self_attn.qkv_proj"] = (queries + 2 * keys, hidden)
        del linear["mlp.gate_proj"], linear["mlp.up_proj"]
        linear["mlp.gate_up_proj"] = (2 * inner, hidden)
    yield "model.embed_tokens.weight", (dtype, embedding)
    yield "model.norm.weight", (dtype, (hidden,))
    if not config.get("tie_word_embeddings"):
        yield "lm_head.weight", (dtype, embedding)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        yield f"{prefix}.input_layernorm.weight", (dtype, (hidden,))
        yield f"{prefix}.post_attention_layernorm.weight", (dtype, (hidden,))
        for name, (out, into) in linear.items():
            if method:
                group = method["group_size"]
                yield f"{prefix}.{name}.qweight", ("I32", (into, out // 8))
                yield f"{prefix}.{name}.qzeros", ("I32", (into // group, out // 8))
                yield f"{prefix}.{name}.scales", ("F16", (into // group, out))
            else:
                yield f"{prefix}.{name}.weight", (dtype, (out, into))
        if config["model_type"] == "qwen2":
            for name in ("q", "k", "v"):
                out = queries if name == "q" else keys
                yield f"{prefix}.self_attn.{name}_proj.bias", (dtype, (out,))
        if config["model_type"] == "qwen3":
            for name in ("q", "k"):
                yield f"{prefix}.self_attn.{name}_norm.weight", (dtype, (side,))


def _bytes(dtype: str, shape: tuple[int, ...]) -> int:
    return _SIZES[dtype] * math.prod(shape)


def _weights(tensors: Tensors) -> dict[str, File]:
    """The weight files, with an index where they are several."""
    shards: list[Tensors] = [{}]
    filled = 0
    for name, tensor in tensors.items():
        size = _bytes(*tensor)
        if filled and filled + size > SHARD_BYTES:
            shards.append({})
            filled = 0
        shards[-1][name] = tensor
        filled += size
    if len(shards) == 1:
        return {"model.safetensors": _file(shards[0])}
    names = [f"model-{n:05}-of-{len(shards):05}.safetensors" for n in range(1, len(shards) + 1)]
    index = {
        "metadata": {"total_size": sum(_bytes(*tensor) for tensor in tensors.values())},
        "weight_map": {
            name: file for file, shard in zip(names, shards, strict=True) for name in shard
        },
    }
    files: dict[str, File] = {"model.safetensors.index.json": json.dumps(index).encode()}
    return files | {file: _file(shard) for file, shard in zip(names, shards, strict=True)}


def _file(tensors: Tensors) -> Hollow:
    at = 0
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    for name, (dtype, shape) in tensors.items():
        end = at + _bytes(dtype, shape)
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return Hollow(len(text).to_bytes(8, "little") + text, 8 + len(text) + at)
