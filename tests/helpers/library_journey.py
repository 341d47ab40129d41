"""The model library used as a person would: search, look, download, load, chat; with pictures.

    .venv/bin/python -m tests.helpers.library_journey FOLDER

The real program and the real engine in a real X server, against a hub on the loopback that has the
starter model and the models of the starter list. Prints the names of the pictures, then one JSON
line with what it found; exits with a word of what it waited for in vain.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.helpers.camera import Camera, settle, wait_until
from tests.helpers.hub_catalogue import stock
from tests.helpers.loopback_hub import LoopbackHub, loopback_hub
from tests.helpers.xvfb import xvfb

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton, QWidget

    from desktop.app import Inglenook
    from desktop.views.library.discover_page import DiscoverPage

REPO: Final = "HuggingFaceTB/SmolLM2-135M-Instruct"
SMALL: Final = (1080, 720)
QUESTION: Final = "What is the capital of France?"


class Journey:
    """See the module."""

    def __init__(self, program: Inglenook, hub: LoopbackHub, camera: Camera, folder: Path) -> None:
        from PySide6.QtWidgets import QApplication

        self._program = program
        self._hub = hub
        self._camera = camera
        self._folder = folder
        self._app = QApplication.instance()
        self.found: dict[str, object] = {}

    def go(self) -> None:
        """All of it."""
        from desktop.engine_link.engine_state import Phase

        window = self._program.window
        wait_until(lambda: bool(window.area.tabs()), "the first tab")
        wait_until(lambda: self._program.library is not None, "the library")
        wait_until(lambda: self._program.client.view.phase is Phase.FAILED, "that no model is there")
        self._search()
        self._page()
        path = self._download()
        self._installed(path)
        self._load(path)
        self._chat()

    # --- the steps -------------------------------------------------------------------------

    def _search(self) -> None:
        self._program.window.actions_by_name["find_models"].trigger()
        page = self._discover
        self._take("discover-starter")
        page.field.setText("instruct")
        wait_until(lambda: page.hits.count > 3 and not page.discovering.is_busy, "results")
        wait_until(lambda: not self._undecided(page), "verdicts")
        self._take("discover")
        page.field.setText("smollm2")
        wait_until(
            lambda: page.hits.count >= 1 and not page.discovering.is_busy, "the starter on the hub"
        )

    def _undecided(self, page: DiscoverPage) -> bool:
        return bool(page.book.is_busy) if hasattr(page.book, "is_busy") else False

    def _page(self) -> None:
        page = self._discover
        page.show_model(REPO)
        wait_until(
            lambda: page.model_page is not None and self._button(page, "Download") is not None,
            "the model's page",
        )
        settle()
        self._take("model-page")

    def _download(self) -> str:
        library = self._library
        self._hub.reset_counts()
        button = self._button(self._discover, "Download")
        assert button is not None
        self._hub.fault("*/model.safetensors", "drip", method="GET", times=4, rate=12_000_000)
        button.click()
        wait_until(lambda: bool(library.downloads.views()), "the download")
        library.show_downloads()
        wait_until(lambda: library.downloads.views()[0].done > 30_000_000, "bytes of it")
        self._take("downloads")
        self._hub.mend()
        wait_until(
            lambda: library.downloads.views()[0].state.value in ("done", "failed"), "its end"
        )
        view = library.downloads.views()[0]
        self.found["download"] = {"state": view.state.value, "text": view.text}
        self.found["bytes"] = self._hub.bytes_sent("*/model.safetensors")
        assert view.state.value == "done", view.text
        return view.folder

    def _installed(self, path: str) -> None:
        library = self._library
        library.show_installed()
        wait_until(lambda: any(one.path == path for one in library.shelf.models), "it on the shelf")
        settle()
        self._take("installed")

    def _load(self, path: str) -> None:
        from desktop.engine_link.engine_state import Phase

        window = self._program.window
        self._library.window.close()
        window.bring_to_front()
        window.activateWindow()
        wait_until(window.isActiveWindow, "the window of the chats")
        window.actions_by_name["chat_model"].trigger()
        picker = self._library.picker.picker
        wait_until(picker.isVisible, "the picker")
        wait_until(lambda: picker.model.count >= 1, "the model in it")
        number = next(
            n
            for n in range(picker.model.rowCount())
            if (row := picker.model.row(n)) is not None and row.model == path
        )
        picker._go_to(number)
        wait_until(lambda: "fits" in picker.foot.words.text().lower(), "the plan")
        settle()
        self._camera.take("picker")
        self.found["picker"] = picker.foot.words.text()
        picker.foot.load_button.click()
        wait_until(lambda: self._program.client.view.phase is Phase.READY, "the model")
        self.found["loaded"] = self._program.client.view.model

    def _chat(self) -> None:
        tab = self._program.window.area.current_tab()
        assert tab is not None
        session = tab.session
        session.set_parameters({"temperature": 0.0, "max_tokens": 40})
        session.send(QUESTION)
        wait_until(
            lambda: len(session.messages) == 2 and not session.state.is_active, "an answer"
        )
        self.found["answer"] = session.messages[-1].content
        self.found["model"] = session.messages[-1].model
        self._camera.take("answer")

    # --- how -------------------------------------------------------------------------------

    @property
    def _library(self):  # type: ignore[no-untyped-def]
        assert self._program.library is not None
        return self._program.library

    @property
    def _discover(self) -> DiscoverPage:
        page = self._library.window.page("discover")
        assert page is not None
        return page  # type: ignore[no-any-return]

    def _button(self, inside: QWidget, words: str) -> QPushButton | None:
        from PySide6.QtWidgets import QPushButton

        return next(
            (
                one
                for one in inside.findChildren(QPushButton)
                if one.text().startswith(words) and one.isVisible() and one.isEnabled()
            ),
            None,
        )

    def _take(self, name: str) -> None:
        """A picture of the library's window, in front."""
        window = self._library.window
        window.move(0, 0)
        window.raise_()
        Camera(self._app, window, self._folder).take(name, SMALL)  # type: ignore[arg-type]


def main() -> int:
    """Start the hub and an X server, and go."""
    from engine.store.folders import starter_folder

    starter, folder = starter_folder(), Path(sys.argv[1])
    with (
        loopback_hub(process=True) as hub,
        xvfb() as display,
        tempfile.TemporaryDirectory() as temporary,
    ):
        stock(hub)
        hub.add(REPO, starter, licence="apache-2.0", downloads=5_000, likes=300)
        home = Path(temporary) / "home"
        for name in [name for name in os.environ if name.startswith(("HF_", "HUGGING"))]:
            del os.environ[name]
        os.environ |= hub.environment(Path(temporary) / "hf")
        os.environ |= {
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "INGLENOOK_HOME": str(home),
            "HOME": temporary,
        }
        return _run(hub, folder)


def _run(hub: LoopbackHub, folder: Path) -> int:
    from PySide6.QtWidgets import QApplication

    from desktop import i18n, paths, theme
    from desktop.app import Inglenook, Options
    from desktop.session import Session
    from desktop.settings import Settings

    folders = paths.find()
    folders.prepare()
    app = QApplication(["inglenook"])
    settings = Settings(theme="light", titles="first_words", language="en")
    i18n.install(app, "en")
    theme.apply(app, settings.theme, settings.font_size)
    program = Inglenook(app, folders, Options(), settings, Session())
    window = program.window
    window.move(0, 0)
    window.show()
    window.activateWindow()  # as a window manager would: there is none
    journey = Journey(program, hub, Camera(app, window, folder), folder)
    ends: list[Callable[[], object]] = [window.close, program.close]
    try:
        wait_until(window.isActiveWindow, "the keyboard")
        journey.go()
    finally:
        for end in ends:
            end()
    print(json.dumps(journey.found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
