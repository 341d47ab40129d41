"""The engine's flavour follows the machine, and the reason is told."""

# ruff: noqa: N802 -- NVML's names

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
from setup import flavour
from setup.failures import SetupError
from setup.flavour import CPU, CUDA, Driver


@pytest.mark.parametrize("value", ["cpu", "cuda", " CUDA "])
def test_the_user_may_choose(value: str) -> None:
    assert flavour.choose({"INGLENOOK_FLAVOUR": value}).flavour == value.strip().lower()


def test_a_flavour_that_is_none_is_named() -> None:
    with pytest.raises(SetupError, match="rocm") as caught:
        flavour.choose({"INGLENOOK_FLAVOUR": "rocm"})
    assert "cpu" in caught.value.text()


@pytest.mark.parametrize(
    ("driver", "wanted", "reason"),
    [
        (Driver(13000, ((8, 9),)), CUDA, "an NVIDIA GPU"),
        (Driver(13010, ((8, 6), (7, 5))), CUDA, "2 NVIDIA GPUs"),
        (Driver(None, ((9, 0),)), CUDA, "GPU"),
        (Driver(12080, ((9, 0),)), CPU, "CUDA up to 12.8"),
        (Driver(13000, ((6, 1),)), CPU, "capability 6.1"),
        (Driver(13000, ()), CPU, "no GPU"),
    ],
)
def test_a_driver_that_answers_is_judged(driver: Driver, wanted: str, reason: str) -> None:
    choice = flavour.judge(driver)
    assert choice.flavour == wanted
    assert reason in choice.reason


@pytest.mark.parametrize(("mark", "wanted"), [("", CPU), ("NVRM version: 580", CUDA)])
def test_without_nvml_the_loaded_driver_decides(
    monkeypatch: pytest.MonkeyPatch, mark: str, wanted: str
) -> None:
    monkeypatch.setattr(flavour, "read_driver", lambda: None)
    monkeypatch.setattr(flavour, "driver_mark", lambda: mark)
    assert flavour.choose({}).flavour == wanted


class FakeNvml:
    """NVML's functions as ctypes gives them; `status` is what nvmlInit answers."""

    def __init__(self, status: int = 0) -> None:
        self.status = status
        self.open = 0

    def nvmlInit_v2(self) -> int:
        self.open += self.status == 0
        return self.status

    def nvmlShutdown(self) -> int:
        self.open -= 1
        return 0

    def nvmlSystemGetCudaDriverVersion(self, version: Any) -> int:
        version._obj.value = 13000
        return 0

    def nvmlDeviceGetCount_v2(self, count: Any) -> int:
        count._obj.value = 2
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, index: int, handle: Any) -> int:
        return 15 if index == 1 else 0  # the second GPU is lost

    def nvmlDeviceGetCudaComputeCapability(self, handle: Any, major: Any, minor: Any) -> int:
        major._obj.value, minor._obj.value = 8, 9
        return 0


def loader(nvml: Any) -> Callable[[str], Any]:
    def load(name: str) -> Any:
        if nvml is None:
            raise OSError(name)
        return nvml

    return load


def test_nvml_is_asked_and_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = FakeNvml()
    monkeypatch.setattr(ctypes, "CDLL", loader(nvml))
    assert flavour.read_driver() == Driver(13000, ((8, 9),))
    assert nvml.open == 0


@pytest.mark.parametrize("nvml", [None, FakeNvml(status=9), object()])
def test_nvml_that_is_not_there_or_does_not_start(
    monkeypatch: pytest.MonkeyPatch, nvml: Any
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", loader(nvml))
    assert flavour.read_driver() is None
