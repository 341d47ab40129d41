"""Whether a window went on working while its engine ended, started and loaded."""

from __future__ import annotations

from typing import NamedTuple

SHARE_OF_A_WAIT = 1 / 3  # a pause so long, of the engine's time to come back, is a wait for it
ROUNDS_A_HICCUP = 4  # one round in so many may meet a disk that holds up everything


class Round(NamedTuple):
    """One end of an engine, in s.

    Attributes:
        pause: the longest pause of the window's event loop.
        back: how long the engine took to be ready again.
    """

    pause: float
    back: float


def check_smooth(rounds: list[Round]) -> None:
    """The window's event loop went on while its engine ended, started and loaded.

    What is measured against is the engine itself: a window that waited for it would stand
    still for much of the time that it takes to come back, whatever the machine; one that does
    not has pauses of its own work alone, which are short beside that on a slow machine, too.

    Raises:
        AssertionError: it stood still in more than a round in four.
    """
    late = [one for one in rounds if one.pause > one.back * SHARE_OF_A_WAIT]
    told = [f"{one.pause:.2f} of {one.back:.2f} s" for one in rounds]
    assert len(late) <= len(rounds) // ROUNDS_A_HICCUP, f"the window stood still: {told}"
