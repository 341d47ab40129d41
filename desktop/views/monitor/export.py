"""The monitor in files: a picture of all that it shows, and tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QPoint, QSize
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop import theme

translate = QCoreApplication.translate

LARGEST: Final = 16_000  # pixels of a side; a picture of a screen is far from it


def picture_of(parts: Sequence[QWidget], caption: str) -> QImage:
    """The parts below each other as they are on the screen, with a line that says what it is."""
    look = theme.current()
    space = look.space
    shown = [part for part in parts if part.width() and part.height()]
    lefts = [part.mapTo(part.window(), QPoint()).x() for part in shown]
    lefts = [left - min(lefts) for left in lefts]  # some stand further in
    width = max((left + part.width() for left, part in zip(lefts, shown, strict=True)), default=1)
    font = look.figure_font()
    line = QFontMetrics(font).height() + 2 * space.s
    height = sum(part.height() for part in shown) + line
    scale = shown[0].devicePixelRatioF() if shown else 1.0
    scale = min(scale, LARGEST / max(width, height))
    image = QImage(QSize(round(width * scale), round(height * scale)), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(look.colour("sidebar"))
    flags = QWidget.RenderFlag.DrawChildren
    with QPainter(image) as painter:
        top = 0
        for left, part in zip(lefts, shown, strict=True):
            part.render(painter, QPoint(left, top), renderFlags=flags)
            top += part.height()
        painter.setFont(font)
        painter.setPen(look.colour("muted"))
        metrics = QFontMetrics(font)
        painter.drawText(QPoint(space.m, top + space.s + metrics.ascent()), caption)
    return image


def png(image: QImage) -> bytes:
    """A picture as PNG."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def write_file(path: Path, content: bytes) -> str:
    """Replace a file in one step; in words why that cannot be, else ""."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        return translate(
            "MonitorExport", "{path} cannot be written ({reason}). Choose another place."
        ).format(path=path, reason=error.strerror or error)
    return ""


def ask_file(
    parent: QWidget,
    title: str,
    name: str,
    kind: str,
    then: Callable[[Path], object],
    *,
    existing: bool = False,
) -> QFileDialog:
    """Ask for a file; `then` is called with it.

    Args:
        name: proposed. kind: "Pictures (*.png)"; the ending is added where it is not typed.
        existing: one to be opened, and not one to be written.
    """
    dialog = QFileDialog(parent.window(), title)
    dialog.setNameFilters([kind, translate("MonitorExport", "All files (*)")])
    if existing:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    else:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(Path(name).suffix.lstrip("."))
        dialog.selectFile(name)
    dialog.fileSelected.connect(lambda path: then(Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
