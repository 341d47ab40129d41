"""Chats into files: one at a time through memory, whole files only, cancellable."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Final

from desktop.chats.chat_tree import ChatTree
from desktop.chats.transfer import our_json
from desktop.chats.transfer.file_names import UniqueNames
from desktop.chats.transfer.html_page import Colours
from desktop.chats.transfer.labels import Labels
from desktop.chats.transfer.times import day_and_minute
from desktop.chats.transfer.trouble import Cancelled, Problem, TransferError, Trouble, from_os


class Format(StrEnum):
    """What is written; the value is the file's ending."""

    MARKDOWN = ".md"
    HTML = ".html"
    JSON = ".json"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A chat to export, by its id; the title is for names and reports."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Job:
    """An export.

    Attributes:
        target: the file; or, for several chats as Markdown or HTML, the folder to make.
        fetch: gives a chat by its id; KeyError if it is gone.
        progress: told how many chats are done; returns False to cancel.
    """

    chats: Sequence[Chosen]
    format: Format
    target: Path
    fetch: Callable[[str], ChatTree]
    progress: Callable[[int], bool] = lambda _done: True
    labels: Labels = field(default_factory=Labels)
    colours: Colours = field(default_factory=Colours)

    @property
    def makes_folder(self) -> bool:
        """Whether `target` is a folder of files."""
        return self.format is not Format.JSON and len(self.chats) != 1


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What came of it. `target`: the file or the folder."""

    target: Path
    written: int
    problems: tuple[Problem, ...] = ()


def export(job: Job) -> ExportReport:
    """Write the chats. A chat that is gone meanwhile is reported, the others are written.

    Raises:
        TransferError: DISK_FULL, NOT_ALLOWED, UNWRITABLE; nothing half-written stays.
        Cancelled: `progress` said so; nothing stays.
    """
    try:
        if job.makes_folder:
            return _export_folder(job)
        return _export_file(job)
    except OSError as error:
        raise from_os(error, job.target, writing=True) from error


def render(tree: ChatTree, job: Job) -> bytes:
    """One chat in a format that has one file for each."""
    if job.format is Format.MARKDOWN:
        from desktop.chats.transfer.markdown import to_markdown

        text = to_markdown(tree, job.labels)
    else:
        from desktop.chats.transfer.html import to_html

        text = to_html(tree, job.labels, job.colours)
    return text.encode("utf-8", "replace")


def _export_file(job: Job) -> ExportReport:
    problems: list[Problem] = []
    written = 0
    with _replacing(job.target) as file:
        if job.format is Format.JSON:
            file.write(our_json.beginning(time.time()))
        for tree in _trees(job, problems):
            if job.format is Format.JSON:
                file.write(b",\n" if written else b"\n")
                file.write(our_json.encode(tree))
            else:
                file.write(render(tree, job))
            written += 1
        if job.format is Format.JSON:
            file.write(our_json.END)
        elif not written:  # the one chat is gone: no empty file
            raise TransferError(Trouble.GONE)
    return ExportReport(job.target, written, tuple(problems))


def _export_folder(job: Job) -> ExportReport:
    folder = _new_folder(job.target)
    names = UniqueNames()
    index_name = names.name("index", job.format.value) if job.format is Format.HTML else ""
    problems: list[Problem] = []
    entries: list[tuple[str, str, str]] = []
    files: list[Path] = []
    try:
        for tree in _trees(job, problems):
            name = names.name(tree.title, job.format.value)
            files.append(folder / name)
            with _replacing(folder / name, sync=False) as file:
                file.write(render(tree, job))
            entries.append((name, tree.title, day_and_minute(tree.updated or tree.created)))
        if index_name:
            from desktop.chats.transfer.html import to_index

            files.append(folder / index_name)
            with _replacing(folder / index_name) as file:
                file.write(to_index(entries, job.labels, job.colours).encode("utf-8", "replace"))
    except BaseException:
        with contextlib.suppress(OSError):  # what was made here, and nothing else
            for path in files:
                path.unlink(missing_ok=True)
            folder.rmdir()
        raise
    return ExportReport(folder, len(entries), tuple(problems))


def _trees(job: Job, problems: list[Problem]) -> Iterator[ChatTree]:
    for done, chat in enumerate(job.chats):
        if not job.progress(done):
            raise Cancelled
        try:
            tree = job.fetch(chat.id)
        except KeyError:
            problems.append(Problem(Trouble.GONE, done + 1, chat.title))
            continue
        yield tree
    job.progress(len(job.chats))


def _new_folder(wanted: Path) -> Path:
    """A folder that was not there before."""
    folder, number = wanted, 1
    while True:
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            number += 1
            folder = wanted.with_name(f"{wanted.name} ({number})")
        else:
            return folder


_NEW: Final = ".new"


@contextlib.contextmanager
def _replacing(path: Path, *, sync: bool = True) -> Iterator[BinaryIO]:
    """A file that takes its place when it is whole; chats are for their user's eyes only."""
    new = path.with_name(f".{path.name[:60]}.{os.getpid()}{_NEW}")
    # A pipe or a device that was named as the target is never replaced by a file.
    if path.exists() and not path.is_file():
        raise IsADirectoryError(21, "it is not a file", str(path))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    try:
        descriptor = os.open(new, flags, 0o600)
        with open(descriptor, "wb", buffering=1024 * 1024) as file:  # noqa: PTH123  (a descriptor)
            yield file
            file.flush()
            if sync:
                os.fsync(descriptor)
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise
