"""The sampling parameters a chat can set: their ranges, their defaults, how they are read.

The ranges are vLLM's; what it would refuse is refused here, while it is typed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.engine_link.engine_state import EngineView
from desktop.models.number_text import whole
from engine.protocol import Sampling

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Field:
    """One number.

    Attributes:
        name: of the parameter, as `engine.protocol.Sampling` has it.
        low, high: its bounds; `open_low`: the lower one itself is not allowed.
        whole: whether it is an integer.
        default: vLLM's, used where the model brings none; None: there is none.
    """

    name: str
    low: float
    high: float
    whole: bool = False
    open_low: bool = False
    default: float | None = None


FIELDS: Final = (
    Field("temperature", 0, 2, default=1.0),
    Field("top_p", 0, 1, open_low=True, default=1.0),
    Field("top_k", 0, 1_000_000, whole=True, default=0),
    Field("min_p", 0, 1, default=0.0),
    Field("presence_penalty", -2, 2, default=0.0),
    Field("frequency_penalty", -2, 2, default=0.0),
    Field("repetition_penalty", 0, 100, open_low=True, default=1.0),
    Field("max_tokens", 1, 10_000_000, whole=True),
    Field("seed", 0, 2**63 - 1, whole=True),
)
FIELD_OF: Final = {item.name: item for item in FIELDS}


class FieldError(ValueError):
    """What was typed is no value of this field; the text says why, for the user."""


def parse(item: Field, text: str) -> float | int | None:
    """The value typed; None where nothing is.

    Raises:
        FieldError: it is no number, or out of bounds.
    """
    text = text.strip().replace("−", "-").replace("\u00a0", "")
    if not text:
        return None
    try:
        value: float | int = int(text) if item.whole else float(text.replace(",", "."))
    except ValueError:
        what = (
            translate("ParameterFields", "a whole number")
            if item.whole
            else translate("ParameterFields", "a number")
        )
        raise FieldError(translate("ParameterFields", "Write {what}.").format(what=what)) from None
    if not math.isfinite(value):
        raise FieldError(
            translate("ParameterFields", "Write {what}.").format(
                what=translate("ParameterFields", "a number")
            )
        )
    if value < item.low or (item.open_low and value == item.low) or value > item.high:
        raise FieldError(_range(item))
    return value


def shown(value: object) -> str:
    """A number as one would type it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def default_text(item: Field, view: EngineView) -> str:
    """The placeholder: what holds while the field is empty."""
    model = view.loaded.default_sampling if view.loaded is not None else Sampling()
    own = getattr(model, item.name)
    if own is not None:
        words = (
            translate("ParameterFields", "{value} (the model's own)")
            if view.loaded is None or view.loaded.has_own_sampling
            else translate("ParameterFields", "{value} (default)")
        )
        return words.format(value=_worded(item, own))
    if item.default is not None:
        return _worded(item, item.default)
    if item.name == "max_tokens":
        return translate("ParameterFields", "as much as fits")
    return translate("ParameterFields", "another each time")


def set_parameters(parameters: Mapping[str, object]) -> dict[str, object]:
    """Those of `parameters` that change how the model answers."""
    names = Sampling.__struct_fields__
    return {k: v for k, v in parameters.items() if k in names and v not in (None, (), [], "")}


def _worded(item: Field, value: float) -> str:
    if item.name == "top_k" and value in (0, -1):
        return translate("ParameterFields", "off")
    return shown(value)


def _range(item: Field) -> str:
    low, high = shown(item.low), whole(int(item.high)) if item.whole else shown(item.high)
    if item.open_low:
        return translate("ParameterFields", "More than {low}, at most {high}.").format(
            low=low, high=high
        )
    return translate("ParameterFields", "From {low} to {high}.").format(low=low, high=high)
