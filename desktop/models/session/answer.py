"""One answer on its way: its text and its reasoning so far, and what it cost. No Qt."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from desktop.chats.chat import Attachment, Message, MessageStatus, Statistics
from desktop.chats.reasoning import DEFAULT_TAG, ReasoningSplitter, reopened
from desktop.models.session.overflow import Overflow
from desktop.models.session.prompt import Prompt
from engine.protocol import Finish, FinishReason

REASONING_TAG = "reasoning_tag"  # in `Statistics.run`: what an answer that goes on reopens


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked together with an answer, so that both can be taken back.

    Attributes:
        before: the path before it was asked.
        edited: id of the message it is another wording of; "": it is a new one.
    """

    message_id: str
    text: str
    attachments: tuple[Attachment, ...] = ()
    before: tuple[Message, ...] = ()
    edited: str = ""


@dataclass(slots=True)
class Answer:
    """An answer that is not finished.

    Attributes:
        message: as last shown; its text lags behind `text` and `reasoning`.
        question: what it answers when both were made by one step; else None.
        request_id: empty until the request went to the engine, and while it may not go.
        goes_on: it extends what there is of it.
        seed: in place of the chat's own; None: the chat's.
        model: folder of the model that is to give it, in place of the chat's; None: the chat's.
        unsaved: something arrived that the store does not have.
        stop_requested: the user pressed Stop.
        tokens: that came for this request.
        prompt: what was sent.
        reserve: tokens that the prompt had to leave for the answer.
        overflow: what the user is being asked; None while nothing is.
        dropped: how many messages the prompt lacks.
        may_drop: the user, or the chat's policy, lets the oldest messages go.
        run: the facts of the run card.
    """

    message: Message
    question: Question | None = None
    request_id: str = ""
    goes_on: bool = False
    seed: int | None = None
    model: str | None = None
    unsaved: bool = False
    stop_requested: bool = False
    tokens: int = 0
    prompt: Prompt | None = None
    reserve: int = 1
    overflow: Overflow | None = None
    dropped: int = 0
    may_drop: bool = False
    run: dict[str, object] = field(default_factory=dict)
    _earlier: Statistics = field(default_factory=Statistics)
    _splitter: ReasoningSplitter | None = None
    _thinking_since: float | None = None  # monotonic
    _thought: float | None = None  # s, once the reasoning has ended
    _texts: list[str] = field(default_factory=list)
    _reasonings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        message = self.message
        if not self.goes_on:
            self._splitter = ReasoningSplitter()
            return
        self._earlier = message.statistics or Statistics()
        self._thought = self._earlier.reasoning_seconds
        if not message.content:
            tag = str(self._earlier.run.get(REASONING_TAG) or DEFAULT_TAG)
            self._splitter = ReasoningSplitter(tag, goes_on=True)

    @property
    def id(self) -> str:
        """The message's id."""
        return self.message.id

    @property
    def text(self) -> str:
        """All that it says so far."""
        return self.message.content + _joined(self._texts)

    @property
    def reasoning(self) -> str:
        """All that was thought so far."""
        return self.message.reasoning + _joined(self._reasonings)

    @property
    def unfinished(self) -> str:
        """What an answer that goes on is sent as."""
        if self.message.content or self._splitter is None:
            return self.message.content
        return reopened(self._splitter.tag, self.message.reasoning)

    def live(self, message: Message) -> Message:
        """`message`, as this answer was stored, with all that came since."""
        return replace(
            message,
            content=self.text,
            reasoning=self.reasoning,
            status=self.message.status,
            error=self.message.error,
            statistics=self.message.statistics,
        )

    def open_reasoning(self, tag: str) -> None:
        """The chat template has opened `tag`: the answer begins within."""
        if not (self.goes_on or self.tokens or self._texts or self._reasonings):
            self._splitter = ReasoningSplitter(tag)

    def take(self, text: str) -> tuple[str, str, bool]:
        """Take more of it: new reasoning, new content, whether the reasoning ended with it."""
        splitter = self._splitter
        if splitter is None:
            reasoning, content, ended = "", text, False
        else:
            was_closed = splitter.is_closed
            reasoning, content = splitter.feed(text)
            ended = splitter.is_closed and not was_closed
            self._keep_time(splitter, ended)
        self._add(reasoning, content)
        return reasoning, content, ended

    def end_text(self) -> tuple[str, str]:
        """No more comes: what was held back because a tag might have begun there."""
        splitter, self._splitter = self._splitter, None
        if splitter is None:
            return "", ""
        reasoning, content = splitter.finish()
        if splitter.is_reasoning:
            self.run = {**self.run, REASONING_TAG: splitter.tag}
            self._keep_time(splitter, ended=True)
        self._add(reasoning, content)
        return reasoning, content

    def so_far(self) -> Statistics | None:
        """What can be said of an answer that ends without the engine's word for it."""
        if not self.tokens:
            return self.message.statistics
        return self._described(
            replace(
                self._earlier,
                completion_tokens=self._earlier.completion_tokens + self.tokens,
                decode_tps=None,
                finish_reason="",
            )
        )

    def final(self, finish: Finish) -> Statistics:
        """What it cost, all its parts included."""
        return self._described(statistics_of(finish, self._earlier if self.goes_on else None))

    def settled(self, **changes: object) -> Message:
        """The message with all that came and `changes`; becomes the current one."""
        self.message = replace(
            self.message,
            content=self.text,
            reasoning=self.reasoning,
            **changes,  # type: ignore[arg-type]
        )
        self._texts.clear()
        self._reasonings.clear()
        return self.message

    def _add(self, reasoning: str, content: str) -> None:
        if reasoning:
            self._reasonings.append(reasoning)
        if content:
            self._texts.append(content)
        self.unsaved = True

    def _keep_time(self, splitter: ReasoningSplitter, ended: bool) -> None:
        now = time.monotonic()
        if self._thinking_since is None:
            if not splitter.tag or (splitter.is_closed and not ended):
                return
            self._thinking_since = now
        if ended:
            before = self._earlier.reasoning_seconds or 0.0
            self._thought = before + now - self._thinking_since

    def _described(self, statistics: Statistics) -> Statistics:
        return replace(
            statistics,
            reasoning_seconds=self._thought,
            dropped_messages=self.dropped,
            run=self.run or self._earlier.run,
        )


STATUS_OF = {
    FinishReason.STOP: MessageStatus.COMPLETE,
    FinishReason.LENGTH: MessageStatus.COMPLETE,
    FinishReason.CONTEXT: MessageStatus.COMPLETE,
    FinishReason.CANCELLED: MessageStatus.STOPPED,
    FinishReason.FAILED: MessageStatus.FAILED,
}


def statistics_of(finish: Finish, before: Statistics | None = None) -> Statistics:
    """What the answer cost; `before`: of the part that is being continued."""
    earlier = before or Statistics()
    return Statistics(
        prompt_tokens=finish.prompt_tokens,
        completion_tokens=earlier.completion_tokens + finish.completion_tokens,
        cached_tokens=finish.cached_tokens,
        kv_blocks=finish.kv_blocks,
        ttft=earlier.ttft if before is not None else finish.ttft,
        seconds=earlier.seconds + finish.seconds,
        decode_tps=finish.decode_tps,
        finish_reason=finish.reason.value,
        stop_string=finish.stop_string,
    )


def _joined(parts: list[str]) -> str:
    """The whole text; kept as one part, so that reading it often does not copy it often."""
    if len(parts) > 1:
        parts[:] = ["".join(parts)]
    return parts[0] if parts else ""
