"""The small buttons of the page, all alike."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.views import icons

ICON: Final = QSize(16, 16)
# How far a sign is drawn within its button: by so much a button reaches out of the column
# for its sign to stand where the text begins.
BEARING: Final = 9
WORDED_BEARING: Final = 12  # where words stand beside the sign


def small_button(parent: QWidget, icon: str, name: str, *, text: str = "") -> QToolButton:
    """A button with an icon; `name` is its tooltip and what a screen reader says."""
    button = QToolButton(parent)
    # The style sheet's size: one set by hand is lost when its tab goes to another pane.
    button.setProperty("role", "small")
    button.setIconSize(ICON)
    # Tab is led by the message, not by the order in which buttons were made.
    button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    button.setCursor(Qt.CursorShape.ArrowCursor)
    if text:
        button.setText(text)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    show(button, icon, name)
    return button


def show(button: QToolButton, icon: str, name: str, *, colour: str = "muted") -> None:
    """Give a button another icon and name."""
    button.setIcon(icons.icon(icon, colour))
    button.setToolTip(name)
    button.setAccessibleName(name)
