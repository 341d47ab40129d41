"""The process that asks the hub, as the window keeps it: started, cancelled, restarted, dead."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.models.library.hub_link import DIED, HubLink
from engine.store.hub.messages import Failed, Hits, Search, WhoAmI
from engine.store.hub.network import NetworkSettings

WAIT_MS = 15_000
# Answers each search with its words; "die" and "hang" do that, "twaddle" is no answer.
DOUBLE = """
import json, os, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["ask"] == "cancel":
        answer = {"tell": "failed", "id": told["id"], "code": "cancelled", "text": "x"}
    elif told.get("text") == "die":
        os.kill(os.getpid(), 9)
    elif told.get("text") == "hang":
        continue
    else:
        if told.get("text") == "twaddle":
            print("twaddle", flush=True)
            print('{"tell": "nobody knows"}', flush=True)
        words = os.environ.get("HF_ENDPOINT", "") + " " + told.get("text", "")
        answer = {"tell": "hits", "id": told["id"], "note": words + " " + str(os.getpid())}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def link(tmp_path: Path) -> Iterator[HubLink]:
    script = tmp_path / "double.py"
    script.write_text(DOUBLE)
    result = HubLink(NetworkSettings(), command=(sys.executable, "-S", str(script)))
    yield result
    result.close()


def notes(link: HubLink) -> list[str]:
    said: list[str] = []
    link.answered.connect(lambda answer: said.append(answer.note))
    return said


def test_nothing_runs_before_something_is_asked(link: HubLink, qtbot: QtBot) -> None:
    running = [link.is_running]
    with qtbot.waitSignal(link.answered, timeout=WAIT_MS) as told:
        number = link.ask(Search(id=0, text="qwen"))
    running.append(link.is_running)
    answer = told.args[0]
    assert isinstance(answer, Hits)
    assert answer.id == number
    assert not link.is_busy
    assert running == [False, True]


def test_several_questions_go_to_one_process(link: HubLink, qtbot: QtBot) -> None:
    said = notes(link)
    numbers = [link.ask(Search(id=0, text=str(n))) for n in range(5)]
    qtbot.waitUntil(lambda: len(said) == 5, timeout=WAIT_MS)
    assert len(set(numbers)) == 5
    assert len({note.split()[-1] for note in said}) == 1


def test_of_what_was_cancelled_nothing_is_told(link: HubLink, qtbot: QtBot) -> None:
    told: list[object] = []
    link.failed.connect(told.append)
    number = link.ask(Search(id=0, text="hang"))
    link.cancel(number)
    link.cancel(number)
    assert not link.is_busy
    with qtbot.waitSignal(link.answered, timeout=WAIT_MS):
        link.ask(Search(id=0, text="after"))
    assert told == []


def test_a_process_that_dies_is_an_answer_and_the_next_question_starts_another(
    link: HubLink, qtbot: QtBot
) -> None:
    waiting = link.ask(Search(id=0, text="hang"))
    failed: list[Failed] = []
    link.failed.connect(failed.append)
    dying = link.ask(Search(id=0, text="die"))
    qtbot.waitUntil(lambda: len(failed) == 2, timeout=WAIT_MS)
    assert {one.id for one in failed} == {waiting, dying}
    assert {one.code for one in failed} == {DIED}
    assert not link.is_running
    with qtbot.waitSignal(link.answered, timeout=WAIT_MS):
        link.ask(Search(id=0, text="again"))


def test_one_that_cannot_be_started_is_an_answer_too(qtbot: QtBot, tmp_path: Path) -> None:
    link = HubLink(NetworkSettings(), command=(str(tmp_path / "nothing"),))
    with qtbot.waitSignal(link.failed, timeout=WAIT_MS) as told:
        link.ask(WhoAmI(id=0))
    assert told.args[0].code == DIED
    link.close()


def test_twaddle_is_passed_over(link: HubLink, qtbot: QtBot) -> None:
    with qtbot.waitSignal(link.answered, timeout=WAIT_MS):
        link.ask(Search(id=0, text="twaddle"))


def test_other_settings_mean_another_process(link: HubLink, qtbot: QtBot) -> None:
    said = notes(link)
    link.ask(Search(id=0, text="one"))
    qtbot.waitUntil(lambda: len(said) == 1, timeout=WAIT_MS)
    lost = link.ask(Search(id=0, text="hang"))
    with qtbot.waitSignal(link.settings_changed):
        link.set_settings(NetworkSettings(endpoint="https://mirror.example.org"))
    assert not link.is_busy
    link.cancel(lost)
    link.ask(Search(id=0, text="two"))
    qtbot.waitUntil(lambda: len(said) == 2, timeout=WAIT_MS)
    assert said[1].startswith("https://mirror.example.org two")
    assert said[0].split()[-1] != said[1].split()[-1]


def test_the_window_goes_and_so_does_the_process(link: HubLink, qtbot: QtBot) -> None:
    said = notes(link)
    link.ask(Search(id=0, text="one"))
    qtbot.waitUntil(lambda: len(said) == 1, timeout=WAIT_MS)
    pid = int(said[0].split()[-1])
    link.close()

    def is_gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    qtbot.waitUntil(is_gone, timeout=WAIT_MS)
