"""What can be done about one engine: its banner, and every remedy's button."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.background import Background, in_thread
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.hardware.readings import HardwareReading
    from desktop.models.gguf_conversion import GgufConversion
    from desktop.views.engine.engine_banner import EngineBanner
    from desktop.views.engine.engine_desk import EngineDesk
    from engine.protocol import Failure, LoadSettings, Remedy
    from engine.store.origin import Origin

_FOLDER = "folder"  # of a remedy: the model is chosen already
_FILE = "file"  # of a remedy: the GGUF file meant


class EngineCare(QObject):
    """See the module. The window has one for each engine.

    Args:
        desk: does what concerns more than this engine.
        banner: explains this engine while it cannot answer.
    """

    def __init__(self, desk: EngineDesk, client: EngineClient, banner: EngineBanner) -> None:
        super().__init__(desk)
        self.client = client
        self.banner = banner
        self._desk = desk
        self._conversion: GgufConversion | None = None
        self._background = Background(self)
        self._explaining: Failure | None = None  # the one that the next two belong to
        self._log = ""
        self._reading: HardwareReading | None = None
        self._others: frozenset[int] = frozenset()  # the processes of our other engines
        self._origin: Origin | None = None  # of the model that failed
        banner.usual_of = desk.usual
        banner.cancel_requested.connect(self.cancel)
        banner.remedy_chosen.connect(self.apply)
        banner.wake_requested.connect(client.wake)

    def show(self, view: EngineView) -> None:
        """Explain this state."""
        self.banner.set_view(self.explained(view))

    def explained(self, view: EngineView) -> EngineView:
        """`view` in the user's language, with a remedy that only the window knows: the starter."""
        if view.failure is None:
            return view
        # Late, as all of the wire's types: the first paint knows of no failure.
        import msgspec

        from desktop.models.failure_facts import told
        from desktop.models.failure_text import translated
        from engine.protocol import Remedy, RemedyAction, Scope
        from engine.store.origin import with_ways

        if view.failure is not self._explaining:
            self._look_into(view.failure)
        # What a worker process died of stands in the log alone.
        failure = told(view.failure, self._log, self._reading, self._others)
        failure = translated(with_ways(failure, self._origin))
        view = replace(view, failure=failure)
        there = {remedy.action for remedy in failure.remedies}
        if (
            view.phase is not Phase.FAILED
            or failure.scope is not Scope.LOAD
            or there & {RemedyAction.REBUILD_STARTER, RemedyAction.LOAD_STARTER}
        ):
            return view
        if view.model == self._desk.starter:
            rebuild = Remedy(self.tr("Build the starter model"), RemedyAction.REBUILD_STARTER)
            remedies = (rebuild, *failure.remedies)
        else:
            back = Remedy(self.tr("Load the starter model"), RemedyAction.LOAD_STARTER)
            remedies = (*failure.remedies, back)
        return replace(view, failure=msgspec.structs.replace(failure, remedies=remedies))

    def cancel(self) -> None:
        """Stop what the banner shows: work in a process of its own, or a load."""
        if self._conversion is not None:
            self._conversion.cancel()
            self._end_conversion()
        elif not self._desk.cancel_rebuild(self):
            self._desk.drop_plan(self.client)
            self.client.cancel_load()

    def stop(self) -> None:
        """The window goes away."""
        if self._conversion is not None:
            self._conversion.cancel()
            self._conversion = None

    def apply(self, remedy: Remedy) -> None:
        """Do what a remedy's button says."""
        from engine.protocol import RemedyAction

        desk, client = self._desk, self.client
        match remedy.action:
            case RemedyAction.RETRY:
                client.restart()
            case RemedyAction.RELOAD_WITH:
                self.reload_with(dict(remedy.settings))
            case RemedyAction.REBUILD_STARTER:
                desk.rebuild_starter(self)
            case RemedyAction.LOAD_STARTER:
                desk.load_in(client, desk.starter)
            case RemedyAction.CHOOSE_MODEL:
                folder = remedy.settings.get(_FOLDER)
                if isinstance(folder, str):
                    desk.load_in(client, folder)
                else:
                    desk.choose_wanted.emit(client)
            case RemedyAction.CHOOSE_TEMPLATE:
                desk.mending.ask_for_template(
                    self._place(), lambda file: self.reload_with({"chat_template": file})
                )
            case RemedyAction.CHOOSE_TOKENIZER:
                desk.mending.ask_for_tokenizer(
                    self._place(), lambda folder: self.reload_with({"tokenizer": folder})
                )
            case RemedyAction.FETCH_MISSING:
                desk.mending.fetch(remedy, lambda folder: self._on_fetched(folder))
            case RemedyAction.UNLOAD_OTHERS:
                desk.beside.close_others(client)
            case RemedyAction.CONVERT:
                self.convert(str(remedy.settings.get(_FILE) or client.view.model))
            case RemedyAction.SHOW_LOG:
                desk.show_log(client)
            case _:
                desk.mending.go_out(remedy)  # else advice, or for the composer

    def reload_with(self, changes: dict[str, object]) -> None:
        """Load the model again, its settings in force changed by these."""
        import msgspec

        from engine.protocol import LoadSettings

        wanted = self.client.wanted
        model, settings = wanted if wanted is not None else (self._desk.starter, LoadSettings())
        now = msgspec.to_builtins(settings)
        if "gpu_memory_utilization" in changes:
            now.pop("kv_cache_bytes", None)  # with a size given, vLLM looks at nothing else
        if "tensor_parallel_size" in changes:
            now.pop("devices", None)
            now.pop("kv_cache_bytes", None)
        try:
            # As JSON: a tuple on the wire is a list there, and both are meant.
            changed = msgspec.convert({**now, **changes}, LoadSettings, strict=False)
        except msgspec.ValidationError as error:
            self._desk.noticed.emit(
                self.tr("These settings cannot be used: {error}").format(error=error)
            )
            return
        self._load_again(model, changed)

    # --- inside ----------------------------------------------------------------------

    def _look_into(self, failure: Failure) -> None:
        """Keep what its process wrote; read, on a thread, who holds the GPUs' memory."""
        self._explaining, self._reading, self._origin = failure, None, None
        self._log = self.client.log_of_process()
        others = [one.pid for one in self._desk.engines if one is not self.client and one.pid]

        def read() -> tuple[HardwareReading, frozenset[int]]:
            from desktop.hardware.nvml import read_once
            from desktop.hardware.process_names import with_descendants

            return read_once(), with_descendants(others)

        def done(found: tuple[HardwareReading, frozenset[int]]) -> None:
            view = self.client.view
            if found[0].gpus and self._explaining is failure is view.failure:
                self._reading, self._others = found
                self.show(view)

        self._background.watch(in_thread(read, "who-holds-memory"), done, lambda _error: None)
        self._find_origin(failure)

    def _find_origin(self, failure: Failure) -> None:
        """Where the model came from, on a thread: what is missing may be fetched from there."""
        from engine.store.origin import origin_of

        model = self.client.view.model

        def done(origin: Origin | None) -> None:
            if origin is not None and self._explaining is failure is self.client.view.failure:
                self._origin = origin
                self.show(self.client.view)

        self._background.watch(in_thread(lambda: origin_of(model), "model-origin"), done)

    def _on_fetched(self, folder: str) -> None:
        """What was missing is there: load it, unless the engine has found other work."""
        if self.client.view.phase is Phase.FAILED:
            self._desk.load_in(self.client, folder)

    def _load_again(self, model: str, settings: LoadSettings) -> None:
        self._desk.drop_plan(self.client)
        self.client.load(model, settings)

    def _place(self) -> str:
        return self.client.view.model or self._desk.starter

    def convert(self, file: str) -> None:
        """Convert a GGUF file to safetensors, then load that."""
        from desktop.models.gguf_conversion import GgufConversion

        if self._conversion is not None or not file:
            return
        conversion = self._conversion = GgufConversion(file, self)
        title = self.tr("Converting {model}").format(model=model_name(file))
        self.banner.set_work(self.tr("Reading the file"), title)
        conversion.progress.connect(lambda line: self.banner.set_work(line, title))
        conversion.finished.connect(self._on_converted)
        conversion.start()

    def _on_converted(self, error: str) -> None:
        folder = self._conversion.folder if self._conversion is not None else ""
        self._end_conversion()
        if error:
            self._desk.noticed.emit(
                self.tr("The model could not be converted: {reason}").format(reason=error)
            )
        else:
            self._desk.load_in(self.client, folder)

    def _end_conversion(self) -> None:
        conversion, self._conversion = self._conversion, None
        if conversion is not None:
            conversion.deleteLater()
        self.banner.set_work("")
