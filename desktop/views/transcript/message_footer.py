"""What stands under an answer: how it is going, what it cost, what one can do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLocale, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from desktop import theme
from desktop.chats.chat import Message, MessageStatus, Statistics
from desktop.views import icons

COPIED_MS = 2_000
_ICON = QSize(16, 16)
_WRAP = int(Qt.TextFlag.TextWordWrap)


class _Line(QWidget):
    """Text that wraps, with a sign before it where colour must not be alone."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ""
        self._colour = "muted"
        self._sign = ""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str, colour: str, *, sign: str) -> None:
        """Show `text` in a colour token, after the icon `sign` if one is named."""
        self.text, self._colour, self._sign = text, colour, sign
        self.setFont(theme.current().figure_font())
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The room for one line."""
        return QSize(self._left + self.fontMetrics().horizontalAdvance(self.text), self._least)

    def minimumSizeHint(self) -> QSize:
        """The least room that makes sense."""
        return QSize(80, self._least)

    def hasHeightForWidth(self) -> bool:
        """It wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height for a width, in pixels."""
        room = QRect(0, 0, max(width - self._left, 40), 1 << 20)
        bounds = self.fontMetrics().boundingRect(room, _WRAP, self.text)
        return max(self._least, bounds.height() + 2 * self._padding)

    @property
    def _padding(self) -> int:
        return theme.current().space.xs + 1

    @property
    def _least(self) -> int:
        return self.fontMetrics().height() + 2 * self._padding

    @property
    def _left(self) -> int:
        return _ICON.width() + theme.current().space.s if self._sign else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        del event
        with QPainter(self) as painter:
            painter.setPen(theme.current().colour(self._colour))
            if self._sign:
                top = self._padding + (self.fontMetrics().height() - _ICON.height()) // 2
                icons.icon(self._sign, self._colour).paint(painter, QRect(QPoint(0, top), _ICON))
            room = self.rect().adjusted(self._left, self._padding, 0, -self._padding)
            painter.drawText(room, _WRAP, self.text)


class MessageFooter(QWidget):
    """A quiet line: status or figures, then buttons.

    Signals:
        copy_requested, stop_requested, continue_requested, retry_requested
    """

    copy_requested = Signal()
    stop_requested = Signal()
    continue_requested = Signal()
    retry_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Message, theme.Theme] | None = None
        self._line = _Line(self)
        self._stop = self._button("stop", self.tr("Stop"), self.stop_requested.emit)
        self._continue = self._button("continue", self.tr("Continue"), self.continue_requested.emit)
        self._retry = self._button("retry", self.tr("Try again"), self.retry_requested.emit)
        self._copy = self._button("copy", "", self._copy_clicked)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(self._show_copy)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.current().space.xs)
        row.addWidget(self._line, 1)
        for button in self.buttons:
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._show_copy()

    def height_for(self, width: int) -> int:
        """What it takes at a width, in pixels."""
        return max(self._row.heightForWidth(width), self._row.minimumSize().height())

    @property
    def buttons(self) -> list[QToolButton]:
        """All of them, as they stand from left to right."""
        return [self._stop, self._continue, self._retry, self._copy]

    @property
    def text(self) -> str:
        """What it says."""
        return self._line.text

    def focus_stops(self) -> list[QWidget]:
        """The buttons that are there now."""
        return [button for button in self.buttons if not button.isHidden()]

    def show_message(self, message: Message) -> None:
        """Show the state of `message`."""
        tokens = theme.current()
        if self._shown == (message, tokens):
            return
        self._shown = (message, tokens)
        status = message.status
        wrong = status in (MessageStatus.FAILED, MessageStatus.INTERRUPTED)
        colour = "danger" if status == MessageStatus.FAILED else "warning" if wrong else "muted"
        font = tokens.figure_font()
        for button in self.buttons:
            button.setFont(font)
            button.ensurePolished()  # the style sheet has a say in its size, which is asked next
        self._line.show_text(self._describe(message), colour, sign="warning" if wrong else "")
        ended_early = (
            message.statistics is not None and message.statistics.finish_reason == "length"
        )
        self._stop.setVisible(status.is_active)
        self._continue.setVisible(
            status in (MessageStatus.STOPPED, MessageStatus.INTERRUPTED)
            or (status == MessageStatus.COMPLETE and ended_early)
        )
        self._retry.setVisible(status == MessageStatus.FAILED)
        self._copy.setVisible(not status.is_active)
        self._row.invalidate()

    def _describe(self, message: Message) -> str:
        figures = self.figures(message.statistics) if message.statistics else ""
        match message.status:
            case MessageStatus.QUEUED:
                return self.tr("Waiting for its turn")
            case MessageStatus.RUNNING:
                return self.tr("Reading the prompt")
            case MessageStatus.STREAMING:
                return self.tr("Writing")
            case MessageStatus.STOPPED:
                return _join(self.tr("Stopped"), figures)
            case MessageStatus.INTERRUPTED:
                said = self.tr("Interrupted before it was complete")
                return _join(message.error or said, figures)
            case MessageStatus.FAILED:
                return message.error or self.tr("This answer failed. Try again.")
            case MessageStatus.COMPLETE:
                reason = message.statistics.finish_reason if message.statistics else ""
                if reason == "length":
                    return _join(self.tr("Ended at the length limit"), figures)
                if reason == "context":
                    return _join(self.tr("Ended: the context is full"), figures)
                return figures

    def figures(self, statistics: Statistics) -> str:
        """The cost in a line: tokens, rate, time to the first one; without what is unknown."""
        locale = QLocale()
        count = statistics.completion_tokens
        number = locale.toString(count)
        parts = [
            self.tr("1 token") if count == 1 else self.tr("{count} tokens").format(count=number)
        ]
        if statistics.decode_tps is not None:
            rate = locale.toString(statistics.decode_tps, "f", 1)
            parts.append(self.tr("{rate} tokens/s").format(rate=rate))
        if statistics.ttft is not None:
            wait = locale.toString(statistics.ttft, "f", 2)
            parts.append(self.tr("first token {wait} s").format(wait=wait))
        return " · ".join(parts)

    def _button(self, icon: str, text: str, act: Callable[[], object]) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icons.icon(icon, "muted"))
        button.setIconSize(_ICON)
        button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        if text:
            button.setText(text)
            button.setToolTip(text)
            button.setAccessibleName(text)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(lambda: act())
        return button

    def _copy_clicked(self) -> None:
        self.copy_requested.emit()
        self._copy.setIcon(icons.icon("check", "ok"))
        self._copy.setToolTip(self.tr("Copied"))
        self._copy.setAccessibleName(self.tr("Copied"))
        self._copied.start()

    def _show_copy(self) -> None:
        self._copy.setIcon(icons.icon("copy", "muted"))
        self._copy.setToolTip(self.tr("Copy this answer"))
        self._copy.setAccessibleName(self.tr("Copy this answer"))

    def reset(self) -> None:
        """Forget the message shown: the footer serves another one next."""
        self._shown = None
        self._copied.stop()
        self._show_copy()


def _join(first: str, second: str) -> str:
    return f"{first} · {second}" if second else first
