"""The contract with the private parts of vLLM that the loads' reports stand on."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.load_folder import VARIABLE
from engine.protocol import LoadSettings
from engine.worker_report import CPU, WorkerReport

pytestmark = pytest.mark.real_engine  # it imports vLLM; no model is loaded

GIB = 1 << 30


def source(target: Callable[..., Any] | type) -> str:
    return inspect.getsource(target)


def test_vllm_measures_where_we_read() -> None:
    pytest.importorskip("vllm")
    from vllm.v1.worker.gpu_model_runner import GPUModelRunner
    from vllm.v1.worker.gpu_worker import Worker

    profiling = source(Worker.determine_available_memory)
    # What our overhead is made of: see `engine.worker_report`.
    assert "self.total_consumed = profile_result.total_consumed" in profiling
    assert "profile_result.transient_peak_headroom + cudagraph_memory_estimate_applied" in profiling
    assert "self.cudagraph_memory_estimate = cudagraph_memory_estimate" in profiling
    assert "- profile_result.non_kv_cache_memory" in profiling
    assert "self.init_snapshot = init_snapshot = MemorySnapshot" in source(Worker.init_device)
    warm_up = source(Worker.compile_or_warm_up_model)
    assert "cuda_graph_memory_bytes = self.model_runner.capture_model()" in warm_up
    assert "self.model_memory_usage = m.consumed_memory" in source(GPUModelRunner.load_model)
    assert "self.kv_caches" in source(GPUModelRunner)


def test_vllm_keeps_its_capacity_where_we_read() -> None:
    pytest.importorskip("vllm")
    from vllm.v1.core import kv_cache_utils
    from vllm.v1.engine.core import EngineCore

    assert "cache_config.kv_cache_size_tokens = num_tokens" in source(
        kv_cache_utils.update_kv_cache_capacity
    )
    assert "update_kv_cache_capacity(" in source(EngineCore._initialize_kv_caches)


def test_workers_leave_threads_alone_where_we_say_so() -> None:
    pytest.importorskip("vllm")
    from vllm.utils.ompmultiprocessing import OMPProcessManager

    assert 'self.skip_setup = vllm_mask == "nobind"' in source(
        OMPProcessManager._parse_omp_threads_bind_env
    )
    assert "self.skip_setup" in source(OMPProcessManager.configure_omp_envs)


def test_workers_meet_where_pythons_temporary_files_are() -> None:
    pytest.importorskip("vllm")
    from vllm.utils.network_utils import get_file_store_init_method, get_open_zmq_ipc_path

    assert "tempfile.gettempdir()" in source(get_file_store_init_method)
    assert "envs.VLLM_RPC_BASE_PATH" in source(get_open_zmq_ipc_path)


def test_our_workers_come_before_vllms_in_every_step_of_a_load() -> None:
    pytest.importorskip("vllm")
    from engine.vllm_cpu_worker import SeedKeepingCPUWorker
    from engine.vllm_gpu_worker import ReportingGPUWorker
    from engine.vllm_worker_part import WorkerPart

    steps = ("init_device", "load_model", "determine_available_memory", "initialize_from_config")
    for worker in (SeedKeepingCPUWorker, ReportingGPUWorker):
        for step in (*steps, "compile_or_warm_up_model"):
            assert getattr(worker, step) is getattr(WorkerPart, step)
            # vLLM has it: nothing is called that is not there.
            assert any(step in vars(base) for base in worker.__mro__ if base is not WorkerPart)


def test_vllm_finds_our_workers_by_name() -> None:
    pytest.importorskip("vllm")
    from vllm.utils.import_utils import resolve_obj_by_qualname
    from vllm.v1.worker.gpu_worker import Worker

    from engine.vllm_loading import GPU_WORKER

    assert issubclass(resolve_obj_by_qualname(GPU_WORKER), Worker)


def test_a_worker_keeps_its_last_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("vllm")
    from engine.vllm_worker_part import WorkerPart

    class Failing:
        def load_model(self) -> None:
            raise ValueError("Total number of attention heads")

    class Worker(WorkerPart, Failing):
        """A worker that fails to load."""

    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(ValueError, match="attention heads"):
        Worker().load_model()
    words = (tmp_path / f"error-{os.getpid()}").read_text()
    assert "Traceback" in words
    assert "Total number of attention heads" in words


def gpu_worker(**more: Any) -> Any:
    """A worker of vLLM's on a GPU, after a load; its figures only."""
    torch = pytest.importorskip("torch")
    kv = torch.zeros(1024, dtype=torch.uint8)
    runner = SimpleNamespace(
        get_model=lambda: torch.nn.Linear(4, 4),
        kv_caches=[kv, [kv, torch.zeros(512, dtype=torch.uint8)]],
        model_memory_usage=5 * GIB,
    )
    figures = {
        "model_runner": runner,
        "device": SimpleNamespace(type="cuda", index=0),
        "local_rank": 0,
        "init_snapshot": SimpleNamespace(free_memory=22 * GIB),
        "inglenook_graphs": GIB,
        **more,
    }
    return SimpleNamespace(**figures)


@pytest.fixture
def one_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands in for the driver."""
    torch = pytest.importorskip("torch")
    from vllm.platforms import current_platform

    monkeypatch.setattr(torch.accelerator, "get_memory_info", lambda _: (2 * GIB, 24 * GIB))
    platform = type(current_platform)
    monkeypatch.setattr(platform, "visible_device_id_to_physical_device_id", lambda *_: 1)
    monkeypatch.setattr(platform, "get_device_name", lambda *_: "RTX 3090")


@pytest.mark.usefixtures("one_gpu")
def test_a_gpus_figures_are_read() -> None:
    from engine.vllm_worker_part import _report

    profiled = {
        "total_consumed": 6 * GIB,
        "peak_activation_memory": 3 * GIB,  # with the estimate of the graphs
        "cudagraph_memory_estimate": GIB,
    }
    assert _report(gpu_worker(**profiled)) == WorkerReport(
        device=1,
        name="RTX 3090",
        total=24 * GIB,
        free_before=22 * GIB,
        free=2 * GIB,
        weights=5 * GIB,
        kv=1536,  # what two layers share counts once
        graphs=GIB,
        consumed=6 * GIB,
        headroom=2 * GIB,
    )


@pytest.mark.usefixtures("one_gpu")
def test_a_gpu_that_was_not_profiled_says_what_it_can() -> None:
    from engine.vllm_worker_part import _report

    report = _report(gpu_worker())
    assert (report.consumed, report.headroom, report.weights) == (0, 0, 5 * GIB)


@pytest.mark.parametrize(
    ("quantization", "weights"), [("awq", 64), (None, 400)], ids=["quantised", "packed away"]
)
def test_weights_that_a_kernel_packed_away_still_count(
    quantization: str | None, weights: int
) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("vllm")
    from engine.vllm_worker_part import _report

    model = torch.nn.Linear(4, 4, bias=False)
    model.inglenook_loaded_bytes = 400
    worker = gpu_worker(
        device=SimpleNamespace(type="cpu", index=None),
        model_config=SimpleNamespace(quantization=quantization),
        inglenook_resident=GIB,
    )
    worker.model_runner.get_model = lambda: model
    report = _report(worker)
    assert (report.device, report.weights, report.resident) == (CPU, weights, GIB)
    assert report.total > GIB


def test_kernels_have_plain_names() -> None:
    pytest.importorskip("vllm")
    from vllm.model_executor.kernels import linear

    from engine.vllm_kernels import words_for

    # Each of vLLM's kernels for 4-bit weights on CUDA and x86, by its class.
    known = ("MarlinLinearKernel", "MacheteLinearKernel", "ExllamaLinearKernel")
    for name in (*known, "ConchLinearKernel", "CPUWNA16LinearKernel", "CutlassW4A8LinearKernel"):
        assert hasattr(linear, name)
        assert words_for(name)
    assert words_for("MarlinLinearKernel") == "Marlin"
    assert words_for("CPUWNA16LinearKernel") == "INT4 CPU (AVX-512)"
    assert words_for("SomethingNew") == ""


def test_the_kernel_of_most_layers_is_told() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("vllm")
    from engine.vllm_kernels import kernel_in_words

    class MarlinLinearKernel: ...

    class QuantLinearMethod:
        kernel = MarlinLinearKernel()

    class UnquantizedLinearMethod: ...

    class OursLinearMethod:
        kernel_words = "INT4 CPU (AVX2)"

    model = torch.nn.Sequential(*(torch.nn.Linear(2, 2) for _ in range(4)))
    assert kernel_in_words(model) == ""
    model[0].quant_method = UnquantizedLinearMethod()
    assert kernel_in_words(model) == ""
    model[1].quant_method = model[2].quant_method = QuantLinearMethod()
    model[3].quant_method = OursLinearMethod()
    assert kernel_in_words(model) == "Marlin"


def test_engine_arguments_are_vllms_own(tmp_path: Path) -> None:
    pytest.importorskip("vllm")
    from dataclasses import fields

    from vllm.engine.arg_utils import EngineArgs

    from engine.store.model_folder import ModelFacts
    from engine.vllm_loading import _arguments

    facts = ModelFacts(tmp_path, 1, 2, 64, 1, 1, 64, "")
    settings = LoadSettings(
        dtype="auto",
        cpu_offload_bytes=3 << 29,
        tokenizer="/t",
        tensor_parallel_size=1,
        foreground_first=False,
        gpu_memory_utilization=0.5,
    )
    arguments = _arguments(facts, settings, on_cpu=False)
    assert set(arguments) <= {field.name for field in fields(EngineArgs)}
    assert arguments["cpu_offload_gb"] == 1.5
    assert arguments["tokenizer"] == "/t"
    assert arguments["scheduling_policy"] == "fcfs"
    assert arguments["enable_sleep_mode"] is False  # no CUDA here
    on_cpu = _arguments(facts, LoadSettings(cpu_offload_bytes=1), on_cpu=True)
    assert "cpu_offload_gb" not in on_cpu
    assert on_cpu["scheduling_policy"] == "priority"


@pytest.mark.parametrize(
    ("names", "custom"),
    [
        (["NVIDIA GeForce RTX 3090"] * 2, False),
        (["NVIDIA A100-SXM4-80GB"] * 2, True),
        (["NVIDIA H200", "NVIDIA H200"], True),
        (["NVIDIA RTX A6000", "NVIDIA H200"], False),
    ],
)
def test_only_servers_cards_try_vllms_own_all_reduce(
    names: list[str], custom: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("vllm")
    from vllm.platforms import current_platform

    from engine.store.model_folder import ModelFacts
    from engine.vllm_loading import _arguments

    platform = type(current_platform)
    monkeypatch.setattr(platform, "get_device_name", lambda _self, i: names[i])
    facts = ModelFacts(Path("/m"), 1, 2, 64, 2, 2, 64, "")
    two = LoadSettings(tensor_parallel_size=2)
    assert _arguments(facts, two, on_cpu=False)["disable_custom_all_reduce"] is not custom
    off = LoadSettings(tensor_parallel_size=2, disable_p2p=True)
    assert _arguments(facts, off, on_cpu=False)["disable_custom_all_reduce"] is True
