"""An everyday chat with code, a table, maths, a quote and reasoning: what pictures show."""

from __future__ import annotations

import time

from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, Attachment, Message, Role, Statistics
from desktop.chats.chat_tree import ChatTree

MODEL = "Example"  # no model wrote this
TITLE = "When is the tea cool enough?"

_NOTES = "95 °C when poured\n82 °C after 5 min\n71 °C after 10 min\nthe kitchen has 21 °C\n"
_REASONING = """\
Two readings are enough for the rate. From 95 to 82 in five minutes: (82 − 21) / (95 − 21) is \
0.824, so k = −ln 0.824 / 5, about 0.039 a minute. The third reading agrees: it gives 0.0390.

They want a program too. I should check it against the readings before I show it.
"""
_ANSWER = r"""Your readings fit **Newton's law of cooling**: the warmer, the faster.

$$T(t) = T_r + (T_0 - T_r)\,e^{-kt} \quad\Longrightarrow\quad
t = \frac{1}{k}\,\ln\frac{T_0 - T_r}{T - T_r}$$

With $T_0 = 95$ °C, $T_r = 21$ °C and $k \approx 0.039$ per minute:

| drinkable at | after | how it feels |
| :--- | ---: | :--- |
| 70 °C | 10.6 min | still burns the tongue |
| 60 °C | 16.5 min | hot |
| 55 °C | 19.9 min | just right |

```python
from math import log

def minutes(target, start=95.0, room=21.0, k=0.039):
    # How long until tea has cooled from `start` to `target`.
    return log((start - room) / (target - room)) / k

print(f"{minutes(55):.1f} min")  # 19.9 min
```

> A lid halves $k$, and a splash of milk costs the tea about $5\,\mathrm{K}$ at once.

- [x] the formula agrees with all three readings
- [ ] try it with a thermos, which costs $20 to $30[^1]

[^1]: The prices are a guess.
"""


def everyday_chat() -> ChatTree:
    """Two questions, the second with a file; the last answer has all that is drawn."""
    now = time.time()
    texts = [
        "Is there a rule of thumb for how fast tea cools?",
        "Yes: the larger the difference to the room, the faster. It halves about every "
        "eighteen minutes in a mug.",
        "Here are my readings. How long until I can drink it? Please show the formula, "
        "and a small program.",
        _ANSWER,
    ]
    messages = []
    for number, text in enumerate(texts):
        is_answer = number % 2 == 1
        last = number == len(texts) - 1
        messages.append(
            Message(
                id=f"tea-{number}",
                chat_id="",
                parent_id=f"tea-{number - 1}" if number else None,
                role=Role.ASSISTANT if is_answer else Role.USER,
                content=text,
                sequence=number + 1,
                model=MODEL if is_answer else "",
                reasoning=_REASONING if last else "",
                statistics=_costs(text, last) if is_answer else None,
                created=now - 60 * (len(texts) - number),
                attachments=(Attachment("tea-notes", "readings.txt", _NOTES),)
                if number == 2
                else (),
            )
        )
    return ChatTree(
        title=TITLE,
        system_prompt=DEFAULT_SYSTEM_PROMPT,
        messages=tuple(messages),
        active_leaf=messages[-1].id,
    )


def _costs(text: str, reasoned: bool) -> Statistics:
    tokens = len(text) // 4
    return Statistics(
        prompt_tokens=212,
        completion_tokens=tokens,
        ttft=0.31,
        seconds=tokens / 40,
        decode_tps=40.0,
        finish_reason="stop",
        reasoning_seconds=4.0 if reasoned else None,
    )
