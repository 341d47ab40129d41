"""What the GPUs are, and what others use of them, before a load touches them: through NVML."""

from __future__ import annotations

import re
from typing import Any

from engine.host_memory import resident_bytes, total_and_available
from engine.worker_report import CPU

# VLLM's own all-reduce needs cards that truly read each other's memory. Consumer cards say
# so on some boards and hang or give noise; NCCL is slower by little, and safe.
_DATA_CENTRE = re.compile(
    r"\b(A10|A30|A40|A100|A800|H20|H100|H200|H800|B100|B200|B300|GH200|GB200|GB300|V100|L4|L20|L40S?)\b"
)


def is_data_centre(name: str) -> bool:
    """Whether the GPU called `name` is made for servers."""
    return bool(_DATA_CENTRE.search(name))


def wants_custom_all_reduce(count: int) -> bool:
    """Whether vLLM's own all-reduce may be tried between the first `count` visible GPUs."""
    from vllm.platforms import current_platform

    return all(is_data_centre(current_platform.get_device_name(i)) for i in range(count))


def used_memory(*, on_cpu: bool) -> dict[int, int]:
    """Bytes that are taken on each device now, by its number; without this process's own."""
    if on_cpu:
        return {CPU: _used_by_others()}
    try:
        return _used_on_gpus()
    except Exception:  # NVML is one more thing that can fail, and the load goes without it
        return {}


def _used_on_gpus() -> dict[int, int]:
    from vllm.utils.import_utils import import_pynvml

    pynvml: Any = import_pynvml()
    pynvml.nvmlInit()
    try:
        used: dict[int, int] = {}
        for index in range(pynvml.nvmlDeviceGetCount()):
            memory = pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(index))
            used[index] = int(memory.total - memory.free)
        return used
    finally:
        pynvml.nvmlShutdown()


def _used_by_others() -> int:
    """Of the host's memory."""
    total, available = total_and_available()
    return max(0, total - available - resident_bytes())
