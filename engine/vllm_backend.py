"""The real backend: a thread that owns vLLM's LLMEngine in this process and steps it.

One thread imports, loads, adds, steps and aborts; prompts are rendered in another
(`vllm_prompts`). Between two steps the thread takes commands, so Stop acts within a step.
"""

from __future__ import annotations

import gc
import queue
import resource
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.backend import Events
from engine.cpu_share import CpuShare
from engine.failures import explain
from engine.kv_map import KvMap
from engine.measuring import Measurement, not_measured
from engine.protocol import (
    Cancel,
    CountTokens,
    Failure,
    FinishReason,
    Generate,
    Load,
    Loaded,
    LoadProgress,
    LoadSettings,
    LoadStage,
    Measure,
    Remedy,
    RemedyAction,
    Scope,
    Sleep,
    StreamUpdate,
    Telemetry,
    Wake,
)
from engine.sampling_limits import refusal
from engine.store.model_folder import ModelFolderError, read_model_folder
from engine.streams import Stream
from engine.vllm_loading import StageClock, build_engine
from engine.vllm_prompts import PromptRenderer, Rendered
from engine.vllm_sampling import default_sampling, sampling_params

_Command = Load | Rendered | Failure | Cancel | Measure | Sleep | Wake
TELEMETRY_SECONDS = 0.25
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
        self._engine: Any = None
        self._prompts: PromptRenderer | None = None
        self._kv: KvMap
        self._streams: dict[str, Stream] = {}
        self._internal: dict[str, str] = {}  # vLLM's id -> ours, until seen running
        self._block_size = 1
        self._context = 0
        self._share: CpuShare | None = None
        self._set_threads: Any = None
        self._load_asked = 0.0
        self._defaults: dict[str, Any] = {}  # sampling, from the model's generation config
        self._added: list[StreamUpdate] = []  # accepted in this turn
        self._measurement: Measurement | None = None
        self._asleep = False
        self._held: list[Rendered] = []  # came while it slept
        self._generated = self._prompted = 0
        self._last_telemetry = time.monotonic()
        self._last_sent: Telemetry | None = None

    # --- any thread ---------------------------------------------------------------

    def start(self, events: Events) -> None:
        """Begin importing vLLM."""
        self._events = events
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
            case Rendered() if self._asleep:
                self._held.append(command)
            case Measure():
                self._measure(command)
            case Sleep():
                self._sleep()
            case Wake():
                self._wake()
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
        try:
            facts = read_model_folder(Path(load.model))
            self._engine = build_engine(facts, load.settings, clock, self._start_prompts)
            self._kv = KvMap(self._engine)
            clock.enter(LoadStage.WARMING_UP)
            self._warm_up()
        except ModelFolderError as error:
            self._events.failed(_with_load_id(error.failure, load.load_id))
            return
        except Exception:
            error_text = traceback.format_exc()
            print(error_text, file=sys.stderr)
            self._events.failed(explain(Scope.LOAD, error_text, load_id=load.load_id))
            return
        # What has been loaded stays: later collections need not walk through it.
        gc.collect()
        gc.freeze()
        gc.enable()
        clock.finish()
        self._events.loaded(self._describe(load, clock))

    def _start_prompts(self, config: Any) -> None:
        self._prompts = PromptRenderer(
            config,
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

    def _describe(self, load: Load, clock: StageClock) -> Loaded:
        import vllm
        from vllm.platforms import current_platform

        config = self._engine.vllm_config
        self._block_size = config.cache_config.block_size
        self._context = config.model_config.max_model_len
        # Read once: each call opens and parses the file again.
        self._defaults = config.model_config.get_diff_sampling_param()
        assert self._prompts is not None
        self._prompts.set_context(self._context)
        on_cpu = current_platform.is_cpu()
        if on_cpu and config.parallel_config.world_size == 1:
            import torch

            self._share = CpuShare(torch.get_num_threads())
        pool = self._kv.pool()
        return Loaded(
            load_id=load.load_id,
            model=load.model,
            context=self._context,
            kv_blocks=pool.total,
            block_size=self._block_size,
            max_num_seqs=config.scheduler_config.max_num_seqs,
            dtype=str(config.model_config.dtype).removeprefix("torch."),
            device="CPU" if on_cpu else current_platform.get_device_name(),
            kv_cache_bytes=config.cache_config.kv_cache_memory_bytes or 0,
            seconds=clock.elapsed,
            stages=tuple(clock.times),
            default_sampling=default_sampling(self._defaults),
            engine_version=f"vllm {vllm.__version__.partition('+')[0]}",
            quantization=config.model_config.quantization or "",
            template_hash=self._prompts.template_hash,
        )

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
                priority=request.priority,
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
        if self._measurement and self._measurement.request.request_id == request_id:
            self._engine.abort_request(sorted(self._measurement.keys))
            self._events.measured(self._measurement.result(cancelled=True))
            self._measurement = None
        stream = self._streams.pop(request_id, None)
        if stream is None:
            return
        self._tell_added()
        if stream.internal_id:
            self._internal.pop(stream.internal_id, None)
            self._engine.abort_request([request_id])
        finish = stream.finish(FinishReason.CANCELLED, time.monotonic(), self._block_size)
        self._events.updates([StreamUpdate(request_id, finish=finish)])

    # --- measuring, sleeping ----------------------------------------------------------

    def _measure(self, request: Measure) -> None:
        config = self._engine.vllm_config.model_config
        if self._streams or self._measurement:
            self._events.failed(not_measured(request.request_id))
        elif request.prompt_tokens + request.output_tokens > self._context:
            fault = "A measurement must fit into the model's context."
            self._events.failed(refusal(request.request_id, fault))
        else:
            self._measurement = Measurement(request, config.get_vocab_size())
            self._add_probes()

    def _add_probes(self) -> None:
        """The next run of the measurement, or its end."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        assert self._measurement is not None
        probes = self._measurement.start(time.monotonic())
        for probe in probes:
            length = probe.output_tokens
            sampling = SamplingParams(
                temperature=0.0,
                min_tokens=length,
                max_tokens=length,
                ignore_eos=True,
                detokenize=False,
                output_kind=RequestOutputKind.DELTA,
            )
            prompt = {"prompt_token_ids": probe.prompt}
            self._engine.add_request(probe.key, prompt, sampling)
        if not probes:
            self._events.measured(self._measurement.result())
            self._measurement = None

    def _probed(self, output: Any, now: float) -> None:
        """A request of the measurement went on."""
        if self._measurement is not None:
            new = len(output.outputs[0].token_ids)
            if self._measurement.feed(output.request_id, new, output.finished, now):
                self._add_probes()

    def _sleep(self) -> None:
        from vllm.platforms import current_platform

        if current_platform.is_cpu():
            cause = "A model on the CPU cannot sleep: it has no other memory to go to."
            self._events.failed(Failure(Scope.SLEEP, cause, code="cannot_sleep"))
        elif self._streams or self._measurement:
            cause = "The model cannot sleep while answers are under way."
            self._events.failed(Failure(Scope.SLEEP, cause, code="busy"))
        else:
            self._change_sleep(lambda: self._engine.sleep(level=1), asleep=True)

    def _wake(self) -> None:
        self._change_sleep(self._engine.wake_up, asleep=False)
        held, self._held = self._held, []
        for rendered in held:
            self._obey(rendered)

    def _change_sleep(self, change: Callable[[], None], *, asleep: bool) -> None:
        try:
            change()
        except Exception:
            error = traceback.format_exc()
            print(error, file=sys.stderr)
            self._events.failed(explain(Scope.SLEEP, error))
            return
        self._asleep = asleep
        (self._events.slept if asleep else self._events.woke)()

    def _step(self) -> None:
        if self._share is not None and self._share.sample():
            self._set_threads(self._share.threads)
        outputs = self._engine.step()
        now = time.monotonic()
        updates: list[StreamUpdate] = []
        failures: list[Failure] = []
        for output in outputs:
            stream = self._streams.get(output.request_id)
            if stream is None:
                self._probed(output, now)
                continue
            completion = output.outputs[0]
            new = len(completion.token_ids)
            self._generated += new
            if stream.produced(new, now):
                stream.cached_tokens = output.num_cached_tokens or 0
                self._prompted += stream.prompt_tokens - stream.cached_tokens
            finish = None
            if output.finished:
                del self._streams[output.request_id]
                reason = stream.reason(completion.finish_reason, self._context)
                if reason is FinishReason.FAILED:  # such as a grammar that was not compiled
                    failures.append(_gave_up(output.request_id))
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
        now = time.monotonic()
        elapsed = now - self._last_telemetry
        if self._engine is None or elapsed < TELEMETRY_SECONDS:
            return
        pool = self._kv.pool()
        running, waiting = self._kv.counts()
        reading = Telemetry(
            running=running,
            waiting=waiting,
            kv_used=pool.used,
            kv_total=pool.total,
            generation_tps=self._generated / elapsed,
            prompt_tps=self._prompted / elapsed,
            kv_cached=pool.cached,
            resident_bytes=_resident_bytes(),
            threads=self._share.threads if self._share else 0,
        )
        self._generated = self._prompted = 0
        self._last_telemetry = now
        if idle and reading == self._last_sent:
            return  # nothing moves: send nothing
        self._last_sent = reading
        self._events.telemetry(reading)


def _resident_bytes() -> int:
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123 - four times a second
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _gave_up(request_id: str) -> Failure:
    return Failure(
        Scope.REQUEST,
        "The engine gave this answer up. The log may say why.",
        code="given_up",
        request_id=request_id,
        remedies=(
            Remedy("Try again", RemedyAction.RETRY),
            Remedy("Show the log", RemedyAction.SHOW_LOG),
        ),
    )


def _with_load_id(failure: Failure, load_id: int) -> Failure:
    import msgspec

    return msgspec.structs.replace(failure, load_id=load_id)
