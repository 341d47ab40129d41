"""vLLM's CPU worker, cured of a fault that ends the engine: private parts, in one small module.

A prompt that is read in several steps is sampled in each, and all but the last sample are
thrown away; vLLM then takes the draw back from the request's seeded generator by moving its
offset. A CPU's generator has none: it raises, and the engine is gone. Here such a request's
generator is out of reach while its sample is drawn, so that there is nothing to take back and
the same seed gives the same text in however many steps the prompt was read.

A contract test holds this against the real vLLM. Only vLLM imports this module, by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vllm.v1.worker.cpu_model_runner import CPUModelRunner
from vllm.v1.worker.cpu_worker import CPUWorker

from engine.vllm_worker_part import WorkerPart


class SeedKeepingCPUWorker(WorkerPart, CPUWorker):  # type: ignore[misc]
    """Draws nothing from the seeded generator of a request whose prompt is not read yet."""

    def sample_tokens(self, grammar_output: Any) -> Any:
        """Sample the step's rows; see `CPUWorker`."""
        # The second model runner that vLLM has seeds by position, and keeps no generators.
        if not isinstance(self.model_runner, CPUModelRunner):
            return super().sample_tokens(grammar_output)
        with _unread_set_aside(self.model_runner):
            return super().sample_tokens(grammar_output)


@contextmanager
def _unread_set_aside(runner: CPUModelRunner) -> Iterator[None]:
    """Take the generators out of the batch whose rows' samples will be thrown away."""
    batch = runner.input_batch
    discarded = runner.discard_request_mask.np[: batch.num_reqs].nonzero()[0].tolist()
    generators = batch.generators
    aside = {row: generators.pop(row) for row in discarded if row in generators}
    try:
        yield
    finally:
        generators.update(aside)
