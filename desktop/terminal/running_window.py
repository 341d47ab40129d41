"""A chat with the engine of the window that is open. No Qt: it starts at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Final

import msgspec

from desktop.handover import MAX_LINE, Handover, HandoverError
from desktop.terminal import events
from desktop.terminal.events import Alive, ChatRequest, Done, Event, ExitCode, Failed

PATIENCE: Final = 60.0  # s; the window says every 5 s that it lives
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class RunningWindow:
    """Answers questions over `handover`.

    Args:
        show: takes each event.
    """

    def __init__(
        self, handover: Handover, request: ChatRequest, show: Callable[[Event], None]
    ) -> None:
        self._handover = handover
        self._request = request
        self._show = show
        self._replies: Iterator[dict[str, object]] | None = None
        self._stopped_by = 0
        self._is_sending = False

    def ask(self, question: str) -> int:
        """Ask, and return when the answer has ended: the signal that stopped it, or 0."""
        self._stopped_by = 0
        before = {number: signal.signal(number, self._on_signal) for number in _STOPPING}
        try:
            self._show(self._ask(question))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return self._stopped_by

    def cancel(self) -> None:
        """Stop the answer on its way."""
        with suppress(HandoverError):
            self._handover.send("cancel")

    def close(self) -> None:
        """Hang up."""
        self._handover.close()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        """The first one asks the window to stop; the next one ends this process at once."""
        self._stopped_by = number
        for other in _STOPPING:
            signal.signal(other, signal.SIG_DFL)
        if not self._is_sending:  # a line in the midst of a line would be neither
            self.cancel()

    def _send(self, op: str, **payload: object) -> None:
        self._is_sending = True
        try:
            self._handover.send(op, **payload)
        finally:
            self._is_sending = False
        if self._stopped_by:
            self.cancel()

    def _ask(self, question: str) -> Done | Failed:
        """Ask, show what comes, and return the last of it."""
        try:
            if self._replies is None:
                request = msgspec.to_builtins(self._request)
                self._send("chat", request=request, question=question)
                # A limit of time also keeps the socket in the mode in which a signal's
                # handler may write to it while this waits.
                self._replies = self._handover.replies(PATIENCE)
            else:
                self._send("ask", question=question)
            return self._follow(self._replies)
        except ValueError:
            text = (
                "The prompt is too long to be handed over to the window "
                f"(over {MAX_LINE // 2**20} MB). Shorten it."
            )
            return Failed(ExitCode.TOO_LONG, "prompt_too_long", text)
        except TimeoutError:
            text = "The window does not answer any more. Close it, then ask again."
            return Failed(ExitCode.FAILED, "window_hangs", text)
        except HandoverError as error:
            return _lost(f" ({error})")

    def _follow(self, replies: Iterator[dict[str, object]]) -> Done | Failed:
        for reply in replies:
            if "event" not in reply:
                text = (
                    "The window did not take the question: "
                    f"{reply.get('error', 'no reason was given')}. Close the window, then ask "
                    "again."
                )
                return Failed(ExitCode.FAILED, "window_refused", text)
            try:
                event = events.from_dict(reply)
            except ValueError as error:
                raise HandoverError(str(error)) from error
            if isinstance(event, Done | Failed):
                return event
            if not isinstance(event, Alive):
                self._show(event)
        return _lost("")


def _lost(detail: str) -> Failed:
    text = (
        f"The window was closed in the middle of the answer{detail}. What there is of it is kept; "
        "go on with --last."
    )
    return Failed(ExitCode.FAILED, "window_closed", text)
