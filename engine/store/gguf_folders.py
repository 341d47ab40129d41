"""Where the conversion of a GGUF file lies: told from the file without parsing it.

A file keeps its conversion when it is moved or renamed: it is known by its size, its beginning
and its end, read as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engine.plain_file import open_plain
from engine.store import made_folder
from engine.store.folders import CONVERTED, MARK_DIGITS, models_folder

FOLDER: Final = CONVERTED
DESCRIBED: Final = "described"  # config and tokenizer only, for a file that is loaded as it is
_ENDS: Final = 1 << 20
_NAME_LENGTH: Final = 80

_PART: Final = re.compile(r"-(?P<number>\d{5})-of-\d{5}\.gguf$", re.IGNORECASE)

_BITS: Final = re.compile(
    r"(?:^|[-_.])((?:UD-)?(?:I?Q\d\w*|MXFP4(?:_MOE)?|BF16|F16|F32|TQ\d_\d))(?=$|[-.])", re.I
)

NEEDED: Final = ("config.json", "tokenizer.json")


def fingerprint(file: Path) -> str:
    """The first 12 hex digits of the SHA-256 over size, first and last MiB.

    Raises:
        OSError: the file cannot be read.
    """
    with open_plain(file) as stream:
        size = stream.seek(0, 2)
        digest = hashlib.sha256(str(size).encode())
        stream.seek(0)
        digest.update(stream.read(_ENDS))
        stream.seek(max(0, size - _ENDS))
        digest.update(stream.read(_ENDS))
    return digest.hexdigest()[:MARK_DIGITS]


def folder_for(
    file: Path, environ: Mapping[str, str] | None = None, *, store: str = FOLDER
) -> Path:
    """Where the conversion of `file` lies, once it has been made.

    Args:
        store: FOLDER, or DESCRIBED for its config and tokenizer alone.

    Raises:
        OSError: the file cannot be read.
    """
    name = re.sub(r"[^\w.+-]+", "-", file.stem).strip("-.")[:_NAME_LENGTH] or "model"
    mark = fingerprint(file)
    parent = models_folder(environ) / store
    # Under another name, if the file had one when it was converted.
    for folder in sorted(parent.glob(f"*-{mark}")):
        return folder
    return parent / f"{name}-{mark}"


def find_conversion(
    file: Path, environ: Mapping[str, str] | None = None, *, store: str = FOLDER
) -> Path | None:
    """The folder with the whole conversion of `file`; None when there is none."""
    try:
        folder = folder_for(file, environ, store=store)
    except OSError:
        return None
    return None if made_folder.damage(folder, NEEDED) else folder


def gguf_of(model: Path) -> Path | None:
    """The GGUF file that `model` is, or the first of a folder that holds a model in no other form.

    None: it is something else.
    """
    return next(iter(ggufs_of(model)), None)


def ggufs_of(model: Path) -> list[Path]:
    """The GGUF file that `model` is, or all those of a folder that holds a model in no other form.

    Image encoders (mmproj) that lie beside a model are no models, and the further parts of a
    model that is split are none of their own.
    """
    try:
        if model.suffix.lower() == ".gguf" and model.is_file():
            return [model]
        if any(model.glob("*.safetensors")):
            return []
        return sorted(path for path in model.glob("*.gguf") if not _is_no_model(path.name))
    except OSError:
        return []


def bits_in(stem: str) -> str:
    """How a file's name says that it is quantised ("Q4_K_M"); "" where it does not."""
    named = _BITS.findall(stem)
    return named[-1].upper() if named else ""


def _is_no_model(name: str) -> bool:
    part = _PART.search(name)
    return "mmproj" in name.lower() or (part is not None and int(part["number"]) > 1)
