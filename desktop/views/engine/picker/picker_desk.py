"""Opens the picker for a chat, and does what is chosen there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.background import Background, in_thread
from desktop.engine_link.engine_pool import model_of
from desktop.engine_link.engine_state import Phase
from desktop.models.library.fit_book import Asked, FitBook, Situation
from desktop.models.library.picker_choices import Offer, Others, offer_of, others_of
from desktop.models.library.picker_model import (
    PickerRow,
    RowKind,
    Running,
    answers_now,
    base_rows,
    rows_of,
)
from desktop.views.engine.load_plans import holds_model, set_aside
from desktop.views.engine.picker.model_picker import ModelPicker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.library.shelf import Shelf
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.engine.engine_desk import EngineDesk
    from engine.protocol import Remedy


class PickerDesk(QObject):
    """See the module.

    Args:
        recent: the models loaded last, newest first.

    Attributes:
        picker: the popup.
        fits: plans the models.

    Signals:
        find_wanted: more models than there are.
    """

    find_wanted = Signal()

    def __init__(
        self,
        desk: EngineDesk,
        hub: SessionHub,
        shelf: Shelf,
        fits: FitBook,
        recent: Callable[[], Sequence[str]],
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._hub = hub
        self._pool = hub.pool
        self._shelf = shelf
        self.fits = fits
        self._recent = recent
        self._session: ChatSession | None = None
        self._base: dict[str, PickerRow] = {}
        self._base_of: object = None  # what that was made of
        self._background = Background(self)
        self.picker = ModelPicker(desk.window)
        self.picker.offer_of = self._offer_of
        self.picker.chosen.connect(self._on_chosen)
        self.picker.beside_chosen.connect(self._load_beside)
        self.picker.settings_wanted.connect(lambda row: desk.open_load_dialog(row.model))
        self.picker.unload_wanted.connect(self._unload)
        self.picker.remedy_chosen.connect(self._on_remedy)
        self.picker.rows_shown.connect(self._on_rows_shown)
        self.picker.closed.connect(self._on_closed)
        shelf.changed.connect(self._on_shelf_changed)
        fits.found.connect(self._on_fits)
        self._pool.views_changed.connect(self._refresh)

    def open(self, session: ChatSession, anchor: QWidget) -> None:
        """Offer the models for a chat; while the picker is open this closes it."""
        if self.picker.isVisible():
            self.picker.close_up()
            return
        self._session = session
        self._shelf.watch(True)
        self._prepare()
        self._look()
        self.picker.open_at(anchor, self._rows(), self._note())

    @property
    def is_settled(self) -> bool:
        """Whether all models there are are listed."""
        return self._shelf.is_read and self._base_of == (self._shelf.models, self._shelf.others)

    # --- what is on show -----------------------------------------------------------------

    def _prepare(self) -> None:
        """Find the words for the models there are, on a thread."""
        wanted = self._shelf.models, self._shelf.others
        if self._base_of == wanted:
            return

        def ready(base: dict[str, PickerRow]) -> None:
            self._base, self._base_of = base, wanted
            self._refresh()
            if self.picker.isVisible():
                self._on_rows_shown(self.picker.shown_rows())

        self._background.watch(in_thread(lambda: base_rows(*wanted), "picker-rows"), ready)

    def _target(self) -> EngineClient:
        """The engine whose model would give way."""
        assert self._session is not None
        return self._pool.client_for(self._session.chat.model) or self._pool.primary

    def _rows(self) -> list[PickerRow]:
        assert self._session is not None
        answers = self._pool.client_for(self._session.chat.model)
        running = [
            Running(self._pool.key_of(one), model_of(one), one.view)
            for one in self._pool.clients()
            if model_of(one)
        ]
        return rows_of(
            self._base,
            running,
            self._pool.key_of(answers) if answers is not None else 0,
            self._recent(),
            self.fits.fit,
        )

    def _note(self) -> str:
        if not self.is_settled:
            return self.tr("Looking for the models on this computer…")
        texts = [problem.text for problem in self._shelf.problems]
        if texts:
            from desktop.models.failure_text import translated_text

            return " ".join(map(translated_text, texts))
        return ""

    def _offer_of(self, row: PickerRow) -> Offer:
        if self._session is None:
            return Offer("")
        client = self._target()
        shown = client
        if row.engine is not None:  # whom it concerns that this one goes on, or is unloaded
            shown = next(
                (one for one in self._pool.clients() if self._pool.key_of(one) == row.engine.key),
                client,
            )
        return offer_of(
            row,
            client.view,
            self._others(shown),
            can_load_beside=self._desk.beside.is_possible,
            remedies=self._remedies(row),
        )

    def _remedies(self, row: PickerRow) -> tuple[Remedy, ...]:
        failure = row.fit.failure if row.fit is not None else None
        if failure is None or not row.problem:
            return ()
        mending = self._desk.mending
        mending.look_up(row.model, self.picker.refresh)
        return mending.remedies_for(row.model, failure)

    def _others(self, client: EngineClient) -> Others:
        return others_of(
            client,
            self._pool,
            self._hub.sessions(),
            self._session,
            self._hub.answered_by(client) if client.view.phase is Phase.READY else 0,
        )

    def _look(self) -> None:
        """Plan for what would be free if the chat's model gave way."""
        target = self._target()
        clients = self._pool.clients()
        self.fits.look(
            Situation(
                frozenset({target.pid} - {0}) if holds_model(target) else frozenset(),
                sum(set_aside(one) for one in clients if one is not target),
                sum(map(set_aside, clients)),
            )
        )

    def _refresh(self) -> None:
        if self._session is not None and self.picker.isVisible():
            self.picker.update_rows(self._rows(), self._note())

    def _on_shelf_changed(self, _models: object) -> None:
        self.fits.forget()
        self._prepare()

    def _on_fits(self, keys: frozenset[str]) -> None:
        if self._session is None or not self.picker.isVisible():
            return
        fits = {key: fit for key in keys if (fit := self.fits.fit(key)) is not None}
        self.picker.model.set_fits(fits)
        self.picker.refresh()

    def _on_rows_shown(self, rows: tuple[PickerRow, ...]) -> None:
        """Those on show first, then the rest."""
        shown = [Asked(row.model, row.identity) for row in rows if row.identity]
        rest = [Asked(model.path, model.identity) for model in self._shelf.models if model.identity]
        self.fits.ask([*shown, *rest])

    def _on_closed(self) -> None:
        self._shelf.watch(False)

    # --- what is done --------------------------------------------------------------------

    def _on_chosen(self, row: PickerRow) -> None:
        session, desk = self._session, self._desk
        if session is None:
            return
        if row.kind is RowKind.FIND:
            self.find_wanted.emit()
        elif row.kind is RowKind.FOLDER:
            desk.choose_model()
        elif row.kind is RowKind.FILE:
            desk.choose_gguf()
        elif answers_now(row):
            self._answer_with(session, row)
        else:
            self._load(session, row)

    def _answer_with(self, session: ChatSession, row: PickerRow) -> None:
        """It is loaded, or will be: this chat asks it from now on."""
        client = self._pool.client_for(row.model)
        session.set_model("" if client is self._pool.primary else row.model)

    def _load(self, session: ChatSession, row: PickerRow) -> None:
        """In place of what answers here, with the settings planned; the others were named."""
        client = self._target()
        own = "" if client is self._pool.primary else row.model
        self._desk.load(row.model, client=client, then=lambda: session.set_model(own), is_said=True)

    def _load_beside(self, row: PickerRow) -> None:
        if self._session is not None:
            self._desk.beside.give_chat(self._session, row.model)

    def _unload(self, row: PickerRow) -> None:
        client = self._pool.client_for(row.model)
        if client is self._pool.primary:
            self._desk.unload()
        elif client is not None:
            self._desk.beside.close(client)

    def _on_remedy(self, row: PickerRow, remedy: Remedy) -> None:
        session = self._session
        if session is None:
            return
        client = self._target()
        own = "" if client is self._pool.primary else row.model
        self._desk.mending.apply(row.model, remedy, client, lambda: session.set_model(own))
