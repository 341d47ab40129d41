"""Limits on chat templates: they are programs, fetched with a model, that we run.

Jinja's sandbox (which transformers uses) keeps them from files and code, not from looping
for ever or filling the memory. This adds three limits: sequences made by `*` and powers
are capped, and a watcher stops a rendering that takes too long or makes the process grow.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

RENDER_SECONDS = 20.0  # a 1 MB prompt renders and tokenizes in about one
GROWTH_BYTES = 1024**3
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


@contextmanager
def limited(seconds: float = RENDER_SECONDS, growth: int = GROWTH_BYTES) -> Iterator[None]:
    """Stop the body (in this thread) when it takes too long or memory grows too much.

    Raises:
        TemplateTimeout: inside the body, at its next Python instruction.
    """
    done = threading.Event()
    lock = threading.Lock()
    target = threading.get_ident()

    def watch() -> None:
        deadline = time.monotonic() + seconds
        before = _resident_bytes()
        while not done.wait(0.05):
            if time.monotonic() > deadline or _resident_bytes() - before > growth:
                with lock:
                    if not done.is_set():
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(
                            ctypes.c_ulong(target), ctypes.py_object(TemplateTimeout)
                        )
                        done.set()
                return

    watcher = threading.Thread(target=watch, name="template-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with lock:
            done.set()


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
