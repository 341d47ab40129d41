"""How fast the store is: ``python -m tests.bench.chat_store [FOLDER]``.

Fills a store with 1,000 chats of 100 messages (kept in FOLDER when given), then
measures opening it, listing, loading a chat, and committing exchanges. Put FOLDER on
the disk that matters: on a tmpfs a sync costs nothing.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop.chats.chat import Role
from desktop.chats.chat_store import ChatStore

CHATS = 1_000
MESSAGES = 100
EXCHANGES = 200
STREAMS = 64
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


def measure(path: Path) -> None:
    """Print the figures."""
    store = ChatStore(path)
    opening, _ = timed(lambda: store.open().result())
    listing, chats = timed(lambda: store.list_chats().result())
    loading, chat = timed(lambda: store.load_chat(chats[-1].id).result())
    print(f"{path.stat().st_size / 1e6:.0f} MB, {len(chats)} chats, {len(chat.messages)} in one")
    print(f"open                 {opening * 1e3:8.2f} ms (with importing sqlite_utils)")
    print(f"list_chats           {listing * 1e3:8.2f} ms")
    print(f"load_chat            {loading * 1e3:8.2f} ms")
    scratch = store.create_chat(title="Benchmark").result()
    times: list[float] = []
    answers: list[str] = []

    def exchange() -> None:
        parent = answers[-1] if answers else None
        _, answer = store.add_exchange(scratch.id, parent, "Hello").result()
        answers.append(answer.id)

    for _ in range(EXCHANGES):
        times.append(timed(exchange)[0])
    times.sort()
    print(f"add_exchange, median {statistics.median(times) * 1e3:8.2f} ms")
    print(f"add_exchange, p95    {times[int(len(times) * 0.95)] * 1e3:8.2f} ms")

    def stream() -> None:
        futures = [store.update_message(id_, content=TEXT * 8) for id_ in answers[:STREAMS]]
        for future in futures:
            future.result()

    print(f"{STREAMS} streams flushed   {timed(stream)[0] * 1e3:8.2f} ms")
    store.delete_chat(scratch.id)
    print(f"close                {timed(store.close)[0] * 1e3:8.2f} ms")


def main() -> None:
    """Fill, then measure."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(sys.argv[1] if len(sys.argv) > 1 else temporary) / "chats.db"
        fill(path)
        measure(path)


if __name__ == "__main__":
    main()
