"""The scripted engine's loads: their stages and faults, the settings as used, the memory."""

from __future__ import annotations

import hashlib
import os
import signal
import threading
import time
from pathlib import Path

from msgspec.structs import replace

from engine.backend import Events
from engine.protocol import (
    DeviceMemory,
    Failure,
    Load,
    Loaded,
    LoadProgress,
    LoadSettings,
    LoadStage,
    Remedy,
    RemedyAction,
    Sampling,
    Scope,
    StageTime,
)
from engine.script import Script

GIB = 1 << 30
GPU_BYTES = 24 * GIB
WEIGHTS_BYTES = 4 * GIB
DEFAULT_SAMPLING = Sampling(temperature=0.7, top_p=0.95, top_k=40, repetition_penalty=1.05)
STEPS = 5  # that a stage is told in


def play_load(load: Load, script: Script, events: Events, block_size: int) -> Loaded | None:
    """Take the time of a load and tell its stages; None: it has failed, which is told, too."""
    began = time.monotonic()
    settings = load.settings
    refused = _refused(load, script)
    if refused is not None:
        events.failed(refused)
        return None
    several = settings.tensor_parallel_size > 1
    hangs = script.hang_load or (several and script.hang_tp and not settings.disable_p2p)
    stages: list[StageTime] = []
    for stage in LoadStage:
        if stage is LoadStage.DESCRIBING:
            continue  # what it plays are folders
        entered = time.monotonic()
        for step in range(STEPS):
            events.load_progress(
                LoadProgress(load.load_id, stage, time.monotonic() - began, step / STEPS)
            )
            if stage is LoadStage.PROFILING_MEMORY and step == 2:
                if script.crash_load:
                    os.kill(os.getpid(), signal.SIGABRT)
                if hangs:
                    threading.Event().wait()
            time.sleep(script.load_seconds / (STEPS * len(LoadStage)))
        stages.append(StageTime(stage, time.monotonic() - entered))
    kv_tokens = script.kv_blocks * block_size
    return Loaded(
        load_id=load.load_id,
        model=load.model,
        context=context_of(settings, script),
        kv_blocks=script.kv_blocks,
        block_size=block_size,
        max_num_seqs=script.max_running,
        dtype="scripted",
        device="Scripted GPU" if script.gpus else "scripted",
        kv_cache_bytes=kv_tokens * 1024,
        seconds=time.monotonic() - began,
        stages=tuple(stages),
        default_sampling=DEFAULT_SAMPLING,
        engine_version="scripted",
        template_hash=hashlib.sha256(b"scripted").hexdigest()[:16],
        can_sleep=script.gpus > 0,
        tensor_parallel_size=settings.tensor_parallel_size,
        kv_tokens=kv_tokens,
        settings=as_used(settings, script),
        kernel=script.kernel,
        memory=memory_of(settings, script, kv_tokens * 1024),
    )


def _refused(load: Load, script: Script) -> Failure | None:
    folder = Path(load.model)
    fails = script.fail_load or (script.fail_tp if load.settings.tensor_parallel_size > 1 else "")
    if fails or not (folder.is_dir() or (folder.suffix == ".gguf" and folder.is_file())):
        return Failure(
            Scope.LOAD,
            fails or f"There is no model folder at {load.model}.",
            code="scripted" if fails else "model_missing",
            remedies=(
                Remedy("Choose another model", RemedyAction.CHOOSE_MODEL),
                Remedy("Try again", RemedyAction.RETRY),
            ),
            load_id=load.load_id,
        )
    return to_be_converted(folder, load.load_id) if script.converts else None


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
