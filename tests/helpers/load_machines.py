"""Hardware that is only named, and model folders that hold no weights: for tests of loads."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, Final

from engine.planner.machine import GIB, Gpu, Host, Machine

HOST: Final = Host(32 * GIB, 24 * GIB, 16, frozenset({"avx2", "avx512f"}))
SMALL_HOST: Final = Host(16 * GIB, 9 * GIB, 4, frozenset({"avx2"}))


def card(index: int, name: str, gib: float, used: float = 0.6, *others: tuple[str, int]) -> Gpu:
    """A GPU with `gib` in all, of which other programs use `used`."""
    return Gpu(
        index,
        f"NVIDIA GeForce {name}",
        int(gib * GIB),
        used_by_others=int(used * GIB),
        capability=(8, 6),
        bandwidth=936e9,
        others=others,
    )


DESKTOP: Final = (("firefox", 400 * 1024**2), ("Xorg", 180 * 1024**2))
TWO_24: Final = Machine(
    (card(0, "RTX 3090", 23.55, 0.6, *DESKTOP), card(1, "RTX 3090", 23.55, 0.01)), HOST
)
ONE_24: Final = Machine((card(0, "RTX 3090", 23.55, 0.6, *DESKTOP),), HOST)
UNEQUAL: Final = Machine(
    (card(0, "RTX 3090", 23.55, 0.6, *DESKTOP), card(1, "RTX 3060", 11.76, 0.01)), HOST
)
ONE_8: Final = Machine((card(0, "RTX 3070", 7.78, 0.9, *DESKTOP),), HOST)
CPU: Final = Machine((), SMALL_HOST)

LLAMA_8B: Final[dict[str, Any]] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 128256,
    "intermediate_size": 14336,
    "tie_word_embeddings": False,
    "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16",
    "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128},
}
LLAMA_70B: Final[dict[str, Any]] = {
    **LLAMA_8B,
    "num_hidden_layers": 80,
    "hidden_size": 8192,
    "num_attention_heads": 64,
    "intermediate_size": 28672,
}
TINY: Final[dict[str, Any]] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "num_hidden_layers": 1,
    "hidden_size": 576,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "vocab_size": 49152,
    "intermediate_size": 1536,
    "tie_word_embeddings": True,
    "max_position_embeddings": 8192,
    "torch_dtype": "bfloat16",
}


def make_folder(folder: Path, config: object, *, tensors: int = 1) -> Path:
    """A model's folder as far as a plan reads it: its weights are told, and not there."""
    folder.mkdir(parents=True, exist_ok=True)
    text = config if isinstance(config, str) else json.dumps(config)
    (folder / "config.json").write_text(text, "utf-8")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages }}"}))
    header = {
        f"model.layers.{n}.mlp.weight": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}
        for n in range(tensors)
    }
    body = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(body)) + body + b"\0\0")
    return folder


def make_models(root: Path) -> dict[str, Path]:
    """An 8B and a 70B model in AWQ, and a tiny one."""
    return {
        "8b": make_folder(root / "Llama-3.1-8B-AWQ", LLAMA_8B, tensors=40),
        "70b": make_folder(root / "Llama-3.1-70B-AWQ", LLAMA_70B, tensors=90),
        "tiny": make_folder(root / "tiny", TINY),
    }
