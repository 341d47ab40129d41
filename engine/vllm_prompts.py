"""Renders and counts prompts in a thread of its own, with a tokenizer of its own.

On the stepping thread a long prompt would hold up every stream; and a fast tokenizer that
is used from two threads at once raises "Already borrowed".
"""

from __future__ import annotations

import contextlib
import queue
import threading
import traceback
from collections.abc import Callable
from typing import Any

from engine.failures import explain
from engine.protocol import (
    ChatMessage,
    CountTokens,
    Failure,
    Generate,
    Remedy,
    RemedyAction,
    Scope,
    TokenCount,
)
from engine.template_guard import Watcher, limit_templates


class PromptRenderer:
    """Turns chats into prompt token ids, in the order in which they came.

    `rendered(request, token_ids)`, `counted` and `failed` are called from its thread.
    """

    def __init__(
        self,
        vllm_config: Any,
        rendered: Callable[[Generate, Any], None],
        counted: Callable[[TokenCount], None],
        failed: Callable[[Failure], None],
    ) -> None:
        self._config = vllm_config
        self._rendered = rendered
        self._counted = counted
        self._failed = failed
        self._context: int = vllm_config.model_config.max_model_len
        self._jobs: queue.SimpleQueue[Generate | CountTokens | None] = queue.SimpleQueue()
        self._renderer: Any = None
        self._watcher = Watcher()
        self._pending = 0  # requests that have come and are not rendered yet
        self._lock = threading.Lock()
        self.idle = threading.Event()  # set while no request waits to be rendered
        self.idle.set()
        self._ready = threading.Event()
        threading.Thread(target=self._run, name="prompts", daemon=True).start()

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
        self._jobs.put(request)

    def count(self, request: CountTokens) -> None:
        """Queue a count."""
        self._jobs.put(request)

    def stop(self) -> None:
        """End the thread after what is queued."""
        self._jobs.put(None)

    def _run(self) -> None:
        try:
            self._renderer = _own_renderer(self._config)
            self._warm_up()
        except Exception:
            self._failed(explain(Scope.ENGINE, traceback.format_exc()))
            return
        finally:
            self._ready.set()
        while (job := self._jobs.get()) is not None:
            try:
                self._work(job)
            except Exception:
                error = traceback.format_exc()
                self._failed(explain(Scope.REQUEST, error, request_id=job.request_id))
            finally:
                if isinstance(job, Generate):
                    with self._lock:
                        self._pending -= 1
                        if not self._pending:
                            self.idle.set()

    def _warm_up(self) -> None:
        """Compile the template now: the first rendering takes half a second."""
        with contextlib.suppress(Exception):  # a bad template is reported by the first chat
            self._render((ChatMessage("user", "Hello"),), continue_final=False)

    def _work(self, job: Generate | CountTokens) -> None:
        continues = isinstance(job, Generate) and job.continue_final
        prompt = self._render(job.messages, continue_final=continues)
        tokens = len(prompt["prompt_token_ids"])
        if isinstance(job, CountTokens):
            self._counted(TokenCount(job.request_id, tokens, self._context))
        elif tokens >= self._context:
            self._failed(_too_long(job.request_id, tokens, self._context))
        else:
            self._rendered(job, prompt)

    def _render(self, messages: tuple[ChatMessage, ...], *, continue_final: bool) -> Any:
        from vllm.renderers import ChatParams
        from vllm.renderers.params import TokenizeParams

        conversation = [{"role": m.role, "content": m.content} for m in messages]
        chat = ChatParams(
            chat_template_kwargs={
                "add_generation_prompt": not continue_final,
                "continue_final_message": continue_final,
                "tokenize": False,
            }
        )
        tokenize = TokenizeParams(max_total_tokens=None, add_special_tokens=False)
        with self._watcher:
            _, (prompt,) = self._renderer.render_chat([conversation], chat, tokenize)
        return prompt


def _own_renderer(config: Any) -> Any:
    """VLLM's renderer over a tokenizer that no other thread uses."""
    from vllm.renderers.registry import RENDERER_REGISTRY
    from vllm.tokenizers.registry import get_tokenizer, tokenizer_args_from_config

    limit_templates()
    model = config.model_config
    mode, *_ = tokenizer_args_from_config(model)
    tokenizer = get_tokenizer(
        model.tokenizer,
        runner_type=model.runner_type,
        tokenizer_mode=model.tokenizer_mode,
        revision=model.tokenizer_revision,
        trust_remote_code=False,
    )
    return RENDERER_REGISTRY.load_renderer(mode, config, tokenizer)


def _too_long(request_id: str, tokens: int, context: int) -> Failure:
    return Failure(
        Scope.REQUEST,
        f"This chat makes {tokens:,} tokens; the model reads {context:,}, its answer included. "
        "Shorten the message, or start a new chat.",
        code="prompt_too_long",
        request_id=request_id,
        remedies=(Remedy("Shorten the message", RemedyAction.SHORTEN_PROMPT),),
        prompt_tokens=tokens,
        context=context,
    )
