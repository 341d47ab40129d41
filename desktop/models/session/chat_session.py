"""One open chat: its path of messages, the answers on their way, its draft. No widgets.

A session lives as long as a tab shows it or an answer is on its way, so that closing
a tab never loses an answer: it goes on in the background and is saved.

The order of things that must hold: the user's message is committed before the engine
hears of it; streamed text reaches the store at least once a second and at the end.

`ChatSession` is what everybody else sees. What it does is done by its parts, which share
a `Conversation`: `Asking` and `AskingAgain` bring answers on their way, `Answering` has
them while they are, `Overflowing` decides what is too long, `Branching` changes the tree,
`Drafting` keeps what is typed. All but the last are made when they are first needed: a
window shows its first chat before it answers in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.chats.chat import (
    DEFAULT_TITLE,
    Attachment,
    Chat,
    Message,
    MessageStatus,
    OverflowPolicy,
    Role,
)
from desktop.chats.names import name_from
from desktop.models.notice import NoticeLevel
from desktop.models.session.conversation import PROMPT_TOO_LONG, TAKEN_BACK, Conversation
from desktop.models.session.drafting import Drafting
from desktop.models.session.session_services import SessionServices

if TYPE_CHECKING:
    from desktop.models.session.answering import Answering
    from desktop.models.session.asking import Asking
    from desktop.models.session.asking_again import AskingAgain
    from desktop.models.session.branching import Branching
    from desktop.models.session.overflow import Overflow, OverflowChoice
    from desktop.models.session.overflowing import Overflowing
    from engine.protocol import ChatMessage, Failure, Generate, StreamUpdate

__all__ = ["TAKEN_BACK", "ChatSession"]


class ChatSession(Conversation):
    """One chat that is open or being answered; its signals are `Conversation`'s."""

    def __init__(
        self, chat: Chat, services: SessionServices, parent: QObject | None = None
    ) -> None:
        super().__init__(chat, services, parent)
        self._drafting = Drafting(self)
        self.keeper.kept.connect(self._on_kept)
        self.keeper.failed.connect(self.notify_unsaved)
        self.keeper.recovered.connect(self._on_recovered)

    @cached_property
    def _answering(self) -> Answering:
        from desktop.models.session.answering import Answering

        return Answering(self, self._submit)

    @cached_property
    def _branching(self) -> Branching:
        from desktop.models.session.branching import Branching

        return Branching(self, self._answering)

    @cached_property
    def _asking(self) -> Asking:
        from desktop.models.session.asking import Asking

        return Asking(self, self._answering, self._drafting, self._branching, self._set_title)

    @cached_property
    def _asking_again(self) -> AskingAgain:
        from desktop.models.session.asking_again import AskingAgain

        return AskingAgain(self, self._answering, self._branching, self._asking.is_refused)

    @cached_property
    def _overflowing(self) -> Overflowing:
        from desktop.models.session.overflowing import Overflowing

        return Overflowing(self, self._answering, self._asking.take_back, self._remember_policy)

    # --- what it is ------------------------------------------------------------

    @property
    def draft(self) -> str:
        """What stands in the composer."""
        return self._drafting.text

    @property
    def draft_attachments(self) -> tuple[Attachment, ...]:
        """What is attached to the draft."""
        return self._drafting.attachments

    @property
    def draft_source(self) -> Callable[[], str] | None:
        """Tells what the composer holds, while there is one."""
        return self._drafting.source

    @draft_source.setter
    def draft_source(self, source: Callable[[], str] | None) -> None:
        self._drafting.source = source

    @property
    def attachments_source(self) -> Callable[[], Sequence[Attachment]] | None:
        """Tells what is attached in the composer, while there is one."""
        return self._drafting.attachments_source

    @attachments_source.setter
    def attachments_source(self, source: Callable[[], Sequence[Attachment]] | None) -> None:
        self._drafting.attachments_source = source

    @property
    def is_blank(self) -> bool:
        """Whether nothing was ever written here: such a chat need not be kept."""
        return (
            not self.path
            and not self.draft.strip()
            and not self.draft_attachments
            and not self.can_undo_delete
            and self.title == DEFAULT_TITLE
        )

    @property
    def overflow(self) -> Overflow | None:
        """The question that waits for `resolve_overflow`; a tab that opens late asks it."""
        return self._overflowing.open if self.answers else None

    @property
    def can_undo_delete(self) -> bool:
        """Whether a deleted message can be brought back."""
        return "_branching" in vars(self) and self._branching.can_undo

    def prompt_messages(
        self, draft: str, attachments: Sequence[Attachment] = ()
    ) -> tuple[ChatMessage, ...]:
        """What would be sent to the engine if `draft` were sent now."""
        from desktop.models.session.prompt import prompt_of

        last = self.path.last
        parent = last.id if last is not None else None
        asked = Message("", self.chat_id, parent, Role.USER, draft, attachments=tuple(attachments))
        return prompt_of(self.chat.system_prompt, (*self.messages, asked))

    # --- what the user does ----------------------------------------------------

    def send(self, text: str, attachments: Sequence[Attachment] = ()) -> bool:
        """Ask `text`. False, with a notice, if it cannot be sent: the text stays."""
        return self._asking.send(text, attachments)

    def edit(
        self, message_id: str, text: str, attachments: Sequence[Attachment] | None = None
    ) -> bool:
        """Put another wording beside a message; False, with a notice, if that cannot be.

        The user's own is asked anew, an answer is only reworded: nothing is generated.

        Args:
            attachments: None: those that the message has.
        """
        message = self.path.find(message_id)
        if message is None:
            return False
        if message.role is Role.USER:
            return self._asking.edit(
                message, text, message.attachments if attachments is None else attachments
            )
        if self._asking.is_refused():
            return False
        self._branching.reword(message, text)
        return True

    def retry(self, message_id: str) -> None:
        """Answer the same message anew, beside the old answer."""
        message = self.path.find(message_id)
        if message is not None:
            self._asking_again.answer_again(message)

    def answer_again_with(self, message_id: str, model: str) -> None:
        """Answer the same message by another model, beside the old answer; see `candidates`.

        Args:
            model: its folder; "": the window's own.
        """
        message = self.path.find(message_id)
        if message is not None:
            self._asking_again.answer_again(message, model)

    def continue_answer(self, message_id: str) -> None:
        """Go on with an answer that was interrupted, stopped or cut by its length."""
        message = self.path.find(message_id)
        if message is not None:
            self._asking_again.go_on(message)

    def answer_ways(self, message_id: str, count: int) -> None:
        """Answer the same message `count` times over, side by side; see `candidates`."""
        message = self.path.find(message_id)
        if message is not None:
            self._asking_again.answer_ways(message, count)

    def pick_candidate(self, message_id: str) -> None:
        """Go on with one of the candidates; the others stop, and stay as its siblings."""
        self._branching.pick(message_id)

    def step_sibling(self, message_id: str, by: int) -> None:
        """Show the branch of another sibling: -1 the one before, +1 the next."""
        self._branching.step(message_id, by)

    def show_branch(self, message_id: str) -> None:
        """Show the branch that a message stands on, wherever in the chat it is."""
        self._branching.show(message_id)

    def delete_message(self, message_id: str) -> None:
        """Take a message out; what hangs below it goes on. An answer on its way stops."""
        self._branching.delete(message_id)

    def undo_delete_message(self) -> None:
        """Bring back the message that was deleted last."""
        self._branching.undo_delete()

    def stop(self, message_id: str = "") -> None:
        """Stop the answers on their way, or one of them; what there is of it is kept."""
        for answer in tuple(self.answers.values()):
            if message_id and answer.id != message_id:
                continue
            self._answering.stop(answer)
            if answer.overflow is not None:
                self._overflowing.give_up()

    def resolve_overflow(self, choice: OverflowChoice, remember: bool = False) -> None:
        """Say what is to happen with a prompt that is too long.

        Args:
            remember: whether this chat does so from now on.
        """
        self._overflowing.resolve(choice, remember=remember)

    def set_parameters(self, parameters: dict[str, object]) -> None:
        """Give the chat these parameters, from its next answer on."""
        if parameters != self.chat.parameters and not self.is_deleted:
            self.chat = replace(self.chat, parameters=dict(parameters))
            self._store_settings()

    def set_system_prompt(self, text: str) -> None:
        """Give the chat this system prompt, from its next answer on."""
        if text != self.chat.system_prompt and not self.is_deleted:
            self.chat = replace(self.chat, system_prompt=text)
            self._store_settings()

    def set_model(self, folder: str) -> None:
        """Have the chat answered by this model from now on; "": by the window's own.

        What waits for the model it had goes to the new one; what is being written goes on.
        """
        old = self.chat.model
        if folder == old or self.is_deleted:
            return
        self.chat = replace(self.chat, model=folder)
        if self.chat_id:
            stored = self.services.store.set_chat(self.chat_id, model=folder)
            self.keeper.watch(stored, None, self.notify_unsaved)
        self.model_changed.emit()
        self.services.requests.redirect(self, old, folder)

    def touch_draft(self) -> None:
        """The composer's text changed: it is stored when the user pauses."""
        self._drafting.touch()

    def save_draft(self) -> None:
        """Store the draft now if it changed."""
        self._drafting.save()

    def rename(self, title: str) -> None:
        """Give the chat another title."""
        self.title_is_automatic = False
        self._set_title(title)

    def suggest_title(self, title: str, instead_of: str) -> None:
        """A better title than the one made of the first words, unless the user gave one."""
        if self.title_is_automatic and self.title == instead_of:
            self._set_title(title)

    # --- what the engine says ----------------------------------------------------

    def apply(self, update: StreamUpdate) -> None:
        """Take what the stream of one of this session's requests produced."""
        self._answering.apply(update)

    def fail(self, failure: Failure) -> None:
        """The engine refused or lost one of this session's requests."""
        answer = self._answering.of_request(failure.request_id)
        if answer is None:
            return
        if failure.code == PROMPT_TOO_LONG:
            self._overflowing.refused(answer, failure)
            return
        self._answering.end_text(answer)
        self._answering.finish(
            answer, status=MessageStatus.FAILED, error=failure.cause, statistics=answer.so_far()
        )

    def interrupt(self, request_id: str = "") -> None:
        """The engine or the window goes away: keep what there is, marked.

        Args:
            request_id: the one that was lost; "": all.
        """
        for answer in tuple(self.answers.values()):
            if request_id in ("", answer.request_id):
                self._answering.interrupt(answer)

    def abandon(self) -> None:
        """The chat goes to the bin: end the answers, and write nothing from here on."""
        for answer in tuple(self.answers.values()):
            self._answering.discard(answer)
        self.save_draft()
        self.is_deleted = True
        if "_branching" in vars(self):
            self._branching.stop()
        self.keeper.stop()

    def save_progress(self) -> None:
        """Store streamed text, and what could not be stored before."""
        if not self.is_deleted:
            self.keeper.try_again()
            if self.answers:
                self._answering.save_progress()

    # --- inside --------------------------------------------------------------------

    def _submit(self, request: Generate, model: str) -> None:
        self.services.requests.submit(self, request, model)

    def _set_title(self, title: str) -> None:
        title = name_from(title)
        if not title or title == self.title or self.is_deleted:
            return
        self.chat = replace(self.chat, title=title)
        self.renamed.emit(title)
        self.keeper.watch(
            self.services.store.rename_chat(self.chat_id, title),
            lambda _: self.committed.emit(),
            self.notify_unsaved,
        )

    def _store_settings(self) -> None:
        self.parameters_changed.emit()
        if self.chat_id:
            stored = self.services.store.set_chat(
                self.chat_id,
                system_prompt=self.chat.system_prompt,
                parameters=self.chat.parameters,
            )
            self.keeper.watch(stored, None, self.notify_unsaved)

    def _remember_policy(self, policy: OverflowPolicy) -> None:
        self.set_parameters({**self.chat.parameters, "overflow": policy.value})

    def _on_recovered(self) -> None:
        self.notify(NoticeLevel.HINT, "")

    def _on_kept(self) -> None:
        if not self.needs_saving:
            self.settled.emit()
