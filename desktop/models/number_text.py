"""Numbers as the user's language writes them: 8,192 or 8.192, 0.5 or 0,5."""

from __future__ import annotations

from PySide6.QtCore import QLocale


def whole(number: int) -> str:
    """A whole number, its thousands set apart."""
    return _locale().toString(number)


def decimal(number: float, digits: int = 1) -> str:
    """A number with `digits` digits after the point, its thousands set apart."""
    return _locale().toString(float(number), "f", digits)


def _locale() -> QLocale:
    locale = QLocale()
    # A system without a language ("C") would run all digits together.
    return QLocale(QLocale.Language.English) if locale.language() == QLocale.Language.C else locale
