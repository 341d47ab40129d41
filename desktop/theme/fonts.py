"""The bundled faces: Inter for text, JetBrains Mono for code (both OFL)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtGui import QFontDatabase

ASSETS: Final = Path(__file__).resolve().parent.parent.parent / "assets"
FIRST_FACES: Final = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf")
OTHER_FACES: Final = (
    "Inter-Italic.otf",
    "Inter-SemiBoldItalic.otf",
    "JetBrainsMono-Regular.ttf",
    "JetBrainsMono-Italic.ttf",
    "JetBrainsMono-SemiBold.ttf",
)
FACES: Final = FIRST_FACES + OTHER_FACES

_loaded: dict[str, int] = {}


def load(faces: tuple[str, ...] = FACES) -> bool:
    """Register the faces that are not yet, for the life of the process.

    The window's first paint needs only `FIRST_FACES`; the others follow before the first
    message is laid out. Returns False where a face is missing or broken: the system's own
    faces, named after ours in each font's list, then stand in.
    """
    for face in faces:
        if face not in _loaded:
            _loaded[face] = QFontDatabase.addApplicationFont(str(ASSETS / "fonts" / face))
    return all(_loaded[face] >= 0 for face in faces)
