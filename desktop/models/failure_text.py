"""The engine's failures, and what `doctor` finds, in the user's language.

Both speak English: they know no Qt. What they say is made from texts with named {places}
(`engine.failure_words`), which the extraction takes over under the context "Failures". Here
the text is found again that a sentence was made from: its translation gets the same values,
numbers written as the language writes them.
"""

from __future__ import annotations

import functools
import importlib
import re
from typing import Final

import msgspec
from PySide6.QtCore import QCoreApplication, QLocale

from desktop.chats.names import unsteered
from desktop.i18n import QT_TRANSLATE_NOOP
from engine.protocol import Failure

CONTEXT: Final = "Failures"
DRIVER_CONTEXT: Final = "Hardware"  # of what ails the driver, which `doctor` passes on
# What stands in no table of the engine's: of the link, and of the engine's own small words.
OTHERS: Final = (
    QT_TRANSLATE_NOOP("Failures", "The engine gave this answer up. The log may say why."),
    QT_TRANSLATE_NOOP("Failures", "The model is not loaded yet."),
    QT_TRANSLATE_NOOP("Failures", "This chat is too large to hand to the engine."),
    QT_TRANSLATE_NOOP(
        "Failures",
        "The path of this model is not valid UTF-8. Rename its folder, then choose it again.",
    ),
    QT_TRANSLATE_NOOP(
        "Failures", "This engine already has a model; a new model needs a new engine."
    ),
    QT_TRANSLATE_NOOP(
        "Failures", "The window and the engine do not understand each other; restart Inglenook."
    ),
    QT_TRANSLATE_NOOP("Failures", "Start it again"),
    QT_TRANSLATE_NOOP(
        "Failures",
        "The engine could not be started: {reason}. Run ./packaging/run to repair ({python}).",
    ),
    QT_TRANSLATE_NOOP(
        "Failures",
        "The engine stopped {deaths} times in a row (the last time with signal {signal}).",
    ),
    QT_TRANSLATE_NOOP(
        "Failures",
        "The engine stopped {deaths} times in a row (the last time with exit code {code}).",
    ),
)
_PLACE = re.compile(r"\{(\w+)\}")
_SIZE = re.compile(r"(\S+) ([kMGT]i?B|B)")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?")
# Their values may be figures, but are no numbers.
_NAMES: Final = frozenset(
    (
        *("name", "file", "folder", "version", "method", "gpu", "python", "code"),
        *("capability", "command", "cuda", "cuda_needed", "mode", "target", "uid", "versions"),
    )
)


def engine_texts() -> list[str]:
    """Every text that the engine makes its failures from, and `doctor` its findings, each once."""
    from desktop.terminal.doctoring import TEXT_MODULES
    from engine.failures import all_texts

    for name in TEXT_MODULES:
        importlib.import_module(name)
    return [text for text in all_texts() if text not in OTHERS]


def translated(failure: Failure) -> Failure:
    """`failure` with its cause and its remedies' labels translated; its detail stays."""
    remedies = tuple(
        msgspec.structs.replace(remedy, label=translated_text(remedy.label))
        for remedy in failure.remedies
    )
    return msgspec.structs.replace(failure, cause=translated_text(failure.cause), remedies=remedies)


def translated_text(text: str) -> str:
    """A sentence of the engine's, in the user's language; as it is where it is not known.

    A path or a name in it turns nothing of what follows.
    """
    return unsteered(_translated(text))


def _translated(text: str) -> str:
    same = _translate(text)
    if same != text:
        return same
    for pattern, pieces, source in _patterns():
        if not all(piece in text for piece in pieces):
            continue  # a long text with many commas keeps a pattern busy for seconds
        match = pattern.fullmatch(text)
        if match is None:
            continue
        target = _translate(source)
        if target == source:
            return text
        return _filled(target, match.groupdict())
    return text


def _filled(text: str, values: dict[str, str]) -> str:
    """`text` with its places filled; a translation may turn them about."""
    return _PLACE.sub(
        lambda place: _localised(place[1], values[place[1]]) if place[1] in values else place[0],
        text,
    )


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], list[str], str], ...]:
    """For each text with places, what it becomes, and its own words between the places.

    Those with the most words of their own come first.
    """
    known = (*engine_texts(), *OTHERS, *_driver_texts())
    sources = [text for text in known if _PLACE.search(text)]
    sources.sort(key=lambda text: -len(_PLACE.sub("", text)))
    return tuple((_pattern_of(text), _PLACE.split(text)[::2], text) for text in sources)


def _pattern_of(source: str) -> re.Pattern[str]:
    parts: list[str] = []
    seen: set[str] = set()
    at = 0
    for place in _PLACE.finditer(source):
        parts.append(re.escape(source[at : place.start()]))
        name = place[1]
        parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>.+?)")
        seen.add(name)
        at = place.end()
    parts.append(re.escape(source[at:]))
    return re.compile("".join(parts), re.DOTALL)


def _localised(name: str, value: str) -> str:
    """A number as the language writes it; a phrase that is a text of its own, translated."""
    if name in _NAMES:
        return value
    if size := _SIZE.fullmatch(value):
        return f"{_localised(name, size[1])} {size[2]}"
    if _NUMBER.fullmatch(value):
        digits = len(value.partition(".")[2])
        return QLocale().toString(float(value.replace(",", "")), "f", digits)
    return translated_text(value)


def _translate(text: str) -> str:
    context = DRIVER_CONTEXT if text in _driver_texts() else CONTEXT
    return QCoreApplication.translate(context, text)


@functools.cache
def _driver_texts() -> frozenset[str]:
    from desktop.hardware.nvml_errors import templates

    return frozenset(templates())
