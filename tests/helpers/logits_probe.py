"""A process that loads a model as the engine does and keeps every logit: for tests.

    python -m tests.helpers.logits_probe MODEL JOB.json RESULT.pt

The job: {"prompts": [[token, ...], ...], "tokens": N, "dtype": null or a name}. All prompts run
at once, greedily. The result: per prompt the tokens made and float32 logits [N, vocab], and what
the process says about itself.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from engine.environment import engine_environment


def main(model: str, job_path: str, result_path: str) -> None:
    """Run the job."""
    import os

    os.environ.update(engine_environment(dict(os.environ)))
    import torch

    from engine.protocol import LoadSettings
    from engine.stage_clock import StageClock
    from engine.store.model_folder import read_model_folder
    from engine.vllm_loading import build_engine

    job = json.loads(Path(job_path).read_text())
    settings = LoadSettings(dtype=job["dtype"], max_model_len=512, kv_cache_bytes=64 << 20)
    clock = StageClock(1, lambda _: None, time.monotonic())
    facts = read_model_folder(Path(model), settings)
    built = build_engine(facts, settings, clock, lambda _: None, lambda _: None)
    runner = built.engine.engine_core.engine_core.model_executor.driver_worker.worker.model_runner
    seen: list[torch.Tensor] = []
    compute = runner.model.compute_logits

    def kept(*args: Any, **kwargs: Any) -> Any:
        logits = compute(*args, **kwargs)
        seen.append(logits.float().clone())
        return logits

    runner.model.compute_logits = kept
    made = _generate(built.engine, job, seen)
    result = {"made": made, "facts": _facts(runner.model, built)}
    torch.save(result, result_path)


def _generate(engine: Any, job: dict[str, Any], seen: list[Any]) -> list[dict[str, Any]]:
    """Each prompt in its turn, so that the steps' logits are its own."""
    import torch
    from vllm import SamplingParams

    made = []
    for number, prompt in enumerate(job["prompts"]):
        seen.clear()
        sampling = SamplingParams(temperature=0.0, max_tokens=job["tokens"], ignore_eos=True)
        engine.add_request(str(number), {"prompt_token_ids": prompt}, sampling)
        output = None
        while engine.has_unfinished_requests():
            output = next(iter(engine.step()), output)
        assert output is not None
        made.append({"tokens": list(output.outputs[0].token_ids), "logits": torch.cat(seen)})
    return made


def _facts(model: Any, built: Any) -> dict[str, Any]:
    import torch

    from engine.awq_cpu import kernels
    from engine.vllm_kernels import kernel_in_words

    layers = [module for module in model.modules() if hasattr(module, "quant_method")]
    linear = [
        parameter
        for module in layers
        if "Linear" in type(module.quant_method).__name__
        for name, parameter in module.named_parameters(recurse=False)
        if name != "bias"
    ]
    return {
        "capability": torch.backends.cpu.get_cpu_capability(),
        "block": kernels.block_width(),
        "vllm_kernel": hasattr(torch.ops._C, "cpu_gemm_wna16"),
        "kernel": kernel_in_words(model),
        "dtype": str(next(p for p in model.parameters() if p.is_floating_point()).dtype),
        "settings_dtype": built.settings.dtype,
        "linear_bytes": sum(p.numel() * p.element_size() for p in linear),
        "names": sorted({name for module in layers for name, _ in module.named_parameters()}),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
