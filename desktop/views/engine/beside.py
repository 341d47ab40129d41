"""Models beside the window's own: loaded if there is room, asked, closed again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.engine_link.engine_state import Phase
from desktop.models.engine_text import model_name
from desktop.views.engine.load_plans import LoadPlans, holds_model

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.engine_link.engine_pool import EnginePool
    from desktop.models.loading.load_book import Prepared
    from desktop.models.session.chat_session import ChatSession
    from desktop.views.engine.engine_desk import EngineDesk
    from engine.protocol import LoadSettings


class Beside(QObject):
    """See the module.

    Attributes:
        is_wanted: whether the user wants models beside each other at all.
    """

    def __init__(self, desk: EngineDesk, pool: EnginePool, plans: LoadPlans) -> None:
        super().__init__(desk)
        self._desk = desk
        self._pool = pool
        self._plans = plans
        self.is_wanted = True

    @property
    def is_possible(self) -> bool:
        """Whether a model could be loaded beside the window's."""
        return self.is_wanted and self._pool.can_open

    def load(self, folder: str, then: Callable[[], object] | None = None) -> None:
        """Load a model beside those there are, if there is room; else say so and ask.

        Args:
            then: is called when the load begins; not if the user decides otherwise.
        """

        def go(settings: LoadSettings | None = None) -> None:
            self._desk.model_used.emit(folder)
            self._pool.open(folder, settings)
            if then is not None:
                then()

        if self._pool.client_for(folder) is not None:
            go()  # it is there, or sleeps
            return
        if not self.is_possible:
            why = self.tr("Second models are switched off in the settings.")
            self._ask_instead(folder, why, then)
            return
        book = self._plans.book
        if book is None:
            go()
            return

        def planned(prepared: Prepared) -> None:
            plan = prepared.outlook.plan if prepared.outlook is not None else None
            if plan is None or plan.fits:
                book.started(prepared)
                go(prepared.settings())
            else:
                from desktop.models.loading.planner_words import problem_text

                reasons = [problem_text(p) for p in plan.problems if p.is_fatal]
                self._ask_instead(folder, " ".join(reasons), then, go)

        self._desk.check(folder, lambda: self._plans.prepare_beside(folder, planned))

    def choose(self, then: Callable[[str], object]) -> None:
        """Ask for a model folder, and load that beside.

        Args:
            then: is called with the folder when the load begins.
        """
        self._desk.chooser.choose_folder(lambda folder: self.load(folder, lambda: then(folder)))

    def close(self, client: EngineClient) -> None:
        """End an engine that was opened beside the window's; ask if it answers."""
        consequence = self.tr("Unloading the model interrupts them.")
        self._desk.when_free([client], consequence, lambda: self._pool.close(client))

    def answer_with(self, session: ChatSession, message_id: str, folder: str) -> None:
        """Answer a message again by another model, which is loaded beside if need be."""
        self.load(folder, lambda: session.answer_again_with(message_id, folder))

    def give_chat(self, session: ChatSession, folder: str) -> None:
        """Have a chat answered by a model from now on, which is loaded beside if need be."""
        self.load(folder, lambda: session.set_model(folder))

    def close_others(self, client: EngineClient) -> None:
        """Give back what the other engines hold, then try the load of this one again."""
        waiting = [one for one in self._pool.clients() if one is not client and holds_model(one)]
        if not waiting:
            client.restart()
            return

        def released(one: EngineClient) -> None:
            if one in waiting:
                waiting.remove(one)
                if not waiting:
                    self._pool.view_changed.disconnect(on_view)
                    client.restart()

        def on_view(one: EngineClient) -> None:
            if one.view.phase in (Phase.IDLE, Phase.FAILED):
                released(one)

        self._pool.view_changed.connect(on_view)
        for one in list(waiting):
            one.gone.connect(lambda one=one: released(one))
            self._pool.close(one)

    # --- inside ------------------------------------------------------------------------

    def _ask_instead(
        self,
        folder: str,
        why: str,
        then: Callable[[], object] | None,
        anyway: Callable[[], object] | None = None,
    ) -> None:
        """There is no room beside: in place of the window's model, or not at all?"""
        from desktop.views.engine.questions import Way, ask

        desk = self._desk
        window_model = model_name(self._pool.primary.view.model)

        def instead() -> None:
            desk.load(folder)
            if then is not None:
                then()

        ways: list[Way] = [
            (self.tr("Load it in place of {model}").format(model=window_model), instead)
        ]
        if anyway is not None:
            ways.append((self.tr("Try it all the same"), anyway))
        ask(
            desk.window,
            self.tr("No room for a second model"),
            self.tr("{new} cannot be loaded beside {old}.").format(
                new=model_name(folder), old=window_model
            ),
            f"{why} {desk.concern(following=True)}".strip(),
            ways,
        )
