"""What the scripted engine is told to do, and what it says. Pure.

The script itself (`Script`) holds for the process; commands in the last user message
(`Orders`) hold for one answer.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, fields

from engine.protocol import CountTokens, FinishReason, Generate

ANSWER = """\
Paged attention keeps the keys and values of every token in **blocks** of fixed size, so \
a chat holds only what it uses.

## How a block is found

1. The scheduler asks the pool for a free block.
2. The *block table* of the request gains one entry.
3. The kernel reads through the table, as a page table would be read.

```python
def blocks_needed(tokens: int, block_size: int = 16) -> int:
    \"\"\"How many KV blocks hold `tokens`.\"\"\"
    return -(-tokens // block_size)
```

| chats | tokens each | blocks |
| ---: | ---: | ---: |
| 1 | 4,096 | 256 |
| 4 | 1,024 | 256 |

> Sharing a prefix costs nothing: two chats point at the same block.

So a prompt of 4,096 tokens takes 256 blocks, whichever chat asks first.
"""


@dataclass(frozen=True, slots=True)
class Script:
    """How the scripted engine behaves. Times in seconds."""

    tokens_per_second: float = 60.0
    import_seconds: float = 0.0
    load_seconds: float = 0.2
    prefill_seconds: float = 0.02
    max_running: int = 64
    context: int = 8192  # tokens
    kv_blocks: int = 4096
    fail_load: str = ""  # the cause a load fails with
    hang_load: int = 0  # 1: a load never ends
    crash_load: int = 0  # 1: the process dies in mid-load
    children: int = 0  # processes below the engine, as tensor parallelism has them

    @classmethod
    def parse(cls, text: str) -> Script:
        """Read "name=value name=value"; underscores in text values become spaces.

        Raises:
            ValueError: an unknown name, or a value of the wrong type.
        """
        kinds: dict[str, type] = {item.name: type(item.default) for item in fields(cls)}
        values: dict[str, float | int | str] = {}
        for word in text.split():
            name, _, value = word.partition("=")
            if name not in kinds:
                raise ValueError(f"unknown script setting {name!r}")
            kind = kinds[name]
            values[name] = value.replace("_", " ") if kind is str else kind(value)
        return cls(**values)  # type: ignore[arg-type]


def count_words(request: Generate | CountTokens) -> int:
    """The scripted tokenizer: a token a word, and four a message for the template."""
    return sum(4 + len(message.content.split()) for message in request.messages)


@dataclass(frozen=True, slots=True)
class Orders:
    """How one answer goes. `*_at` counts tokens before it happens; -1: never."""

    words: list[str]
    rate: float  # tokens/s
    limit: int  # tokens
    limit_reason: FinishReason
    crash_at: int = -1
    hang_at: int = -1
    fail_at: int = -1

    @classmethod
    def of(cls, request: Generate, prompt_tokens: int, script: Script) -> Orders:
        """Read the commands in the last user message, and how far the answer may go."""
        text = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
        found = {
            name: int(value)
            for name, value in re.findall(r"/(long|crash|hang|fail|rate)\s+(\d+)", text)
        }
        words = answer_words(text)
        if long := found.get("long", 0):
            words = [words[i % len(words)] for i in range(long)]
        limit, reason = len(words), FinishReason.STOP
        maximum, room = request.sampling.max_tokens, script.context - prompt_tokens
        if maximum is not None and maximum < limit:
            limit, reason = maximum, FinishReason.LENGTH
        if room < limit:
            limit, reason = room, FinishReason.CONTEXT
        return cls(
            words,
            max(float(found.get("rate", script.tokens_per_second)), 0.001),
            limit,
            reason,
            crash_at=found.get("crash", -1),
            hang_at=found.get("hang", -1),
            fail_at=found.get("fail", -1),
        )


def answer_words(text: str) -> list[str]:
    """The scripted answer to `text`, cut into tokens that join to the whole."""
    if "/echo " in text:
        answer = text.split("/echo ", 1)[1]
    else:
        openings = ("Certainly.", "Good question.", "Here is how it works.", "In short:")
        opening = openings[zlib.crc32(text.encode()) % len(openings)]
        answer = f"{opening}\n\n{ANSWER}"
    return re.findall(r"\s*\S+|\s+$", answer) or [" "]
