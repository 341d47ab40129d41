"""Hostile markdown reaches nothing: no network, no file, no resource."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.chats.chat import Message, Role
from desktop.views.transcript.document_builder import InertDocument
from desktop.views.transcript.prose_block import ProseBlock
from desktop.views.transcript.transcript_view import TranscriptView


class Canary:
    """Listens on loopback and counts who calls."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.calls = 0
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with connection:
                if connection.recv(4) == b"done":
                    return
            self.calls += 1

    def end(self) -> int:
        """Stop listening. Whoever called before has been counted."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"done")
        self._thread.join()
        self._socket.close()
        return self.calls


@pytest.fixture
def canary() -> Iterator[Canary]:
    server = Canary()
    yield server
    if server._thread.is_alive():
        server.end()


HOSTILE = """
![i](http://127.0.0.1:{port}/image.png) ![r][ref] ![d](data:image/png;base64,iVBORw0KGgo=)
![f](file://{file}) ![q](qrc:/qt-project.org/imports) ![s](//127.0.0.1:{port}/s.png)

<img src="http://127.0.0.1:{port}/a.png" onerror=alert(1)>
<link rel=stylesheet href="http://127.0.0.1:{port}/a.css">
<style>@import url(http://127.0.0.1:{port}/b.css);
body {{ background: url(http://127.0.0.1:{port}/c) }}</style>
<script src="http://127.0.0.1:{port}/a.js"></script><iframe src="http://127.0.0.1:{port}/"></iframe>
<object data="file://{file}"></object> <a href="javascript:alert(1)">x</a>

[j](javascript:alert(1)) [d](data:text/html,<script>1</script>) [f](file://{file}) [q](qrc:/x)
[v](vbscript:x) <javascript:alert(1)> <file://{file}> <http://127.0.0.1:{port}/auto> [ref]

| ![t](http://127.0.0.1:{port}/t.png) | <img src="http://127.0.0.1:{port}/u.png"> |
|---|---|
| [x](javascript:1) | `<img src=http://127.0.0.1:{port}/v.png>` |

- > ![n](http://127.0.0.1:{port}/nested.png)

```html
<img src="http://127.0.0.1:{port}/code.png">
```

[ref]: http://127.0.0.1:{port}/ref.png "title"
"""


@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT])
def test_nothing_is_fetched(
    qtbot: QtBot, qapp: QApplication, canary: Canary, tmp_path: Path, role: Role
) -> None:
    theme.apply(qapp, "light", 11)
    secret = tmp_path / "secret"
    secret.write_text("the secret's text")
    text = HOSTILE.format(port=canary.port, file=secret)
    view = TranscriptView()
    qtbot.addWidget(view)
    view.resize(900, 2000)
    view.show()
    view.append_message(Message("1", "c", None, role, ""))
    with qtbot.assertNotEmitted(view.link_activated):
        for place in range(0, len(text), 11):
            view.append_text("1", text[place : place + 11])
        view.append_message(Message("2", "c", None, role, text))
        view.grab()
    shown = view.plain_text()
    assert "secret's text" not in shown
    # Everything stays visible: what one cannot follow, one can read.
    for target in ("javascript:alert(1)", "onerror=alert(1)", str(secret), "qrc:/x", "a.css"):
        assert target in shown
    links = {
        fragment.charFormat().anchorHref()
        for block in view.findChildren(ProseBlock)
        for fragment in fragments(block.document)
        if fragment.charFormat().isAnchor()
    }
    assert all(link.startswith("http://127.0.0.1") for link in links)
    assert bool(links) == (role == Role.ASSISTANT)
    assert canary.end() == 0


def fragments(document: QTextDocument) -> list:  # type: ignore[type-arg]
    found = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            found.append(iterator.fragment())
            iterator += 1
        block = block.next()
    return found


def test_a_document_loads_nothing(qapp: QApplication, tmp_path: Path) -> None:
    file = tmp_path / "x.css"
    file.write_text("* { color: red }")
    document = InertDocument()
    for kind in QTextDocument.ResourceType:
        for address in (file.as_uri(), str(file), "qrc:/x", "data:text/css,x", "http://127.0.0.1"):
            assert document.resource(kind.value, QUrl(address)) is None
