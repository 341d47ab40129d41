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

import hashlib
import heapq
import itertools
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.backend import Events
from engine.kv_pool import PoolReading
from engine.overflow import longest_fit, too_long
from engine.protocol import (
    Cancel,
    CountTokens,
    Failure,
    Finish,
    FinishReason,
    Generate,
    KvReport,
    Load,
    Loaded,
    LoadProgress,
    LoadSettings,
    LoadStage,
    Measure,
    Measured,
    Rate,
    Remedy,
    RemedyAction,
    Sampling,
    Scope,
    Sleep,
    StageTime,
    StreamUpdate,
    TokenCount,
    Wake,
    Watch,
)
from engine.refusals import cannot_sleep, not_measured, sleep_busy
from engine.script import Orders, Script, count_words
from engine.script_loads import as_used, context_of, memory_of, to_be_converted
from engine.script_pool import ScriptPool, block_keys
from engine.streams import Stream
from engine.telemetry import TelemetryDesk

_Command = Load | Generate | Cancel | CountTokens | Measure | Sleep | Wake | Watch
BLOCK_SIZE = 16
# Streams are served together in ticks: fewer wake-ups, and half of what a frame holds anyway.
TICK_SECONDS = 0.012
DEFAULT_SAMPLING = Sampling(temperature=0.7, top_p=0.95, top_k=40, repetition_penalty=1.05)


@dataclass(slots=True)
class _Stream(Stream):
    """A stream with its orders; `order` breaks ties among streams that are due together."""

    orders: Orders = field(kw_only=True)
    order: int = field(kw_only=True)
    blocks: list[int] = field(default_factory=list)
    turn: int = 0  # counts its times in the batch: what was due in an earlier one is void


class ScriptedBackend:
    """See the module. One thread owns all streams."""

    name = "scripted"

    def __init__(self, script: Script) -> None:
        self._script = script
        self._commands: queue.SimpleQueue[_Command | None] = queue.SimpleQueue()
        self._events: Events
        self._streams: dict[str, _Stream] = {}
        self._waiting: list[tuple[int, int, _Stream]] = []  # a heap by priority and order
        self._pool = ScriptPool(script.kv_blocks, BLOCK_SIZE)
        self._next_tick = 0.0
        self._due: list[tuple[float, int, int, str]] = []
        self._order = itertools.count()
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
            timeout = max(0.0, self._next_tick - now, self._due[0][0] - now) if self._due else 0.25
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
        began = time.monotonic()
        script = self._script
        folder, settings = Path(load.model), load.settings
        several = settings.tensor_parallel_size > 1
        fails = script.fail_load or (script.fail_tp if several else "")
        if fails or not (folder.is_dir() or (folder.suffix == ".gguf" and folder.is_file())):
            cause = fails or f"There is no model folder at {load.model}."
            remedies = (
                Remedy("Choose another model", RemedyAction.CHOOSE_MODEL),
                Remedy("Try again", RemedyAction.RETRY),
            )
            code = "scripted" if fails else "model_missing"
            self._events.failed(
                Failure(Scope.LOAD, cause, code=code, remedies=remedies, load_id=load.load_id)
            )
            return
        if script.converts and (refused := to_be_converted(folder, load.load_id)):
            self._events.failed(refused)
            return
        stages: list[StageTime] = []
        steps, p2p_off = 5, settings.disable_p2p
        for stage in LoadStage:
            if stage is LoadStage.DESCRIBING:
                continue  # what it plays are folders
            entered = time.monotonic()
            for step in range(steps):
                self._events.load_progress(
                    LoadProgress(load.load_id, stage, time.monotonic() - began, step / steps)
                )
                if stage is LoadStage.PROFILING_MEMORY and step == 2:
                    if script.crash_load:
                        os.kill(os.getpid(), signal.SIGABRT)
                    if script.hang_load or (several and script.hang_tp and not p2p_off):
                        threading.Event().wait()
                time.sleep(script.load_seconds / (steps * len(LoadStage)))
            stages.append(StageTime(stage, time.monotonic() - entered))
        self._telemetry = TelemetryDesk(self, self._events.telemetry, self._events.kv_report)
        self._telemetry.watch(self._watch_seconds)
        self._context = context_of(settings, script)
        self._speed = script.tp_speed if several else 1.0
        self._events.loaded(
            Loaded(
                load_id=load.load_id,
                model=load.model,
                context=self._context,
                kv_blocks=script.kv_blocks,
                block_size=BLOCK_SIZE,
                max_num_seqs=script.max_running,
                dtype="scripted",
                device="Scripted GPU" if script.gpus else "scripted",
                kv_cache_bytes=script.kv_blocks * BLOCK_SIZE * 1024,
                seconds=time.monotonic() - began,
                stages=tuple(stages),
                default_sampling=DEFAULT_SAMPLING,
                engine_version="scripted",
                template_hash=hashlib.sha256(b"scripted").hexdigest()[:16],
                can_sleep=script.gpus > 0,
                tensor_parallel_size=settings.tensor_parallel_size,
                kv_tokens=script.kv_blocks * BLOCK_SIZE,
                settings=as_used(settings, script),
                kernel=script.kernel,
                memory=memory_of(settings, script, script.kv_blocks * BLOCK_SIZE * 1024),
            )
        )

    def _admit(self, request: Generate) -> None:
        prompt = count_words(request.messages)
        room = self._context - max(1, request.reserve)
        if prompt > room:
            keep = longest_fit(request.messages, room, count_words)
            self._events.failed(
                too_long(request.request_id, prompt, self._context, request.reserve, keep)
            )
            return
        stream = _Stream(
            request,
            time.monotonic(),
            prompt_tokens=prompt,
            orders=Orders.of(request, prompt, self._context, self._script),
            order=next(self._order),
        )
        self._streams[request.request_id] = stream
        self._events.updates(
            [
                StreamUpdate(
                    request.request_id,
                    prompt_tokens=prompt,
                    opens_reasoning=stream.orders.opens_reasoning,
                )
            ]
        )
        if self._running() <= self._script.max_running:
            self._begin(stream)
        else:
            heapq.heappush(self._waiting, (request.priority, stream.order, stream))

    def _measure(self, request: Measure) -> None:
        if self._streams:
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
        elif self._streams:
            refusal = sleep_busy()
        elif cause := self._script.fail_sleep:
            refusal = Failure(Scope.SLEEP, cause, code="scripted")
        if refusal is not None:
            self._events.failed(refusal)
            return
        time.sleep(self._script.sleep_seconds)
        self._pool.forget()
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

    def _running(self) -> int:
        return len(self._streams) - len(self._waiting)

    def _begin(self, stream: _Stream) -> None:
        stream.running_since = now = time.monotonic()
        length = stream.prompt_tokens + stream.completion_tokens
        keys = block_keys(stream.request.messages, BLOCK_SIZE)
        stream.blocks, cached = self._pool.begin(keys, length)
        others = any(one.blocks for one in self._streams.values() if one is not stream)
        if self._script.preempts and others and len(stream.blocks) * BLOCK_SIZE < length:
            self._back_to_the_queue(stream)
            return
        read = length - cached
        if not stream.turn:
            stream.cached_tokens = cached
        stream.turn += 1
        self._events.updates([StreamUpdate(stream.request.request_id, running=True)])
        rate = self._script.prefill_tokens_per_second
        seconds = self._script.prefill_seconds + (read / rate if rate > 0 else 0.0)
        self._push(stream, now + seconds)

    def _push(self, stream: _Stream, due: float) -> None:
        heapq.heappush(self._due, (due, stream.order, stream.turn, stream.request.request_id))

    def _produce(self, now: float) -> None:
        updates: list[StreamUpdate] = []
        while self._due and self._due[0][0] <= now:
            due, _, turn, request_id = heapq.heappop(self._due)
            stream = self._streams.get(request_id)
            if stream is None or stream.turn != turn or not self._has_room(stream):
                continue
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
                self._push(stream, max(due + 1.0 / (orders.rate * self._speed), now - 1.0))
            updates.append(
                StreamUpdate(request_id, text=orders.words[produced], tokens=1, finish=finish)
            )
        self._events.updates(updates)

    def _cancel(self, request_id: str) -> None:
        stream = self._streams.get(request_id)
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

    def _finish(self, stream: _Stream, reason: FinishReason, stop_string: str = "") -> Finish:
        self._drop(stream)
        return stream.finish(reason, time.monotonic(), BLOCK_SIZE, stop_string)

    def _has_room(self, stream: _Stream) -> bool:
        """Take a block for the next token where one is needed; False: it was preempted."""
        if stream.prompt_tokens + stream.completion_tokens < len(stream.blocks) * BLOCK_SIZE:
            return True
        while not (taken := self._pool.take(1)) and self._script.preempts:
            running = [one for one in self._streams.values() if one.blocks]
            victim = max(running, key=lambda one: (one.request.priority, one.order))
            if len(running) == 1:
                break  # it alone is too long for the pool
            self._preempt(victim)
            if victim is stream:
                return False
        stream.blocks += taken
        return True

    def _preempt(self, stream: _Stream) -> None:
        """What it has read will be read again."""
        stream.preemptions += 1
        stream.turn += 1
        self._back_to_the_queue(stream)

    def _back_to_the_queue(self, stream: _Stream) -> None:
        self._pool.release(stream.blocks)
        stream.blocks = []
        heapq.heappush(self._waiting, (stream.request.priority, stream.order, stream))

    def _drop(self, stream: _Stream) -> None:
        self._streams.pop(stream.request.request_id, None)
        self._pool.release(stream.blocks)
        if self._telemetry is not None:
            self._telemetry.moved()
        waiting = [item for item in self._waiting if item[2] is not stream]
        if len(waiting) < len(self._waiting):
            heapq.heapify(waiting)
            self._waiting = waiting
            return
        for _ in range(len(self._waiting)):
            if self._running() >= self._script.max_running:
                return
            following = heapq.heappop(self._waiting)[2]
            self._begin(following)
            if not following.blocks:  # there was no room: it waits on
                return

    def _report(self) -> None:
        if self._telemetry is not None:
            self._telemetry.report(0, dict, idle=not self._streams)

    # --- what is read of the pool (`KvPool`) ------------------------------------

    def pool(self) -> PoolReading:
        """The pool now."""
        return self._pool.reading()

    def counts(self) -> tuple[int, int]:
        """How many run, how many wait."""
        return self._running(), len(self._waiting)

    def preemptions(self) -> dict[str, int]:
        """How often each was preempted, where it was."""
        return {
            name: stream.preemptions for name, stream in self._streams.items() if stream.preemptions
        }

    def report(self, step: int, names: Mapping[str, tuple[str, int]]) -> KvReport:  # noqa: ARG002
        """Every block now; the names are the streams' own."""
        queue = {id(item[2]): at for at, item in enumerate(sorted(self._waiting), 1)}
        requests = tuple(
            self._pool.request(stream, stream.blocks, queue.get(id(stream), 0))
            for stream in self._streams.values()
        )
        return self._pool.report(step, requests)
