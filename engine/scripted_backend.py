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
import re
import signal
import subprocess
import threading
import time
import zlib
from dataclasses import dataclass, field, fields
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

BLOCK_SIZE = 16

ANSWER = """\
Paged attention keeps the keys and values of every token in **blocks** of fixed size, so \
a chat holds only what it uses.

## How a block is found

1. The scheduler asks the pool for a free block.
2. The *block table* of the request gains one entry.
3. The kernel reads through the table, as a page table would be read.

```python
def blocks_needed(tokens: int, block_size: int = 16) -> int:
    \"\"\"How many KV blocks hold `tokens`.\"\"\"
    return -(-tokens // block_size)
```

| chats | tokens each | blocks |
| ---: | ---: | ---: |
| 1 | 4,096 | 256 |
| 4 | 1,024 | 256 |

> Sharing a prefix costs nothing: two chats point at the same block.

So a prompt of 4,096 tokens takes 256 blocks, whichever chat asks first.
"""


@dataclass(frozen=True, slots=True)
class Script:
    """How the scripted engine behaves. Times in seconds."""

    tokens_per_second: float = 60.0
    import_seconds: float = 0.0
    load_seconds: float = 0.2
    prefill_seconds: float = 0.02
    max_running: int = 64
    context: int = 8192  # tokens
    kv_blocks: int = 4096
    fail_load: str = ""  # the cause a load fails with
    hang_load: int = 0  # 1: a load never ends
    crash_load: int = 0  # 1: the process dies in mid-load
    children: int = 0  # processes below the engine, as tensor parallelism has them

    @classmethod
    def parse(cls, text: str) -> Script:
        """Read "name=value name=value"; underscores in text values become spaces.

        Raises:
            ValueError: an unknown name, or a value of the wrong type.
        """
        kinds: dict[str, type] = {item.name: type(item.default) for item in fields(cls)}
        values: dict[str, float | int | str] = {}
        for word in text.split():
            name, _, value = word.partition("=")
            if name not in kinds:
                raise ValueError(f"unknown script setting {name!r}")
            kind = kinds[name]
            values[name] = value.replace("_", " ") if kind is str else kind(value)
        return cls(**values)  # type: ignore[arg-type]


def count_words(request: Generate | CountTokens) -> int:
    """The scripted tokenizer: a token a word, and four a message for the template."""
    return sum(4 + len(message.content.split()) for message in request.messages)


@dataclass(slots=True)
class _Stream:
    request: Generate
    words: list[str]
    prompt_tokens: int
    received: float
    interval: float
    started: float | None = None
    first: float | None = None
    produced: int = 0
    sent: int = 0
    crash_at: int = -1
    hang_at: int = -1
    fail_at: int = -1
    limit: int = 0
    limit_reason: FinishReason = FinishReason.STOP
    order: int = field(default=0)

    @property
    def blocks(self) -> int:
        return -(-(self.prompt_tokens + self.produced) // BLOCK_SIZE)


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
        stream = self._make_stream(request, prompt)
        self._streams[request.request_id] = stream
        self._events.updates([StreamUpdate(request.request_id, prompt_tokens=prompt)])
        if self._running() <= self._script.max_running:
            self._begin(stream)
        else:
            self._waiting.append(stream)

    def _running(self) -> int:
        return len(self._streams) - len(self._waiting)

    def _begin(self, stream: _Stream) -> None:
        stream.started = time.monotonic()
        self._prompt_since += stream.prompt_tokens
        self._events.updates([StreamUpdate(stream.request.request_id, running=True)])
        self._push(stream, stream.started + self._script.prefill_seconds)

    def _push(self, stream: _Stream, due: float) -> None:
        heapq.heappush(self._due, (due, stream.order, stream.request.request_id))

    def _make_stream(self, request: Generate, prompt: int) -> _Stream:
        text = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
        words, rate, long = _words(text), self._script.tokens_per_second, 0
        marks = {"crash": -1, "hang": -1, "fail": -1}
        for name, value in re.findall(r"/(long|crash|hang|fail|rate)\s+(\d+)", text):
            if name == "long":
                long = int(value)
            elif name == "rate":
                rate = float(value)
            else:
                marks[name] = int(value)
        if long:
            words = [words[i % len(words)] for i in range(long)]
        room = self._script.context - prompt
        limit = len(words)
        reason = FinishReason.STOP
        maximum = request.sampling.max_tokens
        if maximum is not None and maximum < limit:
            limit, reason = maximum, FinishReason.LENGTH
        if room < limit:
            limit, reason = room, FinishReason.CONTEXT
        return _Stream(
            request,
            words,
            prompt,
            time.monotonic(),
            1.0 / max(rate, 0.001),
            crash_at=marks["crash"],
            hang_at=marks["hang"],
            fail_at=marks["fail"],
            limit=limit,
            limit_reason=reason,
            order=next(self._order),
        )

    def _produce(self, now: float) -> None:
        updates: list[StreamUpdate] = []
        while self._due and self._due[0][0] <= now:
            due, _, request_id = heapq.heappop(self._due)
            stream = self._streams.get(request_id)
            if stream is None:
                continue
            if stream.produced == stream.crash_at:
                self._events.updates(updates)
                time.sleep(0.05)  # let the last frame out: the partial answer must be seen
                os.kill(os.getpid(), signal.SIGABRT)
            if stream.produced == stream.fail_at:
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
            if stream.produced == stream.hang_at:
                continue
            word = stream.words[stream.produced]
            stream.produced += 1
            self._tokens_since += 1
            if stream.first is None:
                stream.first = now
            finish = None
            if stream.produced >= stream.limit:
                finish = self._finish(stream, stream.limit_reason)
            else:
                # After a stall (a busy machine) the stream catches up, as a GPU would not.
                self._push(stream, max(due + stream.interval, now - 1.0))
            updates.append(StreamUpdate(request_id, text=word, tokens=1, finish=finish))
        self._events.updates(updates)

    def _cancel(self, request_id: str) -> None:
        stream = self._streams.get(request_id)
        if stream is not None:
            finish = self._finish(stream, FinishReason.CANCELLED)
            self._events.updates([StreamUpdate(request_id, finish=finish)])

    def _finish(self, stream: _Stream, reason: FinishReason) -> Finish:
        now = time.monotonic()
        blocks = stream.blocks
        self._drop(stream)
        decode = now - stream.first if stream.first is not None else 0.0
        return Finish(
            reason,
            prompt_tokens=stream.prompt_tokens,
            completion_tokens=stream.produced,
            seconds=now - stream.received,
            ttft=None if stream.first is None else stream.first - stream.received,
            queued=(stream.started or now) - stream.received,
            kv_blocks=blocks,
            decode_tps=(stream.produced - 1) / decode if stream.produced > 1 and decode else None,
        )

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
        used = sum(s.blocks for s in self._streams.values() if s.started is not None)
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


def _words(text: str) -> list[str]:
    """The scripted answer to `text`, cut into tokens that join to the whole."""
    if "/echo " in text:
        answer = text.split("/echo ", 1)[1]
    else:
        openings = ("Certainly.", "Good question.", "Here is how it works.", "In short:")
        opening = openings[zlib.crc32(text.encode()) % len(openings)]
        answer = f"{opening}\n\n{ANSWER}"
    return re.findall(r"\s*\S+|\s+$", answer) or [" "]
