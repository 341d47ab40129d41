"""Limits on chat templates: they are programs, fetched with a model, that we run.

Jinja's sandbox (which transformers uses) keeps them from files and code, not from looping
for ever or filling the memory. A watcher stops a rendering that takes too long or makes the
process grow, at its next Python instruction. What a single instruction can do is limited
besides: `template_steps` refuses what would make much out of little, and the kernel huge
allocations while a template is compiled or rendered.
"""

from __future__ import annotations

import contextlib
import ctypes
import resource
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.host_memory import resident_bytes
from engine.template_steps import (
    check_field,
    check_operator,
    checked_arguments,
    limited_filters,
)

RENDER_SECONDS = 20.0  # a 1 MB prompt renders and tokenizes in about one
GROWTH_BYTES = 1024**3
# For all that is taken at once, by any thread; above what the watcher lets pass.
ALLOCATED_BYTES = 2 * GROWTH_BYTES
POLL_SECONDS = 0.05


class TemplateTimeout(Exception):  # noqa: N818 - the name is what the user's log shows
    """A rendering was stopped at its limit of time or memory."""


def limit_templates() -> None:
    """Limit every sandboxed template of this process that is compiled from here on. Idempotent."""
    from jinja2 import Template
    from jinja2.filters import FILTERS
    from jinja2.sandbox import SandboxedEnvironment, SandboxedFormatter

    if "*" in SandboxedEnvironment.intercepted_binops:
        return
    operator_original: Callable[..., Any] = SandboxedEnvironment.call_binop
    call_original: Callable[..., Any] = SandboxedEnvironment.call
    compile_original: Callable[..., Any] = SandboxedEnvironment.from_string
    field_original: Callable[..., Any] = SandboxedFormatter.format_field

    def call_binop(self: Any, context: Any, operator: str, left: Any, right: Any) -> Any:
        check_operator(operator, left, right)
        return operator_original(self, context, operator, left, right)

    # The names begin with underscores as Jinja's do: the template's may be any others.
    def call(_self: Any, _context: Any, _called: Any, *args: Any, **kwargs: Any) -> Any:
        return call_original(_self, _context, _called, *checked_arguments(_called, args), **kwargs)

    def format_field(self: Any, value: Any, format_spec: str) -> Any:
        check_field(format_spec)
        return field_original(self, value, format_spec)

    def from_string(self: Any, *args: Any, **kwargs: Any) -> Any:
        with _limited_memory():  # the compiler works constant expressions out
            return compile_original(self, *args, **kwargs)

    class LimitedTemplate(Template):
        """A template that cannot take much memory at once."""

        def render(self, *args: Any, **kwargs: Any) -> str:
            with _limited_memory():
                return super().render(*args, **kwargs)

    SandboxedEnvironment.intercepted_binops = frozenset({"*", "**", "%", "/", "//"})
    SandboxedEnvironment.call_binop = call_binop  # type: ignore[method-assign]
    SandboxedEnvironment.call = call  # type: ignore[method-assign]
    SandboxedFormatter.format_field = format_field  # type: ignore[method-assign]
    SandboxedEnvironment.from_string = from_string  # type: ignore[method-assign]
    SandboxedEnvironment.template_class = LimitedTemplate
    FILTERS.update(limited_filters(FILTERS))


@contextlib.contextmanager
def _limited_memory() -> Iterator[None]:
    """Refuse allocations that would make this process grow by more than `ALLOCATED_BYTES`.

    The limit is the whole process's, so it is far above what other threads need meanwhile.

    Raises:
        TemplateTimeout: one was refused.
    """
    _limit.enter()
    try:
        yield
    except MemoryError:
        # Not in the chain: it would be explained by the machine's memory.
        raise TemplateTimeout("the chat template asked for too much memory at once") from None
    finally:
        _limit.leave()


class _DataLimit:
    """The process's limit while any thread renders: set by the first, lifted by the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

    def enter(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside > 1:
                return
            soft, hard = self._before = resource.getrlimit(resource.RLIMIT_DATA)
            limit = _memory_pages(_DATA) * resource.getpagesize() + ALLOCATED_BYTES
            for bound in (soft, hard):
                if bound != resource.RLIM_INFINITY:
                    limit = min(limit, bound)
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                resource.setrlimit(resource.RLIMIT_DATA, self._before)


_limit = _DataLimit()


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
                resident = resident_bytes()
                if self._before is None:
                    self._before = resident
                late = time.monotonic() > self._deadline
                if late or resident - self._before > self._growth:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._target), ctypes.py_object(TemplateTimeout)
                    )
                    self._target = 0


_DATA = 5  # a field of /proc/self/statm


def _memory_pages(field: int) -> int:
    return int(Path("/proc/self/statm").read_text().split()[field])
