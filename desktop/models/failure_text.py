"""The engine's failures in the user's language.

The engine speaks English: it knows no Qt. What it says comes from tables
(`engine.failures`), whose texts the extraction takes over under the context "Failures".
"""

from __future__ import annotations

from typing import Final

import msgspec
from PySide6.QtCore import QCoreApplication

from desktop.i18n import QT_TRANSLATE_NOOP
from engine.protocol import Failure

CONTEXT: Final = "Failures"
# What stands in no table.
OTHERS: Final = (
    QT_TRANSLATE_NOOP("Failures", "The engine gave this answer up. The log may say why."),
    QT_TRANSLATE_NOOP("Failures", "The model is not loaded yet."),
    QT_TRANSLATE_NOOP("Failures", "This chat is too large to hand to the engine."),
    QT_TRANSLATE_NOOP(
        "Failures",
        "The path of this model is not valid UTF-8. Rename its folder, then choose it again.",
    ),
    QT_TRANSLATE_NOOP("Failures", "Shorten the message"),
    QT_TRANSLATE_NOOP("Failures", "Rebuild the starter model"),
    QT_TRANSLATE_NOOP("Failures", "Start it again"),
)
# Before a colon and what the engine's own libraries say.
BEGINNINGS: Final = (
    QT_TRANSLATE_NOOP("Failures", "The model could not be loaded"),
    QT_TRANSLATE_NOOP("Failures", "The answer failed"),
    QT_TRANSLATE_NOOP("Failures", "The engine failed"),
)


def engine_texts() -> list[str]:
    """Every text of the engine's tables, each once."""
    from engine import failures

    found: dict[str, None] = {}
    for rule in failures.RULES:
        found[rule.cause] = None
        found.update(dict.fromkeys(remedy.label for remedy in rule.remedies))
    return list(found)


def translated(failure: Failure) -> Failure:
    """`failure` with its cause and its remedies' labels translated; its detail stays."""
    remedies = tuple(
        msgspec.structs.replace(remedy, label=_translated(remedy.label))
        for remedy in failure.remedies
    )
    return msgspec.structs.replace(failure, cause=_cause(failure.cause), remedies=remedies)


def _cause(cause: str) -> str:
    for beginning in BEGINNINGS:
        if cause.startswith(f"{beginning}: "):
            return f"{_translated(beginning)}{cause[len(beginning) :]}"
    return _translated(cause)


def _translated(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)
