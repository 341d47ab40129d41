"""The heads of safetensors files, read for a list of hundreds of models: quick, and bounded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import msgspec

from engine.plain_file import open_plain
from engine.weight_file import LENGTH_BYTES, header_length, read_tensors

_INTEGERS = ("I", "U", "BOOL")


class _Tensor(msgspec.Struct):
    # The entry "__metadata__" has none of these.
    dtype: str = ""
    shape: list[int] = []
    data_offsets: tuple[int, int] = (0, 0)


_decoder = msgspec.json.Decoder(dict[str, _Tensor])


@dataclass(frozen=True, slots=True)
class Head:
    """Of one file. `numbers`: of the floating-point tensors; packed integers are not counted."""

    tensors: int
    numbers: int


def read_head(path: Path) -> Head:
    """The head of a whole file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no safetensors file, or a part of one.
    """
    with open_plain(path) as file:
        size = file.seek(0, 2)
        file.seek(0)
        length = header_length(file.read(LENGTH_BYTES))
        if length > size:
            raise ValueError("it has no header")
        content = file.read(length)
    try:
        tensors = _decoder.decode(content)
    except (msgspec.MsgspecError, RecursionError, OverflowError):
        found = read_tensors(path)  # says what is wrong, or is more patient
        return Head(len(found), sum(math.prod(tensor.dims) for tensor in found.values()))
    end = max((tensor.data_offsets[1] for tensor in tensors.values()), default=0)
    if LENGTH_BYTES + length + end > size:
        raise ValueError("its end is missing")
    numbers = sum(
        math.prod(tensor.shape)
        for tensor in tensors.values()
        if tensor.dtype and not tensor.dtype.startswith(_INTEGERS)
    )
    return Head(sum(1 for tensor in tensors.values() if tensor.dtype), numbers)
