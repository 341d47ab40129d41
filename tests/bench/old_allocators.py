"""How KV memory was given out before paging: one piece a request. A simulation, pure.

The three of the PagedAttention paper (Kwon et al., SOSP 2023, section 3 and figure 2), each over
a buddy allocator as there: a piece for the greatest length a request may have ("maximum"), for the
next power of two above what it will have ("power of two"), and for exactly what it will have
("oracle", which nobody can know). Requests always wait, so that memory is what limits the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Length:
    """A request's tokens: of its prompt, and of the answer in the end."""

    prompt: int
    answer: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.prompt + self.answer


Rule = Callable[[Length, int], int]  # a request and the greatest length -> slots it is given
RULES: dict[str, Rule] = {
    "maximum": lambda _length, most: most,
    "power_of_two": lambda length, most: min(most, length.prompt + _power_of_two(length.answer)),
    "oracle": lambda length, _most: length.total,
}


@dataclass(frozen=True, slots=True)
class Use:
    """Shares of the whole KV memory, on average over the steps; they make 1.

    Attributes:
        tokens: slots with a token.
        reserved: slots of tokens that are still to come.
        internal: slots given out that will never have one.
        external: slots that are free and of no use, since no piece of them is large enough.
    """

    tokens: float
    reserved: float
    internal: float
    external: float


@dataclass(slots=True)
class _Piece:
    length: Length
    given: int
    order: int
    at: int
    done: int = 0


@dataclass(slots=True)
class Buddies:
    """A buddy allocator over `size` slots, a power of two: pieces of powers of two."""

    size: int
    free: dict[int, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.free[self.size.bit_length() - 1] = {0}

    def take(self, slots: int) -> tuple[int, int] | None:
        """(order, place) of a piece that has so many slots; None: there is none."""
        order = max(0, slots - 1).bit_length()
        found = min((o for o, places in self.free.items() if o >= order and places), default=None)
        if found is None:
            return None
        at = min(self.free[found])
        self.free[found].remove(at)
        while found > order:
            found -= 1
            self.free.setdefault(found, set()).add(at + (1 << found))
        return order, at

    def give(self, order: int, at: int) -> None:
        """Take a piece back, and join it with its free buddies."""
        while 1 << order < self.size and (at ^ (1 << order)) in self.free.get(order, ()):
            self.free[order].remove(at ^ (1 << order))
            at &= ~(1 << order)
            order += 1
        self.free.setdefault(order, set()).add(at)


def simulate(lengths: Sequence[Length], memory: int, most: int, rule: Rule) -> Use:
    """Serve `lengths` in order, again from the start when they are used up, and measure.

    Args:
        memory: slots, a power of two.
        most: the greatest length of a request.

    Raises:
        ValueError: a request is longer than `most`, or does not fit the memory alone.
    """
    if any(length.total > most for length in lengths) or most > memory:
        raise ValueError("requests must fit")
    buddies = Buddies(memory)
    running: list[_Piece] = []
    following = 0
    sums = [0, 0, 0, 0]
    steps = 0
    # Twice through: the first time fills the memory, the second is measured.
    while following < 3 * len(lengths):
        while True:
            length = lengths[following % len(lengths)]
            given = rule(length, most)
            place = buddies.take(given)
            if place is None:
                break
            running.append(_Piece(length, given, *place))
            following += 1
        for piece in running:
            piece.done += 1
        if following >= len(lengths):
            steps += 1
            tokens = sum(piece.length.prompt + piece.done for piece in running)
            coming = sum(piece.length.answer - piece.done for piece in running)
            taken = sum(1 << piece.order for piece in running)
            for at, slots in enumerate((tokens, coming, taken - tokens - coming, memory - taken)):
                sums[at] += slots
        for piece in [one for one in running if one.done >= one.length.answer]:
            running.remove(piece)
            buddies.give(piece.order, piece.at)
    return Use(*(total / steps / memory for total in sums))


def _power_of_two(number: int) -> int:
    return 1 << max(0, number - 1).bit_length()
