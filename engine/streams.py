"""One answer under way, as the backend counts it. Pure: no vLLM, times are given."""

from __future__ import annotations

from dataclasses import dataclass

from engine.protocol import Finish, FinishReason, Generate


@dataclass(slots=True)
class Stream:
    """Times are `time.monotonic()` readings, lengths are tokens."""

    request: Generate
    received: float
    internal_id: str = ""  # vLLM's own, once it is added
    prompt_tokens: int = 0
    running_since: float | None = None
    first: float | None = None
    last: float | None = None
    completion_tokens: int = 0
    cached_tokens: int = 0
    preemptions: int = 0

    def produced(self, tokens: int, now: float) -> bool:
        """Count new tokens; whether they were the first."""
        self.completion_tokens += tokens
        if tokens:
            self.last = now
        if self.first is None and tokens:
            self.first = now
            return True
        return False

    def reason(self, vllm_reason: str | None, context: int) -> FinishReason:
        """Why it ended, from vLLM's word for it: a full context is not a met limit."""
        if vllm_reason == "length":
            full = self.prompt_tokens + self.completion_tokens >= context
            return FinishReason.CONTEXT if full else FinishReason.LENGTH
        known = {"stop": FinishReason.STOP, "abort": FinishReason.CANCELLED}
        return known.get(vllm_reason or "", FinishReason.FAILED)

    def finish(
        self, reason: FinishReason, now: float, block_size: int, stop_string: str = ""
    ) -> Finish:
        """What it cost. KV blocks are those of full attention, the last token's slot not used."""
        # The last sampled token is never fed back, so it takes no KV slot.
        slots = self.prompt_tokens + max(0, self.completion_tokens - 1)
        decoding = now - self.first if self.first is not None else 0.0
        decoded = self.completion_tokens - 1
        return Finish(
            reason,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            seconds=now - self.received,
            ttft=self.first - self.received if self.first is not None else None,
            queued=(self.running_since or now) - self.received,
            cached_tokens=self.cached_tokens,
            kv_blocks=-(-slots // block_size) if self.first is not None else 0,
            decode_tps=decoded / decoding if decoded > 0 and decoding > 0 else None,
            stop_string=stop_string,
        )
