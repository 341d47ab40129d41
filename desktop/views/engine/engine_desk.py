"""What the user can do about the engine: choose, load, unload, and every remedy's button."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.background import Background, in_thread
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name
from desktop.models.starter_rebuild import StarterRebuild

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.engine.engine_banner import EngineBanner
    from engine.protocol import LoadSettings, Remedy

_FOLDER = "folder"  # of a remedy: the model is chosen already


class EngineDesk(QObject):
    """See the module.

    Signals:
        model_chosen: the folder the user wants from now on.
        noticed: a text for the user.
    """

    model_chosen = Signal(str)
    noticed = Signal(str)

    def __init__(
        self,
        client: EngineClient,
        hub: SessionHub,
        banner: EngineBanner,
        starter: Path,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._client = client
        self._hub = hub
        self._banner = banner
        self._starter = starter
        self._window = window
        self._settings: LoadSettings | None = None  # the engine's own choice
        self._background = Background(self)
        self.checks_folders = not client.loads_any_folder
        self.rebuild = StarterRebuild(self)
        self.rebuild.progress.connect(banner.set_work)
        self.rebuild.finished.connect(self._on_rebuilt)
        banner.cancel_requested.connect(self.cancel)
        banner.remedy_chosen.connect(self.apply)

    def begin(self, model: str) -> None:
        """Start the engine and load `model`; an empty one is the starter model."""
        self._client.start()
        self._client.load(model or str(self._starter), self._settings)

    def explained(self, view: EngineView) -> EngineView:
        """`view` in the user's language, with a remedy that only the window knows: the starter."""
        if view.failure is None:
            return view
        # Late, as all of the wire's types: the first paint knows of no failure.
        import msgspec

        from desktop.models.failure_text import translated
        from engine.protocol import Remedy, RemedyAction, Scope

        failure = translated(view.failure)
        view = replace(view, failure=failure)
        if (
            view.phase is not Phase.FAILED
            or failure.scope is not Scope.LOAD
            or any(r.action is RemedyAction.REBUILD_STARTER for r in failure.remedies)
        ):
            return view
        if view.model == str(self._starter):
            rebuild = Remedy(self.tr("Build the starter model"), RemedyAction.REBUILD_STARTER)
            remedies = (rebuild, *failure.remedies)
        else:
            back = Remedy(
                self.tr("Load the starter model"),
                RemedyAction.CHOOSE_MODEL,
                {_FOLDER: str(self._starter)},
            )
            remedies = (*failure.remedies, back)
        return replace(view, failure=msgspec.structs.replace(failure, remedies=remedies))

    def load(self, folder: str) -> None:
        """Load the model in `folder`, after a word of warning if answers are on their way.

        A folder that holds no model is refused before the one that is loaded is given up.
        """

        def go() -> None:
            self._settings = None
            self.model_chosen.emit(folder)
            self._client.load(folder, self._settings)

        def ask(_facts: object) -> None:
            self._when_free(self.tr("Loading another model interrupts them."), go)

        if self._client.view.phase is not Phase.READY or not self.checks_folders:
            go()  # nothing to lose; the engine says what is wrong with the folder
            return
        from engine.store.model_folder import read_model_folder

        # On a thread: the folder may lie on a slow disk.
        facts = in_thread(lambda: read_model_folder(Path(folder)), "model-folder")
        self._background.watch(facts, ask, self._on_no_model)

    def _on_no_model(self, error: Exception) -> None:
        self.noticed.emit(
            self.tr("{reason} {model} stays loaded.").format(
                reason=error, model=model_name(self._client.view.model)
            )
        )

    def unload(self) -> None:
        """Give the model's memory back."""
        self._when_free(self.tr("Unloading the model interrupts them."), self._client.unload)

    def choose_model(self) -> None:
        """Ask for a model folder, then load it."""
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._window, self.tr("Choose the folder of a model"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        current = self._client.view.model or str(self._starter)
        dialog.setDirectory(str(Path(current).parent))
        dialog.fileSelected.connect(self.load)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def cancel(self) -> None:
        """Stop what the banner shows: the building of the starter, or a load."""
        if self.rebuild.is_running:
            self.rebuild.cancel()
            self._banner.set_work("")
        else:
            self._client.cancel_load()

    def apply(self, remedy: Remedy) -> None:
        """Do what a remedy's button says."""
        from engine.protocol import RemedyAction

        match remedy.action:
            case RemedyAction.RETRY:
                self._client.restart()
            case RemedyAction.RELOAD_WITH:
                self._reload_with(remedy)
            case RemedyAction.REBUILD_STARTER:
                self._banner.set_work(self.tr("Reading the installed package"))
                self.rebuild.start()
            case RemedyAction.CHOOSE_MODEL:
                folder = remedy.settings.get(_FOLDER)
                if isinstance(folder, str):
                    self.load(folder)
                else:
                    self.choose_model()
            case RemedyAction.SHOW_LOG:
                self.show_log()
            case RemedyAction.NONE | RemedyAction.SHORTEN_PROMPT:
                pass

    def show_log(self) -> None:
        """The engine's last lines, and the raw error if there is one."""
        from desktop.views import dialogs

        failure = self._client.view.failure
        dialogs.show_log(self._window, self._client.log_tail(), failure.detail if failure else "")

    def stop(self) -> None:
        """The window goes away."""
        self.rebuild.cancel()

    # --- inside ----------------------------------------------------------------------

    def _reload_with(self, remedy: Remedy) -> None:
        import msgspec

        from engine.protocol import LoadSettings

        now = msgspec.to_builtins(self._settings or LoadSettings())
        try:
            changed = msgspec.convert({**now, **remedy.settings}, LoadSettings)
        except msgspec.ValidationError as error:
            self.noticed.emit(self.tr("These settings cannot be used: {error}").format(error=error))
            return
        self._settings = changed
        self._client.load(self._client.view.model or str(self._starter), changed)

    def _on_rebuilt(self, error: str) -> None:
        self._banner.set_work("")
        if error:
            self.noticed.emit(
                self.tr("The starter model could not be built: {reason}").format(reason=error)
            )
            return
        self._settings = None
        self._client.load(str(self._starter), self._settings)

    def _when_free(self, consequence: str, go: Callable[[], object]) -> None:
        count = self._hub.active_count
        if count == 0 or self._client.view.phase is not Phase.READY:
            go()
            return
        from PySide6.QtWidgets import QLabel, QMessageBox

        box = QMessageBox(self._window)
        box.setWindowTitle(self.tr("Answers are on their way"))
        box.setText(
            self.tr("{count} chats are being answered by {model}.").format(
                count=count, model=model_name(self._client.view.model)
            )
            if count > 1
            else self.tr("A chat is being answered by {model}.").format(
                model=model_name(self._client.view.model)
            )
        )
        box.setInformativeText(
            self.tr("{consequence} What is written so far is kept.").format(consequence=consequence)
        )
        for label in box.findChildren(QLabel):  # a folder's name is no markup
            label.setTextFormat(Qt.TextFormat.PlainText)
        proceed = box.addButton(self.tr("Go on"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        proceed.clicked.connect(lambda _checked=False: go())
        box.finished.connect(box.deleteLater)
        box.open()
