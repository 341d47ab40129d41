"""The bundled faces: Inter for text, JetBrains Mono for code (both OFL)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtGui import QFontDatabase

ASSETS: Final = Path(__file__).resolve().parent.parent.parent / "assets"
FACES: Final = (
    "Inter-Regular.otf",
    "Inter-Italic.otf",
    "Inter-Medium.otf",
    "Inter-SemiBold.otf",
    "Inter-SemiBoldItalic.otf",
    "JetBrainsMono-Regular.ttf",
    "JetBrainsMono-Italic.ttf",
    "JetBrainsMono-SemiBold.ttf",
)

_loaded: list[int] = []


def load() -> bool:
    """Register the faces, once for the life of the process.

    Returns False where a face is missing or broken: the system's own faces, named
    after ours in each font's list, then stand in.
    """
    if not _loaded:
        for face in FACES:
            _loaded.append(QFontDatabase.addApplicationFont(str(ASSETS / "fonts" / face)))
    return all(number >= 0 for number in _loaded)
