"""What can be done with an installed model, in the order in which it is offered."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.models.library.installed_model import InstalledRow
from desktop.models.library.installed_words import has_gone_wrong
from engine.store.library.records import Source

translate = QCoreApplication.translate

_UNQUANTISED: Final = frozenset({"bf16", "fp16", "fp32"})


class Deed(StrEnum):
    """One thing to do."""

    LOAD = "load"
    UNLOAD = "unload"
    BESIDE = "beside"
    SETTINGS = "settings"
    FETCH = "fetch"  # what is missing
    VERIFY = "verify"
    STOP_VERIFY = "stop_verify"
    SHOW = "show"
    FILES = "files"
    PAGE = "page"  # on the hub
    QUANTISE = "quantise"
    CONVERT = "convert"
    DELETE = "delete"


def deeds_for(row: InstalledRow, *, can_beside: bool, is_verified_now: bool) -> tuple[Deed, ...]:
    """What makes sense for this model as it is."""
    model = row.model
    whole = not has_gone_wrong(model)
    found = []
    if row.is_loaded:
        found.append(Deed.UNLOAD)
    elif whole:
        found.append(Deed.LOAD)
        if can_beside:
            found.append(Deed.BESIDE)
    if whole:
        found.append(Deed.SETTINGS)
    if not whole and model.repo and model.source in (Source.STORE, Source.HF_CACHE):
        found.append(Deed.FETCH)
    found.append(Deed.STOP_VERIFY if is_verified_now else Deed.VERIFY)
    found.append(Deed.SHOW)
    if model.manifest:
        found.append(Deed.FILES)
    if model.repo:
        found.append(Deed.PAGE)
    if whole and model.format in _UNQUANTISED:
        found.append(Deed.QUANTISE)
    if whole and model.format == "gguf":
        found.append(Deed.CONVERT)
    if model.deletable:
        found.append(Deed.DELETE)
    return tuple(found)


def deed_text(deed: Deed) -> str:
    """What its button says."""
    return {
        Deed.LOAD: translate("Installed", "Load"),
        Deed.UNLOAD: translate("Installed", "Unload"),
        Deed.BESIDE: translate("Installed", "Load beside"),
        Deed.SETTINGS: translate("Installed", "How it is loaded…"),
        Deed.FETCH: translate("Installed", "Fetch what is missing"),
        Deed.VERIFY: translate("Installed", "Verify"),
        Deed.STOP_VERIFY: translate("Installed", "Stop verifying"),
        Deed.SHOW: translate("Installed", "Show in its folder"),
        Deed.FILES: translate("Installed", "Files and hashes…"),
        Deed.PAGE: translate("Installed", "Its page on the hub…"),
        Deed.QUANTISE: translate("Installed", "Quantise to 4 bits…"),
        Deed.CONVERT: translate("Installed", "Convert to safetensors…"),
        Deed.DELETE: translate("Installed", "Delete"),
    }[deed]
