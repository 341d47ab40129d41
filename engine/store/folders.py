"""Where models lie on this machine. Pure paths: nothing is created."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

CONVERTED: Final = "converted"  # below the model store: what was made of GGUF files
MARK_DIGITS: Final = 12  # of a file, at the end of its conversion's name (see `gguf_folders`)
_MARKED: Final = re.compile(rf"(?P<name>.+)-[0-9a-f]{{{MARK_DIGITS}}}")


def models_folder(environ: Mapping[str, str] | None = None) -> Path:
    """The model store: `models` in the user's data folder, INGLENOOK_HOME/data or as XDG says.

    The same folder as `desktop.paths` gives, which this cannot import. Once the store was moved
    to another disk this is a link to it (see `engine.store.library.moving`): the path stays, and
    so does all that was remembered by it.
    """
    env = os.environ if environ is None else environ
    home = env.get("INGLENOOK_HOME", "")
    if home:
        return absolute(home) / "data" / "models"
    xdg = env.get("XDG_DATA_HOME", "")
    # The XDG specification: a relative path is invalid, and ignored.
    user = Path(env.get("HOME") or Path.home())
    base = Path(xdg) if xdg.startswith("/") else user / ".local" / "share"
    return base / "inglenook" / "models"


def absolute(text: str) -> Path:
    """The path in `text`, whatever the working folder; "~" is the user's own folder.

    It stays as it is where that cannot be told: no such user, a working folder that is gone.
    """
    path = Path(text)
    with contextlib.suppress(RuntimeError):
        path = path.expanduser()
    with contextlib.suppress(OSError):
        path = path.absolute()
    return path


def starter_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Where the starter model lies, once it has been made."""
    return models_folder(environ) / "starter" / "SmolLM2-135M-Instruct"


HUB: Final = "hub"  # below the model store: what was fetched, "owner--name[--variant]"
SNAPSHOTS: Final = "snapshots"  # of the Hugging Face cache: "models--owner--name/snapshots/commit"


def name_of(model: Path) -> str:
    """What the model in a folder, or in a file, is called.

    One of the hub has the name that it has there, without its owner's. A conversion is called
    like the file that it was made of, without the mark at the end of its folder's name: that is
    for finding it again. Where another conversion would be called the same, both keep their marks.
    """
    if model.parent.name == HUB and "--" in model.name:
        return " ".join(part for part in model.name.split("--")[1:] if part) or model.name
    if model.parent.name == SNAPSHOTS and model.parent.parent.name.startswith("models--"):
        return model.parent.parent.name.rpartition("--")[2] or model.name
    name = _unmarked(model.name)
    if model.parent.name != CONVERTED or name == model.name:
        return model.name
    try:
        others = [one.name for one in model.parent.iterdir() if one.name != model.name]
    except OSError:
        return name
    return model.name if name in map(_unmarked, others) else name


def _unmarked(name: str) -> str:
    found = _MARKED.fullmatch(name)
    return found["name"] if found is not None else name
