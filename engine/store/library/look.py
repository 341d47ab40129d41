"""What lies at one path that the user named: a model, several, or none."""

from __future__ import annotations

from pathlib import Path

from engine.failure_words import words
from engine.store.library import facts, hf_cache
from engine.store.library.gguf_heads import read_heads
from engine.store.library.listing import look_at, names_in
from engine.store.library.records import InstalledModel, LibraryError, Source
from engine.store.library.scan import GGUF_SECONDS, ScanCache, scan
from engine.store.library.walk import Found, ggufs_in

_NOTHING = words("There is nothing at {path}.")
_NO_MODEL = words(
    "{path} is no model: it is neither a folder with a config.json and safetensors files nor a "
    ".gguf file."
)
_SEVERAL = words("There are {count} models in {path}. Choose one of them.")


def look_at_path(path: Path) -> InstalledModel:
    """The model at `path`, a folder or a .gguf file; what is wrong with it is its `problem`.

    Raises:
        LibraryError: there is no model, or more than one.
    """
    snapshot = _snapshot(path if path.is_dir() else path.parent)
    if path.suffix.lower() == ".gguf" and path.is_file():
        return _gguf(path, snapshot)
    if not path.is_dir():
        text = _NO_MODEL if path.exists() else _NOTHING
        raise LibraryError("no_model", text.format(path=path))
    try:
        names = names_in(str(path)).files
    except OSError as error:
        raise LibraryError("no_model", f"{path}: {error.strerror or error}") from error
    files = ggufs_in(names)
    has_weights = any(name.endswith(".safetensors") for name in names)
    if files and not has_weights:
        if len(files) > 1:
            raise LibraryError("several", _SEVERAL.format(count=len(files), path=path))
        return _gguf(path / files[0], snapshot)
    if "config.json" not in names and not has_weights:
        inner = look_into(path)
        if len(inner) == 1:
            return inner[0]
        text = (
            _SEVERAL.format(count=len(inner), path=path) if inner else _NO_MODEL.format(path=path)
        )
        raise LibraryError("several" if inner else "no_model", text)
    found = Found(str(path), Source.FOLDER, names, str(path), snapshot)
    return facts.read_model(found, look_at(str(path), names))


def look_into(path: Path) -> tuple[InstalledModel, ...]:
    """All models in a folder and below it, as the list has them once the folder was added."""
    return scan(Path("/nonexistent"), None, (path,), known=ScanCache())


def _gguf(path: Path, snapshot: hf_cache.Snapshot | None) -> InstalledModel:
    names = frozenset({path.name, *facts.parts_of(path.name)})
    head = read_heads([str(path)], GGUF_SECONDS).get(str(path))
    found = Found(str(path), Source.FOLDER, names, str(path), snapshot)
    return facts.read_model(found, look_at(str(path.parent), names), head)


def _snapshot(folder: Path) -> hf_cache.Snapshot | None:
    if not hf_cache.is_snapshot(folder):
        return None
    found = [
        each for each in hf_cache.snapshots(folder.parent.parent) if each.commit == folder.name
    ]
    return found[0] if found else None
