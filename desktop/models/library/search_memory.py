"""What a search of the hub was limited to, and its order, kept from one start to the next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from desktop import json_file

if TYPE_CHECKING:
    from engine.store.hub.messages import Filters

FILE: Final = "discover.json"  # in the state folder
_WHAT: Final = "search of models"
_VERSION: Final = 1
_ORDER: Final = "downloads"


def read(file: Path | None) -> tuple[Filters, str]:
    """The limits and the order as they were; what makes no sense counts as not chosen."""
    from engine.store.hub.messages import SORTS, Filters

    content = json_file.read(file, _WHAT, _VERSION)[0] if file is not None else {}
    try:
        filters = msgspec.convert(content.get("filters", {}), Filters)
    except msgspec.ValidationError:
        filters = Filters()
    order = content.get("order")
    return filters, order if isinstance(order, str) and order in SORTS else _ORDER


def keep(file: Path | None, filters: Filters, order: str) -> None:
    """Write them; where that cannot be done, the next start begins without."""
    if file is not None:
        content: dict[str, object] = {
            "version": _VERSION,
            "filters": msgspec.to_builtins(filters),
            "order": order,
        }
        json_file.write(file, content, _WHAT, sync=False)
