"""Tries JSON schemas and patterns out before vLLM compiles them, where they can be ended.

Compiling can take minutes, or more memory than there is, for a pattern of ten characters,
and a thread of C++ cannot be stopped. So it is done first in a forked child with limits of
time and memory: it says what is wrong, or that vLLM may do the same in peace.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import resource
import select
import signal
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from engine.protocol import Sampling

CPU_SECONDS = 5  # of the child; whole seconds, as the kernel counts them
WALL_SECONDS = 15.0  # on a machine that is busy with other things
PARSE_SECONDS = 0.3  # vLLM repeats this part between two steps: all streams wait for it
STEP_SECONDS = 0.05  # a token's mask: likewise
GROWTH_BYTES = 512 * 1024**2
TRIED_TOKENS = 48
REMEMBERED = 64
_PR_SET_PDEATHSIG = 1

_TOO_HARD = "it takes too much time or memory to follow. Use fewer or smaller repetitions"


class GrammarTrial:
    """Says what is wrong with the grammar of a request; may be called from any thread.

    Args:
        vllm_config: the engine's.
        tokenizer: the model's.
    """

    def __init__(self, vllm_config: Any, tokenizer: Any) -> None:
        self._config = vllm_config
        self._tokenizer = tokenizer
        self._backend: Any = None
        self._known: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._lock = threading.Lock()

    def is_needed(self, sampling: Sampling) -> bool:
        """Whether `fault_of` would take time."""
        key = _key(sampling)
        return key is not None and key not in self._known

    def fault_of(self, sampling: Sampling) -> str:
        """What is wrong with the schema or pattern, in a sentence; "" if nothing is."""
        key = _key(sampling)
        if key is None:
            return ""
        with self._lock:
            if key not in self._known:
                self._known[key] = self._try(*key)
                if len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
            return self._known[key]

    def _try(self, kind: str, text: str) -> str:
        what = "The JSON schema" if kind == "json" else "The pattern"
        if kind == "json" and (fault := _fault_of_json(text)):
            return f"{what} cannot be used: {fault}."
        self._prepare()
        answer = _in_child(lambda: self._compile(kind, text))
        return f"{what} cannot be used: {answer}." if answer else ""

    def _prepare(self) -> None:
        """What the child needs, made here once: it inherits it."""
        from vllm.v1.structured_output.backend_xgrammar import XgrammarBackend

        if self._backend is not None:
            return
        backend = XgrammarBackend(
            self._config,
            tokenizer=self._tokenizer,
            vocab_size=self._config.model_config.get_vocab_size(),
        )
        self._mask = backend.allocate_token_bitmask(1)
        vocabulary = self._tokenizer.get_vocab()
        # Some first words to feed it; which of them are allowed depends on the grammar.
        self._feed = [vocabulary[c] for c in 'a1"{}[] :,x0-' if c in vocabulary]
        self._backend = backend

    def _compile(self, kind: str, text: str) -> str:
        """In the child. Does what vLLM will do; what is wrong, or ""."""
        import xgrammar
        from vllm.v1.structured_output.backend_types import StructuredOutputOptions
        from vllm.v1.structured_output.backend_xgrammar import (
            has_xgrammar_unsupported_json_features,
        )

        began = time.process_time()
        if kind == "json":
            schema = json.loads(text)
            if has_xgrammar_unsupported_json_features(schema):
                return (
                    "it has a rule that cannot be kept while writing, such as multipleOf, "
                    "uniqueItems, contains, or a pattern together with a length"
                )
            xgrammar.Grammar.from_json_schema(schema)
        else:
            xgrammar.Grammar.from_regex(text)
        if time.process_time() - began > PARSE_SECONDS:
            return _TOO_HARD
        option = StructuredOutputOptions.JSON if kind == "json" else StructuredOutputOptions.REGEX
        return self._walk(self._backend.compile_grammar(option, text).matcher)

    def _walk(self, matcher: Any) -> str:
        for _ in range(TRIED_TOKENS):
            began = time.process_time()
            matcher.fill_next_token_bitmask(self._mask, 0)
            taken = any(matcher.accept_token(token) for token in self._feed)
            if time.process_time() - began > STEP_SECONDS:
                return _TOO_HARD
            if not taken or matcher.is_terminated():
                break
        return ""


def _key(sampling: Sampling) -> tuple[str, str] | None:
    if sampling.json_schema is not None:
        return "json", sampling.json_schema
    if sampling.regex is not None:
        return "regex", sampling.regex
    return None


def _fault_of_json(text: str) -> str:
    try:
        schema = json.loads(text)
    except json.JSONDecodeError as error:
        return f"it is not JSON (line {error.lineno}, column {error.colno}: {error.msg})"
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return f"it is not JSON ({error})"
    if not isinstance(schema, dict):
        return "it must be an object, in braces"
    return ""


def _in_child(work: Callable[[], str]) -> str:
    """What `work` returns, done in a forked child with limits; its error as a sentence."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python warns of forks beside threads: the child uses nothing that they may hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _child(work, writing)
    os.close(writing)
    try:
        return _answer_of(reading)
    finally:
        os.close(reading)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _child(work: Callable[[], str], writing: int) -> NoReturn:
    try:
        os.nice(5)  # the streams go first
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        held = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (held + GROWTH_BYTES, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            answer = work()
        except MemoryError:
            answer = _TOO_HARD
        except Exception as error:
            answer = _words_of(str(error))
        os.write(writing, b"=" + answer.encode()[:4000])
    finally:
        os._exit(0)


def _answer_of(reading: int) -> str:
    """The child's word, or that it came to its limits."""
    ready, _, _ = select.select([reading], [], [], WALL_SECONDS)
    answer = os.read(reading, 4096) if ready else b""
    if not answer.startswith(b"="):  # killed at a limit, or too slow
        return _TOO_HARD
    return answer[1:].decode("utf-8", "replace")


def _words_of(error: str) -> str:
    """The compiler's words without its time and source line."""
    text = re.sub(r"\[\d\d:\d\d:\d\d\] \S+?:\d+: ", "", error).strip()
    text = " ".join(text.split())[:300].rstrip(".")
    return text[:1].lower() + text[1:] or "it is not understood"
