"""For tests of the monitor in a window: hardware that a test makes up, and what the panel says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop import monitor_wiring
from desktop.app import Inglenook
from desktop.hardware.sampler import HardwareSampler, Source
from desktop.monitor_wiring import Monitor
from desktop.views.monitor.monitor_panel import MonitorPanel
from tests.gui.conftest import WAIT_MS

SCRIPT = "tokens_per_second=200 load_seconds=0.05 kv_blocks=512 max_running=64"


def hardware_from(source: Callable[[], Source], monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows that are opened from now on read the hardware there."""
    monkeypatch.setattr(monitor_wiring, "new_sampler", lambda: HardwareSampler(source=source))


def monitor_of(app: Inglenook) -> Monitor:
    """The window's monitor, open or not."""
    assert app.monitor is not None
    return app.monitor


def opened(app: Inglenook) -> MonitorPanel:
    """The monitor's panel, open."""
    if not monitor_of(app).is_open:
        app.window.actions_by_name["toggle_monitor"].trigger()
    panel = monitor_of(app).panel
    assert panel is not None
    return panel


def words(root: QWidget) -> str:
    """All that a screen reader, or an eye, finds in a widget that is shown."""
    found = []
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisibleTo(root) or widget is root:
            found += [widget.accessibleName(), widget.accessibleDescription()]
            if isinstance(widget, QLabel):
                found.append(widget.text())
    return "\n".join(dict.fromkeys(filter(None, found)))


def until_says(root: QWidget, qtbot: QtBot, *texts: str, never: tuple[str, ...] = ()) -> str:
    """Wait until it says all of these, and none of those."""

    def says() -> bool:
        all_words = words(root)
        return all(text in all_words for text in texts) and not any(
            text in all_words for text in never
        )

    try:
        qtbot.waitUntil(says, timeout=WAIT_MS)
    except Exception as error:
        raise AssertionError(f"{texts} (never {never}) in:\n{words(root)}") from error
    return words(root)
