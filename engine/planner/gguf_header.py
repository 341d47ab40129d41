"""What the head of a GGUF file says of its model, as a config.json would.

Files come from anybody, so the window never parses one: `gguf_config` has it done by a process
of its own (`python -m engine.planner.gguf_header FILE`), with limits, and reads JSON.
The format: ggml-org/ggml, docs/gguf.md.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from engine.planner.model_shape import ShapeError

MAGIC: Final = b"GGUF"
MOST_KEYS: Final = 10_000
MOST_TENSORS: Final = 200_000
MOST_TEXT: Final = 4 * 1024 * 1024
MOST_ITEMS: Final = 4_000_000  # of an array: a vocabulary
MOST_READ: Final = 256 * 1024 * 1024
SECONDS: Final = 30.0
_STRING, _ARRAY = 8, 9
# Type -> how struct names it; strings and arrays apart.
_SCALARS: Final = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
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


class _Reader:
    """Reads little-endian values, and no more than `MOST_READ`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._left = MOST_READ

    def take(self, count: int) -> bytes:
        if count > self._left:
            raise ValueError("its head is too long")
        self._left -= count
        data = self._file.read(count)
        if len(data) < count:
            raise ValueError("its end is missing")
        return data

    def number(self, kind: str) -> Any:
        return struct.unpack("<" + kind, self.take(struct.calcsize("<" + kind)))[0]

    def text(self) -> str:
        length = self.number("Q")
        if length > MOST_TEXT:
            raise ValueError("a text is too long")
        return self.take(length).decode("utf-8", "replace")

    def value(self, kind: int) -> Any:
        """A value; of an array its length, or its items where they are a few numbers."""
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind == _STRING:
            return self.text()
        if kind != _ARRAY:
            raise ValueError("a value of no known kind")
        inner, count = self.number("I"), self.number("Q")
        if count > MOST_ITEMS:
            raise ValueError("an array is too long")
        if inner in _SCALARS:
            data = self.take(count * struct.calcsize(_SCALARS[inner]))
            if count <= 1000:
                return list(struct.unpack(f"<{count}{_SCALARS[inner]}", data))
        elif inner == _STRING:
            for _ in range(count):
                self.take(min(self.number("Q"), MOST_READ + 1))
        else:
            raise ValueError("an array of arrays")
        return {"length": count}


def read_config(path: Path) -> dict[str, Any]:
    """The config of the model in the GGUF file at `path`.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no GGUF file, or a part of one.
    """
    with path.open("rb") as file:
        reader = _Reader(file)
        if reader.take(4) != MAGIC:
            raise ValueError("it does not begin as one")
        version = reader.number("I")
        if version not in {2, 3}:
            raise ValueError(f"version {version} of the format is not known")
        tensors, count = reader.number("Q"), reader.number("Q")
        if tensors > MOST_TENSORS or count > MOST_KEYS:
            raise ValueError("its head is too long")
        values: dict[str, Any] = {}
        for _ in range(count):
            key = reader.text()
            values[key] = reader.value(reader.number("I"))
        sizes: dict[str, list[int]] = {}
        for _ in range(tensors):
            name, dims = reader.text(), reader.number("I")
            if dims > 8:
                raise ValueError("a tensor has too many dimensions")
            sizes[name] = [reader.number("Q") for _ in range(dims)]
            reader.take(4 + 8)  # the type, the offset
    return _as_config(values, sizes)


def _as_config(values: Mapping[str, Any], tensors: Mapping[str, list[int]]) -> dict[str, Any]:
    architecture = values.get("general.architecture")
    if not isinstance(architecture, str):
        raise ValueError("it names no architecture")
    config: dict[str, Any] = {
        name: values[f"{architecture}.{key}"]
        for name, key in _KEYS.items()
        if isinstance(values.get(f"{architecture}.{key}"), (int, float, list))
    }
    embedding = tensors.get("token_embd.weight", [])
    if "vocab_size" not in config and len(embedding) == 2:
        config["vocab_size"] = embedding[1]
    if "kv_lora_rank" in config:
        config["qk_rope_head_dim"] = values.get(f"{architecture}.rope.dimension_count", 64)
        config["v_head_dim"] = values.get(f"{architecture}.attention.value_length_mla", 128)
    if isinstance(config.get("num_attention_heads"), list):
        config["num_attention_heads"] = max(config["num_attention_heads"], default=1)
    if architecture not in {"gemma2", "gemma3", "gemma3n", "gpt-oss", "cohere2", "llama4"}:
        config.setdefault("sliding_window", None)
    return {
        **config,
        "model_type": _MODEL_TYPES.get(architecture, architecture),
        "tie_word_embeddings": "output.weight" not in tensors,
        "quantization_config": {"quant_method": "gguf"},
    }


def gguf_config(path: Path) -> Mapping[str, Any]:
    """As `read_config`, read by another process.

    Raises:
        ShapeError: it is no GGUF file, or damaged; the text says so.
    """
    command = [sys.executable, "-P", "-m", "engine.planner.gguf_header", str(path)]
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
            raise ShapeError(f"{path.name} is damaged, or no GGUF file: {answer['error']}.")
        config: dict[str, Any] = answer["config"]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise ShapeError(f"{path.name} cannot be looked into.") from error
    return config


def main(arguments: list[str]) -> int:
    """Print the config of a GGUF file, or why there is none, as JSON."""
    try:
        answer: dict[str, Any] = {"config": read_config(Path(arguments[0]))}
    except OSError as error:
        answer = {"error": error.strerror or "it cannot be read"}
    except (ValueError, struct.error, MemoryError) as error:
        answer = {"error": str(error) or "it makes no sense"}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
