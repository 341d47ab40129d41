"""The last minutes of every reading: gaps where there was none, and no more than fits."""

from __future__ import annotations

import math
from array import array

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from desktop.hardware.nvml_errors import state
from desktop.hardware.readings import Driver, GpuReading, HardwareReading, HostReading
from desktop.models.monitor.frames import EngineFrame, MonitorFrame
from desktop.models.monitor.history import GAP_S, MOST_SERIES, STALE_S, History
from engine.protocol import Telemetry
from tests.helpers.monitor_session import Session


def reading(*gpus: GpuReading) -> HardwareReading:
    host = HostReading(ram_total=100, ram_available=40, load=25.0)
    return HardwareReading(state(Driver.OK), gpus, host)


def card(index: int, used: int, *, uuid: str = "", lost: bool = False) -> GpuReading:
    return GpuReading(index, uuid=uuid or f"GPU-{index}", memory_used=used, lost=lost)


def values(history: History, name: str) -> list[float | None]:
    return [None if math.isnan(one) else one for one in history.series(name)[1]]


def test_series_have_their_times_and_their_gaps() -> None:
    history = History(seconds=10)
    history.append(1.0, {"a": 1.0})
    history.append(2.0, {"a": None, "b": 5.0})
    history.append(3.0, {"a": 3.0, "b": 6.0})
    assert history.series("a")[0] == array("d", [1, 2, 3])
    assert values(history, "a") == [1.0, None, 3.0]
    assert values(history, "b") == [None, 5.0, 6.0]
    assert (history.latest("a"), history.latest("c"), history.now) == (3.0, None, 3.0)
    assert history.names == ("a", "b")
    assert history.series("c") == (array("d"), array("d"))


def test_silence_is_a_gap_and_no_line() -> None:
    history = History()
    history.append(1.0, {"a": 1.0})
    history.append(1.0 + GAP_S, {"a": 2.0})
    assert None not in values(history, "a")
    history.append(20.0, {"a": 3.0})
    assert values(history, "a") == [1.0, 2.0, None, 3.0]
    times = history.series("a")[0]
    assert times[1] < times[2] < times[3]


def test_what_is_older_than_its_seconds_is_not_shown() -> None:
    history = History(seconds=5)
    for second in range(12):
        history.append(float(second), {"a": float(second)})
    assert values(history, "a") == [6, 7, 8, 9, 10, 11]


def test_memory_is_bounded_and_what_is_long_gone_goes() -> None:
    history = History(seconds=10, per_second=4)
    history.append(0.0, {"gone": 1.0})
    for count in range(1, 1000):
        history.append(count / 100, {"a": 1.0})
    times, found = history.series("a")
    assert len(times) == len(found) <= 2 * 41
    assert history.names == ("a",)
    crowd = History()
    crowd.append(0.0, {f"series {number}": 1.0 for number in range(2 * MOST_SERIES)})
    assert len(crowd.names) == MOST_SERIES


def test_time_only_goes_forward() -> None:
    history = History()
    for at in (2.0, 1.0, 2.0, float("nan"), 3.0):
        history.append(at, {"a": at})
    assert values(history, "a") == [2.0, 3.0]
    begun_badly = History()
    begun_badly.append(float("nan"), {"a": 1.0})
    assert begun_badly.names == ()


def test_a_pause_stands_still_while_readings_go_on() -> None:
    history = History()
    history.append(1.0, {"a": 1.0})
    history.set_paused(True)
    history.append(2.0, {"a": 2.0, "b": 1.0})
    assert history.is_paused
    assert (values(history, "a"), history.names, history.now) == ([1.0], ("a",), 1.0)
    history.set_paused(True)  # twice is once
    history.set_paused(False)
    assert (values(history, "a"), history.now) == ([1.0, 2.0], 2.0)
    history.set_paused(True)
    history.clear()
    assert (history.names, history.now, history.is_paused) == ((), 0.0, False)


def test_readings_have_their_names() -> None:
    history = History()
    telemetry = Telemetry(2, 1, 30, 100, 40.5, 8.0, itl_p90=0.125)
    engine = EngineFrame(3, "/m", "ready", telemetry=telemetry)
    history.take(MonitorFrame(1.0, 0.0, (engine,), reading(card(0, 7), card(1, 9))))
    latest = {name: history.latest(name) for name in history.names}
    assert latest["gpu0.memory_used"] == 7
    assert latest["gpu1.memory_used"] == 9
    assert latest["gpu1.power"] is None
    assert (latest["host.load"], latest["host.ram_used"]) == (25.0, 60)
    assert (latest["engine3.generation_tps"], latest["engine3.itl_p90"]) == (40.5, 0.125)
    assert latest["engine3.ttft_p50"] is None
    assert latest["engine3.running"] == 2


def test_a_reading_holds_until_the_next_but_not_for_ever() -> None:
    history = History()
    history.take(MonitorFrame(0.0, 0.0, (), reading(card(0, 7))))
    for second in range(1, 20):
        history.take(MonitorFrame(float(second), 0.0))
    assert values(history, "gpu0.memory_used") == [7] * 13 + [None] * 7
    assert STALE_S == 12


def test_a_lost_gpu_has_a_gap_in_its_own_series() -> None:
    history = History()
    both = reading(card(0, 7), card(1, 9))
    history.take(MonitorFrame(1.0, 0.0, (), both))
    fallen = reading(card(0, 8), card(-1, 9, uuid="GPU-1", lost=True))
    history.take(MonitorFrame(2.0, 0.0, (), fallen))
    history.take(MonitorFrame(3.0, 0.0, (), both))
    assert values(history, "gpu0.memory_used") == [7, 8, 7]
    assert values(history, "gpu1.memory_used") == [9, None, 9]
    # The first one fell off, and the second has its number now.
    moved = reading(card(-1, 7, uuid="GPU-0", lost=True), card(0, 5, uuid="GPU-1"))
    history.take(MonitorFrame(4.0, 0.0, (), moved))
    assert values(history, "gpu0.memory_used") == [7, 8, 7, 5]


def test_an_engine_that_is_gone_has_a_gap() -> None:
    history = History()
    for frame in Session().frames(4):
        history.take(frame)
    history.take(MonitorFrame(2.0, 0.0))
    found = values(history, "engine1.generation_tps")
    assert None not in found[:4]
    assert found[4] is None


@given(st.lists(st.tuples(st.floats(), st.dictionaries(st.text(max_size=2), st.floats()))))
def test_whatever_is_appended(rows: list[tuple[float, dict[str, float]]]) -> None:
    history = History(seconds=100, per_second=1)
    for at, row in rows:
        history.append(at, row)
    for name in history.names:
        times, found = history.series(name)
        assert len(times) == len(found)
        assert list(times) == sorted(times)
        assert not times or times[-1] - times[0] <= 100


def test_frames_are_not_changed_by_being_taken() -> None:
    frame = next(Session().frames(1))
    before = msgspec.json.encode(frame)
    History().take(frame)
    assert msgspec.json.encode(frame) == before
