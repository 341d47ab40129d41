"""All that brings an answer on its way, and what undoes that when it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import (
    DEFAULT_TITLE,
    Attachment,
    Message,
    MessageStatus,
    Role,
    new_id,
    title_from,
)
from desktop.models.answer import Answer, Question
from desktop.models.chat_path import joined_by
from desktop.models.conversation import TAKEN_BACK
from desktop.models.notice import NoticeLevel
from desktop.models.prompt import sampling_of

if TYPE_CHECKING:
    from desktop.models.answering import Answering
    from desktop.models.branching import Branching
    from desktop.models.conversation import Conversation
    from desktop.models.drafting import Drafting


class Asking:
    """See the module.

    Args:
        set_title: gives the chat a title made of its first message.
    """

    def __init__(
        self,
        conversation: Conversation,
        answering: Answering,
        drafting: Drafting,
        branching: Branching,
        set_title: Callable[[str], None],
    ) -> None:
        self._conversation = conversation
        self._answering = answering
        self._drafting = drafting
        self._branching = branching
        self._set_title = set_title
        self._store = conversation.services.requests

    # --- what the user does ------------------------------------------------------

    def send(self, text: str, attachments: Sequence[Attachment]) -> bool:
        """Ask `text` at the end of the path. False, with a notice, if it cannot be sent."""
        conversation = self._conversation
        if not text.strip() and not attachments:
            conversation.notify(
                NoticeLevel.HINT,
                QCoreApplication.translate("ChatSession", "Write a message first, then send it."),
            )
            return False
        if self.is_refused():
            return False
        conversation.set_candidates(())  # writing on from the first is picking it
        last = conversation.path.last
        parent = last.id if last is not None else None
        user = self._user_message(parent, text, attachments)
        answer = self._answer_message(user.id)
        question = Question(user.id, text, user.attachments, before=tuple(conversation.path))
        self._drafting.cleared()
        conversation.notify(NoticeLevel.HINT, "")
        self._answering.begin(Answer(answer, question))
        conversation.add(user, answer)
        self._store_exchange(user, answer)
        return True

    def edit(self, message: Message, text: str, attachments: Sequence[Attachment]) -> bool:
        """Ask `text` in the place of a message of the user's: a branch with a new answer."""
        conversation = self._conversation
        if not text.strip() and not attachments:
            conversation.notify(
                NoticeLevel.HINT,
                QCoreApplication.translate(
                    "ChatSession", "A message cannot be empty. Delete it instead."
                ),
            )
            return False
        if self.is_refused():
            return False
        conversation.set_candidates(())
        user = self._user_message(message.parent_id, text, attachments)
        user = replace(user, siblings=joined_by(message, user.id))
        answer = self._answer_message(user.id)
        before = tuple(conversation.path)
        question = Question(user.id, text, user.attachments, before, edited=message.id)
        conversation.notify(NoticeLevel.HINT, "")
        self._answering.begin(Answer(answer, question))
        conversation.show_path([*conversation.path.ahead_of(message.id), user, answer])
        self._store_exchange(user, answer)
        self._drafting.store_again()  # which the exchange has cleared
        return True

    def go_on(self, message: Message) -> None:
        """Go on with an answer that was interrupted, stopped or cut by its length."""
        conversation = self._conversation
        last = conversation.path.last
        if last is None or last.id != message.id or message.role is not Role.ASSISTANT:
            return
        if self.is_refused():
            return
        conversation.set_candidates(())
        queued = replace(message, status=MessageStatus.QUEUED, error="")
        answer = Answer(queued, goes_on=bool(message.content or message.reasoning))
        self._answering.begin(answer)
        conversation.show(queued)
        stored = self._store.store.update_message(message.id, status=MessageStatus.QUEUED, error="")

        def failed(error: Exception) -> None:
            self._answering.drop(answer)
            conversation.show(message)
            conversation.notify_unsaved(error)

        conversation.keeper.watch(stored, lambda _: self._answering.ask(answer), failed)

    def answer_again(self, message: Message) -> None:
        """Answer the same message anew, beside the old answer."""
        if message.role is not Role.ASSISTANT or self.is_refused():
            return
        conversation = self._conversation
        conversation.set_candidates(())
        shown = self._answer_message(message.parent_id)
        shown = replace(shown, siblings=joined_by(message, shown.id))
        answer = Answer(shown)
        before = self._begin_beside(message, [answer])
        stored = self._store.store.add_message(
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
        if count < 1 or self.is_refused():
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
        made = [self._answer_message(parent_id) for _ in range(count)]
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
        stored = self._store.store.add_answers(
            conversation.chat_id, parent_id, [one.id for one in made], model=made[0].model
        )
        self._watch_beside(ways, before, stored)

    def is_refused(self) -> bool:
        """Whether nothing can be asked now; a notice says why."""
        conversation = self._conversation
        if any(
            not answer.stop_requested or answer.id in conversation.path
            for answer in conversation.answers.values()
        ):
            conversation.notify(
                NoticeLevel.HINT,
                QCoreApplication.translate(
                    "ChatSession",
                    "The answer is still on its way. Stop it first, or wait for its end.",
                ),
            )
            return True
        if self._branching.is_busy:
            conversation.notify(
                NoticeLevel.HINT,
                QCoreApplication.translate(
                    "ChatSession", "The chat is still being changed. Send it again in a moment."
                ),
            )
            return True
        refusal = self._store.refusal()
        if refusal:
            conversation.notify(NoticeLevel.ERROR, refusal, "store")
        return bool(refusal) or conversation.is_deleted

    # --- and what undoes it ----------------------------------------------------------

    def take_back(self, answer: Answer, reason: str, *, stored: bool = True) -> None:
        """Undo a question: its text goes back to the composer, before what is there now.

        Args:
            stored: whether the store has it.
        """
        question = answer.question
        if question is None:
            return
        conversation = self._conversation
        gone = (answer.id, question.message_id)
        if question.edited and answer.id in conversation.path:
            path = list(question.before)
        else:
            path = conversation.path.without(*gone)
        for message_id in gone:
            conversation.keeper.forget(message_id)
        self._answering.drop(answer)
        conversation.show_path(path)
        if stored:
            self._branching.remove_exchange(*gone, show=question.edited)
        self._drafting.give_back(question.text, question.attachments)
        conversation.notify(NoticeLevel.ERROR, reason, TAKEN_BACK)

    # --- inside ------------------------------------------------------------------------

    def _user_message(
        self, parent: str | None, text: str, attachments: Sequence[Attachment]
    ) -> Message:
        return Message(
            new_id(),
            self._conversation.chat_id,
            parent,
            Role.USER,
            text,
            attachments=tuple(attachments),
        )

    def _answer_message(self, parent: str | None) -> Message:
        return Message(
            new_id(),
            self._conversation.chat_id,
            parent,
            Role.ASSISTANT,
            "",
            MessageStatus.QUEUED,
            model=self._store.model_name(),
        )

    def _answers_below(self, message: Message) -> list[Message]:
        """The answer to `message` that is shown."""
        path = list(self._conversation.path)
        place = path.index(message)
        return path[place + 1 : place + 2]

    def _store_exchange(self, user: Message, answer: Message) -> None:
        attachments = {"attachments": user.attachments} if user.attachments else {}
        stored = self._store.store.add_exchange(
            self._conversation.chat_id,
            user.parent_id,
            user.content,
            model=answer.model,
            user_id=user.id,
            answer_id=answer.id,
            **attachments,
        )
        self._conversation.keeper.watch(
            stored,
            self._on_exchange_stored,
            lambda error: self._on_exchange_failed(answer.id, error),
        )

    def _on_exchange_stored(self, stored: tuple[Message, Message]) -> None:
        conversation = self._conversation
        for message in stored:
            conversation.place(message)
        answer = conversation.answers.get(stored[1].id)
        if answer is None or conversation.is_deleted:
            return
        if conversation.title == DEFAULT_TITLE and len(conversation.path) == 2:
            conversation.title_is_automatic = True
            self._set_title(title_from(stored[0].content or self._named_by(stored[0])))
        conversation.committed.emit()
        self._answering.ask(answer)

    def _named_by(self, user: Message) -> str:
        """What a chat is about that begins with files alone."""
        shown = self._conversation.path.find(user.id)
        return ", ".join(one.name for one in shown.attachments) if shown is not None else ""

    def _on_exchange_failed(self, answer_id: str, error: Exception) -> None:
        answer = self._conversation.answers.get(answer_id)
        if answer is None:
            return
        reason = QCoreApplication.translate(
            "ChatSession", "Your message was not sent, because it could not be saved: {reason}"
        ).format(reason=error)
        self.take_back(answer, reason, stored=False)

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
