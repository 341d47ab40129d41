"""Which installed model is meant by what a user typed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.store.folders import absolute
from engine.store.library.records import InstalledModel


def find_installed(installed: Iterable[InstalledModel], text: str) -> tuple[InstalledModel, ...]:
    """The models that `text` names; none, or several where it is not enough to tell them apart.

    A path, a name, "owner/name", and each of these with ":variant" after it; the case of letters
    does not matter. The closest way of naming that fits counts.
    """
    every = list(installed)
    if path := _path(text):
        exact = tuple(one for one in every if one.path == path or str(one.folder) == path)
        if exact:
            return exact
    wanted = text.strip().casefold()
    name, _, variant = wanted.rpartition(":")
    for names, of in ((wanted, ""), (name, variant)):
        if not names:
            continue
        for part in (_full_name, _last_name):
            if matches := tuple(one for one in every if part(one) == names and _is(one, of)):
                return matches
    return ()


def _is(model: InstalledModel, variant: str) -> bool:
    return not variant or variant in (model.variant.casefold(), model.commit[: len(variant)])


def _full_name(model: InstalledModel) -> str:
    return (model.repo or model.name).casefold()


def _last_name(model: InstalledModel) -> str:
    return model.name.rpartition("/")[2].casefold()


def _path(text: str) -> str:
    if not text.startswith(("/", "~", ".")):
        return ""
    return str(Path(str(absolute(text)).rstrip("/") or "/"))
