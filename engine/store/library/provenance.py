"""Where a model is from: by its manifest, its place in a cache, or its card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.plain_file import open_plain
from engine.store import made_folder
from engine.store.folder_error import read_object
from engine.store.library.listing import Entry
from engine.store.library.plain_text import plain
from engine.store.library.records import Source
from engine.store.library.walk import Found

_CARD_BYTES: Final = 8192
_CARD_LINE: Final = re.compile(r"^(license|license_name|base_model):[ \t]*['\"]?([^\n'\"]*)", re.M)
_CARD_ITEM: Final = re.compile(r"^base_model:[ \t]*\n-[ \t]*['\"]?([^\n'\"]*)", re.M)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a manifest, the place, or a card tells of where a model is from."""

    repo: str = ""
    commit: str = ""
    variant: str = ""
    licence: str = ""
    base_model: str = ""
    files: Mapping[str, Mapping[str, Any]] | None = None


def provenance_of(found: Found, entries: Mapping[str, Entry]) -> Provenance:
    """Where `found` is from. `entries`: the files of its folder."""
    folder = Path(found.path).parent if found.is_gguf else Path(found.path)
    licence, base = _card(folder) if "README.md" in entries else ("", "")
    if found.snapshot is not None:
        return Provenance(
            found.snapshot.repo, found.snapshot.commit, licence=licence, base_model=base
        )
    if found.source is Source.QUANTISED:
        base = base or _made_from(folder)
    manifest: dict[str, Any] = {}
    if found.source is not Source.FOLDER and made_folder.MANIFEST in entries:
        try:
            manifest = made_folder.manifest_of(folder)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            manifest = {}
    origin = manifest.get("origin")
    origin = origin if isinstance(origin, dict) else {}
    return Provenance(
        repo=plain(origin.get("repo")),
        commit=plain(origin.get("revision")),
        variant=plain(origin.get("variant")),
        licence=plain(origin.get("licence")) or licence or _licence_of_text(folder, entries),
        base_model=plain(origin.get("base_model")) or base,
        files=manifest.get("files"),
    )


def _made_from(folder: Path) -> str:
    try:
        made = read_object(folder / "inglenook.json").get("made")
    except (OSError, ValueError):
        return ""
    return plain(made.get("from")) if isinstance(made, dict) else ""


def _card(folder: Path) -> tuple[str, str]:
    """The licence and the base model that a model card's head tells."""
    try:
        with open_plain(folder / "README.md") as file:
            text = file.read(_CARD_BYTES).decode("utf-8", "replace")
    except OSError:
        return "", ""
    if not text.startswith("---"):
        return "", ""
    front = text[3:].partition("\n---")[0]
    told = dict(reversed(_CARD_LINE.findall(front)))
    item = _CARD_ITEM.search(front)
    licence = plain(told.get("license"))
    if licence == "other":
        licence = plain(told.get("license_name")) or licence
    return licence, plain(told.get("base_model")) or (plain(item[1]) if item else "")


def _licence_of_text(folder: Path, entries: Mapping[str, Entry]) -> str:
    if "LICENSE" not in entries:
        return ""
    try:
        with open_plain(folder / "LICENSE") as file:
            text = file.read(600).decode("utf-8", "replace")
    except OSError:
        return ""
    if "Apache License" in text and "Version 2.0" in text:
        return "apache-2.0"
    return "mit" if "MIT License" in text else ""
