"""Downloads that are not finished: what there is of them, and taking them away."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import msgspec

from engine.failure_words import words
from engine.plain_file import open_plain
from engine.store.download import names, saved
from engine.store.download.file_map import count_written
from engine.store.download.messages import Job
from engine.store.download.store_folder import STATE, StoreFolder
from engine.store.download.task import map_name
from engine.store.hub.errors import HubError
from engine.store.hub.records import Listing
from engine.store.made_folder import manifest_of, partial_of

_BUSY = words("{repo} is being fetched by another process. Stop that one first.")


class BusyError(Exception):
    """A process is at the download; the text says so."""


@dataclass(frozen=True, slots=True)
class Partial:
    """A download that is not finished.

    Attributes:
        folder: with what was fetched so far; hidden, beside `target`.
        target: the folder that the model will be.
        have: bytes that are there, of `total`.
        job: that goes on with it at the same commit.
        listing: of that commit.
    """

    repo: str
    variant: str
    folder: Path
    target: Path
    have: int
    total: int
    job: Job
    listing: Listing


def partials(models: Path) -> list[Partial]:
    """What is unfinished in a model store. Reads a few small files of each."""
    found = []
    with contextlib.suppress(OSError):
        for state in sorted(names.hub_folder(models).glob(f".*{STATE}")):
            partial = _read(models, state)
            if partial is not None:
                found.append(partial)
    return found


def discard(partial: Partial) -> None:
    """Take away what was fetched.

    Raises:
        BusyError: a process is at it.
        HubError: the disk does not let us.
    """
    with StoreFolder(partial.target) as folder:
        if not folder.take():
            raise BusyError(_BUSY.format(repo=partial.repo))
        folder.forget()


def _read(models: Path, state: Path) -> Partial | None:
    try:
        with open_plain(state / saved.FILE) as file:
            kept = saved.parse(file.read(saved.MOST_BYTES))
        if kept is None:
            return None
        target = names.target_of(models, kept.job.repo, kept.job.variant)
    except (OSError, HubError):
        return None
    if state.name != f".{target.name}{STATE}" or _is_finished(target, kept):
        return None
    return Partial(
        repo=kept.job.repo,
        variant=kept.job.variant,
        folder=partial_of(target),
        target=target,
        have=sum(_have(state, part) for part in kept.parts),
        total=sum(part.size for part in kept.parts),
        job=msgspec.structs.replace(kept.job, store=str(models)),
        listing=kept.listing,
    )


def _have(state: Path, part: names.Part) -> int:
    try:
        with open_plain(state / map_name(part.name)) as file:
            return count_written(file, part.size)
    except OSError:
        return 0


def _is_finished(target: Path, kept: saved.Saved) -> bool:
    """Whether the model is there, and a kill only left its state behind."""
    if os.path.lexists(partial_of(target)):
        return False
    try:
        commit = manifest_of(target)["origin"]["revision"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    return bool(commit == kept.listing.commit)
