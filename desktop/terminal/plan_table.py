"""A plan as a table for the terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from typing import Final

from engine.planner.answer import HOST, DeviceBudget, Plan
from engine.planner.machine import Machine
from engine.planner.needs import needed_gigabytes
from engine.planner.shape import ModelShape
from engine.planner.wording import gib

BAR: Final = 48
NARROW: Final = 60  # columns
# What fills a bar, in this order: others, weights, overhead, KV; the rest is free.
_PARTS: Final = (
    ("others", "other programs", "░", "2"),
    ("weights", "weights", "█", "33"),
    ("overhead", "working memory", "▓", "35"),
    ("kv", "memory for chats (KV cache)", "▒", "36"),
)
_USEFUL_CONTEXT: Final = 4096
_MARKS: Final = {"✓ ": "32", "✗ ": "31"}
_FREE: Final = "·"
_LENGTHS: Final = (4096, 8192, 16_384, 32_768, 65_536, 131_072)
_FORMATS: Final = {
    "bf16": "BF16",
    "fp16": "FP16",
    "fp32": "FP32",
    "w4a16": "W4A16",
    "fp8": "FP8",
    "int8": "INT8",
}


def table(shape: ModelShape, machine: Machine, made: Plan, *, colour: bool = False) -> str:
    """The whole answer."""
    return "\n".join(_Table(shape, machine, made, colour=colour).lines())


class _Table:
    def __init__(self, shape: ModelShape, machine: Machine, made: Plan, *, colour: bool) -> None:
        self._shape = shape
        self._machine = machine
        self._made = made
        self._colour = colour
        width = shutil.get_terminal_size((80, 24)).columns
        self._bar = BAR if width >= NARROW else max(16, width - 12)
        self._width = max(40, min(100, width))

    def lines(self) -> Iterator[str]:
        yield ""
        yield from self._model()
        yield ""
        yield from self._verdict()
        for budget in self._made.budget:
            yield ""
            yield from self._device(budget)
        yield from self._chats()
        yield from self._speed()
        yield from self._notes()
        yield from self._changes()
        yield ""

    # --- parts ----------------------------------------------------------------------------

    def _model(self) -> Iterator[str]:
        shape = self._shape
        yield "  " + self._bold(shape.name or shape.architecture or "The model")
        parts = [
            _params(shape.parameters),
            _format(shape),
            gib(shape.weights_bytes),
            f"made for {shape.context:,} tokens",
        ]
        if shape.experts:
            parts.insert(1, f"{shape.experts_per_token} of {shape.experts} experts")
        yield "  " + " · ".join(parts)

    def _verdict(self) -> Iterator[str]:
        made = self._made
        where = self._where()
        if made.fits:
            chats = f", with room for {made.chats} such chats" if made.chats > 1 else ""
            text = f"Fits {where}: {made.context:,} tokens a chat{chats}."
            yield from self._wrapped("✓ ", text, bold=True)
        else:
            yield from self._wrapped("✗ ", f"Does not fit {where}.", bold=True)
        for problem in made.problems:
            if problem.is_fatal:
                yield from self._wrapped("  ", problem.text)

    def _where(self) -> str:
        made = self._made
        if made.device == "cpu":
            return f"in {gib(self._machine.host.ram_total)} of memory, on the processor"
        names = {budget.name for budget in made.budget}
        name = names.pop() if len(names) == 1 else "GPUs"
        if made.tp > 1:
            return f"on {made.tp} × {name}"
        return f"on GPU {made.devices[0]} ({name})" if made.devices else "on a GPU"

    def _device(self, budget: DeviceBudget) -> Iterator[str]:
        label = "Memory" if budget.device == HOST else f"GPU {budget.device}  {budget.name}"
        total = gib(budget.total)
        yield "  " + self._bold(label) + " " * max(2, self._bar - len(label) - len(total)) + total
        yield "  " + self._filled(budget)
        others = "other programs" if budget.device == HOST else "other programs and CUDA"
        how = "measured" if self._made.overhead_measured else "estimated"
        names = {"others": others, "overhead": f"working memory, {how}"}
        for part, name, sign, tint in _PARTS:
            size = getattr(budget, part)
            if size:
                yield self._row(self._paint(sign, tint), names.get(part, name), gib(size))
        if budget.free >= 0:
            yield self._row(_FREE, "left free", gib(budget.free))
        else:
            yield self._row(self._paint("!", "31"), "missing", gib(-budget.free))

    def _row(self, sign: str, name: str, value: str) -> str:
        return f"  {sign} {name}" + " " * max(2, self._bar - 2 - len(name) - len(value)) + value

    def _filled(self, budget: DeviceBudget) -> str:
        full = max(budget.total, budget.total - min(0, budget.free), 1)
        done = cells = 0
        bar = ""
        for part, _, sign, tint in _PARTS:
            done += getattr(budget, part)
            end = min(self._bar, round(self._bar * done / full))
            bar += self._paint(sign * (end - cells), tint)
            cells = end
        return bar + _FREE * (self._bar - cells)

    def _chats(self) -> Iterator[str]:
        made = self._made
        if not made.kv_blocks or not made.context:
            return
        lengths = sorted({*_LENGTHS, made.context})
        longest = self._shape.context
        lengths = [n for n in lengths if n <= longest and made.chats_of(n)]
        if not lengths:
            return
        yield ""
        yield f"  {'chats of':>16}   {'room for':>8}   {'KV cache each':>14}"
        for length in lengths:
            chats, each = made.chats_of(length), gib(made.kv_bytes_of(length))
            yield f"  {f'{length:,} tokens':>16}   {chats:>8,}   {each:>14}"

    def _speed(self) -> Iterator[str]:
        made = self._made
        if made.decode_tps_bound is None or not made.fits:
            return
        text = f"At most {made.decode_tps_bound:,.0f} tokens/s for one chat"
        if made.full_tps_bound is not None and made.context:
            text += f", {made.full_tps_bound:,.0f} when it fills its context"
        yield ""
        yield from self._wrapped("", text + " (the memory's bandwidth allows no more).")

    def _notes(self) -> Iterator[str]:
        notes = [problem for problem in self._made.problems if not problem.is_fatal]
        if notes:
            yield ""
        for note in notes:
            yield from self._wrapped("", note.text)

    def _changes(self) -> Iterator[str]:
        made = self._made
        if not made.changes:
            if not made.fits:
                yield ""
                yield from self._wrapped("", f"No single change makes it fit here. {self._needs()}")
            return
        yield ""
        more = "For more, one of these:" if made.fits else "Any one of these makes it fit:"
        yield "  " + self._bold(more)
        for change in made.changes:
            result = f"→ {change.context:,} tokens"
            if change.chats > 1:
                result += f", {change.chats} chats"
            yield from self._wrapped("• ", f"{change.label} {result}")

    def _needs(self) -> str:
        context = min(_USEFUL_CONTEXT, self._shape.context)
        wished = self._made.settings.max_model_len or 0
        context = wished if 0 < wished <= self._shape.context else context
        needs = []
        for count, words in ((1, "a GPU with {size} GB"), (2, "two with {size} GB each")):
            size = needed_gigabytes(self._shape, context, count)
            if size is not None:
                needs.append(words.format(size=size))
        if not needs:
            return ""
        return f"For a chat of {context:,} tokens it takes {', or '.join(needs)}."

    # --- form -----------------------------------------------------------------------------

    def _wrapped(self, start: str, text: str, *, bold: bool = False) -> Iterator[str]:
        """`text` after `start`, its further lines below its first."""
        lines = textwrap.wrap(text, self._width - 2 - len(start))
        for number, line in enumerate(lines):
            shown = self._bold(line) if bold else line
            yield f"  {self._mark(start)}{shown}" if number == 0 else f"  {' ' * len(start)}{shown}"

    def _mark(self, start: str) -> str:
        return self._paint(start, _MARKS[start]) if start in _MARKS else start

    def _bold(self, text: str) -> str:
        return self._paint(text, "1")

    def _paint(self, text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._colour and text else text


def _params(count: int) -> str:
    if count >= 999_500_000:
        return f"{count / 1e9:.1f} billion parameters"
    return f"{count / 1e6:.0f} million parameters"


def _format(shape: ModelShape) -> str:
    name = _FORMATS.get(shape.format, shape.format.upper())
    if not shape.is_quantised:
        return name
    group = f", group {shape.group_size}" if shape.group_size else ""
    return f"{name}, {shape.bits:g} bits{group}"
