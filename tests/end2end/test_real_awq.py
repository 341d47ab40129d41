"""The real vLLM with quantised weights, on what it takes for a processor with AVX2 and no more.

The starter in AWQ, and tiny models of the other formats: each must say what the weights that it
stands for say in transformers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.avx2_machine import avx2_environment
from tests.helpers.logits_probe import run_probe
from tests.helpers.tiny_models import make_tiny_model

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(590)]

GROUP = 64
COSINE = 0.999
SHORT = "The capital of France is"
# More rows than the int4 kernel is used for: the prompt goes through unpacked weights.
LONG = "Tea is made by pouring hot water over the cured leaves of a shrub. " * 8
TOKENS = 8
STARTER = "starter"
FOUR_BITS = ("gptq", "w4a16-zeros")
EIGHT_BITS = ("fp8-tensor", "fp8-channel", "fp8-block")
# As large as blocks of 128 x 128 need it.
SHAPE = {"hidden": 128, "heads": 4, "kv_heads": 4, "intermediate": 256}


@pytest.fixture(scope="module")
def prompts(starter: Path) -> list[list[int]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(starter / "tokenizer.json"))
    return [tokenizer.encode(text).ids for text in (SHORT, LONG)]


class Runs:
    """What the engine made of the models, and what their weights give without it."""

    def __init__(self, place: Path, starter: Path, prompts: list[list[int]], cache: str) -> None:
        from tests.helpers.awq_packing import make_awq
        from tests.helpers.quantised_checkpoints import FORMATS

        self._prompts = prompts
        self._references: dict[str, tuple[Path, Any]] = {}
        tiny = make_tiny_model(place / "tiny", starter=starter, dtype="float32", **SHAPE)
        self._references[STARTER] = starter, make_awq(starter, place / STARTER, GROUP)
        for name in (*FOUR_BITS, *EIGHT_BITS):
            self._references[name] = tiny, FORMATS[name](tiny, place / name)
        jobs = [
            {
                "name": name,
                "model": str(place / name),
                "prompts": prompts,
                "tokens": TOKENS,
                "dtype": None,
            }
            for name in self._references
        ]
        environment = {**avx2_environment(), "INGLENOOK_HOME": cache}
        self._results = run_probe(jobs, place / "results", environment, timeout=560)

    def result(self, name: str) -> dict[str, Any]:
        """Of the model `name`; what it failed of is shown."""
        result = self._results[name]
        assert "error" not in result, result["error"]
        return result

    def facts(self, name: str) -> dict[str, Any]:
        """What the process said about itself."""
        facts: dict[str, Any] = self.result(name)["facts"]
        return facts

    def pairs(self, name: str) -> Iterator[tuple[Any, Any]]:
        """Per prompt, the engine's logits [tokens, vocab] and transformers' for the same tokens."""
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM

        folder, weights = self._references[name]
        model = AutoModelForCausalLM.from_config(
            AutoConfig.from_pretrained(folder), dtype=torch.float32
        ).eval()
        missing, unexpected = model.load_state_dict(weights, strict=False)
        assert set(missing) <= {"lm_head.weight"}
        assert not unexpected
        model.tie_weights()
        for prompt, made in zip(self._prompts, self.result(name)["made"], strict=True):
            tokens = torch.tensor([prompt + made["tokens"][:-1]])
            with torch.no_grad():
                yield made["logits"], model(tokens).logits[0, len(prompt) - 1 :]


@pytest.fixture(scope="module")
def runs(
    starter: Path,
    real_cache: str,
    tmp_path_factory: pytest.TempPathFactory,
    prompts: list[list[int]],
) -> Runs:
    pytest.importorskip("torch")
    return Runs(tmp_path_factory.mktemp("formats"), starter, prompts, real_cache)


def test_the_processor_is_really_imitated(runs: Runs) -> None:
    """Without it the test would take vLLM's kernel for AVX-512 where there is one."""
    facts = runs.facts(STARTER)
    assert facts["capability"] == "AVX2"
    assert not facts["vllm_kernel"]
    assert facts["block"] == 32


@pytest.mark.parametrize("name", EIGHT_BITS)
def test_fp8_is_unpacked_to_float32(runs: Runs, name: str) -> None:
    assert runs.facts(name)["settings_dtype"] == "float32"
    assert not {part for part in runs.facts(name)["names"] if "scale" in part}


@pytest.mark.parametrize("name", [STARTER, *FOUR_BITS])
def test_the_engine_takes_our_kernel_and_float32(runs: Runs, name: str) -> None:
    facts = runs.facts(name)
    assert facts["kernel"] == "INT4 CPU (AVX2)"
    assert facts["settings_dtype"] == "float32"
    assert facts["dtype"] == "torch.float32"


@pytest.mark.parametrize("name", [STARTER, *FOUR_BITS, *EIGHT_BITS])
def test_logits_are_those_of_the_dequantised_model(
    runs: Runs, prompts: list[list[int]], name: str
) -> None:
    import torch

    assert len(prompts[1]) > 96
    for made, wanted in runs.pairs(name):
        assert made.shape == wanted.shape
        assert torch.nn.functional.cosine_similarity(made, wanted).min() >= COSINE
        agreed = (made.argmax(-1) == wanted.argmax(-1)).float().mean()
        assert agreed >= 0.75  # near ties apart


def test_the_weights_are_held_once_and_packed(runs: Runs, starter: Path) -> None:
    from tests.helpers.awq_packing import is_linear, load_weights

    linear = [t for name, t in load_weights(starter).items() if is_linear(name, t)]
    in_bfloat16 = 2 * sum(tensor.numel() for tensor in linear)
    facts = runs.facts(STARTER)
    assert 0.25 * in_bfloat16 < facts["linear_bytes"] <= 0.3 * in_bfloat16
    assert not {name for name in facts["names"] if name.endswith("qzeros")}
