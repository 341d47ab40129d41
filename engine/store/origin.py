"""Where a model's files came from, so that what is missing of it can be fetched again.

Told by what lies beside it: the manifest of a download, the folders of the Hugging Face cache,
the remote of a clone. Small files, read with a limit; what makes no sense tells nothing.
"""

from __future__ import annotations

import configparser
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from engine.failure_words import words
from engine.plain_file import open_plain
from engine.protocol import Failure, Remedy, RemedyAction
from engine.store.folders import SNAPSHOTS
from engine.store.hub_names import COMMIT, is_repo
from engine.store.made_folder import MANIFEST

MOST_BYTES: Final = 16 << 20  # of a manifest, which lists every file
MOST_CONFIG: Final = 256 << 10  # of a clone's settings
MOST_TEXT: Final = 200
_CACHED: Final = re.compile(r"models--(?P<owner>[^/]+?)--(?P<name>[^/]+)")
_CLONED: Final = re.compile(
    r"(?:https?://|git@|ssh://git@)(?:[\w.-]+@)?(?:www\.)?(?:hf\.co|huggingface\.co)[/:]"
    r"(?P<repo>[^/\s]+/[^/\s]+?)(?:\.git)?/?"
)

_MISSING: Final = words("Fetch what is missing")
_AGAIN: Final = words("Fetch it from the hub")
_LICENCE: Final = words("Open its licence page")
_SIGN_IN: Final = words("Sign in…")
# Failures that fetching the files again puts right: some of them are missing or damaged.
_INCOMPLETE: Final = frozenset(
    {
        "config_missing",
        "config_broken",
        "index_broken",
        "weights_missing",
        "weights_broken",
        "weights_differ",
        "tokenizer_missing",
        "tokenizer_broken",
        "pointer",
    }
)
_ABSENT: Final = frozenset({"model_missing", "hub_unknown", "offline"})
_GATED: Final = "gated"


@dataclass(frozen=True, slots=True)
class Origin:
    """A model of the hub.

    Attributes:
        repo: "owner/name".
        revision: its commit, where that is known; else "main".
        variant: as a download takes it ("Q4_K_M"); "" for the safetensors.
        licence_url: where its terms stand; "" where there are none to be accepted.
    """

    repo: str
    revision: str = "main"
    variant: str = ""
    licence_url: str = ""


def origin_of(model: str) -> Origin | None:
    """Where the model in a folder, or in a file, came from; None: nobody tells.

    A text that is no path but "owner/name" names itself. Never raises.
    """
    path = Path(model)
    folder = path.parent if path.suffix.lower() == ".gguf" else path
    found = _of_manifest(folder) or _of_cache(folder) or _of_clone(folder)
    if found is None and is_repo(model) and not path.is_absolute():
        return Origin(model)
    return found


def with_ways(failure: Failure, origin: Origin | None) -> Failure:
    """`failure` with what the hub can do about it, first among its remedies."""
    if origin is None:
        return failure
    fetch: dict[str, bool | int | float | str | tuple[int, ...]] = {
        "repo": origin.repo,
        "revision": origin.revision,
        "variant": origin.variant,
    }
    ways: list[Remedy] = []
    if failure.code in _INCOMPLETE:
        ways.append(Remedy(_MISSING, RemedyAction.FETCH_MISSING, fetch))
    elif failure.code in _ABSENT:
        ways.append(Remedy(_AGAIN, RemedyAction.FETCH_MISSING, fetch))
    elif failure.code == _GATED:
        if origin.licence_url:
            ways.append(Remedy(_LICENCE, RemedyAction.OPEN_URL, {"url": origin.licence_url}))
        ways.append(Remedy(_SIGN_IN, RemedyAction.SIGN_IN))
        ways.append(Remedy(_AGAIN, RemedyAction.FETCH_MISSING, fetch))
    there = {remedy.action for remedy in failure.remedies}
    ways = [way for way in ways if way.action not in there]
    return replace(failure, remedies=(*ways, *failure.remedies)) if ways else failure


# --- inside --------------------------------------------------------------------------------


def _of_manifest(folder: Path) -> Origin | None:
    origin = _read_json(folder / MANIFEST).get("origin")
    if not isinstance(origin, Mapping) or origin.get("kind") != "hub":
        return None
    repo, revision = _text(origin, "repo"), _text(origin, "revision")
    if not is_repo(repo):
        return None
    return Origin(
        repo,
        revision if COMMIT.fullmatch(revision) else "main",
        _text(origin, "variant"),
        _text(origin, "licence_url") if origin.get("gated") else "",
    )


def _of_cache(folder: Path) -> Origin | None:
    """`models--owner--name/snapshots/<commit>` of the Hugging Face cache."""
    if folder.parent.name != SNAPSHOTS:
        return None
    found = _CACHED.fullmatch(folder.parent.parent.name)
    if found is None:
        return None
    repo = f"{found['owner']}/{found['name']}"
    if not is_repo(repo):
        return None
    return Origin(repo, folder.name if COMMIT.fullmatch(folder.name) else "main")


def _of_clone(folder: Path) -> Origin | None:
    """A clone by git, whose large files may be pointers still."""
    try:
        with open_plain(folder / ".git" / "config") as file:
            text = file.read(MOST_CONFIG).decode("utf-8", "replace")
        parser = configparser.ConfigParser(strict=False, interpolation=None)
        parser.read_string("\n".join(line.strip() for line in text.splitlines()))
        url = parser.get('remote "origin"', "url", fallback="")
    except (OSError, ValueError, configparser.Error):
        return None
    found = _CLONED.fullmatch(url.strip())
    return Origin(found["repo"]) if found is not None and is_repo(found["repo"]) else None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        with open_plain(path) as file:
            content = file.read(MOST_BYTES + 1)
        value = json.loads(content) if len(content) <= MOST_BYTES else None
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name, "")
    return value if isinstance(value, str) and len(value) <= MOST_TEXT else ""
