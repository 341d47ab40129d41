"""When to start a dead engine again: backoff, at most five times in a row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class RestartPolicy:
    """Counts deaths in a row; a life of `stable_seconds` with a model clears the count."""

    delays: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0, 8.0)  # s
    stable_seconds: float = 60.0
    deaths: int = 0

    def died(self, lived: float) -> float | None:
        """Note a death after `lived` seconds of being READY (0: it never was).

        Returns:
            Seconds to wait before the next start, or None: stop trying.
        """
        if lived >= self.stable_seconds:
            self.deaths = 0
        self.deaths += 1
        if self.deaths > len(self.delays):
            return None
        return self.delays[self.deaths - 1]

    def reset(self) -> None:
        """The user asked for another try."""
        self.deaths = 0
