"""A share of something, as a bar and in words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop import theme
from desktop.views.monitor.focus_ring import paint_focus

BAR_HEIGHT: Final = 8
WIDEST: Final = "100 % of 88,888 tok/s"  # of values, for the room that they need
_Flag = Qt.AlignmentFlag


class Meter(QWidget):
    """See the module.

    Args:
        title: what it is a share of.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._words = title, ""
        self._share: float | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._restyle()
        theme.notifier().changed.connect(self._restyle)

    def show_share(self, share: float | None, text: str, tip: str) -> None:
        """Show a share of 1; None: not known, and the text says so. `tip` says more."""
        if (share, text) == (self._share, self._words) and tip == self.toolTip():
            return
        self._share, self._words = share, text
        self.setToolTip(tip)
        self.setAccessibleName(self.tr("{title}: {value}").format(title=self._title, value=text))
        self.setAccessibleDescription(tip)
        self.update()

    def words(self) -> str:
        """What it says."""
        return self._words

    def hasHeightForWidth(self) -> bool:
        """A narrow one has its value below its title."""
        return True

    def heightForWidth(self, width: int) -> int:
        """One or two lines, and the bar."""
        lines = 1 if width >= self._one_line else 2
        return lines * self._line + BAR_HEIGHT + 5

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(self._one_line, self.heightForWidth(self._one_line))

    def minimumSizeHint(self) -> QSize:
        """As narrow as can be read."""
        return QSize(104, self._line + BAR_HEIGHT + 5)

    def _restyle(self) -> None:
        look = theme.current()
        self._look = look
        self._small, self._figures = look.figure_font(look.small), look.figure_font(look.body)
        self._metrics = QFontMetrics(self._figures, self)
        self._small_metrics = QFontMetrics(self._small, self)
        self._line = self._metrics.height()
        widest = self.tr("{title}: {value}").format(title=self._title, value=WIDEST)
        self._one_line = self._metrics.horizontalAdvance(widest) + look.space.s
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words and the bar."""
        del event
        look, width = self._look, self.width()
        right = Qt.TextElideMode.ElideRight
        with QPainter(self) as painter:
            painter.setFont(self._small)
            painter.setPen(look.colour("muted"))
            title = self._small_metrics.elidedText(self._title, right, width)
            painter.drawText(QRectF(0, 0, width, self._line), _Flag.AlignVCenter, title)
            known = self._share is not None
            painter.setFont(self._figures if known else self._small)
            painter.setPen(look.colour("text" if known else "muted"))
            metrics = self._metrics if known else self._small_metrics
            value = metrics.elidedText(self._words, right, width)
            beside = width >= self._one_line
            side = _Flag.AlignRight if beside else _Flag.AlignLeft
            top = 0 if beside else self._line
            painter.drawText(QRectF(0, top, width, self._line), side | _Flag.AlignVCenter, value)
            frame = QRectF(0.5, self.height() - BAR_HEIGHT - 0.5, width - 1, BAR_HEIGHT)
            if self._share is not None:
                filled = QRectF(frame)
                filled.setWidth(frame.width() * min(1.0, max(0.0, self._share)))
                painter.fillRect(filled, look.colour("accent"))
                painter.setPen(QPen(look.colour("muted"), 1))
            else:
                painter.setPen(QPen(look.colour("line"), 1, Qt.PenStyle.DashLine))
            painter.drawRect(frame)
            painter.setPen(QPen(look.colour("line"), 1))
            for tenth in (0.25, 0.5, 0.75):
                x = frame.left() + frame.width() * tenth
                painter.drawLine(QPointF(x, frame.bottom() - 2), QPointF(x, frame.bottom()))
            if self.hasFocus():
                paint_focus(painter, frame.adjusted(-0.5, -2, 0.5, 0.5))
