"""What the header of a safetensors file says: enough to tell a whole file from a part."""

from __future__ import annotations

import json
from pathlib import Path

HEADER_BYTES = 100_000_000  # the format's own limit
_LENGTH_BYTES = 8


def tensor_count(path: Path) -> int:
    """How many tensors the file at `path` holds.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no safetensors file, or a part of one.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(_LENGTH_BYTES)
        length = int.from_bytes(start, "little")
        if len(start) < _LENGTH_BYTES or not 0 < length <= min(HEADER_BYTES, size):
            raise ValueError("it has no header")
        content = file.read(length)
    try:
        tensors = json.loads(content)
        tensors.pop("__metadata__", None)
        end = max((entry["data_offsets"][1] for entry in tensors.values()), default=0)
        is_whole = _LENGTH_BYTES + length + end <= size
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError) as error:
        raise ValueError("its header makes no sense") from error
    if not is_whole:
        raise ValueError("its end is missing")
    return len(tensors)
