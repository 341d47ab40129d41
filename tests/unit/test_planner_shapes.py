"""What the planner reads out of a config.json and out of the headers of the weights."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.planner.kv_cache import lay_out
from engine.planner.machine import GIB, Host, Machine, parse_gpus
from engine.planner.plan import plan
from engine.planner.shape import (
    Attention,
    ModelShape,
    ShapeError,
    TensorInfo,
    read_shape,
    shape_of_folder,
)
from engine.planner.weights import as_awq, device_weights, read_per_token, unpacked
from tests.helpers.tiny_models import STARTER, make_tiny_model

# Configurations and tensors of small models as transformers 5 makes them.
MODELS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "planner_models.json").read_text()
)
BASE: dict[str, Any] = {
    "model_type": "llama",
    "num_hidden_layers": 4,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "intermediate_size": 128,
    "vocab_size": 1000,
    "max_position_embeddings": 4096,
}


def tensors_of(name: str, dtype: str = "BF16") -> dict[str, TensorInfo]:
    found = {}
    for pattern, dims, layers in MODELS[name]["tensors"]:
        for layer in layers if layers is not None else [0]:
            size = tuple(dims)
            found[pattern.replace("*", str(layer))] = TensorInfo(dtype, size, 2 * prod(size))
    return found


def counts(shape: ModelShape) -> tuple[int, int, int, int]:
    return shape.linear_params, shape.embedding_params, shape.head_params, shape.other_params


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model["exact"]])
def test_config_and_headers_agree(name: str) -> None:
    by_config = read_shape(MODELS[name]["config"])
    by_headers = read_shape(MODELS[name]["config"], tensors_of(name))
    assert counts(by_config) == counts(by_headers)
    assert by_config.weights_bytes == by_headers.weights_bytes
    assert (by_config.is_exact, by_headers.is_exact) == (False, True)
    assert by_headers.tied == by_config.tied
    assert by_headers.active_params == by_config.active_params


@pytest.mark.parametrize("name", MODELS)
def test_headers_count_every_parameter(name: str) -> None:
    tensors = tensors_of(name)
    shape = read_shape(MODELS[name]["config"], tensors)
    assert shape.parameters == sum(prod(tensor.dims) for tensor in tensors.values())
    assert shape.weights_bytes == 2 * shape.parameters


def kinds(shape: ModelShape) -> list[tuple[int, int | None]]:
    return [(kind.layers, kind.window) for kind in shape.attention]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, [(4, None)]),
        ({"model_type": "mistral"}, [(4, 4096)]),  # the class's default
        ({"model_type": "mistral", "sliding_window": None}, [(4, None)]),
        ({"model_type": "mistral", "sliding_window": 0}, [(4, None)]),
        ({"sliding_window": 256}, [(4, 256)]),
        ({"model_type": "qwen2", "sliding_window": 256}, [(4, None)]),
        ({"model_type": "qwen2", "sliding_window": 256, "use_sliding_window": False}, [(4, None)]),
        (
            {
                "model_type": "qwen2",
                "sliding_window": 256,
                "use_sliding_window": True,
                "max_window_layers": 1,
            },
            [(1, None), (3, 256)],
        ),
        ({"model_type": "gemma2", "sliding_window": 128}, [(2, 128), (2, None)]),
        ({"model_type": "gemma3_text", "num_hidden_layers": 13}, [(11, 4096), (2, None)]),
        ({"model_type": "gpt_oss"}, [(2, 128), (2, None)]),
        (
            {"sliding_window": 8, "layer_types": ["full_attention"] * 3 + ["sliding_attention"]},
            [(3, None), (1, 8)],
        ),
        ({"sliding_window": 8, "sliding_window_pattern": "LLLG"}, [(3, 8), (1, None)]),
        ({"attention_chunk_size": 64, "layer_types": ["chunked_attention"] * 4}, [(4, None)]),
        ({"num_kv_shared_layers": 1}, [(3, None)]),
        ({"layer_types": ["linear_attention"] * 3 + ["full_attention"]}, [(1, None)]),
        ({"full_attention_interval": 4}, [(1, None)]),
    ],
)
def test_windows(config: dict[str, Any], expected: list[tuple[int, int | None]]) -> None:
    assert kinds(read_shape({**BASE, **config})) == expected


def test_states_instead_of_a_cache_are_counted() -> None:
    shape = read_shape({**BASE, "layer_types": ["linear_attention"] * 3 + ["full_attention"]})
    assert shape.state_layers == 3
    made = plan(shape, Machine(parse_gpus("8"), Host(GIB, GIB)))
    assert "state_layers" in {problem.code for problem in made.problems}


def test_blocks_are_as_large_as_a_state() -> None:
    """Measured with vLLM on a CPU with AVX512-BF16: 140,726 tokens of this model."""
    config = {
        **BASE,
        "model_type": "qwen3_next",
        "num_hidden_layers": 8,
        "linear_num_key_heads": 4,
        "linear_num_value_heads": 8,
        "linear_key_head_dim": 64,
        "linear_value_head_dim": 64,
        "linear_conv_kernel_dim": 4,
        "full_attention_interval": 4,
    }
    shape = read_shape(config)
    assert (shape.state_layers, shape.state.convolution, shape.state.matrix) == (6, 3072, 32_768)
    layout = lay_out(shape, value_bytes=2, block_size=32)
    assert layout.block_size == 32 * 9  # 71,680 bytes of state, 8,192 of 32 tokens of KV
    host = Host(64 * GIB, 32 * GIB, 8, frozenset({"avx512f", "avx512_bf16"}))
    made = plan(shape, Machine((), host))
    assert (made.block_size, made.kv_tokens) == (32 * 17, 140_726)
    assert "state_layers" not in {problem.code for problem in made.problems}
    older = plan(shape, Machine((), Host(64 * GIB, 32 * GIB)))
    assert older.block_size == 32 * 9  # in float32 both are twice as large


def test_mla_keeps_one_vector_that_is_not_divided() -> None:
    shape = read_shape(
        {
            **BASE,
            "model_type": "deepseek_v3",
            "kv_lora_rank": 512,
            "qk_rope_head_dim": 64,
            "qk_nope_head_dim": 128,
            "v_head_dim": 128,
        }
    )
    assert shape.mla
    assert shape.attention == (Attention(4, 1, 576, 0, None, True),)
    for tp in (1, 2):
        assert lay_out(shape, value_bytes=2, tp=tp).token_bytes == 4 * 576 * 2


def test_heads() -> None:
    assert read_shape({**BASE, "num_key_value_heads": None}).kv_heads == 4
    assert read_shape({**BASE, "multi_query": True}).kv_heads == 1
    assert read_shape({**BASE, "head_dim": None}).head_dim == 16
    assert lay_out(read_shape(BASE), value_bytes=2, tp=4).token_bytes == 4 * 1 * 64 * 2
    listed = read_shape({**BASE, "num_key_value_heads": [1, 2, 2, 4]})
    assert [(kind.layers, kind.kv_heads) for kind in listed.attention] == [(1, 1), (2, 2), (1, 4)]
    assert lay_out(listed, value_bytes=2).token_bytes == 9 * 64 * 2


def test_the_language_model_of_a_model_with_pictures() -> None:
    config = {
        "model_type": "llava",
        "architectures": ["LlavaForConditionalGeneration"],
        "tie_word_embeddings": False,
        "vision_config": {"hidden_size": 1024, "num_hidden_layers": 24},
        "text_config": BASE,
    }
    shape = read_shape(config)
    assert (shape.layers, shape.hidden, shape.context) == (4, 64, 4096)
    assert shape.architecture == "LlavaForConditionalGeneration"
    tower = {"vision_tower.blocks.0.weight": TensorInfo("BF16", (32, 32), 2048)}
    language = {f"language_model.{name}": tensor for name, tensor in tensors_of("llama").items()}
    seen = read_shape({**config, "text_config": MODELS["llama"]["config"]}, language | tower)
    alone = read_shape(MODELS["llama"]["config"], tensors_of("llama"))
    assert seen.linear_params == alone.linear_params
    assert seen.other_params == alone.other_params + 32 * 32  # on every GPU


@pytest.mark.parametrize(
    ("config", "context"),
    [
        ({}, 4096),
        ({"max_position_embeddings": None}, 2048),
        ({"model_type": "qwen2", "max_position_embeddings": None}, 32_768),
        ({"rope_scaling": {"rope_type": "linear", "factor": 4.0}}, 16_384),
        ({"rope_scaling": {"type": "dynamic", "factor": 2}}, 8192),
        ({"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, 4096),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}, 4096),
        ({"rope_scaling": {"rope_type": "linear", "factor": None}}, 4096),
        (
            {"rope_scaling": {"type": "longrope"}, "original_max_position_embeddings": 1024},
            1024,
        ),
        ({"model_max_length": 512}, 512),
        ({"seq_length": 2048}, 2048),
    ],
)
def test_context(config: dict[str, Any], context: int) -> None:
    assert read_shape({**BASE, **config}).context == context


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"quant_method": "awq", "bits": 4, "group_size": 64}, ("awq", 4, 64)),
        ({"quant_method": "awq", "w_bit": 4, "q_group_size": 128}, ("awq", 4, 128)),
        ({"quant_method": "gptq", "bits": 8, "group_size": -1}, ("gptq", 8, 0)),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 4, "group_size": 32}}},
            },
            ("w4a16", 4, 32),
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 8, "type": "float"}}},
            },
            ("fp8", 8, 0),
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 8, "type": "int"}}},
            },
            ("int8", 8, 0),
        ),
        ({"quant_method": "fp8"}, ("fp8", 8, 0)),
        ({"quant_method": "mxfp4"}, ("w4a16", 4.25, 0)),
    ],
)
def test_formats(told: dict[str, Any], expected: tuple[str, float, int]) -> None:
    shape = read_shape({**BASE, "quantization_config": told})
    assert (shape.format, shape.bits, shape.group_size) == expected
    assert shape.is_quantised
    plain = read_shape({**BASE, "torch_dtype": "float16"})
    assert plain.format == "fp16"
    assert shape.weights_bytes < plain.weights_bytes


@pytest.mark.parametrize(
    ("told", "scales"),
    [
        ({"quant_method": "fp8"}, "tensor"),
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "block"),
        ({"quant_method": "fbgemm_fp8"}, ""),
        *(
            (
                {
                    "quant_method": "compressed-tensors",
                    "config_groups": {"g": {"weights": {"num_bits": 8, "strategy": strategy}}},
                },
                scales,
            )
            for strategy, scales in (("channel", "channel"), ("block", "block"), (None, "tensor"))
        ),
        ({"quant_method": "awq"}, ""),
    ],
)
def test_what_has_a_scale_of_its_own_in_fp8(told: dict[str, Any], scales: str) -> None:
    assert read_shape({**BASE, "quantization_config": told}).scales == scales


def test_bits_of_weights_with_their_scales() -> None:
    def bits(**told: Any) -> float:
        shape = read_shape({**BASE, "quantization_config": told})
        return 8 * shape.linear_bytes / shape.linear_params

    assert bits(quant_method="awq", bits=4, group_size=128) == 4.15625
    assert bits(quant_method="gptq", bits=4, group_size=128, sym=True) == 4.125
    weights = {"num_bits": 4, "group_size": 128, "symmetric": True}
    groups = {"group_0": {"weights": weights}}
    assert bits(quant_method="compressed-tensors", config_groups=groups) == 4.125
    assert bits(quant_method="fp8") == 8


def test_a_checkpoint_can_ask_for_an_fp8_cache() -> None:
    scheme = {"num_bits": 8, "type": "float", "dynamic": False}
    told = {"quant_method": "compressed-tensors", "kv_cache_scheme": scheme}
    assert read_shape({**BASE, "quantization_config": told}).kv_dtype == "fp8"
    told = {"quant_method": "modelopt", "quantization": {"kv_cache_quant_algo": "FP8"}}
    assert read_shape({**BASE, "quantization_config": told}).kv_dtype == "fp8"


def test_packed_tensors() -> None:
    """AWQ's GEMM layout: qweight [in, out / 8], qzeros [in / g, out / 8], scales [in / g, out]."""
    config = {**BASE, "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 32}}
    tensors = {
        "model.embed_tokens.weight": TensorInfo("F16", (1000, 64), 128_000),
        "model.norm.weight": TensorInfo("F16", (64,), 128),
    }
    prefix = "model.layers.0.self_attn.q_proj."
    tensors |= {
        prefix + "qweight": TensorInfo("I32", (64, 16), 4096),
        prefix + "qzeros": TensorInfo("I32", (2, 16), 128),
        prefix + "scales": TensorInfo("F16", (2, 128), 512),
    }
    shape = read_shape(config, tensors)
    assert shape.linear_params == 64 * 128
    assert shape.linear_bytes == 4096 + 128 + 512
    assert 8 * shape.linear_bytes / shape.linear_params == 4 + 16 / 32 + 4 / 32


def test_layers_that_are_not_loaded_do_not_count() -> None:
    tensors = tensors_of("llama")
    more = {"model.layers.4.mlp.up_proj.weight": TensorInfo("BF16", (96, 64), 12_288)}
    more["mtp.fc.weight"] = TensorInfo("BF16", (64, 64), 8192)
    config = MODELS["llama"]["config"]
    assert read_shape(config, tensors | more) == read_shape(config, tensors)


def test_a_stored_head_of_a_tied_model_is_the_embedding_over_again() -> None:
    tensors = tensors_of("qwen2_tied")
    tensors["lm_head.weight"] = TensorInfo("BF16", (1000, 64), 128_000)
    shape = read_shape(MODELS["qwen2_tied"]["config"], tensors)
    assert (shape.tied, shape.head_params) == (True, 0)


def test_the_starter_and_tiny_models(tmp_path: Path) -> None:
    starter = shape_of_folder(STARTER)
    assert starter.is_exact
    assert starter.weights_bytes == 2 * starter.parameters == 269_030_016
    assert lay_out(starter, value_bytes=2).token_bytes == 23_040  # measured with vLLM
    shapes: list[dict[str, Any]] = [
        {"tied": False},
        {"architecture": "qwen2"},
        {"architecture": "mistral", "window": 64},
    ]
    for index, more in enumerate(shapes):
        folder = make_tiny_model(tmp_path / str(index), **more)
        exact = shape_of_folder(folder)
        config = json.loads((folder / "config.json").read_text())
        assert counts(exact) == counts(read_shape(config))


def test_a_folder_without_readable_weights_is_estimated(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path / "m")
    whole = shape_of_folder(folder)
    (folder / "model.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0{not json}......")
    shape = shape_of_folder(folder)
    assert not shape.is_exact
    assert shape.weights_bytes == whole.weights_bytes
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "../../etc/passwd"}}))
    assert not shape_of_folder(folder).is_exact


@pytest.mark.parametrize("text", [None, b"", b"{", b"[]", b'{"a": 1}', b"\xff\xfe", b"[" * 100_000])
def test_no_model(tmp_path: Path, text: bytes | None) -> None:
    if text is not None:
        (tmp_path / "config.json").write_bytes(text)
    with pytest.raises(ShapeError) as caught:
        shape_of_folder(tmp_path)
    assert "config.json" in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_gguf_file_is_as_large_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(BASE))
    file = tmp_path / "model-Q4.gguf"
    file.write_bytes(bytes(90_000))
    shape = shape_of_folder(file)
    assert (shape.format, shape.weights_bytes) == ("gguf", 90_000)
    assert device_weights(shape, 2) == 90_000
    assert read_per_token(shape, 2) <= 90_000 + 2 * shape.embedding_params
    assert unpacked(shape).weights_bytes == 2 * shape.parameters
    with pytest.raises(ShapeError):
        shape_of_folder(tmp_path / "gone.gguf")


def test_awq_saves_what_the_claims_say() -> None:
    """Llama-3.1-8B -64 %: embeddings and head stay at 16 bits."""
    big = {
        **BASE,
        "num_hidden_layers": 32,
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "vocab_size": 128_256,
        "intermediate_size": 14_336,
    }
    shape = read_shape(big)
    assert as_awq(shape).weights_bytes / shape.weights_bytes == pytest.approx(0.36, abs=0.005)


def test_a_token_meets_some_of_the_experts() -> None:
    shape = read_shape(MODELS["mixtral"]["config"], tensors_of("mixtral"))
    assert shape.active_params < shape.linear_params
    assert read_per_token(shape, 2) < device_weights(shape, 2)


# --- hostile files -------------------------------------------------------------------------

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["sliding_attention", "deepseek_v3", "gemma3_text", "awq", "float32"]),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5)
    ),
    max_leaves=10,
)
KEYS = [
    *BASE,
    *("text_config", "layer_types", "sliding_window", "sliding_window_pattern", "rope_scaling"),
    *("quantization_config", "num_local_experts", "moe_intermediate_size", "num_experts_per_tok"),
    *("kv_lora_rank", "qk_rope_head_dim", "q_lora_rank", "tie_word_embeddings", "torch_dtype"),
    *("first_k_dense_replace", "mlp_only_layers", "decoder_sparse_step", "architectures"),
    *("num_kv_shared_layers", "use_sliding_window", "attention_chunk_size", "multi_query"),
    *(
        "global_head_dim",
        "v_head_dim",
        "full_attention_interval",
        "attn_config",
        "n_shared_experts",
    ),
]
CONFIGS = st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=8), JUNK, max_size=25)
TENSORS = st.dictionaries(
    st.sampled_from(["lm_head.weight", "model.embed_tokens.weight", "model.layers.0.x.qweight"])
    | st.text(max_size=30),
    st.builds(
        TensorInfo,
        st.text(max_size=5) | st.sampled_from(["BF16", "I32", "F8_E4M3"]),
        st.lists(st.integers(0, 2**80), max_size=4).map(tuple),
        st.integers(0, 2**80),
    ),
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(CONFIGS, st.booleans(), TENSORS)
def test_a_hostile_config_is_read_and_planned_for(
    config: dict[str, Any], on_base: bool, tensors: dict[str, TensorInfo]
) -> None:
    shape = read_shape({**BASE, **config} if on_base else config, tensors)
    assert shape.layers >= 0
    assert shape.weights_bytes >= 0
    for gpus in ("none", "24", "2x24"):
        plan(shape, Machine(parse_gpus(gpus), Host(32 * GIB, 16 * GIB)))


@given(JUNK)
def test_no_config_at_all(config: Any) -> None:
    assert read_shape(config).weights_bytes >= 0
