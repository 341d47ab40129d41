"""Makes the README's pictures: the real program, the real engine, a real X server.

    .venv/bin/python -m tests.screenshots [FOLDER [MODEL]]

Writes loading.png, four-tabs-light.png, four-tabs-dark.png and narrow.png (into
assets/screenshots unless told otherwise). Uses the starter model and a home of its own.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.helpers.xvfb import xvfb

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop.app import Inglenook

ROOT = Path(__file__).resolve().parents[1]
SIZE = (1280, 832)
NARROW = (720, 832)
PROMPTS = (
    "Explain in a few paragraphs how bread rises, and why the dough must rest.",
    "Write a Python function that counts the words of a text, and explain it.",
    "Write a letter to a friend about a week of walking in the mountains.",
    "What should I know before I buy a used bicycle? Give me a list with reasons.",
)
GO_ON = "Please go on, and tell more."
FRONT = 0  # the tab that the pictures show
TEXT_BEFORE_PICTURE = 250  # characters in each answer
ATTEMPTS = 5
PATIENCE_MS = 180_000


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


class Camera:
    """Takes what the X server shows of the window."""

    def __init__(self, app: QApplication, program: Inglenook, folder: Path) -> None:
        self._app = app
        self._program = program
        self._folder = folder
        self.taken: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, name: str, size: tuple[int, int] = SIZE) -> None:
        """Size the window, let it paint, save the picture."""
        window = self._program.window
        window.resize(*size)
        wait_until(lambda: (window.width(), window.height()) == size, "the window's size")
        count = [0]

        def settled() -> bool:
            count[0] += 1
            return count[0] > 4  # some frames later the layout has come to rest

        wait_until(settled, "a settled layout")
        picture = self._app.primaryScreen().grabWindow(window.winId())
        path = self._folder / f"{name}.png"
        if not picture.save(str(path)):
            raise SystemExit(f"cannot write {path}")
        self.taken.append(path)
        print(path)


def photograph(folder: Path, model: Path) -> list[Path]:
    """Open the program with `model`, stream in four tabs, take the pictures."""
    from PySide6.QtWidgets import QApplication

    from desktop import paths, theme
    from desktop.app import Inglenook, Options
    from desktop.chats.chat import MessageStatus
    from desktop.engine_link.engine_state import Phase
    from desktop.session import Session
    from desktop.settings import Settings

    folders = paths.find()
    folders.prepare()
    app = QApplication(["inglenook"])
    settings = Settings(theme="light")
    theme.apply(app, settings.theme, settings.font_size)
    program = Inglenook(app, folders, Options(model=str(model)), settings, Session())
    camera = Camera(app, program, folder)
    window = program.window
    window.move(0, 0)
    window.resize(*SIZE)
    window.show()
    try:
        wait_until(lambda: bool(window.area.tabs()), "the first tab")
        wait_until(lambda: program.client.view.phase is Phase.LOADING, "the load")
        camera.take("loading")
        wait_until(lambda: program.client.view.phase is Phase.READY, "the model")
        for number in range(len(PROMPTS)):
            window.tabs.new_chat()
            wait_until(
                lambda wanted=number: (
                    len(window.area.tabs()) > wanted  # type: ignore[misc]
                    and window.area.tabs()[-1].session.is_blank
                ),
                "a new tab",
            )
            window.area.tabs()[-1].session.send(PROMPTS[number])
        sessions = [tab.session for tab in window.area.tabs()]
        window.area.setCurrentWidget(window.area.tabs()[FRONT])

        def all_stream() -> bool:
            last = [session.messages[-1] for session in sessions if session.messages]
            return len(last) == len(PROMPTS) and all(
                message.status is MessageStatus.STREAMING
                and len(message.content) > TEXT_BEFORE_PICTURE
                for message in last
            )

        def picture(name: str) -> None:
            """Of four streams; an answer that came to its end is followed by another."""
            for _ in range(ATTEMPTS):
                for session in sessions:
                    if not session.state.is_active:
                        session.send(GO_ON)
                wait_until(
                    lambda: all_stream() or not all(s.state.is_active for s in sessions),
                    "four streams",
                )
                if all_stream():
                    camera.take(name)
                    if all_stream():
                        return
            raise SystemExit(f"four answers never streamed together for {name}")

        picture("four-tabs-light")
        window.change(theme="dark")  # as the View menu does
        picture("four-tabs-dark")
        for session in sessions:
            session.stop()
        wait_until(lambda: not any(session.state.is_active for session in sessions), "the stop")
        window.change(theme="light")
        camera.take("narrow", NARROW)
    finally:
        window.close()
        program.close()
    return camera.taken


def main() -> int:
    """Start an X server, then this module again inside it."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "assets" / "screenshots"
    from engine.store.folders import starter_folder

    model = Path(sys.argv[2]) if len(sys.argv) > 2 else starter_folder()
    with xvfb() as display, tempfile.TemporaryDirectory() as home:
        os.environ |= {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "INGLENOOK_HOME": home}
        photograph(folder, model)
    return 0


if __name__ == "__main__":
    sys.exit(main())
