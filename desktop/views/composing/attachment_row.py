"""The texts that go with the next message, as chips above the field: name, size, remove."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from desktop import theme
from desktop.chats.chat import Attachment
from desktop.models.tip_text import tip_text
from desktop.models.writing.attachment_reader import MAX_FILES, MAX_TOTAL, size_text
from desktop.views.icons import icon

_ICON_SIZE = 16
_NAME_WIDTH = 28  # average letters of a name, then it is cut in its middle


class _Chip(QFrame):
    """One text.

    Signals:
        opened: the user wants to see it.
        removed: the user takes it away.
    """

    opened = Signal()
    removed = Signal()

    def __init__(self, name: str, detail: str, parent: QWidget) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "raised")
        self._name = name
        self.open_button = QPushButton()
        self.open_button.setProperty("kind", "quiet")
        self.open_button.setIcon(icon("file", "muted"))
        self.open_button.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.open_button.setToolTip(tip_text(name))
        self.open_button.setAccessibleName(
            self.tr("Attached: {name}, {size}").format(name=name, size=detail)
        )
        self.open_button.clicked.connect(self.opened)
        self._detail = QLabel(detail)
        self._detail.setProperty("role", "muted")
        self.remove_button = QToolButton()
        self.remove_button.setIcon(icon("close", "muted"))
        self.remove_button.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        label = self.tr("Remove {name}").format(name=name)
        self.remove_button.setAccessibleName(label)
        self.remove_button.setToolTip(tip_text(label))
        self.remove_button.clicked.connect(self.removed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(space.xs, 0, space.xs, 0)
        layout.setSpacing(space.xs)
        layout.addWidget(self.open_button)
        layout.addWidget(self._detail)
        layout.addWidget(self.remove_button)
        self.fit()

    def fit(self, width: int = 0) -> None:
        """A name that is too long loses its middle: its end tells the kind.

        `width`: pixels that the chip has, if they are few.
        """
        metrics = self.open_button.fontMetrics()
        room = metrics.averageCharWidth() * _NAME_WIDTH
        if width:
            now = metrics.horizontalAdvance(self.open_button.text())
            room = min(room, max(0, width - (self.sizeHint().width() - now)))
        elided = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)
        self.open_button.setText(elided.replace("&", "&&"))


class AttachmentRow(QWidget):
    """Holds the attachments; hidden while there are none.

    Signals:
        changed: one came or went.
        view_requested: the `Attachment` to show.
        refused: in the user's words, why a text was not taken.
    """

    changed = Signal()
    view_requested = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._attachments: tuple[Attachment, ...] = ()
        self._reading: list[str] = []
        self._chips: list[_Chip] = []
        self.setAccessibleName(self.tr("Attached texts"))
        self.hide()
        theme.notifier().changed.connect(self._on_theme_changed)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """What goes with the next message."""
        return self._attachments

    def set_attachments(self, attachments: Sequence[Attachment]) -> None:
        """Show these instead."""
        if tuple(attachments) != self._attachments:
            self._attachments = tuple(attachments)
            self._rebuild()
            self.changed.emit()

    def add(self, attachment: Attachment) -> bool:
        """Take one more; False, with `refused`, if that is too much."""
        total = sum(len(a.content) for a in self._attachments) + len(attachment.content)
        if len(self._attachments) >= MAX_FILES:
            self.refused.emit(
                self.tr("At most {count} texts go with one message.").format(count=MAX_FILES)
            )
            return False
        if total > MAX_TOTAL:
            self.refused.emit(
                self.tr("{name} is too much: together the texts would have {size}.").format(
                    name=attachment.name, size=size_text(total)
                )
            )
            return False
        self.set_attachments((*self._attachments, attachment))
        return True

    def remove(self, attachment_id: str) -> None:
        """Take one away."""
        self.set_attachments([a for a in self._attachments if a.id != attachment_id])

    def set_reading(self, names: Sequence[str]) -> None:
        """These files are being read."""
        self._reading = list(names)
        self._rebuild()

    # --- Qt ------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks the rows elsewhere."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            for chip in self._chips:
                chip.fit()
            self._arrange()

    def event(self, event: QEvent) -> bool:
        """A chip has another size: the style sheet came, or another text size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    # --- inside ----------------------------------------------------------------------

    def _rebuild(self) -> None:
        focused = next(
            (i for i, chip in enumerate(self._chips) if chip.remove_button.hasFocus()), -1
        )
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for attachment in self._attachments:
            chip = _Chip(attachment.name, size_text(len(attachment.content)), self)
            chip.opened.connect(lambda a=attachment: self.view_requested.emit(a))
            chip.removed.connect(lambda a=attachment: self.remove(a.id))
            self._chips.append(chip)
        for name in self._reading:
            chip = _Chip(name, self.tr("being read…"), self)
            chip.open_button.setEnabled(False)
            chip.remove_button.hide()
            self._chips.append(chip)
        for chip in self._chips:
            chip.show()
        self.setVisible(bool(self._chips))
        if focused >= 0 and self._attachments:
            self._chips[min(focused, len(self._attachments) - 1)].remove_button.setFocus()
        self._arrange()

    def _on_theme_changed(self) -> None:
        for chip in self._chips:
            chip.fit()
        self._arrange()

    def _arrange(self) -> None:
        self.setFixedHeight(max(1, self._place(self.width(), move=True)))

    def _place(self, width: int, *, move: bool) -> int:
        """Put the chips in rows; the height in pixels they need."""
        space = theme.current().space
        x = y = row = 0
        for chip in self._chips:
            if chip.sizeHint().width() > width and move:
                chip.fit(width)
            size = chip.sizeHint()
            wide = min(size.width(), max(width, 1))
            if x and x + wide > width:
                x, y, row = 0, y + row + space.xs, 0
            if move:
                chip.setGeometry(x, y, wide, size.height())
            x += wide + space.xs
            row = max(row, size.height())
        return y + row
