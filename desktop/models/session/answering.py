"""The answers of one session that are on their way: asked for, streamed, ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import Message, MessageStatus, new_id
from desktop.models.session.answer import STATUS_OF, Answer
from desktop.models.session.prompt import Prompt, build_prompt, reserve_for, sampling_of
from desktop.models.session.stream_buffer import thought_key
from engine.protocol import FinishReason, Generate, Sampling, StreamUpdate

if TYPE_CHECKING:
    from desktop.models.session.conversation import Conversation


class Answering:
    """See the module.

    Args:
        submit: sends a request to the engine of a model, given by its folder.
    """

    def __init__(self, conversation: Conversation, submit: Callable[[Generate, str], None]) -> None:
        self._conversation = conversation
        self._services = conversation.services
        self._submit = submit
        self._asked: dict[str, Answer] = {}  # by request
        self._services.buffer.frame.connect(self._on_frame)

    # --- begin -------------------------------------------------------------------

    def begin(self, answer: Answer) -> None:
        """An answer is on its way, to be asked for once it is stored."""
        self._conversation.answers[answer.id] = answer

    def ask(self, answer: Answer) -> None:
        """Everything is committed: send the request."""
        if self._conversation.answers.get(answer.id) is not answer:
            return  # deleted since, or the chat was
        if answer.stop_requested:
            self.finish(answer, status=MessageStatus.STOPPED)
            return
        chat, path = self._conversation.chat, self._conversation.path
        if (answer.id if answer.goes_on else answer.message.parent_id) not in path:
            self.interrupt(answer)  # what it answers was taken from under it
            return
        until = path.until(answer.id) if answer.goes_on else path.until(answer.message.parent_id)
        unfinished = answer.unfinished if answer.goes_on else None
        self.send(answer, build_prompt(chat.system_prompt, until, unfinished))

    def send(self, answer: Answer, prompt: Prompt, reserve: int | None = None) -> None:
        """Send `prompt` for `answer`; `reserve`: room it must leave, in tokens."""
        requests = self._services.requests
        sampling = self._sampling_of(answer)
        if reserve is None:
            loaded = requests.loaded(self._model_of(answer))
            context = loaded.context if loaded is not None else None
            reserve = reserve_for(sampling.max_tokens, context)
        answer.prompt, answer.reserve, answer.overflow = prompt, reserve, None
        answer.request_id = new_id()
        self._asked[answer.request_id] = answer
        self._submit(
            Generate(
                answer.request_id,
                prompt.turns,
                sampling,
                chat_id=self._conversation.chat_id,
                priority=requests.priority_of(self._conversation.chat_id),
                continue_final=answer.goes_on,
                reserve=reserve,
            ),
            self._model_of(answer),
        )

    # --- what the engine says ------------------------------------------------------

    def of_request(self, request_id: str) -> Answer | None:
        """The answer that a request is for."""
        return self._asked.get(request_id)

    def withdraw(self, answer: Answer) -> None:
        """The engine refused the request; another one may follow."""
        self._asked.pop(answer.request_id, None)
        answer.request_id = ""

    def apply(self, update: StreamUpdate) -> None:
        """Take what the stream of a request produced."""
        answer = self._asked.get(update.request_id)
        if answer is None:
            return
        if not answer.run:
            answer.run = self._run_facts(answer)
            self._note_model(answer)
        if update.opens_reasoning:
            answer.open_reasoning(update.opens_reasoning)
        if update.running and answer.message.status is MessageStatus.QUEUED:
            self._settle(answer, status=MessageStatus.RUNNING)
        answer.tokens += update.tokens
        if update.text:
            if answer.message.status is not MessageStatus.STREAMING:
                self._settle(answer, status=MessageStatus.STREAMING)
            reasoning, content, thought_ended = answer.take(update.text)
            self._pass_on(thought_key(answer.id), reasoning)
            if thought_ended:  # its time can be shown now
                self._settle(answer, statistics=answer.so_far())
            self._pass_on(answer.id, content)
        if update.finish is not None:
            finish = update.finish
            error = ""
            if finish.reason is FinishReason.FAILED:
                error = QCoreApplication.translate(
                    "ChatSession", "The engine could not finish this answer. Try again."
                )
            self.end_text(answer)
            self.finish(
                answer,
                status=STATUS_OF[finish.reason],
                error=error,
                statistics=answer.final(finish),
            )

    def interrupt(self, answer: Answer) -> None:
        """The engine or the window goes away: keep what there is, marked."""
        self.end_text(answer)
        self.finish(answer, status=MessageStatus.INTERRUPTED, statistics=answer.so_far())

    # --- the end ---------------------------------------------------------------------

    def stop(self, answer: Answer) -> None:
        """Stop it; what there is of it is kept."""
        answer.stop_requested = True
        if answer.request_id:
            self._services.requests.cancel(answer.request_id)

    def discard(self, answer: Answer) -> Message:
        """Stop it at once, whatever the engine still says: its message is being deleted."""
        if answer.request_id:
            self._services.requests.cancel(answer.request_id)
        self.end_text(answer)
        self.finish(answer, status=MessageStatus.STOPPED, statistics=answer.so_far())
        return answer.message

    def end_text(self, answer: Answer) -> None:
        """No more text comes: show what was held back."""
        reasoning, content = answer.end_text()
        self._pass_on(thought_key(answer.id), reasoning)
        self._pass_on(answer.id, content)

    def finish(self, answer: Answer, **changes: object) -> None:
        """End it with these changes of its message, and store that."""
        self._settle(answer, **changes)
        self.drop(answer)
        self._conversation.keeper.store(answer.message)
        self._conversation.answer_ended.emit(answer.message)

    def drop(self, answer: Answer) -> None:
        """It is not on its way any more; nothing is stored."""
        conversation = self._conversation
        self._asked.pop(answer.request_id, None)
        for key in (answer.id, thought_key(answer.id)):
            self._services.buffer.discard(key)
        if conversation.answers.get(answer.id) is answer:
            del conversation.answers[answer.id]
        asked, answer.overflow = answer.overflow, None
        if asked is not None and not any(a.overflow for a in conversation.answers.values()):
            conversation.overflow_settled.emit()
        conversation.update_state()
        if not conversation.answers:
            conversation.set_waiting(None)
            conversation.finished.emit()

    def save_progress(self) -> None:
        """Store what streamed, with its count, so that a kill -9 leaves both right."""
        for answer in self._conversation.answers.values():
            if answer.unsaved:
                answer.unsaved = False
                message = answer.live(answer.message)
                self._conversation.keeper.store(replace(message, statistics=answer.so_far()))

    # --- inside -----------------------------------------------------------------------

    def _settle(self, answer: Answer, **changes: object) -> None:
        """Show all text so far, then the message with `changes`."""
        buffer = self._services.buffer
        thought = buffer.flush(thought_key(answer.id))
        self._conversation.tell(answer.id, thought, buffer.flush(answer.id))
        self._conversation.show(answer.settled(**changes))

    def _pass_on(self, key: str, text: str) -> None:
        self._services.buffer.append(key, text, seen=self._conversation.is_watched)

    def _on_frame(self, frame: dict[str, str]) -> None:
        for message_id in tuple(self._conversation.answers):
            thought = frame.get(thought_key(message_id), "")
            text = frame.get(message_id, "")
            if thought or text:  # a frame goes to every chat and is for a few of them
                self._conversation.tell(message_id, thought, text)

    def _model_of(self, answer: Answer) -> str:
        """Folder of the model that is to give it; "": the window's own."""
        return self._conversation.chat.model if answer.model is None else answer.model

    def _note_model(self, answer: Answer) -> None:
        """Another model than the one it was asked of may give it, after a wait."""
        name = self._services.requests.model_name(self._model_of(answer))
        if name and name != answer.message.model:
            self._settle(answer, model=name)
            stored = self._services.store.update_message(answer.id, model=name)
            self._conversation.keeper.watch(stored)

    def _sampling_of(self, answer: Answer) -> Sampling:
        sampling = sampling_of(self._conversation.chat.parameters)
        if answer.seed is not None:
            sampling = msgspec.structs.replace(sampling, seed=answer.seed)
        return sampling

    def _run_facts(self, answer: Answer) -> dict[str, object]:
        """What it takes to make this answer again; see `desktop.chats.run_card`."""
        model = self._model_of(answer)
        loaded = self._services.requests.loaded(model)
        if loaded is None:
            return {}
        sampling = {
            **_given(loaded.default_sampling),
            **_given(self._sampling_of(answer)),
        }
        return {
            "model": self._services.requests.model_name(model),
            "engine_version": loaded.engine_version,
            "quantization": loaded.quantization,
            "dtype": loaded.dtype,
            "device": loaded.device,
            "template_hash": loaded.template_hash,
            "context": loaded.context,
            "seed": sampling.pop("seed", None),
            "sampling": sampling,
        }


def _given(sampling: Sampling) -> dict[str, object]:
    """What is set of `sampling`, as JSON knows it."""
    values: dict[str, object] = msgspec.json.decode(msgspec.json.encode(sampling))
    return values
