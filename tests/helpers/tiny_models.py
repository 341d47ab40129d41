"""Tiny models of real architectures, with random weights: made in milliseconds, loaded in seconds.

They carry the starter model's tokenizer and chat template, so that chats, counts and streams
work; what they say is noise, but always the same noise. Nearly all of a model's bytes is its
embedding (49,152 tokens of the tokenizer): 3 MB with the hidden size of 32.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.store.folders import starter_folder

# Read before any test moves INGLENOOK_HOME: set-up has put the starter there.
STARTER = starter_folder(dict(os.environ))
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja")
_ARCHITECTURES = {
    "llama": "LlamaForCausalLM",
    "qwen2": "Qwen2ForCausalLM",
    "mistral": "MistralForCausalLM",
}


@dataclass(frozen=True, slots=True)
class TinyShape:
    """What `make_tiny_model` makes. Lengths in tokens.

    vLLM's attention on a CPU takes head sizes from 32 on, in steps. Heads, KV heads and
    `intermediate` decide whether the model can be split over several devices.
    """

    architecture: str = "llama"  # or "qwen2" (biases), "mistral" (a sliding window)
    layers: int = 2
    hidden: int = 32
    heads: int = 4
    kv_heads: int = 2  # = heads: multi-head attention; fewer: grouped queries
    head_dim: int = 32
    intermediate: int = 64
    vocab: int = 49_152  # the tokenizer's
    tied: bool = True  # the output layer is the embedding
    window: int | None = None  # of attention
    context: int = 2048
    dtype: str = "bfloat16"  # of the file: "bfloat16", "float16", "float32"
    seed: int = 0

    @property
    def parameters(self) -> int:
        """How many weights it has."""
        return sum(math.prod(shape) for shape in self.tensors().values())

    def tensors(self) -> dict[str, tuple[int, ...]]:
        """Name -> shape of every tensor, as Hugging Face names them: linear is [out, in]."""
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        found: dict[str, tuple[int, ...]] = {
            "model.embed_tokens.weight": (self.vocab, self.hidden),
            "model.norm.weight": (self.hidden,),
        }
        if not self.tied:
            found["lm_head.weight"] = (self.vocab, self.hidden)
        for layer in range(self.layers):
            prefix = f"model.layers.{layer}"
            found |= {
                f"{prefix}.input_layernorm.weight": (self.hidden,),
                f"{prefix}.post_attention_layernorm.weight": (self.hidden,),
                f"{prefix}.self_attn.q_proj.weight": (queries, self.hidden),
                f"{prefix}.self_attn.k_proj.weight": (keys, self.hidden),
                f"{prefix}.self_attn.v_proj.weight": (keys, self.hidden),
                f"{prefix}.self_attn.o_proj.weight": (self.hidden, queries),
                f"{prefix}.mlp.gate_proj.weight": (self.intermediate, self.hidden),
                f"{prefix}.mlp.up_proj.weight": (self.intermediate, self.hidden),
                f"{prefix}.mlp.down_proj.weight": (self.hidden, self.intermediate),
            }
            if self.architecture == "qwen2":
                for name, size in (("q", queries), ("k", keys), ("v", keys)):
                    found[f"{prefix}.self_attn.{name}_proj.bias"] = (size,)
        return found

    def config(self) -> dict[str, Any]:
        """The model's config.json."""
        config: dict[str, Any] = {
            "architectures": [_ARCHITECTURES[self.architecture]],
            "model_type": self.architecture,
            "hidden_size": self.hidden,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "head_dim": self.head_dim,
            "vocab_size": self.vocab,
            "max_position_embeddings": self.context,
            "tie_word_embeddings": self.tied,
            "dtype": self.dtype,
            "hidden_act": "silu",
            "rms_norm_eps": 1e-5,
            "rope_theta": 10_000.0,
            "bos_token_id": 1,
            "eos_token_id": 2,
        }
        if self.window is not None:
            config["sliding_window"] = self.window
            if self.architecture == "qwen2":
                config |= {"use_sliding_window": True, "max_window_layers": 0}
        return config


def make_tiny_model(folder: Path, *, starter: Path = STARTER, **shape: Any) -> Path:
    """Write a model into `folder`, which is made; returns it. `shape`: see `TinyShape`.

    Raises:
        FileNotFoundError: the starter model, whose tokenizer is copied, is not there.
    """
    made = TinyShape(**shape)
    folder.mkdir(parents=True, exist_ok=True)
    for name in TOKENIZER_FILES:
        shutil.copyfile(starter / name, folder / name)
    (folder / "config.json").write_text(json.dumps(made.config(), indent=2))
    generation = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 2}
    (folder / "generation_config.json").write_text(json.dumps(generation))
    write_safetensors(folder / "model.safetensors", random_weights(made), made.dtype)
    return folder


def random_weights(shape: TinyShape) -> dict[str, npt.NDArray[np.float32]]:
    """Weights that let signals through, and tell tokens apart clearly: no near ties."""
    source = np.random.default_rng(shape.seed)
    found: dict[str, npt.NDArray[np.float32]] = {}
    for name, size in shape.tensors().items():
        if "norm" in name:
            found[name] = np.ones(size, np.float32)
        else:
            scale = 1.0 if "embed" in name or "lm_head" in name else 1 / math.sqrt(size[-1])
            found[name] = source.standard_normal(size, np.float32) * np.float32(scale)
    return found


def write_safetensors(
    path: Path, weights: dict[str, npt.NDArray[np.float32]], dtype: str = "bfloat16"
) -> None:
    """Write `weights` as `dtype`: a length of 8 bytes, a JSON header, the tensors."""
    names = {"bfloat16": "BF16", "float16": "F16", "float32": "F32"}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    parts: list[bytes] = []
    at = 0
    for name, values in weights.items():
        if dtype == "bfloat16":
            # The upper half of a float32, rounded to nearest.
            part = ((values.view(np.uint32) + 0x8000) >> 16).astype(np.uint16).tobytes()
        else:
            part = values.astype(np.dtype(dtype)).tobytes()
        header[name] = {
            "dtype": names[dtype],
            "shape": list(values.shape),
            "data_offsets": [at, at + len(part)],
        }
        parts.append(part)
        at += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))
