"""Inglenook's window under load, in a process of its own: prints one JSON line.

    python -m tests.bench.ui_probe load SECONDS     32 streams, a long chat, typing
    python -m tests.bench.ui_probe opening ROUNDS   from the click to the first paint
    python -m tests.bench.ui_probe memory           ten open tabs

INGLENOOK_HOME names the home, filled by `fill`.
"""

from __future__ import annotations

import dataclasses
import json
import statistics
import sys
import time
from typing import Final

import psutil
from PySide6.QtWidgets import QApplication

from desktop import paths, theme
from desktop import settings as settings_file
from desktop.app import Inglenook, Options
from desktop.chats.chat_tree import ChatTree
from desktop.chats.store.chat_store import ChatStore
from desktop.models.session.chat_session import ChatSession
from desktop.session import Session
from desktop.views.tabs.chat_tab import ChatTab
from tests.bench import ui_texts
from tests.bench.ui_meter import FirstPaint, measure, run_for, wait_for
from tests.bench.ui_texts import LONG, RATE, SCRIPT, SHORT, STREAMS, WARM_UP_S

TABS: Final = 10
TAB_MESSAGES: Final = 200


def fill(folders: paths.Folders) -> None:
    """The chats that all probes use."""
    store = ChatStore(folders.store)
    store.open().result()
    sizes = {"Long": LONG, "Short": SHORT, "Typed": 20}
    sizes |= {f"Stream {number}": 6 for number in range(1, STREAMS)}
    sizes |= {f"Tab {number}": TAB_MESSAGES for number in range(TABS)}
    for title, count in sizes.items():
        messages = tuple(ui_texts.conversation(count, title))
        tree = ChatTree(title=title, messages=messages, active_leaf=messages[-1].id)
        store.import_tree(tree).result()
    store.close(timeout=600)


class Program:
    """The program as it starts, with its scripted engine, and its chats by title."""

    def __init__(self) -> None:
        self._application = QApplication.instance() or QApplication([])
        folders = paths.find()
        folders.prepare()
        settings, _ = settings_file.load(folders.settings)
        session = Session()  # whatever an earlier probe left open
        assert isinstance(self._application, QApplication)
        theme.apply(self._application, "light", settings.font_size)
        options = Options(str(folders.data), "scripted", SCRIPT)
        self.app = Inglenook(self._application, folders, options, settings, session)
        self.window = self.app.window
        self._ids: dict[str, str] = {}
        self.app.hub.chats_listed.connect(self._on_listed)
        self.window.resize(1440, 900)
        self.window.show()
        wait_for(lambda: "Long" in self._ids)
        wait_for(lambda: self.app.client.view.loaded is not None)

    def _on_listed(self, chats: list[object]) -> None:
        self._ids = {chat.title: chat.id for chat in chats}  # type: ignore[attr-defined]

    def tab(self, title: str) -> ChatTab:
        """The chat's tab, brought to the front, opened if need be."""
        chat_id = self._ids[title]
        self.window.tabs.show(chat_id)
        wait_for(lambda: self.window.area.tab_of(chat_id) is not None)
        tab = self.window.area.tab_of(chat_id)
        assert tab is not None
        return tab

    def session(self, title: str) -> ChatSession:
        """The open chat."""
        return self.tab(title).session

    def opening(self, title: str) -> float:
        """From asking for a chat that is not open to its first paint, in ms."""
        chat_id = self._ids[title]
        paints: list[FirstPaint] = []

        def watch() -> None:
            tab = self.window.area.tab_of(chat_id)
            if tab is not None and not paints:
                paints.append(FirstPaint(tab.transcript))

        self.window.tabs.changed.connect(watch)
        began = time.perf_counter()
        self.window.tabs.show(chat_id)
        wait_for(lambda: bool(paints) and paints[0].at is not None)
        self.window.tabs.changed.disconnect(watch)
        ended = paints[0].at
        assert ended is not None
        tab = self.window.area.tab_of(chat_id)
        assert tab is not None
        self.window.tabs.close(tab)
        wait_for(lambda: self.app.hub.session(chat_id) is None)
        run_for(0.1)
        return (ended - began) * 1e3

    def close(self) -> None:
        """End it."""
        self.window.close()
        self.app.close()


def load(program: Program, seconds: float) -> dict[str, object]:
    """32 streams; the long chat is in view and streams too; another is typed into."""
    titles = ["Long", *(f"Stream {number}" for number in range(1, STREAMS))]
    tokens = RATE * (round(seconds) + WARM_UP_S + 20)
    sessions = [program.session(title) for title in titles]
    wait_for(lambda: all(session.is_whole for session in sessions))
    program.tab("Typed")
    program.window.area.split_current()
    program.tab("Long")
    typed = program.tab("Typed")
    for session in sessions:
        assert session.send(f"/long {tokens} /rate {RATE}")
    wait_for(lambda: all(session.state.value == "streaming" for session in sessions))
    run_for(WARM_UP_S)
    reading = measure(typed.composer.editor, seconds)
    long = program.window.area.tab_of(program.session("Long").chat_id)
    visible = long is not None and long.isVisible() and typed.isVisible()
    streaming = sum(session.state.value == "streaming" for session in sessions)
    return {**dataclasses.asdict(reading), "streaming": streaming, "visible": visible}


def opening(program: Program, rounds: int) -> dict[str, object]:
    """Medians of openings that alternate between the long chat and a short one."""
    times: dict[str, list[float]] = {"Long": [], "Short": []}
    for count in range(rounds + 1):
        for title, values in times.items():
            value = program.opening(title)
            if count:  # the first opens the code's own files
                values.append(value)
    return {f"{title.lower()}_ms": statistics.median(values) for title, values in times.items()}


def memory(program: Program) -> dict[str, object]:
    """Ten tabs, each seen once."""
    for number in range(TABS):
        program.tab(f"Tab {number}")
        run_for(0.3)
    used = psutil.Process().memory_full_info()
    return {"rss_mb": round(used.rss / 1e6, 1), "unshared_mb": round(used.uss / 1e6, 1)}


def main() -> int:
    """Run one probe."""
    program = Program()
    match sys.argv[1:]:
        case ["load", seconds]:
            figures = load(program, float(seconds))
        case ["opening", rounds]:
            figures = opening(program, int(rounds))
        case _:
            figures = memory(program)
    print(json.dumps(figures), flush=True)
    program.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
