"""Plans: what fits where, what would make it fit, and that more is never worse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.planner.cards import CARDS, bandwidth_of, find_card
from engine.planner.choices import choose_utilisation, free_utilisation
from engine.planner.divisibility import indivisible
from engine.planner.kv_cache import KvLayout, lay_out
from engine.planner.learned import CPU, Learned, Measured
from engine.planner.machine import GIB, Gpu, GpusError, Host, Machine, parse_gpus
from engine.planner.overhead import GPU_OVERHEAD, GRAPHS, gpu_overhead
from engine.planner.plan import Plan, Wish, plan
from engine.planner.shape import ModelShape, read_shape
from engine.planner.weights import as_awq
from engine.protocol import DeviceMemory, Loaded

LLAMA_8B: dict[str, Any] = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 128_256,
    "intermediate_size": 14_336,
    "max_position_embeddings": 131_072,
    "torch_dtype": "bfloat16",
}
BIG = read_shape(LLAMA_8B)
AWQ = as_awq(BIG)
HUGE = as_awq(
    read_shape(
        {
            **LLAMA_8B,
            "num_hidden_layers": 80,
            "hidden_size": 8192,
            "num_attention_heads": 64,
            "intermediate_size": 28_672,
        }
    )
)
HOST = Host(64 * GIB, 48 * GIB, 8, frozenset({"avx2"}))
AVX512 = replace(HOST, flags=frozenset({"avx2", "avx512f", "avx512_bf16"}))


def on(gpus: str, **changes: Any) -> Machine:
    return Machine(tuple(replace(gpu, **changes) for gpu in parse_gpus(gpus)), HOST)


def codes(made: Plan) -> set[str]:
    return {problem.code for problem in made.problems} - {"weights_estimated"}


def changes(made: Plan) -> dict[str, Any]:
    return {change.code: change for change in made.changes}


# --- one GPU, two, none ------------------------------------------------------------------------


def test_a_model_that_fits() -> None:
    made = plan(AWQ, on("3090"))
    assert made.fits
    assert (made.device, made.devices, made.tp) == ("cuda", (0,), 1)
    assert made.context == made.max_context > 100_000
    assert made.chats == 1
    assert made.kv_bytes_per_token == 131_072
    (budget,) = made.budget
    parts = budget.others + budget.weights + budget.overhead + budget.kv + budget.free
    assert parts == budget.total
    assert made.kv_bytes == budget.kv == made.kv_blocks * 16 * 131_072
    assert made.decode_tps_bound == pytest.approx(200, abs=1)
    assert (made.full_tps_bound or 0) < (made.decode_tps_bound or 0)
    assert made.settings.max_model_len == -1  # vLLM measures, and takes what there is
    assert made.settings.devices == (0,)
    assert not made.overhead_measured


def test_a_context_and_chats_that_are_wished_for() -> None:
    made = plan(AWQ, on("3090"), Wish(context=8192, chats=4))
    assert made.fits
    assert made.context == 8192
    assert made.chats >= 4
    assert made.settings.max_model_len == 8192
    assert not made.changes
    too_many = plan(AWQ, on("3090"), Wish(context=8192, chats=40))
    assert not too_many.fits
    assert codes(too_many) == {"kv_too_small"}
    found = changes(too_many)
    assert found["chats"].chats == made.chats == too_many.chats
    assert found["context"].context == too_many.max_context < 8192


def test_one_block_is_vllms_own() -> None:
    layout = lay_out(AWQ, value_bytes=2)
    exact = layout.bytes_for(1000)
    assert exact == (63 + 1) * layout.block_bytes
    assert plan(AWQ, on("3090"), Wish(context=1000, kv_bytes=exact)).fits
    less = plan(AWQ, on("3090"), Wish(context=1000, kv_bytes=exact - layout.block_bytes))
    assert not less.fits
    assert less.max_context == 992


def test_two_gpus_where_one_does_not_do() -> None:
    made = plan(HUGE, on("2x24"))
    assert made.fits
    assert (made.tp, made.devices) == (2, (0, 1))
    assert len(made.budget) == 2
    alone = plan(HUGE, on("2x24"), Wish(tp=1))
    assert not alone.fits
    assert codes(alone) == {"no_room"}
    assert changes(alone)["tp"].settings["tensor_parallel_size"] == 2
    small = plan(AWQ, on("2x24"))
    assert small.tp == 1
    assert changes(small)["tp"].context == 131_072  # the second card would give all of it
    assert not changes(small)["tp"].makes_fit


def test_unequal_gpus() -> None:
    made = plan(AWQ, on("12,24"))
    assert made.devices == (1,)
    both = plan(AWQ, on("12,24"), Wish(tp=2))
    assert both.fits
    assert "unequal_gpus" in codes(both)
    alike = plan(AWQ, on("2x12"), Wish(tp=2))
    assert both.kv_tokens == alike.kv_tokens  # the smaller one decides


def test_gpus_that_are_not_there() -> None:
    assert codes(plan(AWQ, on("24"), Wish(devices=(3,)))) == {"no_such_gpu"}
    made = plan(AWQ, Machine((), HOST), Wish(devices=(5,)))
    assert codes(made) == {"no_such_gpu"}
    assert not made.fits
    assert made.problems[0].text == "There is no GPU 5 here."
    assert codes(plan(AWQ, on("24"), Wish(tp=2))) >= {"too_few_gpus"}
    for wish in (Wish(devices=()), Wish(devices=(0, 9)), Wish(tp=-1), Wish(context=-5)):
        made = plan(AWQ, on("24"), wish)
        assert made.fits or made.problems


def test_no_gpu() -> None:
    made = plan(BIG, Machine((), AVX512))
    assert made.fits
    assert (made.device, made.devices, made.settings.dtype) == ("cpu", (), "bfloat16")
    assert made.settings.kv_cache_bytes
    assert made.settings.enforce_eager
    in_float = plan(BIG, Machine((), HOST))
    assert in_float.budget[0].weights == 2 * made.budget[0].weights
    assert in_float.kv_bytes_per_token == 2 * made.kv_bytes_per_token
    assert codes(plan(BIG, Machine((), HOST), Wish(kv_dtype="fp8"))) >= {"kv_fp8_unsupported"}


def test_memory_that_the_processor_lacks() -> None:
    tight = replace(HOST, ram_total=32 * GIB, ram_available=20 * GIB)
    made = plan(BIG, Machine((), tight))
    assert not made.fits
    found = changes(made)
    assert found["bfloat16"].settings["dtype"] == "bfloat16"
    assert found["smaller_build"].makes_fit
    nearly = replace(HOST, ram_total=64 * GIB, ram_available=31 * GIB)
    closing = changes(plan(BIG, Machine((), nearly)))["close_program"]
    assert closing.values["bytes"] in {GIB * number for number in range(1, 6)}


def test_a_gguf_file_on_the_processor_is_unpacked() -> None:
    file = replace(BIG, format="gguf", weights_bytes=5 * GIB, linear_bytes=4 * GIB)
    made = plan(file, Machine((), AVX512))
    assert "unpacked" in codes(made)
    assert made.fits
    assert made.budget[0].weights == 2 * BIG.parameters


def test_a_gguf_file_on_cuda_is_unpacked_where_the_plugin_does_not_know_it() -> None:
    file = replace(BIG, format="gguf", weights_bytes=5 * GIB, linear_bytes=4 * GIB)
    for known in ("qwen3", "gemma3_text"):
        made = plan(replace(file, model_type=known), on("3090"))
        assert made.budget[0].weights == 5 * GIB
        assert "unpacked" not in codes(made)
    made = plan(file, on("3090"))
    assert file.model_type == "llama"
    assert made.budget[0].weights == 2 * BIG.parameters
    assert made.fits
    (told,) = [problem for problem in made.problems if problem.code == "unpacked"]
    assert not told.is_fatal
    assert "(llama)" in told.text
    # In 16 bits an old card computes with it.
    assert "gpu_too_old" not in codes(plan(file, on("V100"), Wish(context=512)))


FP8 = {"quant_method": "fp8"}
AMX = replace(AVX512, flags=frozenset({"avx2", "avx512f", "avx512_bf16", "amx_bf16", "amx_tile"}))


@pytest.mark.parametrize(
    ("scheme", "host", "times"),
    [
        (FP8, HOST, 4),
        (FP8, AVX512, 2),
        (FP8, AMX, 2),
        ({**FP8, "weight_block_size": [128, 128]}, AVX512, 2),
        ({**FP8, "weight_block_size": [128, 128]}, AMX, 0),
        ({"quant_method": "fbgemm_fp8"}, HOST, 0),  # not by engine/vllm_fp8_cpu
    ],
)
def test_fp8_on_the_processor_is_unpacked_as_the_engine_does(
    scheme: dict[str, Any], host: Host, times: int
) -> None:
    shape = read_shape({**LLAMA_8B, "quantization_config": scheme})
    made = plan(shape, Machine((), host))
    told = [problem for problem in made.problems if problem.code == "fp8_unpacked"]
    assert [problem.values["times"] for problem in told] == ([times] if times else [])
    assert not any(problem.is_fatal for problem in told)
    whole = shape.embedding_params + shape.head_params + shape.other_params
    linear = made.budget[0].weights - (times or 2) * whole
    assert linear == (times or 1) * shape.linear_params


def test_8_bit_whole_numbers_stay_as_they_are() -> None:
    weights = {"num_bits": 8, "type": "int", "strategy": "channel"}
    told = {
        "quant_method": "compressed-tensors",
        "config_groups": {"group_0": {"weights": weights}},
    }
    shape = read_shape({**LLAMA_8B, "quantization_config": told})
    made = plan(shape, Machine((), HOST))
    assert shape.format == "int8"
    assert "fp8_unpacked" not in codes(made)
    assert made.budget[0].weights < 1.5 * shape.parameters


def test_what_an_unpacked_model_was_seen_to_take_is_learned_of_its_files() -> None:
    shape = read_shape({**LLAMA_8B, "quantization_config": FP8})
    learned = Learned({(CPU, shape.key, 1): Measured(3 * GIB)})
    made = plan(shape, Machine((), HOST), learned=learned)
    assert made.overhead_measured
    assert made.budget[0].overhead == 3 * GIB


def test_memory_that_the_gpu_shares_with_the_host() -> None:
    shared = Gpu(0, "GB10", None, capability=(12, 1))
    made = plan(AWQ, Machine((shared,), HOST))
    assert made.fits
    assert made.budget[0].total == HOST.ram_total
    assert made.budget[0].others >= HOST.ram_total - HOST.ram_available


# --- others on the card --------------------------------------------------------------------------


def test_what_others_use_is_left_to_them() -> None:
    machine = on("3090", used_by_others=10 * GIB)
    made = plan(AWQ, machine)
    share = made.settings.gpu_memory_utilization or 0
    assert made.fits
    assert share * made.budget[0].total + 10 * GIB < made.budget[0].total
    assert made.kv_tokens < plan(AWQ, on("3090")).kv_tokens


def test_a_program_to_close_is_named() -> None:
    others = (("", GIB), ("Xorg", GIB // 2), ("blender", 14 * GIB), ("steam", 2 * GIB))
    machine = on("3090", used_by_others=18 * GIB, others=others)
    made = plan(AWQ, machine)
    assert not made.fits
    closing = [change for change in made.changes if change.code == "close_program"]
    assert [change.values["program"] for change in closing] == ["blender", ""]
    assert "blender" in closing[0].label
    assert closing[0].context > 16_384
    assert closing[0].settings == {}
    unknown = plan(AWQ, on("3090", used_by_others=18 * GIB))  # WSL2 tells no programs
    assert [c.values["program"] for c in unknown.changes if c.code == "close_program"] == [""]


def test_too_much_of_a_card_that_others_use() -> None:
    machine = on("3090", used_by_others=6 * GIB)
    made = plan(AWQ, machine, Wish(utilisation=0.9))
    assert not made.fits
    assert codes(made) == {"memory_in_use"}
    fix = changes(made)["utilisation"]
    assert 0.6 < float(str(fix.settings["gpu_memory_utilization"])) < 0.75
    assert plan(AWQ, machine, fix.wish).fits


def test_utilisation() -> None:
    (gpu,) = parse_gpus("24")
    assert choose_utilisation((gpu,)) == 0.9
    assert choose_utilisation((replace(gpu, used_by_others=30 * GIB),)) == 0.02
    busy = replace(gpu, used_by_others=8 * GIB)
    assert choose_utilisation((gpu, busy)) < free_utilisation(busy) < 0.7


# --- what cannot be ------------------------------------------------------------------------------


def test_what_does_not_divide() -> None:
    odd = read_shape({**LLAMA_8B, "num_attention_heads": 9, "num_key_value_heads": 3})
    assert indivisible(odd, 1) is None
    problem = indivisible(odd, 2)
    assert problem is not None
    assert problem.code == "heads_indivisible"
    assert not plan(odd, on("2x24"), Wish(tp=2)).fits
    three = read_shape({**LLAMA_8B, "num_attention_heads": 24, "num_key_value_heads": 3})
    assert indivisible(three, 2) is not None
    one = read_shape({**LLAMA_8B, "num_key_value_heads": 1})
    assert indivisible(one, 2) is None  # a single KV head is on both GPUs
    narrow = replace(AWQ, intermediate=128 * 3)
    problem = indivisible(narrow, 2)
    assert problem is not None
    assert problem.code == "groups_indivisible"
    assert indivisible(replace(BIG, intermediate=128 * 3), 2) is None


def test_old_gpus() -> None:
    turing = plan(BIG, on("TITAN RTX"))
    assert turing.settings.dtype == "float16"
    assert codes(turing) >= {"float16_instead"}
    assert plan(AWQ, on("TITAN RTX")).fits
    volta = plan(AWQ, on("V100"))
    assert not volta.fits
    assert codes(volta) >= {"gpu_too_old"}
    assert codes(plan(AWQ, on("T4"), Wish(kv_dtype="fp8"))) >= {"kv_fp8_unsupported"}
    assert "kv_fp8" not in changes(plan(AWQ, on("3090")))
    assert "kv_fp8" in changes(plan(AWQ, on("4090")))


def test_a_context_beyond_the_model() -> None:
    made = plan(AWQ, on("3090"), Wish(context=200_000))
    assert codes(made) >= {"context_above_model"}
    assert not made.fits
    fix = changes(made)["context"]
    assert plan(AWQ, on("3090"), fix.wish).fits


# --- changes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("gpus", ["6", "8", "10", "12", "16", "24", "2x8", "2x16", "12,24", "none"])
@pytest.mark.parametrize("shape", [BIG, AWQ, HUGE], ids=["8b", "8b-awq", "70b-awq"])
def test_each_change_does_what_it_says(shape: ModelShape, gpus: str) -> None:
    machine = on(gpus)
    for wish in (Wish(), Wish(context=32_768), Wish(context=16_384, chats=4), Wish(tp=1)):
        made = plan(shape, machine, wish)
        labels = [change.label for change in made.changes]
        assert len(labels) == len(set(labels))
        for change in made.changes:
            assert change.makes_fit == (not made.fits)
            if change.wish is not None:
                again = plan(shape, machine, change.wish, explain=False)
                assert again.fits
                assert again.context == change.context
                for name, value in change.settings.items():
                    assert getattr(again.settings, name) == value
                if made.fits:
                    assert again.context > made.context


def test_all_of_the_changes_can_be_had() -> None:
    found = set(changes(plan(BIG, on("2x24"), Wish(tp=1))))
    assert found >= {"utilisation", "tp", "kv_fp8", "sequences", "eager", "smaller_build"}
    assert set(changes(plan(BIG, on("16")))) >= {"smaller_build", "offload"}


# --- what was learned ----------------------------------------------------------------------------


def loaded(*memory: DeviceMemory, tp: int = 1) -> Loaded:
    return Loaded(
        1, "m", 4096, 100, 16, 64, "float16", "GPU", 0, 1.0, tensor_parallel_size=tp, memory=memory
    )


def test_a_load_teaches_its_overhead() -> None:
    machine = on("3090")
    before = plan(AWQ, machine)
    memory = DeviceMemory(0, "RTX 3090", 24 * GIB, 5 * GIB, 10 * GIB, GIB // 4, GIB // 2, 0)
    learned = Learned().after(AWQ, before, loaded(memory))
    assert learned.overhead("RTX 3090", AWQ.key, 1) == GIB * 3 // 4
    after = plan(AWQ, machine, None, learned)
    assert after.overhead_measured
    assert after.budget[0].overhead == GIB * 3 // 4
    assert after.kv_tokens > before.kv_tokens
    assert not plan(BIG, machine, None, learned).overhead_measured  # another model
    assert Learned.from_json(learned.to_json()) == learned
    fewer = gpu_overhead(AWQ, "RTX 3090", 1, 8, False, learned)
    assert GIB // 2 < fewer < GIB * 3 // 4
    assert gpu_overhead(AWQ, "RTX 3090", 1, 64, True, learned) == GIB // 2


def test_what_cuda_holds_is_learned_apart() -> None:
    memory = DeviceMemory(0, "RTX 3090", 24 * GIB, 0, 0, GIB // 8, 2 * GIB, 0, GIB)
    before = plan(AWQ, on("3090"))
    learned = Learned().after(AWQ, before, loaded(memory))
    assert learned.overhead("RTX 3090", AWQ.key, 1) == GIB + GIB // 8
    after = plan(AWQ, on("3090"), None, learned)
    assert after.budget[0].overhead == GIB + GIB // 8
    assert after.budget[0].others == before.budget[0].others + GIB // 2
    assert Learned.from_json(learned.to_json()) == learned


def test_of_two_like_gpus_the_fuller_one_counts() -> None:
    def memory(device: int, overhead: int) -> DeviceMemory:
        return DeviceMemory(device, "RTX 3090", 24 * GIB, 0, 0, 0, overhead, 0)

    learned = Learned().after(HUGE, plan(HUGE, on("2x3090")), loaded(memory(0, 9), memory(1, 5)))
    assert learned.overhead("RTX 3090", HUGE.key, 1) == 9
    host = DeviceMemory(-1, "Some processor", 64 * GIB, 0, 0, 0, 7 * GIB, 0)
    learned = learned.after(BIG, plan(BIG, Machine((), HOST)), loaded(host))
    assert learned.find(CPU, BIG.key, 1) == Measured(7 * GIB, 0, 64)
    assert plan(BIG, Machine((), HOST), None, learned).budget[0].overhead == 7 * GIB


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "1", '{"measured": 3}', '{"measured": [[1, 2, 3]]}'),
        *(
            '{"measured": [["a", "b", 1, -5, 0, 0, 0]]}',
            '{"measured": [["a", "b", 1, 1e9, 0, 0, 0]]}',
        ),
        *('{"measured": [["a", "b", true, 5, 0, 0, 0]]}', "[" * 100_000),
        '{"measured": [["a", "b", 1, 99999999999999999999999, 0, 0, 0]]}',
    ],
)
def test_a_damaged_memory_of_loads_is_an_empty_one(text: str) -> None:
    assert Learned.from_json(text) == Learned()
    assert Learned.from_json(text.encode()) == Learned()


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_nothing_that_is_read_raises(text: str | bytes) -> None:
    Learned.from_json(text)


def test_nothing_is_learned_from_what_is_not_told() -> None:
    empty = DeviceMemory(0, "RTX 3090", 0, 0, 0, 0, 0, 0)
    assert Learned().after(AWQ, plan(AWQ, on("3090")), loaded(empty)) == Learned()


def test_the_estimate_before_the_first_load() -> None:
    def estimate(sequences: int, eager: bool = False) -> int:
        return gpu_overhead(AWQ, "any", 1, sequences, eager, Learned())

    assert estimate(64) == estimate(256) == GPU_OVERHEAD
    assert estimate(8) < GPU_OVERHEAD
    assert estimate(64, eager=True) == GPU_OVERHEAD - GRAPHS


# --- GPUs by name --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("24", ["24 GB GPU"]),
        ("2x24", ["24 GB GPU"] * 2),
        ("24,12", ["24 GB GPU", "12 GB GPU"]),
        ("2 x 24 GB", ["24 GB GPU"] * 2),
        ("7.5", ["7.5 GB GPU"]),
        ("3090", ["RTX 3090"]),
        ("2x4090", ["RTX 4090"] * 2),
        ("RTX 3090 Ti", ["RTX 3090 Ti"]),
        ("4060 ti 16gb, l40s", ["RTX 4060 Ti 16GB", "L40S"]),
        ("A100-80GB", ["A100 80GB"]),
        ("none", []),
    ],
)
def test_gpus_are_named(text: str, names: list[str]) -> None:
    gpus = parse_gpus(text)
    assert [gpu.name for gpu in gpus] == names
    assert [gpu.index for gpu in gpus] == list(range(len(names)))


@pytest.mark.parametrize(
    "text", ["", ",", "x", "99x24", "0x24", "2x", "-24", "24;12", "9999", "nan", "a" * 10_000, "²"]
)
def test_no_gpus(text: str) -> None:
    with pytest.raises(GpusError) as caught:
        parse_gpus(text)
    assert len(str(caught.value)) < 300


def test_a_24_gb_card_shows_23_55_gib() -> None:
    assert parse_gpus("24")[0].usable == int(23.55 * GIB)


@pytest.mark.parametrize(
    ("driver", "name"),
    [
        ("NVIDIA GeForce RTX 3090", "RTX 3090"),
        ("NVIDIA GeForce RTX 4070 Ti SUPER", "RTX 4070 Ti SUPER"),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", "RTX 4090 Laptop"),
        ("NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada"),
        ("Quadro RTX 6000", "RTX 6000"),
        ("Tesla T4", "T4"),
        ("NVIDIA A100-SXM4-80GB", "A100 SXM4 80GB"),
        ("NVIDIA H100 80GB HBM3", "H100"),
        ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000 Blackwell"),
        ("NVIDIA GB10", "GB10"),
    ],
)
def test_cards_by_the_drivers_names(driver: str, name: str) -> None:
    card = find_card(driver)
    assert card is not None
    assert card.name == name
    assert bandwidth_of(driver) == card.bandwidth


def test_a_card_nobody_knows() -> None:
    assert find_card("NVIDIA Graphics Device") is None
    assert bandwidth_of("") is None
    assert len(CARDS) > 80
    assert bandwidth_of("RTX 3090") == 936.2e9


# --- properties ----------------------------------------------------------------------------------

SHAPES = st.builds(
    lambda layers, kv, groups, dim, width, window, mla, awq: _shape(
        layers, kv, groups, dim, width, window, mla, awq
    ),
    st.integers(1, 90),
    st.sampled_from([1, 2, 4, 8]),
    st.sampled_from([1, 2, 4, 7]),
    st.sampled_from([32, 64, 128]),
    st.sampled_from([512, 1024, 4096, 8192]),
    st.sampled_from([None, "all", "some"]),
    st.booleans(),
    st.booleans(),
)


def _shape(
    layers: int,
    kv: int,
    groups: int,
    dim: int,
    width: int,
    window: str | None,
    mla: bool,
    awq: bool,
) -> ModelShape:
    config: dict[str, Any] = {
        "model_type": "gemma3_text" if window == "some" else "llama",
        "num_hidden_layers": layers,
        "hidden_size": width,
        "num_attention_heads": kv * groups,
        "num_key_value_heads": kv,
        "head_dim": dim,
        "vocab_size": 32_000,
        "intermediate_size": 4 * width,
        "max_position_embeddings": 65_536,
    }
    if window:
        config["sliding_window"] = 1024
    if mla:
        config |= {"model_type": "deepseek_v3", "kv_lora_rank": 512, "qk_rope_head_dim": 64}
    shape = read_shape(config)
    return as_awq(shape) if awq else shape


SIZES = st.integers(4, 200).map(lambda tenths: tenths * GIB // 4)
SHARES = st.integers(20, 95).map(lambda percent: percent / 100)


def alone(shape: ModelShape, total: int, wish: Wish, *, cards: int = 1, others: int = 0) -> Plan:
    gpus = tuple(Gpu(index, "card", total, 0, others) for index in range(cards))
    return plan(shape, Machine(gpus, HOST), wish, explain=False)


def is_at_least(more: Plan, less: Plan) -> None:
    """Whatever `less` can, `more` can."""
    assert more.fits or not less.fits
    assert more.max_context >= less.max_context
    if less.context and more.context == less.context:
        assert more.kv_tokens >= less.kv_tokens
        assert more.chats >= less.chats


@settings(max_examples=60, deadline=None)
@given(SHAPES, SIZES, SIZES, SHARES, st.integers(1, 65_536))
def test_more_memory_is_never_worse(
    shape: ModelShape, one: int, other: int, share: float, context: int
) -> None:
    for wish in (Wish(utilisation=share, tp=1), Wish(utilisation=share, tp=1, context=context)):
        is_at_least(alone(shape, max(one, other), wish), alone(shape, min(one, other), wish))


@settings(max_examples=60, deadline=None)
@given(SHAPES, SIZES, SHARES, SHARES, st.integers(1, 65_536))
def test_a_larger_share_is_never_worse(
    shape: ModelShape, total: int, one: float, other: float, context: int
) -> None:
    low, high = sorted((one, other))
    assume(high <= free_utilisation(Gpu(0, "card", total)))
    less = alone(shape, total, Wish(utilisation=low, tp=1, context=context))
    is_at_least(alone(shape, total, Wish(utilisation=high, tp=1, context=context)), less)


@settings(max_examples=60, deadline=None)
@given(SHAPES, SIZES, st.integers(1, 65_536), st.integers(1, 65_536))
def test_a_shorter_context_is_never_worse(
    shape: ModelShape, total: int, one: int, other: int
) -> None:
    short, long = sorted((one, other))
    less = alone(shape, total, Wish(tp=1, context=long))
    more = alone(shape, total, Wish(tp=1, context=short))
    assert more.fits or not less.fits
    assert more.chats >= less.chats
    assert more.max_context == less.max_context


@settings(max_examples=60, deadline=None)
@given(SHAPES, SIZES, st.sampled_from([2, 4]), st.integers(1, 65_536))
def test_more_gpus_are_never_worse(shape: ModelShape, total: int, tp: int, context: int) -> None:
    assume(indivisible(shape, tp) is None)
    less = alone(shape, total, Wish(tp=1, context=context), cards=4)
    is_at_least(alone(shape, total, Wish(tp=tp, context=context), cards=4), less)


@settings(max_examples=60, deadline=None)
@given(SHAPES, SIZES, SIZES, st.integers(1, 65_536))
def test_fewer_others_fp8_and_no_graphs_are_never_worse(
    shape: ModelShape, total: int, others: int, context: int
) -> None:
    wish = Wish(tp=1, context=context)
    less = alone(shape, total, wish, others=min(total, others))
    is_at_least(alone(shape, total, wish), less)
    for better in (
        replace(wish, kv_dtype="fp8"),
        replace(wish, eager=True),
        replace(wish, sequences=8),
    ):
        is_at_least(alone(shape, total, better, others=min(total, others)), less)


def layouts() -> st.SearchStrategy[KvLayout]:
    return st.builds(
        lambda shape, tp, block, flight: lay_out(
            shape, value_bytes=2, tp=tp, block_size=block, in_flight=flight
        ),
        SHAPES,
        st.sampled_from([1, 2]),
        st.sampled_from([16, 32, 128]),
        st.sampled_from([512, 4096]),
    )


@settings(max_examples=100, deadline=None)
@given(layouts(), st.integers(1, 65_536), st.integers(1, 5))
def test_bytes_for_so_many_tokens_are_exact(layout: KvLayout, tokens: int, chats: int) -> None:
    size = layout.bytes_for(tokens, chats)
    blocks = layout.blocks(size)
    assert layout.chats(blocks, tokens) == chats
    assert layout.chats(layout.blocks(size - 1), tokens) == chats - 1
    assert layout.largest_context((blocks - 1) // chats + 1, 65_536) >= tokens


@settings(max_examples=100, deadline=None)
@given(layouts(), st.integers(0, 5000), st.integers(1, 65_536))
def test_the_largest_context_fits_and_one_more_does_not(
    layout: KvLayout, blocks: int, most: int
) -> None:
    largest = layout.largest_context(blocks, most)
    assert 0 <= largest <= most
    if largest:
        assert layout.blocks_of_chat(largest) <= blocks - 1
        assert layout.chats(blocks, largest) >= 1
    if largest < most:
        assert layout.blocks_of_chat(largest + 1) > blocks - 1
