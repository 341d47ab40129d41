"""The cards: one for each GPU, all on one scale; one for the computer where that is at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop import theme
from desktop.hardware.reading_text import driver_text
from desktop.hardware.readings import Driver, GpuReading, HardwareReading
from desktop.models.monitor.card_figures import scales_of
from desktop.models.monitor.memory_split import CPU, split_gpu, split_host
from desktop.views.monitor.card_parts import CursorGroup, Note
from desktop.views.monitor.gpu_card import GpuCard
from desktop.views.monitor.host_card import HostCard

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.models.monitor.history import History
    from desktop.models.monitor.shown import Shown


class HardwareView(QWidget):
    """See the module. `jobs` draws it a card at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: dict[str, GpuCard] = {}  # by what the GPU is known by, in their order
        self._places: dict[str, int] = {}  # numbers that GPUs had before they were lost
        self._cursors = CursorGroup(self)
        self._note = Note()
        self._host = HostCard()
        self._cursors.add(self._host.plots)
        self._host.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.current().space.s)
        self._column.addWidget(self._note)
        self._column.addWidget(self._host)

    def gpu_cards(self) -> tuple[GpuCard, ...]:
        """All cards of GPUs, in their order."""
        return tuple(self._cards.values())

    def card_of(self, gpu: int | None) -> QWidget:
        """The card of a GPU by its number; the whole, where there is none."""
        return next((card for card in self._cards.values() if card.index == gpu), self)

    def note(self) -> str:
        """What is said of the driver."""
        return self._note.text()

    def jobs(self, shown: Shown, history: History) -> Iterator[tuple[str, Callable[[], object]]]:
        """What is to be drawn of what is shown, by name: each a card, and one of them at a time."""
        reading = shown.hardware
        if reading is None:
            return
        self._note.say(_note_of(reading))
        self._keep(reading)
        scales = scales_of(
            reading.gpus, max((card.traffic for card in self._cards.values()), default=0.0)
        )
        engines = tuple(shown.engines.values())
        for gpu in reading.gpus:
            key = _key_of(gpu)
            card = self._cards[key]

            def show_gpu(
                gpu: GpuReading = gpu, card: GpuCard = card, place: int | None = self._place(gpu)
            ) -> None:
                card.show_gpu(gpu, split_gpu(gpu, engines), history, scales, place=place)

            yield f"gpu {key}", show_gpu
        on_cpu = any(
            memory.device == CPU
            for engine in engines
            if engine.loaded is not None
            for memory in engine.loaded.memory
        )
        self._host.setVisible(not reading.gpus or on_cpu)
        if not self._host.isHidden():
            yield (
                "host",
                lambda: self._host.show_host(
                    reading.host, split_host(reading.host, engines), history
                ),
            )

    def _keep(self, reading: HardwareReading) -> None:
        """A card for each GPU, in the driver's order; none for others."""
        keys = [_key_of(gpu) for gpu in reading.gpus]
        for key in [key for key in self._cards if key not in keys]:
            gone = self._cards.pop(key)
            self._cursors.remove(gone.plots)
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        for key in keys:
            if key not in self._cards:
                card = self._cards[key] = GpuCard()
                self._cursors.add(card.plots)
        ordered = {key: self._cards[key] for key in keys}
        if list(ordered) != list(self._cards) or self._column.count() != len(keys) + 2:
            for place, card in enumerate(ordered.values(), start=1):
                self._column.insertWidget(place, card)
            self._cards = ordered

    def _place(self, gpu: GpuReading) -> int | None:
        """The number under which a GPU's history is kept: the one that it had, if it is lost."""
        if gpu.uuid is None:
            return gpu.index
        if gpu.index >= 0:
            self._places[gpu.uuid] = gpu.index
        return self._places.get(gpu.uuid, gpu.index)


def _key_of(gpu: GpuReading) -> str:
    return gpu.uuid or gpu.bus_id or f"number {gpu.index}"


def _note_of(reading: HardwareReading) -> str:
    from PySide6.QtCore import QCoreApplication

    if reading.driver.kind in (Driver.ABSENT, Driver.NO_GPU):
        return QCoreApplication.translate(
            "HardwareView", "No NVIDIA GPU here: models run on the processor, in main memory."
        )
    return driver_text(reading.driver)
