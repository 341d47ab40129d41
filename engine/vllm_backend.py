"""The real backend: a thread that owns vLLM's LLMEngine in this process and steps it.

One thread imports, loads, adds, steps and aborts; prompts are rendered in another
(`vllm_prompts`). Between two steps the thread takes commands, so Stop acts within a step.
"""

from __future__ import annotations

import gc
import queue
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from engine.backend import Events
from engine.cpu_share import CpuShare
from engine.failures import explain
from engine.kv_map import KvMap
from engine.load_known import known_of
from engine.protocol import (
    Cancel,
    CountTokens,
    Failure,
    FinishReason,
    Generate,
    Load,
    LoadProgress,
    LoadSettings,
    LoadStage,
    Measure,
    Scope,
    Sleep,
    StreamUpdate,
    Wake,
    Watch,
)
from engine.refusals import given_up
from engine.stage_clock import StageClock
from engine.store.gguf_source import source_of
from engine.store.gguf_way import has_plugin
from engine.store.model_folder import ModelFacts, ModelFolderError, read_model_folder
from engine.streams import Stream
from engine.telemetry import TelemetryDesk
from engine.vllm_chat import read_template
from engine.vllm_describe import describe
from engine.vllm_loading import build_engine
from engine.vllm_measuring import MeasuringDesk
from engine.vllm_prompts import PromptRenderer, Rendered
from engine.vllm_sampling import sampling_params, with_defaults
from engine.vllm_sleep import Bed

_Command = Load | Rendered | Failure | Cancel | Measure | Sleep | Wake | Watch
WORKER_DIED = "Worker proc died unexpectedly"
# An idle engine waits this long for prompts that have arrived but are not rendered yet, so
# that a burst of chats shares one prefill instead of queueing behind the first.
GATHER_SECONDS = 0.02
# Python's default of 5 ms would let the stepping thread delay every frame by as much.
SWITCH_SECONDS = 0.0005


class VllmBackend:
    """See the module."""

    name = "vllm"

    def __init__(self) -> None:
        self._commands: queue.SimpleQueue[_Command | None] = queue.SimpleQueue()
        self._events: Events
        self._measuring: MeasuringDesk
        self._bed: Bed
        self._engine: Any = None
        self._prompts: PromptRenderer | None = None
        self._kv: KvMap
        self._telemetry: TelemetryDesk | None = None
        self._watch_seconds = 0.0
        self._streams: dict[str, Stream] = {}
        self._internal: dict[str, str] = {}  # vLLM's id -> ours, until seen running
        self._block_size = 1
        self._context = 0
        self._has_priorities = True
        self._weights_bytes = 0
        self._share: CpuShare | None = None
        self._set_threads: Any = None
        self._load_asked = 0.0
        self._defaults: dict[str, Any] = {}  # sampling, where a request says nothing
        self._has_own_defaults = False  # they are the model's
        self._added: list[StreamUpdate] = []  # accepted in this turn

    # --- any thread ---------------------------------------------------------------

    def start(self, events: Events) -> None:
        """Begin importing vLLM."""
        self._events = events
        self._measuring = MeasuringDesk(events.measured, events.failed)
        self._bed = Bed(events.slept, events.woke, events.failed)
        sys.setswitchinterval(SWITCH_SECONDS)
        threading.Thread(target=self._run, name="engine", daemon=True).start()

    def load(self, load_id: int, model: str, settings: LoadSettings) -> None:
        """Queue the load behind the import."""
        self._load_asked = time.monotonic()
        self._events.load_progress(LoadProgress(load_id, LoadStage.IMPORTING, 0.0))
        self._commands.put(Load(load_id, model, settings))

    def generate(self, request: Generate) -> None:
        """Render the prompt, then queue it for the engine."""
        assert self._prompts is not None
        self._streams[request.request_id] = Stream(request, time.monotonic())
        self._prompts.generate(request)

    def cancel(self, request_id: str) -> None:
        """Abort between two steps."""
        self._commands.put(Cancel(request_id))

    def count_tokens(self, request: CountTokens) -> None:
        """Count in the rendering thread: no stream waits for it."""
        assert self._prompts is not None
        self._prompts.count(request)

    def measure(self, request: Measure) -> None:
        """Add the measurement's requests between two steps."""
        self._commands.put(request)

    def sleep(self) -> None:
        """Sleep between two steps."""
        self._commands.put(Sleep())

    def wake(self) -> None:
        """Wake, then add what waited."""
        self._commands.put(Wake())

    def watch(self, seconds: float) -> None:
        """Watch from the next turn on."""
        self._commands.put(Watch(seconds))

    def stop(self) -> None:
        """Ask the threads to end; the process exits next anyway."""
        self._commands.put(None)

    # --- the engine thread ----------------------------------------------------------

    def _run(self) -> None:
        # Importing and loading make hardly any garbage; looking for it takes a tenth of them.
        gc.disable()
        try:
            self._import()
            self._events.imported()
            while self._turn():
                pass
        except Exception:
            # vLLM is not usable after a failed step: the window starts a fresh engine.
            self._events.failed(explain(Scope.ENGINE, traceback.format_exc()))

    def _import(self) -> None:
        import torch
        import vllm.v1.engine.llm_engine  # noqa: F401  the long part: torch, vllm, transformers

        # vLLM's CPU worker replaces torch.set_num_threads by a warning; keep the original.
        self._set_threads = torch.set_num_threads

    def _turn(self) -> bool:
        """Take what has come, then step once. False: end."""
        busy = self._engine is not None and self._engine.has_unfinished_requests()
        try:
            command = self._commands.get_nowait() if busy else self._commands.get(timeout=0.5)
        except queue.Empty:
            if busy:
                self._step()
            else:
                self._report(idle=True)
            return True
        if not busy and self._prompts is not None:
            # Waiting here also leaves Python's lock to the rendering thread.
            self._prompts.idle.wait(GATHER_SECONDS)
        while command is not None:
            self._obey(command)
            try:
                command = self._commands.get_nowait()
            except queue.Empty:
                self._tell_added()
                return True
        return False

    def _tell_added(self) -> None:
        """All that were added in this turn, at once: each wakes the event loop's thread."""
        if self._added:
            self._events.updates(self._added)
            self._added = []

    def _obey(self, command: _Command) -> None:
        match command:
            case Load():
                self._load(command)
            case Rendered() if self._bed.is_asleep:
                self._bed.hold(command)
            case Measure():
                # It may have been sent before it was known that the model fell asleep.
                busy = bool(self._streams) or self._bed.is_asleep
                self._measuring.begin(self._engine, command, busy=busy, now=time.monotonic())
            case Sleep():
                busy = bool(self._streams) or self._measuring.is_busy
                self._bed.sleep(self._engine, busy=busy, needed=self._weights_bytes)
                if self._telemetry is not None:
                    self._telemetry.moved()
            case Wake():
                for rendered in self._bed.wake(self._engine):
                    self._add(rendered)
            case Watch():
                self._watch_seconds = command.seconds
                if self._telemetry is not None:
                    self._telemetry.watch(command.seconds)
            case Rendered():
                self._add(command)
            case Failure():
                # One that was cancelled meanwhile has had its last word.
                known = self._streams.pop(command.request_id, None) is not None
                if known or not command.request_id:
                    self._events.failed(command)
            case Cancel():
                self._cancel(command.request_id)

    # --- loading ----------------------------------------------------------------------

    def _load(self, load: Load) -> None:
        clock = StageClock(load.load_id, self._events.load_progress, self._load_asked)
        facts: ModelFacts | None = None  # what fails before they are read is a failed load, too
        try:
            source = source_of(
                Path(load.model),
                device="cpu" if _computes_on_cpu() else "cuda",
                plugin=has_plugin(),
                describing=clock.describing,
            )
            facts = read_model_folder(source.folder, load.settings, gguf=source.file)
            template = read_template(load.settings.chat_template)
            built = build_engine(
                facts,
                load.settings,
                clock,
                on_settings=self._events.load_planned,
                on_config=lambda config: self._start_prompts(config, template),
            )
            self._engine = built.engine
            self._kv = KvMap(self._engine)
            self._telemetry = TelemetryDesk(
                self._kv, self._events.telemetry, self._events.kv_report
            )
            self._telemetry.watch(self._watch_seconds)
            clock.enter(LoadStage.WARMING_UP)
            self._warm_up()
            self._note_facts()
            clock.finish()
            assert self._prompts is not None
            loaded = describe(
                load,
                built,
                clock,
                kv_blocks=self._kv.pool().total,
                defaults=self._defaults,
                has_own_defaults=self._has_own_defaults,
                template_hash=self._prompts.template_hash,
            )
        except ModelFolderError as error:
            self._events.failed(_with_load_id(error.failure, load.load_id))
            return
        except Exception:
            error_text = traceback.format_exc()
            print(error_text, file=sys.stderr)
            known = None
            if facts is not None:
                known = known_of(facts, load.settings, on_cpu=_computes_on_cpu())
            self._events.failed(explain(Scope.LOAD, error_text, known=known, load_id=load.load_id))
            return
        self._watch_workers()
        self._weights_bytes = sum(each.weights for each in loaded.memory)
        # What has been loaded stays: later collections need not walk through it.
        gc.collect()
        gc.freeze()
        gc.enable()
        self._events.loaded(loaded)

    def _watch_workers(self) -> None:
        """Where the workers are processes of their own, hear of their death at once.

        VLLM tells of it with the next step only, and there is none while nobody asks.
        """
        executor = self._engine.engine_core.engine_core.model_executor
        if hasattr(executor, "register_failure_callback"):
            executor.register_failure_callback(
                lambda: self._events.failed(explain(Scope.ENGINE, WORKER_DIED))
            )

    def _start_prompts(self, config: Any, template: str | None) -> None:
        self._prompts = PromptRenderer(
            config,
            template,
            rendered=self._commands.put,
            counted=lambda count: self._events.token_count(count),
            failed=self._commands.put,
            count_failed=lambda failure: self._events.failed(failure),
            wanted=lambda request_id: request_id in self._streams,
        )

    def _warm_up(self) -> None:
        """Answer one token: the first forward pass allocates and packs for seconds."""
        from vllm import SamplingParams

        self._engine.add_request(
            "warm-up", {"prompt_token_ids": [1] * 8}, SamplingParams(max_tokens=2, temperature=0)
        )
        while self._engine.has_unfinished_requests():
            self._engine.step()
        self._engine.reset_prefix_cache()
        assert self._prompts is not None
        self._prompts.wait_ready()

    def _note_facts(self) -> None:
        """What the loaded engine settled, and the loop needs at each step."""
        config = self._engine.vllm_config
        self._block_size = config.cache_config.block_size
        self._context = config.model_config.max_model_len
        # Without them vLLM refuses any priority but 0.
        self._has_priorities = config.scheduler_config.policy == "priority"
        # Read once: each call opens and parses the file again.
        model = config.model_config
        self._defaults, self._has_own_defaults = with_defaults(
            model.get_diff_sampling_param(), Path(model.hf_config_path or model.model)
        )
        assert self._prompts is not None
        self._prompts.set_context(self._context)
        if _computes_on_cpu() and config.parallel_config.world_size == 1:
            import torch

            self._share = CpuShare(torch.get_num_threads())

    # --- requests ---------------------------------------------------------------------

    def _add(self, rendered: Rendered) -> None:
        request = rendered.request
        stream = self._streams.get(request.request_id)
        if stream is None:  # cancelled while it was rendered
            return
        stream.prompt_tokens = rendered.prompt_tokens
        try:
            stream.internal_id = self._engine.add_request(
                request.request_id,
                rendered.engine_input,
                sampling_params(
                    request.sampling, self._defaults, self._context - stream.prompt_tokens
                ),
                priority=request.priority if self._has_priorities else 0,
            )
        except Exception:
            # A parameter vLLM refuses: this request's fault, not the engine's.
            del self._streams[request.request_id]
            error = traceback.format_exc()
            self._events.failed(explain(Scope.REQUEST, error, request_id=request.request_id))
            return
        self._internal[stream.internal_id] = request.request_id
        self._added.append(
            StreamUpdate(
                request.request_id,
                prompt_tokens=stream.prompt_tokens,
                opens_reasoning=rendered.opens_reasoning,
            )
        )

    def _cancel(self, request_id: str) -> None:
        self._measuring.cancel(request_id)
        stream = self._streams.pop(request_id, None)
        if stream is None:
            return
        self._tell_added()
        if stream.internal_id:
            self._internal.pop(stream.internal_id, None)
            self._engine.abort_request([request_id])
            if self._telemetry is not None:
                self._telemetry.moved()
        finish = stream.finish(FinishReason.CANCELLED, time.monotonic(), self._block_size)
        self._events.updates([StreamUpdate(request_id, finish=finish)])

    def _step(self) -> None:
        if self._share is not None and self._share.sample():
            self._set_threads(self._share.threads)
        assert self._telemetry is not None
        outputs = self._engine.step()
        self._telemetry.moved()
        now = time.monotonic()
        updates: list[StreamUpdate] = []
        failures: list[Failure] = []
        for output in outputs:
            stream = self._streams.get(output.request_id)
            if stream is None:
                self._measuring.take(output, now)
                continue
            completion = output.outputs[0]
            new = len(completion.token_ids)
            self._telemetry.produced(stream, new, output.num_cached_tokens or 0, now)
            finish = None
            if output.finished:
                del self._streams[output.request_id]
                reason = stream.reason(completion.finish_reason, self._context)
                if reason is FinishReason.FAILED:  # such as a grammar that was not compiled
                    failures.append(given_up(output.request_id))
                    continue
                met = completion.stop_reason
                stop_string = met if isinstance(met, str) else ""
                finish = stream.finish(reason, now, self._block_size, stop_string)
            updates.append(
                StreamUpdate(output.request_id, completion.text, tokens=new, finish=finish)
            )
        if self._internal:
            updates = self._newly_running(now) + updates
        self._events.updates(updates)
        for failure in failures:
            self._events.failed(failure)
        self._report()

    def _newly_running(self, now: float) -> list[StreamUpdate]:
        """Which requests have left the queue since the last step."""
        running = self._kv.running()
        updates: list[StreamUpdate] = []
        for internal_id, request_id in list(self._internal.items()):
            stream = self._streams.get(request_id)
            if stream is None or internal_id in running or stream.first is not None:
                del self._internal[internal_id]
                if stream is not None:
                    stream.running_since = now
                    updates.append(StreamUpdate(request_id, running=True))
        return updates

    def _report(self, *, idle: bool = False) -> None:
        if self._engine is None or self._telemetry is None:
            return
        self._telemetry.report(self._share.threads if self._share else 0, self._names, idle=idle)

    def _names(self) -> dict[str, tuple[str, int]]:
        return {
            stream.internal_id: (request_id, stream.cached_tokens)
            for request_id, stream in self._streams.items()
        }


def _computes_on_cpu() -> bool:
    from vllm.platforms import current_platform

    return bool(current_platform.is_cpu())


def _with_load_id(failure: Failure, load_id: int) -> Failure:
    import msgspec

    return msgspec.structs.replace(failure, load_id=load_id)
