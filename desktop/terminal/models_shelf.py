"""`models list` and `verify`: what is on this computer. The hub is not asked."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec

from desktop.program_name import command
from desktop.terminal import installed
from desktop.terminal.live_line import LiveLine, duration
from desktop.terminal.models_outcome import ExitCode, ModelsError
from desktop.terminal.models_words import Page, bytes_text, facts, name, print_json
from engine.store.folders import models_folder
from engine.store.library.records import (
    BinEntry,
    InstalledModel,
    LibraryError,
    Progress,
    Source,
)

if TYPE_CHECKING:
    from engine.store.download.partials import Partial
    from engine.store.library.wire import Done

SOURCES: Final = {
    Source.STORE: "model store",
    Source.STARTER: "starter model",
    Source.CONVERTED: "converted from GGUF",
    Source.QUANTISED: "quantised here",
    Source.HF_CACHE: "Hugging Face cache",
    Source.FOLDER: "your folder",
}
_PHASES: Final = {
    "checking": "Looking",
    "copying": "Copying",
    "verifying": "Comparing with the hashes",
    "finishing": "Finishing",
    "removing": "Removing",
}
FILES_SHOWN: Final = 20


# --- list ------------------------------------------------------------------------------


def show_installed(options: argparse.Namespace) -> int:
    """Run `models list`."""
    models, problems = installed.looked()
    unfinished = partials()
    deleted = in_bin()
    if options.json:
        print_json(
            {
                "models": [as_json(model) for model in models],
                "unfinished": [_partial_as_json(one) for one in unfinished],
                "bin": [msgspec.to_builtins(entry) for entry in deleted],
                "problems": [msgspec.to_builtins(problem) for problem in problems],
            }
        )
        return ExitCode.DONE
    page = Page()
    for problem in problems:
        page.verdict("no", problem.text, 0)
    for model in models:
        _print_model(page, model)
    if not models and not problems:
        page.text(f"No model is installed. {command('models')} search --starter names some.")
    if unfinished:
        page.line()
        page.text("Unfinished downloads; pull goes on with one, rm deletes it:")
        page.rows(
            (
                name(wish(one.repo, one.variant)),
                f"{bytes_text(one.have)} of {bytes_text(one.total)}",
            )
            for one in unfinished
        )
    if deleted:
        page.line()
        total = bytes_text(sum(entry.frees for entry in deleted))
        count = f"{len(deleted)} model{'s' if len(deleted) > 1 else ''}"
        page.text(f"In the bin: {count}, {total}. {command('models')} rm --empty frees that.")
    return ExitCode.DONE


def _print_model(page: Page, model: InstalledModel) -> None:
    page.bold(wish_of(model))
    told = facts(model.format, model.size, model.parameters, model.context, model.licence)
    parts = [told, SOURCES.get(model.source, str(model.source))]
    if model.last_used is not None:
        parts.append(f"used {ago(model.last_used)}")
    page.text(" · ".join(parts), 2)
    page.line(f"  {name(model.path)}")
    if model.problem:
        page.verdict("no", model.problem)


def wish_of(model: InstalledModel) -> str:
    """How a model is named on the command line."""
    return name(wish(model.name, model.variant if model.variant not in model.name else ""))


def wish(repo: str, variant: str) -> str:
    """How a model of the hub is named on the command line."""
    return f"{repo}:{variant}" if variant else repo


def ago(when: float, now: float | None = None) -> str:
    """How long ago."""
    seconds = (time.time() if now is None else now) - when
    return "just now" if seconds < 60 else f"{duration(seconds)} ago"


def as_json(model: InstalledModel) -> dict[str, Any]:
    """A model for programs, all of its fields."""
    return {field: getattr(model, field) for field in model.__struct_fields__}


def _partial_as_json(partial: Partial) -> dict[str, Any]:
    return {
        "repo": partial.repo,
        "variant": partial.variant,
        "folder": str(partial.folder),
        "have": partial.have,
        "total": partial.total,
    }


def partials() -> list[Partial]:
    """Downloads that are unfinished."""
    from engine.store.download import partials as unfinished

    return unfinished.partials(models_folder())


def in_bin() -> tuple[BinEntry, ...]:
    """What was deleted and can come back."""
    from engine.store.library import bin as model_bin

    return model_bin.entries(models_folder())


# --- verify ----------------------------------------------------------------------------


def verify(options: argparse.Namespace) -> int:
    """Run `models verify`: exit 0 where every hash is right, 1 where one is not."""
    from engine.store.library.verify import verify as check

    model = named(options.name)
    line = LiveLine(sys.stderr, shown=not options.json)
    try:
        done = check(model, lambda progress: tell(line, progress), lambda: False)
    except LibraryError as error:
        raise ModelsError(ExitCode.FAILED, error.code, str(error)) from error
    finally:
        line.close()
    good = not (done.damaged or done.missing)
    if options.json:
        told = {field: getattr(done, field) for field in done.__struct_fields__}
        print_json({"model": model.path, "ok": good, **told})
    else:
        _print_verified(model, done, good=good)
    return ExitCode.DONE if good else ExitCode.FAILED


def tell(line: LiveLine, progress: Progress) -> None:
    """Show how far some work of the library is."""

    def text() -> str:
        parts = [_PHASES.get(progress.phase, progress.phase)]
        if progress.total:
            parts += [
                f"{progress.done / progress.total:.0%}",
                f"{bytes_text(progress.done)} of {bytes_text(progress.total)}",
            ]
        if progress.seconds_left is not None:
            parts.append(f"{duration(progress.seconds_left)} left")
        return " · ".join(parts)

    line.show(text, progress.phase)


def _print_verified(model: InstalledModel, done: Done, *, good: bool) -> None:
    page = Page()
    page.verdict("yes" if good else "no", done.text, 0)
    for what, files in (
        ("changed", done.damaged),
        ("missing", done.missing),
        ("not checked, nobody told its hash", done.unchecked),
    ):
        for file in files[:FILES_SHOWN]:
            page.line(f"  {name(file)}: {what}")
        if len(files) > FILES_SHOWN:
            page.line(f"  … and {len(files) - FILES_SHOWN} more")
    if not good and model.repo:
        again = f"{command('models')} rm {wish_of(model)}"
        page.text(f"Fetch it again: delete it ({again}), then pull it.")


def named(text: str) -> InstalledModel:
    """The installed model of a name.

    Raises:
        ModelsError: there is none, or there are several.
    """
    model = found(text)
    if model is None:
        raise ModelsError(
            ExitCode.NO_MODEL,
            "not_installed",
            f"There is no installed model “{name(text)}”. {command('models')} list names them.",
        )
    return model


def found(text: str) -> InstalledModel | None:
    """The installed model of a name; None for none.

    Raises:
        ModelsError: there are several.
    """
    try:
        return installed.find(text)
    except installed.SeveralError as error:
        raise ModelsError(ExitCode.USAGE, "several", str(error)) from error
