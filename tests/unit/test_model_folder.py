from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.protocol import RemedyAction
from engine.store.model_folder import ModelFolderError, read_model_folder


def weights(*names: str) -> bytes:
    """A safetensors file with tensors of four bytes each."""
    entries = {
        name: {"dtype": "F32", "shape": [1], "data_offsets": [4 * i, 4 * i + 4]}
        for i, name in enumerate(names)
    }
    header = json.dumps({"__metadata__": {"format": "pt"}, **entries}).encode()
    return len(header).to_bytes(8, "little") + header + bytes(4 * len(names))


WEIGHTS = weights("layers.0", "layers.1", "lm_head")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that passes every check."""
    made = tmp_path / "Tiny-Instruct"
    made.mkdir()
    config = {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}
    (made / "config.json").write_text(json.dumps(config))
    (made / "model.safetensors").write_bytes(WEIGHTS)
    (made / "tokenizer.json").write_text("{}")
    (made / "tokenizer_config.json").write_text('{"chat_template": "{{ messages }}"}')
    return made


def code_of(folder: Path) -> str:
    with pytest.raises(ModelFolderError) as caught:
        read_model_folder(folder)
    failure = caught.value.failure
    assert folder.name in failure.cause  # the user sees which model
    assert any(remedy.action is not RemedyAction.NONE for remedy in failure.remedies)
    return failure.code


def test_a_good_folder_gives_its_facts(folder: Path) -> None:
    facts = read_model_folder(folder)
    assert (facts.layers, facts.kv_heads, facts.head_dim) == (2, 4, 16)
    assert facts.weights_bytes == len(WEIGHTS)
    assert facts.quantization == ""


def test_missing_folder_of_the_starter_offers_to_rebuild_it(tmp_path: Path) -> None:
    with pytest.raises(ModelFolderError) as caught:
        read_model_folder(tmp_path / "starter" / "SmolLM2-135M-Instruct")
    actions = [remedy.action for remedy in caught.value.failure.remedies]
    assert RemedyAction.REBUILD_STARTER in actions
    assert caught.value.failure.code == "model_missing"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("config.json", "config_missing"),
        ("model.safetensors", "weights_missing"),
        ("tokenizer.json", "tokenizer_missing"),
        ("tokenizer_config.json", "no_chat_template"),
    ],
)
def test_each_missing_file_is_named(folder: Path, name: str, code: str) -> None:
    (folder / name).unlink()
    assert code_of(folder) == code


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00", "[" * 100_000])
def test_a_broken_config_is_an_error_in_words(folder: Path, text: str) -> None:
    (folder / "config.json").write_text(text)
    assert code_of(folder) == "config_broken"


def test_pickled_weights_are_refused_by_name(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04")
    assert code_of(folder) == "weights_unsafe"


def test_a_half_downloaded_model_names_what_is_missing(folder: Path) -> None:
    shards = {f"layer{n}": f"model-0000{n}-of-00002.safetensors" for n in (1, 2)}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": shards}))
    (folder / "model-00001-of-00002.safetensors").write_bytes(b"x")
    with pytest.raises(ModelFolderError, match="model-00002-of-00002"):
        read_model_folder(folder)


@pytest.mark.parametrize("index", ["", "[]", '{"weight_map": 3}', "{}"])
def test_a_broken_index_is_an_error_in_words(folder: Path, index: str) -> None:
    (folder / "model.safetensors.index.json").write_text(index)
    assert code_of(folder) == "index_broken"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x" * 100,
        WEIGHTS[:-1],
        WEIGHTS[:20],
        (2).to_bytes(8, "little") + b"[]",
        (9).to_bytes(8, "little") + b'{"a": {}}',
        (2**63).to_bytes(8, "little") + b"{}",
    ],
    ids=["empty", "noise", "cut", "cut header", "no object", "no offsets", "endless header"],
)
def test_a_damaged_weight_file_is_named(folder: Path, data: bytes) -> None:
    (folder / "model.safetensors").write_bytes(data)
    with pytest.raises(ModelFolderError, match=r"model\.safetensors") as caught:
        read_model_folder(folder)
    assert caught.value.failure.code == "weights_broken"


def test_more_layers_than_weights_are_refused_before_they_are_built(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"num_hidden_layers": 10**9}))
    assert code_of(folder) == "config_broken"


@pytest.mark.parametrize("data", [b"", b"\xa2\x00", b"version https://git-lfs", b'{"model": '])
def test_a_damaged_tokenizer_is_an_error_in_words(folder: Path, data: bytes) -> None:
    (folder / "tokenizer.json").write_bytes(data)
    assert code_of(folder) == "tokenizer_broken"


def test_odd_values_in_a_config_do_not_crash(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(weights(*(f"layers.{i}" for i in range(40))))
    config = {
        "num_hidden_layers": "many",
        "num_attention_heads": 0,
        "num_key_value_heads": None,
        "text_config": {"head_dim": 128},
        "quantization_config": {"quant_method": "awq"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    facts = read_model_folder(folder)
    assert facts.head_dim == 128
    assert facts.quantization == "awq"
