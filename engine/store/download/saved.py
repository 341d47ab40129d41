"""What a download keeps for the next process: its job, and what the hub said there is."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.store.download.messages import Job
from engine.store.download.names import Part
from engine.store.download.store_folder import StoreFolder
from engine.store.hub.records import Listing

FILE: Final = "job.json"
MOST_BYTES: Final = 16 << 20


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """See the module. `listing`: of the commit that is fetched."""

    job: Job
    listing: Listing
    parts: tuple[Part, ...]

    def is_of(self, job: Job) -> bool:
        """Whether `job` wants the same."""
        mine = self.job
        return (mine.repo, mine.revision, mine.variant) == (job.repo, job.revision, job.variant)


_decoder: Final = msgspec.json.Decoder(Saved)


def parse(content: bytes) -> Saved | None:
    """What an earlier process has written; None where that is nothing, or damaged."""
    try:
        return _decoder.decode(content)
    except (msgspec.DecodeError, RecursionError):
        return None


def read(folder: StoreFolder) -> Saved | None:
    """The same, of a download that is held."""
    return parse(folder.read(FILE, MOST_BYTES))


def write(folder: StoreFolder, job: Job, listing: Listing, parts: tuple[Part, ...]) -> None:
    """Keep it.

    Raises:
        HubError: the disk does not let us.
    """
    # The listing is kept once, and the store may be moved.
    plain = msgspec.structs.replace(job, expected=None, store="")
    folder.write(FILE, msgspec.json.encode(Saved(job=plain, listing=listing, parts=parts)))
