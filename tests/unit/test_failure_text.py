"""The engine's failures are told in the user's language, with the values they carry."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale

from desktop.models import failure_text
from desktop.models.failure_text import translated_text
from engine import failures
from engine.protocol import Failure, Remedy, RemedyAction, Scope
from engine.quantize import refusal_words
from tests.helpers.failure_table import ROWS, SAME_IN_GERMAN


@pytest.fixture
def reversed_language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A language in which every sentence has its places in another order."""
    known = failure_text.engine_texts()

    def translate(source: str) -> str:
        if source not in known:
            return source
        places = re.findall(r"\{\w+\}", source)
        return " ".join([f"<{known.index(source)}>", *reversed(places)])

    monkeypatch.setattr(failure_text, "_translate", translate)
    before = QLocale()
    QLocale.setDefault(QLocale("de"))
    yield
    QLocale.setDefault(before)


def test_english_stays_as_it_is(qapp: QCoreApplication) -> None:
    for row in ROWS:
        failure = failures.explain(Scope.LOAD, row.texts[0])
        assert failure_text.translated(failure) == failure


def test_every_text_is_found_again_whatever_fills_it(
    qapp: QCoreApplication, reversed_language: None
) -> None:
    for number, source in enumerate(failure_text.engine_texts()):
        places = re.findall(r"\{(\w+)\}", source)
        values = {place: f"Some {place}" for place in places}
        told = translated_text(source.format(**values))
        assert told == " ".join([f"<{number}>", *(values[each] for each in reversed(places))])


def test_every_failure_of_the_table_is_translated_with_its_remedies(
    qapp: QCoreApplication, reversed_language: None
) -> None:
    for row in ROWS:
        for text in row.texts:
            told = failure_text.translated(failures.explain(Scope.LOAD, text))
            assert told.cause.startswith("<")
            assert all(remedy.label.startswith("<") for remedy in told.remedies)


def test_numbers_are_written_as_the_language_does(
    qapp: QCoreApplication, reversed_language: None
) -> None:
    told = failure_text.translated(failures.explain(Scope.LOAD, ROWS[1].texts[0]))
    assert told.cause.endswith(" 3,52 16,0 131.072")
    assert told.remedies[0].label.endswith(" 28.832")
    in_use = failures.explain(Scope.LOAD, ROWS[3].texts[0])
    assert failure_text.translated(in_use).cause.endswith(" 23,55 15,31 21,2")


def test_names_are_no_numbers(qapp: QCoreApplication, reversed_language: None) -> None:
    told = translated_text("The chat template 1000.5 cannot be read (it is empty).")
    assert told.endswith(" it is empty 1000.5")


def test_what_is_no_text_of_the_engine_stays(qapp: QCoreApplication, german: None) -> None:
    failure = Failure(
        Scope.LOAD, "{strange} %1 text", remedies=(Remedy("{label}", RemedyAction.RETRY),)
    )
    assert failure_text.translated(failure) == failure


@pytest.mark.usefixtures("german")
def test_every_cause_and_remedy_of_the_tables_is_german() -> None:
    for text in failure_text.engine_texts():
        german = QCoreApplication.translate(failure_text.CONTEXT, text)
        assert (german == text) == (text in SAME_IN_GERMAN)
    failure = failures.explain(Scope.LOAD, ROWS[0].texts[0])
    told = failure_text.translated(failure)
    assert told.cause != failure.cause
    assert told.detail == failure.detail
    assert [remedy.action for remedy in told.remedies] == [r.action for r in failure.remedies]


@pytest.mark.usefixtures("german")
def test_texts_and_sizes_within_a_text_are_translated_too() -> None:
    fault = refusal_words.SHORT.format(count=4, least=32)
    sample = refusal_words.SAMPLE_BEGINS.format(number=3, line="1,042")
    told = translated_text(refusal_words.FAULT.format(sample=sample, start="Yes", fault=fault))
    assert told == "Probe 3 (Zeile 1.042), „Yes…“: 4 Token, zu kurz; mindestens 32 sind nötig."
    text = refusal_words.NO_DISK.format(needed="1.5 GiB", folder="/a 1.5 GiB", free="512 MiB")
    assert translated_text(text).startswith(
        "Das quantisierte Modell braucht 1,5 GiB in /a 1.5 GiB; 512 MiB sind frei."
    )


@pytest.mark.usefixtures("german")
def test_what_a_library_says_stays_behind_a_german_beginning() -> None:
    failure = failures.explain(Scope.LOAD, "ValueError: something unheard of")
    told = failure_text.translated(failure).cause
    assert told == "Das Modell konnte nicht geladen werden: ValueError: something unheard of"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("sign", ["\u202a", "\u202e", "\u2066", "\u2069"])
def test_a_path_turns_nothing_of_the_sentence(sign: str) -> None:
    told = translated_text(f"There is no model folder at /models/{sign}evil.")
    assert told == translated_text("There is no model folder at /models/evil.")
    assert translated_text(f"What nobody knows of {sign}it.") == "What nobody knows of it."
