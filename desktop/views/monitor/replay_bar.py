"""A recording that is shown: says that it is one, and goes to any moment of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.monitor.replay import SPEEDS
from desktop.models.number_text import decimal, whole
from desktop.views.elided_label import ElidedLabel
from desktop.views.icons import icon
from desktop.views.monitor.facts_text import FactsText
from desktop.views.monitor.monitor_head import name_button, tool_button

if TYPE_CHECKING:
    from desktop.models.monitor.replay import Replay

STEP: Final = 10  # of the slider, a second
JUMP_S: Final = 10  # by Page Up and Page Down
SPEED_DIGITS: Final = {0.25: 2, 0.5: 1}


class ReplayBar(QFrame):
    """See the module.

    Signals:
        live_requested: what is live is to be shown again.
    """

    live_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "raised")
        self._replay: Replay | None = None
        self._is_sliding = False
        self._mark = QLabel(self.tr("Recording"))
        self._mark.setProperty("role", "warning")
        self._name = ElidedLabel()
        self._name.setProperty("role", "muted")
        self.back = QToolButton()
        self.back.setText(self.tr("Back to live"))
        self.back.setAccessibleName(self.tr("Back to live"))
        self.back.clicked.connect(lambda _checked=False: self.live_requested.emit())
        self.play = tool_button("pause", self.tr("Hold the recording"))
        self.play.clicked.connect(lambda _checked=False: self._toggle())
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Moment of the recording"))
        self.slider.setPageStep(JUMP_S * STEP)
        self.slider.setSingleStep(STEP)
        self.slider.valueChanged.connect(self._on_slider)
        self._time = FactsText()
        self.speed = QComboBox()
        self.speed.setAccessibleName(self.tr("Speed of the recording"))
        for value in SPEEDS:
            self.speed.addItem(
                self.tr("{factor}×").format(factor=decimal(value, SPEED_DIGITS.get(value, 0))),
                value,
            )
        self.speed.activated.connect(lambda _index: self._set_speed())
        self._fault = QLabel()
        self._fault.setProperty("role", "muted")
        self._fault.setWordWrap(True)
        self._fault.hide()
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setSpacing(space.s)
        first.addWidget(self._mark, 1)
        first.addWidget(self.back)
        second.addWidget(self.play)
        second.addWidget(self.slider, 1)
        second.addWidget(self._time)
        second.addWidget(self.speed)
        column = QVBoxLayout(self)
        column.setContentsMargins(space.s, space.xs, space.xs, space.xs)
        column.setSpacing(space.xs)
        column.addLayout(first)
        column.addWidget(self._name)
        column.addLayout(second)
        column.addWidget(self._fault)
        theme.notifier().changed.connect(self._on_theme)
        self._on_theme()
        self.hide()

    def show_replay(self, replay: Replay) -> None:
        """Show a recording that plays."""
        self._replay = replay
        began = QDateTime.fromSecsSinceEpoch(int(replay.head.began))
        when = QLocale().toString(began, QLocale.FormatType.ShortFormat)
        self._name.setText(self.tr("{name} of {moment}").format(name=replay.path.name, moment=when))
        self.setAccessibleName(
            self.tr("This is a recording, {name} of {moment}, and not what happens now.").format(
                name=replay.path.name, moment=when
            )
        )
        self.slider.setRange(0, max(1, round(replay.duration * STEP)))
        self.speed.setCurrentIndex(self.speed.findData(replay.speed))
        replay.moved.connect(self._on_moved)
        self._fit_time()
        self._on_moved()
        self.show()

    def leave(self) -> None:
        """What is live is shown again."""
        self._replay = None
        self.hide()

    def text(self) -> str:
        """What it says."""
        return self.accessibleName() if not self.isHidden() else ""

    # --- inside --------------------------------------------------------------------------

    def _toggle(self) -> None:
        replay = self._replay
        if replay is not None:
            if replay.is_playing:
                replay.pause()
            else:
                replay.play()

    def _set_speed(self) -> None:
        if self._replay is not None:
            self._replay.set_speed(float(self.speed.currentData()))

    def _on_slider(self, value: int) -> None:
        replay = self._replay
        if replay is not None and not self._is_sliding:
            at_end = value == self.slider.maximum()  # the last frame may lie between two steps
            replay.seek(replay.duration if at_end else value / STEP)

    def _on_moved(self) -> None:
        replay = self._replay
        if replay is None:
            return
        if not self.slider.isSliderDown():
            self._is_sliding = True
            self.slider.setValue(round(replay.position * STEP))
            self._is_sliding = False
        self._time.show_text(f"{_clock(replay.position)} / {_clock(replay.duration)}")
        playing = replay.is_playing
        if self.play.property("playing") != playing:
            self.play.setProperty("playing", playing)
            self.play.setIcon(icon("pause" if playing else "continue", "muted"))
            name_button(
                self.play,
                self.tr("Hold the recording") if playing else self.tr("Play the recording"),
            )
        if replay.skipped:
            self._fault.setText(
                self.tr("%n line(s) of the file could not be read.", "", replay.skipped)
            )
        self._fault.setVisible(bool(replay.skipped))

    def _fit_time(self) -> None:
        if self._replay is not None:
            sample = "8" * len(_clock(self._replay.duration))
            self._time.set_widest(f"{sample} / {sample}")

    def _on_theme(self) -> None:
        self.speed.setFont(theme.current().figure_font())
        self.back.setFont(theme.current().text_font(theme.current().small))


def _clock(seconds: float) -> str:
    return f"{whole(int(seconds) // 60)}:{int(seconds) % 60:02}"
