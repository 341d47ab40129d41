"""The order of a job: check, measure the original, quantise, write, read again, judge."""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import nn

from engine.quantize import folders, packing, preflight, samples, verify
from engine.quantize import refusal_words as say
from engine.quantize.progress import Clock
from engine.quantize.wire import (
    LEAST_AGREEMENT,
    Event,
    Finished,
    Job,
    Planned,
    QuantizeError,
    Refused,
    Report,
    Step,
)
from engine.quantize.written import Written, write

NOTE_VERSION = 1
_AT_ONCE = 16_384  # tokens in one pass of a layer
Tell = Callable[[Event], None]


def run(job: Job, tell: Tell) -> Finished | Refused:
    """Do `job`; what came of it.

    Raises:
        QuantizeError: it cannot be done; nothing is left behind.
    """
    try:
        return _Work(job, tell).run()
    except _Rejected as rejected:
        return _refused(str(rejected), rejected.report)
    except torch.OutOfMemoryError as error:
        raise QuantizeError("gpu_memory", say.GPU_MEMORY) from error


class _Rejected(Exception):  # noqa: N818 - a verdict
    """Made, and judged not good enough: its folder goes."""

    def __init__(self, code: str, report: Report) -> None:
        super().__init__(code)
        self.report = report


class _Work:
    """One job."""

    def __init__(self, job: Job, tell: Tell) -> None:
        self._tell = tell
        self._source, self._target = Path(job.model), Path(job.target)
        folders.check_target(self._target)
        self._facts = preflight.read_facts(self._source)
        self._group = preflight.choose_group(self._facts, job.group_size)
        self._device = _device(job.device)
        self._read_text(Path(job.calibration) if job.calibration else None)
        windows = self._held_out.windows()
        self._windows = windows
        ratio = self._calibration.count / sum(map(len, windows))
        self._clock = Clock(self._facts.layers, ratio, tell)

    def run(self) -> Finished:
        """Check, make, judge."""
        self._check_cost()
        with folders.made_whole(self._target) as partial:
            report = self._make(partial)
            if report.refusal:
                raise _Rejected(report.refusal, report)
            self._clock.begin(Step.FINISHING)
            folders.complete(partial, self._note(report))
        return Finished(folder=str(self._target), report=report)

    def _read_text(self, path: Path | None) -> None:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(str(self._source))
        encode = tokenizer.encode
        self._held_out = samples.shipped(encode, samples.HELD_OUT)
        self._calibration = (
            samples.check(samples.read_samples(path), encode)
            if path
            else samples.shipped(encode, samples.SHIPPED)
        )

    def _check_cost(self) -> None:
        facts, tokens = self._facts, self._calibration.count
        cost = preflight.cost(facts, self._group, tokens, self._target, self._device)
        preflight.check_cost(cost, facts, self._target)
        self._tell(
            Planned(
                group_size=self._group,
                layers=facts.layers,
                samples=len(self._calibration.samples),
                tokens=tokens,
                device=self._device,
                disk=cost.disk,
                memory=cost.memory,
                seconds=cost.seconds,
            )
        )

    def _make(self, partial: Path) -> Report:
        clock = self._clock
        clock.begin(Step.LOADING)
        model = self._load()
        original = self._measure(Step.ORIGINAL, model, verify.as_stored)
        rounded = set(verify.linear_names(model))

        def rounding(name: str, weight: torch.Tensor) -> torch.Tensor:
            if name.removesuffix(".weight") not in rounded:
                return weight
            return packing.round_to_nearest(weight.to(self._device), self._group)

        plain = self._measure(Step.ROUNDING, model, rounding)
        self._quantise(model)
        clock.begin(Step.WRITING)
        write(model, self._source, partial, self._group)
        del model
        gc.collect()
        # The original's own modules again, with every number from the file that was written.
        written = Written(partial, self._group)
        awq = self._measure(Step.VERIFYING, self._load(), written.weight)
        if unread := written.unread():
            raise QuantizeError("written", say.UNASKED.format(name=unread[0]))
        return Report(
            group_size=self._group,
            tokens=sum(map(len, self._windows)),
            original=original.perplexity,
            awq=awq.perplexity,
            rounding=plain.perplexity,
            awq_agreement=awq.agreement(original),
            rounding_agreement=plain.agreement(original),
            original_bytes=self._facts.stored,
            awq_bytes=sum(path.stat().st_size for path in partial.glob("*.safetensors")),
            seconds=round(clock.elapsed, 1),
        )

    def _load(self) -> nn.Module:
        from transformers import AutoModelForCausalLM

        model: nn.Module = AutoModelForCausalLM.from_pretrained(
            str(self._source), dtype="auto", use_safetensors=True, attn_implementation="sdpa"
        )
        return model.eval().requires_grad_(False)

    def _measure(self, step: Step, model: nn.Module, weight_of: verify.WeightOf) -> verify.Measured:
        total = len(self._windows)
        self._clock.begin(step, total)
        return verify.measure(
            model,
            self._windows,
            self._device,
            weight_of,
            lambda done: self._clock.tell(done, total),
        )

    def _quantise(self, model: nn.Module) -> None:
        from engine.quantize.autoawq_tool import Recipe, quantise

        windows = torch.tensor(self._calibration.windows())
        at_once = max(1, _AT_ONCE // windows.shape[1])
        self._clock.begin(Step.LAYERS, self._facts.layers)
        # Losses of tries are compared, of which the least is ten times the error that this brings.
        exact = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("high" if self._device == "cuda" else "medium")
        try:
            quantise(
                model,
                Recipe(
                    windows,
                    self._group,
                    self._clock.layer,
                    at_once if at_once < len(windows) else None,
                ),
            )
        finally:
            torch.set_float32_matmul_precision(exact)

    def _note(self, report: Report) -> dict[str, Any]:
        return {
            "version": NOTE_VERSION,
            "made": {
                "format": "awq",
                "from": self._source.name,
                "group_size": self._group,
                "tool": f"autoawq {metadata.version('autoawq')}",
                "calibration": {
                    "samples": len(self._calibration.samples),
                    "tokens": self._calibration.count,
                    "sha256": self._calibration.digest,
                },
            },
            "verified": {
                **msgspec.to_builtins(report),
                "held_out_sha256": self._held_out.digest,
            },
        }


def _device(asked: str) -> str:
    there = torch.cuda.is_available()
    if asked == "cuda" and not there:
        raise QuantizeError("no_gpu", say.NO_GPU)
    return asked or ("cuda" if there else "cpu")


def _refused(code: str, report: Report) -> Refused:
    """What is said of a model that was judged not good enough."""
    if code == "agreement":
        text = (
            f"The quantised model agrees with the original on {report.awq_agreement:.0%} of the "
            f"next tokens; {LEAST_AGREEMENT:.0%} are asked for. It has been removed."
        )
    else:
        text = (
            f"The quantised model is no better than plain rounding: perplexity {report.awq:.2f} "
            f"against {report.rounding:.2f} (the original: {report.original:.2f}). It has been "
            "removed. Calibration text that is more like what the model is used for may help."
        )
    return Refused(code=code, text=text, report=report)
