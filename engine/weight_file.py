"""What the header of a safetensors file says: its tensors, and whether the file is whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from engine.plain_file import open_plain
from engine.planner.model_shape import TensorInfo

HEADER_BYTES = 100_000_000  # the format's own limit
LENGTH_BYTES = 8
_MOST_DIMS = 32
_MOST = 1 << 63


def tensor_count(path: Path) -> int:
    """How many tensors the file at `path` holds.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no safetensors file, or a part of one.
    """
    return len(read_tensors(path))


def read_tensors(path: Path) -> dict[str, TensorInfo]:
    """The tensors of a file, by name, without reading them.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no safetensors file, or a part of one.
    """
    size = path.stat().st_size
    with open_plain(path) as file:
        length = header_length(_read_start(file))
        if length > size:
            raise ValueError("it has no header")
        tensors, end = parse_header(file.read(length))
    if LENGTH_BYTES + length + end > size:
        raise ValueError("its end is missing")
    return tensors


def _read_start(file: BinaryIO) -> bytes:
    return file.read(LENGTH_BYTES)


def header_length(start: bytes) -> int:
    """The length of the header that follows the file's first 8 bytes.

    Raises:
        ValueError: no header has such a length.
    """
    length = int.from_bytes(start, "little")
    if len(start) < LENGTH_BYTES or not 0 < length <= HEADER_BYTES:
        raise ValueError("it has no header")
    return length


def parse_header(content: bytes) -> tuple[dict[str, TensorInfo], int]:
    """The tensors of a header, and where the last of them ends, counted from the header's end.

    Raises:
        ValueError: it is no safetensors header.
    """
    try:
        entries = json.loads(content)
        entries.pop("__metadata__", None)
        tensors = {name: _tensor(entry) for name, entry in entries.items()}
        end = max((entry["data_offsets"][1] for entry in entries.values()), default=0)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError("its header makes no sense") from error
    return tensors, end


def _tensor(entry: Mapping[str, Any]) -> TensorInfo:
    begin, end = entry["data_offsets"]
    dims = tuple(entry["shape"])
    if not (isinstance(begin, int) and isinstance(end, int) and 0 <= begin <= end):
        raise ValueError("offsets")
    dtype = entry["dtype"]
    # Counts that no file has: to multiply thousands of long ones would take hours.
    if len(dims) > _MOST_DIMS or end >= _MOST or not isinstance(dtype, str) or len(dtype) > 16:
        raise ValueError("limits")
    if not all(isinstance(size, int) and 0 <= size < _MOST for size in dims):
        raise ValueError("shape")
    return TensorInfo(dtype, dims, end - begin)
