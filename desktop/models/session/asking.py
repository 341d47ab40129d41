"""All that brings an answer on its way, and what undoes that when it cannot be."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

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
from desktop.models.notice import NoticeLevel
from desktop.models.session.answer import Answer, Question
from desktop.models.session.chat_path import joined_by
from desktop.models.session.conversation import TAKEN_BACK

if TYPE_CHECKING:
    from desktop.models.session.answering import Answering
    from desktop.models.session.branching import Branching
    from desktop.models.session.conversation import Conversation
    from desktop.models.session.drafting import Drafting


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
        answer = new_answer(self._conversation, user.id)
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
        answer = new_answer(self._conversation, user.id)
        before = tuple(conversation.path)
        question = Question(user.id, text, user.attachments, before, edited=message.id)
        conversation.notify(NoticeLevel.HINT, "")
        self._answering.begin(Answer(answer, question))
        conversation.show_path([*conversation.path.ahead_of(message.id), user, answer])
        self._store_exchange(user, answer)
        self._drafting.store_again()  # which the exchange has cleared
        return True

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
        if not conversation.is_whole and not conversation.is_deleted:
            self._store.complete(conversation)
            conversation.notify(
                NoticeLevel.HINT,
                QCoreApplication.translate(
                    "ChatSession",
                    "The beginning of this chat is still being read. Send it again in a moment.",
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
            created=time.time(),
            attachments=tuple(attachments),
        )

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


def new_answer(conversation: Conversation, parent: str | None, model: str | None = None) -> Message:
    """An answer that waits to be asked for.

    Args:
        model: folder of the model that is to give it; None: the chat's.
    """
    folder = conversation.chat.model if model is None else model
    return Message(
        new_id(),
        conversation.chat_id,
        parent,
        Role.ASSISTANT,
        "",
        MessageStatus.QUEUED,
        model=conversation.services.requests.model_name(folder),
        created=time.time(),
    )
