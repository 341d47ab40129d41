"""Where each device's memory goes: a bar of patterned parts, and the figures below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.loading.load_words import device_title, others_text
from desktop.models.loading.size_text import size_text
from desktop.views.flow_layout import FlowLayout

if TYPE_CHECKING:
    from engine.planner.answer import DeviceBudget
    from engine.planner.machine import Machine

translate = QCoreApplication.translate

BAR_HEIGHT: Final = 20
KEY_SIZE: Final = 12
_LEAST_PART: Final = 2  # pixels; a part that is there is seen
_Brush = Qt.BrushStyle


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a device's memory. `pattern` tells it from the others without colour."""

    name: str
    size: int
    colour: str
    pattern: Qt.BrushStyle = _Brush.SolidPattern


def parts_of(budget: DeviceBudget) -> list[Part]:
    """The parts, from the left; those of no size are left out."""
    found = [
        Part(
            translate("MemoryBars", "Other programs"), budget.others, "muted", _Brush.Dense5Pattern
        ),
        Part(translate("MemoryBars", "Weights"), budget.weights, "accent"),
        Part(translate("MemoryBars", "Working memory"), budget.overhead, "muted"),
        Part(
            translate("MemoryBars", "Memory for chats (KV cache)"),
            budget.kv,
            "accent",
            _Brush.BDiagPattern,
        ),
    ]
    if budget.free >= 0:
        found.append(Part(translate("MemoryBars", "Free"), budget.free, "faint", _Brush.NoBrush))
    return [part for part in found if part.size > 0]


def is_told(budget: DeviceBudget) -> bool:
    """Whether the device says how much memory it has: some drivers say 0, for do not know."""
    return budget.total > 0


def missing_of(budget: DeviceBudget, least: int = 0) -> Part | None:
    """What a device lacks; it lies over the end of the other parts. None: nothing.

    Args:
        least: bytes that the verdict says are missing: with the share of the memory that the
            engine leaves to others, and with room for a chat.
    """
    if budget.free >= 0 or not is_told(budget):
        return None
    name = translate("MemoryBars", "Missing")
    return Part(name, max(-budget.free, least), "danger", _Brush.DiagCrossPattern)


class MemoryBars(QWidget):
    """One bar for each device of a plan."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.current().space.m)
        self._devices: list[_Device] = []

    def show_plan(
        self, budget: tuple[DeviceBudget, ...], machine: Machine, missing: int = 0
    ) -> None:
        """Show a plan's devices; the fullest lacks `missing` bytes, as the verdict says."""
        fullest = min((one.free for one in budget), default=0)
        while len(self._devices) > len(budget):
            gone = self._devices.pop()
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self._devices) < len(budget):
            fresh = _Device()
            self._devices.append(fresh)
            self._column.addWidget(fresh)
        for shown, one in zip(self._devices, budget, strict=True):
            least = missing if one.free == fullest else 0
            shown.show_budget(one, others_text(machine, one.device), missing_of(one, least))

    def words(self) -> list[str]:
        """What each bar says."""
        return [one.accessibleName() for one in self._devices]


class _Device(QWidget):
    """One device: its name and total, its bar, the key of its parts."""

    def __init__(self) -> None:
        super().__init__()
        space = theme.current().space
        self._title = QLabel()
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)
        self._title.setMinimumWidth(1)  # a long word in it must not widen the dialog
        self._total = QLabel()
        self._total.setProperty("role", "muted")
        self._bar = _Bar()
        self._keys = QWidget()
        self._flow = FlowLayout(self._keys, space.s)
        self._labels: list[_Key] = []
        self._others = QLabel()
        self._others.setProperty("role", "muted")
        self._others.setTextFormat(Qt.TextFormat.PlainText)
        self._others.setWordWrap(True)
        self._others.setMinimumWidth(1)
        head = QHBoxLayout()
        head.setSpacing(space.s)
        head.addWidget(self._title, 1)
        head.addWidget(self._total)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.xs)
        column.addLayout(head)
        column.addWidget(self._bar)
        column.addWidget(self._keys)
        column.addWidget(self._others)

    def show_budget(self, budget: DeviceBudget, others: str, missing: Part | None) -> None:
        """Show where its memory goes, and what is missing."""
        parts = parts_of(budget)
        self._title.setText(device_title(budget))
        total = size_text(budget.total) if is_told(budget) else self.tr("not told")
        self._total.setText(total)
        self._bar.show_parts(parts, missing)
        if missing is not None:
            parts = [*parts, missing]
        while len(self._labels) > len(parts):
            gone = self._labels.pop()
            self._flow.takeAt(self._flow.count() - 1)
            gone.hide()
            gone.deleteLater()
        while len(self._labels) < len(parts):
            fresh = _Key()
            self._labels.append(fresh)
            self._flow.addWidget(fresh)
        for label, part in zip(self._labels, parts, strict=True):
            label.show_part(part)
        self._others.setText(self.tr("Other programs: {names}").format(names=others))
        self._others.setVisible(bool(others))
        figures = ", ".join(f"{part.name} {size_text(part.size)}" for part in parts)
        words = self.tr("{device}, {total}: {parts}").format(
            device=device_title(budget), total=total, parts=figures
        )
        self.setAccessibleName(words)
        self._bar.setAccessibleName(words)


class _Key(QWidget):
    """What a pattern stands for, and how much it is."""

    def __init__(self) -> None:
        super().__init__()
        space = theme.current().space
        self._patch = _Patch()
        self._words = QLabel()
        self._words.setProperty("role", "muted")
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, space.xs, 0)
        row.setSpacing(space.xs)
        row.addWidget(self._patch)
        row.addWidget(self._words)

    def show_part(self, part: Part) -> None:
        """Show a part."""
        self._patch.show_part(part)
        self._words.setText(
            self.tr("{name} {size}").format(name=part.name, size=size_text(part.size))
        )


class _Patch(QWidget):
    """A square of a part's pattern."""

    def __init__(self) -> None:
        super().__init__()
        self._part: Part | None = None
        self.setFixedSize(KEY_SIZE, KEY_SIZE)
        theme.notifier().changed.connect(self.update)

    def show_part(self, part: Part) -> None:
        """Show a part's pattern."""
        if part != self._part:
            self._part = part
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        del event
        if self._part is not None:
            with QPainter(self) as painter:
                _fill(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self._part)


class _Bar(QWidget):
    """The parts side by side, as wide as they are large."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[Part] = []
        self._missing: Part | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def show_parts(self, parts: list[Part], missing: Part | None) -> None:
        """Show these; `missing` lies over their end, where the device has ended."""
        if (parts, missing) != (self._parts, self._missing):
            self._parts, self._missing = parts, missing
            self.update()

    def sizeHint(self) -> QSize:
        """Any width."""
        return QSize(0, BAR_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts, what is missing over their end, and a frame around all."""
        del event
        look = theme.current()
        whole = sum(part.size for part in self._parts)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.colour("page"))
            left = frame.left()
            for part in self._parts:
                width = max(_LEAST_PART, frame.width() * part.size / whole)
                right = min(left + width, frame.right())
                _fill(painter, QRectF(left, frame.top(), right - left, frame.height()), part)
                left = right
            if self._missing is not None and whole:
                lacking = QRectF(frame)
                lacking.setLeft(frame.right() - frame.width() * self._missing.size / whole)
                _fill(painter, lacking, self._missing)
                painter.setPen(QPen(look.colour("text"), 2))
                painter.drawLine(lacking.topLeft(), lacking.bottomLeft())
            painter.setBrush(_Brush.NoBrush)
            painter.setPen(QPen(look.colour("faint"), 1))
            painter.drawRect(frame)


def _fill(painter: QPainter, rect: QRectF, part: Part) -> None:
    look = theme.current()
    colour = look.colour(part.colour)
    if part.pattern is _Brush.SolidPattern:
        painter.fillRect(rect, colour)
    elif part.pattern is not _Brush.NoBrush:
        painter.fillRect(rect, look.colour("page"))
        painter.fillRect(rect, QBrush(colour, part.pattern))
    painter.setBrush(_Brush.NoBrush)
    painter.setPen(QPen(QColor(colour), 1))
    painter.drawRect(rect)
