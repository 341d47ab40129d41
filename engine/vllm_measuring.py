"""Runs a measurement on vLLM's engine: its requests are no chat's, and touch none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.measuring import Measurement
from engine.protocol import Failure, Measure, Measured
from engine.refusals import not_measured
from engine.sampling_limits import refusal


class MeasuringDesk:
    """One measurement at a time. All calls come from the thread that steps the engine."""

    def __init__(
        self, measured: Callable[[Measured], None], failed: Callable[[Failure], None]
    ) -> None:
        self._measured = measured
        self._failed = failed
        self._engine: Any = None
        self._under_way: Measurement | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a measurement is under way."""
        return self._under_way is not None

    def begin(self, engine: Any, request: Measure, *, busy: bool, now: float) -> None:
        """Start, or refuse: `busy` tells whether answers are under way."""
        self._engine = engine
        model = engine.vllm_config.model_config
        if busy or self.is_busy:
            self._failed(not_measured(request.request_id))
        elif request.prompt_tokens + request.output_tokens > model.max_model_len:
            fault = "A measurement must fit into the model's context."
            self._failed(refusal(request.request_id, fault))
        else:
            self._under_way = Measurement(request, model.get_vocab_size())
            self._add(now)

    def take(self, output: Any, now: float) -> None:
        """What a request that is no chat's produced."""
        if self._under_way is not None:
            new = len(output.outputs[0].token_ids)
            if self._under_way.feed(output.request_id, new, output.finished, now):
                self._add(now)

    def cancel(self, request_id: str) -> None:
        """End the measurement, if it is this one."""
        measurement = self._under_way
        if measurement is not None and measurement.request.request_id == request_id:
            self._engine.abort_request(sorted(measurement.keys))
            self._under_way = None
            self._measured(measurement.result(cancelled=True))

    def _add(self, now: float) -> None:
        """The next run, or the end."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        assert self._under_way is not None
        probes = self._under_way.start(now)
        for probe in probes:
            sampling = SamplingParams(
                temperature=0.0,
                max_tokens=probe.output_tokens,
                ignore_eos=True,
                detokenize=False,
                output_kind=RequestOutputKind.DELTA,
            )
            self._engine.add_request(probe.key, {"prompt_token_ids": probe.prompt}, sampling)
        if not probes:
            measured, self._under_way = self._under_way.result(), None
            self._measured(measured)
