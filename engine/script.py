"""What the scripted engine is told to do, and what it says. Pure.

The script itself (`Script`) holds for the process; commands in the last user message
(`Orders`) hold for one answer.
"""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from engine.protocol import ChatMessage, FinishReason, Generate
from engine.script_json import answer_json

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

REASONING = """\
The user asks how it works. I recall what a block table is, check that the example adds up, \
and decide to begin with the idea before the code.
"""


@dataclass(frozen=True, slots=True)
class Script:
    """How the scripted engine behaves. Times in seconds."""

    tokens_per_second: float = 60.0
    import_seconds: float = 0.0
    load_seconds: float = 0.2
    prefill_seconds: float = 0.02
    prefill_tokens_per_second: float = 0.0  # besides, for what is not cached; 0: no time
    max_running: int = 64
    context: int = 8192  # tokens
    kv_blocks: int = 4096
    preempts: int = 0  # 1: where no block is left, the latest answer waits; 0: it does without
    fail_load: str = ""  # the cause a load fails with
    hang_load: int = 0  # 1: a load never ends
    crash_load: int = 0  # 1: the process dies in mid-load
    gpus: int = 0  # it plays so many GPUs of 24 GiB; 0: a CPU, which cannot sleep
    tp_speed: float = 1.6  # so much faster with two GPUs
    fail_tp: str = ""  # the cause a load over several GPUs fails with
    hang_tp: int = 0  # 1: a load over several GPUs never ends, unless without P2P
    hang_measure: int = 0  # 1: a measurement over several GPUs never ends
    sleep_seconds: float = 0.05  # to fall asleep or wake
    fail_sleep: str = ""  # the cause with which it does not fall asleep
    fail_wake: str = ""
    kernel: str = ""
    converts: int = 0  # 1: GGUF files have to be converted first, as on a CPU
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


TITLE_TOKENS = 32  # a request of at most so many tokens ...
TITLE_PRIORITY = 5  # ... and of this priority or a later one asks for a title
STOP_STRING_TOKENS = 10  # before "/stopstring TEXT" ends the answer
KEPT_CHARS = 4096  # a longer message is counted anew each time: its text is not kept


@functools.lru_cache(maxsize=1 << 15)
def _count_kept(content: str) -> int:
    return len(content.split())


def count_words(messages: Iterable[ChatMessage]) -> int:
    """The scripted tokenizer: a token a word, and four a message for the template."""
    return sum(
        4 + (_count_kept(m.content) if len(m.content) <= KEPT_CHARS else len(m.content.split()))
        for m in messages
    )


@dataclass(frozen=True, slots=True)
class Orders:
    """How one answer goes. `*_at` counts tokens before it happens; -1: never."""

    words: list[str]
    rate: float  # tokens/s
    limit: int  # tokens
    limit_reason: FinishReason
    opens_reasoning: str = ""
    stop_string: str = ""  # what the answer ends at
    crash_at: int = -1
    hang_at: int = -1
    fail_at: int = -1

    @classmethod
    def of(cls, request: Generate, prompt_tokens: int, context: int, script: Script) -> Orders:
        """Read the commands in the last user message, and how far the answer may go."""
        text = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
        found = {
            name: int(value)
            for name, value in re.findall(
                r"/(long|crash|hang|fail|rate|think|thinkopen|unclosed)\s+(\d+)", text
            )
        }
        if request.thinking is False:
            found = {name: value for name, value in found.items() if name not in _REASONING}
        answer = _answer(request, text, found)
        limit, reason = len(answer.words), FinishReason.STOP
        maximum, room = request.sampling.max_tokens, context - prompt_tokens
        if maximum is not None and maximum < limit:
            limit, reason = maximum, FinishReason.LENGTH
        if room < limit:
            limit, reason = room, FinishReason.CONTEXT
        return cls(
            answer.words,
            max(float(found.get("rate", script.tokens_per_second)), 0.001),
            limit,
            reason,
            opens_reasoning="<think>" if "thinkopen" in found else "",
            stop_string=answer.stop_string if reason is FinishReason.STOP else "",
            crash_at=found.get("crash", -1),
            hang_at=found.get("hang", -1),
            fail_at=found.get("fail", -1),
        )


_REASONING = frozenset({"think", "thinkopen", "unclosed"})


@dataclass(frozen=True, slots=True)
class _Answer:
    """`words` join to the text, which was cut before `stop_string`."""

    words: list[str]
    stop_string: str = ""

    def cut(self, stops: Iterable[str]) -> _Answer:
        """End before the first of `stops`."""
        text = "".join(self.words)
        places = [(at, stop) for stop in stops if stop and (at := text.find(stop)) >= 0]
        if not places:
            return self
        at, stop = min(places)
        # The model said the whole of it: its tokens count, its text is cut.
        return replace(self, words=_tokens(text[:at]), stop_string=stop)


def _answer(request: Generate, text: str, found: dict[str, int]) -> _Answer:
    if request.sampling.json_schema is not None:
        return _Answer(_tokens(answer_json(request.sampling.json_schema)))
    if (
        request.sampling.max_tokens is not None
        and request.sampling.max_tokens <= TITLE_TOKENS
        and request.priority >= TITLE_PRIORITY
    ):
        return _Answer(_tokens(title_of(request.messages)))
    words = answer_words(text)
    if long := found.get("long", 0):
        words = [words[i % len(words)] for i in range(long)]
    if stop := re.search(r"/stopstring\s+(\S+)", text):
        return _Answer(words[:STOP_STRING_TOKENS], stop[1])
    return _Answer(_thoughts(found) + words).cut(request.sampling.stop)


def _thoughts(found: dict[str, int]) -> list[str]:
    """The reasoning before the answer, with the tags that the commands ask for."""
    for name in ("thinkopen", "think", "unclosed"):
        if name in found:
            words = _tokens(REASONING)
            thoughts = [words[i % len(words)] for i in range(found[name])]
            opening = [] if name == "thinkopen" else ["<think>\n"]
            closing = [] if name == "unclosed" else ["\n</think>\n\n"]
            return opening + thoughts + closing
    return []


def title_of(messages: Iterable[ChatMessage]) -> str:
    """A title for the chat: about the first words of its first user turn, commands left out.

    It differs from those words by its own first one, so that it can be told from them.
    """
    first = next((m.content for m in messages if m.role == "user"), "")
    words = re.sub(r"/\w+(\s+\d+)?", " ", first).split()
    return " ".join(["About", *words[:5]])


def answer_words(text: str) -> list[str]:
    """The scripted answer to `text`, cut into tokens that join to the whole."""
    if "/echo " in text:
        answer = text.split("/echo ", 1)[1]
    else:
        openings = ("Certainly.", "Good question.", "Here is how it works.", "In short:")
        opening = openings[zlib.crc32(text.encode()) % len(openings)]
        answer = f"{opening}\n\n{ANSWER}"
    return _tokens(answer)


def _tokens(text: str) -> list[str]:
    return re.findall(r"\s*\S+|\s+$", text) or [" "]
