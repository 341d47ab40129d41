"""Models for the failure lab: tiny, with a tokenizer of bytes, and whatever is wrong with them."""

from __future__ import annotations

import json
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
