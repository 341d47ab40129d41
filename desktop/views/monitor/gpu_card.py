"""One GPU: its memory, what it does, what holds it back, five minutes of each reading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop import theme
from desktop.hardware.reading_text import spoken
from desktop.hardware.readings import GpuReading, Missing
from desktop.models.monitor.card_figures import (
    Scales,
    is_full,
    is_held_back,
    is_hot,
    scales_of,
)
from desktop.models.monitor.history import History
from desktop.models.monitor.memory_split import Segment
from desktop.models.monitor.plot_columns import nice_bytes
from desktop.views.monitor import card_words as words
from desktop.views.monitor.card_parts import CardHead, Note
from desktop.views.monitor.even_grid import EvenGrid
from desktop.views.monitor.memory_strip import MemoryStrip
from desktop.views.monitor.plot import Line, Plot

_UTILISATION_TOP: Final = 100.0


class GpuCard(QFrame):
    """See the module. It takes a reading in less than 2 ms (tests/bench/plots.py)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "raised")
        space = theme.current().space
        self.index = -1
        self._told: object = None
        self._head = CardHead()
        self._lost = Note("danger")
        self._throttle = Note("warning")
        self._notes = Note()
        self._strip = MemoryStrip("raised")
        both = (Line(self.tr("in")), Line(self.tr("out"), "cool"))
        self._utilisation = Plot(self.tr("Utilisation"), words.percent_text, ground="raised")
        self._memory = Plot(self.tr("Memory"), words.gib_text, ground="raised")
        self._power = Plot(self.tr("Power"), words.watts_text, ground="raised")
        self._temperature = Plot(self.tr("Temperature"), words.degrees_text, ground="raised")
        self._clock = Plot(self.tr("Clock"), words.clock_text, ground="raised")
        self._pcie = Plot("PCIe", words.rate_text, both, ground="raised")
        self._nvlink = Plot("NVLink", words.rate_text, both, ground="raised")
        self.plots = (
            self._utilisation,
            self._memory,
            self._power,
            self._temperature,
            self._clock,
            self._pcie,
            self._nvlink,
        )
        grid = QWidget()
        layout = EvenGrid(grid, space.m, space.s)
        for plot in self.plots:
            layout.addWidget(plot)
        self._nvlink.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(space.m, space.s, space.m, space.m)
        column.setSpacing(space.s)
        for part in (self._head, self._lost, self._throttle, self._strip, grid, self._notes):
            column.addWidget(part)

    @property
    def traffic(self) -> float:
        """The most traffic that is shown, bytes a second."""
        return max(self._pcie.most(), self._nvlink.most())

    def show_gpu(
        self,
        gpu: GpuReading,
        segments: Sequence[Segment],
        history: History,
        scales: Scales | None = None,
        *,
        place: int | None = None,
    ) -> None:
        """Show a reading.

        Args:
            segments: of its memory (`memory_split.split_gpu`).
            scales: of all cards; its own where there are none.
            place: the number under which the history knows it, if it has lost its own.
        """
        self.index = gpu.index if place is None else place
        scales = scales or scales_of([gpu], self.traffic)
        self._show_words(gpu)
        self._strip.setVisible(bool(segments))
        self._strip.show_segments(segments, scales.memory)
        self._show_plots(gpu, history, scales)

    def _show_words(self, gpu: GpuReading) -> None:
        told = _told(gpu)
        if told == self._told:
            return
        self._told = told
        self._head.show_words(words.gpu_title(gpu), words.link_text(gpu), self._tip(gpu))
        lost = self.tr(
            "▲ The GPU no longer answers. What it was doing is lost; if it does not come back, "
            "restart the computer."
        )
        self._lost.say(lost if gpu.lost else "")
        text = "" if gpu.lost else words.throttle_text(gpu)
        if text and is_held_back(gpu):
            text = self.tr("▲ {text}").format(text=text)
        self._throttle.say(text)
        self._notes.say(" ".join(self._remarks(gpu)))
        said = [self._head.words(), self._lost.text(), self._throttle.text()]
        name = ". ".join(filter(None, said))
        self.setAccessibleName(name)

    def _tip(self, gpu: GpuReading) -> str:
        parts = [gpu.name or "", gpu.bus_id or ""]
        if gpu.capability is not None:
            parts.append(
                self.tr("compute capability {number}").format(
                    number=f"{gpu.capability[0]}.{gpu.capability[1]}"
                )
            )
        return ", ".join(filter(None, parts))

    def _remarks(self, gpu: GpuReading) -> list[str]:
        """What is to be known of this card's readings."""
        remarks = []
        if gpu.mig:
            parts = ", ".join(
                self.tr("{name}: {used} of {total}").format(
                    name=part.name.removeprefix(gpu.name or "").strip(),
                    used=words.gib_text(part.memory_used),
                    total=words.gib_text(part.memory_total),
                )
                for part in gpu.mig_parts
            )
            remarks.append(
                self.tr("Split into parts (MIG): {parts}.").format(parts=parts)
                if parts
                else self.tr("Split into parts (MIG).")
            )
        if gpu.unified:
            remarks.append(spoken(Missing.UNIFIED))
        if not gpu.lost and gpu.throttle is None:
            why = words.reason(gpu, "throttle")
            remarks.append(
                self.tr("Whether its clocks are held back is not told. {why}").format(why=why)
            )
        if not gpu.lost and gpu.processes is None and gpu.memory_used is not None:
            why = words.reason(gpu, "processes")
            remarks.append(
                self.tr("Which programs use its memory is not told. {why}").format(why=why)
            )
        return [remark.strip() for remark in remarks]

    def _show_plots(self, gpu: GpuReading, history: History, scales: Scales) -> None:
        self._show_one(self._utilisation, history, gpu, "utilisation", top=_UTILISATION_TOP)
        self._show_one(
            self._memory,
            history,
            gpu,
            "memory_used",
            top=float(scales.memory),
            limit=float(gpu.memory_total) if gpu.memory_total else None,
            alarming=is_full(gpu),
        )
        self._show_one(self._power, history, gpu, "power", top=scales.power, limit=gpu.power_limit)
        self._show_one(
            self._temperature,
            history,
            gpu,
            "temperature",
            top=scales.temperature,
            limit=float(gpu.temperature_limit) if gpu.temperature_limit else None,
            alarming=is_hot(gpu),
        )
        self._show_one(
            self._clock,
            history,
            gpu,
            "clock_sm",
            top=scales.clock,
            limit=float(gpu.clock_sm_max) if gpu.clock_sm_max else None,
            alarming=is_held_back(gpu),
        )
        has_links = gpu.nvlink_rx is not None or any(link.active for link in gpu.nvlink or ())
        if has_links == self._nvlink.isHidden() and not gpu.lost:
            self._nvlink.setVisible(has_links)
        self._show_traffic(gpu, history, scales.traffic)
        if self.traffic > scales.traffic:  # more than was known of when the scales were made
            self._show_traffic(gpu, history, nice_bytes(self.traffic))

    def _show_traffic(self, gpu: GpuReading, history: History, top: float) -> None:
        self._show_one(self._pcie, history, gpu, "pcie_rx", "pcie_tx", top=top)
        if not self._nvlink.isHidden():
            self._show_one(self._nvlink, history, gpu, "nvlink_rx", "nvlink_tx", top=top)

    def _show_one(
        self,
        plot: Plot,
        history: History,
        gpu: GpuReading,
        *fields: str,
        top: float,
        limit: float | None = None,
        alarming: bool = False,
    ) -> None:
        series = [history.series(f"gpu{self.index}.{field}") for field in fields]
        values = [None if gpu.lost else getattr(gpu, field) for field in fields]
        if history.is_paused:
            values = [_last(numbers) for _, numbers in series]
        missing = ""
        if values[0] is None:
            missing = spoken(Missing.LOST) if gpu.lost else words.reason(gpu, *fields)
        plot.show_series(
            series,
            history.now,
            values,
            top=top or 1.0,
            limit=limit,
            missing=missing,
            alarming=alarming and not gpu.lost,
        )


def _last(numbers: Sequence[float]) -> float | None:
    return None if not numbers or math.isnan(numbers[-1]) else numbers[-1]


def _told(gpu: GpuReading) -> object:
    """What of a reading is said in sentences."""
    return (
        gpu.index,
        gpu.name,
        gpu.bus_id,
        gpu.capability,
        gpu.pcie,
        gpu.nvlink,
        gpu.throttle,
        gpu.lost,
        gpu.mig,
        gpu.mig_parts,
        gpu.unified,
        gpu.processes is None,
        gpu.memory_used is None,
        gpu.missing,
    )
