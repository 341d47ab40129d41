"""The engine's failures are told in the user's language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale

from desktop import i18n
from desktop.models import failure_text
from engine import failures
from engine.protocol import Scope


@pytest.fixture
def german(qapp: QCoreApplication) -> Iterator[None]:
    before = QLocale()
    i18n.install(qapp, "de")
    yield
    i18n.install(qapp, "en")
    QLocale.setDefault(before)


def test_english_stays_as_it_is(qapp: QCoreApplication) -> None:
    failure = failures.explain(Scope.LOAD, "RuntimeError: CUDA out of memory")
    assert failure_text.translated(failure) == failure


@pytest.mark.usefixtures("german")
def test_every_cause_and_remedy_of_the_tables_is_german() -> None:
    for text in failure_text.engine_texts():
        assert failure_text._translated(text) != text
    failure = failures.explain(Scope.LOAD, "RuntimeError: CUDA out of memory")
    told = failure_text.translated(failure)
    assert told.cause == "Das Modell passt nicht in den Speicher der GPU."
    assert told.detail == failure.detail
    assert [remedy.action for remedy in told.remedies] == [r.action for r in failure.remedies]


@pytest.mark.usefixtures("german")
def test_what_a_library_says_stays_behind_a_german_beginning() -> None:
    failure = failures.explain(Scope.LOAD, "ValueError: something unheard of")
    assert failure_text.translated(failure).cause == (
        "Das Modell konnte nicht geladen werden: ValueError: something unheard of"
    )
