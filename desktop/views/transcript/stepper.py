"""‹ 2/3 ›: which of several messages at one place is shown, and the way to the others."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from desktop import theme
from desktop.chats.chat import Message
from desktop.views.transcript.buttons import small_button


class SiblingStepper(QWidget):
    """Steps through a message's siblings.

    Signals:
        stepped: by how many: -1 or 1.
    """

    stepped = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._back = small_button(self, "left", self.tr("The version before"))
        self._next = small_button(self, "right", self.tr("The next version"))
        self._back.clicked.connect(lambda: self.stepped.emit(-1))
        self._next.clicked.connect(lambda: self.stepped.emit(1))
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._label.setProperty("role", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self._back, self._label, self._next):
            row.addWidget(widget)

    def show_message(self, message: Message, *, busy: bool) -> None:
        """Show where `message` stands among its siblings, of which there are some."""
        count = len(message.siblings)
        place = message.siblings.index(message.id) + 1 if message.id in message.siblings else 1
        locale = QLocale()
        text = f"{locale.toString(place)}/{locale.toString(count)}"
        font = theme.current().figure_font()
        self._label.setFont(font)
        # As wide as the widest of them, so that the arrows stay where they are.
        widest = f"{locale.toString(count)}/{locale.toString(count)}"
        self._label.setMinimumWidth(QFontMetrics(font).horizontalAdvance(widest))
        self._label.setText(text)
        self._label.setAccessibleName(
            self.tr("Version {place} of {count}").format(place=place, count=count)
        )
        self._back.setEnabled(not busy and place > 1)
        self._next.setEnabled(not busy and place < count)
        self.adjustSize()

    @property
    def text(self) -> str:
        """What it says, for example "2/3"."""
        return self._label.text()

    def focus_stops(self) -> list[QWidget]:
        """The arrows that lead somewhere."""
        return [button for button in self.buttons if button.isEnabled()]

    @property
    def buttons(self) -> list[QToolButton]:
        """Back and on."""
        return [self._back, self._next]

    def sizeHint(self) -> QSize:
        """As its row needs."""
        return self.minimumSizeHint()
