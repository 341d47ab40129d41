"""Tries one GPU against two: loads both ways, measures both, keeps the faster.

A load over two GPUs may hang: then it is tried once more without their direct link (P2P).
Whatever goes wrong, or when the user cancels, what was loaded before is loaded again.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from enum import StrEnum

from msgspec.structs import replace as changed
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.loading.tp_choice import Tried, faster
from engine.protocol import Failure, LoadSettings, Measure, Measured, RemedyAction, Scope

STALL_SECONDS = 120.0  # without progress, a load of the trial is ended
MEASURE_MS = 120_000  # a measurement takes seconds; a link that hangs takes for ever
SETTLE_MS = 600_000  # what is kept may load for longer, but nobody waits for it here
STREAMS = (1, 4)
PROMPT_TOKENS = 512
OUTPUT_TOKENS = 64

_ids = itertools.count(1)


class TrialStep(StrEnum):
    """What a trial is doing."""

    LOADING_ONE = "loading_one"
    MEASURING_ONE = "measuring_one"
    LOADING_TWO = "loading_two"
    MEASURING_TWO = "measuring_two"
    SETTLING = "settling"  # loads what is kept
    DONE = "done"


@dataclass(frozen=True, slots=True)
class TrialView:
    """How far a trial is. `one` and `two` fill as they are known."""

    step: TrialStep
    one: Tried | None = None
    two: Tried | None = None
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class TrialResult:
    """How it ended.

    Attributes:
        choice: the faster, or the only one that could be measured; None for neither.
        kept: whether `choice` is what is loaded now; else it is what was there before.
    """

    one: Tried | None
    two: Tried | None
    choice: Tried | None
    kept: bool
    cancelled: bool = False


class TpTrial(QObject):
    """One trial of one model on one engine.

    Args:
        client: its engine; nothing else may load with it while the trial is on.

    Signals:
        view_changed: TrialView. finished: TrialResult, once, when what is kept is loaded or
        could not be.
    """

    view_changed = Signal(object)
    finished = Signal(object)

    def __init__(
        self,
        client: EngineClient,
        parent: QObject | None = None,
        *,
        stall_seconds: float = STALL_SECONDS,
        measure_ms: int = MEASURE_MS,
        settle_ms: int = SETTLE_MS,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._stall_seconds = stall_seconds
        self._view: TrialView | None = None
        self._model = ""
        self._settings = LoadSettings()
        self._before: tuple[str, LoadSettings] | None = None
        self._devices: tuple[int, ...] = ()
        self._request = ""
        self._result: TrialResult | None = None
        self._last_failure: Failure | None = None
        self._limit = QTimer(self, singleShot=True, interval=measure_ms)
        self._limit.timeout.connect(self._on_late)
        self._settling = QTimer(self, singleShot=True, interval=settle_ms)
        self._settling.timeout.connect(self._on_unsettled)

    @property
    def is_running(self) -> bool:
        """Whether it is under way."""
        return self._view is not None and self._view.step is not TrialStep.DONE

    def start(self, model: str, settings: LoadSettings, devices: tuple[int, ...] = ()) -> None:
        """Begin. `devices`: the two GPUs, the better first; none on a CPU.

        Answers under way are interrupted by the loads: ask first.
        """
        if self.is_running:
            return
        self._model, self._settings, self._devices = model, settings, devices
        self._before = self._client.wanted
        self._result = None
        self._last_failure = self._client.view.failure
        # Later: the client is in the midst of its change when it tells of it, and is told what
        # to do next.
        queued = Qt.ConnectionType.QueuedConnection
        self._client.view_changed.connect(self._on_view, queued)
        self._client.measured.connect(self._on_measured)
        self._client.request_failed.connect(self._on_request_failed)
        self._show(TrialView(TrialStep.LOADING_ONE))
        self._load(1)

    def cancel(self) -> None:
        """Stop, and load what was there before."""
        view = self._view
        if view is None or not self.is_running or view.step is TrialStep.SETTLING:
            return
        if self._request:
            self._client.cancel(self._request)
        self._view = replace(view, cancelled=True)
        self._settle(None)

    # --- inside ------------------------------------------------------------------------

    def _load(self, size: int, *, p2p: bool = True) -> None:
        self._client.load(
            self._model,
            changed(
                self._settings,
                tensor_parallel_size=size,
                devices=self._devices[:size],
                disable_p2p=self._settings.disable_p2p or not p2p,
                load_timeout=self._stall_seconds,
            ),
        )

    def _on_view(self, view: EngineView) -> None:
        assert self._view is not None
        now = self._client.view
        loaded = self._is_ours(now)
        nothing = self._before is None and now.phase is Phase.IDLE
        match self._view.step:
            case TrialStep.LOADING_ONE | TrialStep.LOADING_TWO if loaded:
                self._measure()
            case TrialStep.SETTLING if loaded or nothing or now.phase is Phase.SLEEPING:
                self._finish()
            case TrialStep.DONE:
                pass
            case step if view.phase is Phase.RESTARTING and step is not TrialStep.SETTLING:
                cause = self.tr("The engine stopped without a word.")
                self._on_failed(Failure(Scope.ENGINE, cause, code="engine_stopped"))
            case step if view.failure is not None and view.failure is not self._last_failure:
                self._last_failure = view.failure  # the view keeps it until the next load begins
                if step is TrialStep.SETTLING:
                    self._finish()
                else:
                    self._on_failed(view.failure)

    def _is_ours(self, view: EngineView) -> bool:
        """Whether what was asked for last is what is loaded."""
        wanted = self._client.wanted
        return (
            view.phase is Phase.READY
            and view.loaded is not None
            and wanted is not None
            and view.loaded.model == wanted[0]
            and view.loaded.tensor_parallel_size == wanted[1].tensor_parallel_size
        )

    def _measure(self) -> None:
        assert self._view is not None
        first = self._view.step is TrialStep.LOADING_ONE
        step = TrialStep.MEASURING_ONE if first else TrialStep.MEASURING_TWO
        loaded = self._client.view.loaded
        context = loaded.context if loaded is not None else 0
        prompt = max(1, min(PROMPT_TOKENS, context - OUTPUT_TOKENS))
        self._request = f"tp-trial-{next(_ids)}"
        self._show(replace(self._view, step=step))
        self._limit.start()
        self._client.measure(Measure(self._request, STREAMS, prompt, OUTPUT_TOKENS))

    def _on_measured(self, measured: Measured) -> None:
        if measured.request_id != self._request or measured.cancelled:
            return
        assert self._view is not None
        self._limit.stop()
        self._request = ""
        if self._view.step is TrialStep.MEASURING_ONE:
            one = replace(self._tried(), rates=measured.rates)
            self._show(replace(self._view, one=one, step=TrialStep.LOADING_TWO))
            self._load(2)
        else:
            view = replace(self._view, two=replace(self._tried(), rates=measured.rates))
            self._view = view
            assert view.one is not None
            assert view.two is not None
            self._settle(faster(view.one, view.two))

    def _on_request_failed(self, failure: Failure) -> None:
        if self._request and failure.request_id == self._request:
            self._on_failed(failure)

    def _on_late(self) -> None:
        """The measurement does not come to its end."""
        cause = self.tr("The measurement did not end in time.")
        self._on_failed(Failure(Scope.REQUEST, cause, code="measure_timeout"))

    def _on_failed(self, failure: Failure) -> None:
        """One way does not work: the other is still worth its figure, but nothing is kept."""
        assert self._view is not None
        self._limit.stop()
        self._request = ""
        failed = replace(self._tried(), failure=failure)
        if self._view.step in (TrialStep.LOADING_ONE, TrialStep.MEASURING_ONE):
            self._show(replace(self._view, one=failed, step=TrialStep.LOADING_TWO))
            self._load(2)
        elif _hung(failure) and not failed.without_p2p and self._devices:
            self._show(replace(self._view, step=TrialStep.LOADING_TWO))
            self._load(2, p2p=False)
        else:
            self._view = replace(self._view, two=failed)
            self._settle(None)

    def _tried(self) -> Tried:
        """The way that is loaded, or was to be."""
        _, settings = self._client.wanted or ("", LoadSettings())
        return Tried(
            settings.tensor_parallel_size,
            settings.devices,
            loaded=self._client.view.loaded,
            without_p2p=settings.disable_p2p,
        )

    def _settle(self, choice: Tried | None) -> None:
        """Have `choice` loaded, or what was before."""
        assert self._view is not None
        self._limit.stop()
        self._request = ""
        self._result = TrialResult(
            one=self._view.one,
            two=self._view.two,
            choice=choice or self._only_one(),
            kept=choice is not None,
            cancelled=self._view.cancelled,
        )
        self._show(replace(self._view, step=TrialStep.SETTLING))
        self._settling.start()
        if choice is not None and choice is self._view.two:
            self._finish()  # it is loaded already
        elif choice is not None:
            self._load(1)
        elif self._before is not None:
            self._client.load(*self._before)
        else:
            self._client.cancel_load()
            self._client.unload()
            if self._client.view.phase in (Phase.IDLE, Phase.FAILED):
                self._finish()

    def _only_one(self) -> Tried | None:
        assert self._view is not None
        measured = [tried for tried in (self._view.one, self._view.two) if tried and tried.rates]
        return measured[0] if len(measured) == 1 and not self._view.cancelled else None

    def _on_unsettled(self) -> None:
        """What is to be kept still loads: a large one may, so it goes on; the trial is over."""
        assert self._result is not None
        self._result = replace(self._result, kept=False)
        self._finish()

    def _finish(self) -> None:
        assert self._view is not None
        assert self._result is not None
        self._settling.stop()
        self._client.view_changed.disconnect(self._on_view)
        self._client.measured.disconnect(self._on_measured)
        self._client.request_failed.disconnect(self._on_request_failed)
        self._show(replace(self._view, step=TrialStep.DONE))
        self.finished.emit(self._result)

    def _show(self, view: TrialView) -> None:
        self._view = view
        self.view_changed.emit(view)


def _hung(failure: Failure) -> bool:
    """Whether switching the GPUs' direct link off may help."""
    return failure.code in ("load_timeout", "measure_timeout", "gpu_link") or any(
        remedy.action is RemedyAction.RELOAD_WITH and remedy.settings.get("disable_p2p")
        for remedy in failure.remedies
    )
