"""RAM, swap, cores, instruction sets and load of the computer, within a container's limits."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from desktop.hardware.readings import HostReading, Missing

T = TypeVar("T")

# A limit of cgroup version 1 that is none: nearly 2^63, rounded to pages.
_NO_LIMIT: Final = 1 << 60


class HostReader:
    """Reads the host; keeps what never changes and the last processor times.

    Attributes:
        proc, cgroup: where the kernel tells; other folders in tests.
    """

    def __init__(self, proc: Path = Path("/proc"), cgroup: Path = Path("/sys/fs/cgroup")) -> None:
        self.proc = proc
        self.cgroup = cgroup
        self._times: tuple[float, float] | None = None  # busy, all
        self._name, self._flags, self._cores = self._read_processor()

    def read(self) -> HostReading:
        """The host now; never raises, what cannot be read is missing."""
        import psutil

        missing: dict[str, Missing] = {}

        def ask(call: Callable[[], T], *names: str) -> T | None:
            try:
                return call()
            except (OSError, ValueError, RuntimeError, psutil.Error):
                missing.update(dict.fromkeys(names, Missing.HOST))
                return None

        ram = ask(psutil.virtual_memory, "ram_total", "ram_available")
        total = None if ram is None else int(ram.total)
        available = None if ram is None else int(ram.available)
        for limit, used in self.memory_limits():
            if total is None or limit < total:
                total = limit
            left = max(0, limit - used)
            available = left if available is None else min(available, left)
            missing.pop("ram_total", None)
            missing.pop("ram_available", None)
        swap = ask(psutil.swap_memory, "swap_total", "swap_used")
        threads = self._threads()
        cores = min(self._cores, threads) if self._cores else None
        if cores is None:
            missing["cores"] = Missing.HOST
        load = ask(lambda: self._load(psutil), "load")
        if load is None:
            missing.setdefault("load", Missing.NOT_YET)
        if not self._name:
            missing["cpu_name"] = Missing.HOST
        return HostReading(
            ram_total=total,
            ram_available=available,
            swap_total=None if swap is None else int(swap.total),
            swap_used=None if swap is None else int(swap.used),
            cores=cores,
            threads=threads,
            flags=self._flags,
            cpu_name=self._name or None,
            load=load,
            missing=missing,
        )

    def memory_limits(self) -> Iterator[tuple[int, int]]:
        """(limit, used) in bytes of each cgroup that we are in and that has a limit.

        What is used counts without the files' pages that the kernel can give back at once.
        """
        for folder, limit_name, used_name in self._groups():
            try:
                limit = (folder / limit_name).read_text().strip()
                if limit == "max" or int(limit) >= _NO_LIMIT:
                    continue
                used = int((folder / used_name).read_text())
                yield int(limit), max(0, used - _reclaimable(folder / "memory.stat"))
            except (OSError, ValueError):
                continue

    def _groups(self) -> Iterator[tuple[Path, str, str]]:
        """The folders that limit us, from our own group up, of both versions of cgroups."""
        try:
            lines = (self.proc / "self/cgroup").read_text().splitlines()
        except OSError:
            return
        for line in lines:
            controllers, _, path = line.partition(":")[2].partition(":")
            if not controllers:
                root, names = self.cgroup, ("memory.max", "memory.current")
            elif "memory" in controllers.split(","):
                root = self.cgroup / "memory"
                names = ("memory.limit_in_bytes", "memory.usage_in_bytes")
            else:
                continue
            folder = Path(os.path.normpath(root / path.lstrip("/")))
            while folder.is_relative_to(root):
                yield (folder, *names)
                folder = folder.parent

    def _threads(self) -> int:
        """Logical processors that we may use, after a container's share of time."""
        threads = len(os.sched_getaffinity(0))
        try:
            quota, period = (self.cgroup / "cpu.max").read_text().split()
            if quota != "max":
                threads = min(threads, max(1, math.ceil(int(quota) / int(period))))
        except (OSError, ValueError, ZeroDivisionError):
            pass
        return threads

    def _load(self, psutil: Any) -> float | None:
        times = psutil.cpu_times()
        all_time = float(sum(times) - times.guest - times.guest_nice)  # in user, nice as well
        busy = all_time - float(times.idle + times.iowait)
        last, self._times = self._times, (busy, all_time)
        if last is None or all_time <= last[1]:
            return None
        share = (busy - last[0]) / (all_time - last[1])
        return float(max(0.0, min(1.0, share)) * 100)

    def _read_processor(self) -> tuple[str, frozenset[str], int]:
        """Name, flags and physical cores among those that we may use."""
        try:
            text = (self.proc / "cpuinfo").read_text(errors="replace")
        except OSError:
            return "", frozenset(), 0
        name, flags = "", frozenset[str]()
        usable = os.sched_getaffinity(0)
        cores: set[tuple[str, str]] = set()
        for block in text.split("\n\n"):
            facts = {
                key.strip(): value.strip()
                for key, found, value in (line.partition(":") for line in block.splitlines())
                if found
            }
            name = name or facts.get("model name", "")
            flags = flags or frozenset((facts.get("flags") or facts.get("Features", "")).split())
            number = facts.get("processor", "")
            if number.isdigit() and int(number) in usable:
                # Without core numbers (ARM) each processor is a core.
                cores.add((facts.get("physical id", ""), facts.get("core id", number)))
        return name, flags, len(cores)


def _reclaimable(stat: Path) -> int:
    try:
        facts = dict(line.split() for line in stat.read_text().splitlines())
        return int(facts.get("inactive_file", facts.get("total_inactive_file", 0)))
    except (OSError, ValueError):
        return 0
