"""What `plan` plans with: a model's shape from wherever it is, and hardware read or named."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from desktop import paths
from desktop.models.loading.machine_reading import read_machine
from desktop.terminal.hub_calls import answers
from desktop.terminal.installed import SeveralError, gguf_of, local_path, read_settings
from desktop.terminal.online import SettingsError, go_online
from engine.planner.learned import Learned
from engine.planner.machine import GIB, Gpu, Host, Machine
from engine.planner.shape import ModelShape, ShapeError, shape_of_folder
from engine.store.hub.call import Call
from engine.store.hub.errors import HubError as RemoteError
from engine.store.hub.shapes import fetch_gguf_shape, fetch_shape, shape_call

LONGEST = 400  # characters of a path that are shown
Report = Callable[[int, int], None]


def read_model(model: str, revision: str, report: Report) -> ModelShape:
    """The shape of `model`.

    Raises:
        ShapeError: it is on this computer, and cannot be read.
        RemoteError: it is not, and the hub does not tell.
    """
    try:
        path = local_path(model)
    except SeveralError as error:
        raise ShapeError(str(error)) from error
    if path is None:
        try:
            go_online(read_settings())
        except SettingsError as error:
            raise RemoteError("proxy", str(error)) from error
        return next(answers([lambda call: _asked(model, revision, report, call)], 1, shape_call))
    if not os.path.exists(path):  # noqa: PTH110 - Path's raises where one may not look
        raise ShapeError(f"There is no {_shown(path)}.")
    return shape_of_folder(path)


def _asked(model: str, revision: str, report: Report, call: Call) -> ModelShape:
    file = gguf_of(model)
    if file is not None:
        return fetch_gguf_shape(*file, revision=revision, call=call)
    return fetch_shape(model, revision=revision, report=report, call=call)


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
