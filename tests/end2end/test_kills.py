"""Kill the window and the engine at random moments: nothing stays, nothing is lost."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.helpers import processes
from tests.helpers.driven_window import DrivenWindow, Event
from tests.helpers.smoothness import Round, check_smooth

ROUNDS = 20
# Of the engine's kills. SIGTERM ends it as SIGKILL does; a stop takes so long to be noticed.
ENGINE_ROUNDS = {signal.SIGKILL: ROUNDS, signal.SIGTERM: 9, signal.SIGSTOP: 6}
STOP_TICKS = (2, 4)  # s without a sign of life: ready, and starting on a machine that is busy
SEED = int(os.environ.get("INGLENOOK_KILL_SEED", "0")) or random.SystemRandom().randrange(10**6)
MOMENTS = ("boot", "start", "load", "stream")
HOMES = 4  # for the window's kills: each round begins where the one before was cut off
SAVE_SECONDS = 1.0  # the program stores streamed text this often …
SLACK = 1.5  # … and this long a busy machine may take for it, s

OpenDriven = Callable[..., DrivenWindow]


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[OpenDriven]:
    """Starts driven windows; the end of the test is theirs too."""
    windows: list[DrivenWindow] = []

    def start(folder: Path = tmp_path, **config: object) -> DrivenWindow:
        window = DrivenWindow(folder, **config)
        windows.append(window)
        return window

    yield start
    for window in windows:
        window.end()


def rows(window: DrivenWindow) -> dict[str, tuple[str, str]]:
    """Message id -> status and content, as the file has them after `integrity_check`."""
    database = sqlite3.connect(f"file:{window.database}?mode=ro", uri=True)
    try:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found = database.execute("SELECT id, status, content FROM messages").fetchall()
    finally:
        database.close()
    return {key: (status, content) for key, status, content in found}


def check_nothing_stays(window: DrivenWindow) -> None:
    left = processes.wait_until_none(lambda: processes.alive_in(window.home))
    assert not left, f"processes {left} outlived their window\n{window.story()}"
    assert processes.sockets_of(window.home, window.runtime) == []


def check_nothing_lost(window: DrivenWindow, killed_at: float) -> dict[str, tuple[str, str]]:
    """What was confirmed is in the file, and all text but that of the last second."""
    if not window.database.exists():
        assert not window.stored
        return {}
    found = rows(window)
    for user, answer in window.stored.items():
        assert user in found, f"a confirmed message is lost\n{window.story()}"
        assert answer in found
    for answer, length in window.flushed.items():
        assert len(found[answer][1]) >= length, f"confirmed text is lost\n{window.story()}"
    for answer, shown in window.seen.items():
        due = [length for at, length in shown if at < killed_at - SAVE_SECONDS - SLACK]
        if due:
            assert len(found[answer][1]) >= due[-1], f"over a second is lost\n{window.story()}"
    return found


def reach(window: DrivenWindow, moment: str, chance: random.Random) -> None:
    """Go to a random point of time around `moment` in a fresh program's life."""
    match moment:
        case "boot":
            window.gather(chance.uniform(0.0, 1.0))
        case "start":
            window.until_phase("starting", "loading")
            window.gather(chance.uniform(0.0, 0.4))
        case "load":
            window.until_phase("loading", "ready")
            window.gather(chance.uniform(0.3, 1.0))
        case "stream":
            window.until_message("", "streaming")
            window.gather(chance.choice([0.3, 3.2]) * chance.random())


def test_kill_9_of_the_window_20_times(drive: OpenDriven, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    print(f"INGLENOOK_KILL_SEED={SEED}")
    expected: dict[str, str] = {}  # answer -> the text it must have after the next start
    interrupted = 0
    for number in range(ROUNDS):
        folder = tmp_path / f"{number * HOMES // ROUNDS}"
        folder.mkdir(exist_ok=True)
        if number % (ROUNDS // HOMES) == 0:
            expected = {}
        window = drive(folder)
        for text in ("/long 4000", "/long 4000 /rate 60"):
            window.do("ask", text=text)
        moment = MOMENTS[number % len(MOMENTS)]
        reach(window, moment, chance)
        opened = any(event["event"] == "opened" for event in window.events)
        window.process.kill()
        window.process.wait()
        killed_at = time.monotonic()
        window.drain()
        check_nothing_stays(window)
        found = check_nothing_lost(window, killed_at)
        if opened:  # this start had marked what the one before left
            for answer, text in expected.items():
                assert found[answer] == ("interrupted", text), window.story()
            interrupted += len(expected)
            expected = {}
        for answer, (status, text) in found.items():
            if status in ("queued", "running", "streaming"):
                expected[answer] = text
        window.end()
        assert "Traceback" not in window.errors()
    assert interrupted >= ROUNDS // 10, "the kills hardly met an answer"


def test_sigterm_ends_the_window_in_order(drive: OpenDriven) -> None:
    chance = random.Random(SEED)
    print(f"INGLENOOK_KILL_SEED={SEED}")
    for number in range(6):
        window = drive()
        for text in ("/long 4000", "/long 4000 /rate 60"):
            window.do("ask", text=text)
        # Before its event loop runs, a SIGTERM just ends it; there is nothing to save yet.
        reach(window, ("start", "load", "stream")[number % 3], chance)
        window.process.terminate()
        assert window.process.wait(15) == 0, window.story()
        window.drain()
        check_nothing_stays(window)
        found = check_nothing_lost(window, float("inf"))  # all that was shown
        for answer in window.stored.values():
            assert found[answer][0] == "interrupted", window.story()
        assert (window.home / "state" / "session.json").exists()
        window.end()
        assert "Traceback" not in window.errors()


@pytest.mark.parametrize("number", ENGINE_ROUNDS)
def test_the_engine_killed_20_times(drive: OpenDriven, number: signal.Signals) -> None:
    """One window; its engine is killed while it starts, loads and streams."""
    chance = random.Random(SEED)
    print(f"INGLENOOK_KILL_SEED={SEED}")
    # A stopped engine looks like one that is slow to start.
    how = {"silent_ticks": STOP_TICKS} if number is signal.SIGSTOP else {}
    window = drive(stable_seconds=0.0, **how)
    window.do("ask", text="/long 150")  # all that is loaded once is loaded now
    chat = window.until(lambda e: e["event"] == "stored")["chat"]
    window.until_message(chat, "complete")
    window.gap()
    rounds: list[Round] = []
    interrupted = 0
    for count in range(ENGINE_ROUNDS[number]):
        window.until_phase("ready")
        moment = MOMENTS[1 + count % 3]
        # The answer may end, and the engine come back, before the test looks: from here on
        # nothing that is told is missed.
        since = window.mark()
        # An answer takes 0.75 s: one kill for certain meets it, others its very end, too.
        latest = 0.8 if interrupted else 0.3
        begun = meet_the_engine(window, chat, moment, chance, latest)
        victim = window.view["pid"]
        assert victim, f"the engine died before it was killed\n{window.story()}"
        os.kill(victim, number)
        killed_at = time.monotonic()
        assert processes.ended(victim, 15), f"{moment}: {window.story()}"
        left = processes.wait_until_none(partial(processes.members, victim))
        assert not left, f"{moment}: {left} of the engine's group live on\n{window.story()}"
        window.until(partial(is_ready_again, victim), "engine after the kill", since)
        back = time.monotonic() - killed_at
        # What waited for the engine is answered; what was cut is marked.
        cut = window.until_message(chat, "interrupted", "complete", since=since)
        if begun is not None:
            assert cut["length"] >= begun["length"]
        if cut["status"] == "interrupted":  # else the answer had ended before the kill
            interrupted += 1
            go_on(window, chat, cut)
        assert processes.zombies_of(window.pid) == []
        rounds.append(Round(window.gap() / 1000, back))
    check_smooth(rounds)
    assert interrupted, "no kill met an answer"
    check_nothing_lost(window, time.monotonic())
    assert len(processes.alive_in(window.home)) <= 4  # window, engine, its guard and its child
    window.process.terminate()
    assert window.process.wait(15) == 0
    check_nothing_stays(window)
    assert "Traceback" not in window.errors()


def go_on(window: DrivenWindow, chat: str, cut: Event) -> None:
    """Have an interrupted answer continued to its end."""
    since = window.mark()
    window.do_at_once(
        {"do": "continue", "chat": chat},
        {"do": "ask", "text": "/long 10", "chat": chat},  # refused: one at a time
    )
    window.until(lambda e: e["event"] == "refused", "refusal", since)
    done = window.until_message(chat, "complete", since=since)
    assert done["id"] == cut["id"]
    assert done["length"] > cut["length"]


def is_ready_again(victim: int, event: Event) -> bool:
    return (event["event"], event.get("phase")) == ("view", "ready") and victim != int(event["pid"])


def meet_the_engine(
    window: DrivenWindow, chat: str, moment: str, chance: random.Random, latest: float
) -> Event | None:
    """Have the engine do something and stop at a random point of it.

    Args:
        latest: after the first of an answer, in s.

    Returns:
        The answer when it began to stream; None when the engine need not have begun with it.
    """
    if moment == "stream":
        window.do("ask", text="/long 150", chat=chat)
        begun = window.until_message(chat, "streaming")
        window.gather(chance.uniform(0.0, latest))
        return begun
    before = window.view["pid"]
    window.do("load", model=str(window.model))
    window.until(
        lambda e: (
            e["event"] == "view" and e["pid"] not in (0, before) and e["phase"] != "restarting"
        )
    )
    window.do("ask", text="/long 40", chat=chat)
    window.gather(chance.uniform(0.0, 0.35) if moment == "start" else chance.uniform(0.35, 1.0))
    return None


def test_six_kills_in_a_row_stop_the_engine_and_a_button_starts_it(drive: OpenDriven) -> None:
    window = drive()
    window.do("ask", text="/long 4000")
    chat = window.until(lambda e: e["event"] == "stored")["chat"]
    window.until_message(chat, "streaming")
    window.gap()
    lengths: list[int] = []
    rounds: list[Round] = []
    back = 0.0
    for kill in range(1, 7):
        victim = window.view["pid"]
        window.until(lambda e: e["event"] == "seen")
        os.kill(victim, signal.SIGKILL)
        killed_at = time.monotonic()
        lengths.append(window.until_message(chat, "interrupted")["length"])
        state = window.until(
            lambda e: e["event"] == "view" and e["phase"] in ("restarting", "failed")
        )
        assert state["restarts"] == kill
        assert state["phase"] == ("failed" if kill == 6 else "restarting")
        if kill < 6:
            window.until_phase("ready")
            back = time.monotonic() - killed_at
        rounds.append(Round(window.gap() / 1000, back))  # the sixth time it does not come back
        if kill < 6:
            window.do("continue", chat=chat)
            window.until_message(chat, "streaming")
    assert lengths == sorted(set(lengths)), "each part of the answer is kept"
    assert processes.wait_until_none(lambda: processes.alive_in(window.home)[1:]) == []
    window.do("press", label="Start it again")
    assert "Start it again" in window.until(lambda e: e["event"] == "buttons")["labels"]
    assert window.until_phase("ready")["restarts"] == 6
    window.do("continue", chat=chat)
    window.until_message(chat, "streaming")
    check_smooth(rounds)
    window.process.terminate()
    assert window.process.wait(15) == 0
    check_nothing_stays(window)
