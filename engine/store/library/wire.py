"""What the library's process is told, and what it tells: one JSON object on each line.

The first line on standard input is the job. Lines after it are commands; the input's end is one,
too: nobody waits for the work any more. Each line of standard output is an event; the last one is
`Done` or `Failed`.
"""

from __future__ import annotations

import msgspec

from engine.failure_words import words
from engine.store.library.records import InstalledModel, Progress

# What the process itself says in a `Failed`.
NO_JOB = words("The library was given nothing to do that it knows.")
UNEXPECTED = words("Something went wrong that should not: {reason}.")
STOPPED = words("It was stopped.")


class Job(msgspec.Struct, frozen=True, kw_only=True, tag_field="job"):
    """Something to do. `models`: the store."""

    models: str


class VerifyJob(Job, frozen=True, kw_only=True, tag="verify"):
    """Read every file of a model and compare its hash."""

    model: InstalledModel


class ImportJob(Job, frozen=True, kw_only=True, tag="import"):
    """Take a model into the store.

    Attributes:
        source: a folder in Hugging Face's layout, or a .gguf file.
        name: what to call it; "": as it is called.
        way: "copy" (a reflink where the disk can), or "link" (hard links: no more disk, but
            who writes into the original changes the model).
    """

    source: str
    name: str = ""
    way: str = "copy"


class MoveJob(Job, frozen=True, kw_only=True, tag="move"):
    """Move the store into the folder `to`, or go on with that; "": back to where it belongs."""

    to: str = ""


class AbandonMoveJob(Job, frozen=True, kw_only=True, tag="abandon_move"):
    """Take away what an unfinished move has copied."""


class DeleteJob(Job, frozen=True, kw_only=True, tag="delete"):
    """Put a model into the bin.

    Attributes:
        for_good: delete it at once where it cannot go into the bin, as it lies on another disk
            (of the Hugging Face cache); else that fails with "no_undo".
    """

    model: InstalledModel
    for_good: bool = False


class RestoreJob(Job, frozen=True, kw_only=True, tag="restore"):
    """Take a model out of the bin again."""

    entry: str


class EmptyBinJob(Job, frozen=True, kw_only=True, tag="empty_bin"):
    """Delete for good what is in the bin; `entries` empty: all of it."""

    entries: tuple[str, ...] = ()


AnyJob = VerifyJob | ImportJob | MoveJob | AbandonMoveJob | DeleteJob | RestoreJob | EmptyBinJob


class Command(msgspec.Struct, frozen=True, tag_field="command"):
    """A word to a job at work."""


class Cancel(Command, frozen=True, tag="cancel"):
    """End it, and clear away what it has begun."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something the process tells."""


class Done(Event, frozen=True, kw_only=True, tag="done"):
    """It is done.

    Attributes:
        path: of the imported or restored model, of the store that was moved; else "".
        text: what came of it, in words.
        damaged, missing: of a verification: files whose contents are not as they were listed, and
            files that are not there.
        unchecked: files of which nobody knows the hash.
        checked: how many files were read and are right.
        freed: bytes that are free now.
        entry: in the bin, of a deleted model that can come back.
    """

    path: str = ""
    text: str = ""
    damaged: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    checked: int = 0
    freed: int = 0
    entry: str = ""


class Failed(Event, frozen=True, kw_only=True, tag="failed"):
    """It came to nothing. `code`: for programs ("cancelled", "disk_full", "busy" …)."""

    code: str
    text: str


AnyEvent = Progress | Done | Failed

_jobs = msgspec.json.Decoder(AnyJob)
_events = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def read_job(line: bytes) -> AnyJob:
    """The job on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _jobs.decode(line)


def read_event(line: bytes) -> AnyEvent:
    """The event on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _events.decode(line)


def to_line(message: Job | Command | AnyEvent) -> bytes:
    """`message` as a line."""
    return _encoder.encode(message) + b"\n"
