"""The weight loader that vLLM uses for us: safetensors only, and it tells how far it is.

It runs where the weights are read: in the engine's process, or in the workers of a model that
is split over several devices; those count into the engine's load folder. Registered by name,
in each process that loads.
"""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from engine.load_folder import LoadFolder

LOADER_NAME = "inglenook"
NOTE_SECONDS = 0.1  # between two notes of a worker

# The loader is made by vLLM, from its class: it finds here whom to tell.
_report: Callable[[int], None] | None = None


def report_to(report: Callable[[int], None] | None) -> None:
    """Have the bytes read so far told to `report`, in this process; None: to nobody."""
    global _report
    _report = report


def register() -> None:
    """Make the loader known to vLLM under `LOADER_NAME`."""
    from vllm.model_executor.model_loader import register_model_loader
    from vllm.model_executor.model_loader.default_loader import DefaultModelLoader

    class ReportingLoader(DefaultModelLoader):  # type: ignore[misc]
        """Reads safetensors only, and counts the bytes that went by."""

        def __init__(self, load_config: Any) -> None:
            load_config = copy.copy(load_config)
            load_config.load_format = "safetensors"
            super().__init__(load_config)

        def get_all_weights(self, model_config: Any, model: Any) -> Iterator[tuple[str, Any]]:
            tell = _report or _notes(LoadFolder.of_worker(os.environ))
            read = 0
            for name, tensor in super().get_all_weights(model_config, model):
                yield name, tensor
                read += tensor.numel() * tensor.element_size()
                tell(read)

        def load_weights(self, model: Any, model_config: Any) -> None:
            super().load_weights(model, model_config)
            # Before any kernel packs them away where they cannot be seen.
            model.inglenook_loaded_bytes = stored_bytes([*model.parameters(), *model.buffers()])

    register_model_loader(LOADER_NAME)(ReportingLoader)


def stored_bytes(tensors: list[Any]) -> int:
    """Bytes that `tensors` hold together; what they share counts once."""
    storages = {
        storage.data_ptr(): storage.nbytes()
        for storage in (tensor.untyped_storage() for tensor in tensors)
    }
    return sum(storages.values())


def _notes(folder: LoadFolder | None) -> Callable[[int], None]:
    """A worker's way to tell: into the engine's folder, a few times a second."""
    if folder is None:
        return lambda _read: None
    last = 0.0

    def note(read: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= NOTE_SECONDS:
            last = now
            folder.note_read(read)

    return note
