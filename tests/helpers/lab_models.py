"""Models for the failure lab: tiny, with a tokenizer of bytes, and whatever is wrong with them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.helpers.tiny_models import make_tiny_model

VOCAB: Final = 320  # the special tokens and all bytes
CONTEXT: Final = 512
SHAPE: Final[Mapping[str, Any]] = {"vocab": VOCAB, "context": CONTEXT}
KV_TOKEN: Final = 2 * 2 * 2 * 32  # values of KV cache a token: 2 x layers x KV heads x head size


def make(folder: Path, **shape: Any) -> Path:
    """A model that loads in a second and answers noise. `shape`: see `TinyShape`."""
    make_tiny_model(folder, **{**SHAPE, **shape})
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    model = tokenizer["model"]
    model["vocab"] = {token: at for token, at in model["vocab"].items() if at < VOCAB}
    model["merges"] = []
    path.write_text(json.dumps(tokenizer))
    return folder


def configure(folder: Path, *without: str, **values: Any) -> Path:
    """Change the model's config.json."""
    path = folder / "config.json"
    config = json.loads(path.read_text()) | values
    path.write_text(json.dumps({name: config[name] for name in config if name not in without}))
    return folder


def rewrite(folder: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """Change the bytes of one of the model's files."""
    path = folder / name
    path.write_bytes(change(path.read_bytes()))
    return folder


def pack(folder: Path) -> Path:
    """Name the matrices' bytes whole numbers, as of a 4-bit model: what they say is nonsense."""

    def change(data: bytes) -> bytes:
        end = 8 + struct.unpack_from("<Q", data)[0]
        header = json.loads(data[8:end])
        for name in [name for name in header if name.endswith("_proj.weight")]:
            told = header.pop(name)
            first, last = told["data_offsets"]
            told |= {"dtype": "I32", "shape": [(last - first) // 4]}
            header[name.replace(".weight", ".qweight")] = told
        text = json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + data[end:]

    return rewrite(folder, "model.safetensors", change)
