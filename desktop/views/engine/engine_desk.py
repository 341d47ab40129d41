"""What the user can do about the engines: choose a model, load it here or beside, have it sleep."""

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
from desktop.views.engine.beside import Beside
from desktop.views.engine.engine_care import EngineCare
from desktop.views.engine.load_plans import LoadPlans
from desktop.views.engine.model_chooser import ModelChooser

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.loading.load_book import LoadBook, Prepared
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.engine.engine_banner import EngineBanner
    from desktop.views.engine.library_door import LibraryDoor
    from desktop.views.engine.mending import Mending
    from engine.protocol import Failure, LoadSettings

_GGUF = "gguf"  # a failure's code: the file has to be converted first


class EngineDesk(QObject):
    """See the module.

    Attributes:
        beside: loads models beside the window's.
        chooser: asks for folders and files of models.
        library: finds and fetches models; the application sets it after the first paint.
        mending: gives a model what it lacks.
        precise: folder of the model that answers where the quantised one is doubted; "": none.

    Signals:
        model_chosen: the folder the user wants from now on.
        model_used: a folder that was loaded, here or beside: one of the recent ones.
        noticed: a text for the user.
        refused: a text for the user, the folder that is not loaded, and its `Failure` or None.
        link_activated: an address that the user wants to see.
        choose_wanted: the `EngineClient` for which the user wants another model.
    """

    model_chosen = Signal(str)
    model_used = Signal(str)
    noticed = Signal(str)
    refused = Signal(str, str, object)
    link_activated = Signal(str)
    choose_wanted = Signal(object)

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
        self.precise = ""
        self._client = client
        self._hub = hub
        self._pool = hub.pool
        self._plans = LoadPlans(self._pool)
        self.beside = Beside(self, self._pool, self._plans)
        self.library: LibraryDoor | None = None
        self._mending: Mending | None = None
        self.chooser = ModelChooser(window, self.starter, lambda: client.view.model)
        self._background = Background(self)
        self.checks_folders = not client.loads_any_folder
        self.care = EngineCare(self, client, banner)  # of the window's own engine
        self.rebuild = StarterRebuild(self)
        self._rebuilt_for = self.care
        self.rebuild.progress.connect(lambda line: self._rebuilt_for.banner.set_work(line))
        self.rebuild.finished.connect(self._on_rebuilt)

    @property
    def book(self) -> LoadBook | None:
        """Plans loads and remembers them; the application sets it after the first paint."""
        return self._plans.book

    @book.setter
    def book(self, book: LoadBook | None) -> None:
        self._plans.book = book

    @property
    def mending(self) -> Mending:
        """See the class; made when it is first needed."""
        if self._mending is None:
            from desktop.views.engine.mending import Mending

            self._mending = Mending(self)
        return self._mending

    def begin(self, model: str) -> None:
        """Start the engine and load `model`; an empty one is the starter model."""
        self._client.start()
        self._load(self._client, model or self.starter)

    # --- the window's own engine -----------------------------------------------------

    def load(
        self,
        folder: str,
        settings: LoadSettings | None = None,
        *,
        client: EngineClient | None = None,
        then: Callable[[], object] | None = None,
        is_said: bool = False,
    ) -> None:
        """Load a model in place of another, after a word if that interrupts or concerns.

        A folder that holds no model is refused before the one that is loaded is given up.

        Args:
            settings: None: those remembered for the model, and else the planner's.
            client: the engine that has the other; None: the window's own.
            then: is called when the load begins; not if the user decides otherwise.
            is_said: the user knows already what becomes of other chats.
        """
        client = client or self._client

        def go() -> None:
            if client is self._client:
                self.model_chosen.emit(folder)
            self._load(client, folder, settings)
            if then is not None:
                then()

        def ask() -> None:
            other = same_folder(folder) != same_folder(client.view.model)
            self.when_free(
                [client],
                self.tr("Loading another model interrupts them."),
                go,
                self.concern(client) if other and not is_said else "",
            )

        if client.view.phase is not Phase.READY or not self.checks_folders:
            go()  # nothing to lose; the engine says what is wrong with the folder
            return
        self.check(folder, ask, self._ask_to_convert)

    def load_in(self, client: EngineClient, folder: str) -> None:
        """Load a model in place of the one that this engine has."""
        if client is self._client:
            self.load(folder)
        else:
            self._load(client, folder)

    def unload(self) -> None:
        """Give the memory of the window's model back."""
        self.drop_plan(self._client)
        self.when_free(
            [self._client], self.tr("Unloading the model interrupts them."), self._client.unload
        )

    def choose_model(self, client: EngineClient | None = None) -> None:
        """Ask for a model folder, then how it is to be loaded; beside the window's: load it."""

        def go(folder: str) -> None:
            if client is None or client is self._client:
                self.open_load_dialog(folder)
            else:
                self.load_in(client, folder)

        self.chooser.choose_folder(go)

    def choose_gguf(self) -> None:
        """Ask for a model that is one file, then how it is to be loaded."""
        self.chooser.choose_file(self.open_load_dialog)

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
        self._plans.suppose(self._client)
        dialog = LoadDialog(
            folder,
            book.planner(folder, self),
            lambda key: past.choices if (past := book.past(key)) is not None else AUTOMATIC,
            can_load_beside=self.beside.is_possible,
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
        dialog.other_wanted.connect(lambda: self.chooser.choose_folder(self.open_load_dialog))
        dialog.open()

    def _open_trial(self, prepared: Prepared) -> None:
        """Measure a model on one GPU and on two, and keep the faster way."""

        def go() -> None:
            from desktop.views.loading.open_loads import open_trial

            self.drop_plan(self._client)
            dialog = open_trial(self.book, self._client, prepared, self.window)
            dialog.settled.connect(lambda _tried: self.model_chosen.emit(prepared.model))
            dialog.settled.connect(lambda _tried: self.model_used.emit(prepared.model))

        self.when_free([self._client], self.tr("The trial interrupts them."), go)

    def open_recent(self) -> None:
        """Offer the models that were loaded before."""
        from desktop.views.loading.open_loads import open_recent

        recent = open_recent(self.book, self.window)
        recent.chosen.connect(self.load)
        recent.settings_wanted.connect(self.open_load_dialog)
        recent.browse_wanted.connect(self.choose_model)

    def open_report(self, model: str = "") -> None:
        """What the last load of a model came to, beside its plan; "": of the window's."""
        from desktop.views.loading.open_loads import open_report

        model = model or self._client.view.model
        if open_report(self.book, model, self.window) is None:
            self.noticed.emit(
                self.tr("Nothing is known of a load of {model} yet.").format(
                    model=model_name(model) or self.tr("a model")
                )
            )

    def usual(self, model: str) -> dict[str, float]:
        """The usual seconds of each stage of a load of `model`; empty before the first."""
        return self.book.usual(model) if self.book is not None else {}

    # --- sleeping ----------------------------------------------------------------------

    def lend(self) -> None:
        """Have all models sleep: what they take is free for something else."""
        ready = [one for one in self._pool.clients() if one.view.phase is Phase.READY]

        def go() -> None:
            for one in ready:
                one.sleep(lend=True)

        self.when_free(ready, self.tr("Putting the models to sleep interrupts them."), go)

    def wake(self) -> None:
        """Have the sleeping models back."""
        for one in self._pool.clients():
            one.wake()

    # --- for its parts (see engine_care, beside) --------------------------------------------

    @property
    def engines(self) -> list[EngineClient]:
        """All that there are, the window's own first."""
        return self._pool.clients()

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
        self._plans.drop(client)

    def check(
        self,
        folder: str,
        go: Callable[[], object],
        convert: Callable[[Failure], object] | None = None,
    ) -> None:
        """Go on if the folder holds a model; else say why not.

        Args:
            convert: takes what is said of a GGUF file that has to be converted first.
        """
        if not self.checks_folders:
            go()
            return
        from engine.store.gguf_folders import gguf_of
        from engine.store.gguf_source import check_here
        from engine.store.model_folder import ModelFolderError, read_model_folder

        needs = self._needs(folder)

        def look() -> None:
            if gguf_of(Path(folder)) is None:
                read_model_folder(Path(folder), needs)
            else:
                check_here(Path(folder))

        def refused(error: Exception) -> None:
            failure = error.failure if isinstance(error, ModelFolderError) else None
            if failure is not None and failure.code == _GGUF and convert is not None:
                convert(failure)
            else:
                self._on_no_model(error, folder, failure)

        # On a thread: the folder may lie on a slow disk.
        self._background.watch(in_thread(look, "model-folder"), lambda _none: _call(go), refused)

    def when_free(
        self,
        clients: list[EngineClient],
        consequence: str,
        go: Callable[[], object],
        concern: str = "",
    ) -> None:
        """Ask first where answers of these engines are on their way, or other chats are concerned.

        Args:
            concern: what happens to other chats; "": nothing that must be said.
        """
        busy = [one for one in clients if one.view.phase is Phase.READY]
        count = sum(self._hub.answered_by(one) for one in busy)
        if count == 0 and not concern:
            go()
            return
        from desktop.views.engine.questions import ask

        names = ", ".join(model_name(one.view.model) for one in busy)
        if count == 0:
            title, text = self.tr("Another model"), self.tr("Other chats are concerned.")
        else:
            title = self.tr("Answers are on their way")
            text = (
                self.tr("{count} chats are being answered by {model}.")
                if count > 1
                else self.tr("A chat is being answered by {model}.")
            ).format(count=count, model=names)
        more = ""
        if count:
            more = self.tr("{consequence} What is written so far is kept.").format(
                consequence=consequence
            )
        ask(self.window, title, text, f"{more} {concern}".strip(), [(self.tr("Go on"), go)])

    def concern(self, client: EngineClient | None = None, *, following: bool = False) -> str:
        """What happens to open chats if another model takes the place of an engine's.

        Args:
            client: None: the window's own.
            following: whether those that follow the window's model are named, too.
        """
        client = client or self._client
        model = client.view.model
        chats = [one.chat for one in self._hub.sessions() if one.path]
        following = following and client is self._client
        follow = sum(not chat.model for chat in chats) if following else 0
        wait = sum(same_folder(chat.model) == same_folder(model) for chat in chats if chat.model)
        words = []
        if follow:
            words.append(
                self.tr("Open chats that the new model answers from then on: {count}.").format(
                    count=follow
                )
            )
        if wait:
            words.append(
                self.tr("Open chats that wait until {model} is loaded again: {count}.").format(
                    model=model_name(model), count=wait
                )
            )
        return " ".join(words)

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
        if settings is None:
            self._plans.load(client, folder)
        else:
            self.drop_plan(client)
            client.load(folder, settings)

    def _needs(self, folder: str) -> LoadSettings | None:
        """What the model lacks and the user gave once: a template, a tokenizer."""
        past = self.book.memory.latest_of(folder) if self.book is not None else None
        return past.choices.needs().settings() if past is not None else None

    def _ask_to_convert(self, failure: Failure) -> None:
        """What it costs is said, and what is loaded stays so until the conversion is there."""
        from desktop.models.failure_text import translated
        from desktop.views.engine.questions import ask

        remedy = translated(failure).remedies[0]
        ask(
            self.window,
            self.tr("Convert the model"),
            translated(failure).cause,
            self.tr("It is loaded then; until then {model} stays loaded.").format(
                model=model_name(self._client.view.model)
            ),
            [(self.tr("Convert and load"), lambda: self.care.apply(remedy))],
        )

    def _on_no_model(self, error: Exception, folder: str, failure: Failure | None) -> None:
        from desktop.models.failure_text import translated_text

        text = self.tr("{reason} {model} stays loaded.").format(
            reason=translated_text(str(error)), model=model_name(self._client.view.model)
        )
        self.refused.emit(text, folder, failure)

    def _on_settled(
        self, prepared: Prepared, model: str, settings: LoadSettings, *, beside: bool = False
    ) -> None:
        if self.book is not None:
            self.book.choose(prepared)
            self.book.started(prepared)
        if beside:
            self.beside.load(model)  # planned anew: what is loaded stays
        else:
            self.load(model, settings)

    def _on_rebuilt(self, error: str) -> None:
        self._rebuilt_for.banner.set_work("")
        if error:
            self.noticed.emit(
                self.tr("The starter model could not be built: {reason}").format(reason=error)
            )
            return
        self._load(self._rebuilt_for.client, self.starter)


def _call(go: Callable[[], object]) -> None:
    go()
