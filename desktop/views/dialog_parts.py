"""What dialogs are made of: labels for texts of anyone's, buttons that say what they do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

_LONG_WORD: Final = re.compile(r"\S{20}(?=\S)")
_BREAK: Final = "\u200b"  # nothing to see; a line may end there
_JOIN: Final = "\u2060"  # nothing to see; no line ends there


def plain_label(words: str = "", role: str = "") -> QLabel:
    """A label that wraps, and takes no markup: a model's name may hold any.

    Args:
        role: of the style sheet; "" for ordinary text.
    """
    label = QLabel(words)
    if role:
        label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setMinimumWidth(1)  # one long word must not push all else out of the window
    return label


def title_label(name: str) -> QLabel:
    """A label for a name, which wraps within a word too: a model's may be one long word."""
    label = plain_label(role="title")
    set_name(label, name)
    return label


def set_name(label: QLabel, name: str) -> None:
    """Have a label show another name, which wraps within a word too."""
    label.setText(_LONG_WORD.sub(rf"\g<0>{_BREAK}", name))
    label.setAccessibleName(name)


def share_baseline(small: QLabel, large: QLabel) -> None:
    """Have two labels in a row that start at the same height stand on one line."""
    for label in (small, large):
        label.ensurePolished()
    lower = large.fontMetrics().ascent() - small.fontMetrics().ascent()
    small.setContentsMargins(0, max(0, lower), 0, 0)


def unbroken(words: str) -> str:
    """Text whose lines do not end within a unit such as "tokens/s"."""
    return words.replace("/", f"/{_JOIN}")


def push_button(words: str, slot: Callable[[], object], kind: str = "") -> QPushButton:
    """A button that Enter presses only where it has the focus, or is made the default.

    Args:
        kind: of the style sheet, such as "primary"; "" for an ordinary one.
    """
    button = QPushButton(words)
    button.setAccessibleName(words.rstrip("…"))
    button.setAutoDefault(False)
    if kind:
        button.setProperty("kind", kind)
    button.clicked.connect(lambda _checked=False: slot())
    return button
