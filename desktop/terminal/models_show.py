"""`models show`: what a model is, whether it fits, and what would be fetched of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from desktop.program_name import command
from desktop.terminal.models_hub import machine_of, named, page_of, verdict_as_json, verdict_of
from desktop.terminal.models_outcome import ExitCode
from desktop.terminal.models_words import (
    Page,
    bytes_text,
    count_text,
    facts,
    format_text,
    name,
    print_json,
)
from desktop.terminal.output import harmless
from engine.store.catalogue import pinned
from engine.store.hub.messages import ModelPage, Verdict

if TYPE_CHECKING:
    from engine.store.hub.records import FileChoice

FILES_SHOWN: Final = 30
BUILDS_SHOWN: Final = 6


def show(options: argparse.Namespace) -> int:
    """Run `models show`."""
    machine = machine_of(options)
    repo, variant = named(options)
    page = page_of(repo, options.revision, variant)
    verdict = verdict_of(page, machine)
    if options.json:
        print_json(_page_as_json(page, verdict, card=options.card))
    else:
        _print_page(page, verdict, card=options.card)
    return ExitCode.DONE


def _print_page(page: ModelPage, verdict: Verdict, *, card: bool) -> None:
    out = Page()
    listing, shape = page.listing, page.shape
    out.bold(name(listing.repo))
    if shape is not None:
        out.text(
            facts(shape.format, shape.weights_bytes, shape.parameters, shape.context, page.licence)
        )
    parts = [f"commit {listing.commit}"]
    if listing.updated:
        parts.append(f"of {name(listing.updated)[:10]}")
    out.text(", ".join([" ".join(parts), f"{count_text(listing.downloads)} downloads"]))
    if pinned(listing.repo) == listing.commit:
        out.text("That is the starter list's commit; --revision main has the newest.")
    if listing.base_model:
        out.text(f"made from {name(listing.base_model)}")
    if listing.gated:
        out.text(f"Its authors want its licence accepted first: {name(page.url)}")
    elif page.url:
        out.text(f"Its page: {name(page.url)}")
    out.verdict(verdict.fits, verdict.text, 0)
    # What keeps it from being loaded is told by whoever notices; once is enough.
    for problem in {page.problem: None, page.choice.problem: None}:
        if problem and problem != verdict.text:
            out.verdict("no", problem, 0)
    _print_choice(out, page.choice)
    others = [one for one in page.variants if one.name != page.choice.variant]
    if others:
        out.line()
        out.text("Also in it (--variant):")
        out.rows(
            ((one.name, format_text(one.format), bytes_text(one.bytes)) for one in others),
            frozenset({2}),
        )
    if page.builds:
        out.line()
        out.text("Builds of the same model:")
        out.rows(
            (
                name(hit.repo),
                format_text(hit.format),
                bytes_text(hit.size) if hit.size else "",
                f"{count_text(hit.downloads)} downloads",
            )
            for hit in page.builds[:BUILDS_SHOWN]
        )
    if card and page.card:
        out.line()
        for line in page.card.splitlines():
            out.line(harmless(line))
    if page.choice.take and not page.problem:
        wish = f":{page.choice.variant}" if page.choice.variant else ""
        out.line()
        out.text(f"Fetch it: {command('models')} pull {listing.repo}{wish}")


def _print_choice(out: Page, choice: FileChoice) -> None:
    out.line()
    if choice.take:
        out.text(f"Fetched, {bytes_text(choice.total)} in {len(choice.take)} files:")
        rows = [(name(file.path), bytes_text(file.size)) for file in choice.take]
        out.rows(_cut(rows), frozenset({1}))
    if choice.leave:
        total = sum(file.size for file in choice.leave)
        out.text(f"Left, {bytes_text(total)} in {len(choice.leave)} files:")
        for file in choice.leave[:FILES_SHOWN]:
            out.text(f"{name(file.path)} ({bytes_text(file.size)}): {file.reason}", 2, 2)
        if len(choice.leave) > FILES_SHOWN:
            out.text(f"… and {len(choice.leave) - FILES_SHOWN} more (--json has all)", 2)


def _cut(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    shown = list(rows[:FILES_SHOWN])
    if len(rows) > FILES_SHOWN:
        more = f"… and {len(rows) - FILES_SHOWN} more (--json has all)"
        shown.append((more, *("" for _ in rows[0][1:])))
    return shown


def _page_as_json(page: ModelPage, verdict: Verdict, *, card: bool) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(page)
    for left_out in ("id", "tell", *(() if card else ("card",))):
        told.pop(left_out, None)
    told["verdict"] = verdict_as_json(verdict)
    return told
