"""What stands under an answer: how it is going, what it cost, what one can do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop import theme
from desktop.chats.chat import Message, MessageStatus
from desktop.views.transcript.buttons import BEARING, show, small_button
from desktop.views.transcript.footer_line import FooterLine
from desktop.views.transcript.footer_text import status_text
from desktop.views.transcript.stepper import SiblingStepper

COPIED_MS = 2_000
_ORDER = ("stop", "continue", "retry", "copy")


class MessageFooter(QWidget):
    """A quiet line: siblings, status or figures, then buttons.

    It begins `BEARING` pixels left of the column, so that a sign at its left stands where
    the text begins. Between the figures and the buttons there is always room for the
    toolbar: see `room`. What most answers never show is made when it is first needed.

    Signals:
        chosen: what was asked for ("stop", "copy", "sibling", ...), and by how many.
    """

    chosen = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Message, theme.Theme, bool, bool] | None = None
        self.allowed: frozenset[str] | None = None  # what is offered to do; None: all there is
        self._line = FooterLine(self)
        self._stepper: SiblingStepper | None = None
        self._buttons: dict[str, QToolButton] = {}
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(self._show_copy)

    # --- what it shows ---

    @property
    def buttons(self) -> list[QToolButton]:
        """Those that are there now, from left to right."""
        return [
            self._buttons[name]
            for name in _ORDER
            if name in self._buttons and not self._buttons[name].isHidden()
        ]

    @property
    def names(self) -> set[str]:
        """What its buttons do."""
        return {name for name, button in self._buttons.items() if not button.isHidden()}

    @property
    def stepper(self) -> SiblingStepper | None:
        """The way to the message's siblings, where it has some."""
        stepper = self._stepper
        return stepper if stepper is not None and not stepper.isHidden() else None

    @property
    def text(self) -> str:
        """What it says."""
        return self._line.text

    def focus_stops(self) -> list[QWidget]:
        """The buttons that can be pressed now."""
        stops: list[QWidget] = self.stepper.focus_stops() if self.stepper is not None else []
        return [*stops, *self.buttons]

    def show_message(self, message: Message, *, busy: bool = False, thinking: bool = False) -> None:
        """Show the state of `message`. `busy`: some answer of the chat is on its way."""
        tokens = theme.current()
        if self._shown == (message, tokens, busy, thinking):
            return
        self._shown = (message, tokens, busy, thinking)
        status = message.status
        wrong = status in (MessageStatus.FAILED, MessageStatus.INTERRUPTED)
        colour = "danger" if status == MessageStatus.FAILED else "warning" if wrong else "muted"
        words = status_text(message, thinking=thinking)
        if status is MessageStatus.QUEUED and self.allowed is None:
            words = ""  # what an answer on its own waits for stands beneath the page
        self._line.show_text(words, colour, sign="warning" if wrong else "")
        cut_off = message.statistics is not None and message.statistics.finish_reason == "length"
        wanted = {
            # An answer on its own is stopped where it was asked for, beneath the page.
            "stop": status.is_active and self.allowed is not None,
            "continue": status in (MessageStatus.STOPPED, MessageStatus.INTERRUPTED)
            or (status == MessageStatus.COMPLETE and cut_off),
            "retry": status == MessageStatus.FAILED,
            "copy": not status.is_active,
        }
        if self.allowed is not None:
            wanted = {name: on and name in self.allowed for name, on in wanted.items()}
        font = tokens.figure_font()
        for name, is_wanted in wanted.items():
            button = self._button(name) if is_wanted else self._buttons.get(name)
            if button is None:
                continue
            button.setVisible(is_wanted)
            if is_wanted:
                button.setFont(font)
                button.ensurePolished()  # the style sheet has a say in its size
                button.setEnabled(not busy or name in ("stop", "copy"))
        if len(message.siblings) > 1:
            if self._stepper is None:
                self._stepper = SiblingStepper(self)
                self._stepper.stepped.connect(lambda by: self.chosen.emit("sibling", by))
            self._stepper.show_message(message, busy=busy)
            self._stepper.show()
        elif self._stepper is not None:
            self._stepper.hide()
        self._place()

    def reset(self) -> None:
        """Forget the message shown: the footer serves another one next."""
        self._shown = None
        if self._copied.isActive():
            self._copied.stop()
            self._show_copy()

    def _button(self, name: str) -> QToolButton:
        button = self._buttons.get(name)
        if button is None:
            labels = {
                "stop": self.tr("Stop"),
                "continue": self.tr("Continue"),
                "retry": self.tr("Try again"),
            }
            if name == "copy":
                button = small_button(self, "copy", self.tr("Copy this answer"))
                button.clicked.connect(self._copy_clicked)
            else:
                button = small_button(self, name, labels[name], text=labels[name])
                button.clicked.connect(lambda: self.chosen.emit(name, 0))
            self._buttons[name] = button
        return button

    def _copy_clicked(self) -> None:
        self.chosen.emit("copy", 0)
        show(self._buttons["copy"], "check", self.tr("Copied"), colour="ok")
        self._copied.start()

    def _show_copy(self) -> None:
        if "copy" in self._buttons:
            show(self._buttons["copy"], "copy", self.tr("Copy this answer"))

    # --- geometry: by hand, for room that is kept free ---

    def height_for(self, width: int) -> int:
        """What it takes at a width, in pixels."""
        heights = [button.sizeHint().height() for button in self.buttons]
        return max(self._line.heightForWidth(self._line_room(width).width()), *heights, 1)

    def room(self) -> QRect:
        """Where the toolbar may lie: right of the words, left of the buttons, in line with them."""
        line = self._line.geometry()
        left = line.left() + min(self._line.sizeHint().width() + self._gap, line.width())
        row = max(self._line.sizeHint().height(), *(one.height() for one in self.buttons), 1)
        right = self._line_end(self.width()) - 1
        return QRect(QPoint(left, 0), QPoint(right, min(row, self.height()) - 1))

    @property
    def _gap(self) -> int:
        return theme.current().space.xs

    def _line_end(self, width: int) -> int:
        """Where the buttons at the right begin."""
        return width - sum(button.sizeHint().width() + self._gap for button in self.buttons)

    def _line_room(self, width: int) -> QRect:
        left = BEARING
        if self.stepper is not None:
            left = self.stepper.sizeHint().width() + self._gap
        # One button's room is left for the toolbar, however long the words are.
        spare = self._line.sizeHint().height() + self._gap
        return QRect(left, 0, max(40, self._line_end(width) - spare - left), self.height())

    def _place(self) -> None:
        self._line.setGeometry(self._line_room(self.width()))
        if self.stepper is not None:
            size = self.stepper.sizeHint()
            self.stepper.setGeometry(0, 0, size.width(), size.height())
        x = self._line_end(self.width())
        for button in self.buttons:
            size = button.sizeHint()
            x += self._gap
            button.setGeometry(x, 0, size.width(), size.height())
            x += size.width()

    def event(self, event: QEvent) -> bool:
        """A button wants another size, as with another theme."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self._place()
