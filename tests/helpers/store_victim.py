"""A process that forks children who write chats until they are killed.

Everything is imported once, here, so that a child starts within milliseconds.
Started as ``python -m tests.helpers.store_victim``. On stdin: a line with the path of
a store for each child. On stdout:

    child PID               it was forked
    exchange USER ANSWER    both are confirmed
    content ANSWER LENGTH   a text of that length is confirmed
    dead                    the child is gone
"""

from __future__ import annotations

import os
import sys
import traceback
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import sqlite_utils  # noqa: F401  (imported before forking)

from desktop.chats.chat import MessageStatus
from desktop.chats.store.chat_store import ChatStore


def say(line: str) -> None:
    """Write a line in one piece (it is shorter than a pipe's buffer)."""
    os.write(1, f"{line}\n".encode())


def confirm(line: str, future: Future[Any]) -> None:
    """Say `line` once `future` is done; called on the store's thread."""
    future.add_done_callback(
        lambda done: say(f"error {done.exception()!r}" if done.exception() else line)
    )


def write_chats(path: Path) -> None:
    """Talk in a chat until killed: exchanges, and streamed text that grows."""
    store = ChatStore(path)
    store.open().result()
    store.recover_interrupted()
    chat = store.create_chat().result()
    parent = None
    while True:
        user, answer = store.add_exchange(chat.id, parent, "question " * 50).result()
        say(f"exchange {user.id} {answer.id}")
        for length in (1_000, 8_000, 20_000):
            future = store.update_message(
                answer.id, content="x" * length, status=MessageStatus.STREAMING
            )
            confirm(f"content {answer.id} {length}", future)
            if length == 8_000:
                future.result()
        parent = answer.id


def main() -> None:
    """Fork a child for each line."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                write_chats(Path(line.rstrip("\n")))
            except BaseException:
                traceback.print_exc()
            os._exit(1)
        say(f"child {pid}")
        os.waitpid(pid, 0)
        say("dead")


if __name__ == "__main__":
    main()
