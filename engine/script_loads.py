"""What the scripted engine says of a load: the settings as used, and the memory."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from engine.protocol import DeviceMemory, Failure, LoadSettings
from engine.script import Script

GIB = 1 << 30
GPU_BYTES = 24 * GIB
WEIGHTS_BYTES = 4 * GIB


def context_of(settings: LoadSettings, script: Script) -> int:
    """Tokens: as asked for, -1 and None mean the script's own."""
    asked = settings.max_model_len
    return asked if asked is not None and asked > 0 else script.context


def as_used(settings: LoadSettings, script: Script) -> LoadSettings:
    """`settings` with what the engine decides filled in."""
    devices = settings.devices or tuple(range(min(settings.tensor_parallel_size, script.gpus)))
    return replace(
        settings,
        dtype=settings.dtype or "auto",
        max_model_len=context_of(settings, script),
        max_num_seqs=settings.max_num_seqs or script.max_running,
        devices=devices[: settings.tensor_parallel_size],
    )


def memory_of(settings: LoadSettings, script: Script, kv_bytes: int) -> tuple[DeviceMemory, ...]:
    """What each GPU holds; nothing of a CPU."""
    devices = as_used(settings, script).devices
    share = max(1, len(devices))
    return tuple(
        DeviceMemory(
            device=device,
            name="Scripted GPU",
            total=GPU_BYTES,
            weights=WEIGHTS_BYTES // share,
            kv=kv_bytes // share,
            graphs=GIB // 4,
            overhead=GIB,
            others=GIB // 2,
        )
        for device in devices
    )


def to_be_converted(model: Path, load_id: int) -> Failure | None:
    """What the CPU's engine says of a GGUF file that was not converted; None of all others."""
    from engine.store.folder_error import ModelFolderError
    from engine.store.gguf_source import source_of

    try:
        source_of(model, device="cpu", plugin=False)
    except ModelFolderError as error:
        return replace(error.failure, load_id=load_id)
    return None
