"""Titles made by the model, of a chat's first exchange: cheap, and never in anybody's way.

The request is the conversation with one question more, so that the engine has read nearly
all of it already. It goes after every other, is cancelled the moment that anybody sends
anything, and when the model begins to think: the title of the first words stays then. A
short question is a title already, and none is asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.chats.chat import TITLE_LENGTH, MessageStatus, Role, new_id
from desktop.chats.reasoning import ReasoningSplitter
from desktop.models.session.prompt import prompt_of
from engine.protocol import ChatMessage, FinishReason, Generate, Sampling

if TYPE_CHECKING:
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.request_router import RequestRouter
    from engine.protocol import Failure, StreamUpdate

PRIORITY: Final = 5
MAX_TOKENS: Final = 24
SHORT: Final = 40  # characters of a message that is its own title
FEW: Final = 3  # words; "Hello there" says nothing
_QUESTION: Final = (
    "Write a title for this conversation: three to six words that say what it is about, in its "
    "own language, without quotation marks. Answer with the title alone."
)


@dataclass(frozen=True, slots=True)
class SuggestedTitle:
    """A title, and the one that it is better than."""

    chat_id: str
    title: str
    instead_of: str


@dataclass(slots=True)
class _Wish:
    """A chat that has its first answer."""

    chat_id: str
    title: str
    turns: tuple[ChatMessage, ...]
    model: str  # folder; "": the window's own
    request_id: str = ""
    text: str = ""


class Titler(QObject):
    """See the module. One title at a time.

    Signals:
        titled: a `SuggestedTitle`.
    """

    titled = Signal(object)

    def __init__(self, router: RequestRouter, parent: QObject) -> None:
        super().__init__(parent)
        self._router = router
        self._wishes: dict[str, _Wish] = {}  # by chat
        self._asked: _Wish | None = None
        self._considered: set[str] = set()

    def consider(self, session: ChatSession, *, wanted: bool) -> None:
        """A chat's answer has ended: think of a title if it was its first.

        Args:
            wanted: whether the model is to make titles at all.
        """
        if (
            wanted
            and session.title_is_automatic
            and session.chat_id not in self._considered
            and len(session.path) == 2
        ):
            self._wish(session)
        if not session.answers:
            self._ask_next(except_for=session)

    def give_way(self) -> None:
        """Somebody sends something: what is being asked is cancelled, and not asked again."""
        asked, self._asked = self._asked, None
        if asked is not None:
            self._router.forget(self)
            self._router.cancel(asked.request_id)

    def forget(self, chat_id: str) -> None:
        """The chat is gone, or has a title that the user gave it."""
        self._wishes.pop(chat_id, None)
        if self._asked is not None and self._asked.chat_id == chat_id:
            self.give_way()

    # --- what the engine says (see request_router.Route) --------------------------------

    def apply(self, update: StreamUpdate) -> None:
        """Take a piece of the title."""
        asked = self._asked
        if asked is None or update.request_id != asked.request_id:
            return
        asked.text += update.text
        splitter = ReasoningSplitter(update.opens_reasoning)
        splitter.feed(asked.text)
        if splitter.tag:  # it thinks, though it was asked not to
            self.give_way()
        elif update.finish is not None:
            self._asked = None
            title = title_in(asked.text, asked.turns)
            if title and update.finish.reason is FinishReason.STOP:
                self.titled.emit(SuggestedTitle(asked.chat_id, title, asked.title))

    def fail(self, failure: Failure) -> None:
        """The title of the first words stays."""
        self.interrupt(failure.request_id)

    def interrupt(self, request_id: str) -> None:
        """The title of the first words stays."""
        if self._asked is not None and self._asked.request_id == request_id:
            self._asked = None

    # --- inside ---------------------------------------------------------------------------

    def _wish(self, session: ChatSession) -> None:
        """Wish for a title of a chat's first exchange, if that was answered to its end."""
        messages = session.messages
        answer = messages[1]
        if (
            answer.role is Role.ASSISTANT
            and answer.status is MessageStatus.COMPLETE
            and answer.content.strip()
            and not is_title(messages[0].content)
        ):
            self._considered.add(session.chat_id)
            turns = prompt_of(session.chat.system_prompt, messages)
            self._wishes[session.chat_id] = _Wish(
                session.chat_id, session.title, turns, session.chat.model
            )

    def _ask_next(self, except_for: ChatSession) -> None:
        if self._asked is not None or self._router.is_busy_beside(except_for):
            return
        ready = [wish for wish in self._wishes.values() if self._router.is_ready(wish.model)]
        if not ready:
            return
        wish = self._wishes.pop(ready[0].chat_id)
        wish.request_id = new_id()
        self._asked = wish
        self._router.submit(
            self,
            Generate(
                wish.request_id,
                (*wish.turns, ChatMessage(Role.USER.value, _QUESTION)),
                Sampling(temperature=0.0, max_tokens=MAX_TOKENS),
                chat_id=wish.chat_id,
                priority=PRIORITY,
                reserve=MAX_TOKENS,
                thinking=False,
            ),
            wish.model,
        )


_MARKS: Final = re.compile(r"^[#>\-*\s]+|[*_`~#]+")
_LABEL: Final = re.compile(r"^(?:title|titel|titre|título|titolo)\s*[::]\s*", re.IGNORECASE)
_QUOTES: Final = "\"'“”„‟«»‹›‘’‚「」『』"
_WORD: Final = re.compile(r"\w+")
_STEM: Final = 4  # characters that words of one root share


def is_title(question: str) -> bool:
    """Whether a chat's first message says in few words what the chat is about."""
    question = question.strip()
    return len(question) <= SHORT and len(question.split()) >= FEW and "\n" not in question


def title_in(answer: str, turns: tuple[ChatMessage, ...]) -> str:
    """The title in a model's answer; "" if it is none of this conversation.

    It is one line of at most 60 characters, free of markup, and has a word in common with
    what was said (or its beginning, or two characters where words are not parted).
    """
    lines = [line for line in answer.strip().splitlines() if line.strip()]
    if len(lines) != 1:
        return ""
    line = _LABEL.sub("", _MARKS.sub("", lines[0]).strip())
    line = " ".join(line.strip().strip(_QUOTES).split()).rstrip(".")
    if not line or len(line) > TITLE_LENGTH or any(sign in line for sign in "<>[]{}|\\"):
        return ""
    said = " ".join(turn.content for turn in turns if turn.role != Role.SYSTEM.value).casefold()
    stems = {word[:_STEM] for word in _WORD.findall(said)}
    for word in _WORD.findall(line.casefold()):
        if len(word) >= _STEM and word[:_STEM] in stems:
            return line
        if not word.isascii() and any(word[i : i + 2] in said for i in range(len(word) - 1)):
            return line
    return ""
