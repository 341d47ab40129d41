"""What is checked before any weight is read: kinds, widths, groups, disk and memory."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.quantize import preflight
from engine.quantize.preflight import Cost, Facts
from engine.quantize.wire import QuantizeError


def make_folder(folder: Path, width: int = 576, inner: int = 1536, **config: Any) -> Path:
    """A model of two layers whose weight file has a head and no numbers to speak of."""
    folder.mkdir(parents=True)
    content = {
        "model_type": "llama",
        "num_hidden_layers": 2,
        "hidden_size": width,
        "vocab_size": 100,
        **config,
    }
    (folder / "config.json").write_text(json.dumps(content))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "tokenizer_config.json").write_text('{"chat_template": "x"}')
    tensors: dict[str, Any] = {}
    end = 0
    shapes = {"model.embed_tokens.weight": [100, width]}
    for layer in range(2):
        prefix = f"model.layers.{layer}"
        shapes[f"{prefix}.self_attn.q_proj.weight"] = [width, width]
        shapes[f"{prefix}.mlp.down_proj.weight"] = [width, inner]
        shapes[f"{prefix}.input_layernorm.weight"] = [width]
    for name, shape in shapes.items():
        size = 2 * shape[0] * (shape[1] if len(shape) > 1 else 1)
        tensors[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    head = json.dumps(tensors).encode()
    with (folder / "model.safetensors").open("wb") as file:
        file.write(len(head).to_bytes(8, "little") + head)
        file.truncate(8 + len(head) + end)
    return folder


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    return preflight.read_facts(make_folder(tmp_path / "Some-Model"))


def test_facts(facts: Facts) -> None:
    assert facts.widths == {"self_attn.q_proj": (576, 576), "mlp.down_proj": (576, 1536)}
    assert facts.linear == 2 * (576 * 576 + 576 * 1536)
    assert facts.others == 100 * 576 + 2 * 576
    assert facts.layers == 2


def test_the_largest_group_that_divides_every_layer_is_taken(facts: Facts, tmp_path: Path) -> None:
    assert facts.groups() == (64, 32)
    assert preflight.choose_group(facts, 0) == 64
    assert preflight.choose_group(facts, 32) == 32
    wide = preflight.read_facts(make_folder(tmp_path / "wide", 1024, 2048))
    assert preflight.choose_group(wide, 0) == 128


def test_layers_that_a_group_does_not_divide_are_named(facts: Facts, tmp_path: Path) -> None:
    with pytest.raises(QuantizeError, match="It can have: 64, 32") as caught:
        preflight.choose_group(facts, 128)
    assert caught.value.refused.details == ("self_attn.q_proj (576 wide)",)
    odd = preflight.read_facts(make_folder(tmp_path / "odd", 576, 1500))
    with pytest.raises(QuantizeError, match="No group size fits odd") as caught:
        preflight.choose_group(odd, 0)
    assert caught.value.refused.details == ("mlp.down_proj (1,500 wide)",)


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ({"quantization_config": {"quant_method": "gptq"}}, "quantised already (gptq)"),
        ({"model_type": "mamba"}, "no AWQ recipe here for models of the kind “mamba”"),
        ({"num_hidden_layers": 900}, "tells of 900 layers"),
    ],
)
def test_models_that_cannot_be_quantised(tmp_path: Path, config: dict[str, Any], text: str) -> None:
    folder = make_folder(tmp_path / "model", **config)
    with pytest.raises(QuantizeError) as caught:
        preflight.read_facts(folder)
    assert text in str(caught.value)


def test_no_model_at_all(tmp_path: Path) -> None:
    with pytest.raises(QuantizeError, match="no model folder"):
        preflight.read_facts(tmp_path / "none")


def test_the_size_is_that_of_the_planners_vectors(facts: Facts, tmp_path: Path) -> None:
    """4.15625 bits a weight at group 128, 4.3125 at 64."""
    for group, bits in ((128, 4.15625), (64, 4.3125)):
        cost = preflight.cost(facts, group, 4000, tmp_path / "target")
        assert cost.disk == int(facts.linear * bits / 8) + 2 * facts.others + facts.other_files


def test_more_text_takes_more_time_and_no_less_memory(facts: Facts, tmp_path: Path) -> None:
    small = preflight.cost(facts, 64, 1000, tmp_path)
    large = preflight.cost(facts, 64, 60_000, tmp_path)
    assert large.seconds > small.seconds
    assert large.memory > small.memory


def test_disk_and_memory_are_refused_with_both_figures(facts: Facts, tmp_path: Path) -> None:
    enough = Cost(10**8, 10**12, 10**9, 10**12, 60.0)
    preflight.check_cost(enough, facts, tmp_path / "target")
    with pytest.raises(QuantizeError, match=r"needs 95 MiB in .*; 86 MiB are free"):
        preflight.check_cost(replace(enough, disk_free=9 * 10**7), facts, tmp_path / "target")
    with pytest.raises(QuantizeError, match=r"about 954 MiB of memory; 477 MiB are free"):
        preflight.check_cost(replace(enough, memory_free=5 * 10**8), facts, tmp_path / "target")


def test_only_data_goes_along(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model")
    for name in (
        "modeling.py",
        "pytorch_model.bin",
        "manifest.json",
        "LICENSE",
        "chat_template.jinja",
    ):
        (folder / name).write_text("x")
    assert [path.name for path in preflight.kept_files(folder)] == [
        "LICENSE",
        "chat_template.jinja",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
