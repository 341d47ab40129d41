"""The load and the conversations of the window's benchmark, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from desktop.chats.chat import Message, MessageStatus, Role

# What both sides of the benchmark are given.
LONG: Final = 10_000
SHORT: Final = 100
STREAMS: Final = 32
RATE: Final = 60  # tokens/s of each
WARM_UP_S: Final = 8
SCRIPT: Final = f"tokens_per_second={RATE} max_running=64 load_seconds=0.05 context=100000000"

_SENTENCES: Final = (
    "Paged attention keeps the keys and values of every token in blocks of fixed size.",
    "A chat holds only what it uses, so many chats share one pool.",
    "The *block table* of a request grows by one entry at a time.",
    "With `block_size = 16` a prompt of 4,096 tokens takes 256 blocks.",
    "Sharing a prefix costs nothing: two chats point at the **same** block.",
    "What is freed stays cached until somebody needs the room.",
    "A request that finds no free block is preempted and computed again later.",
)
_CODE: Final = '''```python
def blocks_needed(tokens: int, block_size: int = 16) -> int:
    """How many KV blocks hold `tokens`."""
    return -(-tokens // block_size)
```'''
_TABLE: Final = """| chats | tokens each | blocks |
| ---: | ---: | ---: |
| 1 | 4,096 | 256 |
| 4 | 1,024 | 256 |"""
_LIST: Final = """1. The scheduler asks the pool for a free block.
2. The request's table gains an entry.
   - unless the prefix is cached
3. The kernel reads through the table."""


def answer(source: random.Random) -> str:
    """Some paragraphs, now and then with code, a table or a list."""
    parts = [
        " ".join(source.choices(_SENTENCES, k=source.randint(2, 5)))
        for _ in range(source.randint(1, 3))
    ]
    for extra, chance in ((_CODE, 0.25), (_TABLE, 0.1), (_LIST, 0.2)):
        if source.random() < chance:
            parts.insert(source.randint(1, len(parts)), extra)
    return "\n\n".join(parts)


def conversation(count: int, name: str) -> Iterator[Message]:
    """`count` messages in one line from the root; ids are unique within `name`."""
    source = random.Random(name)
    for index in range(count):
        is_answer = index % 2 == 1
        yield Message(
            id=f"{name}-{index}",
            chat_id="",
            parent_id=f"{name}-{index - 1}" if index else None,
            role=Role.ASSISTANT if is_answer else Role.USER,
            content=answer(source) if is_answer else source.choice(_SENTENCES),
            status=MessageStatus.COMPLETE,
            sequence=index + 1,
            created=1_700_000_000.0 + index,
        )
