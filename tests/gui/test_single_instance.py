"""The second start hands over to the first; nobody else gets in."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktop import handover
from desktop.handover import Handover, HandoverError, NotRunningError
from desktop.single_instance import Conversation, SingleInstance


@pytest.fixture
def first(qtbot: QtBot, tmp_path: Path) -> Iterator[SingleInstance]:
    instance = SingleInstance(tmp_path)
    assert instance.listen()
    yield instance
    instance.close()


@pytest.fixture
def in_background(qtbot: QtBot) -> Callable[[Callable[[], Any]], Any]:
    """Run a blocking client on a thread while the event loop serves it."""

    def run(client: Callable[[], Any]) -> Any:
        results: list[Any] = []

        def target() -> None:
            try:
                results.append(client())
            except Exception as error:
                results.append(error)

        thread = threading.Thread(target=target)
        thread.start()
        qtbot.waitUntil(lambda: bool(results), timeout=10_000)
        thread.join()
        return results[0]

    return run


def test_the_second_start_raises_the_first_window(
    first: SingleInstance,
    qtbot: QtBot,
    tmp_path: Path,
    in_background: Callable[[Callable[[], Any]], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token")
    second = SingleInstance(tmp_path)
    assert not second.listen()
    with qtbot.waitSignal(first.raise_requested) as raised:
        assert in_background(lambda: handover.ask_to_raise(tmp_path)) is True
    assert raised.args == ["token"]


def test_each_data_folder_has_its_own(
    first: SingleInstance, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = SingleInstance(tmp_path_factory.mktemp("other"))
    assert other.listen()
    other.close()
    link = tmp_path_factory.mktemp("links") / "link"
    link.symlink_to(tmp_path)
    assert handover.socket_name(link) == handover.socket_name(tmp_path)


def test_nothing_stays_behind(qtbot: QtBot, tmp_path: Path) -> None:
    instance = SingleInstance(tmp_path)
    assert instance.listen()
    assert list(tmp_path.iterdir()) == [], "an abstract socket is no file"
    instance.close()
    assert not handover.ask_to_raise(tmp_path)
    again = SingleInstance(tmp_path)
    assert again.listen()
    again.close()


def test_a_handler_streams_its_answers(
    first: SingleInstance, tmp_path: Path, in_background: Callable[[Callable[[], Any]], Any]
) -> None:
    def chat(payload: dict[str, object], conversation: Conversation) -> None:
        assert payload["prompt"] == "Grüße\n\0"
        for number in range(3):
            conversation.reply({"text": str(number)})
        conversation.finish()

    first.register("chat", chat)

    def client() -> list[dict[str, object]]:
        with Handover(tmp_path) as connection:
            connection.send("chat", prompt="Grüße\n\0")
            return list(connection.replies(5.0))

    assert in_background(client) == [{"text": "0"}, {"text": "1"}, {"text": "2"}]


def test_further_lines_reach_the_handler_and_hanging_up_is_noticed(
    first: SingleInstance, tmp_path: Path, qtbot: QtBot
) -> None:
    lines: list[object] = []
    closed: list[bool] = []

    def chat(_payload: dict[str, object], conversation: Conversation) -> None:
        conversation.line_received.connect(lines.append)
        conversation.closed.connect(lambda: closed.append(conversation.is_open))

    first.register("chat", chat)
    with Handover(tmp_path) as connection:
        connection.send("chat")
        connection.send("cancel")
        qtbot.waitUntil(lambda: bool(lines))
        assert lines == [{"op": "cancel"}]
        assert not closed
    qtbot.waitUntil(lambda: bool(closed))
    assert closed == [False]


def test_a_handler_that_fails_answers_all_the_same(
    first: SingleInstance, tmp_path: Path, in_background: Callable[[Callable[[], Any]], Any]
) -> None:
    def broken(_payload: dict[str, object], _conversation: Conversation) -> None:
        raise RuntimeError("no")

    first.register("broken", broken)

    def client() -> list[dict[str, object]]:
        with Handover(tmp_path) as connection:
            connection.send("broken")
            return list(connection.replies(5.0))

    assert in_background(client) == [{"ok": False, "error": "RuntimeError: no"}]


@pytest.mark.parametrize(
    "sent",
    [
        b"{\n",
        b"[]\n",
        b'"raise"\n',
        b"\xff\xfe\n",
        b"\n",
        b"[" * 100_000 + b"\n",
        b'{"op":"no such thing"}\n',
        b'{"op":["raise"]}\n',
        b'{"no":"op"}\n',
    ],
)
def test_bad_lines_are_refused(
    first: SingleInstance,
    tmp_path: Path,
    sent: bytes,
    in_background: Callable[[Callable[[], Any]], Any],
) -> None:
    def client() -> bytes:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect("\0" + handover.socket_name(tmp_path))
            connection.sendall(sent)
            answer = b""
            while data := connection.recv(4096):
                answer += data
            return answer

    answer = handover.decode(in_background(client))
    assert answer["ok"] is False
    assert answer["error"]
    assert in_background(lambda: handover.ask_to_raise(tmp_path)) is True, "it still serves"


def test_an_endless_line_is_cut_off(
    first: SingleInstance,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    in_background: Callable[[Callable[[], Any]], Any],
) -> None:
    monkeypatch.setattr(handover, "MAX_LINE", 100_000)

    def client() -> int:
        sent = 0
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect("\0" + handover.socket_name(tmp_path))
            try:
                while sent < 50_000_000:
                    sent += connection.send(b"x" * 65_536)
            except OSError:
                pass
            return sent

    assert in_background(client) < 50_000_000


def test_a_silent_connection_is_dropped(
    first: SingleInstance,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    in_background: Callable[[Callable[[], Any]], Any],
) -> None:
    monkeypatch.setattr("desktop.single_instance.PATIENCE_MS", 50)

    def client() -> list[dict[str, object]]:
        with Handover(tmp_path) as connection:
            return list(connection.replies(5.0))

    assert in_background(client) == []


def test_a_client_that_does_not_read_costs_bounded_memory(
    first: SingleInstance, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.single_instance.MAX_UNSENT", 1_000_000)
    closed: list[bool] = []

    def flood(_payload: dict[str, object], conversation: Conversation) -> None:
        conversation.closed.connect(lambda: closed.append(True))
        timer = QTimer(conversation)
        timer.timeout.connect(lambda: conversation.reply({"text": "x" * 100_000}))
        timer.start(0)

    first.register("flood", flood)
    with Handover(tmp_path) as connection:
        connection.send("flood")
        qtbot.waitUntil(lambda: bool(closed), timeout=10_000)


def test_too_many_connections_are_refused(
    first: SingleInstance, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.single_instance.MAX_CONNECTIONS", 2)
    open_ones: list[Conversation] = []
    first.register("wait", lambda _payload, conversation: open_ones.append(conversation))
    with Handover(tmp_path) as one, Handover(tmp_path) as two:
        one.send("wait")
        two.send("wait")
        qtbot.waitUntil(lambda: len(open_ones) == 2)
        assert not any_reply(tmp_path, qtbot)


def any_reply(data_folder: Path, qtbot: QtBot) -> bool:
    """Whether a third client is answered."""
    with socket.socket(socket.AF_UNIX) as third:
        third.connect("\0" + handover.socket_name(data_folder))
        third.sendall(b'{"op":"raise"}\n')
        third.setblocking(False)
        got: list[bytes] = []

        def received() -> bool:
            try:
                got.append(third.recv(4096))
            except BlockingIOError:
                return False
            except OSError:
                got.append(b"")
            return True

        qtbot.waitUntil(received)
        return got[0] != b""


def test_another_users_process_is_refused(
    first: SingleInstance,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On both sides, by what the kernel says of the peer."""
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    name = "\0" + handover.socket_name(tmp_path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(name)
    listener.listen()
    with listener, pytest.raises(NotRunningError, match="another user"):
        Handover(tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(handover, "peer_uid", lambda _connection: os.getuid() + 1)
    with qtbot.assertNotEmitted(first.raise_requested):
        assert not any_reply(tmp_path, qtbot)


def test_a_request_over_the_limit_is_not_sent(
    first: SingleInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "MAX_LINE", 1000)
    with Handover(tmp_path) as connection, pytest.raises(ValueError, match="over"):
        connection.send("chat", prompt="x" * 1000)


@pytest.mark.parametrize("answer", [b"nonsense\n", b"[]\n", b"[" * 100_000 + b"\n", b'{"half":'])
def test_the_client_refuses_answers_that_are_not_the_protocol(
    tmp_path: Path, answer: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0" + handover.socket_name(tmp_path))
        listener.listen()
        with Handover(tmp_path) as connection:
            server, _ = listener.accept()
            server.sendall(answer)
            server.close()
            with pytest.raises(HandoverError):
                list(connection.replies(5.0))


def test_the_client_needs_no_qt() -> None:
    import subprocess
    import sys

    code = "import sys, desktop.handover; assert not [m for m in sys.modules if 'PySide' in m]"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
