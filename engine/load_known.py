"""What an engine knows of the load that failed, for remedies that do not guess."""

from __future__ import annotations

from engine.load_defaults import choose_settings, read_machine
from engine.protocol import LoadSettings
from engine.remedies import Known
from engine.store.model_folder import ModelFacts

_VALUE_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
_FP8_KV = "fp8"


def known_of(facts: ModelFacts, asked: LoadSettings, *, on_cpu: bool) -> Known:
    """The load of `facts` with `asked`: its settings as used, the model's sizes.

    Never raises: what cannot be found out is left open.
    """
    try:
        machine = read_machine("cpu" if on_cpu else "cuda")
        settings = choose_settings(facts, machine, asked)
        gpus = len(machine.gpus)
    except Exception:
        settings, gpus = asked, 0
    value_bytes = _VALUE_BYTES.get(settings.dtype or "", facts.parameter_bytes)
    if settings.kv_cache_dtype.startswith(_FP8_KV):
        value_bytes = 1
    return Known(
        settings=settings,
        gpus=gpus,
        on_cpu=on_cpu,
        context=facts.context,
        kv_bytes_per_token=facts.kv_bytes_per_token(value_bytes),
        weights_bytes=facts.weights_bytes,
        block_size=settings.block_size or (32 if on_cpu else 16),
        gguf="" if facts.weights_file is None else str(facts.weights_file),
    )
