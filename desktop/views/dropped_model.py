"""Tells a model that is dragged from the files that are attached to a chat."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData

GGUF = ".gguf"


def dropped_model(data: QMimeData) -> Path | None:
    """The folder, or the GGUF file, that is dragged alone; None for all else."""
    urls = data.urls() if data.hasUrls() else []
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    try:
        return path if path.suffix.lower() == GGUF or path.is_dir() else None
    except OSError:
        return None
