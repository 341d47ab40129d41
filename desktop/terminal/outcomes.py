"""How an answer that has ended is told to a terminal."""

from __future__ import annotations

from desktop.chats.chat import Message, MessageStatus, Statistics
from desktop.terminal.events import Done, ExitCode, Failed
from engine.protocol import FinishReason


def outcome_of(message: Message, *, cancelled: bool, model: str, chat_id: str) -> Done | Failed:
    """The last event of a question.

    Args:
        cancelled: the user stopped it.
        chat_id: of the chat, if that is kept.
    """
    match message.status:
        case MessageStatus.FAILED:
            text = message.error or "The engine could not finish this answer. Try again."
            return failed_with(message, "request_failed", text)
        case MessageStatus.INTERRUPTED if not cancelled:
            text = (
                "The engine stopped in the middle of the answer. What there is of it is kept; "
                "ask again, or go on with --last."
            )
            return failed_with(message, "interrupted", text)
    costs = message.statistics or Statistics()
    stopped = message.status in (MessageStatus.STOPPED, MessageStatus.INTERRUPTED)
    return Done(
        answer=message.content,
        tokens=costs.completion_tokens,
        prompt_tokens=costs.prompt_tokens,
        cached_tokens=costs.cached_tokens,
        tokens_per_second=costs.decode_tps,
        ttft=costs.ttft,
        seconds=costs.seconds,
        kv_blocks=costs.kv_blocks,
        finish_reason=FinishReason.CANCELLED.value if stopped else costs.finish_reason,
        model=model,
        chat_id=chat_id,
        reasoning=message.reasoning,
    )


def failed_with(
    message: Message, code: str, text: str, exit_code: ExitCode = ExitCode.FAILED
) -> Failed:
    """An answer that is not whole, with what there is of it."""
    return Failed(int(exit_code), code, text, answer=message.content, reasoning=message.reasoning)
