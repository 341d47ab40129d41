"""The plain way, for comparison: one QTextBrowser a message, laid out again on each update.

    python -m tests.bench.ui_baseline load SECONDS
    python -m tests.bench.ui_baseline opening

The same chats, engine, rates and measurements as in `ui_probe`. Updates come in the engine's
own frames (25 ms), not token by token: that much is given to the plain way.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtWidgets import (
    QApplication,
    QPlainTextEdit,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_process import EngineCommand
from engine.protocol import ChatMessage, Generate, TokenBatch
from tests.bench import ui_texts
from tests.bench.ui_meter import FirstPaint, measure, run_for, wait_for
from tests.bench.ui_texts import LONG, RATE, SCRIPT, SHORT, STREAMS, WARM_UP_S


class Page(QScrollArea):
    """A chat: browsers below each other, as high as their text."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self.inner = inner
        self.setWidget(inner)
        self._text = ""
        for text in texts:
            self.add(text)

    def add(self, text: str) -> QTextBrowser:
        """One more message."""
        browser = QTextBrowser()
        browser.setMarkdown(text)
        self._column.addWidget(browser)
        _fit(browser)
        return browser

    def begin(self) -> None:
        """An answer begins."""
        self._text = ""
        self._answer = self.add("")

    def append(self, text: str) -> None:
        """Streamed text."""
        self._text += text
        self._answer.setMarkdown(self._text)
        _fit(self._answer)
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())


def _fit(browser: QTextBrowser) -> None:
    browser.setFixedHeight(int(browser.document().size().height()) + 4)


def _texts(count: int, name: str) -> list[str]:
    return [message.content for message in ui_texts.conversation(count, name)]


def load(seconds: float) -> dict[str, object]:
    """As `ui_probe.load`."""
    with tempfile.TemporaryDirectory() as folder:
        client = EngineClient(EngineCommand("scripted", SCRIPT, Path(folder)), None)
        client.start()
        client.load(folder)
        tabs = QTabWidget()
        editor = QPlainTextEdit()
        window = QSplitter()
        window.addWidget(tabs)
        window.addWidget(editor)
        window.resize(1440, 900)
        pages = {"0": Page(_texts(LONG, "Long"))}
        pages |= {str(i): Page(_texts(6, f"Stream {i}")) for i in range(1, STREAMS)}
        for name, page in pages.items():
            tabs.addTab(page, name)
        window.show()
        wait_for(lambda: client.view.loaded is not None)

        def on_batch(batch: TokenBatch) -> None:
            for update in batch.updates:
                if update.text:
                    pages[update.request_id].append(update.text)

        client.token_batch.connect(on_batch)
        tokens = RATE * (round(seconds) + WARM_UP_S + 20)
        for name, page in pages.items():
            page.begin()
            order = ChatMessage("user", f"/long {tokens} /rate {RATE}")
            client.generate(Generate(name, (order,)))
        run_for(WARM_UP_S)
        reading = measure(editor, seconds)
        client.shutdown()
        return dataclasses.asdict(reading)


def opening() -> dict[str, object]:
    """From the texts to the first paint of the page, in ms; once each."""
    figures: dict[str, object] = {}
    for name, count in (("short", SHORT), ("long", LONG)):
        texts = _texts(count, name)
        began = time.perf_counter()
        page = Page(texts)
        page.resize(1000, 900)
        paint = FirstPaint(page.inner)
        page.show()
        wait_for(lambda paint=paint: paint.at is not None, 300)  # type: ignore[misc]
        assert paint.at is not None
        figures[f"{name}_ms"] = (paint.at - began) * 1e3
        page.close()
    return figures


def main() -> int:
    """Run one probe."""
    application = QApplication([])
    figures = load(float(sys.argv[2])) if sys.argv[1] == "load" else opening()
    print(json.dumps(figures), flush=True)
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main())
