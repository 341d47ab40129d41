"""Limits on chat templates: they are programs, fetched with a model, that we run.

Jinja's sandbox (which transformers uses) keeps them from files and code, not from looping
for ever or filling the memory. This adds three limits: sequences made by `*` and powers
are capped, and a watcher stops a rendering that takes too long or makes the process grow.
"""

from __future__ import annotations

import ctypes
import resource
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RENDER_SECONDS = 20.0  # a 1 MB prompt renders and tokenizes in about one
GROWTH_BYTES = 1024**3
POLL_SECONDS = 0.05
REPEATED_ITEMS = 10_000_000
POWER_BITS = 4096


class TemplateTimeout(Exception):  # noqa: N818 - the name is what the user's log shows
    """A rendering was stopped at its limit of time or memory."""


def limit_operators() -> None:
    """Cap `*` and `**` in every sandboxed template of this process. Idempotent."""
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import SandboxedEnvironment

    if "*" in SandboxedEnvironment.intercepted_binops:
        return
    original: Callable[..., Any] = SandboxedEnvironment.call_binop

    def call_binop(self: Any, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            for count, items in ((left, right), (right, left)):
                sized = isinstance(items, str | bytes | list | tuple)
                if sized and isinstance(count, int) and count * len(items) > REPEATED_ITEMS:
                    raise SecurityError("a repetition in the chat template is too long")
        bits = left.bit_length() if isinstance(left, int) else 0
        if operator == "**" and isinstance(right, int) and bits * abs(right) > POWER_BITS:
            raise SecurityError("a power in the chat template is too large")
        return original(self, context, operator, left, right)

    SandboxedEnvironment.intercepted_binops = frozenset({"*", "**"})
    SandboxedEnvironment.call_binop = call_binop  # type: ignore[method-assign]


class Watcher:
    """Stops the body of a `with` block when it takes too long or memory grows too much.

    One thread watches for all blocks of its owner's thread; entering one is cheap. The
    exception, `TemplateTimeout`, is raised inside the body at its next Python instruction.
    """

    def __init__(self, seconds: float = RENDER_SECONDS, growth: int = GROWTH_BYTES) -> None:
        self._seconds = seconds
        self._growth = growth
        self._lock = threading.Lock()
        self._armed = threading.Event()
        self._target = 0
        self._deadline = 0.0
        self._before: int | None = None
        threading.Thread(target=self._watch, name="template-watch", daemon=True).start()

    def __enter__(self) -> None:
        with self._lock:
            self._target = threading.get_ident()
            self._deadline = time.monotonic() + self._seconds
            self._before = None
        self._armed.set()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._target = 0
        self._armed.clear()

    def _watch(self) -> None:
        while True:
            self._armed.wait()
            time.sleep(POLL_SECONDS)
            with self._lock:
                if not self._target:
                    continue
                resident = _resident_bytes()
                if self._before is None:
                    self._before = resident
                late = time.monotonic() > self._deadline
                if late or resident - self._before > self._growth:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._target), ctypes.py_object(TemplateTimeout)
                    )
                    self._target = 0


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
