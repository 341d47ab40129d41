"""Line icons drawn for this program; they take their colour from the theme in force."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap

from desktop import theme
from desktop.theme.fonts import ASSETS

_KEPT: Final = 512  # rendered pixmaps: every icon in a few sizes and colours


def icon(name: str, colour: str = "text") -> QIcon:
    """The icon `name` in a colour token; it follows a change of theme by itself.

    Raises:
        FileNotFoundError: there is no such icon.
        KeyError: there is no such colour.
    """
    theme.current().colour(colour)
    _source(name)
    return QIcon(_ThemedIcon(name, colour))


class _ThemedIcon(QIconEngine):
    """Renders one icon on demand, at the size and scale asked for."""

    def __init__(self, name: str, colour: str) -> None:
        super().__init__()
        self._name = name
        self._colour = colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Paint it where a button wants it."""
        scale = painter.device().devicePixelRatio()
        painter.drawPixmap(rect, self.scaledPixmap(rect.size(), mode, state, scale))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """A pixmap at scale 1."""
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        """A pixmap of `size` device-independent pixels."""
        del state  # on and off look alike: the button's ground tells them apart
        role = "faint" if mode == QIcon.Mode.Disabled else self._colour
        edge = max(1, min(size.width(), size.height()))
        return _render(self._name, theme.current().colour(role).name(), edge, scale)

    def clone(self) -> QIconEngine:
        """Another one like it."""
        return _ThemedIcon(self._name, self._colour)


@lru_cache(maxsize=64)
def _source(name: str) -> bytes:
    return (ASSETS / "icons" / f"{name}.svg").read_bytes()


@lru_cache(maxsize=_KEPT)
def _render(name: str, colour: str, edge: int, scale: float) -> QPixmap:
    # Imported on first use: importing a view must not load the SVG library.
    from PySide6.QtSvg import QSvgRenderer

    source = _source(name).replace(b"currentColor", colour.encode())
    renderer = QSvgRenderer(QByteArray(source))
    pixmap = QPixmap(round(edge * scale), round(edge * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, QRectF(0, 0, edge, edge))
    return pixmap
