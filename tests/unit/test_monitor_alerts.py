"""Alerts: what is over its limit for a while, and nothing that only touches it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop import settings as settings_file
from desktop.hardware.nvml_errors import state
from desktop.hardware.readings import (
    Driver,
    GpuReading,
    HardwareReading,
    HostReading,
    Throttle,
)
from desktop.models.monitor.alert_text import (
    advice_text,
    alert_text,
    kind_text,
    short_text,
    unit_text,
)
from desktop.models.monitor.alerts import (
    DEFAULTS,
    LIMITS,
    UNITS,
    Alert,
    AlertBook,
    Cause,
    Kind,
    rules_from,
    to_settings,
)
from desktop.models.monitor.evictions import Evictions, evicted_at_least, evicted_between
from desktop.models.monitor.frames import EngineFrame, MonitorFrame
from engine.protocol import KvReport, KvRequest, Telemetry
from tests.helpers.monitor_session import GIB, LOADED, Session

COOL = GpuReading(
    0,
    uuid="GPU-0",
    name="RTX 3090",
    temperature=60,
    throttle=(),
    memory_total=24 * GIB,
    memory_used=12 * GIB,
    memory_reserved=GIB,
)
CALM = Telemetry(1, 0, 10, 100, 40.0, 0.0, itl_p90=0.02)


def hardware(*gpus: GpuReading) -> HardwareReading:
    return HardwareReading(state(Driver.OK), gpus, HostReading())


def frame(at: float, *gpus: GpuReading, telemetry: Telemetry | None = None) -> MonitorFrame:
    engine = EngineFrame(1, "/models/Small", "ready", loaded=LOADED, telemetry=telemetry)
    return MonitorFrame(at, 0.0, (engine,) if telemetry else (), hardware(*gpus) if gpus else None)


def kinds(alerts: Iterable[Alert]) -> list[Kind]:
    return [alert.kind for alert in alerts]


def raised_at(book: AlertBook, make: Callable[[float], MonitorFrame], seconds: int) -> list[int]:
    """The seconds at which anything is raised."""
    return [second for second in range(seconds) if book.take(make(float(second)))]


@pytest.mark.parametrize(
    ("kind", "gpu", "after"),
    [
        (Kind.TEMPERATURE, replace(COOL, temperature=88), 10),
        (Kind.THROTTLE_HEAT, replace(COOL, throttle=(Throttle.SOFTWARE_THERMAL,)), 10),
        (Kind.THROTTLE_HEAT, replace(COOL, throttle=(Throttle.HARDWARE_SLOWDOWN,)), 10),
        (Kind.THROTTLE_POWER, replace(COOL, throttle=(Throttle.POWER_CAP,)), 120),
        (Kind.VRAM, replace(COOL, memory_used=22 * GIB), 10),
        (Kind.GPU_LOST, replace(COOL, lost=True), 0),
    ],
)
def test_a_gpu_is_told_of_after_a_while(kind: Kind, gpu: GpuReading, after: int) -> None:
    book = AlertBook(replace(rule, is_on=True) for rule in DEFAULTS)
    assert raised_at(book, lambda at: frame(at, gpu), after + 3) == [after, after + 1, after + 2]
    (alert,) = book.alerts
    assert (alert.kind, alert.cause.gpu, alert.since) == (kind, 0, float(after))


@pytest.mark.parametrize(
    "gpu",
    [
        COOL,
        replace(COOL, temperature=87),
        replace(COOL, memory_used=21 * GIB),
        replace(COOL, throttle=(Throttle.APPLICATION_CLOCKS, Throttle.SYNC_BOOST)),
        replace(COOL, throttle=(Throttle.POWER_CAP,)),
        GpuReading(0),
    ],
)
def test_a_gpu_that_is_well_is_left_alone(gpu: GpuReading) -> None:
    assert raised_at(AlertBook(), lambda at: frame(at, gpu), 200) == []


def test_what_swings_about_a_limit_does_not_flicker() -> None:
    book, hot = AlertBook(), replace(COOL, temperature=90)
    swings = raised_at(book, lambda at: frame(at, hot if at % 8 < 6 else COOL), 60)
    assert swings == []  # never so long at a time
    for second in range(60, 72):
        book.take(frame(float(second), hot))
    assert kinds(book.alerts) == [Kind.TEMPERATURE]
    swings = raised_at(book, lambda at: frame(72 + at, hot if at % 8 < 2 else COOL), 60)
    assert swings == list(range(60))  # it stays, as long as it comes back
    gone = [second for second in range(60) if not book.take(frame(132.0 + second, COOL))]
    assert gone[0] == 18  # 20 s after the last time, two of which were before


def test_a_lost_gpu_is_itself_when_it_is_back() -> None:
    book = AlertBook()
    assert kinds(book.take(frame(0.0, COOL, replace(COOL, index=1, uuid="GPU-1")))) == []
    lost = GpuReading(-1, uuid="GPU-1", name="RTX 3090", lost=True)
    (alert,) = book.take(frame(1.0, COOL, lost))
    assert alert.cause == Cause(Kind.GPU_LOST, gpu=1, name="RTX 3090")
    assert "GPU 1 (RTX 3090) no longer answers" in alert_text(alert)
    assert book.take(frame(2.0, COOL, replace(COOL, index=1, uuid="GPU-1"))) == ()


def test_each_gpu_has_its_own_alert_and_the_gravest_comes_first() -> None:
    book = AlertBook()
    full = replace(COOL, index=1, uuid="GPU-1", memory_used=23 * GIB)
    for second in range(12):
        book.take(frame(float(second), replace(COOL, temperature=95), full))
    assert [(one.kind, one.cause.gpu) for one in book.alerts] == [
        (Kind.TEMPERATURE, 0),
        (Kind.VRAM, 1),
    ]
    assert book.take(frame(12.0, COOL)) != ()  # the first one is told until it has cooled
    assert kinds(book.alerts) == [Kind.TEMPERATURE]  # of the second nothing is known


def test_hardware_is_remembered_between_its_readings() -> None:
    book = AlertBook()
    book.take(frame(0.0, replace(COOL, temperature=95)))
    assert raised_at(book, frame, 12) == [10, 11]


def test_what_was_before_nobody_looked_is_not_told() -> None:
    book = AlertBook()
    book.take(frame(0.0, replace(COOL, temperature=95)))
    assert book.take(frame(600.0)) == ()  # its reading is old
    for second in range(601, 612):
        book.take(frame(float(second), replace(COOL, temperature=95)))
    assert kinds(book.alerts) == [Kind.TEMPERATURE]
    assert book.take(frame(900.0)) == ()


def test_slow_answers_are_told_while_there_are_any() -> None:
    slow = msgspec.structs.replace(CALM, itl_p90=0.2)
    book = AlertBook()
    assert raised_at(book, lambda at: frame(at, telemetry=slow), 12) == [10, 11]
    (alert,) = book.alerts
    assert (alert.kind, alert.cause.engine, alert.value) == (Kind.LATENCY, 1, 200.0)
    assert "One token in ten of Small takes 200 ms" in alert_text(alert)
    idle = msgspec.structs.replace(slow, running=0)
    assert raised_at(book, lambda at: frame(12 + at, telemetry=idle), 20) == list(range(10))
    assert raised_at(AlertBook(), lambda at: frame(at, telemetry=CALM), 60) == []


def test_preemptions_are_counted_by_the_minute() -> None:
    def preempted(at: float) -> MonitorFrame:
        """Eight of them, two seconds apart, from the fifth second on."""
        count = min(8, max(0, int(at - 5) // 2 + 1))
        return frame(at, telemetry=msgspec.structs.replace(CALM, preempted=100 + count))

    found = raised_at(AlertBook(), preempted, 140)
    # The seventh comes at 17 s, two seconds more; the count is down to six 60 s after the second.
    assert found[0] == 19
    assert found[-1] == pytest.approx(67 + 20 - 1, abs=2)
    assert found == list(range(found[0], found[-1] + 1))


def test_another_load_counts_from_nought() -> None:
    book = AlertBook()
    book.take(frame(0.0, telemetry=msgspec.structs.replace(CALM, preempted=500)))
    for second in range(1, 10):
        reading = msgspec.structs.replace(CALM, preempted=second // 9)
        assert book.take(frame(float(second), telemetry=reading)) == ()


def test_an_engine_that_is_gone_takes_its_alerts_with_it() -> None:
    book, slow = AlertBook(), msgspec.structs.replace(CALM, itl_p90=0.2)
    for second in range(12):
        book.take(frame(float(second), telemetry=slow))
    assert kinds(book.alerts) == [Kind.LATENCY]
    assert book.take(frame(12.0)) == ()


# --- evictions ----------------------------------------------------------------------------


def report(step: int, cached: Iterable[int], *requests: KvRequest, total: int = 32) -> KvReport:
    bits = sum(1 << block for block in cached)
    used = {block for one in requests for block in memoryview(one.blocks).cast("I")}
    data = bits.to_bytes((total + 7) // 8, "little")
    return KvReport(step, 16, total, len(used), 0, data, requests)


def holding(name: str, blocks: list[int], found: int = 0) -> KvRequest:
    data = struct.pack(f"<{len(blocks)}I", *blocks)
    return KvRequest(name, data, 16 * len(blocks), 16 * len(blocks), 16 * found, 0)


def test_a_cached_block_that_holds_something_else_was_evicted() -> None:
    before = report(1, [1, 2, 3, 4, 5])
    found = report(2, [4, 5], holding("a", [1, 2, 3], found=3))
    assert evicted_between(before, found) == 0
    taken = report(2, [4, 5], holding("a", [1, 2, 3], found=1))
    assert evicted_between(before, taken) == 2
    assert evicted_between(before, report(2, [1])) == 4  # taken and free again
    assert evicted_between(before, report(2, [1, 2, 3, 4, 5, 6])) == 0
    assert evicted_between(before, report(0, [])) == 0  # another load
    assert evicted_between(before, report(2, [], total=64)) == 0


def test_the_pool_itself_says_the_same() -> None:
    """Evictions counted from reports are those that the scripted pool really makes."""

    class Counted(Evictions):
        pass

    session, counter = Session(seed=7, blocks=96), Counted()
    pool = session._pool
    really = 0
    take = pool.take

    def taking(count: int) -> list[int]:
        nonlocal really
        known = set(pool._known.values())
        taken = take(count)
        really += len(known.intersection(taken))
        return taken

    pool.take = taking  # type: ignore[method-assign]
    for one in session.frames(600):
        engine = msgspec.structs.replace(one.engines[0], kv=session.report())
        counter.take(engine, one.at)
    # A report is four steps of many: a block that was cached and taken between two is missed.
    assert really > 100
    assert counter.total == pytest.approx(really, rel=0.2)
    assert counter.total <= really


def test_readings_tell_the_least_that_was_evicted() -> None:
    def reading(used: int, cached: int, **more: float) -> Telemetry:
        return msgspec.structs.replace(CALM, kv_used=used, kv_cached=cached, **more)

    before = reading(10, 80)
    assert evicted_at_least(before, reading(30, 60), 1.0, 16) == 20
    # 320 tokens were read and as many were found: 20 blocks came from the cache.
    found = reading(50, 40, prompt_tps=320.0, prefix_hit_rate=0.5)
    assert evicted_at_least(before, found, 1.0, 16) == 20
    assert evicted_at_least(before, reading(10, 90), 1.0, 16) == 0
    assert evicted_at_least(before, reading(0, 0), 1.0, 16) == 0  # forgotten before a sleep
    assert evicted_at_least(before, reading(12, 60), 1.0, 16) == 2


@pytest.mark.parametrize("told", ["reports", "readings"])
def test_evictions_are_told_by_the_minute(told: str) -> None:
    book = AlertBook()
    raised: list[int] = []
    for second in range(60):
        # Six blocks of a hundred each five seconds: 72 % a minute.
        at = 6 * (second // 5) % 90
        cached = [block for block in range(100) if not at <= block < at + 6]
        reading = msgspec.structs.replace(CALM, kv_used=6 * (second // 5), kv_cached=90)
        reading = msgspec.structs.replace(reading, kv_cached=200 - 6 * (second // 5))
        kv = report(second, cached, holding("a", list(range(at, at + 6))), total=100)
        engine = EngineFrame(
            1,
            "/models/Small",
            "ready",
            loaded=LOADED,
            telemetry=reading,
            kv=kv if told == "reports" else None,
        )
        if book.take(MonitorFrame(float(second), 0.0, (engine,))):
            raised.append(second)
    (alert,) = book.alerts
    assert alert.kind is Kind.EVICTIONS
    assert 50 < alert.value <= 72
    assert 45 <= raised[0] <= 56


# --- settings and words --------------------------------------------------------------------


def test_the_settings_keep_what_differs() -> None:
    assert to_settings(DEFAULTS) == {}
    assert rules_from({}) == DEFAULTS
    changed = tuple(
        replace(rule, is_on=True)
        if rule.kind is Kind.THROTTLE_POWER
        else replace(rule, limit=97.0)
        if rule.kind is Kind.VRAM
        else rule
        for rule in DEFAULTS
    )
    kept = to_settings(changed)
    assert kept == {"throttle_power": {"on": True}, "vram": {"limit": 97.0}}
    assert rules_from(kept) == changed


@pytest.mark.parametrize(
    "given_settings",
    [
        {"vram": 3},
        {"vram": {"limit": "high"}},
        {"vram": {"limit": True}},
        {"vram": {"limit": float("nan")}},
        {"vram": {"limit": 1000}},
        {"vram": {"on": 1}},
        {"gpu_lost": {"limit": 5}},
        {"made_up": {"on": False}},
    ],
)
def test_settings_that_make_no_sense_are_left_at_their_defaults(
    given_settings: dict[str, object],
) -> None:
    assert rules_from(given_settings) == DEFAULTS


def test_alerts_are_kept_with_the_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    wanted = settings_file.Settings(alerts={"vram": {"on": False, "limit": 99.0}})
    assert settings_file.save(path, wanted) == ""
    assert settings_file.load(path) == (wanted, "")
    path.write_text('{"version": 1, "alerts": {"vram": 3}, "theme": "dark"}')
    found, warning = settings_file.load(path)
    assert (found.alerts, found.theme) == ({}, "dark")
    assert "alerts" in warning


def test_a_rule_that_is_turned_off_says_nothing_more() -> None:
    book = AlertBook()
    for second in range(12):
        book.take(frame(float(second), replace(COOL, temperature=95)))
    assert book.alerts
    book.set_rules(rules_from({"temperature": {"on": False}}))
    assert book.alerts == ()
    assert book.take(frame(30.0, replace(COOL, temperature=95))) == ()
    book.set_rules(rules_from({"temperature": {"limit": 50}}))
    assert raised_at(book, lambda at: frame(40 + at, COOL), 12) == [10, 11]


@pytest.mark.parametrize("kind", list(Kind))
def test_every_alert_has_its_words(kind: Kind) -> None:
    on_gpu = UNITS[kind] in ("", "°C", "%")
    cause = (
        Cause(kind, gpu=1, name="RTX 3090") if on_gpu else Cause(kind, engine=1, name="/m/Small")
    )
    alert = Alert(cause, 0.0, 91.4, 87.0)
    said = alert_text(alert)
    assert ("GPU 1 (RTX 3090)" if on_gpu else "Small") in said
    assert said.endswith(".")
    assert "{" not in said + short_text(alert)
    assert 0 < len(short_text(alert)) < 40
    assert advice_text(kind).endswith(".")
    assert kind_text(kind)
    assert bool(unit_text(kind)) == (kind in LIMITS) == bool(UNITS[kind])


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(0, 2**32))))
def test_whatever_comes(steps: list[tuple[float, int]]) -> None:
    book, at = AlertBook(), 0.0
    for wait, seed in steps:
        at += wait
        one = next(Session(seed).frames(1))
        alerts = book.take(msgspec.structs.replace(one, at=at))
        assert len({alert.cause.place for alert in alerts}) == len(alerts)
