"""Pictures of the running program, as an X server shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

SIZE: Final = (1280, 832)
PATIENCE_MS: Final = 180_000
FRAMES: Final = 4  # looks until the layout has come to rest


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Run the event loop until `condition` holds; it is looked at ten times a second."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    look = QTimer(interval=100)
    look.timeout.connect(lambda: loop.quit() if condition() else None)
    limit = QTimer(interval=PATIENCE_MS, singleShot=True)
    limit.timeout.connect(loop.quit)
    look.start()
    limit.start()
    loop.exec()
    if not condition():
        raise SystemExit(f"waited in vain: {what}")


def settle(frames: int = FRAMES) -> None:
    """Let some frames pass, a tenth of a second each."""
    count = [0]

    def passed() -> bool:
        count[0] += 1
        return count[0] > frames

    wait_until(passed, "a settled layout")


class Camera:
    """Takes what the screen shows where the window is, its dialogs with it."""

    def __init__(self, app: QApplication, window: QWidget, folder: Path) -> None:
        self._app = app
        self._window = window
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, name: str, size: tuple[int, int] = SIZE) -> None:
        """Size the window, let it paint, save the picture.

        Raises:
            SystemExit: the size cannot be had, or the file not be written.
        """
        window = self._window
        window.resize(*size)
        wait_until(lambda: (window.width(), window.height()) == size, "the window's size")
        settle()
        picture = self._app.primaryScreen().grabWindow(0, window.x(), window.y(), *size)
        path = self._folder / f"{name}.png"
        if not picture.save(str(path)):
            raise SystemExit(f"cannot write {path}")
        print(path, flush=True)
