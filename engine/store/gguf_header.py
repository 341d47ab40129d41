"""The header of a GGUF file, read with bounds on everything: it may come from anyone.

Standard library only. Still it is read in a process of its own and never in the window's.
The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from engine.failure_words import words
from engine.plain_file import open_plain
from engine.store.gguf_error import GgufError

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)

HEADER_BYTES: Final = 256 << 20  # a vocabulary of 256,000 tokens with its merges has 15 MB
MOST_TENSORS: Final = 100_000
MOST_KEYS: Final = 10_000
MOST_ITEMS: Final = 4_000_000  # of an array: tokens, merges
KEY_BYTES: Final = 65_535  # the format's own limit
TEXT_BYTES: Final = 1 << 20  # longer ones are passed over
NAME_BYTES: Final = 1_024
MOST_DIMENSIONS: Final = 8
MOST_ELEMENTS: Final = 1 << 44  # of all tensors
DEFAULT_ALIGNMENT: Final = 32

# type -> (elements of a block, bytes of a block); ggml.h and gguf's own constants.
BLOCKS: Final[Mapping[int, tuple[int, int]]] = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 40), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18),
    21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8),
    28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip
F32: Final = 0
F16: Final = 1
BF16: Final = 30
FLOATS: Final = frozenset({F32, F16, BF16})

_SCALARS: Final[Mapping[int, str]] = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q",
    12: "<d",
}  # fmt: skip
_STRING: Final = 8
_ARRAY: Final = 9

_NOT_GGUF = words("{file} is no GGUF file: it does not begin as one.")
_BIG_ENDIAN = words("{file} was made for another kind of processor (big-endian).")
_VERSION = words("{file} is of version {version} of the GGUF format; versions 2 and 3 can be read.")
_DAMAGED = words("{file} is damaged: {what}. Fetch it again.")
_TRUNCATED = words(
    "{file} is not whole: {missing} of its {whole} bytes are missing. Fetch it again."
)
_SPLIT = words(
    "{file} is one of the {count} parts of a model. Join them first, with llama.cpp's "
    "“llama-gguf-split --merge”."
)
_NO_MODEL = words("{file} holds no language model but {what}.")
_TYPE = words("{file} stores its weights in a way that is not known here (type {number}).")
# What a file holds instead of a model.
_IMAGES = words("the part of one that sees images")
_ADAPTER = words("an addition to one (a LoRA adapter)")
_VOCABULARY = words("only a vocabulary")
# What is wrong with a damaged one.
_ENDS = words("it ends within its header")
_LONG = words("its header is too long")
_LONG_NAME = words("one of its names is too long")
_NO_TEXT = words("one of its names is no text")
_KIND = words("it has an entry of an unknown kind")
_ALIGNMENT = words("its alignment makes no sense")
_NAMELESS = words("it does not say what kind of model it holds")
_TENSORS = words("its list of tensors makes no sense")
_SIZE = words("one of its tensors has an impossible size")

Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """One tensor: `shape` with the fastest dimension last, `size` in bytes in the file."""

    name: str
    shape: tuple[int, ...]
    type: int
    size: int

    @property
    def elements(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a file says of itself.

    Attributes:
        values: scalars and texts; arrays and very long texts are not in it.
        arrays: how many items each array has.
    """

    file: Path
    size: int
    architecture: str
    values: Mapping[str, Value]
    arrays: Mapping[str, int]
    tensors: tuple[GgufTensor, ...]

    @property
    def name(self) -> str:
        """The model's name; that of the file where it has none."""
        return str(self.values.get("general.name") or self.file.stem)

    @property
    def elements(self) -> int:
        """How many weights it holds."""
        return sum(tensor.elements for tensor in self.tensors)

    @property
    def largest(self) -> int:
        """Elements of the largest tensor."""
        return max((tensor.elements for tensor in self.tensors), default=0)

    @property
    def is_quantised(self) -> bool:
        """Whether any tensor is stored with less than 16 bits a weight."""
        return any(tensor.type not in FLOATS for tensor in self.tensors)


def read_header(file: Path) -> GgufHeader:
    """Read and check the header; the file must hold all that it tells of.

    Raises:
        OSError: the file cannot be read.
        GgufError: it is no GGUF file, or a damaged one, or not of a language model.
    """
    with open_plain(file) as stream:
        size = stream.seek(0, 2)
        stream.seek(0)
        reader = _Reader(stream, file.name, size)
        header = _read(reader, file, size)
    _check_kind(header)
    return header


def _read(reader: _Reader, file: Path, size: int) -> GgufHeader:
    if size < 4 or reader.take(4) != MAGIC:
        raise GgufError("not_gguf", _NOT_GGUF.format(file=file.name))
    version = reader.number("<I")
    if version not in VERSIONS:
        swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
        if swapped in VERSIONS:
            raise GgufError("version", _BIG_ENDIAN.format(file=file.name))
        raise GgufError("version", _VERSION.format(file=file.name, version=version))
    tensor_count = reader.count(MOST_TENSORS, 24, "tensors")
    key_count = reader.count(MOST_KEYS, 12, "entries")
    values: dict[str, Value] = {}
    arrays: dict[str, int] = {}
    for _ in range(key_count):
        key = reader.text(KEY_BYTES)
        kind = reader.number("<I")
        if key in values or key in arrays:
            raise reader.damaged(f"it has the entry {key[:80]} twice")
        if kind == _ARRAY:
            arrays[key] = reader.skip_array()
        elif kind == _STRING:
            text = reader.long_text()
            if text is not None:
                values[key] = text
        elif kind in _SCALARS:
            values[key] = reader.scalar(_SCALARS[kind])
        else:
            raise reader.damaged(_KIND)
    tensors = _read_tensors(reader, tensor_count)
    alignment = values.get("general.alignment", DEFAULT_ALIGNMENT)
    if not isinstance(alignment, int) or alignment <= 0 or alignment % 8 or alignment > 1 << 20:
        raise reader.damaged(_ALIGNMENT)
    start = -(-reader.position // alignment) * alignment
    whole = max((start + offset + tensor.size for tensor, offset in tensors), default=start)
    if whole > size:
        raise GgufError(
            "truncated",
            _TRUNCATED.format(file=file.name, missing=f"{whole - size:,}", whole=f"{whole:,}"),
        )
    architecture = values.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        raise reader.damaged(_NAMELESS)
    return GgufHeader(
        file, size, architecture, values, arrays, tuple(tensor for tensor, _offset in tensors)
    )


def _read_tensors(reader: _Reader, count: int) -> list[tuple[GgufTensor, int]]:
    """The tensors with their offsets into the data."""
    found: list[tuple[GgufTensor, int]] = []
    names: set[str] = set()
    elements = 0
    for _ in range(count):
        name = reader.text(NAME_BYTES)
        dimensions = reader.number("<I")
        if not 1 <= dimensions <= MOST_DIMENSIONS or name in names:
            raise reader.damaged(_TENSORS)
        names.add(name)
        shape = tuple(reversed([reader.number("<Q") for _ in range(dimensions)]))
        kind = reader.number("<I")
        offset = reader.number("<Q")
        if any(length == 0 or length > MOST_ELEMENTS for length in shape):
            raise reader.damaged(_SIZE)
        tensor_elements = math.prod(shape)
        elements += tensor_elements
        if elements > MOST_ELEMENTS:
            raise reader.damaged(_SIZE)
        if kind not in BLOCKS:
            raise GgufError("type", _TYPE.format(file=reader.file, number=kind))
        block, block_bytes = BLOCKS[kind]
        if shape[-1] % block:
            raise reader.damaged(_SIZE)
        found.append(
            (GgufTensor(name, shape, kind, tensor_elements // block * block_bytes), offset)
        )
    return found


def _check_kind(header: GgufHeader) -> None:
    parts = header.values.get("split.count", 0)
    if isinstance(parts, int) and parts > 1:
        raise GgufError("split", _SPLIT.format(file=header.file.name, count=parts))
    kind = header.values.get("general.type", "model")
    if header.architecture == "clip" or kind == "mmproj":
        what = _IMAGES
    elif kind == "adapter":
        what = _ADAPTER
    elif kind == "vocab" or not header.tensors:
        what = _VOCABULARY
    else:
        return
    raise GgufError("no_model", _NO_MODEL.format(file=header.file.name, what=what))


class _Reader:
    """Takes bytes off the front of a file, never more than `HEADER_BYTES` in all."""

    def __init__(self, stream: BinaryIO, file: str, size: int) -> None:
        self._stream = stream
        self.file = file
        self.position = 0
        self._end = min(size, HEADER_BYTES)
        self._cut = size <= HEADER_BYTES

    def damaged(self, what: str) -> GgufError:
        return GgufError("damaged", _DAMAGED.format(file=self.file, what=what))

    def take(self, length: int) -> bytes:
        self._advance(length)
        taken = self._stream.read(length)
        if len(taken) != length:  # it became shorter meanwhile
            raise self.damaged(_ENDS)
        return taken

    def skip(self, length: int) -> None:
        self._advance(length)
        self._stream.seek(length, 1)

    def _advance(self, length: int) -> None:
        if length > self._end - self.position:
            what = _ENDS if self._cut else _LONG
            raise self.damaged(what)
        self.position += length

    def number(self, form: str) -> int:
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(value)

    def scalar(self, form: str) -> Value:
        value: Value
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return value

    def count(self, most: int, least_bytes: int, what: str) -> int:
        """A number of things that each take `least_bytes` of the file or more."""
        count = self.number("<Q")
        if count > most or count * least_bytes > self._end - self.position:
            raise self.damaged(f"it tells of {count:,} {what}")
        return count

    def text(self, most: int) -> str:
        length = self.number("<Q")
        if length > most:
            raise self.damaged(_LONG_NAME)
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError:
            raise self.damaged(_NO_TEXT) from None

    def long_text(self) -> str | None:
        """A text that may be of any length; None where it is too long to be kept."""
        length = self.number("<Q")
        if length > TEXT_BYTES:
            self.skip(length)
            return None
        return self.take(length).decode("utf-8", errors="replace")

    def skip_array(self) -> int:
        """Pass over an array; how many items it has."""
        kind = self.number("<I")
        if kind in _SCALARS:
            width = struct.calcsize(_SCALARS[kind])
            count = self.count(MOST_ITEMS, width, "items of a list")
            self.skip(count * width)
            return count
        if kind != _STRING:  # lists of lists are in the format, and in no file
            raise self.damaged(_KIND)
        count = self.count(MOST_ITEMS, 8, "items of a list")
        for _ in range(count):
            self.skip(self.number("<Q"))
        return count
