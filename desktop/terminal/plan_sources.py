"""What `plan` plans with: a model's shape from wherever it is, and hardware read or named."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from desktop import paths
from desktop.models.loading.machine_reading import read_machine
from engine.planner.learned import Learned
from engine.planner.machine import GIB, Gpu, Host, Machine
from engine.planner.shape import ModelShape, ShapeError, shape_of_folder
from engine.store.folders import absolute, models_folder, starter_folder
from engine.store.remote_shape import RemoteError, fetch_gguf_shape, fetch_shape, is_model_id

STARTER = "starter"
LONGEST = 400  # characters of a path that are shown
Report = Callable[[int, int], None]


def local_path(model: str) -> Path | None:
    """Where a model lies on this computer; None: it names one on the hub.

    A path, "starter", or the name of a folder in the model store.
    """
    if model == STARTER:
        return starter_folder()
    path = absolute(model)
    looks_like_a_path = model.startswith(("/", ".", "~")) or model.count("/") > 1
    if looks_like_a_path or os.path.exists(path):  # noqa: PTH110 - as below
        return path
    stored = models_folder() / model
    if is_model_id(model) and os.path.isdir(stored):  # noqa: PTH112 - as below
        return stored
    return None if is_model_id(model) or _gguf_of(model) else path


def _gguf_of(model: str) -> tuple[str, str] | None:
    """The two parts of "owner/name:file.gguf"."""
    name, colon, file = model.partition(":")
    if colon and is_model_id(name) and file.lower().endswith(".gguf") and ".." not in file:
        return name, file
    return None


def read_model(model: str, revision: str, report: Report) -> ModelShape:
    """The shape of `model`.

    Raises:
        ShapeError: it is on this computer, and cannot be read.
        RemoteError: it is not, and the hub does not tell.
    """
    path = local_path(model)
    if path is None:
        file = _gguf_of(model)
        if file is not None:
            return fetch_gguf_shape(*file, revision=revision)
        return fetch_shape(model, revision=revision, report=report)
    if not os.path.exists(path):  # noqa: PTH110 - Path's raises where one may not look
        raise ShapeError(f"There is no {_shown(path)}.")
    return shape_of_folder(path)


def _shown(path: Path) -> str:
    """A path for the user: one that is no name of a file here is cut."""
    text = os.fsencode(path).decode(errors="replace")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def machine_of(gpus: tuple[Gpu, ...] | None, ram: float | None) -> Machine:
    """This computer; with other GPUs, or so many GB of memory, where they are named."""
    machine = read_machine()
    if gpus is not None:
        machine = replace(machine, gpus=gpus)
    if ram is not None:
        size = int(ram * GIB)
        host = machine.host
        machine = replace(machine, host=Host(size, size, host.cores, host.flags, host.bandwidth))
    return machine


def learned() -> Learned:
    """What the loads in the window have measured."""
    try:
        from desktop.models.loading.load_memory import FILE_NAME, LoadMemory
    except ImportError:  # Qt's libraries are not there, and are not needed here
        return Learned()
    return LoadMemory(paths.find().state / FILE_NAME).learned()


__all__ = [
    "RemoteError",
    "ShapeError",
    "learned",
    "local_path",
    "machine_of",
    "read_model",
]
