"""What the user sets by hand for a load: to the planner, to the engine, and back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.loading.load_choices import (
    AUTOMATIC,
    DTYPES,
    KV_DTYPES,
    SETTINGS,
    Choices,
)
from engine.planner.answer import Wish
from engine.protocol import LoadSettings

GIB = 1024**3
SET = Choices(
    devices=(1, 0),
    tp=2,
    context=8192,
    utilisation=0.8,
    kv_bytes=3 * GIB,
    kv_dtype="fp8",
    dtype="float16",
    sequences=12,
    eager=True,
    offload_bytes=GIB,
    foreground_first=False,
    chat_template="/t.jinja",
    tokenizer="/tokenizer",
    disable_p2p=True,
)


def test_what_is_automatic_leaves_all_to_the_planner_and_the_engine() -> None:
    assert AUTOMATIC.is_automatic
    assert AUTOMATIC.wish() == Wish()
    assert AUTOMATIC.settings() == LoadSettings()
    assert AUTOMATIC.fault() == ""


def test_every_choice_has_its_setting() -> None:
    assert set(SETTINGS) == set(Choices.__dataclass_fields__)
    assert set(SETTINGS.values()) <= set(LoadSettings.__struct_fields__)
    settings = SET.settings()
    for ours, theirs in SETTINGS.items():
        assert getattr(settings, theirs) == getattr(SET, ours), ours


def test_choices_go_on_top_of_the_plan() -> None:
    planned = LoadSettings(max_model_len=-1, max_num_seqs=64, devices=(1,), block_size=16)
    settings = Choices(context=4096).settings(planned)
    assert settings == LoadSettings(
        max_model_len=4096, max_num_seqs=64, devices=(1,), block_size=16
    )


def test_the_planner_is_told_all_that_it_reckons_with() -> None:
    wish = SET.wish()
    assert wish.devices == (1, 0)
    assert (wish.tp, wish.context, wish.utilisation) == (2, 8192, 0.8)
    assert (wish.kv_bytes, wish.kv_dtype, wish.dtype) == (3 * GIB, "fp8", "float16")
    assert (wish.sequences, wish.eager, wish.offload_bytes) == (12, True, GIB)


def test_a_change_of_the_planners_is_taken_over() -> None:
    assert Choices(tp=1).with_wish(Wish(tp=2)) == Choices(tp=2)
    assert AUTOMATIC.with_wish(Wish(kv_dtype="fp8")) == Choices(kv_dtype="fp8")
    kept = Choices(foreground_first=False, chat_template="/t")
    assert kept.with_wish(Wish(context=4096)) == Choices(
        context=4096, foreground_first=False, chat_template="/t"
    )
    assert SET.with_wish(SET.wish()) == SET


def test_a_change_that_makes_no_sense_changes_nothing() -> None:
    assert AUTOMATIC.with_wish(Wish(context=-4)) == AUTOMATIC


def test_what_a_model_needs_outlives_a_reset() -> None:
    assert SET.needs() == Choices(
        chat_template="/t.jinja", tokenizer="/tokenizer", disable_p2p=True
    )
    assert SET.needs().is_automatic
    assert not SET.is_automatic


def test_the_way_that_a_trial_found_is_taken_over() -> None:
    found = Choices(context=4096).divided(2, (1, 0), without_p2p=True)
    assert found == Choices(context=4096, tp=2, devices=(1, 0), disable_p2p=True)
    assert AUTOMATIC.divided(1, (), without_p2p=False) == Choices(tp=1, disable_p2p=None)


def test_what_a_load_could_not_do_without_is_needed_again() -> None:
    used = LoadSettings(chat_template="/new.jinja", max_model_len=2048)
    assert Choices(tp=2).with_needs(used) == Choices(tp=2, chat_template="/new.jinja")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("devices", ()),
        ("devices", (-1,)),
        ("devices", tuple(range(100))),
        ("tp", 0),
        ("tp", 1000),
        ("context", 0),
        ("context", 10**12),
        ("utilisation", 0.0),
        ("utilisation", 1.5),
        ("utilisation", float("nan")),
        ("kv_bytes", -1),
        ("kv_dtype", "int3"),
        ("dtype", "complex64"),
        ("sequences", 0),
        ("offload_bytes", -1),
    ],
)
def test_values_that_make_no_sense_are_found(field: str, value: object) -> None:
    assert Choices(**{field: value}).fault() == field  # type: ignore[arg-type]


@given(
    st.builds(
        Choices,
        devices=st.none() | st.lists(st.integers(0, 7), min_size=1, max_size=4).map(tuple),
        tp=st.none() | st.integers(1, 8),
        context=st.none() | st.integers(16, 1_000_000),
        utilisation=st.none() | st.floats(0.05, 1),
        kv_bytes=st.none() | st.integers(1, 1 << 45),
        kv_dtype=st.none() | st.sampled_from(KV_DTYPES),
        dtype=st.none() | st.sampled_from(DTYPES),
        sequences=st.none() | st.integers(1, 1000),
        eager=st.none() | st.booleans(),
        offload_bytes=st.none() | st.integers(0, 1 << 40),
        foreground_first=st.none() | st.booleans(),
    )
)
def test_they_survive_the_file(choices: Choices) -> None:
    assert choices.fault() == ""
    read = msgspec.convert(msgspec.json.decode(msgspec.json.encode(choices)), Choices)
    assert read == choices
    assert choices.with_wish(choices.wish()) == choices
