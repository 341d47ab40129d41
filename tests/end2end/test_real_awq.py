"""The real vLLM with 4-bit weights, on what it takes for a processor with AVX2 and no more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.helpers.avx2_machine import ROOT, avx2_environment
from tests.helpers.awq_packing import Tensors, make_awq

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(400)]

GROUP = 64
COSINE = 0.999
SHORT = "The capital of France is"
# More rows than the int4 kernel is used for: the prompt goes through unpacked weights.
LONG = "Tea is made by pouring hot water over the cured leaves of a shrub. " * 8
TOKENS = 8


class Run:
    """What the engine made of a model, and what the same weights give without it."""

    def __init__(self, result: dict[str, Any], folder: Path, reference: Tensors) -> None:
        self.made: list[dict[str, Any]] = result["made"]
        self.facts: dict[str, Any] = result["facts"]
        self._folder = folder
        self._reference = reference

    def reference_logits(self, prompts: list[list[int]]) -> list[torch.Tensor]:
        """For each prompt, [tokens, vocab] where the engine's own tokens follow it."""
        from transformers import AutoConfig, AutoModelForCausalLM

        config = AutoConfig.from_pretrained(self._folder)
        del config.quantization_config
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
        missing, unexpected = model.load_state_dict(self._reference, strict=False)
        assert set(missing) <= {"lm_head.weight"}
        assert not unexpected
        model.tie_weights()
        found = []
        with torch.no_grad():
            for prompt, made in zip(prompts, self.made, strict=True):
                tokens = torch.tensor([prompt + made["tokens"][:-1]])
                found.append(model(tokens).logits[0, len(prompt) - 1 :])
        return found


@pytest.fixture(scope="module")
def prompts(starter: Path) -> list[list[int]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(starter / "tokenizer.json"))
    return [tokenizer.encode(text).ids for text in (SHORT, LONG)]


@pytest.fixture(scope="module")
def run(
    starter: Path, real_cache: str, tmp_path_factory: pytest.TempPathFactory, prompts: Any
) -> Run:
    place = tmp_path_factory.mktemp("awq")
    reference = make_awq(starter, place / "model", GROUP)
    job = {"prompts": prompts, "tokens": TOKENS, "dtype": None}
    (place / "job.json").write_text(json.dumps(job))
    probe = ("-m", "tests.helpers.logits_probe")
    files = (str(place / "model"), str(place / "job.json"), str(place / "result.pt"))
    environment = {**os.environ, **avx2_environment(), "INGLENOOK_HOME": real_cache}
    ended = subprocess.run(
        [sys.executable, *probe, *files],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=380,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-8000:]
    return Run(torch.load(place / "result.pt"), place / "model", reference)


def test_the_processor_is_really_imitated(run: Run) -> None:
    """Without it the test would take vLLM's kernel for AVX-512 where there is one."""
    assert run.facts["capability"] == "AVX2"
    assert not run.facts["vllm_kernel"]
    assert run.facts["block"] == 32


def test_the_engine_takes_our_kernel_and_float32(run: Run) -> None:
    assert run.facts["kernel"] == "INT4 CPU (AVX2)"
    assert run.facts["settings_dtype"] == "float32"
    assert run.facts["dtype"] == "torch.float32"


def test_logits_are_those_of_the_dequantised_model(run: Run, prompts: list[list[int]]) -> None:
    assert len(prompts[1]) > 96
    for made, wanted in zip(run.made, run.reference_logits(prompts), strict=True):
        assert made["logits"].shape == wanted.shape
        cosines = torch.nn.functional.cosine_similarity(made["logits"], wanted)
        assert cosines.min() >= COSINE
        agreed = (made["logits"].argmax(-1) == wanted.argmax(-1)).float().mean()
        assert agreed >= 0.75  # near ties apart


def test_the_weights_are_held_once_and_packed(run: Run, starter: Path) -> None:
    from tests.helpers.awq_packing import is_linear, load_weights

    linear = [t for name, t in load_weights(starter).items() if is_linear(name, t)]
    in_bfloat16 = 2 * sum(tensor.numel() for tensor in linear)
    assert run.facts["linear_bytes"] <= 0.3 * in_bfloat16
    assert not {name for name in run.facts["names"] if name.endswith("qzeros")}
