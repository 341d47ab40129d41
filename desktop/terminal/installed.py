"""What is installed, and which of it a name on the command line means.

The one place where `plan`, `quantize`, `convert`, `chat` and `models` look a model's name up.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop import paths, settings
from desktop.program_name import command
from desktop.settings import Settings
from engine.store.folders import absolute, models_folder, starter_folder
from engine.store.hub_names import is_model_id

if TYPE_CHECKING:
    from engine.store.library.records import InstalledModel, PlaceProblem

STARTER: Final = "starter"
MOST_NAMED: Final = 6  # of several that a name may mean


class SeveralError(Exception):
    """A name means more than one installed model; the text lists them."""


class NotInstalledError(Exception):
    """A name means no model on this computer; the text says how to fetch it."""


def read_settings() -> Settings:
    """The settings in force; the defaults where their file cannot be read."""
    return settings.load(paths.find().settings)[0]


def scanned(chosen: Settings | None = None) -> tuple[InstalledModel, ...]:
    """All that is installed. Reads the heads of files only, and of those that changed."""
    return looked(chosen)[0]


def looked(
    chosen: Settings | None = None,
) -> tuple[tuple[InstalledModel, ...], tuple[PlaceProblem, ...]]:
    """All that is installed, and the places where it cannot be told."""
    from engine.store.library import hf_cache, scan, usage

    chosen = read_settings() if chosen is None else chosen
    found = paths.find()
    file = found.cache / scan.CACHE_FILE
    known = scan.ScanCache.load(file)
    cache = hf_cache.cache_folder() if chosen.use_hf_cache else None
    places = (models_folder(), cache, tuple(Path(folder) for folder in chosen.library_folders))
    result = scan.scan(*places, known=known, used=usage.last_used(found.state))
    if file.parent.is_dir():  # the window makes it; a scan alone leaves no trace
        known.save(file)
    return result, scan.place_problems(*places, known)


def find(text: str) -> InstalledModel | None:
    """The installed model that `text` names: "owner/name", "owner/name:VARIANT", or a name.

    Raises:
        SeveralError: it names several.
    """
    from engine.store.library.find import find_installed

    found = find_installed(scanned(), text)
    if len({(model.repo or model.path, model.variant) for model in found}) > 1:
        raise SeveralError(_several(text, found))
    # One that is whole and our own before the same one elsewhere.
    return min(found, key=lambda model: (not model.is_whole, not model.deletable), default=None)


def _several(text: str, found: tuple[InstalledModel, ...]) -> str:
    named = [f"{model.repo}:{model.variant}" if model.variant else model.path for model in found]
    more = "" if len(named) <= MOST_NAMED else f" and {len(named) - MOST_NAMED} more"
    return f"“{text}” may be several models; say which: {', '.join(named[:MOST_NAMED])}{more}."


def local_path(model: str) -> Path | None:
    """Where a model lies on this computer; None: it names one on the hub.

    A path, "starter", the name of a folder in the model store, or of an installed model.

    Raises:
        SeveralError: it names several.
    """
    if model == STARTER:
        return starter_folder()
    path = absolute(model)
    looks_like_a_path = model.startswith(("/", ".", "~")) or model.count("/") > 1
    if looks_like_a_path or os.path.exists(path):  # noqa: PTH110 - Path's raises where one may not
        return path
    stored = models_folder() / model
    if is_model_id(model) and os.path.isdir(stored):  # noqa: PTH112 - as above
        return stored
    installed = find(model)
    if installed is not None:
        return Path(installed.path)
    return None if is_model_id(model) or gguf_of(model) else path


def gguf_of(model: str) -> tuple[str, str] | None:
    """The two parts of "owner/name:file.gguf"."""
    name, colon, file = model.partition(":")
    if colon and is_model_id(name) and file.lower().endswith(".gguf") and ".." not in file:
        return name, file
    return None


def named_file(text: str) -> Path:
    """The GGUF file that `text` means: a path, or the name of an installed model that is one.

    Raises:
        argparse.ArgumentTypeError: it names several, or one that is not here.
    """
    import argparse

    try:
        return required_path(text)
    except (SeveralError, NotInstalledError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def required_path(model: str) -> Path:
    """As `local_path`, for what must lie here to be used.

    Raises:
        SeveralError: it names several.
        NotInstalledError: it is a model of the hub, and not here.
    """
    path = local_path(model)
    if path is not None:
        return path
    if "/" not in model:  # as a hub's name without an owner reads: rather a folder's, mistyped
        return absolute(model)
    raise NotInstalledError(
        f"{model} is not installed. Fetch it with: {command('models')} pull {model}"
    )
