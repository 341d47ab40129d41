"""Translations: English in the sources, the others as Qt's compiled files beside this module.

Whoever starts in English loads nothing. `inglenook_de.ts` is kept in step with the code by
`python -m desktop.i18n.update` (the tools come with PySide6) and by a test.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication, QTranslator

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
    for name in _wanted():
        short = name.replace("_", "-").partition("-")[0].partition(".")[0]
        if short in LANGUAGE_NAMES:
            return short
    return SOURCE_LANGUAGE


def _wanted() -> list[str]:
    """The user's languages, the dearest first, as gettext and Qt find them.

    Qt itself is not asked: its locales take 7 ms of a start to load.
    """
    environment = os.environ
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    first = next((name for name in names if name), "")
    if first.partition(".")[0] in ("", "C", "POSIX"):
        return []
    return [*filter(None, environment.get("LANGUAGE", "").split(":")), first]


class _InForce:
    """What is installed. (Asking the application for its translators takes 6 ms at first.)"""

    language = SOURCE_LANGUAGE
    translators: ClassVar[list[QTranslator]] = []


def install(application: QCoreApplication, language: str) -> str:
    """Translate the program, Qt's own buttons included; the language that is in force.

    Must come before any widget is made. `install_rest` follows.
    """
    language = _InForce.language = chosen(language)
    _forget(application)
    if language != SOURCE_LANGUAGE:
        from PySide6.QtCore import QLibraryInfo

        qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        _load(application, qt / f"qtbase_{language}.qm")
        _load(application, FOLDER / f"inglenook_{language}.qm")
    return language


def install_rest(application: QCoreApplication) -> None:
    """What can wait for the first paint, which has neither numbers nor dates.

    They follow the language, in the system's own way where that speaks it. And English learns
    to count ("1 chat", "2 chats"): to Qt plural forms are a translation.
    """
    from PySide6.QtCore import QLocale

    if QLocale.system().name().partition("_")[0] != _InForce.language:
        QLocale.setDefault(QLocale(_InForce.language))
    if _InForce.language == SOURCE_LANGUAGE:
        _forget(application)
        _load(application, FOLDER / f"inglenook_{SOURCE_LANGUAGE}.qm")


def _forget(application: QCoreApplication) -> None:
    for translator in _InForce.translators:
        application.removeTranslator(translator)
    _InForce.translators.clear()


def _load(application: QCoreApplication, file: Path) -> None:
    from PySide6.QtCore import QTranslator

    translator = QTranslator()
    if translator.load(str(file)):
        application.installTranslator(translator)
        _InForce.translators.append(translator)
    else:
        log.warning("The translation %s cannot be read", file)
