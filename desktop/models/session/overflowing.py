"""What a session does when its prompt is longer than the model reads: never in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import MessageStatus, OverflowPolicy
from desktop.models.number_text import whole
from desktop.models.session.overflow import (
    Overflow,
    OverflowChoice,
    overflow_of,
    policy_of,
    without,
)

if TYPE_CHECKING:
    from desktop.models.session.answer import Answer
    from desktop.models.session.answering import Answering
    from desktop.models.session.conversation import Conversation
    from engine.protocol import Failure

_REMEMBERED = {
    OverflowChoice.DROP: OverflowPolicy.DROP_OLDEST,
    OverflowChoice.STOP: OverflowPolicy.STOP,
}


class Overflowing:
    """See the module.

    Args:
        take_back: undoes the question of an answer, for the reason given.
        remember: makes a policy the chat's own.
    """

    def __init__(
        self,
        conversation: Conversation,
        answering: Answering,
        take_back: Callable[[Answer, str], None],
        remember: Callable[[OverflowPolicy], None],
    ) -> None:
        self._conversation = conversation
        self._answering = answering
        self._take_back = take_back
        self._remember = remember

    @property
    def open(self) -> Overflow | None:
        """The question that waits for `resolve`."""
        waiting = self._waiting()
        return waiting[0].overflow if waiting else None

    def refused(self, answer: Answer, failure: Failure) -> None:
        """The engine says that the prompt of `answer` does not fit."""
        self._answering.withdraw(answer)
        assert answer.prompt is not None
        overflow = overflow_of(failure, answer.prompt, answer.reserve)
        policy = policy_of(
            self._conversation.chat.parameters,
            self._conversation.services.requests.default_overflow,
        )
        if overflow is None or answer.stop_requested:
            self._refuse(answer, self._counts(failure.prompt_tokens, failure.context, failure))
        elif overflow.can_drop and (answer.may_drop or policy is OverflowPolicy.DROP_OLDEST):
            self._drop(answer, overflow)
        elif policy is OverflowPolicy.STOP:
            self._refuse(answer, self._counts(overflow.prompt_tokens, overflow.context, failure))
        else:
            self._ask(answer, overflow)

    def resolve(self, choice: OverflowChoice, *, remember: bool = False) -> None:
        """What the user decided; of all answers that wait for it."""
        waiting = self._waiting()
        if not waiting:
            return
        if remember and choice in _REMEMBERED:
            self._remember(_REMEMBERED[choice])
        for answer in waiting:
            overflow, answer.overflow = answer.overflow, None
            assert overflow is not None
            assert answer.prompt is not None
            if choice is OverflowChoice.DROP and overflow.can_drop:
                self._drop(answer, overflow)
            elif choice is OverflowChoice.SEND_ANYWAY and overflow.can_send_anyway:
                self._answering.send(answer, answer.prompt, reserve=1)
            else:
                self._refuse(answer, self._counts(overflow.prompt_tokens, overflow.context))
        self._conversation.overflow_settled.emit()

    def give_up(self) -> None:
        """The user stops the answers that wait."""
        self.resolve(OverflowChoice.STOP)

    def _waiting(self) -> list[Answer]:
        return [a for a in self._conversation.answers.values() if a.overflow is not None]

    def _ask(self, answer: Answer, overflow: Overflow) -> None:
        is_open = self.open is not None
        answer.overflow = overflow
        self._conversation.set_waiting(None)
        if not is_open:  # one question for all answers to the same prompt
            self._conversation.overflowed.emit(overflow)

    def _drop(self, answer: Answer, overflow: Overflow) -> None:
        assert answer.prompt is not None
        answer.may_drop = True
        answer.dropped += len(overflow.dropped)
        self._answering.send(answer, without(answer.prompt, overflow), answer.reserve)

    def _refuse(self, answer: Answer, reason: str) -> None:
        if answer.question is not None:
            self._take_back(answer, reason)
        elif answer.stop_requested:
            self._answering.finish(answer, status=MessageStatus.STOPPED)
        else:
            self._answering.finish(answer, status=MessageStatus.FAILED, error=reason)

    def _counts(
        self, prompt_tokens: int | None, context: int | None, failure: Failure | None = None
    ) -> str:
        if prompt_tokens is None or context is None:
            return failure.cause if failure is not None else ""
        if prompt_tokens < context:
            return QCoreApplication.translate(
                "ChatSession",
                "Your message makes {prompt} tokens with this chat; the model reads {context}, "
                "which leaves too little room for an answer. Shorten it, or begin a new chat.",
            ).format(prompt=whole(prompt_tokens), context=whole(context))
        return QCoreApplication.translate(
            "ChatSession",
            "Your message makes {prompt} tokens with this chat; the model reads {context}. "
            "Shorten it, or begin a new chat.",
        ).format(prompt=whole(prompt_tokens), context=whole(context))
