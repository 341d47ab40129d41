"""A process that loads models as the engine does and keeps every logit: for tests.

    python -m tests.helpers.logits_probe JOBS.json RESULTS

Each job: {"name", "model", "prompts": [[token, ...], ...], "tokens": N, "dtype": null or a name}.
Its prompts are answered greedily, one after the other. The result, RESULTS/name.pt: "made", per
prompt the tokens and float32 logits [N, vocab]; "facts", what the process says about itself; or
"error", a traceback. vLLM is imported once, and each job runs in a fork of that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from engine.environment import engine_environment

ROOT = Path(__file__).resolve().parents[2]


def run_probe(
    jobs: list[dict[str, Any]], folder: Path, environment: dict[str, str], timeout: float = 380
) -> dict[str, dict[str, Any]]:
    """Carry out `jobs` in a process with `environment` beside ours; name -> result."""
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "jobs.json").write_text(json.dumps(jobs))
    probe = ("-m", "tests.helpers.logits_probe", str(folder / "jobs.json"), str(folder))
    ended = subprocess.run(
        [sys.executable, *probe],
        cwd=ROOT,
        env=engine_environment({**os.environ, **environment}),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    found = {}
    for job in jobs:
        path = folder / f"{job['name']}.pt"
        assert path.is_file(), f"{job['name']}: {ended.stderr[-8000:]}"
        found[job["name"]] = torch.load(path)
    return found


def main(jobs_path: str, folder: str) -> None:
    """Run the jobs, each in a fork."""
    import torch

    from engine import awq_cpu
    from tests.helpers import lab_faults

    lab_faults.warm_up()
    awq_cpu.install()
    for job in json.loads(Path(jobs_path).read_text()):
        pid = os.fork()
        if pid == 0:
            try:
                result = _carry_out(job)
            except BaseException:
                result = {"error": traceback.format_exc()}
            torch.save(result, Path(folder) / f"{job['name']}.pt")
            sys.stderr.flush()
            os._exit(0)
        os.waitpid(pid, 0)


def _carry_out(job: dict[str, Any]) -> dict[str, Any]:
    import torch

    from engine.protocol import LoadSettings
    from engine.stage_clock import StageClock
    from engine.store.model_folder import read_model_folder
    from engine.vllm_loading import build_engine

    settings = LoadSettings(dtype=job["dtype"], max_model_len=512, kv_cache_bytes=64 << 20)
    clock = StageClock(1, lambda _: None, time.monotonic())
    facts = read_model_folder(Path(job["model"]), settings)
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
    return {"made": made, "facts": _facts(runner.model, built)}


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
