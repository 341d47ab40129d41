"""The environment an engine process runs in: offline, private, and fair to the desktop.

Threads. Measured on 2 cores with SmolLM2-135M in bfloat16, tokens/s at 1, 4 and 16
streams, idle machine and beside one other busy process:

    libgomp, default spin                25    90   300   (collapses: < 1)
    libgomp, OMP_WAIT_POLICY=PASSIVE     15    59   204     17   63   194
    Intel OpenMP, default blocktime      26    96   303      8   39   126
    Intel OpenMP, KMP_BLOCKTIME=200us    25    91   299     15   54   176

Threads that spin for a short while win both ways: an idle machine loses nothing, a busy
one keeps its fair share. `cpu_share` lowers the thread count when others want cores.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from engine.protocol import LoadSettings

MARK = "INGLENOOK_ENGINE_ENVIRONMENT"

# What an engine must never see: secrets, and switches that open vLLM up.
REMOVED = (
    "HF_TOKEN",
    "HUGGING_FACE_HUB_TOKEN",
    "HF_TOKEN_PATH",
    "VLLM_ALLOW_INSECURE_SERIALIZATION",
    "VLLM_API_KEY",
    "OPENAI_API_KEY",
    "PYTHONOPTIMIZE",
    "VLLM_CPU_KVCACHE_SPACE",
)

_FIXED = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    # GPUs are numbered as nvidia-smi, NVML and so the window number them.
    "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    "VLLM_LOGGING_COLOR": "0",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",  # the cores are the streams'
    "PYTHONUNBUFFERED": "1",
    "PYTHONFAULTHANDLER": "1",
}


def physical_cores(
    allowed: set[int] | None = None, root: Path = Path("/sys/devices/system/cpu")
) -> int:
    """How many physical cores this process may run on: hyper-threads share one."""
    allowed = os.sched_getaffinity(0) if allowed is None else allowed
    cores: set[str] = set()
    for cpu in allowed:
        try:
            cores.add((root / f"cpu{cpu}/topology/thread_siblings_list").read_text().strip())
        except OSError:
            cores.add(str(cpu))
    return max(1, len(cores))


def omp_threads(cores: int) -> int:
    """Threads for the engine: all cores of a small machine, one spared from six up."""
    return cores - 1 if cores >= 6 else cores


def engine_environment(
    base: dict[str, str], prefix: Path | None = None, cores: int | None = None
) -> dict[str, str]:
    """The variables for an engine process, made from the window's.

    What the user has set about threads is kept; `prefix` is the Python environment in
    which Intel's OpenMP may lie (a dependency of vLLM's CPU build on x86).
    """
    prefix = Path(sys.prefix) if prefix is None else prefix
    environment = {key: value for key, value in base.items() if key not in REMOVED}
    environment |= _FIXED
    environment[MARK] = "1"
    cache = cache_folder(base)
    environment.setdefault("VLLM_CACHE_ROOT", str(cache / "vllm"))
    environment.setdefault("VLLM_CONFIG_ROOT", str(cache / "vllm-config"))
    if is_cpu_build(prefix):
        _set_threads(environment, base, prefix, cores or physical_cores())
    return environment


def load_variables(settings: LoadSettings, *, on_cpu: bool, threads: int) -> dict[str, str]:
    """What to set when a load comes, before CUDA is touched and workers are spawned.

    The engine process has imported vLLM by then, but neither CUDA nor vLLM's workers have read
    these; a process loads one model in its life, so they need never be taken back. `threads`:
    OpenMP's, for all workers together.
    """
    tp = settings.tensor_parallel_size
    if on_cpu:
        if tp == 1:
            return {}
        # VLLM would bind each worker to a NUMA node of its own, which desktops have not; and
        # bound threads lose more than their share to other programs.
        return {
            "VLLM_CPU_OMP_THREADS_BIND": "nobind",
            "OMP_NUM_THREADS": str(max(1, threads // tp)),
        }
    variables: dict[str, str] = {}
    if settings.devices:
        # The others are out of reach: no context on them, and every number that vLLM derives
        # from "the first GPU" is of one of these.
        variables["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, settings.devices[:tp]))
    if settings.disable_p2p:
        variables["NCCL_P2P_DISABLE"] = "1"
    return variables


def is_cpu_build(prefix: Path) -> bool:
    """Whether the Python environment at `prefix` holds vLLM's CPU build."""
    return any(prefix.glob("lib/python3*/site-packages/vllm_cpu-*.dist-info"))


def _set_threads(
    environment: dict[str, str], base: dict[str, str], prefix: Path, cores: int
) -> None:
    """OpenMP for the CPU build. The CUDA build wants one thread and sees to it itself."""
    environment.setdefault("OMP_NUM_THREADS", str(omp_threads(cores)))
    preload = base.get("LD_PRELOAD", "")
    iomp = prefix / "lib" / "libiomp5.so"
    if iomp.is_file() and "libgomp" not in preload:
        if "libiomp" not in preload:
            environment["LD_PRELOAD"] = ":".join(filter(None, [str(iomp), preload]))
        environment.setdefault("KMP_BLOCKTIME", "200us")
        environment.setdefault("KMP_AFFINITY", "none")
    else:
        environment.setdefault("GOMP_SPINCOUNT", "2000")
        environment.setdefault("OMP_PROC_BIND", "false")


def cache_folder(base: Mapping[str, str]) -> Path:
    """Where what can be made again is kept, as `desktop.paths` has it."""
    if given := base.get("INGLENOOK_CACHE"):
        return Path(given)
    if home := base.get("INGLENOOK_HOME"):
        return Path(home) / "cache"
    return Path(base.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inglenook"
