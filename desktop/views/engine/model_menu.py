"""The menus of models: which one answers a chat, and which one answers again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from desktop.engine_link.engine_pool import model_of, same_folder
from desktop.engine_link.engine_state import Phase
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

    def open_for_chat(self, session: ChatSession, anchor: QWidget) -> QMenu:
        """Which model answers this chat; the menu opens at `anchor`."""
        menu = self.for_chat(session, anchor)
        _open(menu, anchor)
        return menu

    def open_for_answer(self, session: ChatSession, message_id: str, anchor: QWidget) -> QMenu:
        """Which model answers again what this message answers."""
        menu = self.for_answer(session, message_id, anchor)
        _open(menu, anchor)
        return menu

    def for_chat(self, session: ChatSession, parent: QWidget) -> QMenu:
        """See `open_for_chat`."""
        desk, pool = self._desk, self._pool
        menu = _menu(parent, self.tr("Model of this chat"))
        group = QActionGroup(menu)
        own = same_folder(session.chat.model)
        window_name = model_name(model_of(pool.primary))
        words = (
            self.tr("The window's model ({name})").format(name=window_name)
            if window_name
            else self.tr("The window's model")
        )
        first = _add(menu, words, partial(session.set_model, ""))
        _check(group, first, checked=not own)
        menu.addSeparator()
        running = [one for one in pool.clients() if model_of(one)]
        for client in running:
            folder = model_of(client)
            words = self.tr("{name} · {state}").format(
                name=model_name(folder), state=state_word(client.view)
            )
            action = _add(menu, words, partial(session.set_model, folder))
            _check(group, action, checked=own == same_folder(folder))
        if own and pool.client_for(session.chat.model) is None:
            words = self.tr("{name} · not loaded").format(name=model_name(session.chat.model))
            action = menu.addAction(words.replace("&", "&&"))
            _check(group, action, checked=True)
            _add(
                menu,
                self.tr("Load {name} beside").format(name=model_name(session.chat.model)),
                partial(desk.beside.load, session.chat.model),
            ).setEnabled(desk.beside.is_possible)
        menu.addSeparator()
        for folder in self._not_running(session.chat.model):
            words = self.tr("Load {name} beside").format(name=model_name(folder))
            slot = partial(desk.beside.give_chat, session, folder)
            _add(menu, words, slot).setEnabled(desk.beside.is_possible)
        beside = _add(
            menu,
            self.tr("Load another model beside…"),
            partial(desk.beside.choose, session.set_model),
        )
        beside.setEnabled(desk.beside.is_possible)
        for client in pool.others():
            words = self.tr("Unload {name}").format(name=model_name(model_of(client)))
            _add(menu, words, partial(desk.beside.close, client))
        self._add_sleep(menu)
        menu.addSeparator()
        _add(menu, self.tr("How the model is loaded…"), partial(desk.open_load_dialog, own))
        about = _add(menu, self.tr("About this load…"), partial(desk.open_report, own))
        about.setEnabled(self._is_loaded(session.chat.model))
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

    def _is_loaded(self, model: str) -> bool:
        """Whether a chat's model is loaded, and no load of it is under way."""
        client = self._pool.client_for(model) if model else self._pool.primary
        return client is not None and client.view.phase in (Phase.READY, Phase.SLEEPING)

    def _add_sleep(self, menu: QMenu) -> None:
        phases = {client.view.phase for client in self._pool.clients()}
        if Phase.SLEEPING in phases:
            _add(menu, self.tr("Wake the models"), self._desk.wake)
        if Phase.READY in phases:
            _add(menu, self.tr("Put the models to sleep"), self._desk.lend)


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


def _check(group: QActionGroup, action: QAction, *, checked: bool) -> None:
    action.setCheckable(True)
    action.setChecked(checked)
    group.addAction(action)


def _open(menu: QMenu, anchor: QWidget) -> None:
    """Above the anchor, which mostly stands at the window's lower edge."""
    corner = anchor.mapToGlobal(QPoint(0, 0))
    menu.popup(QPoint(corner.x(), corner.y() - menu.sizeHint().height()))
