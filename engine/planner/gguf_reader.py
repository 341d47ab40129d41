"""What the head of a GGUF file says of its model, in the words of a config.json.

Files come from anybody, so neither the window nor the engine parses one for a plan: it is done by
a process of its own (`python -m engine.planner.gguf_reader FILE`), and JSON is read from that.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.failure_words import words
from engine.planner.config_reader import read_shape
from engine.planner.config_values import whole
from engine.planner.model_shape import ModelShape, ShapeError

if TYPE_CHECKING:
    from engine.store.gguf_header import GgufHeader

SECONDS: Final = 60.0
_SILENT = words("{file} cannot be looked into.")
_MODEL_TYPES: Final = {
    "qwen2moe": "qwen2_moe",
    "qwen3moe": "qwen3_moe",
    "gemma3": "gemma3_text",
    "gemma3n": "gemma3n_text",
    "deepseek2": "deepseek_v2",
    "command-r": "cohere",
    "gpt-oss": "gpt_oss",
    "glm4moe": "glm4_moe",
}
_ARCHITECTURES: Final = {model_type: name for name, model_type in _MODEL_TYPES.items()}
# Of these the window is of some layers, and its default that of the class.
_MIXED: Final = frozenset({"gemma2", "gemma3", "gemma3n", "gpt-oss", "cohere2"})
# What a config.json calls it: what GGUF does, below the architecture's name.
_KEYS: Final = {
    "num_hidden_layers": "block_count",
    "hidden_size": "embedding_length",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "head_dim": "attention.key_length",
    "v_head_dim": "attention.value_length",
    "max_position_embeddings": "context_length",
    "intermediate_size": "feed_forward_length",
    "sliding_window": "attention.sliding_window",
    "num_local_experts": "expert_count",
    "num_experts_per_tok": "expert_used_count",
    "moe_intermediate_size": "expert_feed_forward_length",
    "n_shared_experts": "expert_shared_count",
    "first_k_dense_replace": "leading_dense_block_count",
    "kv_lora_rank": "attention.kv_lora_rank",
    "q_lora_rank": "attention.q_lora_rank",
    "vocab_size": "vocab_size",
}


def shape_of_gguf(path: Path) -> ModelShape:
    """The shape of the model in a GGUF file.

    Raises:
        ShapeError: it is no GGUF file, or damaged; the text says so.
    """
    command = [sys.executable, "-P", "-m", "engine.planner.gguf_reader", str(path)]
    root = Path(__file__).resolve().parents[2]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env={"PYTHONPATH": str(root)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        answer = json.loads(done.stdout)
        if "error" in answer:
            raise ShapeError(str(answer["error"]))
        return _shape(path, answer["config"], answer["counts"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise ShapeError(_SILENT.format(file=path.name)) from error


def _shape(path: Path, config: Mapping[str, Any], counts: Mapping[str, int]) -> ModelShape:
    shape = replace(read_shape(config), name=path.stem)
    linear = counts["linear_params"]
    share = (shape.active_params or 1) / (shape.linear_params or 1)
    return replace(
        shape,
        tied=not counts["head_params"],
        linear_params=linear,
        active_params=int(linear * min(1.0, share)),
        linear_bytes=counts["linear_bytes"],
        embedding_params=counts["embedding_params"],
        head_params=counts["head_params"],
        other_params=counts["other_params"],
        weights_bytes=counts["bytes"],
        bits=round(8 * counts["linear_bytes"] / linear, 2) if linear else 0.0,
        is_exact=True,
    )


def gguf_architecture(model_type: str) -> str:
    """What GGUF calls the architecture that config.json calls `model_type`."""
    return _ARCHITECTURES.get(model_type, model_type)


# --- in the other process -----------------------------------------------------------------------


def config_of(header: GgufHeader) -> dict[str, Any]:
    """The header's words as a config.json has them."""
    architecture, values = header.architecture, header.values
    config: dict[str, Any] = {
        name: number
        for name, key in _KEYS.items()
        if (number := whole(values.get(f"{architecture}.{key}")))
    }
    embedding = [t for t in header.tensors if t.name == "token_embd.weight"]
    if "vocab_size" not in config:
        tokens = header.arrays.get("tokenizer.ggml.tokens", 0)
        config["vocab_size"] = embedding[0].shape[0] if embedding else tokens
    if "kv_lora_rank" in config:
        config["qk_rope_head_dim"] = values.get(f"{architecture}.rope.dimension_count", 64)
        config["v_head_dim"] = values.get(f"{architecture}.attention.value_length_mla", 128)
    if architecture not in _MIXED:
        config.setdefault("sliding_window", None)
    return {
        **config,
        "model_type": _MODEL_TYPES.get(architecture, architecture),
        "tie_word_embeddings": not any(t.name == "output.weight" for t in header.tensors),
        "quantization_config": {"quant_method": "gguf"},
    }


def counts_of(header: GgufHeader) -> dict[str, int]:
    """Parameters by where they lie, and bytes; see `ModelShape`."""
    counts = dict.fromkeys(
        ("linear_params", "linear_bytes", "embedding_params", "head_params", "other_params"), 0
    )
    for tensor in header.tensors:
        if tensor.name == "token_embd.weight":
            counts["embedding_params"] += tensor.elements
        elif tensor.name == "output.weight":
            counts["head_params"] += tensor.elements
        elif len(tensor.shape) > 1:
            counts["linear_params"] += tensor.elements
            counts["linear_bytes"] += tensor.size
        else:
            counts["other_params"] += tensor.elements
    return {**counts, "bytes": header.size}


def main(arguments: list[str]) -> int:
    """Print what a GGUF file tells, or why it does not, as JSON."""
    from engine.store.gguf_error import GgufError
    from engine.store.gguf_header import read_header

    path = Path(arguments[0])
    answer: dict[str, Any]
    try:
        header = read_header(path)
        answer = {"config": config_of(header), "counts": counts_of(header)}
    except OSError as error:
        answer = {"error": f"{path.name} cannot be read: {error.strerror or error}."}
    except GgufError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
