"""A load as a timeline: each stage at its time, beside it what it usually takes and took of memory.

While a load runs, the stage under way grows towards its usual end, and the head says how long it
will still take.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.engine_text import stage_text
from desktop.models.loading.load_times import left_text
from desktop.models.monitor.frames import EngineFrame, LoadFrame
from desktop.models.monitor.timeline import StageRow, Step, Timeline, load_of, timeline_of
from desktop.views.monitor.card_parts import CardHead, Note
from desktop.views.monitor.card_words import gib_text, seconds_text
from desktop.views.monitor.focus_ring import paint_focus
from engine.protocol import LoadStage

BAR_HEIGHT: Final = 8
WIDE: Final = 420  # pixels from which all of a row stands in one line
NAME_SHARE: Final = 0.4  # of a wide row
_Flag = Qt.AlignmentFlag


class TimelineView(QWidget):
    """See the module."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._head = CardHead()
        self._empty = Note()
        self._rows: list[StageBar] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space.xs)
        self._column.addWidget(self._head)
        self._column.addWidget(self._empty)

    @property
    def rows(self) -> tuple[StageBar, ...]:
        """Of the stages, in their order."""
        return tuple(self._rows)

    def show_load(self, frame: EngineFrame, usual: Mapping[str, float] | None = None) -> None:
        """Show the load that is under way, or the last one.

        Args:
            usual: seconds of each stage in past loads; None: as the frame has them.
        """
        load, is_live = load_of(frame)
        if load is None:
            self._empty.say(self.tr("Nothing has been loaded yet."))
            self._head.hide()
            self._have(0)
            self.setAccessibleName(self._empty.text())
            return
        expected = load.usual if usual is None else usual
        line = timeline_of(load, expected, is_live=is_live)
        self._empty.say("")
        self._head.show()
        self._head.show_words(self._title(line), self._aside(load, line, expected))
        self._have(len(line.rows))
        for shown, row in zip(self._rows, line.rows, strict=True):
            shown.show_row(row, line.span)
        self.setAccessibleName(self._head.words())

    def _title(self, line: Timeline) -> str:
        spent = seconds_text(line.elapsed)
        if line.is_live:
            return self.tr("Loading for {time}").format(time=spent)
        if line.rows and line.rows[-1].step is Step.ENDED:
            return self.tr("Ended after {time}").format(time=spent)
        return self.tr("Loaded in {time}").format(time=spent)

    def _aside(self, load: LoadFrame, line: Timeline, usual: Mapping[str, float]) -> str:
        if line.is_live:
            stage = LoadStage(load.stage) if load.stage in list(LoadStage) else None
            here = max(0.0, load.elapsed - sum(load.stages.values()))
            return left_text(usual, stage, here, load.fraction)
        if line.usual is None:
            return ""
        return self.tr("usually {time}").format(time=seconds_text(line.usual))

    def _have(self, count: int) -> None:
        while len(self._rows) > count:
            gone = self._rows.pop()
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self._rows) < count:
            fresh = StageBar()
            self._rows.append(fresh)
            self._column.addWidget(fresh)
            fresh.show()  # at once: a picture may be taken before the next turn


class StageBar(QWidget):
    """One stage: its name, when and how long, the usual, and what it took of memory."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: StageRow | None = None
        self._span = 1.0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._restyle()
        theme.notifier().changed.connect(self._restyle)

    def show_row(self, row: StageRow, span: float) -> None:
        """Show a stage; the width stands for `span` seconds."""
        if (row, span) == (self._row, self._span):
            return
        self._row, self._span = row, span
        self.setAccessibleName(
            self.tr("{stage}: {facts}").format(
                stage=self._name(row), facts=", ".join(filter(None, self._facts(row)))
            )
        )
        self.update()

    def _name(self, row: StageRow) -> str:
        known = row.stage in list(LoadStage)
        text = stage_text(LoadStage(row.stage)) if known else row.stage
        return text[:1].upper() + text[1:]

    def _facts(self, row: StageRow) -> tuple[str, str, str]:
        """Time, usual time, memory."""
        match row.step:
            case Step.AHEAD:
                time = self.tr("ahead")
            case Step.ENDED:
                time = self.tr("ended after {time}").format(time=seconds_text(row.seconds))
            case _:
                time = seconds_text(row.seconds)
        usual, memory = "", ""
        if row.usual is not None:
            usual = self.tr("usually {time}").format(time=seconds_text(row.usual))
        if row.memory is not None:
            sign = "−" if row.memory < 0 else "+"
            memory = f"{sign}{gib_text(abs(row.memory))}"
        return time, usual, memory

    def _marked(self, row: StageRow) -> tuple[str, str, str]:
        """As `_facts`, with a mark in the place of words where there is little room."""
        time, usual, memory = self._facts(row)
        return f"✕ {seconds_text(row.seconds)}" if row.step is Step.ENDED else time, usual, memory

    # --- size and look -------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        """A narrow one has its bar below its words."""
        return True

    def heightForWidth(self, width: int) -> int:
        """One line, or a line, the bar and a smaller line."""
        if width >= WIDE:
            return self._line + 2
        return self._line + BAR_HEIGHT + 4 + self._line

    def sizeHint(self) -> QSize:
        """A wide one."""
        return QSize(WIDE, self.heightForWidth(WIDE))

    def minimumSizeHint(self) -> QSize:
        """As narrow as can be read."""
        return QSize(120, self._line)

    def _restyle(self) -> None:
        look = theme.current()
        self._look = look
        self._font = look.figure_font(look.small)
        self._metrics = QFontMetrics(self._font, self)
        self._line = self._metrics.height() + 2
        self._time_width = self._metrics.horizontalAdvance(seconds_text(88 * 60 + 28))
        self._name_width = max(
            self._metrics.horizontalAdvance(stage_text(stage)) for stage in LoadStage
        )
        self._usual_width = self._metrics.horizontalAdvance(
            self.tr("usually {time}").format(time="888.8 s")
        )
        self._memory_width = self._metrics.horizontalAdvance("+888.8 GiB")
        self.updateGeometry()
        self.update()

    # --- painting ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint words and bar."""
        del event
        row = self._row
        if row is None:
            return
        with QPainter(self) as painter:
            painter.setFont(self._font)
            if self.width() >= WIDE:
                self._paint_wide(painter, row)
            else:
                self._paint_narrow(painter, row)

    def _paint_wide(self, painter: QPainter, row: StageRow) -> None:
        width, gap = self.width(), self._look.space.s
        time, usual, memory = self._marked(row)
        name = min(int(width * NAME_SHARE), self._name_width + self._look.space.m)
        right = width - self._memory_width
        self._text(painter, memory, right, self._memory_width, "text", right=True)
        right -= self._usual_width + gap
        self._text(painter, usual, right, self._usual_width, "muted", right=True)
        right -= self._time_width + gap
        self._text(painter, time, right, self._time_width, self._ink(row), right=True)
        self._text(painter, self._name(row), 0, name - gap, self._ink(row))
        top = (self.height() - BAR_HEIGHT) / 2
        self._paint_bar(painter, row, QRectF(name, top, right - gap - name, BAR_HEIGHT))

    def _paint_narrow(self, painter: QPainter, row: StageRow) -> None:
        width = self.width()
        time, usual, memory = self._marked(row)
        self._text(painter, time, 0, width, self._ink(row), right=True)
        room = width - self._metrics.horizontalAdvance(time) - self._look.space.s
        self._text(painter, self._name(row), 0, room, self._ink(row))
        self._paint_bar(painter, row, QRectF(0, self._line + 1, width, BAR_HEIGHT))
        below = self._line + BAR_HEIGHT + 3
        self._text(painter, usual, 0, width // 2, "muted", top=below)
        self._text(painter, memory, width // 2, width // 2, "muted", top=below, right=True)

    def _ink(self, row: StageRow) -> str:
        if row.step is Step.ENDED:
            return "danger"
        return "muted" if row.step is Step.AHEAD else "text"

    def _text(
        self,
        painter: QPainter,
        text: str,
        left: float,
        width: float,
        role: str,
        *,
        top: float = 0.0,
        right: bool = False,
    ) -> None:
        if not text:
            return
        painter.setPen(self._look.colour(role))
        shown = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(width) + 1)
        side = _Flag.AlignRight if right else _Flag.AlignLeft
        painter.drawText(QRectF(left, top, width, self._line), side | _Flag.AlignVCenter, shown)

    def _paint_bar(self, painter: QPainter, row: StageRow, room: QRectF) -> None:
        """The stage at its time; the usual time is an outline, whose end is a mark."""
        look = self._look
        per_second = room.width() / self._span
        left = room.left() + row.begin * per_second
        painter.setPen(QPen(look.colour("line"), 1))
        base = room.bottom() + 0.5
        painter.drawLine(QPointF(room.left(), base), QPointF(room.right(), base))
        if row.usual is not None:
            usual = QRectF(left, room.top(), max(1.0, row.usual * per_second), room.height())
            pattern = Qt.BrushStyle.BDiagPattern
            painter.fillRect(usual, QBrush(look.colour("faint"), pattern))
        if row.seconds > 0:
            role = "danger" if row.step is Step.ENDED else "accent"
            length = max(2.0, row.seconds * per_second)
            painter.fillRect(QRectF(left, room.top(), length, room.height()), look.colour(role))
        if row.usual is not None:
            x = min(left + row.usual * per_second, room.right() - 1)
            painter.setPen(QPen(look.colour("text"), 1))
            painter.drawLine(QPointF(x, room.top() - 1), QPointF(x, room.bottom() + 1))
        if self.hasFocus():
            paint_focus(painter, room.adjusted(0, -1, 0, 2))
