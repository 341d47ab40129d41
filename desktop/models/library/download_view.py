"""A download as the window sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MOST_PARTS = 2**62  # of a size: what Qt can write as a number


class DownloadState(StrEnum):
    """What becomes of a download. Kept in a file by these names."""

    QUEUED = "queued"  # its turn comes
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class DownloadView:
    """All that is known of one download. Sizes in bytes, times in seconds.

    Attributes:
        key: names it among the downloads: repository and variant.
        revision: the branch or the commit that is fetched.
        variant: of a repository with several ("Q4_K_M"); "": it has one.
        phase: what a running one is doing, as its process says: "resolving", "downloading",
            "waiting", "paused", "verifying", "finishing"; "" before it has said anything.
        total: None: not known yet.
        speed: bytes per second; 0.0: nothing comes at the moment.
        seconds_left: None: not known.
        file: what is fetched now. files_done, files: how many of how many are whole.
        code, text, url: why it failed or what it waits for; `url` is a page that helps.
        wait: seconds to wait, with the phase "waiting", from when that was told.
        waits_until: when these are over, by `time.monotonic`; 0.0: nobody knows.
        can_retry: whether another try may help although nothing else is changed.
        folder: where the model lies, once it is done.
        ended: when it was done, as seconds since the epoch; 0.0: it is not.
    """

    key: str
    repo: str
    revision: str = "main"
    variant: str = ""
    state: DownloadState = DownloadState.QUEUED
    phase: str = ""
    done: int = 0
    total: int | None = None
    speed: float = 0.0
    seconds_left: float | None = None
    file: str = ""
    files_done: int = 0
    files: int = 0
    code: str = ""
    text: str = ""
    url: str = ""
    wait: float = 0.0
    waits_until: float = 0.0
    can_retry: bool = True
    folder: str = ""
    ended: float = 0.0

    @property
    def share(self) -> float | None:
        """How much of it is there, 0 to 1; None: not known."""
        if self.state is DownloadState.DONE:
            return 1.0
        if not self.total:
            return None
        return min(1.0, max(0.0, self.done / self.total))

    @property
    def is_waiting(self) -> bool:
        """Whether it runs, and waits for something to pass."""
        return self.is_running and self.phase == "waiting"

    @property
    def is_running(self) -> bool:
        """Whether a process is at it."""
        return self.state is DownloadState.RUNNING

    @property
    def is_unfinished(self) -> bool:
        """Whether something of it is still to come, sooner or later."""
        return self.state is not DownloadState.DONE


@dataclass(frozen=True, slots=True)
class DownloadTotal:
    """All downloads together.

    Attributes:
        running, queued, paused, failed, done: how many there are of each.
        have, size: bytes of those that run or wait for their turn, as far as they are known.
        speed: bytes per second.
        seconds_left: until these are there; None: not known.
    """

    running: int = 0
    queued: int = 0
    paused: int = 0
    failed: int = 0
    done: int = 0
    have: int = 0
    size: int = 0
    speed: float = 0.0
    seconds_left: float | None = None

    @property
    def is_active(self) -> bool:
        """Whether something is being fetched or will be by itself."""
        return self.running + self.queued > 0


def key_of(repo: str, variant: str = "") -> str:
    """What names a download among the others."""
    return f"{repo}#{variant}" if variant else repo


def total_of(views: tuple[DownloadView, ...]) -> DownloadTotal:
    """The sum of all downloads."""
    counts = dict.fromkeys(DownloadState, 0)
    have = size = 0
    speed = 0.0
    for view in views:
        counts[view.state] += 1
        if view.state in (DownloadState.RUNNING, DownloadState.QUEUED):
            have += min(view.done, MOST_PARTS)
            size += min(max(view.total or 0, view.done), MOST_PARTS)
        if view.state is DownloadState.RUNNING:
            speed += view.speed
    left = (size - have) / speed if speed > 0 and size > have else None
    return DownloadTotal(
        running=counts[DownloadState.RUNNING],
        queued=counts[DownloadState.QUEUED],
        paused=counts[DownloadState.PAUSED],
        failed=counts[DownloadState.FAILED],
        done=counts[DownloadState.DONE],
        have=have,
        size=size,
        speed=speed,
        seconds_left=left,
    )
