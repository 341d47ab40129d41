"""The computer itself: processor and memory; on a machine without a GPU the only card."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop import theme
from desktop.hardware.readings import HostReading
from desktop.models.monitor.history import History
from desktop.models.monitor.memory_split import Segment
from desktop.models.number_text import whole
from desktop.views.monitor import card_words as words
from desktop.views.monitor.card_parts import CardHead
from desktop.views.monitor.even_grid import EvenGrid
from desktop.views.monitor.memory_strip import MemoryStrip
from desktop.views.monitor.plot import Plot


class HostCard(QFrame):
    """See the module."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "raised")
        space = theme.current().space
        self._head = CardHead()
        self._strip = MemoryStrip("raised")
        self._load = Plot(self.tr("Processor"), words.percent_text, ground="raised")
        self._ram = Plot(self.tr("Memory"), words.gib_text, ground="raised")
        self._swap = Plot(self.tr("Swap"), words.gib_text, ground="raised")
        self.plots = (self._load, self._ram, self._swap)
        grid = QWidget()
        layout = EvenGrid(grid, space.m, space.s)
        for plot in self.plots:
            layout.addWidget(plot)
        column = QVBoxLayout(self)
        column.setContentsMargins(space.m, space.s, space.m, space.m)
        column.setSpacing(space.s)
        column.addWidget(self._head)
        column.addWidget(self._strip)
        column.addWidget(grid)

    def show_host(self, host: HostReading, segments: Sequence[Segment], history: History) -> None:
        """Show a reading; `segments` are of its memory (`memory_split.split_host`)."""
        title = host.cpu_name or self.tr("Processor and memory")
        self._head.show_words(title, self._cores(host), title)
        self._strip.setVisible(bool(segments))
        self._strip.show_segments(segments)
        total = float(host.ram_total or 0)
        used = None
        if host.ram_total is not None and host.ram_available is not None:
            used = total - host.ram_available
        swap = host.swap_total
        for plot, field, value, top, why in (
            (self._load, "load", host.load, 100.0, ("load",)),
            (self._ram, "ram_used", used, total, ("ram_total", "ram_available")),
            (self._swap, "swap_used", host.swap_used, float(swap or 0), ("swap_used",)),
        ):
            name = f"host.{field}"
            plot.show_series(
                [history.series(name)],
                history.now,
                [history.latest(name) if history.is_paused else value],
                top=top or 1.0,
                missing=words.reason(host, *why) if value is None else "",
            )
        if self._swap.isHidden() == bool(swap or swap is None):
            self._swap.setVisible(bool(swap or swap is None))
        if self._head.words() != self.accessibleName():
            self.setAccessibleName(self._head.words())

    def _cores(self, host: HostReading) -> str:
        if host.cores is None:
            return ""
        if host.threads is None or host.threads == host.cores:
            return self.tr("{cores} cores").format(cores=whole(host.cores))
        return self.tr("{cores} cores, {threads} threads").format(
            cores=whole(host.cores), threads=whole(host.threads)
        )
