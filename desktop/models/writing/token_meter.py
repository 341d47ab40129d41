"""How many tokens would be sent now: asked of the engine, so that it is exact.

The engine counts with the model's own tokenizer and template. It is asked when the user
pauses, one question at a time, the newest wins, and nothing is asked while nothing changes
or the tab is hidden. Until the answer is there (or where no model is loaded) a rough figure
stands in, marked as such.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.chats.chat import OverflowPolicy, new_id
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.session.overflow_search import OverflowSearch
from engine.protocol import ChatMessage, CountTokens, Failure, ProtocolError, TokenCount

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient

DELAY_MS: Final = 250
# English has about four characters a token; the first answer of the engine corrects it.
CHARACTERS_A_TOKEN: Final = 4.0
# Beyond this many characters the question itself would take the window's time, and the
# answer is known: no model reads that much at once.
MAX_CHARACTERS: Final = 2_000_000

Prompt = tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True)
class MeterReading:
    """What the meter shows.

    Attributes:
        tokens: of the prompt as it would be sent; 0 with `context` 0: nothing to say.
        context: what the model reads, in tokens; 0 while no model is loaded.
        reserve: tokens of it that are kept for the answer.
        exact: the engine's count; else a guess.
        left_out: the oldest messages that would have to go; None: not known (yet).
        fits: whether leaving messages out helps; None: not known (yet).
        policy: what happens then.
    """

    tokens: int = 0
    context: int = 0
    reserve: int = 1
    exact: bool = False
    left_out: int | None = None
    fits: bool | None = None
    policy: OverflowPolicy = OverflowPolicy.ASK

    @property
    def excess(self) -> int:
        """How many tokens are too many; 0: it fits."""
        return max(0, self.tokens + self.reserve - self.context) if self.context else 0


@dataclass(frozen=True, slots=True)
class MeterSource:
    """Where the meter looks.

    Attributes:
        prompt: what would be sent now.
        size: of it, in characters; cheap to ask.
        terms: the chat's policy, and the tokens kept for an answer.
    """

    prompt: Callable[[], Prompt]
    size: Callable[[], int]
    terms: Callable[[], tuple[OverflowPolicy, int]]


class TokenMeter(QObject):
    """See the module.

    Signals:
        changed: a new `MeterReading`.
    """

    changed = Signal(object)

    def __init__(self, client: EngineClient | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client: EngineClient | None = None
        self._source: MeterSource | None = None
        self._reading = MeterReading()
        self._shown = False
        self._due = False
        self._counted: Prompt | None = None  # what `_tokens` were counted for
        self._tokens = 0
        self._asked: Prompt = ()
        self._request_id = ""
        self._model: tuple[int, str] = (0, "")
        self._context = 0
        self._ratio = CHARACTERS_A_TOKEN
        self._length = 0  # characters typed and attached, as last told
        self._counted_length = 0
        self._search: OverflowSearch | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._count)
        self.follow(client)

    @property
    def reading(self) -> MeterReading:
        """What is shown now."""
        return self._reading

    def watch(self, source: MeterSource, length: int) -> None:
        """Count for this chat from now on; `length`: as for `touch`."""
        self._source = source
        self._counted = None
        self._counted_length = self._length = length
        self.refresh()

    def follow(self, client: EngineClient | None) -> None:
        """Ask this engine from now on: the chat has another model. None: nobody can be asked."""
        if client is self._client:
            return
        if self._client is not None:
            self._client.token_counted.disconnect(self._on_counted)
            self._client.request_failed.disconnect(self._on_failed)
            self._client.view_changed.disconnect(self.set_view)
        self._client = client
        if client is not None:
            client.token_counted.connect(self._on_counted)
            client.request_failed.connect(self._on_failed)
            client.view_changed.connect(self.set_view)
        self.set_view(client.view if client is not None else EngineView())

    def stop(self) -> None:
        """The tab goes away."""
        self._shown = False
        self._source = None
        self._forget_question()
        self._timer.stop()

    def set_shown(self, shown: bool) -> None:
        """Whether somebody can see it: nothing is asked while nobody can."""
        self._shown = shown
        if not shown:
            self._timer.stop()
        elif self._due:
            self._timer.start()

    def touch(self, length: int) -> None:
        """What is typed or attached changed; it has `length` characters now."""
        self._length = length
        guess = self._tokens + round((length - self._counted_length) / self._ratio)
        self._show(max(0, guess), exact=False)
        self._schedule()

    def refresh(self) -> None:
        """Something else changed: messages, system prompt, parameters."""
        self._schedule()

    def set_view(self, view: EngineView) -> None:
        """The engine's state: another model counts differently."""
        loaded = view.loaded if view.phase is Phase.READY else None
        model = (loaded.load_id, loaded.model) if loaded is not None else (0, "")
        if model == self._model:
            return
        self._model = model
        self._context = loaded.context if loaded is not None else 0
        self._ratio = CHARACTERS_A_TOKEN
        self._counted = None
        self._forget_question()
        self._schedule()

    # --- inside ----------------------------------------------------------------------

    def _schedule(self) -> None:
        self._due = True
        if self._shown and self._source is not None:
            self._timer.start()

    def _count(self) -> None:
        """The user paused: ask, unless the answer is known or another question is open."""
        if self._source is None or self._request_id:
            return  # the open question's answer brings us back
        self._due = False
        size = self._source.size()
        if not size or not self._context or size > MAX_CHARACTERS:
            self._search = None
            self._settle(None, round(size / self._ratio))
            return
        prompt = self._source.prompt()
        if prompt == self._counted:
            self._show(self._tokens, exact=True)
            self._search_on()
            return
        self._search = None
        if self._counted is None:
            self._show(round(size / self._ratio), exact=False)
        self._asked = prompt
        self._ask(prompt)

    def _ask(self, prompt: Prompt) -> None:
        if self._client is None:
            return
        self._request_id = new_id()
        try:
            self._client.count_tokens(CountTokens(self._request_id, prompt))
        except ProtocolError:  # a text that is no Unicode: the send will say so
            self._request_id = ""

    def _on_counted(self, count: TokenCount) -> None:
        if not self._request_id or count.request_id != self._request_id:
            return
        self._request_id = ""
        self._context = count.context or self._context
        if self._search is not None:
            self._search.told(count.tokens)
        else:
            characters = sum(len(message.content) for message in self._asked)
            if count.tokens and characters > 200:
                self._ratio = max(0.5, characters / count.tokens)
            self._settle(self._asked, count.tokens)
        if self._due:
            self._search = None
            self._count_again()
        else:
            self._search_on()

    def _count_again(self) -> None:
        if self._shown and not self._timer.isActive():
            self._count()

    def _on_failed(self, failure: Failure) -> None:
        if self._request_id and failure.request_id == self._request_id:
            self._request_id = ""
            if self._due:
                self._count_again()

    def _settle(self, prompt: Prompt | None, tokens: int) -> None:
        self._counted = prompt
        self._tokens = tokens
        self._counted_length = self._length
        # Typing went on while the engine counted: the figure is old already.
        self._show(tokens, exact=prompt is not None and not self._due)

    def _search_on(self) -> None:
        """Too long: find, count by count, how many of the oldest messages would go."""
        reading = self._reading
        if self._counted is None or not reading.excess or reading.policy is OverflowPolicy.STOP:
            self._search = None
            return
        limit = reading.context - reading.reserve
        if self._search is None or self._search.limit != limit:
            self._search = OverflowSearch(self._counted, reading.tokens, limit)
        probe = self._search.next_probe()
        if probe is not None:
            self._ask(probe)
            return
        left_out, fits = self._found(self._search)
        self._emit(replace(reading, left_out=left_out, fits=fits))

    def _found(self, search: OverflowSearch) -> tuple[int | None, bool | None]:
        """What would be left out, and whether it helps."""
        if search.fits is False and not self._length:
            return None, None  # of a message that is not written yet nothing can be said
        return search.left_out, search.fits

    def _show(self, tokens: int, *, exact: bool) -> None:
        policy, reserve = (
            self._source.terms() if self._source is not None else (OverflowPolicy.ASK, 1)
        )
        left_out, fits = None, None
        if exact and self._search is not None and self._search.limit == self._context - reserve:
            left_out, fits = self._found(self._search)
        self._emit(MeterReading(tokens, self._context, reserve, exact, left_out, fits, policy))

    def _emit(self, reading: MeterReading) -> None:
        if reading != self._reading:
            self._reading = reading
            self.changed.emit(reading)

    def _forget_question(self) -> None:
        self._request_id = ""
        self._search = None
