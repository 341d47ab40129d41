"""Downloads as they are kept and told of: nothing a file or a hub says upsets either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.library import download_words as words
from desktop.models.library import wish_list
from desktop.models.library.download_view import (
    DownloadState,
    DownloadView,
    key_of,
    total_of,
)

GB = 2**30
RUNNING = DownloadView(
    "o/m",
    "o/m",
    state=DownloadState.RUNNING,
    phase="downloading",
    done=3 * GB,
    total=10 * GB,
    speed=50.0 * 2**20,
    seconds_left=140.0,
    file="model.safetensors",
    files=4,
    files_done=1,
)


def test_downloads_come_back_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "downloads.json"
    paused = DownloadView(key_of("o/n", "Q4"), "o/n", "v1", "Q4", DownloadState.PAUSED, done=7)
    failed = DownloadView(
        "o/f",
        "o/f",
        state=DownloadState.FAILED,
        code="gated",
        text="Accept its licence.",
        url="https://hub.example.org/o/f",
        can_retry=False,
    )
    done = DownloadView("o/d", "o/d", state=DownloadState.DONE, folder="/m/o--d", ended=9.0)
    assert wish_list.write(path, [RUNNING, paused, failed, done]) == ""
    views, warning = wish_list.read(path)
    assert warning == ""
    assert [view.key for view in views] == ["o/m", "o/n#Q4", "o/f", "o/d"]
    first, second, third, fourth = views
    assert first.state is DownloadState.QUEUED, "one that ran goes on"
    assert (first.done, first.total) == (3 * GB, 10 * GB)
    assert (second.state, second.revision, second.variant, second.done) == (
        DownloadState.PAUSED,
        "v1",
        "Q4",
        7,
    )
    assert third == failed
    assert fourth == done


def test_no_file_is_no_warning(tmp_path: Path) -> None:
    assert wish_list.read(tmp_path / "none.json") == ([], "")


GOOD = {"repo": "o/good", "state": "queued"}


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {},
        {"repo": "o/m"},
        {"repo": "o/m", "state": "exploded"},
        {"repo": "../../etc", "state": "queued"},
        {"repo": "o/m/../x", "state": "queued"},
        {"repo": "o/m\n", "state": "queued"},
        {"repo": "o" * 5000 + "/m", "state": "queued"},
        {"repo": "o/m", "state": ["queued"]},
        {"repo": "o/m", "state": "queued", "revision": 5},
        {"repo": "o/m", "state": "queued", "text": "x" * 5000},
        {"repo": 7, "state": "queued"},
    ],
)
def test_a_senseless_entry_costs_only_itself(tmp_path: Path, entry: object) -> None:
    path = tmp_path / "downloads.json"
    path.write_text(json.dumps({"version": 1, "downloads": [entry, GOOD]}))
    views, _warning = wish_list.read(path)
    assert [view.repo for view in views] == ["o/good"]


def test_senseless_figures_are_none(tmp_path: Path) -> None:
    path = tmp_path / "downloads.json"
    entry = {**GOOD, "done": -5, "total": 10**40, "files": True, "ended": float("nan")}
    path.write_text(json.dumps({"version": 1, "downloads": [entry]}))
    (view,), _ = wish_list.read(path)
    assert (view.done, view.total, view.files, view.ended) == (0, None, 0, 0.0)


@given(
    entries=st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["repo", "state", "done", "text"]), inner, max_size=4)
        ),
        max_leaves=8,
    )
)
def test_no_list_stops_the_start(tmp_path: Path, entries: object) -> None:
    path = tmp_path / "downloads.json"
    path.write_text(json.dumps({"version": 1, "downloads": entries}))
    wish_list.read(path)


def test_what_a_download_says() -> None:
    assert words.state_text(RUNNING) == "Downloading"
    assert (
        words.figures_text(RUNNING) == "3.0 GiB of 10.0 GiB · 50 MiB/s · 2 min left · 1 of 4 files"
    )
    assert words.reason_text(RUNNING) == ""
    spoken = words.spoken_text(RUNNING)
    assert spoken.startswith("o/m, Downloading, 3.0 GiB of 10.0 GiB")


def test_why_it_waits_and_why_it_failed() -> None:
    from dataclasses import replace

    waits = replace(RUNNING, phase="waiting", text="The hub is busy.", wait=40.0)
    assert words.reason_text(waits) == "The hub is busy. Tried again in 40 s."
    assert "MiB/s" not in words.figures_text(waits)
    died = replace(RUNNING, state=DownloadState.FAILED, code="died", text="")
    assert "What has come is kept; try again." in words.reason_text(died)
    unsaid = replace(died, code="strange")
    assert words.reason_text(unsaid) == "Nobody knows why. Try again."


def test_a_hubs_words_steer_nothing() -> None:
    from dataclasses import replace

    nasty = replace(
        RUNNING,
        repo="o/\u202egnp.exe",
        state=DownloadState.FAILED,
        code="x",
        text="line\none\x1b[31m" + "y" * 5000,
    )
    for text in (words.title_text(nasty), words.reason_text(nasty)):
        assert text.isprintable()
        assert "\u202e" not in text
        assert len(text) <= 400


@pytest.mark.parametrize("total", [None, 0, 1, 10**30])
@pytest.mark.parametrize("done", [0, 5, 10**30])
def test_no_figure_is_too_large(total: int | None, done: int) -> None:
    from dataclasses import replace

    view = replace(RUNNING, done=done, total=total, speed=1e30, seconds_left=1e30)
    assert words.figures_text(view)
    assert view.share is None or 0.0 <= view.share <= 1.0
    words.total_text(total_of((view, view)))
    words.badge_text(total_of((view, view)))


def test_all_together() -> None:
    from dataclasses import replace

    queued = replace(RUNNING, state=DownloadState.QUEUED, done=0, total=5 * GB, speed=0.0)
    paused = replace(RUNNING, state=DownloadState.PAUSED)
    total = total_of((RUNNING, queued, paused))
    assert (total.running, total.queued, total.paused) == (1, 1, 1)
    assert (total.have, total.size) == (3 * GB, 15 * GB), "what is paused is not waited for"
    assert total.seconds_left == pytest.approx(12 * GB / (50 * 2**20))
    assert total.is_active
    assert words.badge_text(total) == "2 downloading: 20 %"
    assert not total_of((paused,)).is_active
    assert words.badge_text(total_of((paused,))) == ""
