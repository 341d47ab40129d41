"""The numbers of a load that one types: how they are read, and what is said of a wrong one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.models.number_text import decimal, whole

translate = QCoreApplication.translate

GIB: Final = 1024**3
_SAFE: Final = 2**62  # what QLocale can write
_SPACES: Final = "\u00a0\u202f\u2009 _'’"


class FieldError(ValueError):
    """What was typed is no value of this field; the text says why, for the user."""


@dataclass(frozen=True, slots=True)
class NumberField:
    """One number.

    Attributes:
        low, high: its bounds, as shown.
        scale: what is kept is the number shown, times this: 1 percent is 0.01.
        whole: whether it is shown without a fraction.
    """

    low: float
    high: float
    scale: float = 1
    whole: bool = True

    def read(self, text: str) -> float | None:
        """The value typed, scaled; None where nothing is.

        Thousands may be set apart as the user's language does it, and "32k" is 32 x 1,024.

        Raises:
            FieldError: it is no number, or out of bounds.
        """
        text = text.strip()
        if not text:
            return None
        shown = _number(text, is_whole=self.whole)
        if shown is None:
            raise FieldError(
                translate("LoadFields", "Write a whole number, such as 8192.")
                if self.whole
                else translate("LoadFields", "Write a number, such as {example}.").format(
                    example=decimal(1.5)
                )
            )
        if not self.low <= shown <= self.high:
            raise FieldError(
                translate("LoadFields", "From {low} to {high}.").format(
                    low=self._text(self.low), high=self._text(self.high)
                )
            )
        return shown * self.scale

    def shown(self, value: float) -> str:
        """A value to read: its thousands set apart."""
        return self._text(value / self.scale)

    def write(self, value: float | None) -> str:
        """A value as one would type it; "" for none."""
        if value is None:
            return ""
        shown = value / self.scale
        if self.whole or shown == round(shown):
            return str(round(shown))
        return QLocale().toString(shown, "g", 6).replace(QLocale().groupSeparator(), "")

    def _text(self, value: float) -> str:
        if self.whole or value == round(value):
            return whole(round(max(-_SAFE, min(value, _SAFE))))
        return decimal(value, 2)


def _number(text: str, *, is_whole: bool) -> float | None:
    for space in _SPACES:
        text = text.replace(space, "")
    factor = 1
    if is_whole and text[-1:].lower() == "k":
        text, factor = text[:-1], 1024
    locale = QLocale()
    group, point = locale.groupSeparator(), locale.decimalPoint()
    if is_whole:
        # "8.192" in German, "8,192" in English: groups of three, or it is something else.
        head, *rest = text.split(group) if group else [text]
        if all(len(part) == 3 for part in rest) and head:
            text = head + "".join(rest)
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            return None
        return int(text) * factor
    text = text.replace(point, ".") if point != "." else text
    text = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
