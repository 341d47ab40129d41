"""From a chat to a prompt: vLLM's renderer over a tokenizer that the engine does not use.

A fast Hugging Face tokenizer that two threads *change* raises "Already borrowed"; here
nothing changes it, so that several threads may render and tokenize at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.protocol import ChatMessage
from engine.reasoning_tags import opened_by_template
from engine.segments import Segments, segments_of
from engine.template_guard import Watcher, limit_templates


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """A rendered chat. `text` is None where the renderer gave `ids` at once."""

    ids: list[int]
    text: str | None
    opens_reasoning: str


@dataclass(frozen=True, slots=True)
class Turn:
    """How the prompt ends: see `engine.protocol.Generate`."""

    continue_final: bool = False
    thinking: bool | None = None


class ChatPrompts:
    """Renders and tokenizes chats. Made and used off the stepping thread.

    `template`: the text of a chat template in the place of the model's own.
    """

    def __init__(self, vllm_config: Any, template: str | None = None) -> None:
        from vllm.renderers.params import TokenizeParams

        self._renderer = _own_renderer(vllm_config)
        self._template = template
        self._model_config = vllm_config.model_config
        self.tokenizer: Any = self._renderer.get_tokenizer()
        self.segments: Segments | None = segments_of(self.tokenizer)
        self._whole = TokenizeParams(max_total_tokens=None, add_special_tokens=False)
        self._whole_lock = threading.Lock()
        self._watchers = threading.local()

    def warm_up(self) -> None:
        """Compile the template: the first rendering takes half a second."""
        with contextlib.suppress(Exception):  # a bad template is reported by the first chat
            self.prompt((ChatMessage("user", "Hello"),), Turn())

    @property
    def template_hash(self) -> str:
        """The first 16 hex digits of the chat template's sha256; "" without one."""
        template = self._template or getattr(self.tokenizer, "chat_template", None)
        if isinstance(template, dict):
            template = template.get("default")
        return hashlib.sha256(template.encode()).hexdigest()[:16] if template else ""

    def prompt(
        self,
        messages: Sequence[ChatMessage],
        turn: Turn,
        check: Callable[[], None] = lambda: None,
    ) -> ChatPrompt:
        """The token ids of a chat. `check` is called now and then; what it raises ends it.

        Raises:
            Exception: what the template or the renderer raises.
        """
        text, ids = self._render(messages, turn)
        if text is None:
            return ChatPrompt(ids, None, "")
        opens = ""
        if not turn.continue_final:
            opens = opened_by_template(
                text, lambda: self._render(messages, turn, bare=True)[0] or ""
            )
        return ChatPrompt(self._ids(text, check), text, opens)

    def count(
        self,
        messages: Sequence[ChatMessage],
        turn: Turn,
        check: Callable[[], None] = lambda: None,
    ) -> int:
        """How many tokens `prompt` would give."""
        text, ids = self._render(messages, turn)
        if text is None:
            return len(ids)
        if self.segments is None:
            return len(self._ids(text, check))
        return self.segments.count(text, check)

    def engine_input(self, prompt: ChatPrompt) -> Any:
        """What vLLM's `add_request` takes."""
        from vllm.inputs import TokensPrompt

        tokens = TokensPrompt(prompt_token_ids=prompt.ids)
        if prompt.text is not None:
            tokens["prompt"] = prompt.text
        return self._renderer.process_for_engine(tokens, time.time(), tok_params=self._whole)

    def _render(
        self, messages: Sequence[ChatMessage], turn: Turn, *, bare: bool = False
    ) -> tuple[str | None, list[int]]:
        """The text, or the ids; `bare`: without the beginning of the answer."""
        from vllm.renderers import ChatParams

        arguments: dict[str, Any] = {
            "add_generation_prompt": not (turn.continue_final or bare),
            "continue_final_message": turn.continue_final,
            "tokenize": False,
        }
        if turn.thinking is not None:
            # vLLM passes on only those that the template mentions.
            arguments |= {"enable_thinking": turn.thinking, "thinking": turn.thinking}
        conversation: Any = [{"role": m.role, "content": m.content} for m in messages]
        with self._watcher():
            _, prompt = self._renderer.render_messages(
                conversation,
                ChatParams(chat_template=self._template, chat_template_kwargs=arguments),
            )
        if "prompt_token_ids" in prompt:
            return None, list(prompt["prompt_token_ids"])
        return str(prompt["prompt"]), []

    def _ids(self, text: str, check: Callable[[], None]) -> list[int]:
        if self.segments is not None:
            return self.segments.ids(text, check)
        with self._whole_lock:
            tokens = self._renderer.tokenize_prompt({"prompt": text}, self._whole)
        return list(tokens["prompt_token_ids"])

    def _watcher(self) -> Watcher:
        """One for each thread: it stops the thread that made it."""
        if not hasattr(self._watchers, "one"):
            self._watchers.one = Watcher()
        watcher: Watcher = self._watchers.one
        return watcher


def read_template(path: str | None) -> str | None:
    """The chat template in the file at `path`; None for none.

    Raises:
        OSError: it cannot be read. ValueError: it is not text.
    """
    return Path(path).read_text("utf-8") if path else None


def _own_renderer(config: Any) -> Any:
    """VLLM's renderer over a tokenizer that no other part of vLLM uses."""
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
