from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.protocol import Failure, LoadSettings, RemedyAction, encode
from engine.store.model_folder import ModelFolderError, read_model_folder


def weights(*names: str) -> bytes:
    """A safetensors file with tensors of four bytes each."""
    entries = {
        name: {"dtype": "F32", "shape": [1], "data_offsets": [4 * i, 4 * i + 4]}
        for i, name in enumerate(names)
    }
    header = json.dumps({"__metadata__": {"format": "pt"}, **entries}).encode()
    return len(header).to_bytes(8, "little") + header + bytes(4 * len(names))


FILES = [
    *("config.json", "model.safetensors", "model.safetensors.index.json"),
    *("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"),
]
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


@pytest.mark.parametrize("data", [b"", b"\xa2\x00", b"not json", b'{"model": '])
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


def refusal(folder: Path, settings: LoadSettings | None = None) -> Failure:
    with pytest.raises(ModelFolderError) as caught:
        read_model_folder(folder, settings)
    encode(caught.value.failure)  # it goes over the wire
    return caught.value.failure


def offered(failure: Failure, action: RemedyAction) -> dict[str, object]:
    return next(dict(each.settings) for each in failure.remedies if each.action is action)


def test_a_pointer_of_git_lfs_is_told_from_a_damaged_file(folder: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n"
    for name in ("tokenizer.json", "model.safetensors"):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(pointer)
        failure = refusal(folder)
        assert failure.code == "pointer"
        assert name in failure.cause
        (folder / name).write_bytes(whole)


def test_missing_shards_are_seen_without_an_index(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "model-00002-of-00003.safetensors")
    failure = refusal(folder)
    assert failure.code == "weights_missing"
    assert "2 of 3" in failure.cause
    assert "model-00001-of-00003.safetensors" in failure.cause


@pytest.mark.parametrize(
    "name", ["../model.safetensors", "/etc/passwd", "", ".", "..", "a/b.safetensors", 7, None]
)
def test_an_index_that_names_files_elsewhere_is_refused(folder: Path, name: object) -> None:
    index = {"weight_map": {"a": name, "b": "model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert code_of(folder) == "index_broken"


def test_a_gguf_file_can_be_converted(folder: Path) -> None:
    file = folder / "model-Q4_K_M.gguf"
    file.write_bytes(b"GGUF")
    assert read_model_folder(folder)  # the safetensors count
    (folder / "model.safetensors").unlink()
    for place in (folder, file):
        failure = refusal(place)
        assert failure.code == "gguf"
        assert offered(failure, RemedyAction.CONVERT) == {"file": str(file)}


def test_a_base_model_asks_for_a_template_and_takes_it(folder: Path, tmp_path: Path) -> None:
    (folder / "tokenizer_config.json").write_text("{}")
    failure = refusal(folder)
    assert failure.code == "no_chat_template"
    assert failure.remedies[0].action is RemedyAction.CHOOSE_TEMPLATE
    template = tmp_path / "chat.jinja"
    chosen = LoadSettings(chat_template=str(template))
    for bad in (None, "", "  \n"):
        if bad is not None:
            template.write_text(bad)
        failure = refusal(folder, chosen)
        assert failure.code == "template_missing"
        assert failure.remedies[0].action is RemedyAction.CHOOSE_TEMPLATE
    template.write_bytes(b"\xff\xfe")
    assert refusal(folder, chosen).code == "template_missing"
    template.write_text("{{ messages }}")
    read_model_folder(folder, chosen)


def test_a_missing_tokenizer_can_be_anothers(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).rename(other / name)
    failure = refusal(folder)
    assert failure.code == "tokenizer_missing"
    assert failure.remedies[0].action is RemedyAction.CHOOSE_TOKENIZER
    read_model_folder(folder, LoadSettings(tokenizer=str(other)))
    nowhere = LoadSettings(tokenizer=str(tmp_path / "nowhere"))
    assert refusal(folder, nowhere).code == "tokenizer_missing"


@pytest.mark.parametrize("method", ["bitsandbytes", "HQQ", "aqlm"])
def test_a_quantisation_of_another_program_is_named(folder: Path, method: str) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = {"quant_method": method}
    (folder / "config.json").write_text(json.dumps(config))
    failure = refusal(folder)
    assert failure.code == "quant_unknown"
    assert method in failure.cause


@pytest.mark.parametrize(
    ("heads", "kv_heads", "parts", "fits"),
    [(4, 4, 2, True), (4, 1, 2, True), (4, 2, 4, True), (9, 3, 2, False), (6, 3, 2, False)],
)
def test_heads_are_divided_or_refused(
    folder: Path, heads: int, kv_heads: int, parts: int, fits: bool
) -> None:
    config = json.loads((folder / "config.json").read_text())
    config |= {"num_attention_heads": heads, "num_key_value_heads": kv_heads}
    (folder / "config.json").write_text(json.dumps(config))
    read_model_folder(folder)
    settings = LoadSettings(tensor_parallel_size=parts, devices=(1, 0))
    if fits:
        read_model_folder(folder, settings)
    else:
        failure = refusal(folder, settings)
        assert failure.code == "heads"
        assert offered(failure, RemedyAction.RELOAD_WITH) == {
            "tensor_parallel_size": 1,
            "devices": (1,),
        }


def test_a_context_above_the_models_is_clamped_by_a_button(folder: Path) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text()) | {"max_position_embeddings": 2048}
    path.write_text(json.dumps(config))
    read_model_folder(folder, LoadSettings(max_model_len=2048))
    failure = refusal(folder, LoadSettings(max_model_len=2049))
    assert failure.code == "context_above_model"
    assert offered(failure, RemedyAction.RELOAD_WITH) == {"max_model_len": 2048}
    for scaled in (
        {"rope_scaling": {"type": "yarn", "factor": 4.0}},
        {"rope_parameters": {"rope_type": "yarn", "factor": 4.0}},
        {"model_max_length": 8192},
    ):
        path.write_text(json.dumps(config | scaled))
        read_model_folder(folder, LoadSettings(max_model_len=4096))  # vLLM knows the rules


def test_what_cannot_be_read_is_said(folder: Path, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(ModelFolderError):
        read_model_folder(loop)
    with pytest.raises(ModelFolderError):
        read_model_folder(tmp_path / ("x" * 300))
    with pytest.raises(ModelFolderError):
        read_model_folder(Path("with\0nul"))


def test_a_pipe_in_a_files_place_does_not_hang(folder: Path) -> None:
    for name in ("config.json", "tokenizer_config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).unlink()
        os.mkfifo(folder / name)
        with pytest.raises(ModelFolderError):
            read_model_folder(folder)


def test_names_that_are_not_unicode_can_be_sent(tmp_path: Path) -> None:
    strange = Path(os.fsdecode(os.fsencode(tmp_path) + b"/mod\xffel"))
    strange.mkdir()
    assert refusal(strange).code == "config_missing"
    (strange / "config.json").write_text("{}")
    index = '{"weight_map": {"a": "\\ud800.safetensors"}}'
    (strange / "model.safetensors.index.json").write_text(index)
    refusal(strange)


NAMES = st.sampled_from(
    [
        *("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "hidden_size"),
        *("head_dim", "max_position_embeddings", "quantization_config", "text_config"),
        *("rope_parameters", "rope_scaling", "torch_dtype", "dtype", "auto_map", "architectures"),
    ]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["awq", "float32"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | NAMES | st.just("quant_method"), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(
    changes=st.dictionaries(NAMES, VALUES, max_size=8),
    parts=st.integers(1, 5),
    context=st.none() | st.integers(-2, 10**6),
)
def test_a_hostile_config_is_refused_in_words_or_read(
    folder: Path, changes: dict[str, object], parts: int, context: int | None
) -> None:
    config = {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, **changes}
    (folder / "config.json").write_text(json.dumps(config))
    settings = LoadSettings(tensor_parallel_size=parts, max_model_len=context)
    try:
        facts = read_model_folder(folder, settings)
    except ModelFolderError as error:
        encode(error.failure)
    else:
        assert facts.kv_bytes_per_token(2) > 0


@given(data=st.binary(max_size=300), name=st.sampled_from(FILES))
def test_any_bytes_in_any_file_are_refused_in_words_or_read(
    folder: Path, data: bytes, name: str
) -> None:
    before = (folder / name).read_bytes() if (folder / name).exists() else None
    (folder / name).write_bytes(data)
    try:
        read_model_folder(folder)
    except ModelFolderError as error:
        encode(error.failure)
    finally:
        if before is None:
            (folder / name).unlink()
        else:
            (folder / name).write_bytes(before)
