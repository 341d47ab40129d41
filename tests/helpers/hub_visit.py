"""From an empty program to a chat with a model from the hub, in a real X server.

`python -m tests.helpers.hub_visit FOLDER STARTER` looks for the model, chooses it, fetches it,
loads it with the real engine and chats. Pictures come into FOLDER, and facts into its facts.json.
INGLENOOK_HOME is where it lives.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tests.helpers.camera import SIZE, wait_until
from tests.helpers.hub_scenes import REPO, LibraryScenes, furnish
from tests.helpers.loopback_hub import loopback_hub
from tests.helpers.xvfb import xvfb

QUESTION: Final = "What is the capital of France? Answer in one sentence."


def visit(folder: Path, starter: Path) -> dict[str, object]:
    """See the module; returns the facts."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from desktop import paths, theme
    from desktop.app import Inglenook, Options
    from desktop.session import Session
    from desktop.settings import Settings

    with loopback_hub() as hub:
        commit = furnish(hub, starter)
        if token := os.environ.get("HF_TOKEN"):
            hub.accounts[token] = "somebody"
        folders = paths.find()
        folders.prepare()
        app = QApplication(["inglenook"])
        settings = Settings(theme="light", titles="first_words", hub_endpoint=hub.url)
        theme.apply(app, settings.theme, settings.font_size)
        program = Inglenook(app, folders, Options(), settings, Session())
        window = program.window
        window.move(0, 0)
        window.resize(*SIZE)
        window.show()
        window.activateWindow()
        try:
            wait_until(lambda: bool(window.area.tabs()), "the first tab")
            scenes = LibraryScenes(app, program, folder)
            scenes.open()
            asked_before = len(hub.requests)
            scenes.search("smollm2")
            scenes.take("found")
            scenes.pick(REPO)
            scenes.take("page")
            key = scenes.fetch()
            scenes.show("downloads")
            place = scenes.until_here(key)
            scenes.take("here")
            scenes.load(key)
            tab = window.area.current_tab()
            assert tab is not None
            session = tab.session
            session.set_parameters({"temperature": 0.0, "max_tokens": 32})
            tab.composer.set_text(QUESTION)
            QTest.keyClick(tab.composer.editor, Qt.Key.Key_Return)
            wait_until(
                lambda: len(session.messages) == 2 and not session.state.is_active, "an answer"
            )
            library_hidden = not scenes.library.isActiveWindow()
            scenes.library.close()
            scenes.take("chat", window=window)
            return {
                "commit": commit,
                "endpoint": hub.url,
                "asked_before": asked_before,
                "folder": str(place),
                "loaded": program.client.view.model,
                "answer": session.messages[1].content,
                "chats_in_front": library_hidden,
                "requests": [asdict(record) | {"headers": {}} for record in hub.requests],
            }
        finally:
            window.close()
            program.close()


def main() -> int:
    """Start an X server, and go there."""
    folder, starter = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with xvfb() as display:
        os.environ |= {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        facts = visit(folder, starter)
    (folder / "facts.json").write_text(json.dumps(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
