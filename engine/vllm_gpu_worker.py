"""vLLM's GPU worker with what this program adds. Only vLLM imports this module, by its name."""

from __future__ import annotations

from vllm.v1.worker.gpu_worker import Worker

from engine.vllm_worker_part import WorkerPart


class ReportingGPUWorker(WorkerPart, Worker):  # type: ignore[misc]
    """See `WorkerPart`."""
