"""Sizes of memory and numbers of tokens as the user reads them; a model may claim any."""

from __future__ import annotations

from typing import Final

from desktop.models.number_text import decimal, whole

_UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_SAFE: Final = 2**62  # what QLocale can write


def size_text(count: int) -> str:
    """A size in the units that memory is sold in: "5.3 GiB", "512 MiB" (powers of 1,024)."""
    value = float(min(abs(count), _SAFE))
    unit = 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value /= 1024
        unit += 1
    digits = 1 if unit >= 3 and value < 100 else 0
    sign = "−" if count < 0 else ""
    return f"{sign}{decimal(value, digits)} {_UNITS[unit]}"


def bits_text(bits: float) -> str:
    """How many bits a weight takes: "4", "4.5"."""
    return decimal(bits, 0 if abs(bits - round(bits)) < 0.05 else 1)


def count_text(count: int) -> str:
    """A number of tokens, its thousands set apart."""
    return whole(max(-_SAFE, min(count, _SAFE)))
