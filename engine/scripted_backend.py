"""A backend that streams scripted tokens: no torch, no model, the real protocol.

The window's tests and demos use it for what a real model cannot do on cue: thousands of
tokens a second, crashes in mid-word, loads that hang. A "model" is any existing folder.
It is steered by its script (`Script`) and by commands in the last user message:

    /long N       an answer of N tokens          /rate R      R tokens/s
    /crash N      the process aborts after N     /hang N      the stream stalls after N
    /fail N       the request fails after N      /echo TEXT   exactly TEXT
"""

from __future__ import annotations

import heapq
import itertools
import os
import queue
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from engine.backend import Events
from engine.protocol import (
    Cancel,
    CountTokens,
    Failure,
    Finish,
    FinishReason,
    Generate,
    Load,
    Loaded,
    LoadProgress,
    LoadSettings,
    LoadStage,
    Remedy,
    RemedyAction,
    Scope,
    StageTime,
    StreamUpdate,
    Telemetry,
    TokenCount,
)
from engine.script import Orders, Script, count_words
from engine.streams import Stream

BLOCK_SIZE = 16


@dataclass(slots=True)
class _Stream(Stream):
    """A stream with its orders; `order` breaks ties among streams that are due together."""

    orders: Orders = field(kw_only=True)
    order: int = field(kw_only=True)

    @property
    def blocks(self) -> int:
        return -(-(self.prompt_tokens + self.completion_tokens) // BLOCK_SIZE)


class ScriptedBackend:
    """See the module. One thread owns all streams."""

    name = "scripted"

    def __init__(self, script: Script) -> None:
        self._script = script
        self._commands: queue.SimpleQueue[Load | Generate | Cancel | CountTokens | None] = (
            queue.SimpleQueue()
        )
        self._events: Events
        self._streams: dict[str, _Stream] = {}
        self._waiting: list[_Stream] = []
        self._due: list[tuple[float, int, str]] = []
        self._order = itertools.count()
        self._tokens_since = 0
        self._prompt_since = 0
        self._last_telemetry = time.monotonic()
        self._loaded = False

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

    def stop(self) -> None:
        """End the thread."""
        self._commands.put(None)

    # --- the thread ------------------------------------------------------------

    def _run(self) -> None:
        time.sleep(self._script.import_seconds)
        self._events.imported()
        while True:
            now = time.monotonic()
            timeout = max(0.0, self._due[0][0] - now) if self._due else 0.25
            try:
                command = self._commands.get(timeout=timeout)
            except queue.Empty:
                pass
            else:
                if command is None:
                    return
                self._obey(command)
                continue
            self._produce(time.monotonic())
            self._report(time.monotonic())

    def _obey(self, command: Load | Generate | Cancel | CountTokens) -> None:
        match command:
            case Load():
                self._load(command)
            case Generate():
                self._admit(command)
            case Cancel():
                self._cancel(command.request_id)
            case CountTokens():
                self._events.token_count(
                    TokenCount(command.request_id, count_words(command), self._script.context)
                )

    def _load(self, load: Load) -> None:
        began = time.monotonic()
        script = self._script
        folder = Path(load.model)
        if not folder.is_dir() or script.fail_load:
            cause = script.fail_load or f"There is no model folder at {load.model}."
            remedies = (
                Remedy("Choose another model", RemedyAction.CHOOSE_MODEL),
                Remedy("Try again", RemedyAction.RETRY),
            )
            code = "scripted" if script.fail_load else "model_missing"
            self._events.failed(
                Failure(Scope.LOAD, cause, code=code, remedies=remedies, load_id=load.load_id)
            )
            return
        stages: list[StageTime] = []
        steps = 5
        for stage in LoadStage:
            entered = time.monotonic()
            for step in range(steps):
                self._events.load_progress(
                    LoadProgress(load.load_id, stage, time.monotonic() - began, step / steps)
                )
                if stage is LoadStage.PROFILING_MEMORY and step == 2:
                    if script.crash_load:
                        os.kill(os.getpid(), signal.SIGABRT)
                    if script.hang_load:
                        threading.Event().wait()
                time.sleep(script.load_seconds / (steps * len(LoadStage)))
            stages.append(StageTime(stage, time.monotonic() - entered))
        self._loaded = True
        self._events.loaded(
            Loaded(
                load_id=load.load_id,
                model=load.model,
                context=load.settings.max_model_len or script.context,
                kv_blocks=script.kv_blocks,
                block_size=BLOCK_SIZE,
                max_num_seqs=script.max_running,
                dtype="scripted",
                device="scripted",
                kv_cache_bytes=script.kv_blocks * BLOCK_SIZE * 1024,
                seconds=time.monotonic() - began,
                stages=tuple(stages),
            )
        )

    def _admit(self, request: Generate) -> None:
        prompt = count_words(request)
        context = self._script.context
        if prompt >= context:
            cause = f"This chat makes {prompt:,} tokens; the model reads {context:,}."
            self._events.failed(
                Failure(
                    Scope.REQUEST,
                    cause,
                    code="prompt_too_long",
                    request_id=request.request_id,
                    remedies=(Remedy("Shorten the message", RemedyAction.SHORTEN_PROMPT),),
                    prompt_tokens=prompt,
                    context=context,
                )
            )
            return
        stream = _Stream(
            request,
            time.monotonic(),
            prompt_tokens=prompt,
            orders=Orders.of(request, prompt, self._script),
            order=next(self._order),
        )
        self._streams[request.request_id] = stream
        self._events.updates([StreamUpdate(request.request_id, prompt_tokens=prompt)])
        if self._running() <= self._script.max_running:
            self._begin(stream)
        else:
            self._waiting.append(stream)

    def _running(self) -> int:
        return len(self._streams) - len(self._waiting)

    def _begin(self, stream: _Stream) -> None:
        stream.running_since = now = time.monotonic()
        self._prompt_since += stream.prompt_tokens
        self._events.updates([StreamUpdate(stream.request.request_id, running=True)])
        self._push(stream, now + self._script.prefill_seconds)

    def _push(self, stream: _Stream, due: float) -> None:
        heapq.heappush(self._due, (due, stream.order, stream.request.request_id))

    def _produce(self, now: float) -> None:
        updates: list[StreamUpdate] = []
        while self._due and self._due[0][0] <= now:
            due, _, request_id = heapq.heappop(self._due)
            stream = self._streams.get(request_id)
            if stream is None:
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
            stream.produced(1, now)
            self._tokens_since += 1
            finish = None
            if produced + 1 >= orders.limit:
                finish = self._finish(stream, orders.limit_reason)
            else:
                # After a stall (a busy machine) the stream catches up, as a GPU would not.
                self._push(stream, max(due + 1.0 / orders.rate, now - 1.0))
            updates.append(
                StreamUpdate(request_id, text=orders.words[produced], tokens=1, finish=finish)
            )
        self._events.updates(updates)

    def _cancel(self, request_id: str) -> None:
        stream = self._streams.get(request_id)
        if stream is not None:
            finish = self._finish(stream, FinishReason.CANCELLED)
            self._events.updates([StreamUpdate(request_id, finish=finish)])

    def _finish(self, stream: _Stream, reason: FinishReason) -> Finish:
        self._drop(stream)
        return stream.finish(reason, time.monotonic(), BLOCK_SIZE)

    def _drop(self, stream: _Stream) -> None:
        self._streams.pop(stream.request.request_id, None)
        if stream in self._waiting:
            self._waiting.remove(stream)
        elif self._waiting:
            self._begin(self._waiting.pop(0))

    def _report(self, now: float) -> None:
        elapsed = now - self._last_telemetry
        if not self._loaded or elapsed < 0.25:
            return
        used = sum(s.blocks for s in self._streams.values() if s.running_since is not None)
        self._events.telemetry(
            Telemetry(
                running=self._running(),
                waiting=len(self._waiting),
                kv_used=min(used, self._script.kv_blocks),
                kv_total=self._script.kv_blocks,
                generation_tps=self._tokens_since / elapsed,
                prompt_tps=self._prompt_since / elapsed,
            )
        )
        self._tokens_since = self._prompt_since = 0
        self._last_telemetry = now
