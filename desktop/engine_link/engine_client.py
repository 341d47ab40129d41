"""The engine as the window uses it: one object that survives any number of engines.

The window has it before its first paint; the wire's types, which take a twentieth of a start
to load, come with the driver that does the work, when the first process is started.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.engine_link.engine_process import EngineCommand
from desktop.engine_link.engine_state import EngineView

if TYPE_CHECKING:
    from desktop.engine_link.engine_driver import EngineDriver
    from desktop.engine_link.request_desk import Asked
    from desktop.engine_link.restart_policy import RestartPolicy
    from engine.protocol import CountTokens, Generate, LoadSettings, Measure


class EngineClient(QObject):
    """See the module.

    Args:
        policy: when to start another process in the place of one that died.
        silent_ticks: so many seconds may the engine be silent while it is ready, and else.

    Signals:
        view_changed: EngineView. token_batch: TokenBatch. telemetry: Telemetry.
        token_counted: TokenCount. request_failed: Failure of scope REQUEST.
        interrupted: tuple of request ids that died with the engine.
        measured: Measured. kv_report: KvReport, while somebody watches.
        gone: the engine that was to retire has ended.
    """

    view_changed = Signal(object)
    token_batch = Signal(object)
    request_failed = Signal(object)
    interrupted = Signal(object)
    telemetry = Signal(object)
    token_counted = Signal(object)
    measured = Signal(object)
    kv_report = Signal(object)
    gone = Signal()

    def __init__(
        self,
        command: EngineCommand,
        parent: QObject | None = None,
        *,
        policy: RestartPolicy | None = None,
        silent_ticks: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._policy = policy
        self._silent_ticks = silent_ticks

    @cached_property
    def _driver(self) -> EngineDriver:
        from desktop.engine_link.engine_driver import EngineDriver

        driver = EngineDriver(self._command, self, self._policy, self._silent_ticks)
        for inner, outer in (
            (driver.view_changed, self.view_changed),
            (driver.token_batch, self.token_batch),
            (driver.request_failed, self.request_failed),
            (driver.interrupted, self.interrupted),
            (driver.telemetry, self.telemetry),
            (driver.token_counted, self.token_counted),
            (driver.measured, self.measured),
            (driver.kv_report, self.kv_report),
            (driver.gone, self.gone),
        ):
            inner.connect(outer)
        return driver

    @property
    def view(self) -> EngineView:
        """The state now."""
        return self._driver.view if "_driver" in vars(self) else EngineView()

    @property
    def wanted(self) -> tuple[str, LoadSettings] | None:
        """The model that was asked for last, and how it was to be loaded."""
        return self._driver.wanted if "_driver" in vars(self) else None

    @property
    def is_busy(self) -> bool:
        """Whether requests wait here or are under way."""
        return "_driver" in vars(self) and self._driver.is_busy

    @property
    def asked(self) -> dict[str, Asked]:
        """Who asked for what waits here or is under way, by the request's id."""
        return self._driver.asked if "_driver" in vars(self) else {}

    @property
    def loads_any_folder(self) -> bool:
        """Whether the engine only plays: the scripted one takes any folder for a model."""
        return self._command.backend == "scripted"

    @property
    def pid(self) -> int:
        """Of the engine process, 0 when there is none."""
        return self._driver.pid

    def start(self) -> None:
        """Spawn the engine process, unless there is one."""
        self._driver.start()

    def load(self, model: str, settings: LoadSettings | None = None) -> None:
        """Load the model in folder `model`, in place of the one there is."""
        self._driver.load(model, settings)

    def restart(self) -> None:
        """Try again after a failure, with the same model."""
        self._driver.restart()

    def cancel_load(self) -> None:
        """Stop loading; requests that wait for the model go on waiting."""
        self._driver.cancel_load()

    def unload(self) -> None:
        """Give the model's memory back. Answers under way are interrupted."""
        self._driver.unload()

    def sleep(self, *, lend: bool) -> None:
        """Free what the model takes; the next request wakes it. Answers are interrupted.

        Args:
            lend: the GPU is wanted for a while: the weights go to the host's memory where the
                model can do that. Else nothing at all is kept.
        """
        self._driver.sleep(lend=lend)

    def wake(self) -> None:
        """Have the sleeping model back."""
        self._driver.wake()

    def measure(self, request: Measure) -> None:
        """Measure the model's speed; nothing comes back unless READY. `cancel` ends it."""
        self._driver.measure(request)

    def watch(self, seconds: float) -> None:
        """Have `kv_report`s so often at most, of this process and those after it; 0: none."""
        self._driver.watch(seconds)

    def generate(self, request: Generate) -> None:
        """Ask for an answer; held until the model is ready, then sent in order."""
        self._driver.generate(request)

    def cancel(self, request_id: str) -> None:
        """Stop a request, held or under way; it ends with a CANCELLED update."""
        self._driver.cancel(request_id)

    def count_tokens(self, request: CountTokens) -> None:
        """Count a conversation's prompt tokens; nothing comes back unless READY."""
        self._driver.count_tokens(request)

    def log_tail(self, lines: int = 200) -> str:
        """The last lines of the engine's log."""
        return self._driver.log_tail(lines)

    def log_of_process(self, lines: int = 200) -> str:
        """The last lines that the process of now has written, none of those before it."""
        return self._driver.log_of_process(lines)

    def retire(self) -> None:
        """End the engine for good without waiting for it; `gone` follows."""
        self._driver.retire()

    def shutdown(self) -> None:
        """End the engine in order; returns within some 3 s with nothing left of it."""
        self._driver.shutdown()
