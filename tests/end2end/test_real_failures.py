"""Failures of the real engine, provoked: each is recognised, and its remedy, applied, helps.

One process imports vLLM once and tries each in a fork (`tests.helpers.failure_lab`). The rows
of `tests.helpers.failure_table` name the trials here that show them; what needs a GPU or the net
is held by recorded texts in `tests/unit/test_failures.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import convert, to_builtins
from msgspec.structs import replace

from engine.failures import refined
from engine.protocol import Failure, Generate, LoadSettings, Remedy, RemedyAction
from engine.store.folder_checks import FOREIGN_QUANTISATIONS
from tests.helpers.failure_lab import Lab, Outcome, Trial, chat
from tests.helpers.failure_table import ROWS
from tests.helpers.lab_models import CONTEXT, KV_TOKEN, configure, make, pack, rewrite
from tests.helpers.tiny_gguf import gguf_bytes

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(400)]

MIB = 1024**2
TEMPLATE = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:"
SLOW = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
HUNGRY = "{% set x = 'a' * 10000000 %}{% for i in range(900) %}{{ x }}{% endfor %}"
Settings = LoadSettings
SMALL = Settings(kv_cache_bytes=16 * MIB)
SPLIT = Settings(kv_cache_bytes=16 * MIB, tensor_parallel_size=2)
HELLO = (chat("Hello"),)
AWQ = {"quant_method": "awq", "bits": 4, "group_size": 32, "zero_point": True, "version": "gemm"}
GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 32, "desc_act": False, "sym": True}


@dataclass(frozen=True)
class Case:
    """What is wrong, and what helps.

    Attributes:
        model: makes the folder.
        code: of the failure.
        says: what the cause must name.
        cure: the remedy that is applied; None: only another model helps.
        label: in the label of the remedy, where there are several with this action.
        check: as of `Trial`; without, it is vLLM that finds the fault.
        freed: faults that are over when the remedy is applied (other programs have ended).
    """

    model: Callable[[Path], Path]
    code: str
    settings: LoadSettings = SMALL
    says: tuple[str, ...] = ()
    cure: RemedyAction | None = None
    faults: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    ask: tuple[Generate, ...] = ()
    check: bool = True
    label: str = ""


def remote(name: str) -> Callable[[Path], Path]:
    """A model that brings a program, which leaves a mark when it is run."""

    def build(folder: Path) -> Path:
        make(folder)
        program = f"open({str(folder / 'CANARY')!r}, 'w')\n"
        (folder / "program.py").write_text(program)
        if name == "config":
            return configure(folder, model_type="own", auto_map={"AutoConfig": "program.Config"})
        (folder / "tokenizer.json").unlink()
        (folder / "vocab.json").write_text("{}")
        text = '{"tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["program.Own", null]}}'
        (folder / "tokenizer_config.json").write_text(text)
        return folder

    return build


def without(*names: str) -> Callable[[Path], Path]:
    """A model that lacks files."""

    def build(folder: Path) -> Path:
        make(folder)
        for name in names:
            (folder / name).unlink()
        return folder

    return build


def shaped(**shape: object) -> Callable[[Path], Path]:
    return lambda folder: make(folder, **shape)


def configured(*less: str, **values: object) -> Callable[[Path], Path]:
    return lambda folder: configure(make(folder), *less, **values)


def written(name: str, text: str) -> Callable[[Path], Path]:
    return lambda folder: rewrite(make(folder), name, lambda _: text.encode())


def one_shard(folder: Path) -> Path:
    make(folder)
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    return folder


def only_gguf(folder: Path) -> Path:
    make(folder)
    (folder / "model.safetensors").unlink()
    (folder / "model-Q4_K_M.gguf").write_bytes(gguf_bytes())
    return folder


WITH = RemedyAction.RELOAD_WITH
RETRY = RemedyAction.RETRY
TEMPLATES = RemedyAction.CHOOSE_TEMPLATE
TOKENIZERS = RemedyAction.CHOOSE_TOKENIZER
BLOCK = 32
FORKED = ("fork_workers",)

CASES: dict[str, Case] = {
    # --- memory ---
    "context_too_long": Case(
        make,
        "context_too_long",
        Settings(max_model_len=CONTEXT, kv_cache_bytes=KV_TOKEN * 2 * 300),
        (f"{CONTEXT}",),
        WITH,
    ),
    "context_just_too_long": Case(
        make,
        "context_too_long",
        Settings(max_model_len=CONTEXT, kv_cache_bytes=KV_TOKEN * 2 * CONTEXT, dtype="bfloat16"),
        (f"{CONTEXT}",),
        WITH,
    ),
    "context_too_long_kv": Case(
        make,
        "context_too_long",
        Settings(max_model_len=CONTEXT, kv_cache_bytes=KV_TOKEN * 2 * 300),
        (f"{CONTEXT}",),
        WITH,
        label="KV cache",
    ),
    "no_kv_room": Case(
        make, "no_kv_room", Settings(kv_cache_bytes=KV_TOKEN * 2 * BLOCK), cure=WITH
    ),
    "no_kv_memory": Case(
        make, "no_kv_memory", Settings(kv_cache_bytes=1, max_model_len=64), cure=WITH
    ),
    "ram_kv": Case(
        make, "ram_kv", Settings(kv_cache_bytes=2**33), ("8.0 GiB",), WITH, ("busy_memory",)
    ),
    "ram_share": Case(
        make,
        "ram_share",
        Settings(),
        cure=WITH,
        faults=("as_asked", "vllm_sizes_kv", "busy_memory"),
    ),
    "ram_full": Case(
        make, "ram_full", Settings(kv_cache_bytes=1280 * MIB), cure=WITH, faults=("little_memory",)
    ),
    "shm_full": Case(make, "no_space", SPLIT, ("/dev/shm",), WITH, (*FORKED, "full_shm")),
    # --- precision, and settings that do not go with machine or model ---
    "quant_dtype": Case(
        configured(quantization_config={"quant_method": "experts_int8"}),
        "quant_dtype",
        replace(SMALL, dtype="float32"),
        ("float32", "experts_int8"),
        faults=("as_asked",),
    ),
    "no_kernel": Case(
        lambda folder: configure(make(folder, intermediate=40), quantization_config=GPTQ),
        "no_kernel",
        says=("WNA16",),
    ),
    "no_kernel_bits": Case(configured(quantization_config={**GPTQ, "bits": 3}), "no_kernel"),
    "no_kernel_group": Case(
        lambda folder: configure(
            make(folder, hidden=96), quantization_config={**GPTQ, "group_size": 48}
        ),
        "no_kernel",
    ),
    "awq_input_size": Case(
        lambda folder: configure(pack(make(folder, intermediate=40)), quantization_config=AWQ),
        "layer_shape",
        says=("groups of 32", "40", "down_proj"),
        cure=RemedyAction.CHOOSE_MODEL,
        label="unquantised",
        faults=("avx2",),
    ),
    "awq_group_size": Case(
        lambda folder: configure(
            pack(make(folder, hidden=96)), quantization_config={**AWQ, "group_size": 48}
        ),
        "layer_shape",
        says=("groups of 48", "32"),
        faults=("avx2",),
    ),
    "awq_output_size": Case(
        lambda folder: configure(pack(make(folder, intermediate=34)), quantization_config=AWQ),
        "layer_shape",
        says=("68", "8 at a time"),
        faults=("avx2",),
    ),
    "bad_dtype": Case(make, "bad_dtype", replace(SMALL, dtype="float8"), cure=WITH),
    "fp8_kv_cpu": Case(
        make, "fp8_kv_cpu", replace(SMALL, kv_cache_dtype="fp8"), cure=WITH, faults=("avx2",)
    ),
    "kv_dtype": Case(make, "kv_dtype", replace(SMALL, kv_cache_dtype="int3"), cure=WITH),
    "kv_blocks": Case(make, "kv_blocks", replace(SMALL, block_size=7), cure=WITH),
    "step_tokens": Case(
        make, "step_tokens", replace(SMALL, max_num_seqs=64, max_num_batched_tokens=8), cure=WITH
    ),
    "context_above_model": Case(
        make,
        "context_above_model",
        replace(SMALL, max_model_len=99_999),
        (f"{CONTEXT}", "99,999"),
        WITH,
    ),
    "context_above_model_vllm": Case(
        make,
        "context_above_model",
        replace(SMALL, max_model_len=99_999),
        (f"{CONTEXT}", "99,999"),
        WITH,
        check=False,
    ),
    "heads": Case(shaped(heads=3, kv_heads=3, hidden=48), "heads", SPLIT, ("3",), WITH),
    "heads_vllm": Case(
        shaped(heads=3, kv_heads=3, hidden=48), "heads", SPLIT, ("3",), WITH, check=False
    ),
    "numa": Case(make, "numa", SPLIT, ("2",), WITH, (*FORKED, "no_binding"), ("no_binding",)),
    # --- files ---
    "config_missing": Case(
        without("config.json"), "model_missing", says=("config.json",), check=False
    ),
    "config_missing_check": Case(without("config.json"), "config_missing", says=("config.json",)),
    "weights_missing": Case(without("model.safetensors"), "weights_missing", check=False),
    "shard_missing": Case(one_shard, "weights_missing", says=("model-00002-of-00002.safetensors",)),
    "weights_cut": Case(
        lambda folder: rewrite(make(folder), "model.safetensors", lambda data: data[:-99]),
        "weights_broken",
        check=False,
    ),
    "weights_cut_check": Case(
        lambda folder: rewrite(make(folder), "model.safetensors", lambda data: data[:-99]),
        "weights_broken",
        says=("model.safetensors",),
    ),
    "weights_too_narrow": Case(configured(intermediate_size=128), "weights_differ"),
    "weights_too_few": Case(configured(num_hidden_layers=3), "weights_differ"),
    "weights_too_many": Case(configured(num_hidden_layers=1), "weights_differ"),
    "weights_of_other_words": Case(configured(vocab_size=100), "weights_differ"),
    "gguf": Case(only_gguf, "gguf", says=("model-Q4_K_M.gguf",)),
    "unforeseen": Case(make, "unknown", faults=("unforeseen",)),
    # --- the model itself ---
    "quant_unknown": Case(
        configured(quantization_config={"quant_method": "squeeze"}),
        "quant_unknown",
        says=("squeeze",),
    ),
    "quant_not_installed": Case(
        configured(
            quantization_config={
                "quant_method": "torchao",
                "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {}}},
            }
        ),
        "quant_unknown",
        says=("torchao",),
    ),
    "quant_foreign": Case(
        configured(quantization_config={"quant_method": "bitsandbytes"}),
        "quant_unknown",
        says=("bitsandbytes",),
        check=False,
    ),
    "offline": Case(lambda _folder: Path("nobody/no-such-model"), "offline", check=False),
    "architecture": Case(
        configured(architectures=["NoSuchForCausalLM"]),
        "architecture",
        says=("NoSuchForCausalLM",),
    ),
    "architecture_dropped": Case(
        configured(architectures=["MotifForCausalLM"]), "architecture", says=("MotifForCausalLM",)
    ),
    "model_type": Case(configured(model_type="nosuch"), "architecture"),
    "model_type_missing": Case(configured("model_type"), "architecture"),
    "remote_config": Case(remote("config"), "remote_code"),
    "remote_tokenizer": Case(remote("tokenizer"), "remote_code"),
    "tokenizer_missing": Case(without("tokenizer.json"), "tokenizer_missing", cure=TOKENIZERS),
    "tokenizer_missing_vllm": Case(
        without("tokenizer.json"), "tokenizer_missing", cure=TOKENIZERS, check=False
    ),
    "tokenizer_damaged": Case(
        written("tokenizer.json", '{"model": {}}'), "tokenizer_missing", cure=TOKENIZERS
    ),
    "no_chat_template": Case(without("chat_template.jinja"), "no_chat_template", cure=TEMPLATES),
    # --- requests ---
    "no_chat_template_vllm": Case(
        without("chat_template.jinja"),
        "no_chat_template",
        cure=TEMPLATES,
        ask=HELLO,
        check=False,
    ),
    "template_bomb": Case(
        written("chat_template.jinja", SLOW),
        "template_slow",
        cure=TEMPLATES,
        ask=HELLO,
        faults=("quick_templates",),
    ),
    "template_memory": Case(
        written("chat_template.jinja", HUNGRY), "template_slow", cure=TEMPLATES, ask=HELLO
    ),
    "template_refuses": Case(
        written("chat_template.jinja", "{{ raise_exception('Roles!') }}"),
        "template",
        cure=TEMPLATES,
        ask=HELLO,
    ),
    "template_broken": Case(
        written("chat_template.jinja", "{% for x in %}"), "template", cure=TEMPLATES, ask=HELLO
    ),
    "prompt_too_long": Case(
        make,
        "prompt_too_long",
        says=(f"{CONTEXT}",),
        cure=RemedyAction.SHORTEN_PROMPT,
        ask=(chat("Hello " * 200),),
    ),
    "pattern_refused": Case(
        make, "bad_parameter", says=("parenthesis",), ask=(chat("x", regex="((("),)
    ),
    "schema_refused": Case(
        make, "bad_parameter", says=("schema",), ask=(chat("x", json_schema='{"type": 3}'),)
    ),
    # --- several processes ---
    "worker_fails": Case(configured(intermediate_size=128), "weights_differ", SPLIT, faults=FORKED),
    "worker_hangs": Case(
        make, "hang", SPLIT, cure=WITH, faults=(*FORKED, "worker_hangs"), label="one piece"
    ),
    "worker_killed": Case(make, "worker_died", SPLIT, cure=WITH, faults=(*FORKED, "worker_dies")),
}


@pytest.fixture(scope="module")
def good(starter: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with nothing wrong, to choose instead."""
    return make(tmp_path_factory.mktemp("good") / "Good-Instruct")


def failure_of(outcome: Outcome) -> Failure:
    failures = [answer.failure for answer in outcome.answers if answer.failure]
    found = outcome.failure or (failures[0] if failures else None)
    assert found is not None, f"nothing failed: {outcome}"
    return refined(found, log=outcome.log)


def applied(trial: Trial, remedy: Remedy, good: Path, tmp_path: Path) -> Trial:
    """What the window does when the remedy's button is pressed."""
    settings = trial.settings
    match remedy.action:
        case RemedyAction.RELOAD_WITH:
            changed = convert({**to_builtins(settings), **remedy.settings}, LoadSettings)
            return replace(trial, settings=changed)
        case RemedyAction.CHOOSE_TEMPLATE:
            chosen = tmp_path / "chosen.jinja"
            chosen.write_text(TEMPLATE)
            return replace(trial, settings=replace(settings, chat_template=str(chosen)))
        case RemedyAction.CHOOSE_TOKENIZER:
            return replace(trial, settings=replace(settings, tokenizer=str(good)))
        case RemedyAction.CHOOSE_MODEL:
            return replace(trial, model=str(good), ask=HELLO)
        case RemedyAction.SHORTEN_PROMPT:
            return replace(trial, ask=HELLO)
        case RemedyAction.RETRY:
            return trial
        case _:
            raise AssertionError(f"no trial applies {remedy}")


@pytest.mark.parametrize("name", CASES)
def test_a_failure_is_recognised_and_its_remedy_helps(
    name: str, lab: Lab, good: Path, tmp_path: Path
) -> None:
    case = CASES[name]
    folder = case.model(tmp_path / "Wrong-Instruct")
    trial = Trial(str(folder), case.settings, case.faults, case.ask, case.check)
    outcome = lab.run(trial)
    if "no mount namespace" in outcome.log or "no tmpfs" in outcome.log:
        pytest.skip("this machine lets nobody have a /dev/shm of his own")
    failure = failure_of(outcome)
    assert failure.code == case.code, failure.detail
    for words in case.says:
        assert words in failure.cause
    assert not (folder / "CANARY").exists()
    if case.cure is None:
        return
    remedy = next(
        each for each in failure.remedies if each.action is case.cure and case.label in each.label
    )
    cured = applied(trial, remedy, good, tmp_path)
    cured = replace(cured, faults=tuple(f for f in case.faults if f not in case.freed))
    again = lab.run(cured)
    assert again.loaded is not None, f"{remedy}: {again.failure} {again.log[-3000:]}"
    assert [answer.failure for answer in again.answers] == [None] * len(cured.ask)


def test_formats_of_other_programs_are_unknown_to_vllm(lab: Lab, tmp_path: Path) -> None:
    """Those that the folder's check refuses: should vLLM learn one, it must be let through."""
    folder = make(tmp_path / "model")
    for method in sorted(FOREIGN_QUANTISATIONS):
        configure(folder, quantization_config={"quant_method": method})
        outcome = lab.run(Trial(str(folder), SMALL, check=False))
        assert failure_of(outcome).code == "quant_unknown", method


def test_every_row_that_claims_a_trial_has_it_and_they_are_many() -> None:
    named = {trial for row in ROWS for trial in row.trials}
    assert named <= set(CASES)
    for row in ROWS:
        for trial in row.trials:
            code = CASES[trial].code
            assert code == row.code or trial == "config_missing_check"
    assert sum(bool(row.trials) for row in ROWS) >= 25
    assert len(CASES) >= 40
