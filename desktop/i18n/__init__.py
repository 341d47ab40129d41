"""Translations: English in the sources, the others as Qt's compiled files beside this module."""

from __future__ import annotations


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark a text that is translated later, in `context`; the extraction knows this name.

    Qt's own function of this name does the same, but says that it returns an object.
    """
    del context
    return text


# In their own words, as a list of languages shows them.
LANGUAGE_NAMES = {"en": "English", "de": "Deutsch"}
