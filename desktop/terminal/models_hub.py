"""What `models search`, `show` and `pull` have in common: the hub, and the machine to judge for."""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

from desktop.program_name import command
from desktop.terminal import installed, plan_sources
from desktop.terminal.hub_calls import answer
from desktop.terminal.models_outcome import ExitCode, ModelsError
from desktop.terminal.online import go_online
from engine.planner.machine import GpusError, Machine, parse_gpus
from engine.store.catalogue import pinned
from engine.store.hub.errors import HubError
from engine.store.hub.messages import ModelPage, Page, Verdict
from engine.store.hub_names import is_repo

AGAIN: Final = 1.0  # s, after which a question is asked once more that the network has spoilt
_ONCE_MORE: Final = frozenset({"unreachable", "hub_broken"})


def machine_of(options: argparse.Namespace) -> Machine:
    """The machine to judge for.

    Raises:
        ModelsError: --gpus makes no sense.
    """
    try:
        gpus = None if options.gpus is None else parse_gpus(options.gpus)
    except GpusError as error:
        raise ModelsError(ExitCode.USAGE, "gpus", str(error)) from error
    return plan_sources.machine_of(gpus, options.ram)


def named(options: argparse.Namespace) -> tuple[str, str]:
    """The repository and the variant that the command line names.

    Raises:
        ModelsError: the name is none.
    """
    text = options.model.strip().removeprefix("hf.co/")
    repo, _, variant = text.partition(":")
    if not is_repo(repo):
        raise ModelsError(
            ExitCode.USAGE,
            "bad_id",
            f"“{text[:80]}” is no model's name on the hub; they read “owner/name”. "
            f"{command('models')} search looks for one.",
        )
    return repo, options.variant or variant


def revision_of(repo: str, wanted: str) -> str:
    """The branch, tag or commit to ask for: the one wanted, else the starter list's, or main."""
    return wanted or pinned(repo) or "main"


def page_of(repo: str, revision: str, variant: str) -> ModelPage:
    """All that the hub says of a model.

    Raises:
        HubError: it does not say.
        SettingsError: the network's settings make no sense.
    """
    from engine.store.hub.page import page

    go_online(installed.read_settings())
    asked = Page(id=0, repo=repo, revision=revision_of(repo, revision), variant=variant)
    try:
        return answer(lambda call: page(asked, call=call))
    except HubError as error:
        if error.code not in _ONCE_MORE:
            raise
    time.sleep(AGAIN)
    return answer(lambda call: page(asked, call=call))


def verdict_of(page: ModelPage, machine: Machine) -> Verdict:
    """Whether the model of a page fits."""
    from engine.store.hub.verdicts import verdict

    repo = page.listing.repo
    if page.shape is None:
        return Verdict(id=0, repo=repo, text=page.shape_problem)
    return verdict(0, repo, page.shape, machine, plan_sources.learned())


def verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict for programs, all of its fields."""
    told = {name: getattr(verdict, name) for name in verdict.__struct_fields__}
    return {key: value for key, value in told.items() if key not in {"id", "repo"}}
