"""How long a download waits for what, and how often it tries."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """Times in seconds.

    Attributes:
        connect: for a connection, TLS included.
        silence: without a byte, then a connection counts as dead.
        drip: over so much time of reading a connection must bring `least_speed` bytes/s.
        first_wait: after the first fault; doubled with each further one.
        most_wait: between tries. A hub that asks for a longer pause gets it from the user: the
            download ends with its words, and can be resumed.
        hub_wait: the longest pause that the hub may ask for and gets.
        give_up: without one byte of a file, then the download ends.
        resolve_tries: to ask what there is, before anything is known.
        room: between looks whether a full disk has room again.
        tick: between two `Progress`.
        sync: between two times that what was written is put on the disk.
        tries: of an answer that makes no sense, and of a file with wrong contents.
    """

    connect: float = 15.0
    silence: float = 20.0
    drip: float = 20.0
    least_speed: float = 1024.0
    first_wait: float = 0.5
    most_wait: float = 60.0
    hub_wait: float = 300.0
    give_up: float = 1800.0
    resolve_tries: int = 4
    room: float = 2.0
    tick: float = 0.25
    sync: float = 5.0
    tries: int = 3

    def wait_after(self, faults: int) -> float:
        """How long to wait after so many faults in a row, with some chance in it."""
        wait = min(self.most_wait, self.first_wait * 2.0 ** min(faults - 1, 16))
        return wait * random.uniform(0.8, 1.2)
