"""What is said of an installed model, of a place that is not there, and of the bin."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import msgspec


class Source(StrEnum):
    """Where a model lies, or how it came there."""

    STORE = "store"  # fetched from the hub, or imported
    STARTER = "starter"
    CONVERTED = "converted"  # made of a GGUF file
    QUANTISED = "quantised"
    HF_CACHE = "hf_cache"
    FOLDER = "folder"  # a folder that the user added


class InstalledModel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One model. Sizes in bytes, lengths in tokens, times in seconds since 1970.

    Names, licences and the like come from anybody: they are shown as plain text.

    Attributes:
        path: what is loaded: a folder or a .gguf file, absolute.
        name: what it is called; a hub's model by its repository ("owner/name").
        format: as `engine.planner.shape` names them; "" where it cannot be told.
        size: on the disk; what two models share counts for both.
        parameters, context: None where they cannot be told.
        repo, commit, variant: of the hub; "" for a model that is not from there.
        template: whether it has a chat template.
        problem: why it cannot be loaded, in words; "": nothing is known to be wrong.
        missing: the files that are not there, by their names in the model.
        manifest: whether there is something to verify it by.
        deletable: whether this program may delete it.
        frees: what deleting it frees; less than `size` where files are shared or hard links.
        unit: what deleting it takes away: the model's folder, or the file alone.
        identity: the key of what was learned of it (`identity.model_key`).
    """

    path: str
    name: str
    source: Source
    format: str = ""
    size: int = 0
    parameters: int | None = None
    context: int | None = None
    licence: str = ""
    repo: str = ""
    commit: str = ""
    variant: str = ""
    base_model: str = ""
    architecture: str = ""
    template: bool = False
    problem: str = ""
    missing: tuple[str, ...] = ()
    last_used: float | None = None
    manifest: bool = False
    deletable: bool = False
    frees: int = 0
    unit: str = ""
    identity: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known that keeps it from being loaded."""
        return not self.problem

    @property
    def folder(self) -> Path:
        """The folder in which it lies."""
        path = Path(self.path)
        return path.parent if path.suffix.lower() == ".gguf" else path


class PlaceProblem(msgspec.Struct, frozen=True):
    """A place for models that cannot be looked into; `text` says why and what to do."""

    path: str
    text: str


class BinEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A model that was deleted and can come back.

    Attributes:
        entry: its name in the bin, for `restore` and `empty`.
        model: as it was.
        deleted: when, seconds since 1970.
        frees: what emptying frees, in bytes.
    """

    entry: str
    model: InstalledModel
    deleted: float
    frees: int


class Progress(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="progress"):
    """How far some work is. Bytes; `seconds_left` is None while it cannot be told.

    Attributes:
        phase: "waiting" (for another process), "copying", "verifying", "finishing", "removing".
    """

    phase: str
    done: int = 0
    total: int = 0
    file: str = ""
    files_done: int = 0
    files: int = 0
    seconds_left: float | None = None


Tell = Callable[[Progress], None]


class LibraryError(Exception):
    """It came to nothing; the text says why and what to do, `code` says it to programs."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class CancelledError(LibraryError):
    """The user stopped it."""

    def __init__(self) -> None:
        super().__init__("cancelled", "")
