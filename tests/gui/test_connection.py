"""The window's end of the socket pair, when the engine's end goes away at a bad moment."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.engine_link.connection import Connection
from engine.protocol import PROTOCOL_VERSION, Hello, StreamUpdate, TokenBatch, encode
from tests.helpers.engine_clients import WAIT_MS

HELLO = encode(Hello(PROTOCOL_VERSION, 1))
TOKENS = encode(TokenBatch((StreamUpdate("r", text="x" * 500),)))


@pytest.fixture
def connection(qapp: QApplication) -> Iterator[Connection]:
    result = Connection()
    yield result
    result.drop()


def engine_end(connection: Connection) -> socket.socket:
    """The engine's end, as after a fork."""
    return socket.socket(fileno=os.dup(connection.descriptor_for_child()))


@pytest.mark.parametrize("is_read_at", ["the end", "each message"])
def test_what_a_dead_engine_had_sent_arrives_and_qt_complains_of_nothing(
    connection: Connection, qtbot: QtBot, is_read_at: str
) -> None:
    heard: list[object] = []
    connection.received.connect(heard.append)
    if is_read_at == "each message":  # as when the news of the death overtakes the words
        connection.received.connect(lambda _message: connection.drain())
        connection.closed.connect(connection.drain)
    engine = engine_end(connection)
    connection.child_started()
    engine.sendall(HELLO + TOKENS * 50)
    with qtbot.waitSignal(connection.closed, timeout=WAIT_MS):
        engine.close()
    connection.drain()
    connection.drain()
    assert len(heard) == 50
