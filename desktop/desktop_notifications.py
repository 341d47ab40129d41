"""The desktop's own notifications, over D-Bus (org.freedesktop.Notifications).

Only imported when there is something to say: the D-Bus library takes a few milliseconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import Q_ARG, Q_RETURN_ARG, SLOT, QMetaObject, QObject, Qt, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusInterface

from desktop.background import Background, in_thread

log = logging.getLogger(__name__)

SERVICE: Final = "org.freedesktop.Notifications"
PATH: Final = "/org/freedesktop/Notifications"
NAME: Final = "Inglenook"
TIMEOUT_MS: Final = 5000  # for the server to answer; it may have to be started first
_DEFAULT: Final = "default"  # the action of a click on the notification itself
_EXPIRES: Final = -1  # when the server thinks fit


@dataclass(frozen=True, slots=True)
class _Words:
    title: str
    body: str
    click: str  # what a click does, for servers that show it as a button


class DesktopNotifications(QObject):
    """One notification per chat at most; a new one takes the old one's place.

    Signals:
        clicked: id of the chat whose notification was clicked.
    """

    clicked = Signal(str)

    def __init__(self, parent: QObject | None = None, bus: QDBusConnection | None = None) -> None:
        super().__init__(parent)
        self._bus = bus if bus is not None else QDBusConnection.sessionBus()
        self._background = Background(self)
        self._shown: dict[str, int] = {}  # the server's number of a chat's notification
        self._listens = False

    def notify(self, chat_id: str, title: str, body: str, failed: Callable[[], object]) -> None:
        """Show a notification; `failed` is called later if nobody shows it."""
        if not self._bus.isConnected():
            failed()
            return
        self._listen()
        words = _Words(title, body, self.tr("Show the chat"))
        bus, replaces = self._bus, self._shown.get(chat_id, 0)

        def done(number: int) -> None:
            if number:
                self._shown[chat_id] = number
            else:
                failed()

        # On a thread: a server that must be started first, or hangs, holds up no window.
        self._background.watch(
            in_thread(lambda: _show(bus, words, replaces), "notify"), done, lambda _error: done(0)
        )

    def withdraw(self, chat_id: str) -> None:
        """Take a chat's notification back."""
        number, bus = self._shown.pop(chat_id, 0), self._bus
        if number:
            self._background.watch(in_thread(lambda: _close(bus, number), "notify"))

    # --- what the server says ----------------------------------------------------------

    @Slot("uint", str)
    def on_action(self, number: int, _action: str) -> None:
        """A notification was clicked, ours or somebody else's."""
        for chat_id in self._chats_of(number):
            self.clicked.emit(chat_id)

    @Slot("uint", "uint")
    def on_closed(self, number: int, _reason: int) -> None:
        """A notification went away."""
        for chat_id in self._chats_of(number):
            del self._shown[chat_id]

    # --- inside ----------------------------------------------------------------------

    def _chats_of(self, number: int) -> list[str]:
        return [chat_id for chat_id, shown in self._shown.items() if shown == number]

    def _listen(self) -> None:
        if self._listens:
            return
        self._listens = True
        for name, slot in (
            ("ActionInvoked", "on_action(uint,QString)"),
            ("NotificationClosed", "on_closed(uint,uint)"),
        ):
            self._bus.connect(SERVICE, PATH, SERVICE, name, self, SLOT(slot))  # type: ignore[call-overload]


def _interface(bus: QDBusConnection) -> QDBusInterface | None:
    server = QDBusInterface(SERVICE, PATH, SERVICE, bus)
    server.setTimeout(TIMEOUT_MS)
    return server if server.isValid() else None


def _show(bus: QDBusConnection, words: _Words, replaces: int) -> int:
    """The server's number of the notification; 0: there is none."""
    server = _interface(bus)
    if server is None:
        return 0
    # Through the meta-object that Qt makes of the server's own description: a plain call
    # would send Python's numbers as signed ones, which servers refuse.
    number: Any = QMetaObject.invokeMethod(
        server,
        "Notify",
        Qt.ConnectionType.DirectConnection,
        Q_RETURN_ARG("uint"),
        Q_ARG("QString", NAME),
        Q_ARG("uint", replaces),
        Q_ARG("QString", "inglenook"),
        Q_ARG("QString", words.title),
        Q_ARG("QString", words.body),
        Q_ARG("QStringList", [_DEFAULT, words.click]),
        Q_ARG("QVariantMap", {"desktop-entry": "inglenook", "category": "im.received"}),
        Q_ARG("int", _EXPIRES),
    )
    if not number:
        log.info("The notification was refused: %s", server.lastError().message())
    return int(number or 0)


def _close(bus: QDBusConnection, number: int) -> None:
    server = _interface(bus)
    if server is not None:
        QMetaObject.invokeMethod(
            server,
            "CloseNotification",
            Qt.ConnectionType.DirectConnection,
            Q_ARG("uint", number),
        )
