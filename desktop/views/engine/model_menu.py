"""The menu of models that answer a message again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from desktop.engine_link.engine_pool import model_of, same_folder
from desktop.models.engine_text import model_name
from desktop.views.composing.model_button import state_icon, state_word

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.engine.engine_desk import EngineDesk


class ModelMenus(QObject):
    """See the module.

    Attributes:
        recent: folders of the models loaded last, newest first.
    """

    def __init__(self, desk: EngineDesk, hub: SessionHub) -> None:
        super().__init__(desk)
        self._desk = desk
        self._hub = hub
        self._pool = hub.pool
        self.recent: Sequence[str] = ()

    def open_for_answer(self, session: ChatSession, message_id: str, anchor: QWidget) -> QMenu:
        """Which model answers again what this message answers."""
        menu = self.for_answer(session, message_id, anchor)
        _open(menu, anchor)
        return menu

    def for_answer(self, session: ChatSession, message_id: str, parent: QWidget) -> QMenu:
        """See `open_for_answer`."""
        desk = self._desk
        menu = _menu(parent, self.tr("Answer again with"))
        again = partial(desk.beside.answer_with, session, message_id)
        gave = self._giver(session, message_id)
        for client in self._pool.clients():
            folder = model_of(client)
            if folder and same_folder(folder) != gave:
                words = self.tr("Answer again with {name} · {state}").format(
                    name=model_name(folder), state=state_word(client.view)
                )
                _entry(menu, words, partial(again, folder), client)
        for folder in self._not_running(gave):
            words = self.tr("Load {name} beside and answer again").format(name=model_name(folder))
            _add(menu, words, partial(again, folder))
        menu.addSeparator()
        _add(menu, self.tr("Another model…"), partial(desk.beside.choose, again)).setEnabled(
            desk.beside.is_possible
        )
        return menu

    # --- inside ------------------------------------------------------------------------

    def _not_running(self, but: str) -> list[str]:
        """Models that could be loaded beside: the precise one first, then the recent ones."""
        found: dict[str, str] = {}
        for folder in (self._desk.precise, *self.recent):
            if folder and self._pool.client_for(folder) is None:
                found.setdefault(same_folder(folder), folder)
        found.pop(same_folder(but), None)
        return list(found.values())

    def _giver(self, session: ChatSession, message_id: str) -> str:
        """Which of the models on offer gave this answer, which tells its name alone; "": none.

        Where two have that name, both are offered: it may have been the other.
        """
        name = next((one.model for one in session.messages if one.id == message_id), "")
        running = [model_of(client) for client in self._pool.clients()]
        found = {
            same_folder(folder)
            for folder in (*running, *self._not_running(""))
            if folder and model_name(folder) == name
        }
        return found.pop() if len(found) == 1 else ""


def _menu(parent: QWidget, name: str) -> QMenu:
    menu = QMenu(parent)
    menu.setAccessibleName(name)
    menu.aboutToHide.connect(menu.deleteLater)
    return menu


def _add(menu: QMenu, words: str, slot: Callable[[], object]) -> QAction:
    action = menu.addAction(words.replace("&", "&&"))
    action.triggered.connect(lambda _checked=False: slot())
    return action


def _entry(menu: QMenu, words: str, slot: Callable[[], object], client: EngineClient) -> QAction:
    action = _add(menu, words, slot)
    action.setIcon(state_icon(client.view))
    return action


def _open(menu: QMenu, anchor: QWidget) -> None:
    """Above the anchor, which mostly stands at the window's lower edge."""
    corner = anchor.mapToGlobal(QPoint(0, 0))
    menu.popup(QPoint(corner.x(), corner.y() - menu.sizeHint().height()))
