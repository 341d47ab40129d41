"""Finds how many of the oldest messages must go for a prompt to fit. Pure.

Only whole questions can go: what stays begins with a user's turn, as templates insist, and
a leading system message stays anyhow. Each step needs one count by the engine.
"""

from __future__ import annotations

from desktop.chats.chat import Role
from engine.protocol import ChatMessage

Prompt = tuple[ChatMessage, ...]


class OverflowSearch:
    """A search by halves that begins where the answer probably is.

    Attributes:
        limit: tokens the prompt may have.
        left_out: the answer, in messages; None until it is known or where there is none.
        fits: whether leaving messages out helps; None until it is known.
    """

    def __init__(self, prompt: Prompt, tokens: int, limit: int) -> None:
        self.limit = limit
        self.left_out: int | None = None
        self.fits: bool | None = None
        self._prompt = prompt
        self._head = 1 if prompt and prompt[0].role == Role.SYSTEM.value else 0
        self._starts = [
            index
            for index in range(self._head + 1, len(prompt))
            if prompt[index].role == Role.USER.value
        ]
        self._low = 0  # of `_starts`: the first that may be the answer
        self._high = len(self._starts)  # one that fits, or the length
        self._guess = self._first_guess(tokens)
        self._steps = 0

    def next_probe(self) -> Prompt | None:
        """The prompt to be counted next; None when the answer is known."""
        if self._low >= self._high:
            self.fits = self._high < len(self._starts)
            if self.fits:
                self.left_out = self._starts[self._high] - self._head
            return None
        last = self._high - 1
        guess = self._guess if self._steps < 2 else (self._low + last) // 2
        self._guess = min(max(guess, self._low), last)
        return self._without(self._starts[self._guess])

    def told(self, tokens: int) -> None:
        """The count of the last probe."""
        self._steps += 1
        if tokens <= self.limit:
            self._high = self._guess
            self._guess -= 1
        else:
            self._low = self._guess + 1
            self._guess += 1

    def _without(self, start: int) -> Prompt:
        return self._prompt[: self._head] + self._prompt[start:]

    def _first_guess(self, tokens: int) -> int:
        """Where it would be if all characters weighed the same."""
        lengths = [len(message.content) for message in self._prompt]
        total = sum(lengths)
        too_many = total * (1 - self.limit / max(1, tokens))
        gone, position = 0, self._head
        for number, start in enumerate(self._starts):
            gone += sum(lengths[position:start])
            position = start
            if gone >= too_many:
                return number
        return max(0, len(self._starts) - 1)
