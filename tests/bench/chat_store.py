"""The store with 1,000 chats of 100 messages: ``python -m tests.bench.chat_store [FOLDER]``.

Bar: it opens within 1 s, and committing an exchange takes at most 4x a bare SQLite commit
(two rows, WAL, full sync) in the same folder; medians of commits taken in turns. The store is
kept in FOLDER when given. Put it on the disk that matters: on a tmpfs a sync costs nothing.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from desktop.chats.chat import MessageStatus, Role
from desktop.chats.store.chat_store import ChatStore

CHATS = 1_000
MESSAGES = 100
EXCHANGES = 200
STREAMS = 64
BAR_OPEN_SECONDS = 1.0
BAR_COMMIT_RATIO = 4.0
TEXT = "lorem ipsum dolor sit amet " * 20


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """How long `run()` takes, in s, and what it returns."""
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def fill(path: Path) -> None:
    """Make the store, unless it is there."""
    if path.exists():
        return
    store = ChatStore(path)
    store.open().result()
    for number in range(CHATS):
        chat = store.create_chat(title=f"Chat {number}").result()
        parent = None
        for index in range(MESSAGES):
            role = Role.ASSISTANT if index % 2 else Role.USER
            message_id = f"{number}-{index}"
            store.add_message(chat.id, parent, role, TEXT, message_id=message_id)
            parent = message_id
    store.close(timeout=600)


def measure(path: Path) -> tuple[float, float, float]:
    """Print the figures; the opening and the median commits of an exchange and bare, in s."""
    store = ChatStore(path)
    opening, _ = timed(lambda: store.open().result())
    listing, chats = timed(lambda: store.list_chats().result())
    loading, chat = timed(lambda: store.load_chat(chats[-1].id).result())
    print(f"{path.stat().st_size / 1e6:.0f} MB, {len(chats)} chats, {len(chat.messages)} in one")
    print(f"open                 {opening * 1e3:8.2f} ms")
    print(f"list_chats           {listing * 1e3:8.2f} ms")
    print(f"load_chat            {loading * 1e3:8.2f} ms")
    scratch = store.create_chat(title="Benchmark").result()
    times: list[float] = []
    bare_times: list[float] = []
    answers: list[str] = []

    def exchange() -> None:
        parent = answers[-1] if answers else None
        _, answer = store.add_exchange(scratch.id, parent, "Hello").result()
        answers.append(answer.id)

    with bare_commit(path.parent) as commit:
        for _ in range(EXCHANGES):
            times.append(timed(exchange)[0])
            bare_times.append(timed(commit)[0])
    median, bare = statistics.median(times), statistics.median(bare_times)
    print(f"add_exchange, median {median * 1e3:8.2f} ms")
    print(f"add_exchange, p95    {sorted(times)[int(len(times) * 0.95)] * 1e3:8.2f} ms")
    print(f"bare commit, median  {bare * 1e3:8.2f} ms")

    def stream() -> None:
        futures = [
            store.update_message(id_, content=TEXT * 8, status=MessageStatus.STREAMING)
            for id_ in answers[:STREAMS]
        ]
        for future in futures:
            future.result()

    def end() -> None:
        futures = [
            store.update_message(id_, status=MessageStatus.COMPLETE) for id_ in answers[:STREAMS]
        ]
        for future in futures:
            future.result()

    print(f"{STREAMS} streams flushed   {timed(stream)[0] * 1e3:8.2f} ms")
    print(f"{STREAMS} streams ended     {timed(end)[0] * 1e3:8.2f} ms")
    store.delete_chat(scratch.id)
    print(f"close                {timed(store.close)[0] * 1e3:8.2f} ms")
    return opening, median, bare


@contextlib.contextmanager
def bare_commit(folder: Path) -> Iterator[Callable[[], None]]:
    """What commits two short rows by SQLite alone, in a database of its own in `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as beside:
        database = sqlite3.connect(Path(beside) / "bare.db", isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE rows (content TEXT)")

        def commit() -> None:
            database.execute("BEGIN")
            database.execute("INSERT INTO rows VALUES ('Hello')")
            database.execute("INSERT INTO rows VALUES ('')")
            database.execute("COMMIT")

        try:
            yield commit
        finally:
            database.close()


def main() -> int:
    """Fill, measure, compare with the bar."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(sys.argv[1] if len(sys.argv) > 1 else temporary) / "chats.db"
        fill(path)
        opened, commit, bare = measure(path)
    ratio = commit / bare
    passed = opened <= BAR_OPEN_SECONDS and ratio <= BAR_COMMIT_RATIO
    figures = {
        "bench": "chat_store",
        "passed": passed,
        "open_s": round(opened, 3),
        "bar_open_s": BAR_OPEN_SECONDS,
        "commit_ratio": round(ratio, 2),
        "bar_commit_ratio": BAR_COMMIT_RATIO,
        "commit_ms": round(commit * 1e3, 2),
    }
    print(json.dumps(figures))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
