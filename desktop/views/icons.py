"""Line icons drawn for this program, coloured by the theme."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from desktop import theme
from desktop.theme.fonts import ASSETS

SIZES: Final = (16, 20, 24, 32, 48)


def icon(name: str, colour: str = "text") -> QIcon:
    """The icon `name` in a colour token of the theme in force.

    Icons do not change with the theme: ask again on `theme.notifier().changed`.

    Raises:
        FileNotFoundError: there is no such icon.
        KeyError: there is no such colour.
    """
    tokens = theme.current()
    return _render(name, tokens.colour(colour).name(), tokens.colour("faint").name())


@lru_cache(maxsize=256)
def _render(name: str, colour: str, disabled: str) -> QIcon:
    source = (ASSETS / "icons" / f"{name}.svg").read_bytes()
    result = QIcon()
    for mode, value in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        for size in SIZES:
            result.addPixmap(_pixmap(source, value, size), mode)
    return result


def _pixmap(source: bytes, colour: str, size: int) -> QPixmap:
    # Imported on first use: the SVG library is not needed to import a view.
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(source.replace(b"currentColor", colour.encode())))
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
