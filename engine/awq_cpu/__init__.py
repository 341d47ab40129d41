"""4-bit weights on CPUs: AWQ, GPTQ and compressed-tensors W4A16 where vLLM's build dies."""

from __future__ import annotations


def install() -> None:
    """Make vLLM use our 4-bit kernel, on a CPU; on a GPU nothing changes.

    To be called in each process that loads a model, before vLLM's configuration is made.
    """
    from vllm.platforms import current_platform

    if current_platform.is_cpu():
        from engine.awq_cpu.vllm_config import register

        register()
