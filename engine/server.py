"""The engine's event loop: reads commands, drives the backend, paces what goes out."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import Callable

from engine.backend import Backend
from engine.load_limit import load_timeout, stall_limit
from engine.measuring import measure_fault
from engine.outbox import Outbox
from engine.protocol import (
    EXIT_CANCELLED,
    EXIT_FAULT,
    EXIT_OK,
    EXIT_PEER_GONE,
    EXIT_PROTOCOL,
    PROTOCOL_VERSION,
    Cancel,
    CancelLoad,
    CountTokens,
    EngineState,
    Failure,
    FrameReader,
    Generate,
    Heartbeat,
    Hello,
    KvReport,
    Load,
    LoadCancelled,
    Loaded,
    LoadProgress,
    LoadSettings,
    Measure,
    Measured,
    Message,
    Ping,
    Pong,
    ProtocolError,
    Scope,
    Shutdown,
    Sleep,
    Status,
    StreamUpdate,
    Telemetry,
    ToEngine,
    TokenCount,
    Unload,
    Unloaded,
    Wake,
    Watch,
    decode_to_engine,
    encode,
)
from engine.refusals import already_loaded, not_asleep, not_awake, not_ready
from engine.sampling_limits import fault_of, refusal

FRAME_SECONDS = 0.025  # at most 40 frames a second: more than a screen's text needs
HEARTBEAT_SECONDS = 1.0
READ_BYTES = 1 << 18

log = logging.getLogger(__name__)


class Server:
    """Serves one window over one connected socket; `run` returns the exit code."""

    def __init__(self, peer: socket.socket, backend: Backend) -> None:
        self._peer = peer
        self._backend = backend
        self._loop: asyncio.AbstractEventLoop
        self._writer: asyncio.StreamWriter
        self._wake = asyncio.Event()
        self._wake_pending = False
        self._outbox = Outbox(self._wake_from_any_thread)
        self._model = ""
        self._state = EngineState.STARTING
        # The backend's thread tells of the end of an import or load just when a load begins.
        self._state_lock = threading.Lock()
        self._load_id = 0
        self._moved = 0.0  # when the load last did, of time.monotonic
        self._settings = LoadSettings()
        self._greeted = False

    # --- the backend's events (any thread) -----------------------------------

    def imported(self) -> None:
        """The backend can load now."""
        self._set_state(EngineState.IDLE, before=(EngineState.STARTING,))

    def load_planned(self, settings: LoadSettings) -> None:
        """How the load goes on: what was left open is decided."""
        self._settings = settings

    def load_progress(self, progress: LoadProgress) -> None:
        """A load moved on."""
        self._moved = time.monotonic()
        self._outbox.put(progress)

    def loaded(self, loaded: Loaded) -> None:
        """The model answers."""
        self._set_state(EngineState.READY, before=(EngineState.LOADING,), event=loaded)

    def updates(self, updates: list[StreamUpdate]) -> None:
        """What the streams produced."""
        self._outbox.put_updates(updates)

    def token_count(self, count: TokenCount) -> None:
        """A count is there."""
        self._outbox.put(count)

    def measured(self, measured: Measured) -> None:
        """A measurement is over."""
        self._outbox.put(measured)

    def slept(self) -> None:
        """The GPU is lent."""
        self._set_state(EngineState.SLEEPING, before=(EngineState.READY,))

    def woke(self) -> None:
        """The model answers again."""
        self._set_state(EngineState.READY, before=(EngineState.SLEEPING,))

    def failed(self, failure: Failure) -> None:
        """A load, a request, a sleep or the engine failed."""
        if failure.scope is Scope.LOAD:
            self._set_state(EngineState.IDLE, "", before=(EngineState.LOADING,), event=failure)
        else:
            self._outbox.put(failure)

    def telemetry(self, telemetry: Telemetry) -> None:
        """A new reading."""
        self._outbox.put_reading(telemetry)

    def kv_report(self, report: KvReport) -> None:
        """The KV pool now."""
        self._outbox.put_reading(report)

    def _set_state(
        self,
        state: EngineState,
        model: str | None = None,
        before: tuple[EngineState, ...] = tuple(EngineState),
        event: Message | None = None,
    ) -> bool:
        """Go to `state` if the state is one of `before`, and say so; whether it was.

        `event`: what led to it. It is sent first, but not before the state holds: the
        window answers `Loaded` with requests at once.
        """
        with self._state_lock:
            if self._state not in before:
                return False
            self._state = state
            self._model = self._model if model is None else model
            if event is not None:
                self._outbox.put(event)
            self._outbox.put(Status(state, self._model))
        return True

    def _wake_from_any_thread(self) -> None:
        # One wake-up in flight is enough; each costs a write to the loop's self-pipe.
        if not self._wake_pending:
            self._wake_pending = True
            self._loop.call_soon_threadsafe(self._wake.set)

    # --- the loop --------------------------------------------------------------

    async def run(self) -> int:
        """Serve until told to end or the window is gone; the process exits next."""
        self._loop = asyncio.get_running_loop()
        reader, self._writer = await asyncio.open_connection(sock=self._peer)
        self._outbox.put(Hello(PROTOCOL_VERSION, os.getpid(), self._backend.name))
        self._outbox.put(Status(self._state))
        self._backend.start(self)
        tasks = [
            asyncio.create_task(self._read(reader)),
            asyncio.create_task(self._write()),
            asyncio.create_task(self._heartbeat()),
        ]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        code = EXIT_PEER_GONE
        for task in done:
            error = task.exception()
            if error is None:
                code = task.result()
            else:
                log.error("the engine's event loop failed", exc_info=error)
                code = EXIT_FAULT
        self._backend.stop()
        return code

    async def _read(self, reader: asyncio.StreamReader) -> int:
        frames = FrameReader()
        while True:
            try:
                data = await reader.read(READ_BYTES)
            except ConnectionError:
                return EXIT_PEER_GONE
            if not data:
                return EXIT_PEER_GONE
            try:
                bodies = frames.feed(data)
                for body in bodies:
                    code = await self._dispatch(decode_to_engine(body))
                    if code is not None:
                        return code
            except ProtocolError as error:
                await self._refuse(str(error))
                return EXIT_PROTOCOL

    async def _dispatch(self, message: ToEngine) -> int | None:
        """Act on one message; an exit code ends the process."""
        if not self._greeted:
            if not isinstance(message, Hello):
                raise ProtocolError(f"{type(message).__name__} came before Hello")
            if message.protocol_version != PROTOCOL_VERSION:
                raise ProtocolError(
                    f"the window speaks version {message.protocol_version}, "
                    f"the engine {PROTOCOL_VERSION}"
                )
            self._greeted = True
            return None
        match message:
            case Generate():
                self._generate(message)
            case Cancel():
                self._backend.cancel(message.request_id)
            case CountTokens():
                if self._has_model:
                    self._backend.count_tokens(message)
                else:
                    self._outbox.put(not_ready(message.request_id))
            case Load():
                self._begin_load(message)
            case CancelLoad():
                # A load cannot be stopped half-way inside vLLM; the process can. The
                # window starts a fresh one, and every byte is given back.
                if self._state is EngineState.LOADING and message.load_id == self._load_id:
                    return await self._farewell(LoadCancelled(message.load_id), EXIT_CANCELLED)
            case Unload():
                return await self._farewell(Unloaded(), EXIT_OK)
            case Sleep():
                self._change_sleep(EngineState.READY, self._backend.sleep, not_awake())
            case Wake():
                self._change_sleep(EngineState.SLEEPING, self._backend.wake, not_asleep())
            case Measure():
                self._measure(message)
            case Watch():
                self._backend.watch(message.seconds)
            case Ping():
                self._outbox.put(Pong(message.sequence))
            case Shutdown():
                return EXIT_OK
            case Hello():
                raise ProtocolError("a second Hello")
        return None

    def _generate(self, request: Generate) -> None:
        if not self._has_model:
            self._outbox.put(not_ready(request.request_id))
        elif fault := fault_of(request.sampling):
            self._outbox.put(refusal(request.request_id, fault))
        else:
            self._backend.generate(request)

    @property
    def _has_model(self) -> bool:
        """Whether requests are taken; while the model sleeps, they wait in the backend."""
        return self._state in (EngineState.READY, EngineState.SLEEPING)

    def _change_sleep(
        self, expected: EngineState, change: Callable[[], None], refusal: Failure
    ) -> None:
        if self._state is expected:
            change()
        else:
            self._outbox.put(refusal)

    def _measure(self, request: Measure) -> None:
        if self._state is not EngineState.READY:
            self._outbox.put(not_ready(request.request_id))
        elif fault := measure_fault(request):
            self._outbox.put(refusal(request.request_id, fault))
        else:
            self._backend.measure(request)

    def _begin_load(self, message: Load) -> None:
        free = (EngineState.STARTING, EngineState.IDLE)
        if not self._set_state(EngineState.LOADING, message.model, before=free):
            self._outbox.put(already_loaded(message.load_id))
            return
        self._load_id = message.load_id
        self._moved = time.monotonic()
        self._settings = message.settings
        self._backend.load(message.load_id, message.model, message.settings)

    def _check_stall(self) -> None:
        """End a load that hangs. What hangs cannot be freed but by the process's end."""
        limit = stall_limit(self._settings)
        if limit is not None and time.monotonic() - self._moved >= limit:
            failure = load_timeout(self._load_id, limit, self._settings)
            self._set_state(EngineState.STOPPING, before=(EngineState.LOADING,), event=failure)

    async def _farewell(self, message: LoadCancelled | Unloaded, code: int) -> int:
        self._outbox.put(Status(EngineState.STOPPING, self._model))
        self._outbox.put(message)
        await self._send_all()
        return code

    async def _refuse(self, reason: str) -> None:
        cause = "The window and the engine do not understand each other; restart Inglenook."
        self._outbox.put(Failure(Scope.ENGINE, cause, code="protocol", detail=reason))
        await self._send_all()

    async def _write(self) -> int:
        last = 0.0
        while True:
            await self._wake.wait()
            self._wake_pending = False
            self._wake.clear()
            rest = last + FRAME_SECONDS - self._loop.time()
            if rest > 0 and not self._outbox.is_urgent:
                # Wait for the frame's end, or for something that must not wait.
                try:
                    async with asyncio.timeout(rest):
                        while not self._outbox.is_urgent:
                            await self._wake.wait()
                            self._wake_pending = False
                            self._wake.clear()
                except TimeoutError:
                    pass
            try:
                await self._send_all()
            except ConnectionError:
                return EXIT_PEER_GONE
            last = self._loop.time()

    async def _send_all(self) -> None:
        messages = self._outbox.take()
        if messages:
            self._writer.write(b"".join(encode(message) for message in messages))
            await self._writer.drain()

    async def _heartbeat(self) -> int:
        sequence = 0
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            sequence += 1
            if self._state is EngineState.LOADING:
                self._check_stall()
            self._outbox.put(Heartbeat(sequence))


def serve(peer: socket.socket, backend_factory: Callable[[], Backend]) -> int:
    """Run a server to its end and return the exit code."""

    async def main() -> int:
        return await Server(peer, backend_factory()).run()

    return asyncio.run(main())
