"""Translations: English in the sources, the others as Qt's compiled files beside this module.

Whoever starts in English loads nothing. `inglenook_de.ts` is kept in step with the code by
`python -m desktop.i18n.update` (the tools come with PySide6) and by a test.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

log = logging.getLogger(__name__)

FOLDER: Final = Path(__file__).resolve().parent
# In their own words, as a list of languages shows them.
LANGUAGE_NAMES: Final = {"en": "English", "de": "Deutsch"}
SOURCE_LANGUAGE: Final = "en"


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark a text that is translated later, in `context`; the extraction knows this name.

    Qt's own function of this name does the same, but says that it returns an object.
    """
    del context
    return text


def chosen(language: str) -> str:
    """The language to use: `language`, or the system's where that is empty and we have it."""
    if language in LANGUAGE_NAMES:
        return language
    from PySide6.QtCore import QLocale

    for name in QLocale.system().uiLanguages():
        short = name.replace("_", "-").partition("-")[0]
        if short in LANGUAGE_NAMES:
            return short
    return SOURCE_LANGUAGE


def install(application: QCoreApplication, language: str) -> str:
    """Translate the program, Qt's own buttons included; the language that is in force.

    Must come before any widget is made. Numbers and dates follow the language too, in the
    system's own way where that speaks it.
    """
    from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

    language = chosen(language)
    if QLocale.system().name().partition("_")[0] != language:
        QLocale.setDefault(QLocale(language))
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    if language != SOURCE_LANGUAGE:
        qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        _load(application, qt / f"qtbase_{language}.qm")
        _load(application, FOLDER / f"inglenook_{language}.qm")
    return language


def install_plurals(application: QCoreApplication) -> None:
    """Let English count ("1 chat", "2 chats"), where nothing else is installed.

    To Qt plural forms are a translation. May come after the first paint, which counts nothing.
    """
    from PySide6.QtCore import QTranslator

    if not application.findChildren(QTranslator):
        _load(application, FOLDER / f"inglenook_{SOURCE_LANGUAGE}.qm")


def _load(application: QCoreApplication, file: Path) -> None:
    from PySide6.QtCore import QTranslator

    translator = QTranslator(application)
    if translator.load(str(file)):
        application.installTranslator(translator)
    else:
        translator.setParent(None)
        translator.deleteLater()
        log.warning("The translation %s cannot be read", file)
