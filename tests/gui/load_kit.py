"""What the tests of load dialogs share: a dialog over hardware that is only named."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_planner import LoadPlanner
from desktop.views.loading.load_dialog import LoadDialog
from engine.planner.learned import Learned
from engine.planner.machine import Machine

WAIT_MS = 10_000


class Hardware:
    """A machine that the test names; it can be slow, or fail."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.reads = 0
        self.error: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self) -> Machine:
        self.reads += 1
        self.gate.wait(timeout=20)
        if self.error is not None:
            raise self.error
        return self.machine


def planner(model: Path, hardware: Callable[[], Machine]) -> LoadPlanner:
    return LoadPlanner(str(model), hardware, Learned())


def open_dialog(
    qtbot: QtBot,
    model: Path,
    hardware: Callable[[], Machine],
    remembered: Choices = AUTOMATIC,
    *,
    wait: bool = True,
    can_load_beside: bool = False,
    can_try: bool = False,
) -> LoadDialog:
    """The dialog, once it knows whether the model fits."""
    dialog = LoadDialog(
        str(model),
        planner(model, hardware),
        lambda _key: remembered,
        can_load_beside=can_load_beside,
        can_try=can_try,
    )
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.activateWindow()
    if wait:
        qtbot.waitUntil(dialog.isActiveWindow, timeout=WAIT_MS)
        settle(qtbot, dialog)
    return dialog


def settle(qtbot: QtBot, dialog: LoadDialog) -> None:
    """Wait until the plan on show is that of the present choices."""
    qtbot.waitUntil(
        lambda: not dialog._planner.is_busy and dialog.load.isVisible(), timeout=WAIT_MS
    )


def press(key: Qt.Key, times: int = 1) -> None:
    """Press a key where the focus is."""
    for _ in range(times):
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key)


def tab_to(dialog: QDialog, wanted: QWidget) -> None:
    """Reach a widget by Tab alone."""
    for _ in range(80):
        if QApplication.focusWidget() is wanted:
            return
        press(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not lead to {wanted.accessibleName()}")


def changes(dialog: LoadDialog) -> list[str]:
    """What the buttons of the planner's changes do."""
    return [button.accessibleName() for button in dialog.summary.changes.buttons()]
