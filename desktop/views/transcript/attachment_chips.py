"""The texts that went with a message: their names and sizes, to open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop import theme
from desktop.chats.chat import Attachment
from desktop.models.tip_text import tip_text
from desktop.views.transcript.buttons import small_button

_WIDEST: Final = 320  # pixels


class _Chip(QToolButton):
    def paintEvent(self, event: QPaintEvent) -> None:
        """A hairline around what a tool button shows."""
        tokens = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(tokens.line), 1))
            painter.setBrush(QColor(tokens.page))
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(box, tokens.radius_small, tokens.radius_small)
        super().paintEvent(event)


class AttachmentChips(QWidget):
    """One chip for each attachment, in as many rows as it takes.

    Signals:
        opened: the id of the attachment to show.
    """

    opened = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._attachments: tuple[Attachment, ...] = ()
        self._chips: list[_Chip] = []

    def show_attachments(self, attachments: Sequence[Attachment]) -> None:
        """Show these."""
        font = theme.current().figure_font()
        if tuple(attachments) != self._attachments:
            self._attachments = tuple(attachments)
            for chip in self._chips:
                chip.hide()
                chip.deleteLater()
            self._chips = [self._chip(attachment) for attachment in attachments]
        for chip, attachment in zip(self._chips, self._attachments, strict=True):
            chip.setFont(font)
            chip.ensurePolished()
            size = QLocale().formattedDataSize(
                len(attachment.content.encode("utf-8", "surrogatepass")), 1
            )
            metrics = chip.fontMetrics()
            room = _WIDEST - metrics.horizontalAdvance(size) - 3 * chip.iconSize().width()
            name = metrics.elidedText(attachment.name, Qt.TextElideMode.ElideMiddle, room)
            chip.setText(f"{name} · {size}".replace("&", "&&"))
            label = self.tr("Show the attachment {name}, {size}").format(
                name=attachment.name, size=size
            )
            chip.setToolTip(tip_text(label))
            chip.setAccessibleName(label)

    def _chip(self, attachment: Attachment) -> _Chip:
        plain = small_button(self, "file", attachment.name)
        chip = _Chip(self)
        chip.setIcon(plain.icon())
        chip.setIconSize(plain.iconSize())
        chip.setFocusPolicy(plain.focusPolicy())
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.clicked.connect(lambda: self.opened.emit(attachment.id))
        plain.deleteLater()
        chip.show()
        return chip

    def height_for(self, width: int) -> int:
        """What the chips take at a width, in pixels."""
        places = self._places(width)
        return places[-1][1] + places[-1][2].height() if places else 0

    def _places(self, width: int) -> list[tuple[int, int, QSize]]:
        space = theme.current().space
        x = y = 0
        result: list[tuple[int, int, QSize]] = []
        for chip in self._chips:
            size = chip.sizeHint().boundedTo(QSize(max(width, 1), 10_000))
            if x and x + size.width() > width:
                x, y = 0, y + size.height() + space.xs
            result.append((x, y, size))
            x += size.width() + space.s
        return result

    def focus_stops(self) -> list[QWidget]:
        """The chips."""
        return list(self._chips)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        """Put the chips where they belong."""
        for chip, (x, y, size) in zip(self._chips, self._places(self.width()), strict=True):
            chip.setGeometry(x, y, size.width(), size.height())
