"""The monitor in a window of its own."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Signal
from PySide6.QtGui import QAction, QCloseEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.views.monitor.monitor_panel import LEAST_WIDTH, MonitorPanel

SIZE = QSize(760, 860)
LEAST_HEIGHT = 320


class MonitorWindow(QWidget):
    """Holds the panel while it is detached.

    Args:
        actions: of the chats' window that work here, too.

    Signals:
        close_wanted: its frame's close button.
        moved: its place or size is another.
    """

    close_wanted = Signal()
    moved = Signal()

    def __init__(self, actions: list[QAction], geometry: str = "") -> None:
        super().__init__()
        self.setWindowTitle(self.tr("Monitor – Inglenook"))
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.resize(SIZE)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.addActions(actions)
        if geometry:
            self.restoreGeometry(
                QByteArray.fromBase64(QByteArray(geometry.encode("ascii", "ignore")))
            )

    def take(self, panel: MonitorPanel) -> None:
        """Hold the panel."""
        self._column.addWidget(panel)
        panel.show()

    def geometry_text(self) -> str:
        """Its place, in base64."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def closeEvent(self, event: QCloseEvent) -> None:
        """It is put away, and kept."""
        event.accept()
        self.close_wanted.emit()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Its place is remembered."""
        super().moveEvent(event)
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Its size is remembered."""
        super().resizeEvent(event)
        self.moved.emit()
