"""Puts a theme on the application and keeps it in step with the system's."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication

from desktop.theme import fonts, restyle, stylesheet
from desktop.theme.tokens import CONTRAST, DARK, LIGHT, Theme

_SCHEMES = {
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "contrast": Qt.ColorScheme.Dark,
}


class Notifier(QObject):
    """Says when the theme changed.

    Signals:
        changed: the new Theme; already on the application when it is sent.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.mode = "system"
        self.application: QApplication | None = None

    def follow_system(self) -> None:
        """Slot: the desktop went light or dark, or wants more contrast."""
        if self.application is not None and self.mode == "system":
            apply(self.application, self.mode, int(self.theme.body))


_notifier: Notifier | None = None


def notifier() -> Notifier:
    """The one notifier of the process."""
    global _notifier
    if _notifier is None:
        _notifier = Notifier()
    return _notifier


def current() -> Theme:
    """The theme in force; the light one before the first `apply`."""
    return notifier().theme


def apply(app: QApplication, mode: str, font_size: int) -> Theme:
    """Load the fonts, choose the palette and style the whole application.

    Args:
        app: the application.
        mode: "system", "light", "dark" or "contrast"; anything else counts as "system".
        font_size: the body's size in points.
    """
    state = notifier()
    hints = app.styleHints()
    if state.application is None:
        fonts.load(fonts.FIRST_FACES)
        # The style is Fusion: the only one of PySide6's wheels on Linux. Asking for it, or
        # setting it, would load QStyle and its enums for 10 ms of every start.
        hints.colorSchemeChanged.connect(state.follow_system)
        hints.accessibility().contrastPreferenceChanged.connect(state.follow_system)
        state.application = app
    state.mode = mode
    wanted = _SCHEMES.get(mode, Qt.ColorScheme.Unknown)
    # The window's frame follows too. Emits colorSchemeChanged, which follow_system may
    # answer only for "system": then the values below are already the final ones.
    hints.setColorScheme(wanted)
    theme = _chosen(mode, hints).with_size(font_size)
    if theme == state.theme and app.styleSheet():
        return theme
    app.setPalette(palette(theme))
    app.setFont(theme.text_font())
    sheet = stylesheet.build(theme)
    if app.styleSheet():
        restyle.restyle(app, sheet)
    else:
        app.setStyleSheet(sheet)
    # Not sooner: a widget that set itself a font of the new theme while the old sheet goes would
    # get its old one back with the new sheet.
    state.theme = theme
    state.changed.emit(theme)
    return theme


def _chosen(mode: str, hints: QStyleHints) -> Theme:
    if mode == "contrast":
        return CONTRAST
    scheme = _SCHEMES.get(mode)
    if scheme is None:
        if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
            return CONTRAST
        scheme = hints.colorScheme()
    return DARK if scheme == Qt.ColorScheme.Dark else LIGHT


def palette(theme: Theme) -> QPalette:
    """Qt's palette from the tokens, for what the style sheet does not reach."""
    result = QPalette()
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.ground,
        role.WindowText: theme.text,
        role.Base: theme.page,
        role.AlternateBase: theme.sunken,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.danger,
        role.Highlight: theme.selection,
        role.HighlightedText: theme.text,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.faint,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Accent: theme.accent,
        role.Light: theme.page,
        role.Midlight: theme.hover,
        role.Mid: theme.line,
        role.Dark: theme.pressed,
        role.Shadow: theme.faint,
    }
    for which, value in colours.items():
        result.setColor(which, QColor(value))
    for which in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.faint))
    return result
