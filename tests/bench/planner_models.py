"""Tiny models for the planner's benchmark: a shape for each way vLLM lays out a KV cache.

`python -m tests.bench.planner_models FOLDER` makes those whose weights transformers knows how to
make (in a process of its own: it imports torch); `make_awq` needs nothing.
"""

from __future__ import annotations

import json
import shutil
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.tiny_models import STARTER, TOKENIZER_FILES, make_tiny_model

VOCAB = 49_152
_COMMON = {
    "vocab_size": VOCAB,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "max_position_embeddings": 4096,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 2,
}
# Name -> (transformers' model type, its config).
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    # Full and sliding layers by turns: two groups of three.
    "gemma2-alternating-windows": (
        "gemma2",
        {**_COMMON, "num_hidden_layers": 6, "sliding_window": 512, "query_pre_attn_scalar": 32},
    ),
    # One full layer after five sliding ones: groups of two, and one that is padded.
    "gemma3-windows-5-to-1": (
        "gemma3_text",
        {**_COMMON, "num_hidden_layers": 13, "sliding_window": 256, "query_pre_attn_scalar": 32},
    ),
    "mixtral-experts": (
        "mixtral",
        {**_COMMON, "num_hidden_layers": 2, "num_local_experts": 4, "num_experts_per_tok": 2},
    ),
    "qwen3-wide-heads": (
        "qwen3",
        {**_COMMON, "num_hidden_layers": 3, "head_dim": 64, "tie_word_embeddings": False},
    ),
    # A full layer after three with states: pages as large as a state.
    "qwen3-next-states": (
        "qwen3_next",
        {
            **_COMMON,
            "num_hidden_layers": 8,
            "linear_num_key_heads": 4,
            "linear_num_value_heads": 8,
            "linear_key_head_dim": 64,
            "linear_value_head_dim": 64,
            "linear_conv_kernel_dim": 4,
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 64,
            "shared_expert_intermediate_size": 64,
        },
    ),
    "deepseek-mla": (
        "deepseek_v2",
        {
            **{name: value for name, value in _COMMON.items() if name != "head_dim"},
            "num_hidden_layers": 3,
            "num_key_value_heads": 4,
            "kv_lora_rank": 512,
            "q_lora_rank": None,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
            "n_routed_experts": 4,
            "n_group": 1,
            "topk_group": 1,
            "num_experts_per_tok": 2,
            "n_shared_experts": 1,
            "moe_intermediate_size": 32,
            "first_k_dense_replace": 1,
        },
    ),
}


def make_awq(folder: Path, *, group: int = 64, layers: int = 2, hidden: int = 256) -> Path:
    """A Llama in AWQ's GEMM layout with random weights.

    qweight is int32 [in, out / 8], qzeros [in / group, out / 8], scales float16 [in / group, out].
    """
    folder = make_tiny_model(
        folder,
        layers=layers,
        hidden=hidden,
        intermediate=2 * hidden,
        heads=hidden // 64,
        kv_heads=max(1, hidden // 128),
        head_dim=64,
        dtype="float16",
    )
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = {
        "quant_method": "awq",
        "bits": 4,
        "group_size": group,
        "version": "gemm",
        "zero_point": True,
    }
    (folder / "config.json").write_text(json.dumps(config))
    _quantise_file(folder / "model.safetensors", group)
    return folder


def _quantise_file(path: Path, group: int) -> None:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    body = data[8 + length :]
    source = np.random.default_rng(0)
    tensors: dict[str, tuple[str, tuple[int, ...], bytes]] = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        if not name.endswith("_proj.weight"):
            begin, end = entry["data_offsets"]
            tensors[name] = (entry["dtype"], tuple(entry["shape"]), body[begin:end])
            continue
        rows, columns = entry["shape"]
        base = name.removesuffix("weight")
        for part, size in (
            ("qweight", (columns, rows // 8)),
            ("qzeros", (columns // group, rows // 8)),
        ):
            values = source.integers(0, 2**31, size, dtype=np.int32)
            tensors[base + part] = ("I32", size, values.tobytes())
        scales = np.full((columns // group, rows), 0.01, np.float16)
        tensors[base + "scales"] = ("F16", scales.shape, scales.tobytes())
    _write(path, tensors)


def _write(path: Path, tensors: dict[str, tuple[str, tuple[int, ...], bytes]]) -> None:
    header: dict[str, Any] = {}
    at = 0
    for name, (dtype, size, part) in tensors.items():
        header[name] = {
            "dtype": dtype,
            "shape": list(size),
            "data_offsets": [at, at + len(part)],
        }
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    body = b"".join(part for _, _, part in tensors.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def main() -> None:
    """Make the models that need transformers, in a folder each."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    target = Path(sys.argv[1])
    for name, (model_type, values) in OTHERS.items():
        folder = target / name
        torch.manual_seed(0)
        config = AutoConfig.for_model(model_type, **values)
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
        model.save_pretrained(str(folder))
        for file in TOKENIZER_FILES:
            shutil.copyfile(STARTER / file, folder / file)


if __name__ == "__main__":
    main()
