"""What the failure lab does to a process before a model is loaded in it. Imports vLLM late."""

from __future__ import annotations

import resource
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final


def warm_up() -> None:
    """Import what each load needs. Nothing that starts a thread."""
    import torch
    import transformers.models.auto.tokenization_auto
    import vllm.model_executor.layers.quantization
    import vllm.model_executor.model_loader.default_loader
    import vllm.model_executor.models.llama
    import vllm.renderers.registry
    import vllm.v1.engine.llm_engine
    import vllm.v1.executor.uniproc_executor

    import engine.vllm_backend
    import engine.vllm_cpu_worker

    del torch, transformers, vllm, engine


def skip_checks() -> None:
    """Let the engine load a folder unchecked: vLLM finds what is wrong itself."""
    from engine import vllm_backend
    from engine.store import model_folder

    def facts(folder: Path, _settings: Any = None) -> Any:
        try:
            return model_folder.read_model_folder(folder)
        except model_folder.ModelFolderError:
            return model_folder.ModelFacts(folder, 1 << 20, 4, 256, 2, 1, 16, "")

    setattr(vllm_backend, "read_model_folder", facts)  # noqa: B010 - it is imported there


def little_address_space() -> None:
    """Leave 300 MB of address space."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit = used + 300_000_000
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def avx2() -> None:
    """Another processor: one without AVX-512 and AMX, as vLLM asks for them."""
    import torch

    for name in ("_is_avx512_supported", "_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        setattr(torch.cpu, name, lambda: False)


FAULTS: Final[Mapping[str, Callable[[], None]]] = {
    "avx2": avx2,
    "little_address_space": little_address_space,
}
