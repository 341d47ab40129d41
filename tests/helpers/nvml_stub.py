"""A `libnvidia-ml.so.1` that says what a test wants, and programs that read it.

`nvml_stub.c` beside this describes the scenario file. A stub is seen by a child process only:
the loader's path is fixed when a process starts, and the tests' own shall see the real machine.
A test needs no GPU for any of this, but a C compiler: it fails without one.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from desktop.hardware.readings import HardwareReading

SOURCE = Path(__file__).with_name("nvml_stub.c")
LIBRARY = "libnvidia-ml.so.1"
REPOSITORY = Path(__file__).resolve().parents[2]
GIB = 1024**3

# NVML's numbers, as the scenarios use them.
NOT_SUPPORTED = 3
NO_PERMISSION = 4
DRIVER_NOT_LOADED = 9
FUNCTION_NOT_FOUND = 13
GPU_IS_LOST = 15
LIBRARY_MISMATCH = 18
UNKNOWN = 999


@functools.cache
def library_folder() -> Path:
    """The folder with the built stub, for LD_LIBRARY_PATH; built once a run.

    Raises:
        RuntimeError: there is no C compiler, or it refuses the source.
    """
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError("the NVML stub needs a C compiler (cc, gcc or clang); install one")
    folder = Path(tempfile.mkdtemp(prefix="nvml-stub-"))
    _remove_at_exit(folder)
    command = [compiler, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    command += ["-fvisibility=hidden", f"-Wl,-soname,{LIBRARY}", "-o", str(folder / LIBRARY)]
    built = subprocess.run([*command, str(SOURCE)], capture_output=True, text=True, check=False)
    if built.returncode:
        raise RuntimeError(f"the NVML stub cannot be built:\n{built.stderr}")
    return folder


def _remove_at_exit(folder: Path) -> None:
    import atexit

    atexit.register(shutil.rmtree, folder, ignore_errors=True)


class Scenario:
    """The file that tells the stub what to say; every change holds from the next call on."""

    def __init__(self, path: Path, lines: Mapping[str, object] | None = None) -> None:
        self.path = path
        self._lines: dict[str, object] = {}
        self.change(lines or {"count": 1})

    def change(self, lines: Mapping[str, object]) -> None:
        """Set each key; None takes its line away. All at once, for whoever reads meanwhile."""
        self._lines.update(lines)
        self._lines = {key: value for key, value in self._lines.items() if value is not None}
        text = "".join(f"{key} {value}\n" for key, value in self._lines.items())
        fresh = self.path.with_name(f"{self.path.name}.fresh")
        fresh.write_text(text)
        fresh.replace(self.path)

    def environment(self, calls: Path | None = None) -> dict[str, str]:
        """Ours with the stub in it, for a child process."""
        paths = [str(library_folder()), os.environ.get("LD_LIBRARY_PATH", "")]
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": ":".join(filter(None, paths)),
            "NVML_STUB": str(self.path),
        }
        if calls is not None:
            environment["NVML_STUB_CALLS"] = str(calls)
        return environment


def two_3090s() -> dict[str, object]:
    """Two cards of 24 GiB, linked by NVLink, the second one at work."""
    lines: dict[str, object] = {"count": 2}
    for gpu, other in ((0, 1), (1, 0)):
        for port in range(4):
            lines[f"gpu{gpu}.nvlink.{port}"] = 1
            lines[f"gpu{gpu}.nvlink.{port}.remote"] = f"00000000:{other + 1:02X}:00.0"
    return lines | {
        "link.0.1.read": 0,
        "link.0.1.write": 0,
        "link.0.1.nvlink": 0,
        "link.0.1.topology": 30,
        "gpu1.utilisation": 97,
        "gpu1.memory_utilisation": 61,
        "gpu1.used": 20 * GIB,
        "gpu1.process.4194301": 19 * GIB,
        "process.4194301": "/opt/games/warzone",
        "gpu1.power": 341000,
        "gpu1.temperature": 83,
        "gpu1.clock_sm": 1695,
        "gpu1.throttle": 0x4,
        "gpu1.pcie_rx": 1000,
        "gpu1.pcie_tx": 250,
    }


def unequal() -> dict[str, object]:
    """A card of 24 GiB and one of 12, on different bridges, without access to each other."""
    return {
        "count": 2,
        "gpu1.name": "NVIDIA GeForce RTX 3060",
        "gpu1.total": 12 * GIB,
        "gpu1.bus_width": 192,
        "gpu1.clock_memory_max": 7501,
        "gpu1.power_limit": 170000,
        "link.0.1.topology": 40,
    }


def wsl() -> dict[str, object]:
    """One card as WSL2 shows it: no list of programs, hardly any limits."""
    return {
        "count": 1,
        "gpu0.process": "-",
        "gpu0.graphics": "-",
        "gpu0.mps": "-",
        "gpu0.temperature_limit": "-",
        "gpu0.power_limit": "-",
        "gpu0.pcie_rx": "-",
        "gpu0.pcie_tx": "-",
    }


def split() -> dict[str, object]:
    """An A100 that is split into two parts (MIG)."""
    return {
        "count": 1,
        "gpu0.name": "NVIDIA A100-SXM4-40GB",
        "gpu0.major": 8,
        "gpu0.minor": 0,
        "gpu0.total": 40 * GIB,
        "gpu0.mig": 1,
        "gpu0.utilisation": "-",
        "gpu0.part.0.name": "NVIDIA A100-SXM4-40GB MIG 3g.20gb",
        "gpu0.part.0.total": 20 * GIB,
        "gpu0.part.0.used": 1 * GIB,
        "gpu0.part.2.name": "NVIDIA A100-SXM4-40GB MIG 1g.5gb",
        "gpu0.part.2.total": 5 * GIB,
    }


def unified() -> dict[str, object]:
    """A GB10: its memory is the host's, and so it tells of none."""
    return {
        "count": 1,
        "gpu0.name": "NVIDIA GB10",
        "gpu0.major": 12,
        "gpu0.minor": 1,
        "gpu0.total": "-",
        "gpu0.bus_width": "-",
        "gpu0.clock_memory": "-",
        "gpu0.clock_memory_max": "-",
        "gpu0.power_limit": "-",
        "gpu0.temperature_limit": "-",
    }


class ReaderProcess:
    """An `NvmlReader` in a process of its own, beside the stub; a context manager.

    Its clock is what `read` is told, so that pauses need no waiting.
    """

    def __init__(self, scenario: Scenario, calls: Path | None = None) -> None:
        self.scenario = scenario
        self._child = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.nvml_reader"],
            cwd=REPOSITORY,
            env=scenario.environment(calls),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._child.__exit__(kind, error, trace)  # ends the input, and with it the child

    def read(self, now: float = 0.0) -> HardwareReading:
        """The reading at `now`, in seconds."""
        return msgspec.json.decode(self._ask(f"read {now}"), type=HardwareReading)

    def close(self) -> None:
        """Let the reader let go of NVML, and begin anew."""
        self._ask("close")

    def pretend_wsl(self) -> None:
        """From the next reading on the reader believes that it is in WSL."""
        self._ask("wsl")

    def _ask(self, line: str) -> str:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(f"{line}\n")
        self._child.stdin.flush()
        answer = self._child.stdout.readline()
        assert answer, f"the reader ended with {self._child.wait()}"
        return answer
