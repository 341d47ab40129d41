"""What the loopback hub's files are made of, and what a hub knows of them by looking inside."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

CHUNK = 1 << 20
# What .gitattributes of a new repository sends to large file storage, whatever its size.
_LARGE_NAMES = re.compile(
    r".*\.(7z|arrow|bin|bz2|ckpt|gguf|gz|h5|joblib|model|msgpack|npy|npz|onnx|ot|parquet|pb|pickle|pkl"
    r"|pt|pth|rar|safetensors|tar|tflite|tgz|wasm|xz|zip|zst)",
    re.S,
)
_LARGE_BYTES = 10 << 20


class Content(Protocol):
    """Bytes that can be had by ranges."""

    @property
    def size(self) -> int: ...

    def read(self, begin: int, end: int) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes at hand."""

    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, begin: int, end: int) -> bytes:
        return self.data[begin:end]


@dataclass(frozen=True, slots=True)
class Disk:
    """A file's bytes; the file must stay as it is."""

    path: Path
    size: int

    def read(self, begin: int, end: int) -> bytes:
        with self.path.open("rb") as file:
            file.seek(begin)
            return file.read(end - begin)


@dataclass(frozen=True, slots=True)
class Hollow:
    """A file of any size of which only the head is there: zeros follow.

    For plans and lists of large models. Its hash is made up, so that no download of it is right.
    """

    head: bytes
    size: int

    def read(self, begin: int, end: int) -> bytes:
        return self.head[begin:end].ljust(min(end, self.size) - begin, b"\0")


@dataclass(frozen=True, slots=True)
class Flipped:
    """Other bytes of the same size: one bit is wrong at `at` (from the end when negative)."""

    content: Content
    at: int = -1

    @property
    def size(self) -> int:
        return self.content.size

    def read(self, begin: int, end: int) -> bytes:
        data = bytearray(self.content.read(begin, end))
        at = self.at % max(self.size, 1) - begin
        if 0 <= at < len(data):
            data[at] ^= 1
        return bytes(data)


def pieces(content: Content, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The bytes, a megabyte at a time."""
    stop = content.size if end is None else end
    for at in range(begin, stop, CHUNK):
        yield content.read(at, min(at + CHUNK, stop))


@dataclass(frozen=True)
class HubFile:
    """A file of a repository.

    Attributes:
        path: within the repository, as the hub says it: nothing here checks it.
    """

    path: str
    content: Content

    @property
    def size(self) -> int:
        """In bytes."""
        return self.content.size

    @cached_property
    def large(self) -> bool:
        """Whether it is in large file storage."""
        return bool(_LARGE_NAMES.fullmatch(self.path)) or self.size >= _LARGE_BYTES

    @cached_property
    def sha256(self) -> str:
        """Of the bytes."""
        if isinstance(self.content, Hollow):
            return hashlib.sha256(self.content.head + str(self.size).encode()).hexdigest()
        return _digest(self.content, "")

    @cached_property
    def blob(self) -> str:
        """What git calls it: of a large file, the pointer's name."""
        if self.large:
            return _digest(Memory(self.pointer), "blob")
        return _digest(self.content, "blob")

    @property
    def pointer(self) -> bytes:
        """What git holds of a large file."""
        head = "version https://git-lfs.github.com/spec/v1"
        return f"{head}\noid sha256:{self.sha256}\nsize {self.size}\n".encode()

    @property
    def etag(self) -> str:
        """As the hub's answers have it, without quotes."""
        return self.sha256 if self.large else self.blob


def _digest(content: Content, kind: str) -> str:
    if isinstance(content, Disk):
        status = content.path.stat()
        return _disk_digest(content, kind, status.st_mtime_ns, status.st_ino)
    return _hash(content, kind)


@cache
def _disk_digest(content: Disk, kind: str, _changed: int, _inode: int) -> str:
    return _hash(content, kind)


def _hash(content: Content, kind: str) -> str:
    digest = hashlib.sha1() if kind else hashlib.sha256()
    if kind:
        digest.update(f"{kind} {content.size}\0".encode())
    for piece in pieces(content):
        digest.update(piece)
    return digest.hexdigest()


def json_of(file: HubFile | None) -> dict[str, Any]:
    """The object in a JSON file; empty where there is none, or nonsense."""
    try:
        value = json.loads(file.content.read(0, file.size)) if file else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def parameters(files: Iterator[HubFile]) -> dict[str, int]:
    """How many numbers of each type the safetensors files hold, as the hub counts them."""
    found: dict[str, int] = {}
    for file in files:
        if "/" in file.path or not file.path.endswith(".safetensors") or file.size < 8:
            continue
        length = struct.unpack("<Q", file.content.read(0, 8))[0]
        if length > file.size - 8:
            continue
        head = HubFile("head.json", Memory(file.content.read(8, 8 + length)))
        for name, entry in json_of(head).items():
            if name != "__metadata__":
                count = 1
                for side in entry["shape"]:
                    count *= side
                found[entry["dtype"]] = found.get(entry["dtype"], 0) + count
    return found
