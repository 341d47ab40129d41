"""A plan and its surroundings: automatic values, what can be chosen, what it says in words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.loading import planner_words
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_words import (
    change_gain,
    device_title,
    format_text,
    machine_text,
    notes,
    others_text,
    tp_text,
    verdict,
)
from desktop.models.loading.outlook import Outlook, look_ahead, read_model, stops, tp_options
from desktop.models.loading.planner_words import change_text, problem_text
from desktop.models.loading.size_text import count_text, size_text
from engine.planner.answer import Change, Problem
from engine.planner.learned import Learned
from engine.planner.machine import Machine
from engine.planner.shape import ShapeError
from engine.store.model_folder import ModelFolderError
from tests.helpers.load_machines import (
    CPU,
    LLAMA_8B,
    ONE_8,
    ONE_24,
    TINY,
    TWO_24,
    UNEQUAL,
    make_folder,
    make_models,
)

GIB = 1024**3


@pytest.fixture
def models(tmp_path: Path) -> dict[str, Path]:
    return make_models(tmp_path)


def outlook(model: Path, machine: Machine, choices: Choices = AUTOMATIC) -> Outlook:
    return look_ahead(read_model(str(model)), machine, choices, Learned())


# --- what it reckons ------------------------------------------------------------------------


@pytest.mark.parametrize("machine", [TWO_24, UNEQUAL, ONE_24, ONE_8, CPU])
def test_a_small_model_fits_everywhere(models: dict[str, Path], machine: Machine) -> None:
    seen = outlook(models["tiny"], machine)
    assert seen.plan.fits
    assert verdict(seen).startswith("Fits: 8,192 tokens of context")
    assert seen.missing == 0


def test_a_large_one_takes_two_cards_or_is_refused(models: dict[str, Path]) -> None:
    assert outlook(models["70b"], TWO_24).plan.tp == 2
    seen = outlook(models["70b"], ONE_24)
    assert not seen.plan.fits
    assert re.fullmatch(r"Too big by \d\d\.\d GiB\.", verdict(seen))
    # The same figure as in the planner's own sentence.
    assert size_text(seen.missing) in " ".join(notes(seen))


def test_every_automatic_value_is_told(models: dict[str, Path]) -> None:
    seen = outlook(models["8b"], TWO_24)
    assert seen.automatic.devices == (1,)  # the emptier one
    assert (seen.automatic.tp, seen.automatic.eager) == (1, False)
    assert seen.automatic.context == seen.plan.context
    assert seen.automatic.utilisation == pytest.approx(0.9)
    assert seen.automatic.kv_bytes
    assert seen.automatic.sequences


def test_an_automatic_value_is_that_with_the_other_choices(models: dict[str, Path]) -> None:
    free = outlook(models["8b"], TWO_24)
    chosen = outlook(models["8b"], TWO_24, Choices(utilisation=0.5, context=4096))
    assert chosen.plan.context == 4096
    assert chosen.automatic.context is not None
    assert free.automatic.context is not None
    assert 4096 < chosen.automatic.context < free.automatic.context
    assert chosen.automatic.utilisation == free.automatic.utilisation


def test_every_gpu_has_its_bar_used_or_not(models: dict[str, Path]) -> None:
    seen = outlook(models["8b"], TWO_24)
    assert [one.device for one in seen.devices()] == [0, 1]
    assert seen.devices()[0].weights == 0
    assert seen.devices()[0].free > 20 * GIB
    (ram,) = outlook(models["8b"], CPU).devices()
    assert ram.device == -1
    assert device_title(ram) == "RAM"


def test_choices_for_gpus_that_are_gone_are_dropped(models: dict[str, Path]) -> None:
    made_for_two = Choices(devices=(0, 1), tp=2, utilisation=0.8, context=4096)
    assert outlook(models["8b"], ONE_24, made_for_two).choices == Choices(
        utilisation=0.8, context=4096
    )
    assert outlook(models["8b"], CPU, made_for_two).choices == Choices(context=4096)
    assert outlook(models["8b"], TWO_24, made_for_two).choices == made_for_two


def test_a_division_that_cannot_be_says_why(models: dict[str, Path]) -> None:
    options = outlook(models["tiny"], TWO_24).tp_options
    assert [tp_text(option) for option in options] == [
        "1 GPU",
        "2 GPUs — its 9 heads do not divide",
    ]
    shape = read_model(str(models["8b"])).shape
    assert [option.problem for option in tp_options(shape, TWO_24)] == [None, None]
    options = tp_options(shape, TWO_24, (1,))
    assert tp_text(options[1]) == "2 GPUs — only 1 chosen"
    narrow = replace(shape, intermediate=14336 + 128)
    assert "groups" in tp_text(tp_options(narrow, TWO_24)[1])
    assert tp_options(shape, CPU) == ()


def test_the_stops_of_the_slider(models: dict[str, Path]) -> None:
    seen = outlook(models["8b"], ONE_24)
    contexts = [stop.context for stop in seen.stops]
    assert contexts == sorted(set(contexts))
    assert contexts[0] == 512
    assert contexts[-1] == 131_072
    assert seen.plan.max_context in contexts
    assert [stop.context for stop in seen.stops if stop.fits][-1] == seen.plan.max_context
    assert seen.stops[0].chats > seen.stops[3].chats
    assert stops(0, seen.plan) == ()
    assert [stop.context for stop in stops(300, seen.plan)] == [300]


def test_the_planned_context_is_a_stop_wherever_it_lies(models: dict[str, Path]) -> None:
    cpu = outlook(models["8b"], CPU)
    assert cpu.plan.context < cpu.plan.max_context
    assert {cpu.plan.context, cpu.plan.max_context} <= {stop.context for stop in cpu.stops}
    chosen = outlook(models["8b"], ONE_24, Choices(context=5000))
    assert {5000, 116_800} <= {stop.context for stop in chosen.stops}


def test_the_pair_for_a_trial_begins_with_the_better_card(models: dict[str, Path]) -> None:
    assert outlook(models["8b"], TWO_24).pair() == (1, 0)  # the emptier one
    assert outlook(models["8b"], UNEQUAL).pair() == (0, 1)
    assert outlook(models["8b"], UNEQUAL, Choices(devices=(1,))).pair() == (1, 0)
    assert outlook(models["8b"], ONE_24).pair() == ()
    assert outlook(models["8b"], CPU).pair() == ()


@given(st.integers(0, 10**30))
def test_any_model_has_few_stops(longest: int) -> None:
    from engine.planner.answer import Plan

    found = stops(longest, Plan(True, "cpu", context=100, max_context=1000, kv_tokens=5000))
    assert len(found) < 32


# --- what is no model -----------------------------------------------------------------------


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelFolderError, match=r"no config\.json"):
        read_model(str(tmp_path))
    with pytest.raises(ModelFolderError):
        read_model(str(tmp_path / "gone"))


def test_a_broken_gguf_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(b"GGUF but no more")
    with pytest.raises((ShapeError, ModelFolderError)):
        read_model(str(path))


def test_what_only_a_load_would_stumble_over_is_a_problem(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "base", TINY)
    (folder / "tokenizer_config.json").write_text("{}")
    reading = read_model(str(folder))
    assert reading.problem is not None
    assert reading.problem.code == "no_chat_template"


HOSTILE = [
    {**LLAMA_8B, "num_hidden_layers": 10**30, "max_position_embeddings": 10**40},
    {**LLAMA_8B, "hidden_size": -5, "num_attention_heads": 0, "vocab_size": "many"},
    {**LLAMA_8B, "architectures": ["<b>x</b>" * 1000], "max_position_embeddings": True},
    {**LLAMA_8B, "quantization_config": {"quant_method": "<img src=x>" * 99, "bits": 10**9}},
    {**LLAMA_8B, "num_key_value_heads": 10**15, "head_dim": 10**15},
    {"model_type": None},
]


@pytest.mark.parametrize("config", HOSTILE)
@pytest.mark.parametrize("machine", [TWO_24, CPU])
def test_a_hostile_config_is_a_model_that_does_not_fit_or_is_refused(
    tmp_path: Path, config: object, machine: Machine
) -> None:
    folder = make_folder(tmp_path / "m", config)
    try:
        seen = outlook(folder, machine)
    except (ModelFolderError, ShapeError):
        return
    for words in (verdict(seen), format_text(seen.reading.shape), *notes(seen)):
        assert 0 < len(words) < 2000


# --- the words ------------------------------------------------------------------------------


def test_the_verdict_says_how_many_chats(models: dict[str, Path]) -> None:
    seen = outlook(models["8b"], TWO_24, Choices(context=32_768))
    assert verdict(seen) == "Fits: 32,768 tokens of context, with room for 3 such chats."
    one = outlook(models["8b"], TWO_24, Choices(context=100_000))
    assert verdict(one) == "Fits: 100,000 tokens of context, with room for one such chat."
    much = outlook(models["8b"], ONE_24, Choices(context=131_072))
    assert re.fullmatch(r"Does not fit with this context: [\d,]+ tokens would\.", verdict(much))


def test_the_fullest_card_is_named(models: dict[str, Path]) -> None:
    words = verdict(outlook(models["70b"], UNEQUAL))
    assert re.fullmatch(r"Too big by [\d.]+ GiB on GPU 1 · NVIDIA GeForce RTX 3060\.", words)


def test_the_hardware_in_a_line() -> None:
    assert machine_text(CPU) == (
        "No GPU: the model runs on the processor (4 cores, 9.0 GiB of 16.0 GiB RAM free)."
    )
    assert machine_text(TWO_24) == "24.0 GiB of 32.0 GiB RAM free"


def test_other_programs_are_named() -> None:
    assert others_text(TWO_24, 0) == "firefox 400 MiB, Xorg 180 MiB"
    assert others_text(TWO_24, 1) == ""
    assert others_text(CPU, -1) == ""


def test_the_kind_of_model_in_a_line(models: dict[str, Path]) -> None:
    words = format_text(read_model(str(models["8b"])).shape)
    assert words == "AWQ, 4 bits · 5.3 GiB of weights · reads 131,072 tokens"


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 KiB"),
        (512 * 1024**2, "512 MiB"),
        (5 * GIB, "5.0 GiB"),
        (250 * GIB, "250 GiB"),
        (-GIB, "−1.0 GiB"),
        (10**40, "4,096 PiB"),
    ],
)
def test_sizes(size: int, words: str) -> None:
    assert size_text(size) == words
    assert count_text(10**40)


def _planner_texts() -> str:
    root = Path(planner_words.__file__).parents[3] / "engine" / "planner"
    return "\n".join(path.read_text() for path in sorted(root.glob("*.py")))


def test_every_code_of_the_planners_has_words() -> None:
    """One that is new there would be shown in English."""
    source = _planner_texts()
    problems = set(re.findall(r'Problem\(\s*"(\w+)"', source))
    changes = set(re.findall(r'Try\(\s*"(\w+)"', source))
    assert {"no_room", "kv_too_small"} <= problems
    assert {"tp", "context"} <= changes
    several = {
        "kv_too_small",
        "context_above_model",
        "kv_fp8_unsupported",
        "heads_indivisible",
    }
    assert problems - set(planner_words.PROBLEMS) - several == set()
    assert changes - set(planner_words.CHANGES) - {"close_program"} == set()


def test_the_words_have_the_planners_figures(models: dict[str, Path]) -> None:
    """Each text is filled: none falls back to English for want of a figure."""
    wishes = [
        AUTOMATIC,
        Choices(context=131_072),
        Choices(context=200_000),
        Choices(tp=2),
        Choices(utilisation=1.0),
        Choices(kv_dtype="fp8"),
        Choices(kv_bytes=GIB // 100),
    ]
    old = replace(TWO_24.gpus[0], capability=(7, 0))
    machines = [TWO_24, UNEQUAL, ONE_24, ONE_8, CPU, replace(ONE_24, gpus=(old,))]
    seen_codes = set()
    for name in ("8b", "70b", "tiny"):
        for machine in machines:
            for choices in wishes:
                plan = outlook(models[name], machine, choices).plan
                for problem in plan.problems:
                    seen_codes.add(problem.code)
                    # Other words in the planner would show that this one was not filled.
                    assert problem_text(replace(problem, text="?")) != "?", problem
                    assert "{" not in problem_text(problem)
                for change in plan.changes:
                    seen_codes.add(change.code)
                    assert change_text(replace(change, label="?")) != "?", change
                    assert "{" not in change_text(change)
                    assert change_gain(change) or not change.context
    assert {
        "no_room",
        "kv_too_small",
        "utilisation",
        "tp",
        "context",
        "memory_in_use",
    } <= seen_codes


def test_a_text_that_is_not_known_is_shown_as_it_is() -> None:
    assert problem_text(Problem("new_one", "Something new.")) == "Something new."
    assert problem_text(Problem("no_room", "No figures.")) == "No figures."
    assert change_text(Change("new_one", "Do it")) == "Do it"


def test_a_change_makes_the_model_fit_as_it_says(models: dict[str, Path]) -> None:
    seen = outlook(models["8b"], ONE_24, Choices(context=131_072))
    assert not seen.plan.fits
    applied = [
        outlook(models["8b"], ONE_24, seen.choices.with_wish(change.wish)).plan
        for change in seen.plan.changes
        if change.wish is not None and change.makes_fit
    ]
    assert applied
    assert all(plan.fits for plan in applied)
