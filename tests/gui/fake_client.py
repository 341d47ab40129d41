"""An engine client that does what the test says: the same signals, no process."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from PySide6.QtCore import QObject, Signal

from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.engine_link.request_desk import Asked
from engine.protocol import (
    CountTokens,
    Failure,
    Finish,
    FinishReason,
    Generate,
    Loaded,
    LoadSettings,
    Scope,
    StreamUpdate,
    TokenBatch,
)

LOADED = Loaded(
    load_id=1,
    model="/models/small",
    context=8192,
    kv_blocks=512,
    block_size=16,
    max_num_seqs=64,
    dtype="float32",
    device="CPU",
    kv_cache_bytes=1 << 20,
    seconds=1.0,
)


class FakeClient(QObject):
    """Records what is asked of it; `write`, `finish` and `fail` play the engine."""

    view_changed = Signal(object)
    token_batch = Signal(object)
    request_failed = Signal(object)
    interrupted = Signal(object)
    telemetry = Signal(object)
    token_counted = Signal(object)
    measured = Signal(object)
    kv_report = Signal(object)
    gone = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.view = EngineView(Phase.READY, "/models/small", loaded=LOADED)
        self.wanted: tuple[str, LoadSettings] | None = ("/models/small", LoadSettings())
        self.is_busy = False
        self.requests: list[Generate] = []
        self.cancelled: list[str] = []
        self.loads: list[tuple[str, LoadSettings]] = []
        self.calls: list[str] = []
        self.watched: list[float] = []
        self.pid = 0

    @property
    def asked(self) -> dict[str, Asked]:
        return {one.request_id: Asked(one.chat_id, one.priority) for one in self.requests}

    @property
    def as_client(self) -> EngineClient:
        """For the type checker."""
        return cast(EngineClient, self)

    def set_view(self, **changes: object) -> None:
        self.view = replace(self.view, **changes)  # type: ignore[arg-type]
        self.view_changed.emit(self.view)

    # --- what the window asks

    def start(self) -> None:
        self.calls.append("start")

    def load(self, model: str, settings: LoadSettings | None = None) -> None:
        self.loads.append((model, settings or LoadSettings()))

    def cancel_load(self) -> None:
        self.calls.append("cancel_load")

    def unload(self) -> None:
        self.calls.append("unload")

    def restart(self) -> None:
        self.calls.append("restart")

    def sleep(self, *, lend: bool) -> None:
        self.calls.append("lend" if lend else "sleep")

    def wake(self) -> None:
        self.calls.append("wake")

    def retire(self) -> None:
        self.calls.append("retire")
        self.gone.emit()

    def watch(self, seconds: float) -> None:
        self.watched.append(seconds)

    def generate(self, request: Generate) -> None:
        self.requests.append(request)

    def cancel(self, request_id: str) -> None:
        self.cancelled.append(request_id)

    def count_tokens(self, request: CountTokens) -> None: ...

    def log_tail(self, lines: int = 200) -> str:
        return "a line of the log"

    def log_of_process(self, lines: int = 200) -> str:
        return "a line of the log"

    def shutdown(self) -> None:
        self.calls.append("shutdown")

    # --- what the engine says

    def request_of(self, chat_id: str) -> str:
        return next(r.request_id for r in reversed(self.requests) if r.chat_id == chat_id)

    def write(self, request_id: str, text: str, *, running: bool = False) -> None:
        self.token_batch.emit(
            TokenBatch((StreamUpdate(request_id, text=text, tokens=1, running=running),))
        )

    def open_reasoning(self, request_id: str, tag: str = "<think>") -> None:
        """The prompt was counted, and the template has opened a tag."""
        update = StreamUpdate(request_id, prompt_tokens=12, opens_reasoning=tag)
        self.token_batch.emit(TokenBatch((update,)))

    def finish(
        self, request_id: str, reason: FinishReason = FinishReason.STOP, **more: object
    ) -> None:
        values: dict[str, object] = {"kv_blocks": 2, "decode_tps": 40.0, **more}
        finish = Finish(reason, 12, 7, 0.5, 0.1, **values)  # type: ignore[arg-type]
        self.token_batch.emit(TokenBatch((StreamUpdate(request_id, finish=finish),)))

    def fail(self, request_id: str, cause: str, **more: object) -> None:
        failure = Failure(Scope.REQUEST, cause, request_id=request_id, **more)  # type: ignore[arg-type]
        self.request_failed.emit(failure)
