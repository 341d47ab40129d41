"""The limit of the memory's bandwidth, the timeline of a load, the columns of a plot."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.hardware.readings import GpuReading, Throttle
from desktop.models.monitor.card_figures import is_full, is_held_back, is_hot, scales_of
from desktop.models.monitor.frames import EngineFrame, LoadFrame
from desktop.models.monitor.plot_columns import Columns, nearest, nice_bytes, nice_top
from desktop.models.monitor.roofline import Roofline, Unknown, batch_of, roofline
from desktop.models.monitor.timeline import Step, load_of, timeline_of
from engine.planner.machine import Gpu, Host, Machine, parse_gpus
from engine.planner.model_shape import ModelShape
from engine.planner.shape import read_shape
from engine.protocol import (
    DeviceMemory,
    KvReport,
    KvRequest,
    Loaded,
    LoadSettings,
    LoadStage,
    Telemetry,
)

VECTORS = json.loads((Path(__file__).parent / "data" / "planner_vectors.json").read_text())
GIB = 1024**3
NAN = math.nan
KV_TOKEN = 131_072  # bytes of Llama-3.1-8B in 16 bits
AWQ_READ = 4.677e9  # bytes that its AWQ build reads for a token


def llama(*, awq: bool = True) -> ModelShape:
    """Llama-3.1-8B, as in the planner's vectors."""
    config = dict(VECTORS["models"]["Llama-3.1-8B"]["config"])
    if awq:
        config["quantization_config"] = {"quant_method": "awq", "bits": 4, "group_size": 128}
    return read_shape(config)


def loaded(*devices: int, **fields: object) -> Loaded:
    """It, loaded on these devices; -1 is the processor."""
    on_cpu = devices == (-1,)
    name = "CPU" if on_cpu else "NVIDIA GeForce RTX 3090"
    given = {
        "load_id": 1,
        "model": "/models/llama",
        "context": 8192,
        "kv_blocks": 1000,
        "block_size": 16,
        "max_num_seqs": 64,
        "dtype": "float16",
        "device": name,
        "kv_cache_bytes": GIB,
        "seconds": 1.0,
        "tensor_parallel_size": max(1, len(devices)),
        "memory": tuple(DeviceMemory(device, name, 24 * GIB, GIB, GIB) for device in devices),
    }
    return Loaded(**(given | fields))  # type: ignore[arg-type]


def machine(gpus: str, bandwidth: float | None = None) -> Machine:
    return Machine(parse_gpus(gpus), Host(64 * GIB, 32 * GIB, 8, bandwidth=bandwidth))


def limit_of(made: Roofline) -> float:
    assert made.tps is not None
    assert made.unknown is None
    return made.tps


@pytest.mark.parametrize(("card", "expected"), [("3090", 200), ("4090", 216)])
def test_one_chat_is_bound_by_the_weights(card: str, expected: float) -> None:
    found = roofline(llama(), loaded(0, device=card), machine(card))
    assert limit_of(found) == pytest.approx(expected, abs=0.6)
    assert found.step_bytes == pytest.approx(AWQ_READ, rel=0.001)
    assert found.share(100) == pytest.approx(100 / limit_of(found))


def test_a_context_is_read_for_each_token() -> None:
    found = roofline(llama(), loaded(0), machine("3090"), context=8000)
    assert limit_of(found) == pytest.approx(936.2e9 / (AWQ_READ + 8000 * KV_TOKEN), rel=0.002)


def test_a_batch_reads_the_weights_once_and_each_chats_kv() -> None:
    found = roofline(llama(), loaded(0), machine("3090"), chats=16, context=1024)
    step = AWQ_READ + 16 * 1024 * KV_TOKEN
    assert found.step_bytes == pytest.approx(step, rel=0.002)
    assert limit_of(found) == pytest.approx(16 * 936.2e9 / step, rel=0.002)


@given(st.integers(1, 64), st.integers(0, 8192))
def test_more_chats_are_faster_together_and_slower_each(chats: int, context: int) -> None:
    shape, on, here = llama(), loaded(0), machine("3090")
    one = limit_of(roofline(shape, on, here, context=context))
    many = limit_of(roofline(shape, on, here, chats=chats, context=context))
    assert one * 0.999 <= many <= one * chats * 1.001


def test_two_cards_share_the_weights_and_wait_for_the_slower() -> None:
    one = limit_of(roofline(llama(), loaded(0), machine("3090")))
    two = roofline(llama(), loaded(0, 1), machine("2x3090"))
    assert two.devices == 2
    assert limit_of(two) == pytest.approx(2 * one, rel=0.01)
    slower = roofline(llama(), loaded(0, 1), machine("3090,3060"))
    assert slower.bandwidth == pytest.approx(360e9, rel=0.01)


def test_an_fp8_cache_is_half_as_long_to_read() -> None:
    def kv(kv_dtype: str) -> float:
        on = loaded(0, settings=LoadSettings(kv_cache_dtype=kv_dtype))
        return roofline(llama(), on, machine("3090"), context=8000).step_bytes - AWQ_READ

    assert kv("fp8") == pytest.approx(kv("auto") / 2, rel=0.01)


def test_what_is_not_known_is_said_to_be_not_known() -> None:
    strange = Machine((Gpu(0, "Voodoo 5", 24 * GIB),), Host(GIB, GIB))
    here = machine("3090")
    assert roofline(llama(), None, here).unknown is Unknown.NO_MODEL
    assert roofline(None, loaded(0), here).unknown is Unknown.NO_SHAPE
    assert roofline(llama(), loaded(0), strange).unknown is Unknown.NO_CARD
    assert roofline(llama(), loaded(-1), machine("none")).unknown is Unknown.NO_CPU
    offloaded = loaded(0, settings=LoadSettings(cpu_offload_bytes=GIB))
    assert roofline(llama(), offloaded, here).unknown is Unknown.OFFLOAD
    assert roofline(None, loaded(0), here).share(100) is None


def test_a_card_that_is_in_no_table_is_believed_what_it_tells() -> None:
    told = Machine((Gpu(0, "Voodoo 5", 24 * GIB, bandwidth=500e9),), Host(GIB, GIB))
    found = roofline(llama(), loaded(0), told)
    assert limit_of(found) == pytest.approx(500e9 / AWQ_READ, rel=0.001)


def test_a_processor_whose_memory_was_measured_has_a_limit() -> None:
    shape = llama(awq=False)
    found = roofline(shape, loaded(-1, dtype="bfloat16"), machine("none", 40e9))
    assert limit_of(found) == pytest.approx(40e9 / (7.504e9 * 2), rel=0.01)
    workers = loaded(-1, dtype="bfloat16", tensor_parallel_size=2)
    assert limit_of(roofline(shape, workers, machine("none", 40e9))) == limit_of(found)


def reading(**fields: object) -> Telemetry:
    given = {
        "running": 4,
        "waiting": 1,
        "kv_used": 100,
        "kv_total": 1000,
        "generation_tps": 50.0,
        "prompt_tps": 0.0,
    }
    return Telemetry(**(given | fields))  # type: ignore[arg-type]


def test_the_batch_is_what_runs() -> None:
    requests = (
        KvRequest("a", b"", 100, 101, 0, 0),
        KvRequest("b", b"", 300, 301, 0, 0),
        KvRequest("c", b"", 900, 901, 0, 0, position=1),
    )
    report = KvReport(1, 16, 1000, 0, 0, b"", requests)
    assert batch_of(reading(), report, 16) == (2, 200)
    assert batch_of(reading(), None, 16) == (4, 400)
    assert batch_of(reading(running=0), None, 16) == (0, 0)


# --- timeline --------------------------------------------------------------------------------

USUAL = {"importing": 3.0, "reading_weights": 5.0, "warming_up": 2.0}


def test_a_load_that_is_over_has_its_stages_one_after_the_other() -> None:
    load = LoadFrame(
        "",
        9.0,
        {"importing": 2.0, "reading_weights": 6.0, "warming_up": 1.0},
        memory={"reading_weights": 5 * GIB, "warming_up": 4 * GIB},
    )
    line = timeline_of(load, USUAL, is_live=False)
    assert [row.begin for row in line.rows] == [0.0, 2.0, 8.0]
    assert [row.step for row in line.rows] == [Step.DONE] * 3
    assert [row.memory for row in line.rows] == [None, 5 * GIB, -GIB]
    assert (line.usual, line.memory, line.is_live) == (10.0, 4 * GIB, False)
    assert line.span >= 10.0  # the last stage's usual end has room


def test_a_load_under_way_shows_what_is_ahead() -> None:
    load = LoadFrame("reading_weights", 4.0, {"importing": 2.0}, 0.3)
    rows = timeline_of(load, USUAL, is_live=True).rows
    assert [row.stage for row in rows] == ["importing", "reading_weights", "warming_up"]
    assert [row.step for row in rows] == [Step.DONE, Step.NOW, Step.AHEAD]
    assert rows[1].seconds == 2.0
    assert rows[1].fraction == 0.3
    assert rows[2].begin == 7.0  # 2 s of importing, and the usual 5 s of reading


def test_a_load_that_failed_ends_in_its_stage() -> None:
    load = LoadFrame("reading_weights", 4.0, {"importing": 2.0})
    rows = timeline_of(load, USUAL, is_live=False).rows
    assert [row.step for row in rows] == [Step.DONE, Step.ENDED]


def test_a_stage_that_was_left_out_this_time_is_not_ahead() -> None:
    usual = USUAL | {"describing": 4.0}
    load = LoadFrame("reading_weights", 4.0, {"importing": 2.0})
    stages = [row.stage for row in timeline_of(load, usual, is_live=True).rows]
    assert "describing" not in stages


def test_the_load_under_way_comes_before_the_last_one() -> None:
    now, before = LoadFrame("importing", 1.0, {}), LoadFrame("", 9.0, {"importing": 2.0})
    frame = EngineFrame(1, "m", "loading", load=now, past=before)
    assert load_of(frame) == (now, True)
    assert load_of(EngineFrame(1, "m", "ready", past=before)) == (before, False)
    assert load_of(EngineFrame(1, "m", "idle")) == (None, False)


stages = st.dictionaries(
    st.sampled_from([*(stage.value for stage in LoadStage), "unheard_of"]), st.floats(0, 1e4)
)


@given(stages, stages, st.sampled_from(["", *LoadStage]), st.floats(0, 1e5), st.booleans())
def test_any_load_can_be_shown(
    done: dict[str, float], usual: dict[str, float], stage: str, elapsed: float, live: bool
) -> None:
    line = timeline_of(LoadFrame(str(stage), elapsed, done), usual, is_live=live)
    assert line.span > 0
    assert all(0 <= row.begin <= line.span for row in line.rows)
    assert all(row.begin + row.seconds <= line.span * 1.000001 for row in line.rows)


# --- plots -----------------------------------------------------------------------------------


def shown(columns: Columns) -> list[tuple[int, float, float, float]]:
    return [(one.slot, one.least, one.most, one.last) for one in columns.items]


def test_readings_of_one_column_are_taken_together() -> None:
    columns = Columns(1.0)
    assert columns.take([0.1, 0.5, 0.9, 1.5], [3.0, 1.0, 2.0, 7.0])
    assert shown(columns) == [(0, 1.0, 3.0, 2.0), (1, 7.0, 7.0, 7.0)]
    assert columns.extremes() == (1.0, 7.0)


def test_a_reading_that_is_not_there_breaks_the_line() -> None:
    columns = Columns(1.0)
    columns.take([0.5, 0.6, 2.5, 3.5], [3.0, NAN, NAN, 4.0])
    assert [one.breaks for one in columns.items] == [True, True, False]
    assert columns.extremes() == (3.0, 4.0)
    assert Columns(1.0).extremes() is None


values = st.lists(st.one_of(st.floats(0, 100), st.just(NAN)), min_size=1, max_size=60)


@given(values, st.integers(1, 60))
def test_taken_in_parts_is_as_taken_at_once(numbers: list[float], cut: int) -> None:
    times = [0.25 * place for place in range(len(numbers))]
    once, parts = Columns(1.0), Columns(1.0)
    once.take(times, numbers)
    for end in (*range(cut, len(times), cut), len(times)):
        parts.take(times[:end], numbers[:end])
    assert str(shown(once)) == str(shown(parts))
    assert once.extremes() == parts.extremes()


def test_what_is_too_old_goes_and_a_step_back_begins_anew() -> None:
    columns = Columns(1.0)
    columns.take([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])
    epoch = columns.epoch
    columns.take([2.0, 3.0], [3.0, 4.0])
    assert [one.slot for one in columns.items] == [2, 3]
    assert not columns.take([2.0, 3.0], [3.0, 4.0])
    assert columns.epoch == epoch
    columns.take([0.0, 1.0], [8.0, 9.0])
    assert columns.epoch != epoch
    assert [one.last for one in columns.items] == [8.0, 9.0]
    assert columns.take([], [])
    assert not columns.items


def test_another_history_that_begins_within_the_old_one_is_drawn_anew() -> None:
    columns = Columns(1.0)
    columns.take([float(second) for second in range(180)], [1.0] * 180)
    epoch = columns.epoch
    columns.take([float(second) for second in range(175, 188)], [1.0] * 13)
    assert [one.slot for one in columns.items] == list(range(175, 188))
    assert columns.epoch != epoch


@given(values, st.integers(1, 20))
def test_the_least_and_the_most_are_of_what_is_left(numbers: list[float], kept: int) -> None:
    columns = Columns(1.0)
    times = [0.4 * place for place in range(len(numbers))]
    for end in range(1, len(times) + 1):
        begin = max(0, end - kept)
        columns.take(times[begin:end], numbers[begin:end])
        found = [one for one in columns.items if not math.isnan(one.most)]
        least = min((one.least for one in found), default=NAN)
        most = max((one.most for one in found), default=NAN)
        assert str(columns.extremes() or (NAN, NAN)) == str((least, most))


def test_the_cursor_finds_the_nearest_reading() -> None:
    times, numbers = [0.0, 1.0, 2.0], [5.0, NAN, 7.0]
    assert nearest(times, numbers, 1.9, 6.5) == 2
    assert nearest(times, numbers, 1.1, 6.5) == -1  # there is a gap
    assert nearest(times, numbers, 99.0, 6.5) == -1
    assert nearest([], [], 0.0, 6.5) == -1


@given(st.floats(1e-6, 1e15))
def test_scales_end_a_little_above(most: float) -> None:
    assert most * 0.99999 <= nice_top(most) <= 2 * most
    assert most * 0.99999 <= nice_bytes(most) <= 2 * most


def test_scales_of_nothing() -> None:
    assert nice_top(0.0) == nice_top(NAN) == nice_top(math.inf) == 1.0
    assert nice_bytes(0.0) == 1.0
    assert nice_bytes(180 * 1024**2) == 200 * 1024**2


def test_cards_have_one_scale() -> None:
    large = GpuReading(0, memory_total=24 * GIB, power_limit=350.0, clock_sm_max=2100)
    small = GpuReading(1, memory_total=12 * GIB, power_limit=170.0, clock_sm_max=2200)
    scales = scales_of([large, small])
    assert (scales.memory, scales.power, scales.clock) == (24 * GIB, 400.0, 2200.0)
    assert scales_of([]).power == 1.0


def test_what_alarms() -> None:
    assert is_hot(GpuReading(0, temperature=88))
    assert is_hot(GpuReading(0, temperature=90, temperature_limit=93))
    assert not is_hot(GpuReading(0, temperature=88, temperature_limit=93))
    assert not is_hot(GpuReading(0))
    assert is_full(GpuReading(0, memory_total=100, memory_used=90, memory_reserved=6))
    assert not is_full(GpuReading(0, memory_total=100, memory_used=90))
    assert not is_full(GpuReading(0, memory_total=100))
    assert is_held_back(GpuReading(0, throttle=(Throttle.POWER_CAP,)))
    assert not is_held_back(GpuReading(0, throttle=(Throttle.DISPLAY_CLOCKS,)))
    assert not is_held_back(GpuReading(0))
