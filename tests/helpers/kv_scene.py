"""A KV pool with chats in it, of the scripted engine: for tests, benches and pictures."""

from __future__ import annotations

import random

from desktop.models.monitor.frames import ChatRef
from desktop.models.monitor.kv_books import KvBooks, KvPicture
from engine.protocol import ChatMessage, Generate, KvReport
from engine.script_pool import ScriptPool, block_keys
from engine.streams import Stream

CONTEXT = 8192
TITLES = (
    "Sourdough, day three",
    "Why is the sky blue?",
    "Letter to the landlord",
    "Regression in the parser",
    "Trip to Trieste",
    "Café Zimmermann – Musik & Texte",
    "Unit tests for a queue",
    "A poem about rain",
)


class KvScene:
    """Chats over a pool.

    Args:
        total: blocks. size: tokens of a block.
    """

    def __init__(self, total: int, size: int = 16, seed: int = 7) -> None:
        self.pool = ScriptPool(total, size)
        self.size = size
        self.books = KvBooks(CONTEXT)
        self.streams: dict[str, tuple[Stream, list[int]]] = {}
        self.owners: dict[str, ChatRef] = {}
        self.waiting: list[str] = []
        self.preempted: set[str] = set()
        self.step = 0
        self.random = random.Random(seed)

    def ask(self, number: int, words: int, *, shared_words: int = 0) -> str:
        """A chat asks; the first words are those of everybody. Returns the request's id."""
        name = f"request-{number}"
        text = " ".join(
            [f"common{at}" for at in range(shared_words)]
            + [f"own{number}-{at}" for at in range(words)]
        )
        keys = block_keys((ChatMessage("user", text),), self.size)
        tokens = 4 + shared_words + words
        held, cached = self.pool.begin(keys, tokens)
        stream = Stream(Generate(name, ()), 0.0, prompt_tokens=tokens, cached_tokens=cached)
        self.streams[name] = stream, held
        title = TITLES[(number - 1) % len(TITLES)]
        if number > len(TITLES):
            title = f"{title} ({number})"
        self.owners[name] = ChatRef(str(number), title)
        return name

    def grow(self, tokens: int) -> None:
        """Every answer has so many tokens more, if there are blocks."""
        for name, (stream, held) in self.streams.items():
            if name in self.waiting:
                continue
            stream.completion_tokens += tokens
            length = stream.prompt_tokens + stream.completion_tokens
            held += self.pool.take(-(-length // self.size) - len(held))

    def wait(self, name: str, *, is_preempted: bool = False) -> None:
        """A request has no place in the batch; a preempted one gives its blocks back."""
        stream, held = self.streams[name]
        self.pool.release(held)
        held.clear()
        self.waiting.append(name)
        stream.preemptions += is_preempted

    def end(self, name: str) -> None:
        """An answer is over."""
        self.pool.release(self.streams.pop(name)[1])
        if name in self.waiting:
            self.waiting.remove(name)

    def report(self) -> KvReport:
        """What the engine would tell now."""
        self.step += 1
        return self.pool.report(
            self.step,
            tuple(
                self.pool.request(
                    stream, held, self.waiting.index(name) + 1 if name in self.waiting else 0
                )
                for name, (stream, held) in self.streams.items()
            ),
        )

    def picture(self) -> KvPicture:
        """What the books make of it."""
        return self.books.take(self.report(), self.owners)


def busy_scene(total: int = 10_000, chats: int = 32, *, over: int = 4, size: int = 16) -> KvScene:
    """A pool in which many chats answer, some share a beginning, some are over."""
    scene = KvScene(total, size)
    most = max(size, int(total * size / max(1, chats + over) * 0.8))
    for number in range(1, chats + over + 1):
        words = scene.random.randint(most // 4, most)
        shared = min(most // 3, 40 * size) if number % 3 == 0 else 0
        scene.ask(number, words, shared_words=shared)
    scene.grow(3 * size)
    scene.picture()
    for number in range(1, over + 1):
        scene.end(f"request-{number * 2}")
    return scene
