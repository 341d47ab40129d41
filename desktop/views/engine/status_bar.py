"""The status bar: engine state and model on the left, figures on the right."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStatusBar, QWidget

from desktop import theme
from desktop.engine_link.engine_pool import PRIMARY
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name, phase_text
from desktop.models.loading.size_text import size_text
from desktop.models.number_text import decimal, whole
from desktop.models.tip_text import tip_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from engine.protocol import Telemetry

ICON_SIZE = 12
_FRAME = 5  # pixels that QStatusBar keeps above and below what is in it


class StatusBar(QStatusBar):
    """Figures in tabular digits and fixed places: nothing moves while they change.

    With several engines each is a part of one line, its own figures behind its name.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setSizeGripEnabled(False)
        self.setContentsMargins(0, 0, space.s, 0)  # a badge at the end keeps off the edge
        self._view = EngineView()  # of the window's own engine
        self._others: dict[int, EngineView] = {}  # by the engine's key
        self._readings: dict[int, Telemetry] = {}
        self._state = QLabel()
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        self._state.setAccessibleName(self.tr("Engine state"))
        self._state.setMinimumWidth(1)  # it gives way
        self._words = ""
        self._badges: list[QWidget] = []  # at the right end, while there is something to tell
        self._speed = self._figure(self.tr("Speed of all answers together"))
        self._kv = self._figure(self.tr("KV cache in use"))
        self._memory = self._figure(self.tr("Memory of the engine"))
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(space.m, space.xs, space.m - space.s, space.xs)
        layout.setSpacing(space.l)
        layout.addWidget(self._state, 1)
        for label in (self._speed, self._kv, self._memory):
            layout.addWidget(label)
        self.addWidget(row, 1)
        self._samples = (
            (self._speed, self.tr("{rate} tokens/s").format(rate="8,888.8")),
            (
                self._kv,
                self.tr("KV {percent} % · {used} of {total} blocks").format(
                    percent="100.0", used="88,888", total="88,888"
                ),
            ),
            (self._memory, self.tr("Memory {size}").format(size="888 MiB")),
        )
        self._has_memory = False  # until there is a reading of it
        self._fix_widths()
        theme.notifier().changed.connect(self._fix_widths)
        self.set_view(self._view)

    def state_text(self) -> str:
        """The left side's words."""
        return self._words

    def figures(self) -> tuple[str, str, str]:
        """Speed, KV use and memory as shown."""
        return self._speed.text(), self._kv.text(), self._memory.text()

    def set_view(self, view: EngineView, key: int = PRIMARY) -> None:
        """Show an engine's state and model."""
        if view.phase is not Phase.READY:
            self._readings.pop(key, None)
        if key == PRIMARY:
            self._view = view
        elif key:
            self._others[key] = view
        self._show()

    def keep_only(self, keys: Collection[int]) -> None:
        """The engines with other keys are gone."""
        self._others = {key: view for key, view in self._others.items() if key in keys}
        self._readings = {key: reading for key, reading in self._readings.items() if key in keys}
        self._show()
        if not self._others and PRIMARY in self._readings:
            # While nothing moves there is no new one.
            self.set_telemetry(self._readings[PRIMARY])

    def _show(self) -> None:
        if self._others:
            views = {PRIMARY: self._view, **self._others}
            parts = [self._part(view, self._readings.get(key)) for key, view in views.items()]
            self._words = "   |   ".join(parts)
            self._clear()
            self._fit()
            return
        view = self._view
        parts = [phase_text(view)]
        if view.model:
            parts.append(model_name(view.model))
        if view.loaded is not None and view.phase is Phase.READY:
            parts.append(view.loaded.device)
        if view.queued:
            parts.append(self.tr("{count} waiting for the model").format(count=view.queued))
        self._words = " · ".join(parts)
        if view.phase is not Phase.READY:
            self._clear()
        self._fit()

    def set_telemetry(self, telemetry: Telemetry, key: int = PRIMARY) -> None:
        """Show a reading; ones that come late, after the engine went, are dropped."""
        view = self._view if key == PRIMARY else self._others.get(key)
        if view is None or view.phase is not Phase.READY:
            return
        self._readings[key] = telemetry
        if self._others:
            self._show()
            return
        percent = _share(telemetry)
        self._speed.setText(
            self.tr("{rate} tokens/s").format(rate=decimal(telemetry.generation_tps))
        )
        self._kv.setText(
            self.tr("KV {percent} % · {used} of {total} blocks").format(
                percent=decimal(percent),
                used=whole(telemetry.kv_used),
                total=whole(telemetry.kv_total),
            )
        )
        if telemetry.resident_bytes:
            self._has_memory = True
            self._fit()
            self._memory.setText(
                self.tr("Memory {size}").format(size=size_text(telemetry.resident_bytes))
            )

    def _part(self, view: EngineView, reading: Telemetry | None) -> str:
        """One engine of several, in short."""
        words = [model_name(view.model) or self.tr("No model"), phase_text(view)]
        if view.queued:
            words.append(self.tr("{count} waiting").format(count=view.queued))
        if reading is not None:
            rate, share = reading.generation_tps, _share(reading)
            words.append(self.tr("{rate} tokens/s").format(rate=decimal(rate)))
            words.append(self.tr("KV {percent} %").format(percent=decimal(share)))
        return " · ".join(words)

    def _clear(self) -> None:
        for label in (self._speed, self._kv, self._memory):
            label.clear()

    def _figure(self, tip: str) -> QLabel:
        label = QLabel()
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        label.setToolTip(tip)
        label.setAccessibleDescription(tip)
        return label

    def _fix_widths(self) -> None:
        font = theme.current().figure_font()
        metrics = QFontMetrics(font)
        # One height whatever is shown, signs of other fonts too: the page above must not jump.
        height = ceil(QFontMetricsF(font).height())
        self.setFixedHeight(height + 2 * theme.current().space.xs + _FRAME)
        for label, sample in self._samples:
            label.setFont(font)
            label.setMinimumWidth(metrics.horizontalAdvance(sample))
        self._fit()

    def addPermanentWidget(self, widget: QWidget, stretch: int | None = 0) -> None:
        """Take a badge; the words give way to it."""
        super().addPermanentWidget(widget, stretch or 0)
        self._badges.append(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A badge came, went or changed."""
        kinds = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.Resize)
        if event.type() in kinds:
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for more or less."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where all has no room the figures go, the last first; then the words are cut."""
        space = theme.current().space
        metrics = self._state.fontMetrics()
        words = metrics.horizontalAdvance(self._words) + 1
        badges = [badge.sizeHint().width() for badge in self._badges if not badge.isHidden()]
        whole_room = self.width() - 2 * space.l - sum(badges) - space.s * len(badges)
        room = whole_room - words
        for label in (self._speed, self._kv, self._memory):
            room -= label.minimumWidth() + space.l
            fits = room >= 0 and (label is not self._memory or self._has_memory)
            fits = fits and not self._others
            label.setVisible(fits)
        shown = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, whole_room)
        self._state.setText(shown)
        self._state.setToolTip(tip_text(self._words) if shown != self._words else "")


def _share(telemetry: Telemetry) -> float:
    """How much of the KV cache is in use, in percent."""
    return 100 * telemetry.kv_used / telemetry.kv_total if telemetry.kv_total else 0.0
