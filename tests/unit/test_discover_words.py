"""What the hub tells, in few letters and plain words."""

from __future__ import annotations

import pytest

from desktop.models.library import hub_faults, hub_words
from desktop.models.library.hub_faults import Way
from desktop.models.library.hub_words import Fit
from engine.store.hub.errors import CODES
from engine.store.hub.messages import Failed, Hit, Verdict


def verdict(**values: object) -> Verdict:
    return Verdict(id=1, repo="a/b", **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0"), (999, "999"), (1234, "1.2 k"), (12_345, "12 k"), (9_812_331, "9.8 M"), (-5, "0")],
)
def test_counts_are_short(count: int, words: str) -> None:
    assert hub_words.few_letters(count).replace("\u00a0", " ") == words


@pytest.mark.parametrize(
    ("count", "words"),
    [(494_000_000, "494 M"), (7_615_616_512, "7.6 B"), (8_030_000_000, "8 B"), (5, "1 M")],
)
def test_parameters_are_short(count: int, words: str) -> None:
    assert hub_words.parameters_text(count).replace("\u00a0", " ") == words


@pytest.mark.parametrize(
    ("moment", "is_day"),
    [("2026-03-01T12:00:00.000Z", True), ("", False), ("soon", False), ("9999-01-01", False)],
)
def test_days_are_days(moment: str, is_day: bool) -> None:
    assert bool(hub_words.day_text(moment)) is is_day


def test_names_of_anybody_are_one_line_and_steer_nothing() -> None:
    name = "evil\u202e\n\x00name" + "x" * 400
    shown = hub_words.shown(name)
    assert "\u202e" not in shown
    assert "\n" not in shown
    assert len(shown) <= hub_words.LONGEST


def test_a_verdict_has_words_for_each_fit() -> None:
    heads = {fit: hub_words.fit_head(fit, None) for fit in Fit}
    assert len(set(heads.values())) == len(Fit)
    fits = verdict(fits="yes", context=32768, chats=3)
    assert hub_words.fit_detail(Fit.FITS, fits) == "32,768 tokens · 3 chats"
    one = verdict(fits="yes", context=8192, chats=1)
    assert hub_words.fit_detail(Fit.FITS, one) == "8,192 tokens · one chat"
    four = verdict(fits="two", devices=(0, 1, 2, 3))
    assert "4" in hub_words.fit_head(Fit.TWO, four)
    big = verdict(fits="no", short_by=7 * 1024**3)
    assert hub_words.fit_detail(Fit.TOO_BIG, big) == "by 7.0 GiB"


def test_what_fits_is_told_from_all_else() -> None:
    assert hub_words.fit_of(None, is_asked=True) is Fit.ASKED
    assert hub_words.fit_of(None, is_asked=False) is Fit.UNKNOWN
    assert hub_words.fit_of(verdict(fits="two"), is_asked=False) is Fit.TWO
    assert hub_words.fit_of(verdict(fits="perhaps"), is_asked=False) is Fit.UNKNOWN
    assert hub_words.fit_of(verdict(fits="yes"), is_asked=False, runnable=False) is Fit.REFUSED


@pytest.mark.parametrize("code", [*CODES, "process", "of another version"])
def test_each_fault_has_a_title_and_what_to_do(code: str) -> None:
    failed = Failed(id=1, code=code, text="Why.", url="https://example.org/licence")
    fault = hub_faults.fault_of(failed)
    assert fault.title
    assert fault.text.startswith("Why.")
    assert fault.ways or code == "not_found"
    assert all(hub_faults.way_text(way) for way in fault.ways)


def test_401_and_403_lead_to_different_things() -> None:
    url = "https://example.org/licence"
    sign_in = hub_faults.fault_of(Failed(id=1, code="sign_in", text="x", url=url))
    gated = hub_faults.fault_of(Failed(id=1, code="gated", text="x", url=url))
    assert sign_in.ways[0] is Way.SIGN_IN
    assert gated.ways[0] is Way.OPEN_PAGE
    assert gated.url == url
    without = hub_faults.fault_of(Failed(id=1, code="gated", text="x"))
    assert Way.OPEN_PAGE not in without.ways


@pytest.mark.parametrize(("seconds", "word"), [(5, "5 s"), (600, "10 minutes"), (86_400, "24 h")])
def test_a_wait_is_said_in_its_size(seconds: float, word: str) -> None:
    failed = Failed(id=1, code="too_many_requests", text="Slower.", retry_after=seconds)
    assert word in hub_faults.fault_of(failed).text


def test_facts_leave_out_what_is_not_known() -> None:
    assert hub_words.hit_facts(Hit(repo="a/b")) == []
    facts = hub_words.hit_facts(
        Hit(repo="a/b", size=5 * 1024**3, licence="apache-2.0", context=32768)
    )
    assert [fact.replace("\u00a0", " ") for fact in facts] == [
        "5.0 GiB",
        "32k context",
        "Apache 2.0",
    ]
