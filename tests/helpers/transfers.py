"""Files of chats for tests, and a store that only collects what is imported."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop.chats.chat import Attachment, ChatSummary, Message, Role, Statistics
from desktop.chats.chat_tree import ChatTree
from desktop.chats.transfer.importing import Import, ImportReport, import_chats, keys_of
from desktop.chats.transfer.our_json import FORMAT


def tree(title: str = "A chat", answer: str = "An *answer*.") -> ChatTree:
    """A chat with two branches, reasoning and an attachment."""
    file = Attachment("f1", "notes.txt", "line\n```\nfence\n")
    return ChatTree(
        title=title,
        system_prompt="Be kind.",
        model="/models/small",
        created=1_700_000_000.5,
        updated=1_700_000_100.25,
        messages=(
            Message("q", "", None, Role.USER, "A question", created=1.0, attachments=(file,)),
            Message("a1", "", "q", Role.ASSISTANT, "An old answer", model="small"),
            Message(
                "a2",
                "",
                "q",
                Role.ASSISTANT,
                answer,
                model="small",
                reasoning="Let me think.",
                statistics=Statistics(prompt_tokens=3, run={"seed": 7}),
            ),
        ),
        active_leaf="a2",
    )


def write_json(folder: Path, chats: list[Any], version: int = 1) -> Path:
    """Our own file of chats."""
    path = folder / "chats.json"
    path.write_text(json.dumps({"format": FORMAT, "version": version, "chats": chats}))
    return path


class Collector:
    """Takes chats as the store does: on another thread, in order."""

    def __init__(self, refuse: str = "") -> None:
        self.trees: list[ChatTree] = []
        self.waiting = 0
        self.most_waiting = 0
        self._refuse = refuse
        self._lock = threading.Lock()
        self._pool: list[tuple[ChatTree, Future[ChatSummary]]] = []
        self._wake = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    def add(self, tree: ChatTree) -> Future[ChatSummary]:
        future: Future[ChatSummary] = Future()
        with self._wake:
            self.waiting += 1
            self.most_waiting = max(self.most_waiting, self.waiting)
            self._pool.append((tree, future))
            self._wake.notify()
        return future

    def run(self, path: Path, **more: Any) -> ImportReport:
        more.setdefault("present", keys_of(self.summaries()))
        return import_chats(Import(path, self.add, **more))

    def summaries(self) -> list[ChatSummary]:
        return [ChatSummary(str(i), t.title, i, t.updated) for i, t in enumerate(self.trees)]

    def close(self) -> None:
        with self._wake:
            self._over = True
            self._wake.notify()
        self._thread.join()

    def _loop(self) -> None:
        while True:
            with self._wake:
                while not self._pool and not self._over:
                    self._wake.wait()
                if not self._pool:
                    return
                tree, future = self._pool.pop(0)
                self.waiting -= 1
            if self._refuse and tree.title == self._refuse:
                future.set_exception(ValueError("the store refused this"))
                continue
            self.trees.append(tree)
            future.set_result(ChatSummary("id", tree.title, 0, tree.updated))


@contextmanager
def importing(refuse: str = "") -> Iterator[Collector]:
    """A store to import into."""
    store = Collector(refuse)
    try:
        yield store
    finally:
        store.close()


def imported(path: Path, **more: Any) -> tuple[list[ChatTree], ImportReport]:
    """What is in a file, into an empty store."""
    with importing() as store:
        report = store.run(path, **more)
    return store.trees, report
