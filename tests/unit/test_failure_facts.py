from __future__ import annotations

from desktop.hardware.readings import (
    Driver,
    DriverState,
    GpuProcess,
    GpuReading,
    HardwareReading,
    HostReading,
)
from desktop.models.failure_facts import known_from, told
from engine.failures import explain
from engine.protocol import RemedyAction, Scope
from tests.helpers.failure_table import ROWS

GIB = 1 << 30
READING = HardwareReading(
    DriverState(Driver.OK),
    (
        GpuReading(
            0, processes=(GpuProcess(7, "game", 9 * GIB), GpuProcess(8, "inglenook", 2 * GIB))
        ),
        GpuReading(1, processes=(GpuProcess(8, "inglenook", 3 * GIB), GpuProcess(9, None, None))),
        GpuReading(2, processes=None),
    ),
    HostReading(),
)
IN_USE = next(row.texts[0] for row in ROWS if row.code == "vram_in_use")


def test_a_program_on_two_gpus_is_one_holder() -> None:
    known = known_from(READING, frozenset({8}))
    assert [(each.name, each.size // GIB, each.ours) for each in known.holders] == [
        ("game", 9, False),
        ("inglenook", 5, True),
    ]
    assert known.gpus == 3
    assert known_from(None).holders == ()


def test_a_failure_names_them() -> None:
    failure = told(explain(Scope.LOAD, IN_USE), "", READING, frozenset({8}))
    assert "game (9.00 GiB), inglenook (5.00 GiB)" in failure.cause
    assert RemedyAction.UNLOAD_OTHERS in {each.action for each in failure.remedies}
    assert told(failure, "", None) == failure
