"""How `models` words sizes, facts and verdicts, and how it prints what others wrote."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, Final

from desktop.chats.names import name_from
from desktop.terminal.output import harmless

NARROWEST: Final = 40  # columns
WIDEST: Final = 100
MARKS: Final = {"yes": ("✓", "32"), "two": ("✓", "32"), "no": ("✗", "31"), "unknown": ("·", "2")}
_FORMATS: Final = {"": "format unknown", "bf16": "BF16", "fp16": "FP16", "fp32": "FP32"}


def name(text: str) -> str:
    """Somebody else's name for something: one line that steers nothing."""
    return harmless(name_from(text))


def bytes_text(count: int) -> str:
    """A size as the window writes it: "5.2 GiB", "612 MiB" (powers of 1,024)."""
    value = float(count)
    for unit in ("B", "KiB", "MiB"):
        if value < 999.5:
            return f"{value:.0f} {unit}"
        value /= 1024
    value, unit = (value, "GiB") if value < 999.5 else (value / 1024, "TiB")
    return f"{value:.1f} {unit}" if value < 99.95 else f"{value:,.0f} {unit}"


def params_text(count: int) -> str:
    """A number of parameters: "8.2 B", "135 M"."""
    return f"{count / 1e9:.1f} B" if count >= 999_500_000 else f"{count / 1e6:.0f} M"


def format_text(name: str) -> str:
    """A format as people write it."""
    return _FORMATS.get(name, name.upper())


def count_text(count: int) -> str:
    """How often, roughly: "834", "12 k", "3.4 M"."""
    if count < 1000:
        return str(count)
    if count < 999_500:
        return f"{count / 1e3:.0f} k" if count >= 9950 else f"{count / 1e3:.1f} k"
    return f"{count / 1e6:.1f} M"


def facts(
    format: str,
    size: int | None,
    parameters: int | None,
    context: int | None,
    licence: str,
) -> str:
    """What is known of a model, in one line."""
    parts = [format_text(format)]
    if parameters:
        parts.insert(0, f"{params_text(parameters)} parameters")
    if size:
        parts.append(bytes_text(size))
    if context:
        parts.append(f"{context:,} tokens")
    if licence:
        parts.append(name(licence))
    return " · ".join(parts)


class Page:
    """Lines on stdout: in colour on a terminal, wrapped at its width."""

    def __init__(self) -> None:
        self._out = sys.stdout
        self._colours = self._out.isatty() and "NO_COLOR" not in os.environ
        columns = shutil.get_terminal_size((WIDEST, 24)).columns
        self.width = max(NARROWEST, min(columns, WIDEST))

    def line(self, text: str = "") -> None:
        """A line as it is."""
        self._write(text)

    def bold(self, text: str) -> None:
        """A heading."""
        self._write(self._painted(harmless(text), "1"))

    def text(self, text: str, indent: int = 0, hang: int = 0) -> None:
        """A text that may be long. `hang`: how much further its later lines are set in."""
        first, *rest = self._wrapped(text, indent + hang)
        self._write(" " * indent + first)
        for line in rest:
            self._write(" " * (indent + hang) + line)

    def verdict(self, fits: str, text: str, indent: int = 2) -> None:
        """Whether something fits."""
        sign, colour = MARKS.get(fits, MARKS["unknown"])
        lines = self._wrapped(text, indent + 2)
        self._write(f"{' ' * indent}{self._painted(sign, colour)} {lines[0]}")
        for line in lines[1:]:
            self._write(" " * (indent + 2) + line)

    def rows(self, rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> None:
        """A table; the columns in `right` are set to the right."""
        for line in table(rows, right):
            self._write(f"  {line}".rstrip())

    def _wrapped(self, text: str, indent: int) -> list[str]:
        width = max(20, self.width - indent)
        plain = " ".join(harmless(text).split())
        return textwrap.wrap(plain, width, break_long_words=False, break_on_hyphens=False) or [""]

    def _painted(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colours else text

    def _write(self, text: str) -> None:
        encoding = getattr(self._out, "encoding", None) or "utf-8"
        print(text.encode(encoding, "replace").decode(encoding), file=self._out, flush=True)


def table(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> Iterator[str]:
    """The rows of a table as lines, without their leading space."""
    all_rows = [tuple(map(harmless, row)) for row in rows]
    if not all_rows:
        return
    widths = [max(map(len, column)) for column in zip(*all_rows, strict=True)]
    for row in all_rows:
        cells = (
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def print_json(value: Any) -> None:
    """One JSON object on a line of stdout; all that could steer a terminal is escaped in it."""
    print(json.dumps(value), flush=True)
