"""The starter list: well-known open models by size and use, for who does not know where to begin.

It lies in assets/starter_models.json and is read without a network. Each model has its 4-bit build
(AWQ) first, pinned to a commit, and what the planner needs of its config.json: so it is known
offline what fits. Sizes and counts of parameters are the planner's, by that config.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.planner.model_shape import ModelShape
from engine.planner.shape import read_shape

FILE: Final = Path(__file__).resolve().parents[2] / "assets" / "starter_models.json"
SIZES: Final = ("small", "medium", "large")
# GB of the GPU that a model of this size fits on with a context worth having.
FITS_ON: Final[Mapping[str, int]] = {"small": 12, "medium": 16, "large": 24}
USES: Final = ("chat", "code", "reasoning", "multilingual")
FORMATS: Final = ("awq", "gptq", "w4a16", "fp8", "bf16", "gguf")

# What the file's "note" may say; a text here is translated, one in the file would not be.
NOTES: Final[Mapping[str, str]] = {
    "": "",
    "thinks": words("Thinks before it answers."),
    "thinks_if_asked": words("Thinks before it answers; that can be switched off."),
}


@dataclass(frozen=True, slots=True)
class Build:
    """One repository with a model's weights.

    Attributes:
        revision: the commit, 40 hex digits.
        format: one of `FORMATS`.
        bytes: of the weights.
    """

    repo: str
    revision: str
    format: str
    bytes: int


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One model of the list, with the build that is offered first.

    Attributes:
        repo, revision, format, bytes: of that build; see `Build`.
        name: for people.
        parameters: of the model, embeddings included.
        context: tokens it reads without stretching.
        licence: an SPDX identifier.
        use: what it is good at, of `USES`; the first is what it was made for.
        size_class: of `SIZES`; `FITS_ON` says which GPU it is meant for.
        base_model: the repository that the build was made from.
        builds: others of the same model, the 16-bit original among them.
        note: a sentence for the user, or "".
        config: what the planner reads of the build's config.json.
    """

    repo: str
    name: str
    revision: str
    format: str
    parameters: int
    bytes: int
    context: int
    licence: str
    use: tuple[str, ...]
    size_class: str
    base_model: str
    builds: tuple[Build, ...] = ()
    note: str = ""
    config: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)

    def shape(self) -> ModelShape:
        """What the planner plans with."""
        return replace(read_shape(self.config), name=self.repo)


@cache
def read_catalogue() -> tuple[CatalogueEntry, ...]:
    """The list as it is in the assets, small models first."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(_entry(told) for told in content["models"])


def find(repo: str) -> CatalogueEntry | None:
    """The entry whose first build, base model or other build is `repo`; None for none."""
    for entry in read_catalogue():
        if repo in {entry.repo, entry.base_model, *(build.repo for build in entry.builds)}:
            return entry
    return None


def pinned(repo: str) -> str:
    """The commit that the list knows `repo` by; "" where it does not."""
    entry = find(repo)
    if entry is None:
        return ""
    if entry.repo == repo:
        return entry.revision
    return next((build.revision for build in entry.builds if build.repo == repo), "")


def _entry(told: Mapping[str, Any]) -> CatalogueEntry:
    config = told["config"]
    shape = read_shape(config)
    original = read_shape(
        {key: value for key, value in config.items() if key != "quantization_config"}
    )
    params = shape.linear_params + shape.embedding_params + shape.head_params + shape.other_params
    return CatalogueEntry(
        repo=told["repo"],
        name=told["name"],
        revision=told["revision"],
        format=shape.format,
        parameters=params,
        bytes=shape.weights_bytes,
        context=shape.context,
        licence=told["licence"],
        use=tuple(told["use"]),
        size_class=told["size_class"],
        base_model=told["base_model"],
        builds=tuple(
            Build(
                build["repo"],
                build["revision"],
                build["format"],
                original.weights_bytes if build["format"] == "bf16" else int(build["bytes"]),
            )
            for build in told.get("builds", ())
        ),
        note=NOTES[told.get("note", "")],
        config=config,
    )
