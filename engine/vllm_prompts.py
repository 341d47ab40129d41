"""Renders and counts prompts off the stepping thread, where they would hold up every stream.

There are two lanes, a thread each: one for what is quick, one for long chats and for
grammars that must be tried first, so that a message in a short chat never waits behind a
chat of 300,000 tokens. In a lane, requests come before counts.
"""

from __future__ import annotations

import itertools
import queue
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.failures import explain
from engine.grammar_trial import GrammarTrial
from engine.overflow import longest_fit, too_long
from engine.protocol import CountTokens, Failure, Generate, Scope, TokenCount
from engine.sampling_limits import refusal
from engine.vllm_chat import ChatPrompts, Turn

LONG_CHARS = 100_000  # tokenized in about a tenth of a second
LONG_MESSAGES = 1000


# Priority, order, job.
_Lane = queue.PriorityQueue[tuple[int, int, Generate | CountTokens]]


class _Unwanted(Exception):  # noqa: N818 - no error: nobody waits for the result any more
    """The request was cancelled meanwhile, or the count is out of date."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A request with its prompt: `engine_input` is what vLLM takes."""

    request: Generate
    engine_input: Any
    prompt_tokens: int
    opens_reasoning: str


class PromptRenderer:
    """Turns chats into prompt token ids.

    Args:
        vllm_config: the engine's.
        template: a chat template in the place of the model's own.
        rendered, counted, failed, count_failed: take the results, in its threads.
        wanted: tells whether the request with an id has not been cancelled.
    """

    def __init__(
        self,
        vllm_config: Any,
        template: str | None,
        rendered: Callable[[Rendered], None],
        counted: Callable[[TokenCount], None],
        failed: Callable[[Failure], None],
        count_failed: Callable[[Failure], None],
        wanted: Callable[[str], bool],
    ) -> None:
        self._config = vllm_config
        self._template = template
        self._rendered = rendered
        self._counted = counted
        self._failed = failed
        self._count_failed = count_failed
        self._wanted = wanted
        self._context: int = vllm_config.model_config.max_model_len
        self._chats: ChatPrompts
        self._trial: GrammarTrial
        self._pending = 0  # requests that have come and are not rendered yet
        self._latest: dict[str, str] = {}  # chat -> id of its newest count
        self._lock = threading.Lock()
        self._order = itertools.count()
        self.idle = threading.Event()  # set while no request waits to be rendered
        self.idle.set()
        self._ready = threading.Event()
        self._quick: _Lane = queue.PriorityQueue()
        self._long: _Lane = queue.PriorityQueue()
        threading.Thread(target=self._run, name="prompts", daemon=True).start()

    @property
    def template_hash(self) -> str:
        """Of the chat template, once the tokenizer is loaded."""
        return self._chats.template_hash

    def wait_ready(self) -> None:
        """Wait until its tokenizer is loaded."""
        self._ready.wait()

    def set_context(self, tokens: int) -> None:
        """The context as fitted to the KV pool, known only after the load."""
        self._context = tokens

    def generate(self, request: Generate) -> None:
        """Queue a request."""
        with self._lock:
            self._pending += 1
            self.idle.clear()
        is_long = _is_long(request) or self._trial.is_needed(request.sampling)
        lane = self._long if is_long else self._quick
        lane.put((request.priority, next(self._order), request))

    def count(self, request: CountTokens) -> None:
        """Queue a count; one of the same chat that still waits is dropped."""
        if request.chat_id:
            with self._lock:
                self._latest[request.chat_id] = request.request_id
        lane = self._long if _is_long(request) else self._quick
        lane.put((_AFTER_REQUESTS, next(self._order), request))

    # --- its threads ------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._chats = ChatPrompts(self._config, self._template)
            self._trial = GrammarTrial(self._config, self._chats.tokenizer)
            self._chats.warm_up()
        except Exception:
            self._failed(explain(Scope.ENGINE, traceback.format_exc()))
            return
        finally:
            self._ready.set()
        arguments = (self._long,)
        threading.Thread(target=self._serve, args=arguments, name="long", daemon=True).start()
        self._serve(self._quick)

    def _serve(self, lane: _Lane) -> None:
        while True:
            _, _, job = lane.get()
            try:
                if isinstance(job, Generate):
                    self._render(job)
                else:
                    self._count(job)
            except _Unwanted:
                pass
            except Exception:
                error = traceback.format_exc()
                failure = explain(Scope.REQUEST, error, request_id=job.request_id)
                (self._failed if isinstance(job, Generate) else self._count_failed)(failure)
            finally:
                if isinstance(job, Generate):
                    with self._lock:
                        self._pending -= 1
                        if not self._pending:
                            self.idle.set()

    def _count(self, job: CountTokens) -> None:
        def check() -> None:
            # No lock: a moment late is soon enough.
            if job.chat_id and self._latest.get(job.chat_id) != job.request_id:
                raise _Unwanted

        check()
        tokens = self._chats.count(job.messages, Turn(thinking=job.thinking), check)
        self._counted(TokenCount(job.request_id, tokens, self._context))
        with self._lock:
            if self._latest.get(job.chat_id) == job.request_id:
                del self._latest[job.chat_id]

    def _render(self, job: Generate) -> None:
        def check() -> None:
            if not self._wanted(job.request_id):
                raise _Unwanted

        check()
        if fault := self._trial.fault_of(job.sampling):
            self._failed(refusal(job.request_id, fault))
            return
        turn = Turn(job.continue_final, job.thinking)
        prompt = self._chats.prompt(job.messages, turn, check)
        tokens, room = len(prompt.ids), self._context - max(1, job.reserve)
        if tokens > room:
            keep = longest_fit(
                job.messages, room, lambda kept: self._chats.count(kept, turn, check)
            )
            check()
            self._failed(too_long(job.request_id, tokens, self._context, job.reserve, keep))
            return
        engine_input = self._chats.engine_input(prompt)
        self._rendered(Rendered(job, engine_input, tokens, prompt.opens_reasoning))


_AFTER_REQUESTS = 1 << 40


def _is_long(job: Generate | CountTokens) -> bool:
    return (
        len(job.messages) > LONG_MESSAGES
        or sum(len(message.content) for message in job.messages) > LONG_CHARS
    )
