"""Takes pictures of the real program with the real engine, in a real X server.

    .venv/bin/python -m tests.screenshots                    those that README.md shows
    .venv/bin/python -m tests.screenshots FOLDER [MODEL]     all of them, to be looked at

Uses the starter model and a home of its own. What chats say comes from the model; only the
pictures named chat-* show a chat that was written for them (tests/helpers/everyday_chat.py).
The hub in the pictures named library-* is one on the loopback: see tests/helpers/hub_scenes.py.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.helpers.camera import SIZE, Camera, settle, wait_until
from tests.helpers.everyday_chat import everyday_chat
from tests.helpers.hub_scenes import LibraryScenes, furnish
from tests.helpers.loopback_hub import loopback_hub
from tests.helpers.xvfb import xvfb

if TYPE_CHECKING:
    from desktop.app import Inglenook
    from desktop.models.session.chat_session import ChatSession
    from desktop.views.tabs.chat_tab import ChatTab
    from desktop.views.window.main_window import MainWindow

ROOT: Final = Path(__file__).resolve().parents[1]
SHOWN: Final = ROOT / "assets" / "screenshots"
NARROW: Final = (720, 832)
WIDE: Final = (1480, 900)
PROMPTS: Final = (
    "Explain in a few paragraphs how bread rises, and why the dough must rest.",
    "Write a Python function that counts the words of a text, and explain it.",
    "Write a letter to a friend about a week of walking in the mountains.",
    "What should I know before I buy a used bicycle? Give me a list with reasons.",
)
GO_ON: Final = "Please go on, and tell more."
SKY: Final = "Why is the sky blue, and the evening sky red? Answer in two sentences."
TEXT_BEFORE_PICTURE: Final = 250  # characters in each answer
ATTEMPTS: Final = 20
HISTORY_FRAMES: Final = 100  # that the monitor has something to show of
UNTIL_IT_STANDS_OUT_NO_MORE: Final = 16  # frames of a tenth of a second


class Scenes:
    """The program in the states that are worth a picture, one after another."""

    def __init__(self, program: Inglenook, camera: Camera) -> None:
        self._program = program
        self._camera = camera

    @property
    def _window(self) -> MainWindow:
        return self._program.window

    def play(self) -> None:
        """All of them."""
        self._loading()
        self._streaming()
        self._searching()
        self._side_by_side()
        self._everyday()

    # --- the scenes ------------------------------------------------------------------------

    def _loading(self) -> None:
        from desktop.engine_link.engine_state import Phase

        wait_until(lambda: bool(self._window.area.tabs()), "the first tab")
        wait_until(lambda: self._program.client.view.phase is Phase.LOADING, "the load")
        self._camera.take("loading")
        wait_until(lambda: self._program.client.view.phase is Phase.READY, "the model")

    def _streaming(self) -> None:
        """Four tabs, then two of them beside each other."""
        for prompt in PROMPTS:
            self._blank_tab().session.send(prompt)
        sessions = [tab.session for tab in self._window.area.tabs()]
        self._window.area.setCurrentWidget(self._window.area.tabs()[0])
        self._while_streaming(sessions, "four-tabs-light")
        self._window.change(theme="dark")
        self._while_streaming(sessions, "four-tabs-dark")
        self._monitor(sessions)
        self._window.change(theme="light")
        self._do("split_right")
        self._while_streaming(sessions, "split-light")
        for session in sessions:
            session.stop()
        wait_until(lambda: not any(s.state.is_active for s in sessions), "the stop")
        self._camera.take("narrow", NARROW)
        self._do("close_pane")

    def _monitor(self, sessions: list[ChatSession]) -> None:
        """Four chats' KV blocks beside the chats, with some seconds of history."""
        self._window.resize(*WIDE)
        settle()
        self._do("toggle_monitor")
        settle(HISTORY_FRAMES)
        for theme in ("dark", "light"):
            self._window.change(theme=theme)
            self._while_streaming(sessions, f"monitor-{theme}", WIDE)
        self._do("toggle_monitor")
        self._window.resize(*SIZE)
        settle()

    def _searching(self) -> None:
        self._window.resize(*SIZE)
        settle()
        self._do("search")
        field = self._window.chat_list.filter
        found = self._window.chat_list.search_panel().model
        field.setText("dough")  # the first search reads the index's words for the next
        wait_until(lambda: found.is_complete and found.first_hit() is not None, "the first hits")
        settle()
        field.setText("dough rise")
        wait_until(lambda: found.is_complete and found.first_hit() is not None, "hits")
        row = found.first_hit()
        hit = found.hit_at(row) if row is not None else None
        assert hit is not None
        self._window.tabs.show_hit(hit)
        field.setFocus()
        self._camera.take("search-light")
        self._window.change(theme="dark")
        self._camera.take("search-dark")
        self._window.change(theme="light")
        self._window.chat_list.end_search()

    def _side_by_side(self) -> None:
        """Three answers of the model's own, from one reading of the question."""
        tab = self._blank_tab()
        session = tab.session
        session.set_parameters({"temperature": 0.7, "max_tokens": 90})
        session.send(SKY)
        wait_until(lambda: len(session.messages) == 2 and not session.state.is_active, "an answer")
        tab.answer_ways(3)
        wait_until(lambda: len(session.candidates) == 3, "three answers")
        wait_until(lambda: not session.state.is_active, "their ends")
        self._camera.take("ways-light")
        self._camera.take("ways-narrow", NARROW)
        session.pick_candidate(session.candidates[1].id)

    def _everyday(self) -> None:
        from desktop.views.settings.chat_settings import ChatSettings
        from desktop.views.settings.settings_dialog import SettingsDialog

        window = self._window
        chat_id = self._program.store.import_tree(everyday_chat()).result(timeout=60).id
        self._program.hub.refresh()
        window.tabs.show(chat_id)
        wait_until(lambda: window.area.tab_of(chat_id) is not None, "the everyday chat")
        tab = window.area.tab_of(chat_id)
        assert tab is not None
        wait_until(lambda: tab.session.is_whole, "all of it")
        answer = tab.session.messages[-1].id
        for theme in ("light", "dark", "contrast"):
            window.change(theme=theme)
            for name, size in (("", SIZE), ("-narrow", NARROW), ("-wide", WIDE)):
                window.resize(*size)
                settle()
                tab.transcript.reveal(answer)
                settle(UNTIL_IT_STANDS_OUT_NO_MORE)
                self._camera.take(f"chat-{theme}{name}", size)
                tab.transcript.scroll_to_end()
                self._camera.take(f"chat-{theme}{name}-end", size)
            self._do("palette")
            self._camera.take(f"palette-{theme}")
            self._do("palette")
            self._do("chat_settings")
            wait_until(lambda: bool(tab.findChildren(ChatSettings)), "the chat's settings")
            self._camera.take(f"chat-settings-{theme}")
            tab.findChildren(ChatSettings)[-1].close()
            self._do("settings")
            self._camera.take(f"settings-{theme}")
            for dialog in window.findChildren(SettingsDialog):
                dialog.close()
            self._load_settings(f"load-{theme}")
            self._picker(f"picker-{theme}")

    def _picker(self, name: str) -> None:
        """The models that there are, whether they fit, and what a choice leads to."""
        library = self._program.library
        assert library is not None
        self._do("chat_model")
        picker, fits = library.picker.picker, library.picker.fits
        wait_until(lambda: library.picker.is_settled and not fits.is_busy, "the models and plans")
        self._camera.take(name)
        picker.close_up()

    def _load_settings(self, name: str) -> None:
        """How the model is loaded on the machine that takes the pictures."""
        from desktop.views.loading.load_dialog import LoadDialog

        self._window.desk.open_load_dialog()
        dialog = self._window.findChildren(LoadDialog)[-1]
        wait_until(lambda: dialog.outlook is not None and dialog.form.isVisible(), "the plan")
        settle()
        self._camera.take(name)
        dialog.close()

    # --- how they are made -----------------------------------------------------------------

    def _do(self, name: str) -> None:
        action = self._window.actions_by_name[name]
        assert action.isEnabled(), name
        action.trigger()

    def _blank_tab(self) -> ChatTab:
        """A tab with a new chat; the one there is while nothing was written in it."""
        self._window.tabs.new_chat()

        def blank() -> list[ChatTab]:
            return [tab for tab in self._window.area.tabs() if tab.session.is_blank]

        wait_until(lambda: bool(blank()), "a new tab")
        return blank()[-1]

    def _while_streaming(
        self, sessions: list[ChatSession], name: str, size: tuple[int, int] = SIZE
    ) -> None:
        """A picture of four streams; an answer that came to its end is followed by another."""
        from desktop.chats.chat import MessageStatus

        def all_stream() -> bool:
            last = [session.messages[-1] for session in sessions if session.messages]
            return len(last) == len(PROMPTS) and all(
                message.status is MessageStatus.STREAMING
                and len(message.content) > TEXT_BEFORE_PICTURE
                for message in last
            )

        for attempt in range(ATTEMPTS):
            for session, first in zip(sessions, PROMPTS, strict=True):
                if not session.state.is_active:
                    # Some chats have no more to tell; their first question finds much again.
                    session.send(first if attempt % 2 else GO_ON)
            wait_until(
                lambda: all_stream() or not all(s.state.is_active for s in sessions),
                "four streams",
            )
            if all_stream():
                self._camera.take(name, size)
                if all_stream():
                    return
        raise SystemExit(f"four answers never streamed together for {name}")


def photograph(folder: Path, model: Path, hub: str) -> None:
    """Open the program with `model`, play the scenes, put the pictures into `folder`.

    Args:
        hub: the address of the one that is asked.
    """
    from PySide6.QtWidgets import QApplication

    from desktop import paths, theme
    from desktop.app import Inglenook, Options
    from desktop.session import Session
    from desktop.settings import Settings

    folders = paths.find()
    folders.prepare()
    app = QApplication(["inglenook"])
    settings = Settings(
        theme="light",
        titles="first_words",
        hub_endpoint=hub,
        library_folders=(str(model.parent),),
    )
    theme.apply(app, settings.theme, settings.font_size)
    program = Inglenook(app, folders, Options(model=str(model)), settings, Session())
    window = program.window
    window.move(0, 0)
    window.resize(*SIZE)
    window.show()
    window.activateWindow()  # as a window manager would: there is none
    try:
        wait_until(window.isActiveWindow, "the keyboard")
        Scenes(program, Camera(app, window, folder)).play()
        LibraryScenes(app, program, folder).play()
    finally:
        window.close()
        program.close()


def shown_in_readme() -> set[str]:
    """The names of the pictures that README.md shows."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return set(re.findall(r"\(assets/screenshots/([\w-]+\.png)\)", text))


def main() -> int:
    """Start an X server, and take the pictures inside it."""
    from engine.store.folders import starter_folder

    starter = starter_folder()
    model = Path(sys.argv[2]) if len(sys.argv) > 2 else starter
    with (
        xvfb() as display,
        loopback_hub() as hub,
        tempfile.TemporaryDirectory() as temporary,
    ):
        furnish(hub, starter if starter.is_dir() else model)
        home, taken = Path(temporary) / "home", Path(temporary) / "pictures"
        os.environ |= {
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "INGLENOOK_HOME": str(home),
            "HF_HOME": str(home / "hf"),  # nothing of the photographer's is shown
        }
        if len(sys.argv) > 1:
            photograph(Path(sys.argv[1]), model, hub.url)
            return 0
        photograph(taken, model, hub.url)
        SHOWN.mkdir(parents=True, exist_ok=True)
        for name in shown_in_readme():
            shutil.copyfile(taken / name, SHOWN / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
