"""GGUF files for tests: whole small models, and bytes in which anything can be wrong."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

UINT32, FLOAT32, BOOL, STRING, ARRAY, UINT64 = 4, 6, 7, 8, 9, 10


def text(value: str | bytes) -> bytes:
    """A text as the format has it: its length, then its bytes."""
    content = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(content)) + content


def entry(key: str, kind: int, value: bytes) -> bytes:
    """One entry of the header."""
    return text(key) + struct.pack("<I", kind) + value


def tensor(name: str, shape: Iterable[int], kind: int = 0, offset: int = 0) -> bytes:
    """One entry of the list of tensors; `shape` with the fastest dimension last, as in torch."""
    dimensions = list(reversed(list(shape)))
    lengths = struct.pack(f"<{len(dimensions)}Q", *dimensions)
    return (
        text(name) + struct.pack("<I", len(dimensions)) + lengths + struct.pack("<IQ", kind, offset)
    )


ARCHITECTURE = entry("general.architecture", STRING, text("llama"))


def gguf_bytes(
    entries: Iterable[bytes] = (ARCHITECTURE,),
    tensors: Iterable[bytes] = (tensor("w", (2, 4)),),
    *,
    magic: bytes = b"GGUF",
    version: int = 3,
    tensor_count: int | None = None,
    key_count: int | None = None,
    data: bytes = bytes(32),
) -> bytes:
    """A file; the counts are right unless they are given."""
    keys, infos = list(entries), list(tensors)
    counts = (
        len(infos) if tensor_count is None else tensor_count,
        len(keys) if key_count is None else key_count,
    )
    head = magic + struct.pack("<IQQ", version, *counts) + b"".join(keys) + b"".join(infos)
    return head + bytes(-len(head) % 32) + data


@dataclass(frozen=True)
class TinyGguf:
    """What `write_tiny_gguf` wrote: the weights by their names in safetensors."""

    file: Path
    weights: dict[str, Array]


VOCABULARY = 1024
_UNMERGED = 252  # of the starter's tokens: special ones and bytes; the others are its merges


@cache
def _tokenizer() -> list[tuple[str, Any, Any, Any]]:
    """(key, contents, kind, kind of the items): the beginning of the starter's vocabulary."""
    from gguf import GGUFReader

    from engine.store.starter import find_gguf

    found = []
    for key, field in GGUFReader(str(find_gguf())).fields.items():
        if key.startswith("tokenizer."):
            contents, kinds = field.contents(), field.types
            if isinstance(contents, list):
                contents = contents[: VOCABULARY - _UNMERGED * key.endswith(".merges")]
            found.append((key, contents, kinds[0], kinds[-1]))
    return found


def write_tiny_gguf(
    file: Path,
    *,
    rope_factors: list[float] | None = None,
    leave_out: str = "",
    spoil: bool = False,
    architecture: str = "llama",
) -> TinyGguf:
    """Write a Llama of two layers: random weights in 32 bits, a part of the starter's tokenizer.

    Args:
        rope_factors: as Llama 3's files have them; 16 of them.
        leave_out: a tensor, by its name in the GGUF file.
        spoil: one weight is no number.
        architecture: what the file says it is; "qwen3" is written as such.
    """
    from gguf import GGUFValueType, GGUFWriter

    hidden, heads, kv_heads, inner, vocab = 64, 4, 2, 128, VOCABULARY
    size = 128 if architecture == "qwen3" else 32  # of a head; Qwen3's have no other
    chance = np.random.default_rng(0)
    weights: dict[str, Array] = {}
    writer = GGUFWriter(str(file), architecture)
    writer.add_name("Tiny")
    writer.add_block_count(2)
    writer.add_context_length(131_072 if rope_factors else 512)
    writer.add_embedding_length(hidden)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_rope_dimension_count(size)
    writer.add_rope_freq_base(500_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    if architecture == "qwen3":
        writer.add_key_length(size)
        writer.add_value_length(size)
    for key, contents, kind, item in _tokenizer():
        if kind == GGUFValueType.ARRAY:
            writer.add_key_value(key, contents, kind, sub_type=item)
        else:
            writer.add_key_value(key, contents, kind)

    def put(theirs: str, ours: str, shape: tuple[int, ...], turned: int = 0) -> None:
        values = chance.standard_normal(shape).astype(np.float32)
        weights[ours] = values
        stored = values
        if (
            turned and architecture != "qwen3"
        ):  # llama.cpp keeps each head's halves interleaved (its `permute`)
            halves = values.reshape(turned, 2, shape[0] // turned // 2, *shape[1:])
            stored = halves.swapaxes(1, 2).reshape(shape)
        if spoil and theirs == "blk.1.ffn_up.weight":
            stored = stored.copy()
            stored[0, 0] = np.nan
        if theirs != leave_out:
            writer.add_tensor(theirs, np.ascontiguousarray(stored))

    put("token_embd.weight", "model.embed_tokens.weight", (vocab, hidden))
    put("output_norm.weight", "model.norm.weight", (hidden,))
    put("output.weight", "lm_head.weight", (vocab, hidden))
    for layer in range(2):
        theirs, ours = f"blk.{layer}", f"model.layers.{layer}"
        put(f"{theirs}.attn_norm.weight", f"{ours}.input_layernorm.weight", (hidden,))
        put(f"{theirs}.ffn_norm.weight", f"{ours}.post_attention_layernorm.weight", (hidden,))
        for short, name, rows, turned in (
            ("q", "q_proj", heads * size, heads),
            ("k", "k_proj", kv_heads * size, kv_heads),
            ("v", "v_proj", kv_heads * size, 0),
        ):
            attention = f"{ours}.self_attn.{name}.weight"
            put(f"{theirs}.attn_{short}.weight", attention, (rows, hidden), turned)
            if architecture == "qwen3" and short != "v":
                norm = f"{ours}.self_attn.{short}_norm.weight"
                put(f"{theirs}.attn_{short}_norm.weight", norm, (size,))
        output = f"{ours}.self_attn.o_proj.weight"
        put(f"{theirs}.attn_output.weight", output, (hidden, heads * size))
        put(f"{theirs}.ffn_gate.weight", f"{ours}.mlp.gate_proj.weight", (inner, hidden))
        put(f"{theirs}.ffn_up.weight", f"{ours}.mlp.up_proj.weight", (inner, hidden))
        put(f"{theirs}.ffn_down.weight", f"{ours}.mlp.down_proj.weight", (hidden, inner))
    if rope_factors:
        writer.add_tensor("rope_freqs.weight", np.array(rope_factors, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return TinyGguf(file, weights)
