"""`models rm`: into the bin, out of it again, and for good."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from desktop.program_name import command
from desktop.terminal import models_shelf as shelf
from desktop.terminal.live_line import LiveLine
from desktop.terminal.models_outcome import ExitCode, ModelsError
from desktop.terminal.models_words import Page, bytes_text, format_text, name, print_json
from desktop.terminal.questions import agreed, can_ask
from engine.store.folders import models_folder
from engine.store.library.records import BinEntry, InstalledModel, LibraryError

if TYPE_CHECKING:
    from engine.store.download.partials import Partial

NAMED: Final = 10  # models of the bin in a question


def remove(options: argparse.Namespace) -> int:
    """Run `models rm`, and what concerns its bin."""
    if options.bin:
        return _show_bin(options)
    if options.empty:
        return _empty_bin(options)
    if options.undo:
        return _undo(options)
    if not options.names:
        raise ModelsError(ExitCode.USAGE, "usage", "Name a model; list names them.")
    # All of them are known before the first one goes.
    chosen = [_known(text) for text in dict.fromkeys(options.names)]
    results = [
        _delete(options, one) if isinstance(one, InstalledModel) else _discard(options, one)
        for one in chosen
    ]
    if options.json:
        print_json({"removed": results})
    return ExitCode.DONE


def _known(text: str) -> InstalledModel | Partial:
    """The model of a name that may be deleted, or the download of it that is unfinished.

    Raises:
        ModelsError: there is none, or it is not ours to delete.
    """
    model = shelf.found(text)
    if model is None:
        wanted = text.casefold()
        for partial in shelf.partials():
            full = shelf.wish(partial.repo, partial.variant)
            if wanted in {full.casefold(), partial.repo.casefold()}:
                return partial
        return shelf.named(text)  # raises
    if not model.deletable:
        raise ModelsError(
            ExitCode.FAILED,
            "not_ours",
            f"{shelf.wish_of(model)} ({shelf.SOURCES[model.source]}) is not this program’s to "
            f"delete. It lies in {name(model.path)}",
        )
    return model


def _delete(options: argparse.Namespace, model: InstalledModel) -> dict[str, Any]:
    from engine.store.library import bin as model_bin

    store = models_folder()
    can_undo = model_bin.can_undo(model, store)
    how = "It can be taken out of the bin again." if can_undo else "It cannot be brought back."
    frees = f"{bytes_text(model.frees)} are free once the bin is empty."
    if not can_undo:
        frees = f"That frees {bytes_text(model.frees)}."
    wish = shelf.wish_of(model)
    where = f"{wish}, {format_text(model.format)}, in {name(model.unit or model.path)}"
    _agree(options, f"{where}\n{frees} {how}", "Delete it?")
    try:
        done = model_bin.delete(model, store, for_good=not can_undo)
    except LibraryError as error:
        raise ModelsError(ExitCode.FAILED, error.code, str(error)) from error
    if not options.json:
        undo = f" Undo: {command('models')} rm --undo" if done.entry else ""
        freed = f" {bytes_text(done.freed)} are free." if done.freed else ""
        Page().text(f"{wish} is deleted.{freed}{undo}")
    return {"name": model.name, "path": model.path, "entry": done.entry, "freed": done.freed}


def _discard(options: argparse.Namespace, partial: Partial) -> dict[str, Any]:
    """Delete what there is of an unfinished download."""
    from engine.store.download.partials import BusyError, discard

    wish = shelf.wish(partial.repo, partial.variant)
    what = f"The unfinished download of {name(wish)}"
    have = bytes_text(partial.have)
    _agree(options, f"{what}, {have} so far. It cannot be brought back.", "Delete it?")
    try:
        discard(partial)
    except BusyError as error:
        raise ModelsError(ExitCode.FAILED, "busy", str(error)) from error
    if not options.json:
        Page().text(f"{what} is deleted. {have} are free.")
    return {"name": wish, "path": str(partial.folder), "entry": "", "freed": partial.have}


def _agree(options: argparse.Namespace, text: str, question: str) -> None:
    """Say what will go, and ask.

    Raises:
        ModelsError: the answer was no, or nobody can be asked and --yes was not said.
    """
    if options.yes:
        return
    if options.json or not can_ask():
        why = "Nobody can be asked here; --yes deletes it without a question."
        raise ModelsError(ExitCode.USAGE, "not_asked", why)
    page = Page()
    for line in text.splitlines():
        page.text(line)
    if not agreed(question):
        raise ModelsError(ExitCode.FAILED, "refused", "Nothing was deleted.")


def _show_bin(options: argparse.Namespace) -> int:
    deleted = shelf.in_bin()
    if options.json:
        print_json({"bin": [msgspec.to_builtins(entry) for entry in deleted]})
        return ExitCode.DONE
    page = Page()
    if not deleted:
        page.text("The bin is empty.")
    page.rows(
        (
            (
                shelf.wish_of(entry.model),
                bytes_text(entry.frees),
                f"deleted {shelf.ago(entry.deleted)}",
            )
            for entry in deleted
        ),
        frozenset({1}),
    )
    return ExitCode.DONE


def _in_bin(names: list[str]) -> list[BinEntry]:
    """The entries of the bin with these names; all of them for none, the last deleted first.

    Raises:
        ModelsError: there is none of such a name.
    """
    every = sorted(shelf.in_bin(), key=lambda entry: entry.deleted, reverse=True)
    chosen = []
    for text in names:
        wanted = text.casefold()
        found = [
            entry
            for entry in every
            if wanted
            in {
                entry.entry.casefold(),
                entry.model.name.casefold(),
                shelf.wish_of(entry.model).casefold(),
            }
        ]
        if not found:
            raise ModelsError(
                ExitCode.NO_MODEL, "not_in_bin", f"There is no “{name(text)}” in the bin."
            )
        chosen.append(found[0])
    return chosen if names else every


def _undo(options: argparse.Namespace) -> int:
    from engine.store.library import bin as model_bin

    entries = _in_bin(options.names)
    if not options.names:
        entries = entries[:1]
    if not entries:
        raise ModelsError(ExitCode.NO_MODEL, "not_in_bin", "The bin is empty.")
    restored = []
    for entry in entries:
        try:
            path = model_bin.restore(models_folder(), entry.entry)
        except LibraryError as error:
            raise ModelsError(ExitCode.FAILED, error.code, str(error)) from error
        restored.append({"name": entry.model.name, "path": str(path)})
        if not options.json:
            Page().text(f"{shelf.wish_of(entry.model)} is back, in {name(str(path))}")
    if options.json:
        print_json({"restored": restored})
    return ExitCode.DONE


def _empty_bin(options: argparse.Namespace) -> int:
    from engine.store.library import bin as model_bin

    entries = _in_bin(options.names)
    freed = 0
    if entries:
        total = bytes_text(sum(entry.frees for entry in entries))
        names = ", ".join(shelf.wish_of(entry.model) for entry in entries[:NAMED])
        _agree(options, f"In the bin: {names}. That frees {total}.", "Delete for good?")
        line = LiveLine(sys.stderr, shown=not options.json)
        try:
            freed = model_bin.empty(
                models_folder(),
                tuple(entry.entry for entry in entries),
                lambda progress: shelf.tell(line, progress),
            )
        except LibraryError as error:
            raise ModelsError(ExitCode.FAILED, error.code, str(error)) from error
        finally:
            line.close()
    if options.json:
        print_json({"freed": freed})
    else:
        Page().text(
            f"The bin is empty. {bytes_text(freed)} are free." if entries else "It is empty."
        )
    return ExitCode.DONE
