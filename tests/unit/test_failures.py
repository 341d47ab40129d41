"""Each of vLLM's errors becomes a cause in plain words, and remedies that will work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.failures import (
    RULES,
    TEXT_MODULES,
    Holder,
    Known,
    all_texts,
    explain,
    is_vague,
    refined,
)
from engine.protocol import Failure, LoadSettings, Remedy, RemedyAction, Scope, encode
from tests.helpers.failure_table import LISTED, ROWS, Row

GIB = 1024**3
RECORDED = [(row, text) for row in ROWS for text in row.texts]
# A load on two 24 GB cards, of which all is known.
KNOWN = Known(
    settings=LoadSettings(
        dtype="bfloat16",
        gpu_memory_utilization=0.9,
        tensor_parallel_size=2,
        max_num_seqs=256,
        kv_cache_dtype="fp8",
    ),
    holders=(
        Holder("firefox", 4120, 3 * GIB // 2),
        Holder("Xorg", 900, GIB // 4),
        Holder("inglenook", 77, 4 * GIB, ours=True),
    ),
    gpus=2,
    context=32_768,
    kv_bytes_per_token=131_072,
    weights_bytes=16 * GIB,
    block_size=16,
)
WRAPPERS = [
    "RuntimeError: Engine core initialization failed. See root cause above. Failed proc(s): {}",
    "Exception: WorkerProc initialization failed due to an exception in a background process. See "
    "stack trace for root cause.",
    "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace "
    "(above) for the root cause.",
]


def ids(value: object) -> str:
    return value.code if isinstance(value, Row) else ""


def remedy(failure: Failure, action: RemedyAction) -> Remedy:
    return next(each for each in failure.remedies if each.action is action)


def settings_of(failure: Failure) -> dict[str, object]:
    return dict(remedy(failure, RemedyAction.RELOAD_WITH).settings)


def test_every_row_of_the_facts_is_held() -> None:
    """Rows with several codes for one line of the facts follow each other."""
    listed = [[part.strip() for part in re.split(r"[;,] ", line)] for line in LISTED]
    fragments = [fragment for parts in listed for fragment in parts]
    assert fragments == [fragment for row in ROWS for fragment in row.fragments]
    for row in ROWS:
        assert row.texts
        for fragment, text in zip(row.fragments, row.texts, strict=bool(row.fragments)):
            assert fragment in text


@pytest.mark.parametrize(("row", "text"), RECORDED, ids=ids)
def test_each_row_is_recognised_and_has_its_remedy(row: Row, text: str) -> None:
    error = f"Traceback (most recent call last):\n  x\n{text}\n"
    failure = explain(Scope.LOAD, error, known=KNOWN, load_id=4)
    assert failure.code == row.code
    assert failure.load_id == 4
    assert {each.action for each in failure.remedies} >= set(row.remedies)
    assert text in failure.detail


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize(("row", "text"), RECORDED, ids=ids)
def test_no_wrapper_hides_a_cause(row: Row, text: str, wrapper: str) -> None:
    assert explain(Scope.LOAD, f"{text}\n\n{wrapper}").code == row.code
    assert explain(Scope.LOAD, f"{wrapper}\n\n{text}").code == row.code


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize(("row", "text"), RECORDED, ids=ids)
def test_a_cause_that_only_a_workers_log_has_is_found(row: Row, text: str, wrapper: str) -> None:
    lines = [
        "Traceback (most recent call last):",
        '  File "x.py", line 3, in load',
        *text.split("\n"),
    ]
    prefix = "(Worker_TP1 pid=812) ERROR 11-29 22:44:28 [multiproc_executor.py:750] "
    log = "\n".join(
        [
            "(MainProcess pid=4) INFO 11-29 22:44:20 [utils.py:1] non-default args: jinja2",
            *(prefix + line for line in lines),
            "(MainProcess pid=4) INFO 11-29 22:44:29 [utils.py:1] CUDA out of memory, perhaps",
        ]
    )
    failure = explain(Scope.LOAD, wrapper, log=log)
    expected = "engine_wrapped" if row.code in ("worker_died",) else row.code
    assert failure.code == expected
    assert lines[-1] in failure.detail or expected == "engine_wrapped"
    vague = explain(Scope.LOAD, wrapper)
    assert is_vague(vague)
    assert refined(vague, log=log).code == expected


def test_the_window_adds_who_holds_the_memory_and_keeps_the_engines_remedies() -> None:
    told = of("vram_in_use")
    better = refined(told, known=Known(holders=KNOWN.holders))
    assert "firefox" in better.cause
    assert better.remedies[0] == told.remedies[0]
    assert better.remedies[1].action is RemedyAction.UNLOAD_OTHERS
    exact = of("context_too_long", KNOWN)
    assert refined(exact, log="Traceback (most recent call last):\nMemoryError") is exact
    assert refined(exact, known=Known(holders=KNOWN.holders)) is exact


def test_a_log_without_an_error_changes_nothing() -> None:
    log = "INFO 11-29 22:44:20 [x.py:1] default chat template is no longer allowed\nfine\n"
    assert explain(Scope.LOAD, WRAPPERS[0], log=log).code == "engine_wrapped"
    assert explain(Scope.LOAD, "", log=log).code == "unknown"


def test_a_cause_in_the_error_counts_before_the_log() -> None:
    log = "Traceback (most recent call last):\n  x\nMemoryError\n"
    assert explain(Scope.LOAD, ROWS[0].texts[0], log=log).code == "no_kv_memory"


def test_the_log_of_a_process_that_is_gone_tells_why() -> None:
    log = "INFO 11-29 22:44:20 [x.py:1] jinja2\nTraceback (most recent call last):\n x\nMemoryError"
    gone = Failure(Scope.ENGINE, "It stopped.", code="engine_stopped", detail=log)
    assert refined(gone).code == "ram_full"
    nothing = Failure(Scope.ENGINE, "It stopped.", code="engine_stopped", detail="INFO jinja2")
    assert refined(nothing) is nothing


# --- remedies carry values -----------------------------------------------------------------


def of(code: str, known: Known | None = None, text: str = "") -> Failure:
    row = next(row for row in ROWS if row.code == code)
    return explain(Scope.LOAD, text or row.texts[0], known=known)


def test_the_context_is_the_one_that_vllm_names() -> None:
    failure = of("context_too_long")
    assert "131,072" in failure.cause
    assert remedy(failure, RemedyAction.RELOAD_WITH).label == "Load with 28,832 tokens"
    assert settings_of(failure) == {"max_model_len": 28_832}


def test_a_context_that_was_just_refused_is_not_offered_again() -> None:
    """One block of the KV cache is vLLM's own: room for exactly N tokens is none for N."""
    text = ROWS[1].texts[0].replace("131072", "28832")
    asked = LoadSettings(max_model_len=28_832)
    offered = settings_of(of("context_too_long", Known(asked, block_size=16), text))
    assert offered == {"max_model_len": 28_816}


def test_the_kv_cache_can_grow_to_what_is_needed() -> None:
    known = Known(
        LoadSettings(max_model_len=131_072, kv_cache_bytes=GIB),
        on_cpu=True,
        kv_bytes_per_token=4096,
    )
    found = [each for each in of("context_too_long", known).remedies if "KV" in each.label]
    size = found[0].settings["kv_cache_bytes"]
    assert isinstance(size, int)
    assert 16 * GIB < size < 16.1 * GIB


def test_the_share_of_a_gpu_is_the_one_that_is_free() -> None:
    failure = of("vram_in_use", KNOWN)
    assert settings_of(failure) == {"gpu_memory_utilization": 0.63}  # (15.31 - 0.25) / 23.55
    assert "inglenook (4.00 GiB), firefox (1.50 GiB), Xorg (0.25 GiB)" in failure.cause
    assert remedy(failure, RemedyAction.UNLOAD_OTHERS)
    alone = of("vram_in_use")
    assert "15.31" in alone.cause
    assert all(each.action is not RemedyAction.UNLOAD_OTHERS for each in alone.remedies)


def test_a_gpu_that_is_full_offers_no_share_of_nothing() -> None:
    failure = of("vram_in_use", None, ROWS[3].texts[0].replace("15.31/", "0.31/"))
    assert all(each.action is not RemedyAction.RELOAD_WITH for each in failure.remedies)


def test_what_is_in_force_already_is_not_offered() -> None:
    most = Known(LoadSettings(gpu_memory_utilization=0.97, enforce_eager=True))
    actions = {each.action for each in of("no_kv_memory", most).remedies}
    assert actions == {RemedyAction.CHOOSE_MODEL}
    half = Known(LoadSettings(dtype="float16"))
    assert RemedyAction.RELOAD_WITH not in {e.action for e in of("no_bfloat16", half).remedies}
    whole = Known(LoadSettings(tensor_parallel_size=1, dtype="float16"))
    assert RemedyAction.RELOAD_WITH not in {e.action for e in of("tp_split", whole).remedies}
    copied = Known(LoadSettings(tensor_parallel_size=2, disable_p2p=True))
    assert settings_of(of("gpu_link", copied)) == {"tensor_parallel_size": 1, "devices": (0,)}


@pytest.mark.parametrize(("row", "text"), RECORDED, ids=ids)
@settings(max_examples=20)
@given(
    share=st.sampled_from([None, 0.3, 0.9, 0.95, 0.97]),
    context=st.sampled_from([None, -1, 512, 8192, 28_832, 131_072]),
    parts=st.sampled_from([1, 2, 4]),
    dtype=st.sampled_from([None, "auto", "float16", "bfloat16", "float32"]),
    eager=st.sampled_from([None, True, False]),
    on_cpu=st.booleans(),
    kv=st.sampled_from([None, 1 << 20, 4 * GIB]),
    devices=st.sampled_from([(), (0,), (1, 0)]),
)
def test_no_remedy_repeats_what_was_refused(
    row: Row,
    text: str,
    share: float | None,
    context: int | None,
    parts: int,
    dtype: str | None,
    eager: bool | None,
    on_cpu: bool,
    kv: int | None,
    devices: tuple[int, ...],
) -> None:
    from msgspec import convert, to_builtins

    refused = LoadSettings(
        dtype=dtype,
        gpu_memory_utilization=share,
        max_model_len=context,
        tensor_parallel_size=parts,
        enforce_eager=eager,
        kv_cache_bytes=kv,
        devices=devices,
    )
    known = Known(refused, gpus=2, on_cpu=on_cpu, kv_bytes_per_token=1024, weights_bytes=GIB)
    failure = explain(Scope.LOAD, text, known=known)
    assert failure.remedies
    for each in failure.remedies:
        assert len(each.label) <= 32
        if each.action is RemedyAction.RELOAD_WITH:
            changed = convert({**to_builtins(refused), **each.settings}, LoadSettings)
            assert changed != refused


def test_more_gpus_are_offered_only_where_they_are() -> None:
    one = LoadSettings(gpu_memory_utilization=0.9, enforce_eager=True)
    labels = [each.label for each in of("vram_weights", Known(one, gpus=2)).remedies]
    assert "Divide it between two GPUs" in labels
    assert "Divide it between two GPUs" not in [
        e.label for e in of("vram_weights", Known(one)).remedies
    ]


def test_weights_that_do_not_fit_can_partly_stay_in_ram() -> None:
    known = Known(
        LoadSettings(gpu_memory_utilization=0.9), weights_bytes=24 * GIB, kv_bytes_per_token=131_072
    )
    offered = settings_of(of("vram_weights", known))
    # 24 GiB over 23.55 x 0.9 - 1.6 - 0.25 GiB, in halves of a GiB
    assert offered == {"cpu_offload_bytes": 5 * GIB}


# --- words ---------------------------------------------------------------------------------


def test_every_rule_speaks_plainly() -> None:
    codes = [rule.code for rule in RULES]
    assert len(codes) == len(set(codes))
    for rule in RULES:
        assert "{" not in rule.causes[-1]
        assert rule.remedies
        for cause in rule.causes:
            assert cause in all_texts()
            assert cause.endswith(".")
            assert "Error" not in cause


def test_every_module_with_texts_is_asked_for_them() -> None:
    root = Path(__file__).resolve().parents[2]
    named = {
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in (root / "engine").rglob("*.py")
        if re.search(r"from engine.failure_words import .*\bwords\b", path.read_text("utf-8"))
    }
    parts = {"engine.failures", "engine.failure_rules", "engine.remedies"}
    assert named - parts == set(TEXT_MODULES)


def test_values_that_an_error_does_not_give_are_not_shown() -> None:
    for row, text in RECORDED:
        for piece in (text, *row.fragments):
            failure = explain(Scope.LOAD, piece)
            assert "{" not in failure.cause
            assert "None" not in failure.cause


@pytest.mark.parametrize("error", ["", "\n\n", "Traceback\nKeyError: 'rope'"])
def test_an_unknown_error_still_says_what_failed(error: str) -> None:
    failure = explain(Scope.LOAD, error)
    assert failure.cause.startswith("The model could not be loaded: ")
    assert failure.remedies


def test_an_unknown_error_is_told_by_its_own_last_words() -> None:
    pydantic = (
        "pydantic_core._pydantic_core.ValidationError: 1 validation error for VllmConfig\n"
        "  Value error, Odd bits: bits=3 [type=value_error, input_value=ArgsKwargs((), {})]\n"
        "    For further information visit https://errors.pydantic.dev/2.14/v/value_error\n"
    )
    assert explain(Scope.LOAD, pydantic).cause == "The model could not be loaded: Odd bits: bits=3"
    chained = (
        "ValueError: this\n\nDuring handling of it:\n\nTraceback:\n  x\nKeyError: 'that'\n  note"
    )
    assert explain(Scope.ENGINE, chained).cause == "The engine failed: KeyError: 'that'"


def test_a_huge_error_is_cut() -> None:
    assert len(explain(Scope.ENGINE, "x" * 10**6).detail) <= 20_000


@given(st.text(max_size=400), st.text(max_size=400), st.sampled_from(list(Scope)))
def test_any_text_can_be_explained_and_sent(error: str, log: str, scope: Scope) -> None:
    encode(explain(scope, error, log=log))
    encode(explain(scope, f"\ud800{error}", log=f"Traceback (most recent call last):\n{log}"))
