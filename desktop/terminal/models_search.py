"""`models search`: what the hub has, or the starter list, judged for a machine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from desktop.program_name import command
from desktop.terminal import installed, plan_sources
from desktop.terminal.hub_calls import answer, answers
from desktop.terminal.live_line import LiveLine
from desktop.terminal.models_hub import machine_of, verdict_as_json
from desktop.terminal.models_outcome import ExitCode
from desktop.terminal.models_words import Page, count_text, facts, name, print_json
from desktop.terminal.online import go_online
from engine.planner.machine import Machine
from engine.store.catalogue import CatalogueEntry, find, read_catalogue
from engine.store.hub.call import Call
from engine.store.hub.errors import HubError
from engine.store.hub.messages import Filters, Hit, Hits, Judge, Search, Verdict
from engine.store.hub.starter_hits import starter_hit

_USES: Final = {"multilingual": "many languages"}
_WITHOUT_A_HUB: Final = frozenset({"offline", "unreachable", "timeout", "proxy", "certificate"})
AT_ONCE: Final = 6  # models looked at
_PAGE: Final = 50  # hits asked for at once


def search(options: argparse.Namespace) -> int:
    """Run `models search`."""
    machine = machine_of(options)
    if options.starter:
        hits = tuple(map(starter_hit, _chosen(options)))
        verdicts = dict(_of_starter(machine, hits))
        found = Hits(id=0, hits=hits)
    else:
        go_online(installed.read_settings())
        found = _asked(options, machine)
        verdicts = _judged(options, machine, found.hits)
    if options.fits:
        kept = (hit for hit in found.hits if _fits(verdicts.get(hit.repo)))
        found = msgspec.structs.replace(found, hits=tuple(kept))
    if options.json:
        print_json(_hits_as_json(found, verdicts))
    else:
        _print_hits(options, found, verdicts)
    return ExitCode.DONE


def _asked(options: argparse.Namespace, machine: Machine) -> Hits:
    """The hits that were asked for, from as many of the hub's pages as it takes."""
    from engine.store.hub.search import search as ask

    request = Search(
        id=0,
        text=" ".join(options.text),
        filters=Filters(
            formats=options.format,
            max_bytes=options.max_size,
            min_context=options.min_context,
            licences=options.licence,
            languages=options.language,
            fits_only=options.fits,
        ),
        sort=options.sort,
        machine=machine,
        limit=min(options.count, _PAGE),
    )

    def all_of_it(call: Call) -> Hits:
        found = ask(request, call=call)
        hits = list(found.hits)
        while len(hits) < options.count and found.more:
            found = ask(msgspec.structs.replace(request, cursor=found.cursor), call=call)
            hits += found.hits
        more = found.more or len(hits) > options.count
        return msgspec.structs.replace(found, hits=tuple(hits[: options.count]), more=more)

    try:
        return answer(all_of_it)
    except HubError as error:
        if error.code not in _WITHOUT_A_HUB:
            raise
        starter = f"{command('models')} search --starter"
        text = f"{error.text} The starter list needs no hub: {starter}"
        raise HubError(error.code, text, url=error.url) from error


def _judged(
    options: argparse.Namespace, machine: Machine, hits: tuple[Hit, ...]
) -> dict[str, Verdict]:
    from engine.store.hub.judge import judge_one
    from engine.store.hub.memory import the_memory
    from engine.store.hub.shapes import shape_call

    repos = tuple(hit.repo for hit in hits if hit.runnable)
    line = LiveLine(sys.stderr, shown=not options.json and sys.stderr.isatty())  # soon over
    verdicts: dict[str, Verdict] = {}
    learned = plan_sources.learned()
    request = Judge(id=0, repos=repos, machine=machine)

    def of(repo: str) -> Callable[[Call], Verdict]:
        return lambda call: judge_one(request, repo, learned, the_memory(), call)

    for verdict in answers([of(repo) for repo in repos], AT_ONCE, lambda: shape_call("")):
        verdicts[verdict.repo] = verdict
        line.show(lambda: f"Looking at {len(verdicts)} of {len(repos)} models", "judging")
    line.close()
    return verdicts


def _fits(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.fits in {"yes", "two"}


def _print_hits(options: argparse.Namespace, found: Hits, verdicts: dict[str, Verdict]) -> None:
    page = Page()
    for hit in found.hits:
        told = verdicts.get(hit.repo)
        page.bold(name(hit.repo))
        size = hit.size or (told.size if told else None)
        context = hit.context or (told.context_max if told else None)
        parameters = hit.parameters or (told.parameters if told else None)
        parts = [facts(hit.format, size, parameters, context, hit.licence)]
        if hit.downloads:
            parts.append(f"{count_text(hit.downloads)} downloads")
        if hit.gated:
            parts.append("a licence to accept first")
        page.text(" · ".join(parts), 2)
        if options.starter and (entry := find(hit.repo)) is not None:
            uses = ", ".join(_USES.get(use, use) for use in entry.use)
            page.text(f"For {uses}. {entry.note}".rstrip(), 2)
        if not hit.runnable:
            page.verdict("no", hit.why_not)
        elif told is not None:
            page.verdict(told.fits, told.text)
    if not found.hits:
        page.text("Nothing was found. Fewer words or filters find more.")
    if found.note:
        page.text(found.note)
    if found.more:
        page.text(f"There are more: --count {2 * options.count} shows them.")
    if found.hits and not options.starter:
        page.text(f"More of one: {command('models')} show OWNER/NAME")


def _hits_as_json(found: Hits, verdicts: dict[str, Verdict]) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(found)
    models = []
    for hit in found.hits:
        model = msgspec.to_builtins(hit)
        verdict = verdicts.get(hit.repo)
        model["verdict"] = None if verdict is None else verdict_as_json(verdict)
        if (entry := find(hit.repo)) is not None and entry.revision == hit.commit:
            model["starter"] = {
                "name": entry.name,
                "use": entry.use,
                "size_class": entry.size_class,
                "note": entry.note,
            }
        models.append(model)
    return {
        "models": models,
        "more": found.more,
        "left_out": told.get("left_out", 0),
        "note": found.note,
    }


# --- the starter list --------------------------------------------------------------------


def _chosen(options: argparse.Namespace) -> Iterator[CatalogueEntry]:
    words = " ".join(options.text).lower().split()
    for entry in read_catalogue():
        hay = " ".join((entry.repo, entry.name, entry.size_class, *entry.use)).lower()
        if (
            all(word in hay for word in words)
            and (not options.format or entry.format in options.format)
            and (options.max_size is None or entry.bytes <= options.max_size)
            and (options.min_context is None or entry.context >= options.min_context)
            and (not options.licence or entry.licence.lower() in options.licence)
        ):
            yield entry


def _of_starter(machine: Machine, hits: tuple[Hit, ...]) -> Iterator[tuple[str, Verdict]]:
    from engine.store.hub.verdicts import verdict

    learned = plan_sources.learned()
    for hit in hits:
        entry = find(hit.repo)
        assert entry is not None
        yield hit.repo, verdict(0, hit.repo, entry.shape(), machine, learned)
