"""Answers to what was asked already: gone on with, made anew, made several ways."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop.chats.chat import Message, MessageStatus, Role
from desktop.models.session.answer import Answer
from desktop.models.session.asking import new_answer
from desktop.models.session.chat_path import joined_by
from desktop.models.session.prompt import sampling_of

if TYPE_CHECKING:
    from desktop.models.session.answering import Answering
    from desktop.models.session.branching import Branching
    from desktop.models.session.conversation import Conversation


class AskingAgain:
    """See the module.

    Args:
        is_refused: whether nothing can be asked now; it tells the user why.
    """

    def __init__(
        self,
        conversation: Conversation,
        answering: Answering,
        branching: Branching,
        is_refused: Callable[[], bool],
    ) -> None:
        self._conversation = conversation
        self._answering = answering
        self._branching = branching
        self._is_refused = is_refused

    def go_on(self, message: Message) -> None:
        """Go on with an answer that was interrupted, stopped or cut by its length."""
        conversation = self._conversation
        last = conversation.path.last
        if last is None or last.id != message.id or message.role is not Role.ASSISTANT:
            return
        if self._is_refused():
            return
        conversation.set_candidates(())
        queued = replace(message, status=MessageStatus.QUEUED, error="")
        answer = Answer(queued, goes_on=bool(message.content or message.reasoning))
        self._answering.begin(answer)
        conversation.show(queued)
        stored = conversation.services.store.update_message(
            message.id, status=MessageStatus.QUEUED, error=""
        )

        def failed(error: Exception) -> None:
            self._answering.drop(answer)
            conversation.show(message)
            conversation.notify_unsaved(error)

        conversation.keeper.watch(stored, lambda _: self._answering.ask(answer), failed)

    def answer_again(self, message: Message, model: str | None = None) -> None:
        """Answer the same message anew, beside the old answer.

        Args:
            model: folder of the model that is to do it: the two answers stand side by side
                then. None: the chat's.
        """
        if message.role is not Role.ASSISTANT or self._is_refused():
            return
        conversation = self._conversation
        conversation.set_candidates(())
        shown = new_answer(conversation, message.parent_id, model)
        shown = replace(shown, siblings=joined_by(message, shown.id))
        answer = Answer(shown, model=model)
        before = self._begin_beside(message, [answer])
        if model is not None:
            old = replace(message, siblings=shown.siblings)
            conversation.set_candidates([answer.message, old])
        stored = conversation.services.store.add_message(
            conversation.chat_id,
            shown.parent_id,
            Role.ASSISTANT,
            "",
            status=MessageStatus.QUEUED,
            model=shown.model,
            message_id=shown.id,
        )
        self._watch_beside([answer], before, stored)

    def answer_ways(self, message: Message, count: int) -> None:
        """Answer a message `count` times over, side by side.

        All requests leave together: the engine reads their common prompt once. With a seed
        of the chat's own each way gets the next one, or all would be the same.
        """
        if count < 1 or self._is_refused():
            return
        conversation = self._conversation
        if message.role is Role.USER:
            answers = self._answers_below(message)
            parent_id: str | None = message.id
            siblings = joined_by(answers[0]) if answers else ()
        else:
            parent_id, siblings = message.parent_id, joined_by(message)
        if parent_id is None:
            return  # an answer without a question
        seed = sampling_of(conversation.chat.parameters).seed
        made = [new_answer(conversation, parent_id) for _ in range(count)]
        siblings = (*siblings, *(one.id for one in made))
        ways = [
            Answer(
                replace(one, siblings=siblings if len(siblings) > 1 else ()),
                seed=None if seed is None else seed + index,
            )
            for index, one in enumerate(made)
        ]
        before = self._begin_beside(message, ways)
        conversation.set_candidates([way.message for way in ways] if count > 1 else ())
        stored = conversation.services.store.add_answers(
            conversation.chat_id, parent_id, [one.id for one in made], model=made[0].model
        )
        self._watch_beside(ways, before, stored)

    # --- inside ------------------------------------------------------------------------

    def _answers_below(self, message: Message) -> list[Message]:
        """The answer to `message` that is shown."""
        path = list(self._conversation.path)
        place = path.index(message)
        return path[place + 1 : place + 2]

    def _begin_beside(self, message: Message, answers: list[Answer]) -> list[Message]:
        """Show the first of `answers` in the place of `message`, or below the user's.

        Returns the path as it was before.
        """
        conversation = self._conversation
        for answer in answers:
            self._answering.begin(answer)
        if message.role is Role.USER:
            ahead = conversation.path.until(message.id)
        else:
            ahead = conversation.path.ahead_of(message.id)
        before = list(conversation.path)
        conversation.show_path([*ahead, answers[0].message])
        return before

    def _watch_beside(
        self, answers: list[Answer], before: list[Message], stored: Future[Any]
    ) -> None:
        conversation = self._conversation
        generation = conversation.path.generation

        def done(result: object) -> None:
            for message in result if isinstance(result, tuple) else (result,):
                conversation.place(message)
            conversation.committed.emit()
            for answer in answers:
                self._answering.ask(answer)

        def failed(error: Exception) -> None:
            conversation.set_candidates(())
            for answer in answers:
                self._answering.drop(answer)
            if conversation.path.generation == generation:
                conversation.show_path(before)
            else:
                self._branching.reload()
            conversation.notify_unsaved(error)

        conversation.keeper.watch(stored, done, failed)
