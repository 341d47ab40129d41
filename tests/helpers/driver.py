"""The real program, offscreen, that does what it is told on stdin and tells what happens.

Started as `python -m tests.helpers.driver CONFIG`, CONFIG being a JSON object (`Config`).
Both directions are JSON objects on lines. What it is told has "do": ask, continue, load,
press, messages, gap. What it tells has "event"; see the `say` calls. Nothing of the program
is replaced but the limits of the engine's supervision, which would make tests slow.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
import zlib
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import msgspec
from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer

from desktop import app
from desktop.chats.chat import Message
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import EngineView
from desktop.engine_link.restart_policy import RestartPolicy
from desktop.models.session.chat_session import ChatSession

if TYPE_CHECKING:
    from desktop.chats.store.chat_store import ChatStore

BEAT_MS = 10


class Config(msgspec.Struct, frozen=True):
    """How the program is set up. Times in seconds."""

    model: str
    script: str = "tokens_per_second=200 load_seconds=0.3 children=1"
    delays: tuple[float, ...] = (0.05, 0.1, 0.2, 0.4, 0.8)
    stable_seconds: float = 60.0
    silent_ticks: tuple[int, int] = (10, 60)


def say(event: str, **values: object) -> None:
    """Write a line in one piece (it is shorter than a pipe's buffer), from any thread."""
    os.write(1, (json.dumps({"event": event, **values}) + "\n").encode())


class Heart(QObject):
    """Beats in the event loop; remembers the longest pause.

    The time that the thread was ready but other processes had the processor is taken off:
    it says something of the machine, not of the program.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._schedule = Path("/proc/self/schedstat")
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._last = self._waited = self.longest = 0.0
        self.reset()
        self._timer.start()

    def reset(self) -> float:
        """Forget the pauses so far; the longest of them, in ms."""
        longest, self.longest = self.longest, 0.0
        self._last, self._waited = time.monotonic(), self._delay()
        return longest * 1000

    def _beat(self) -> None:
        now, waited = time.monotonic(), self._delay()
        self.longest = max(self.longest, now - self._last - (waited - self._waited))
        self._last, self._waited = now, waited

    def _delay(self) -> float:
        """Seconds that the main thread has waited for a processor in its life."""
        try:
            return int(self._schedule.read_text().split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0


class Driver(QObject):
    """Does what the lines on stdin say."""

    def __init__(self, inglenook: app.Inglenook) -> None:
        super().__init__(inglenook)
        self._inglenook = inglenook
        self._heart = Heart(self)
        self._buffer = b""
        self._watched: set[str] = set()
        self._told: tuple[object, ...] = ()
        inglenook.client.view_changed.connect(self._on_view)
        inglenook.hub.store_opened.connect(self._on_opened)
        os.set_blocking(0, False)
        self._notifier = QSocketNotifier(0, QSocketNotifier.Type.Read, self)
        self._notifier.setEnabled(False)
        self._notifier.activated.connect(self._read)

    def _on_opened(self) -> None:
        self._notifier.setEnabled(True)
        say("opened")

    def _on_view(self, view: EngineView) -> None:
        told = (view.phase, self._inglenook.client.pid, view.restarts)
        if told != self._told:
            self._told = told
            say("view", phase=view.phase.value, pid=told[1], restarts=view.restarts)

    def _read(self) -> None:
        data = os.read(0, 65536)
        if not data:  # whoever drove is gone
            self._notifier.setEnabled(False)
            self._inglenook.window.close()
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            getattr(self, f"_do_{order.pop('do')}")(**order)

    # --- orders ---------------------------------------------------------------------

    def _do_ask(self, text: str, chat: str = "") -> None:
        hub, window = self._inglenook.hub, self._inglenook.window

        def ask(session: ChatSession) -> None:
            self._watch(session)
            window.tabs.show(session.chat_id)
            if not session.send(text):
                say("refused", chat=session.chat_id, notice=session.notice.text)

        if chat:
            hub.open_chat(chat, ask)
        else:
            hub.create_chat(ask)

    def _do_continue(self, chat: str) -> None:
        def go_on(session: ChatSession) -> None:
            self._watch(session)
            session.continue_answer(session.messages[-1].id)

        self._inglenook.hub.open_chat(chat, go_on)

    def _do_load(self, model: str) -> None:
        self._inglenook.window.desk.load(model)

    def _do_press(self, label: str) -> None:
        buttons = self._inglenook.window.banner.buttons()
        say("buttons", labels=[button.text() for button in buttons])
        next(button for button in buttons if button.text() == label).click()

    def _do_messages(self, chat: str) -> None:
        def tell(session: ChatSession) -> None:
            facts = [(m.id, m.role.value, m.status.value, len(m.content)) for m in session.messages]
            say("messages", chat=chat, messages=facts)

        self._inglenook.hub.open_chat(chat, tell)

    def _do_gap(self) -> None:
        say("gap", ms=self._heart.reset())

    # --- sessions -------------------------------------------------------------------

    def _watch(self, session: ChatSession) -> None:
        if session.chat_id in self._watched:
            return
        self._watched.add(session.chat_id)
        session.message_changed.connect(_tell_answer)
        session.message_added.connect(_tell_answer)
        lengths: dict[str, int] = {m.id: len(m.content) for m in session.messages}

        def appended(message_id: str, text: str) -> None:
            lengths[message_id] = lengths.get(message_id, 0) + len(text)
            say("seen", answer=message_id, length=lengths[message_id], at=time.monotonic())

        session.text_appended.connect(appended)


def _tell_answer(message: Message) -> None:
    say(
        "message",
        chat=message.chat_id,
        id=message.id,
        role=message.role.value,
        status=message.status.value,
        length=len(message.content),
        crc=zlib.crc32(message.content.encode()),
    )


def _noting(call: Any, note: Any) -> Any:
    """`call`, a method of the store, with `note` told once what it did is on disk."""

    @functools.wraps(call)
    def wrapper(*args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = call(*args, **kwargs)

        def done(outcome: Future[Any]) -> None:
            if outcome.exception() is not None:
                say("store_error", error=repr(outcome.exception()))
            else:
                note(*args, **kwargs)

        future.add_done_callback(done)
        return future

    return wrapper


def _exchange(chat_id: str, _parent: object, text: str, **ids: object) -> None:
    say("stored", chat=chat_id, user=ids["user_id"], answer=ids["answer_id"], length=len(text))


def _update(message_id: str, **changes: Any) -> None:
    content, status = changes.get("content"), changes.get("status")
    if content is not None:
        say("flushed", answer=message_id, length=len(content), status=status)


class DrivenInglenook(app.Inglenook):
    """The program's own, with a driver in it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.driver = Driver(self)

    def _make_store(self) -> ChatStore:
        store = super()._make_store()
        for name, note in (("add_exchange", _exchange), ("update_message", _update)):
            mock.patch.object(store, name, _noting(getattr(store, name), note)).start()
        return store


def main() -> int:
    """Run the program as its own `main` does."""
    config = msgspec.json.decode(sys.argv[1], type=Config)
    client = functools.partial(
        EngineClient,
        policy=RestartPolicy(config.delays, config.stable_seconds),
        silent_ticks=config.silent_ticks,
    )
    with (
        mock.patch.object(app, "EngineClient", client),
        mock.patch.object(app, "Inglenook", DrivenInglenook),
    ):
        return app.main(app.Options(config.model, "scripted", config.script))


if __name__ == "__main__":
    sys.exit(main())
