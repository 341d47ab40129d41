"""The parts of a GPU's memory make its whole, whatever driver and engine say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.hardware.readings import GpuProcess, GpuReading, HostReading
from desktop.models.monitor.frames import EngineFrame
from desktop.models.monitor.memory_split import (
    Part,
    Segment,
    names_of,
    split_gpu,
    split_host,
)
from engine.protocol import DeviceMemory, Loaded, Telemetry

GIB = 1 << 30


def engine(
    *memory: DeviceMemory, phase: str = "ready", pids: tuple[int, ...] = (7,), resident: int = 0
) -> EngineFrame:
    loaded = Loaded(1, "/m", 8, 8, 16, 1, "auto", "GPU", 1, 0.0, memory=memory)
    telemetry = Telemetry(1, 0, 2, 8, 0.0, 0.0, kv_cached=1, resident_bytes=resident)
    return EngineFrame(0, "/m", phase, loaded, telemetry, pids=pids)


def gpu(*processes: GpuProcess, used: int, reserved: int = GIB // 2) -> GpuReading:
    return GpuReading(
        0,
        memory_total=24 * GIB,
        memory_used=used,
        memory_reserved=reserved,
        processes=processes,
    )


def sizes(segments: tuple[Segment, ...]) -> dict[Part, int]:
    found = dict.fromkeys(Part, 0)
    for one in segments:
        found[one.part] += one.bytes
    return {part: size for part, size in found.items() if size}


def test_a_card_with_a_model_and_a_game() -> None:
    ours = DeviceMemory(0, "RTX", 24 * GIB, weights=5 * GIB, kv=8 * GIB)
    reading = gpu(
        GpuProcess(7, "python", 14 * GIB),
        GpuProcess(50, "game", 3 * GIB),
        GpuProcess(51, None, GIB),
        used=19 * GIB,
    )
    segments = split_gpu(reading, [engine(ours)])
    assert sizes(segments) == {
        Part.WEIGHTS: 5 * GIB,
        Part.KV_USED: 2 * GIB,
        Part.KV_CACHED: GIB,
        Part.KV_FREE: 5 * GIB,
        Part.OVERHEAD: GIB,
        Part.OTHER: 4 * GIB,
        Part.UNNAMED: GIB,
        Part.RESERVED: GIB // 2,
        Part.FREE: 24 * GIB - 19 * GIB - GIB // 2,
    }
    assert names_of(segments, Part.OTHER) == ("game",)
    assert [one.part for one in segments] == sorted(
        (one.part for one in segments), key=list(Part).index
    )


def test_a_load_under_way_is_ours_and_nothing_more_is_said() -> None:
    loading = EngineFrame(0, "/m", "loading", pids=(7,))
    reading = gpu(GpuProcess(7, "python", 3 * GIB), used=3 * GIB, reserved=0)
    assert sizes(split_gpu(reading, [loading])) == {Part.OVERHEAD: 3 * GIB, Part.FREE: 21 * GIB}


def test_a_model_asleep_holds_what_the_driver_says() -> None:
    ours = DeviceMemory(0, "RTX", 24 * GIB, weights=5 * GIB, kv=8 * GIB)
    reading = gpu(GpuProcess(7, "python", GIB), used=GIB, reserved=0)
    parts = sizes(split_gpu(reading, [engine(ours, phase="sleeping")]))
    assert parts == {Part.OVERHEAD: GIB, Part.FREE: 23 * GIB}


def test_where_the_driver_names_no_sizes_the_engines_word_counts() -> None:
    ours = DeviceMemory(0, "RTX", 24 * GIB, weights=5 * GIB, kv=8 * GIB, overhead=GIB)
    for processes in ((GpuProcess(7, "python", None),), ()):
        parts = sizes(split_gpu(gpu(*processes, used=16 * GIB, reserved=0), [engine(ours)]))
        assert parts[Part.WEIGHTS] == 5 * GIB
        assert parts[Part.OVERHEAD] == GIB
        assert parts[Part.UNNAMED] == 2 * GIB


def test_an_engine_of_another_card_is_not_on_this_one() -> None:
    elsewhere = DeviceMemory(1, "RTX", 24 * GIB, weights=5 * GIB, kv=8 * GIB)
    reading = gpu(GpuProcess(50, "game", GIB), used=GIB, reserved=0)
    assert sizes(split_gpu(reading, [engine(elsewhere)])) == {
        Part.OTHER: GIB,
        Part.FREE: 23 * GIB,
    }


def test_on_the_cpu_it_is_the_computers_memory() -> None:
    ours = DeviceMemory(-1, "CPU", 16 * GIB, weights=GIB, kv=4 * GIB)
    host = HostReading(ram_total=16 * GIB, ram_available=10 * GIB)
    parts = sizes(split_host(host, [engine(ours, resident=3 * GIB)]))
    # Of the KV cache only what was written to is memory in fact.
    assert parts == {
        Part.WEIGHTS: GIB,
        Part.KV_USED: GIB,
        Part.KV_CACHED: GIB // 2,
        Part.KV_FREE: GIB // 2,
        Part.OTHER: 3 * GIB,
        Part.FREE: 10 * GIB,
    }


def test_what_is_not_known_has_no_parts() -> None:
    assert split_gpu(GpuReading(0), []) == ()
    assert split_host(HostReading(), []) == ()


SIZES = st.integers(0, 40 * GIB)


@given(SIZES, SIZES, SIZES, st.lists(st.tuples(st.integers(5, 9), SIZES | st.none()), max_size=5))
def test_whatever_is_said_the_parts_make_the_whole(
    used: int, weights: int, kv: int, processes: list[tuple[int, int | None]]
) -> None:
    listed = tuple(GpuProcess(pid, str(pid), size) for pid, size in dict(processes).items())
    ours = DeviceMemory(0, "RTX", 24 * GIB, weights=weights, kv=kv)
    segments = split_gpu(gpu(*listed, used=used), [engine(ours, pids=(7, 8))])
    assert sum(one.bytes for one in segments) == 24 * GIB
    assert all(one.bytes > 0 for one in segments)
