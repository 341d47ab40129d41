"""What a download's process is told, and what it tells: an object on each line, either way.

The first line on standard input is a `Job`, all later ones are commands. When standard input
ends, so does the process; what was fetched stays for the next one, after a cancel too.
Sizes in bytes, times in seconds. Texts are for people and may hold somebody else's words (names
of files): show them as plain text.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.store.hub.errors import HubError
from engine.store.hub.records import Listing

MOST_CONNECTIONS: Final = 16


class Phase(StrEnum):
    """What is being done."""

    RESOLVING = "resolving"  # the hub is asked what there is
    DOWNLOADING = "downloading"
    WAITING = "waiting"  # for the network, the hub, room on the disk, another process
    PAUSED = "paused"
    VERIFYING = "verifying"  # all is there; the rest of it is being read and compared
    FINISHING = "finishing"  # it is put on the disk and in its place


class Job(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What to fetch, and where to.

    Attributes:
        repo: "owner/name".
        store: the models folder; the model comes to lie below its `hub`.
        revision: a branch, a tag or a commit.
        variant: as `choose` takes it; "" for the safetensors.
        expected: what the user saw when asking; None: the hub is asked. What an earlier try
            left is completed at the commit that it was of, where `revision` is the same.
        limit: bytes/s of all connections together; 0 for none.
        connections: at once.
        verify_existing: read again what an earlier try had verified. What it had not is read
            in any case.
    """

    repo: str
    store: str
    revision: str = "main"
    variant: str = ""
    expected: Listing | None = None
    limit: int = 0
    connections: int = 4
    verify_existing: bool = True


class Command(msgspec.Struct, frozen=True, tag_field="do"):
    """Something the process is told while it works."""


class Pause(Command, frozen=True, tag="pause"):
    """Fetch nothing until `Resume`."""


class Resume(Command, frozen=True, tag="resume"):
    """Go on, also where it waits for a next try."""


class Limit(Command, frozen=True, tag="limit"):
    """Fetch at most so many bytes/s from now on; 0: as many as come."""

    limit: int = 0


class Cancel(Command, frozen=True, tag="cancel"):
    """End at once. What was fetched stays; `partials.discard` takes it away."""


AnyCommand = Pause | Resume | Limit | Cancel


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", omit_defaults=True):
    """Something the process tells."""


class Started(Event, frozen=True, kw_only=True, tag="started"):
    """It is known what is to be fetched. Told again when the hub's files change meanwhile.

    Attributes:
        target: the folder that the model will be.
        total: of all files. have: of it, there already. files: how many.
        commit: 40 hex digits.
    """

    target: str
    total: int
    have: int = 0
    files: int = 0
    commit: str = ""


class Progress(Event, frozen=True, kw_only=True, tag="progress"):
    """How far it is; some four times a second while anything moves.

    Attributes:
        done: of `total`: fetched, or while `phase` is "verifying", verified.
        speed: bytes/s over the last seconds.
        seconds_left: None: not known.
        file: one that is being fetched or verified; "" for none.
        files_done: verified, of `files`.
        limit: that holds; 0 for none.
    """

    phase: Phase
    done: int = 0
    total: int = 0
    speed: float = 0.0
    seconds_left: float | None = None
    file: str = ""
    files_done: int = 0
    files: int = 0
    limit: int = 0


class Waiting(Event, frozen=True, kw_only=True, tag="waiting"):
    """Nothing moves for now, but will by itself. `Progress` in another phase ends it.

    Attributes:
        code: of the `HubError` that it waits out ("disk_full", "too_many_requests", …), or
            "another_process".
        reason: why, in words.
        seconds: until the next try; 0: as soon as the reason is gone.
    """

    code: str
    reason: str
    seconds: float = 0.0


class Failed(Event, frozen=True, kw_only=True, tag="failed"):
    """The last of all: it came to nothing for now. What was fetched stays.

    Attributes:
        code: of the `HubError`, or "store" (the folder cannot be written), "unreadable_job",
            "broken" (a fault of this program).
        url: a page that helps; "" for none.
        retry: whether the same may go well later, with nothing changed.
        retry_after: how long the hub wants to be left alone; None: it did not say.
    """

    code: str
    text: str
    url: str = ""
    retry: bool = False
    retry_after: float | None = None


class Done(Event, frozen=True, kw_only=True, tag="done"):
    """The last of all: the model is verified, on the disk, and lies in `folder`.

    Attributes:
        bytes_fetched: that came over the network in this try.
        bytes_reused: that were there before.
    """

    folder: str
    bytes_fetched: int = 0
    bytes_reused: int = 0


def failed(error: HubError) -> Failed:
    """The event for an error."""
    return Failed(
        code=error.code,
        text=error.text,
        url=error.url,
        retry=error.is_passing or error.code in _MAY_GO_WELL,
        retry_after=error.retry_after,
    )


_MAY_GO_WELL: Final = frozenset({"cancelled", "disk_full", "hash_mismatch", "bad_answer"})

AnyEvent = Started | Progress | Waiting | Failed | Done

_jobs: Final = msgspec.json.Decoder(Job)
_commands: Final = msgspec.json.Decoder(AnyCommand)
_events: Final = msgspec.json.Decoder(AnyEvent)
_encoder: Final = msgspec.json.Encoder()


def to_line(message: Job | Command | Event) -> bytes:
    """A message as a line, its end included."""
    return _encoder.encode(message) + b"\n"


def read_job(line: bytes) -> Job:
    """The job on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _jobs.decode(line)


def read_command(line: bytes) -> AnyCommand:
    """The command on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _commands.decode(line)


def read_event(line: bytes) -> AnyEvent:
    """The event on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _events.decode(line)
