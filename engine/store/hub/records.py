"""What the hub tells of a repository, checked: files, sizes, hashes, and which of them to take.

The standard library and msgspec only: the window reads these too. Sizes in bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class RepoFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of a repository at one commit.

    Attributes:
        path: relative, in parts that are plain names ("/" between them).
        size: exact.
        sha256: of the contents, 64 hex digits; "" where the hub does not tell (small files).
        blob: git's SHA-1 of such a file, 40 hex digits; "" where `sha256` is told.
    """

    path: str
    size: int
    sha256: str = ""
    blob: str = ""


class Listing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A repository at one commit.

    Attributes:
        repo: "owner/name".
        commit: 40 hex digits.
        gated: "" (everybody may), "auto" (accept its terms) or "manual" (its authors decide).
        licence: its name as the hub has it ("apache-2.0", "llama3.1"); "" where it is not told.
        licence_url: where it can be read; "" for none.
        base_model: "owner/name" of what it was made from; "" where it is not told.
        updated: ISO 8601.
        storage: what the whole repository takes on the hub; None: not told.
    """

    repo: str
    commit: str
    files: tuple[RepoFile, ...] = ()
    gated: str = ""
    private: bool = False
    licence: str = ""
    licence_url: str = ""
    base_model: str = ""
    tags: tuple[str, ...] = ()
    updated: str = ""
    downloads: int = 0
    likes: int = 0
    storage: int | None = None


class Variant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the models that a repository holds: the safetensors, or one GGUF file's.

    Attributes:
        name: "" for the safetensors, else as GGUF names its quantisation ("Q4_K_M").
        format: "awq", "gptq", "w4a16", "int8", "fp8", "bf16", "fp16", "fp32" or "gguf".
        bytes: of the weights.
        files: paths of the weights.
    """

    name: str
    format: str
    bytes: int
    files: tuple[str, ...]


class LeftFile(NamedTuple):
    """A file that is not fetched, and why not, in words."""

    path: str
    size: int
    reason: str


class FileChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a download fetches of a repository.

    Attributes:
        variant: the name of the `Variant`.
        total: bytes of `take`.
        problem: why nothing of it can be loaded, in words; "" where it can.
    """

    take: tuple[RepoFile, ...] = ()
    leave: tuple[LeftFile, ...] = ()
    total: int = 0
    variant: str = ""
    problem: str = ""
