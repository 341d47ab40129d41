"""The plan beside what vLLM reported: differences, stages, what was learned, as text."""

from __future__ import annotations

from dataclasses import replace

from desktop.models.loading.load_figures import (
    as_text,
    difference_text,
    facts,
    figure_rows,
    lesson,
    stage_rows,
)
from desktop.models.loading.load_record import Figures, LoadRecord, difference
from engine.planner.answer import DeviceBudget, Plan
from engine.protocol import DeviceMemory, LoadSettings
from tests.unit.test_load_memory import loaded

GIB = 1024**3
PLAN = Plan(
    True,
    "cuda",
    devices=(0, 1),
    tp=2,
    context=8192,
    kv_tokens=20_000,
    budget=(
        DeviceBudget(0, "a", 24 * GIB, 0, 10 * GIB, 2 * GIB, 4 * GIB, 0),
        DeviceBudget(1, "a", 24 * GIB, 0, 10 * GIB, 2 * GIB, 4 * GIB, 0),
    ),
)
LOADED = loaded(
    device="NVIDIA GeForce RTX 3090",
    kv_tokens=20_200,
    quantization="awq",
    kernel="Marlin",
    engine_version="vllm 0.32.0",
    settings=LoadSettings(tensor_parallel_size=2, devices=(0, 1)),
    memory=tuple(
        DeviceMemory(n, "a", 24 * GIB, 10 * GIB, 4 * GIB, graphs=GIB, overhead=2 * GIB)
        for n in (0, 1)
    ),
)
USUAL = {"reading_weights": 6.0, "warming_up": 1.0}
RECORD = LoadRecord.of(LOADED, PLAN, 1_700_000_000, USUAL)


def test_each_figure_stands_beside_the_plans() -> None:
    rows = {row.name: row for row in figure_rows(RECORD)}
    assert rows["Context (tokens)"].difference == "as planned"
    tokens = rows["Room for chats (tokens)"]
    assert (tokens.planned, tokens.reported, tokens.difference) == ("20,000", "20,200", "+1.0 %")
    assert rows["Weights"].reported == "20.0 GiB"
    overhead = rows["Working memory"]
    assert (overhead.planned, overhead.reported, overhead.difference) == (
        "4.0 GiB",
        "6.0 GiB",
        "+50.0 %",
    )


def test_what_is_not_known_is_a_dash_and_not_a_zero() -> None:
    record = LoadRecord.of(loaded(memory=(), kv_tokens=0), None, 0)
    rows = {row.name: row for row in figure_rows(record)}
    assert rows["Weights"].reported == "–"
    assert rows["Weights"].difference == ""
    assert rows["Room for chats (tokens)"].reported == "16,384"  # blocks x their size
    assert all(row.planned == "–" for row in rows.values())


def test_each_stage_stands_beside_its_usual_time() -> None:
    rows = stage_rows(RECORD)
    assert [(row.name, row.planned, row.reported, row.difference) for row in rows] == [
        ("Reading weights", "6.0 s", "9.0 s", "+50.0 %"),
        ("Warming up", "1.0 s", "1.0 s", ""),
        ("All together", "7.0 s", "10.0 s", "+42.9 %"),
    ]


def test_a_stage_of_another_version_is_shown_by_its_name() -> None:
    record = replace(RECORD, stages={"compiling": 2.0}, usual=None)
    assert stage_rows(record)[0].name == "compiling"


def test_what_was_learned() -> None:
    assert "6.0 GiB" in lesson(RECORD)
    assert PLAN.budget
    right = replace(RECORD, planned=replace(RECORD.reported))
    assert lesson(right) == "It needed as much memory as planned. The next plan stays as it is."
    assert "without a plan" in lesson(replace(RECORD, planned=None))
    silent = replace(RECORD, reported=replace(RECORD.reported, overhead=None))
    assert "did not tell" in lesson(silent)


def test_a_cpu_that_took_less_than_was_kept_teaches_nothing() -> None:
    planned = Figures(overhead=2 * GIB)
    cpu = LoadRecord.of(loaded(), None, 0)
    assert "no more memory than planned" in lesson(replace(cpu, planned=planned))
    assert "512 MiB" in lesson(replace(cpu, planned=Figures(overhead=GIB // 4)))


def test_what_a_gpu_holds_for_itself_is_no_overhead() -> None:
    """A plan counts it with what others use."""
    gpu = DeviceMemory(0, "a", 24 * GIB, GIB, GIB, overhead=2 * GIB, uncounted=GIB // 2)
    assert Figures.of_loaded(loaded(memory=(gpu,))).overhead == 3 * GIB // 2


def test_differences() -> None:
    assert difference(None, 5) is None
    assert difference(0, 5) is None
    assert difference(100, None) is None
    assert difference(100, 98) == -0.020000000000000018
    assert difference_text(-0.02) == "−2.0 %"
    assert difference_text(0.0) == "as planned"
    assert difference_text(1e300) == "+100,000,000.0 %"


def test_as_text_it_has_everything_in_columns() -> None:
    text = as_text("Llama", RECORD)
    assert text.startswith("Llama\n")
    for words in ("Marlin", "vllm 0.32.0", "+50.0 %", "Learned", "tensor_parallel_size = 2"):
        assert words in text
    lines = [line for line in text.splitlines() if "GiB" in line and "Learned" not in line]
    assert len({line.index("GiB") for line in lines}) == 1
    assert dict(facts(RECORD))["Device"] == "NVIDIA GeForce RTX 3090"


def test_figures_of_nothing() -> None:
    assert Figures.of_plan(Plan(False, "cpu")) == Figures()
