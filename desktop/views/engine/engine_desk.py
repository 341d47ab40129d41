"""What the user can do about the engines: choose a model, load it here or beside, lend the GPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.background import Background, in_thread
from desktop.engine_link.engine_pool import same_folder
from desktop.engine_link.engine_state import Phase
from desktop.models.engine_text import model_name
from desktop.models.starter_rebuild import StarterRebuild
from desktop.views.engine.engine_care import EngineCare

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.loading.load_book import LoadBook, Prepared
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.engine.engine_banner import EngineBanner
    from engine.protocol import LoadSettings

CPU = "CPU"  # `Loaded.device` of an engine without a GPU


class EngineDesk(QObject):
    """See the module.

    Attributes:
        may_load_beside: whether the user wants second engines at all.
        precise: folder of the model that answers where the quantised one is doubted; "": none.

    Signals:
        model_chosen: the folder the user wants from now on.
        model_used: a folder that was loaded, here or beside: one of the recent ones.
        noticed: a text for the user.
        link_activated: an address that the user wants to see.
    """

    model_chosen = Signal(str)
    model_used = Signal(str)
    noticed = Signal(str)
    link_activated = Signal(str)

    def __init__(
        self,
        client: EngineClient,
        hub: SessionHub,
        banner: EngineBanner,
        starter: Path,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.window = window
        self.starter = str(starter)
        self.may_load_beside = True
        self.precise = ""
        self.book: LoadBook | None = None  # set by the application: plans loads
        self._client = client
        self._hub = hub
        self._pool = hub.pool
        self._plans: dict[EngineClient, int] = {}  # loads that are being planned, by a number
        self._background = Background(self)
        self.checks_folders = not client.loads_any_folder
        self.care = EngineCare(self, client, banner)  # of the window's own engine
        self.rebuild = StarterRebuild(self)
        self._rebuilt_for = self.care
        self.rebuild.progress.connect(lambda line: self._rebuilt_for.banner.set_work(line))
        self.rebuild.finished.connect(self._on_rebuilt)

    def begin(self, model: str) -> None:
        """Start the engine and load `model`; an empty one is the starter model."""
        self._client.start()
        self._load(self._client, model or self.starter)

    # --- the window's own engine -----------------------------------------------------

    def load(self, folder: str, settings: LoadSettings | None = None) -> None:
        """Load a model in place of the window's, after a word if that interrupts or concerns.

        A folder that holds no model is refused before the one that is loaded is given up.

        Args:
            settings: None: those remembered for the model, and else the planner's.
        """

        def go() -> None:
            self.model_chosen.emit(folder)
            self._load(self._client, folder, settings)

        def ask(_facts: object) -> None:
            self._when_free(self._client, self.tr("Loading another model interrupts them."), go)

        if self._client.view.phase is not Phase.READY or not self.checks_folders:
            go()  # nothing to lose; the engine says what is wrong with the folder
            return
        self._check(folder, ask)

    def load_in(self, client: EngineClient, folder: str) -> None:
        """Load a model in place of the one that this engine has."""
        if client is self._client:
            self.load(folder)
        else:
            self._load(client, folder)

    def unload(self) -> None:
        """Give the memory of the window's model back."""
        self.drop_plan(self._client)
        self._when_free(
            self._client, self.tr("Unloading the model interrupts them."), self._client.unload
        )

    def choose_model(self, client: EngineClient | None = None) -> None:
        """Ask for a model folder, then how it is to be loaded; beside the window's: load it."""

        def go(folder: str) -> None:
            if client is None or client is self._client:
                self.open_load_dialog(folder)
            else:
                self.load_in(client, folder)

        self._choose_folder(go)

    def open_load_dialog(self, folder: str = "") -> None:
        """Choose how a model is loaded, see whether it fits, and load it.

        Args:
            folder: "": the window's model.
        """
        folder = folder or self._client.view.model or self.starter
        if self.book is None:
            self.load(folder)
            return
        from desktop.models.loading.load_choices import AUTOMATIC
        from desktop.views.loading.load_dialog import LoadDialog

        book = self.book
        self._plan_for(self._client)
        dialog = LoadDialog(
            folder,
            book.planner(folder, self),
            lambda key: past.choices if (past := book.past(key)) is not None else AUTOMATIC,
            can_load_beside=self.can_load_beside,
            can_try=True,
            parent=self.window,
        )
        dialog.trial_wanted.connect(lambda: self._open_trial(dialog.prepared()))
        dialog.chosen.connect(
            lambda model, settings: self._on_settled(dialog.prepared(), model, settings)
        )
        dialog.beside_chosen.connect(
            lambda model, settings: self._on_settled(
                dialog.prepared(), model, settings, beside=True
            )
        )
        dialog.other_wanted.connect(lambda: self._choose_folder(self.open_load_dialog))
        dialog.open()

    def _open_trial(self, prepared: Prepared) -> None:
        """Measure a model on one GPU and on two, and keep the faster way."""

        def go() -> None:
            from desktop.views.loading.open_loads import open_trial

            self.drop_plan(self._client)
            dialog = open_trial(self.book, self._client, prepared, self.window)
            dialog.settled.connect(lambda _tried: self.model_chosen.emit(prepared.model))
            dialog.settled.connect(lambda _tried: self.model_used.emit(prepared.model))

        self._when_free(self._client, self.tr("The trial interrupts them."), go)

    def open_recent(self) -> None:
        """Offer the models that were loaded before."""
        from desktop.views.loading.open_loads import open_recent

        recent = open_recent(self.book, self.window)
        recent.chosen.connect(self.load)
        recent.settings_wanted.connect(self.open_load_dialog)
        recent.browse_wanted.connect(self.choose_model)

    def open_report(self) -> None:
        """What the last load of the window's model came to, beside its plan."""
        from desktop.views.loading.open_loads import open_report

        model = self._client.view.model
        if open_report(self.book, model, self.window) is None:
            self.noticed.emit(
                self.tr("Nothing is known of a load of {model} yet.").format(
                    model=model_name(model) or self.tr("a model")
                )
            )

    def usual(self, model: str) -> dict[str, float]:
        """The usual seconds of each stage of a load of `model`; empty before the first."""
        return self.book.usual(model) if self.book is not None else {}

    # --- engines beside it ---------------------------------------------------------------

    @property
    def can_load_beside(self) -> bool:
        """Whether a model could be loaded beside the window's."""
        return self.may_load_beside and self._pool.can_open

    def load_beside(
        self,
        folder: str,
        settings: LoadSettings | None = None,
        then: Callable[[], object] | None = None,
    ) -> None:
        """Load a model beside those there are, if there is room; else say so and ask.

        Args:
            settings: None: those remembered for the model, and else the planner's.
            then: is called when the load begins; not if the user decides otherwise.
        """

        def go(chosen: LoadSettings | None) -> None:
            self.model_used.emit(folder)
            self._pool.open(folder, chosen)
            if then is not None:
                then()

        if self._pool.client_for(folder) is not None:
            go(None)  # it is there, or sleeps
            return
        if not self.can_load_beside:
            self._ask_instead(
                folder, self.tr("Second models are switched off in the settings."), then
            )
            return
        if settings is not None or self.book is None:
            go(settings)
            return

        def planned(prepared: Prepared) -> None:
            plan = prepared.outlook.plan if prepared.outlook is not None else None
            if plan is None or plan.fits:
                if self.book is not None:
                    self.book.started(prepared)
                go(prepared.settings())
            else:
                from desktop.models.failure_text import translated_text

                reasons = [translated_text(p.text) for p in plan.problems if p.is_fatal]
                self._ask_instead(folder, " ".join(reasons), then, lambda: go(None))

        def checked(_facts: object) -> None:
            if self.book is not None:
                self._plan_for(None)
                self.book.prepare(folder, planned)

        self._check(folder, checked)

    def close(self, client: EngineClient) -> None:
        """End an engine that was opened beside the window's; ask if it answers."""
        self._when_free(
            client,
            self.tr("Unloading the model interrupts them."),
            lambda: self._pool.close(client),
        )

    def answer_with(self, session: ChatSession, message_id: str, folder: str) -> None:
        """Answer a message again by another model, which is loaded beside if need be."""
        self.load_beside(folder, then=lambda: session.answer_again_with(message_id, folder))

    def answer_chat_with(self, session: ChatSession, folder: str) -> None:
        """Have a chat answered by a model from now on, which is loaded beside if need be."""
        self.load_beside(folder, then=lambda: session.set_model(folder))

    def choose_beside(self, then: Callable[[str], object]) -> None:
        """Ask for a model folder, and load that beside.

        Args:
            then: is called with the folder when the load begins.
        """
        self._choose_folder(lambda folder: self.load_beside(folder, then=lambda: then(folder)))

    def unload_others(self, client: EngineClient) -> None:
        """Give back what the other engines hold, then try the load of this one again."""
        waiting = [one for one in self._pool.clients() if one is not client and _holds(one)]

        def released(one: EngineClient) -> None:
            if one in waiting:
                waiting.remove(one)
                if not waiting:
                    client.restart()

        def on_view(one: EngineClient) -> None:
            if not _holds(one) and one.view.phase in (Phase.IDLE, Phase.STOPPED, Phase.FAILED):
                released(one)

        if not waiting:
            client.restart()
            return
        self._pool.view_changed.connect(on_view)
        for one in list(waiting):
            if one is not self._client:
                one.gone.connect(lambda one=one: released(one))
            self._pool.close(one)

    # --- lending -----------------------------------------------------------------------

    def lend(self) -> None:
        """Have all models sleep: what they take is free for something else."""
        ready = [one for one in self._pool.clients() if one.view.phase is Phase.READY]

        def go() -> None:
            for one in ready:
                one.sleep(lend=True)

        self._when_free(ready, self.tr("Lending the GPU interrupts them."), go)

    def wake(self) -> None:
        """Have the sleeping models back."""
        for one in self._pool.clients():
            one.wake()

    # --- for the banners (see engine_care) ---------------------------------------------------

    def rebuild_starter(self, care: EngineCare) -> None:
        """Build the starter model again, then load it."""
        self._rebuilt_for = care
        care.banner.set_work(self.tr("Reading the installed package"))
        self.rebuild.start()

    def cancel_rebuild(self, care: EngineCare) -> bool:
        """Stop that, if it is under way for this engine; whether it was."""
        if not self.rebuild.is_running or self._rebuilt_for is not care:
            return False
        self.rebuild.cancel()
        care.banner.set_work("")
        return True

    def drop_plan(self, client: EngineClient) -> None:
        """What is being planned for this engine is not wanted any more."""
        self._plans.pop(client, None)

    def show_log(self, client: EngineClient | None = None) -> None:
        """The engine's last lines, and the raw error if there is one."""
        from desktop.views import dialogs

        client = client or self._client
        failure = client.view.failure
        dialogs.show_log(self.window, client.log_tail(), failure.detail if failure else "")

    def stop(self) -> None:
        """The window goes away."""
        self.rebuild.cancel()
        self.care.stop()

    # --- inside ----------------------------------------------------------------------

    def _load(
        self, client: EngineClient, folder: str, settings: LoadSettings | None = None
    ) -> None:
        """Load it, planned first where the settings are not given."""
        self.model_used.emit(folder)
        book = self.book
        if settings is not None or book is None or client.loads_any_folder:
            self.drop_plan(client)
            client.load(folder, settings)
            return
        number = self._plans[client] = max(self._plans.values(), default=0) + 1

        def ready(prepared: Prepared) -> None:
            if self._plans.get(client) == number:
                self.drop_plan(client)
                book.started(prepared)
                client.load(folder, prepared.settings())

        self._plan_for(client)
        book.prepare(folder, ready)

    def _plan_for(self, client: EngineClient | None) -> None:
        """The next plan is for a load into this engine; None: beside all there are."""
        if self.book is not None:
            stay = [one for one in self._pool.clients() if one is not client]
            freed = frozenset({client.pid} - {0}) if client is not None else frozenset[int]()
            self.book.ours = lambda: freed
            self.book.promised = lambda: sum(map(_set_aside, stay))

    def _check(self, folder: str, go: Callable[[object], None]) -> None:
        """Go on if the folder holds a model; else say why not."""
        if not self.checks_folders:
            go(None)
            return
        from engine.store.model_folder import read_model_folder

        # On a thread: the folder may lie on a slow disk.
        facts = in_thread(lambda: read_model_folder(Path(folder)), "model-folder")
        self._background.watch(facts, lambda found: go(found), self._on_no_model)

    def _on_no_model(self, error: Exception) -> None:
        self.noticed.emit(
            self.tr("{reason} {model} stays loaded.").format(
                reason=error, model=model_name(self._client.view.model)
            )
        )

    def _on_settled(
        self, prepared: Prepared, model: str, settings: LoadSettings, *, beside: bool = False
    ) -> None:
        if self.book is not None:
            self.book.choose(prepared)
            self.book.started(prepared)
        if beside:
            self.load_beside(model)  # planned anew: what is loaded stays
        else:
            self.load(model, settings)

    def _choose_folder(self, go: Callable[[str], object]) -> None:
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self.window, self.tr("Choose the folder of a model"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.setDirectory(str(Path(self._client.view.model or self.starter).parent))
        dialog.fileSelected.connect(go)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_instead(
        self,
        folder: str,
        why: str,
        then: Callable[[], object] | None,
        anyway: Callable[[], object] | None = None,
    ) -> None:
        """There is no room beside: in place of the window's model, or not at all?"""
        from desktop.views.engine.questions import ask

        window_model = model_name(self._client.view.model)

        def instead() -> None:
            self.load(folder)
            if then is not None:
                then()

        ways: list[tuple[str, Callable[[], object]]] = [
            (self.tr("Load it in place of {model}").format(model=window_model), instead)
        ]
        if anyway is not None:
            ways.append((self.tr("Try it all the same"), anyway))
        ask(
            self.window,
            self.tr("No room for a second model"),
            self.tr("{new} cannot be loaded beside {old}.").format(
                new=model_name(folder), old=window_model
            ),
            f"{why} {self._what_happens_to_others()}".strip(),
            ways,
        )

    def _what_happens_to_others(self) -> str:
        """To the open chats, if another model takes the place of the window's."""
        model = self._client.view.model
        sessions = [one for one in self._hub.sessions() if one.path]
        following = sum(not one.chat.model for one in sessions)
        waiting = sum(
            same_folder(one.chat.model) == same_folder(model) for one in sessions if one.chat.model
        )
        words = []
        if following:
            words.append(
                self.tr("Open chats that the new model answers from then on: {count}.").format(
                    count=following
                )
            )
        if waiting:
            words.append(
                self.tr("Open chats that wait until {model} is loaded again: {count}.").format(
                    model=model_name(model), count=waiting
                )
            )
        return " ".join(words)

    def _on_rebuilt(self, error: str) -> None:
        self._rebuilt_for.banner.set_work("")
        if error:
            self.noticed.emit(
                self.tr("The starter model could not be built: {reason}").format(reason=error)
            )
            return
        self._load(self._rebuilt_for.client, self.starter)

    def _when_free(
        self,
        clients: EngineClient | list[EngineClient],
        consequence: str,
        go: Callable[[], object],
    ) -> None:
        """Ask first where answers of these engines are on their way."""
        busy = clients if isinstance(clients, list) else [clients]
        busy = [one for one in busy if one.view.phase is Phase.READY]
        count = sum(self._hub.answered_by(one) for one in busy)
        if count == 0:
            go()
            return
        from desktop.views.engine.questions import ask

        names = ", ".join(model_name(one.view.model) for one in busy)
        ask(
            self.window,
            self.tr("Answers are on their way"),
            self.tr("{count} chats are being answered by {model}.").format(count=count, model=names)
            if count > 1
            else self.tr("A chat is being answered by {model}.").format(model=names),
            self.tr("{consequence} What is written so far is kept.").format(
                consequence=consequence
            ),
            [(self.tr("Go on"), go)],
        )


def _holds(client: EngineClient) -> bool:
    """Whether this engine has a model in its memory, or is about to."""
    return client.view.phase in (Phase.READY, Phase.LOADING, Phase.SLEEPING)


def _set_aside(client: EngineClient) -> int:
    """Bytes of the host's memory that an engine on the CPU keeps for its chats."""
    loaded = client.view.loaded
    if loaded is not None:
        return loaded.kv_cache_bytes if loaded.device == CPU else 0
    wanted = client.wanted[1] if client.wanted is not None and _holds(client) else None
    if wanted is None or wanted.devices or client.view.phase is Phase.SLEEPING:
        return 0
    return wanted.kv_cache_bytes or 0
