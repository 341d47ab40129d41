"""What a model's memory is kept under: where it lies, and what it says of itself."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from engine.plain_file import open_plain
from engine.store.model_folder import CONFIG_BYTES

KEY_LENGTH: Final = 32  # hex digits: 128 bits
_HEAD_BYTES: Final = 64 * 1024  # of a GGUF file: its header is its config


def model_key(model: str) -> str:
    """The key of the model at `model`, a folder or a GGUF file.

    Another model put in the same folder has another key: what was learned of the first would
    mislead. Reads one small file; never raises, a model that cannot be read has a key too.
    """
    path = Path(model)
    digest = hashlib.sha256(os.fsencode(path))
    digest.update(b"\0")
    digest.update(_identity(path))
    return digest.hexdigest()[:KEY_LENGTH]


def _identity(path: Path) -> bytes:
    try:
        if path.suffix.lower() == ".gguf":
            with open_plain(path) as file:
                return b"%d" % path.stat().st_size + file.read(_HEAD_BYTES)
        with open_plain(path / "config.json") as file:
            return file.read(CONFIG_BYTES)
    except (OSError, ValueError):  # ValueError: a path with a null character
        return b""
