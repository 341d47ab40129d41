"""What a tab says of its model: which one answers, and what a question waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.engine_link.engine_pool import same_folder
from desktop.models.engine_text import model_name
from desktop.models.notice import Notice, NoticeLevel
from desktop.models.session.session_state import Waiting

if TYPE_CHECKING:
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.tabs.chat_tab import ChatTab

MISSING = "model_missing"  # the code of the notice that offers to load the chat's model


class TabModel(QObject):
    """The model's side of a `ChatTab`. It works for the tab's session of the moment."""

    def __init__(self, tab: ChatTab, hub: SessionHub) -> None:
        super().__init__(tab)
        self._tab = tab
        self._hub = hub
        self._missing = ""  # the model that a question waits for and no engine has

    @property
    def _session(self) -> ChatSession:
        return self._tab.session

    def refresh(self) -> None:
        """The engines are others now, or the chat has another model."""
        view = self._hub.view_of(self._session)
        self._tab.welcome.set_view(view)
        self._tab.composer.below.set_model(view, is_own=bool(self._session.chat.model))
        self._tab.composing.follow_model()

    def open_menu(self) -> None:
        """Choose the model of this chat."""
        if self._session.chat_id:
            self._tab.model_menu_requested.emit("", self._tab.composer.below.model_anchor())

    def answer_with(self, message_id: str) -> None:
        """Choose a model to answer this again."""
        if message_id:
            anchor = self._tab.composer.below.model_anchor()
            self._tab.model_menu_requested.emit(message_id, anchor)

    def on_waiting(self, waiting: Waiting | None) -> None:
        """A question waits: say so and offer a way where no engine has its model."""
        missing = waiting.model if waiting is not None and waiting.is_missing else ""
        if missing == self._missing:
            return
        self._missing = missing
        notice = self._session.notice
        if missing:
            words = self.tr("Your message waits for {model}, which is not loaded.").format(
                model=model_name(missing)
            )
            self._session.notify(NoticeLevel.WARNING, words, MISSING)
        elif notice.code == MISSING:
            self._session.notify(NoticeLevel.HINT, "")

    def decorate(self, notice: Notice) -> None:
        """A notice is shown: with what can be done about it."""
        if notice.code != MISSING or not self._missing:
            return
        bar, missing = self._tab.notice_bar, self._missing
        bar.add_button(
            self.tr("Load {model}").format(model=model_name(missing)),
            lambda: self._tab.model_load_requested.emit(missing),
        )
        name = self._hub.model_name()
        if name and same_folder(missing) == same_folder(self._session.chat.model):
            bar.add_button(
                self.tr("Let {model} answer").format(model=name),
                lambda: self._session.set_model(""),
            )
