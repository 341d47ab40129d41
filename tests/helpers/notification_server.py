"""A notification server on a bus of its own: prints what it is asked for, clicks when told.

Run as a process with DBUS_SESSION_BUS_ADDRESS set. One JSON object per line on stdout; a
line "click NUMBER" on stdin makes it say that this notification was clicked.
"""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import ClassInfo, QCoreApplication, QObject, QSocketNotifier, Signal, Slot
from PySide6.QtDBus import QDBusConnection


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


@ClassInfo({"D-Bus Interface": "org.freedesktop.Notifications"})  # type: ignore[call-arg]
class Server(QObject):  # type: ignore[operator]
    ActionInvoked = Signal("uint", str)  # type: ignore[arg-type]
    NotificationClosed = Signal("uint", "uint")  # type: ignore[arg-type]

    def __init__(self) -> None:
        super().__init__()
        self._last = 6

    @Slot(str, "uint", str, str, str, "QStringList", "QVariantMap", int, result="uint")
    def Notify(  # noqa: N802
        self,
        name: str,
        replaces: int,
        icon: str,
        title: str,
        body: str,
        actions: list[str],
        hints: dict[str, object],
        expires: int,
    ) -> int:
        self._last = replaces or self._last + 1
        say(what="notify", name=name, title=title, body=body, actions=actions, number=self._last)
        return self._last

    @Slot("uint")
    def CloseNotification(self, number: int) -> None:  # noqa: N802
        say(what="close", number=number)

    def on_input(self) -> None:
        command, _, number = sys.stdin.readline().partition(" ")
        if command == "click":
            self.ActionInvoked.emit(int(number), "default")


def main() -> int:
    application = QCoreApplication([])
    server = Server()
    bus = QDBusConnection.sessionBus()
    path = "/org/freedesktop/Notifications"
    every = QDBusConnection.RegisterOption.ExportAllContents
    assert bus.registerObject(path, server, every)
    assert bus.registerService("org.freedesktop.Notifications")
    watch = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    watch.activated.connect(server.on_input)
    say(what="ready")
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
