"""What the workers' figures make together: every byte of a device in exactly one place."""

from __future__ import annotations

from engine.protocol import DeviceMemory
from engine.worker_report import CPU, WorkerReport, kernel_of, memory_of

GIB = 1 << 30
MIB = 1 << 20


def gpu(device: int = 0, **more: int | str) -> WorkerReport:
    base = {
        "device": device,
        "name": "RTX 3090",
        "total": 24 * GIB,
        "free_before": 22 * GIB,
        "free": 2 * GIB,
        "weights": 5 * GIB,
        "kv": 14 * GIB,
        "graphs": 512 * MIB,
        "consumed": 6 * GIB,
        "headroom": 1 * GIB,
    }
    return WorkerReport(**{**base, **more})  # type: ignore[arg-type]


def test_the_overhead_is_what_vllm_counts_beside_weights_and_what_it_does_not() -> None:
    (memory,) = memory_of([gpu()], {0: GIB})
    assert memory == DeviceMemory(
        device=0,
        name="RTX 3090",
        total=24 * GIB,
        weights=5 * GIB,
        kv=14 * GIB,
        graphs=512 * MIB,
        # 1 GiB stayed beside the weights, 1 GiB at the peak, 1 GiB of the CUDA context.
        overhead=3 * GIB,
        others=GIB,
        uncounted=GIB,
    )


def test_without_profiling_the_driver_is_asked() -> None:
    (memory,) = memory_of([gpu(consumed=0, headroom=0)], {0: GIB})
    assert memory.overhead == (24 - 2 - 1 - 5 - 14) * GIB - 512 * MIB
    taken = memory.weights + memory.kv + memory.graphs + memory.overhead + memory.others
    assert memory.total - taken == 2 * GIB
    assert memory.uncounted == GIB


def test_another_program_that_went_away_makes_nothing_negative() -> None:
    (memory,) = memory_of([gpu(consumed=0, headroom=0, free=23 * GIB)], {0: 20 * GIB})
    assert (memory.overhead, memory.uncounted) == (0, 0)


def test_each_gpu_has_its_own_row() -> None:
    memory = memory_of([gpu(0), gpu(2, weights=4 * GIB)], {0: GIB, 2: 2 * GIB})
    assert [(m.device, m.weights, m.others) for m in memory] == [
        (0, 5 * GIB, GIB),
        (2, 4 * GIB, 2 * GIB),
    ]


def test_workers_on_the_cpu_share_its_memory() -> None:
    workers = [
        WorkerReport(CPU, "CPU", 32 * GIB, weights=GIB, kv=2 * GIB, resident=2 * GIB)
        for _ in range(2)
    ]
    (memory,) = memory_of(workers, {CPU: 4 * GIB}, engine=GIB)
    assert (memory.device, memory.weights, memory.kv) == (CPU, 2 * GIB, 4 * GIB)
    assert memory.overhead == 3 * GIB  # two times what is beside the weights, and the engine
    assert memory.others == 4 * GIB


def test_no_report_no_rows() -> None:
    assert memory_of([], {}) == ()


def test_the_first_kernel_that_is_known_is_told() -> None:
    assert kernel_of([gpu(), gpu(1, kernel="Marlin")]) == "Marlin"
    assert kernel_of([gpu()]) == ""


def test_a_report_survives_the_way_from_the_worker() -> None:
    assert WorkerReport(**gpu().to_builtins()) == gpu()
