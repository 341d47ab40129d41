"""A backend that streams scripted tokens: no torch, no model, the real protocol.

The window's tests and demos use it for what a real model cannot do on cue: thousands of
tokens a second, crashes in mid-word, loads that hang. A "model" is any existing folder.
It is steered by its script (`Script`) and by commands in the last user message:

    /long N       an answer of N tokens          /rate R      R tokens/s
    /crash N      the process aborts after N     /hang N      the stream stalls after N
    /fail N       the request fails after N      /echo TEXT   exactly TEXT
    /think N      <think>, N tokens, </think>    /unclosed N  the same, never closed
    /thinkopen N  as /think, with the tag opened by the template (`opens_reasoning`)
    /stopstring X after 10 tokens the stop string X is met

With `gpus=2` it plays a machine with two GPUs: they load together, hang or fail as the script
says, sleep and wake. Blocks are held, shared and cached as in vLLM's pool (`script_pool`), and
with `preempts=1` an answer that finds none waits its turn again. It also keeps to `max_tokens`,
`stop`, `reserve`, `thinking`, `priority` and `json_schema`, takes repeated beginnings of prompts
from a cache, and answers a request for a title (at most 32 tokens, priority 5 or later) with
"About" and the first words of the chat.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time

from engine.backend import Events
from engine.overflow import longest_fit, too_long
from engine.protocol import (
    Cancel,
    CountTokens,
    Failure,
    Finish,
    FinishReason,
    Generate,
    Load,
    LoadSettings,
    Measure,
    Measured,
    Rate,
    Remedy,
    RemedyAction,
    Scope,
    Sleep,
    StreamUpdate,
    TokenCount,
    Wake,
    Watch,
)
from engine.refusals import cannot_sleep, not_measured, sleep_busy
from engine.script import Orders, Script, count_words
from engine.script_batch import ScriptBatch, ScriptStream
from engine.script_loads import play_load
from engine.telemetry import TelemetryDesk

_Command = Load | Generate | Cancel | CountTokens | Measure | Sleep | Wake | Watch
BLOCK_SIZE = 16
# Streams are served together in ticks: fewer wake-ups, and half of what a frame holds anyway.
TICK_SECONDS = 0.012


class ScriptedBackend:
    """See the module. One thread owns all streams."""

    name = "scripted"

    def __init__(self, script: Script) -> None:
        self._script = script
        self._commands: queue.SimpleQueue[_Command | None] = queue.SimpleQueue()
        self._events: Events
        self._batch = ScriptBatch(script, BLOCK_SIZE, self._began)
        self._next_tick = 0.0
        self._telemetry: TelemetryDesk | None = None
        self._watch_seconds = 0.0
        self._context = script.context
        self._speed = 1.0  # times the script's own
        self._measuring = ""  # a measurement that never ends
        self._asleep = False
        self._held: list[Generate] = []  # came while it slept

    def start(self, events: Events) -> None:
        """Begin, after `import_seconds`."""
        self._events = events
        for _ in range(self._script.children):
            subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
        threading.Thread(target=self._run, name="scripted-engine", daemon=True).start()

    def load(self, load_id: int, model: str, settings: LoadSettings) -> None:
        """Pretend to load."""
        self._commands.put(Load(load_id, model, settings))

    def generate(self, request: Generate) -> None:
        """Queue a request."""
        self._commands.put(request)

    def cancel(self, request_id: str) -> None:
        """Stop a stream."""
        self._commands.put(Cancel(request_id))

    def count_tokens(self, request: CountTokens) -> None:
        """Count words."""
        self._commands.put(request)

    def measure(self, request: Measure) -> None:
        """Tell the script's own rates."""
        self._commands.put(request)

    def sleep(self) -> None:
        """Pretend to lend the GPU."""
        self._commands.put(Sleep())

    def wake(self) -> None:
        """Pretend to take it back."""
        self._commands.put(Wake())

    def watch(self, seconds: float) -> None:
        """Tell of the pool."""
        self._commands.put(Watch(seconds))

    def stop(self) -> None:
        """End the thread."""
        self._commands.put(None)

    # --- the thread ------------------------------------------------------------

    def _run(self) -> None:
        time.sleep(self._script.import_seconds)
        self._events.imported()
        while True:
            now = time.monotonic()
            due = self._batch.first_due
            timeout = 0.25 if due is None else max(0.0, self._next_tick - now, due - now)
            try:
                command = self._commands.get(timeout=timeout)
            except queue.Empty:
                pass
            else:
                if command is None:
                    return
                self._obey(command)
                continue
            now = time.monotonic()
            self._next_tick = now + TICK_SECONDS
            self._produce(now)
            self._report()

    def _obey(self, command: _Command) -> None:
        match command:
            case Load():
                self._load(command)
            case Generate() if self._asleep:
                self._held.append(command)
            case Generate():
                self._admit(command)
            case Measure():
                self._measure(command)
            case Sleep():
                self._sleep()
            case Wake():
                self._wake()
            case Cancel():
                self._cancel(command.request_id)
            case Watch():
                self._watch_seconds = command.seconds
                if self._telemetry is not None:
                    self._telemetry.watch(command.seconds)
            case CountTokens():
                count = count_words(command.messages)
                self._events.token_count(TokenCount(command.request_id, count, self._context))

    def _load(self, load: Load) -> None:
        loaded = play_load(load, self._script, self._events, BLOCK_SIZE)
        if loaded is None:
            return
        self._telemetry = TelemetryDesk(self._batch, self._events.telemetry, self._events.kv_report)
        self._telemetry.watch(self._watch_seconds)
        self._context = loaded.context
        several = load.settings.tensor_parallel_size > 1
        self._speed = self._script.tp_speed if several else 1.0
        self._events.loaded(loaded)

    def _admit(self, request: Generate) -> None:
        prompt = count_words(request.messages)
        room = self._context - max(1, request.reserve)
        if prompt > room:
            keep = longest_fit(request.messages, room, count_words)
            self._events.failed(
                too_long(request.request_id, prompt, self._context, request.reserve, keep)
            )
            return
        stream = ScriptStream(
            request,
            time.monotonic(),
            prompt_tokens=prompt,
            orders=Orders.of(request, prompt, self._context, self._script),
        )
        self._events.updates(
            [
                StreamUpdate(
                    request.request_id,
                    prompt_tokens=prompt,
                    opens_reasoning=stream.orders.opens_reasoning,
                )
            ]
        )
        self._batch.add(stream)

    def _began(self, stream: ScriptStream) -> None:
        self._events.updates([StreamUpdate(stream.request.request_id, running=True)])

    def _measure(self, request: Measure) -> None:
        if self._batch.streams:
            self._events.failed(not_measured(request.request_id))
            return
        speed = self._speed
        if self._script.hang_measure and speed != 1.0:
            self._measuring = request.request_id
            return
        self._events.measured(
            Measured(
                request.request_id,
                tuple(
                    Rate(
                        streams,
                        prompt_tps=speed * max(self._script.prefill_tokens_per_second, 1000.0),
                        decode_tps=speed * streams * self._script.tokens_per_second,
                        seconds=request.output_tokens / (speed * self._script.tokens_per_second),
                    )
                    for streams in request.streams
                ),
            )
        )

    def _sleep(self) -> None:
        refusal = None
        if self._script.gpus == 0:
            refusal = cannot_sleep()
        elif self._batch.streams:
            refusal = sleep_busy()
        elif cause := self._script.fail_sleep:
            refusal = Failure(Scope.SLEEP, cause, code="scripted")
        if refusal is not None:
            self._events.failed(refusal)
            return
        time.sleep(self._script.sleep_seconds)
        self._batch.forget()
        self._asleep = True
        self._events.slept()

    def _wake(self) -> None:
        if self._script.fail_wake:
            self._events.failed(Failure(Scope.SLEEP, self._script.fail_wake, code="scripted"))
            return
        time.sleep(self._script.sleep_seconds)
        self._asleep = False
        self._events.woke()
        held, self._held = self._held, []
        for request in held:
            self._admit(request)

    def _produce(self, now: float) -> None:
        updates: list[StreamUpdate] = []
        while (found := self._batch.next_due(now)) is not None:
            due, stream = found
            request_id = stream.request.request_id
            orders, produced = stream.orders, stream.completion_tokens
            if produced == orders.crash_at:
                self._events.updates(updates)
                time.sleep(0.05)  # let the last frame out: the partial answer must be seen
                os.kill(os.getpid(), signal.SIGABRT)
            if produced == orders.fail_at:
                self._events.updates(updates)
                updates = []
                self._drop(stream)
                self._events.failed(
                    Failure(
                        Scope.REQUEST,
                        "The model stopped with an error.",
                        code="scripted",
                        request_id=request_id,
                        remedies=(Remedy("Try again", RemedyAction.RETRY),),
                    )
                )
                continue
            if produced == orders.hang_at:
                continue
            assert self._telemetry is not None
            self._telemetry.produced(stream, 1, stream.cached_tokens, now)
            self._telemetry.moved()
            finish = None
            if produced + 1 >= orders.limit:
                finish = self._finish(stream, orders.limit_reason, orders.stop_string)
            else:
                # After a stall (a busy machine) the stream catches up, as a GPU would not.
                self._batch.push(stream, max(due + 1.0 / (orders.rate * self._speed), now - 1.0))
            updates.append(
                StreamUpdate(request_id, text=orders.words[produced], tokens=1, finish=finish)
            )
        self._events.updates(updates)

    def _cancel(self, request_id: str) -> None:
        stream = self._batch.streams.get(request_id)
        if stream is not None:
            finish = self._finish(stream, FinishReason.CANCELLED)
            self._events.updates([StreamUpdate(request_id, finish=finish)])
        if request_id and request_id == self._measuring:
            self._measuring = ""
            self._events.measured(Measured(request_id, (), cancelled=True))
        kept = [request for request in self._held if request.request_id != request_id]
        if len(kept) < len(self._held):
            self._held = kept
            finish = Finish(FinishReason.CANCELLED, 0, 0, 0.0, None)
            self._events.updates([StreamUpdate(request_id, finish=finish)])

    def _finish(self, stream: ScriptStream, reason: FinishReason, stop_string: str = "") -> Finish:
        self._drop(stream)
        return stream.finish(reason, time.monotonic(), BLOCK_SIZE, stop_string)

    def _drop(self, stream: ScriptStream) -> None:
        if self._telemetry is not None:
            self._telemetry.moved()
        self._batch.drop(stream)

    def _report(self) -> None:
        if self._telemetry is not None:
            self._telemetry.report(0, dict, idle=not self._batch.streams)
