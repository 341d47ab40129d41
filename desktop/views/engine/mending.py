"""Gives a model what it lacks, then loads it: a template, a tokenizer, files of the hub."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from desktop.background import Background, in_thread
from desktop.views.engine.library_door import Wanted

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.loading.load_choices import Choices
    from desktop.views.engine.engine_desk import EngineDesk
    from engine.protocol import Failure, Remedy
    from engine.store.origin import Origin

_FILE: Final = "file"  # of a remedy: the GGUF file meant
_URL: Final = "url"


class Mending(QObject):
    """See the module. For models that are not loaded; `EngineCare` minds those that failed."""

    def __init__(self, desk: EngineDesk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._background = Background(self)
        self._origins: dict[str, Origin | None] = {}

    # --- what can be done --------------------------------------------------------------

    def remedies_for(self, model: str, failure: Failure | None) -> tuple[Remedy, ...]:
        """What helps a model that cannot be loaded, in the user's language.

        Where its files came from is looked up once, on a thread: until then what the hub could
        do is not among them.
        """
        if failure is None:
            return ()
        from desktop.models.failure_text import translated
        from engine.protocol import RemedyAction
        from engine.store.origin import with_ways

        known = (
            RemedyAction.CHOOSE_TEMPLATE,
            RemedyAction.CHOOSE_TOKENIZER,
            RemedyAction.CONVERT,
            RemedyAction.REBUILD_STARTER,
            RemedyAction.FETCH_MISSING,
            RemedyAction.OPEN_URL,
            RemedyAction.SIGN_IN,
            RemedyAction.GO_ONLINE,
        )
        told = translated(with_ways(failure, self._origins.get(model)))
        return tuple(remedy for remedy in told.remedies if remedy.action in known)

    def look_up(self, model: str, done: Callable[[], object]) -> None:
        """Find out where a model's files came from; `done` is called when that is known."""
        if model in self._origins:
            return
        from engine.store.origin import origin_of

        self._origins[model] = None  # asked once

        def found(origin: Origin | None) -> None:
            self._origins[model] = origin
            if origin is not None:
                done()

        self._background.watch(in_thread(lambda: origin_of(model), "model-origin"), found)

    # --- what is done ------------------------------------------------------------------

    def apply(
        self,
        model: str,
        remedy: Remedy,
        client: EngineClient | None = None,
        then: Callable[[], object] | None = None,
    ) -> None:
        """Do what a remedy's button says, and load the model if that can be done now.

        Args:
            client: the engine to load it in; None: the window's own.
            then: is called when the load begins.
        """
        from engine.protocol import RemedyAction

        desk = self._desk

        def load(folder: str = model) -> None:
            desk.load(folder, client=client, then=then, is_said=True)

        match remedy.action:
            case RemedyAction.CHOOSE_TEMPLATE:
                self.ask_for_template(model, lambda file: self._give(model, load, template=file))
            case RemedyAction.CHOOSE_TOKENIZER:
                self.ask_for_tokenizer(
                    model, lambda folder: self._give(model, load, tokenizer=folder)
                )
            case RemedyAction.FETCH_MISSING:
                self.fetch(remedy, load)
            case RemedyAction.CONVERT:
                desk.care.convert(str(remedy.settings.get(_FILE) or model))
            case RemedyAction.REBUILD_STARTER:
                desk.rebuild_starter(desk.care)
            case _:
                self.go_out(remedy)

    def fetch(self, remedy: Remedy, then: Callable[[str], object]) -> None:
        """Fetch from the hub what a remedy names; `then` takes the folder."""
        repo = str(remedy.settings.get("repo", ""))
        if self._desk.library is None or not repo:
            return
        revision = str(remedy.settings.get("revision") or "main")
        variant = str(remedy.settings.get("variant", ""))
        self._desk.library.fetch(Wanted(repo, revision, variant), then)

    def go_out(self, remedy: Remedy) -> bool:
        """What leads out of the engine's affairs: a page, the hub's token, the network.

        Returns:
            Whether the remedy is one of these.
        """
        from engine.protocol import RemedyAction

        desk = self._desk
        match remedy.action:
            case RemedyAction.OPEN_URL:
                desk.link_activated.emit(str(remedy.settings.get(_URL, "")))
            case RemedyAction.SIGN_IN if desk.library is not None:
                desk.library.sign_in()
            case RemedyAction.GO_ONLINE if desk.library is not None:
                desk.library.go_online()
            case _:
                return False
        return True

    def ask_for_template(self, model: str, go: Callable[[str], object]) -> None:
        """Ask for a file with a chat template."""
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._desk.window, self.tr("Choose a chat template"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Chat templates (*.jinja *.j2)"), self.tr("All files (*)")])
        dialog.setDirectory(str(Path(model).parent))
        dialog.fileSelected.connect(go)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def ask_for_tokenizer(self, model: str, go: Callable[[str], object]) -> None:
        """Ask for a model's folder that has the tokenizer."""
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(
            self._desk.window, self.tr("Choose the folder of a model with this tokenizer")
        )
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.setDirectory(str(Path(model).parent))
        dialog.fileSelected.connect(go)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # --- inside ------------------------------------------------------------------------

    def _give(
        self,
        model: str,
        load: Callable[[], object],
        *,
        template: str | None = None,
        tokenizer: str | None = None,
    ) -> None:
        """Remember what the model cannot do without: it is needed every time."""
        from desktop.models.loading.model_key import model_key

        book = self._desk.book
        if book is None:
            load()
            return

        def remember(key: str) -> None:
            from desktop.models.loading.load_choices import AUTOMATIC

            past = book.past(key)
            choices: Choices = past.choices if past is not None else AUTOMATIC
            given = replace(
                choices,
                chat_template=template or choices.chat_template,
                tokenizer=tokenizer or choices.tokenizer,
            )
            book.memory.choose(key, model, given)
            load()

        self._background.watch(in_thread(lambda: model_key(model), "model-key"), remember)
