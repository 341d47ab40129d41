"""Makes a Python process take this processor for one with AVX2 and nothing newer.

On the path of a subprocess, see `tests.helpers.avx2_machine`. What PyTorch and vLLM ask about
the processor is answered for AVX2; environment variables do the same for the libraries below.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

_NEWER = ("avx512", "amx", "avx10", "avx_vnni", "avxvnni", "gfni", "vaes", "vpclmul")


def _is_newer(flag: str) -> bool:
    return flag.startswith(_NEWER)


def _torch_cpu(module: Any) -> None:
    ask = module.get_capabilities

    def get_capabilities() -> dict[str, Any]:
        return {name: False if _is_newer(name) else value for name, value in dict(ask()).items()}

    module.get_capabilities = get_capabilities


def _load_defaults(module: Any) -> None:
    from dataclasses import replace

    read = module.read_machine

    def read_machine(*args: Any, **kwargs: Any) -> Any:
        machine = read(*args, **kwargs)
        flags = frozenset(flag for flag in machine.cpu_flags if not _is_newer(flag))
        return replace(machine, cpu_flags=flags)

    module.read_machine = read_machine


_CHANGES: dict[str, Callable[[Any], None]] = {
    "torch.cpu": _torch_cpu,
    "engine.load_defaults": _load_defaults,
}


class _Loader(importlib.abc.Loader):
    def __init__(self, loader: Any, change: Callable[[Any], None]) -> None:
        self._loader = loader
        self._change = change

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._change(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        change = _CHANGES.get(fullname)
        if change is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = _Loader(spec.loader, change)
        return spec


sys.meta_path.insert(0, _Finder())
