"""The parts of a download that need no hub: names, maps, paces, waits, folders."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.store.download import file_map
from engine.store.download.answers import ChangedError
from engine.store.download.control import Control
from engine.store.download.faults import Rests
from engine.store.download.file_map import SEGMENT, FileMap
from engine.store.download.messages import Cancel, Limit, Pause, Resume, read_command, to_line
from engine.store.download.names import Part, folder_name, parts_of, target_of
from engine.store.download.pace import Pace, SpeedMeter
from engine.store.download.patience import Patience
from engine.store.download.store_folder import OpenFile, StoreFolder
from engine.store.download.task import FileTask
from engine.store.download.ways import ProxyGoneError
from engine.store.hub.errors import HubError
from engine.store.hub.records import RepoFile

SHA = "ab" * 32
BLOB = "cd" * 20


def part(size: int, name: str = "model.safetensors") -> Part:
    return Part(name, name, size, SHA, "")


# --- names ------------------------------------------------------------------------------


def test_names_of_folders(tmp_path: Path) -> None:
    assert folder_name("me/Model-1.5B") == "me--Model-1.5B"
    assert target_of(tmp_path, "me/m", "Q4_K_M") == tmp_path / "hub" / "me--m--Q4_K_M"
    for repo, variant in (
        ("../x", ""),
        ("me/..", ""),
        ("me/a--b", ""),
        ("/etc", ""),
        ("a/b/c", ""),
        ("", ""),
        ("me/m", "../x"),
        ("me/m", "a/b"),
        ("me/m", "a--b"),
        ("me/m\n", ""),
    ):
        with pytest.raises(HubError) as caught:
            folder_name(repo, variant)
        assert caught.value.code == "bad_id"


@pytest.mark.parametrize(
    "path",
    [
        "../evil",
        "/etc/passwd",
        "a/../b",
        "./a",
        "a//b",
        "a/",
        "",
        "a\\b",
        "a\0b",
        "a\nb",
        ".hidden",
        "a/.git/b",
        "x" * 201,
        "a/b/c/d/e",
        "manifest.json",
        "Manifest.json",
        "evil\u202etxt.exe",
        " a",
        "\ud800",
    ],
)
def test_hostile_names_are_refused(path: str) -> None:
    with pytest.raises(HubError) as caught:
        parts_of([RepoFile(path, 1, SHA)], "me/m")
    assert caught.value.code == "bad_answer"
    assert "\u202e" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "files",
    [
        [RepoFile("a", -1, SHA)],
        [RepoFile("a", 1 << 60, SHA)],
        [RepoFile("a", 1)],
        [RepoFile("a", 1, "AB" * 32)],
        [RepoFile("a", 1, "", "xy" * 20)],
        [RepoFile("a", 1, SHA), RepoFile("a", 1, SHA)],
        [RepoFile("a", 1, SHA), RepoFile("a/b", 1, SHA)],
        [RepoFile("x/m.gguf", 1, SHA), RepoFile("y/m.gguf", 1, SHA)],
    ],
)
def test_senseless_lists_are_refused(files: list[RepoFile]) -> None:
    with pytest.raises(HubError) as caught:
        parts_of(files, "me/m")
    assert caught.value.code == "bad_answer"


def test_small_files_come_first_and_gguf_files_lie_beside_them() -> None:
    files = [
        RepoFile("Q4_K_M/m-Q4_K_M.gguf", 1 << 30, SHA),
        RepoFile("b.json", 2, "", BLOB),
        RepoFile("a/c.json", 2, "", BLOB),
    ]
    assert [each.name for each in parts_of(files, "me/m")] == [
        "a/c.json",
        "b.json",
        "m-Q4_K_M.gguf",
    ]


# --- the map of a file --------------------------------------------------------------------


def open_map(path: Path, size: int, on_disk: int | None = None) -> FileMap:
    found = FileMap(OpenFile(os.open(path, os.O_RDWR | os.O_CREAT, 0o600)), part(size))
    found.load(size if on_disk is None else on_disk)
    return found


def test_a_map_keeps_what_was_noted(tmp_path: Path) -> None:
    size = 3 * SEGMENT + 100
    first = open_map(tmp_path / "map", size)
    first.fill(0, 1000)
    first.fill(1000, SEGMENT + 5)
    first.fill(3 * SEGMENT, size)
    first.etag = SHA
    first.note()
    again = open_map(tmp_path / "map", size)
    assert list(again.written) == [SEGMENT, 5, 0, 100]
    assert (again.total(), again.prefix(), again.etag) == (SEGMENT + 105, SEGMENT + 5, SHA)
    with (tmp_path / "map").open("rb") as file:
        assert file_map.count_written(file, size) == SEGMENT + 105


def test_after_a_restart_of_the_machine_only_what_is_on_the_disk_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = open_map(tmp_path / "map", 2 * SEGMENT)
    first.fill(0, SEGMENT)
    first.mark_synced(first.snapshot())
    first.fill(SEGMENT, SEGMENT + 7)
    assert open_map(tmp_path / "map", 2 * SEGMENT).total() == SEGMENT + 7
    monkeypatch.setattr(file_map, "this_boot", lambda: "another")
    assert open_map(tmp_path / "map", 2 * SEGMENT).total() == SEGMENT
    monkeypatch.setattr(file_map, "this_boot", lambda: "a third")
    assert open_map(tmp_path / "map", 2 * SEGMENT).total() == SEGMENT


@pytest.mark.parametrize("change", ["size", "identity", "cut", "noise"])
def test_a_map_of_something_else_counts_for_nothing(tmp_path: Path, change: str) -> None:
    path = tmp_path / "map"
    open_map(path, SEGMENT).fill(0, 500)
    size = SEGMENT
    content = bytearray(path.read_bytes())
    if change == "size":
        size += 1
    elif change == "identity":
        content[content.index(SHA.encode())] = ord("0")
    elif change == "cut":
        del content[-1]
    else:
        content[:8] = b"whatever"
    path.write_bytes(content)
    assert open_map(path, size).total() == 0


def test_a_file_that_was_cut_off_has_no_more_than_its_size(tmp_path: Path) -> None:
    open_map(tmp_path / "map", 2 * SEGMENT).fill(0, SEGMENT + 500)
    assert list(open_map(tmp_path / "map", 2 * SEGMENT, 300).written) == [300, 0]


def test_counts_out_of_bounds_are_cut(tmp_path: Path) -> None:
    open_map(tmp_path / "map", 100)
    content = bytearray((tmp_path / "map").read_bytes())
    content[-8:] = b"\xff" * 8
    (tmp_path / "map").write_bytes(content)
    assert open_map(tmp_path / "map", 100).total() == 100


# --- spans ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> StoreFolder:
    folder = StoreFolder(tmp_path / "hub" / "me--m")
    folder.__enter__()
    assert folder.take()
    return folder


@given(
    size=st.integers(1, 40 * SEGMENT),
    filled=st.lists(st.integers(0, SEGMENT), max_size=40),
    connections=st.integers(1, 8),
)
def test_spans_cover_what_is_missing_once(
    tmp_path_factory: pytest.TempPathFactory, size: int, filled: list[int], connections: int
) -> None:
    with StoreFolder(tmp_path_factory.mktemp("spans") / "m") as folder:
        assert folder.take()
        task = FileTask(part(size), "http://x", folder)
        for segment, count in enumerate(filled[: task.map.segments]):
            if count:
                begin = segment * SEGMENT
                task.note(begin, begin + min(count, task.map.length(segment)))
        missing = task.missing
        taken = []
        while (span := task.next_span(connections)) is not None:
            assert task.missing_in(span.begin, span.end) != []
            taken.append(span)
        assert sum(span.end - span.begin for span in taken) == missing
        for before, after in itertools.pairwise(taken):
            assert before.end <= after.begin
        for span in taken:
            task.note(span.begin, span.end)
            task.release(span)
        assert task.is_fetched
        assert task.to_hash == size
        assert task.next_span(connections) is None


def test_bytes_after_a_gap_are_not_kept(folder: StoreFolder) -> None:
    task = FileTask(part(SEGMENT), "http://x", folder)
    assert task.missing_in(100, 200) == []
    assert task.missing_in(0, 200) == [(0, 200)]


# --- pace -----------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_limit_is_kept_whatever_is_asked_for() -> None:
    control, clock = Control(limit=100_000), Clock()
    pace = Pace(control, clock)
    taken = 0
    for _ in range(100):
        clock.now += 0.1
        taken += pace.take(1 << 20)
    assert taken <= 10.1 * 100_000
    control.set_limit(0)
    assert pace.take(1 << 20) == 1 << 20


def test_who_waits_for_the_limit_hears_of_pauses_and_ends() -> None:
    for change in (Control.pause, Control.cancel):
        control = Control(limit=1)
        pace = Pace(control)
        with control.listening(pace.wake):
            threading.Timer(0.05, change, [control]).start()
            assert pace.take(1 << 20) == 0


def test_the_speed_is_that_of_the_last_seconds() -> None:
    clock = Clock()
    meter = SpeedMeter(clock)
    for _ in range(40):
        clock.now += 0.25
        meter.count(250_000)
    assert meter.speed == pytest.approx(1e6)
    assert meter.seconds_left(5_000_000) == pytest.approx(5)
    for _ in range(80):
        clock.now += 0.25
        meter.count(25_000)
    assert meter.speed == pytest.approx(1e5, rel=0.02)
    meter.rest()
    assert meter.seconds_left(1) is None
    assert meter.seconds_left(0) == 0


# --- waits ----------------------------------------------------------------------------------


def test_waits_grow_and_are_capped() -> None:
    patience = Patience()
    waits = [patience.wait_after(count) for count in (1, 2, 3, 8, 1000)]
    assert 0.4 <= waits[0] <= 0.6
    assert waits[0] < waits[2] < waits[3] <= 1.2 * patience.most_wait
    assert waits[4] <= 1.2 * patience.most_wait


def rests(clock: Clock) -> Rests:
    return Rests(Patience(), clock)


def test_a_day_is_not_waited_but_a_minute_is(folder: StoreFolder) -> None:
    clock = Clock()
    task = FileTask(part(10), "http://x", folder)
    found = rests(clock)
    assert found.after(task, HubError("too_many_requests", "", retry_after=60))
    assert found.seconds([task]) == 60
    assert not found.after(task, HubError("too_many_requests", "", retry_after=86_400))


def test_the_same_fault_on_all_connections_counts_once(folder: StoreFolder) -> None:
    clock = Clock()
    task = FileTask(part(10), "http://x", folder)
    found = rests(clock)
    for _ in range(4):
        assert found.after(task, HubError("unreachable", ""))
    assert task.faults == 1
    found.forget([task])
    assert found.seconds([task]) == 0


def test_without_a_byte_for_long_it_ends(folder: StoreFolder) -> None:
    clock = Clock()
    clock.now = 1.0
    task = FileTask(part(10), "http://x", folder)
    found = rests(clock)
    went_on = 0
    while found.after(task, HubError("timeout", "")):
        clock.now = task.not_before
        went_on += 1
        assert went_on < 1000
    assert clock.now > Patience().give_up


@pytest.mark.parametrize("code", ["sign_in", "gated", "not_found", "certificate", "proxy"])
def test_what_only_the_user_can_mend_ends_it(folder: StoreFolder, code: str) -> None:
    task = FileTask(part(10), "http://x", folder)
    assert not rests(Clock()).after(task, HubError(code, ""))
    assert not rests(Clock()).after(task, ChangedError(task))


def test_a_proxy_that_was_there_may_come_back(folder: StoreFolder) -> None:
    clock = Clock()
    clock.now = 1.0
    task = FileTask(part(10), "http://x", folder)
    found = rests(clock)
    gone = ProxyGoneError("proxy", "")
    assert not found.after(task, gone), "it never was: a wrong setting"
    found.answered()
    while found.after(task, gone):
        clock.now = task.not_before
    assert clock.now > Patience().give_up
    assert not found.after(task, HubError("proxy", "")), "it wants a password"


# --- folders and commands --------------------------------------------------------------------


def test_one_process_at_a_time(folder: StoreFolder) -> None:
    with StoreFolder(folder.target) as other:
        assert not other.take()
        folder.__exit__(None, None, None)
        assert other.take()


def test_a_planted_name_of_another_file_is_not_written_through(
    folder: StoreFolder, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.write_bytes(b"precious")
    os.link(mine, folder.partial_path / "model.safetensors")
    os.mkfifo(folder.partial_path / "pipe.json")
    for name in ("model.safetensors", "pipe.json"):
        task = FileTask(part(8, name), "http://x", folder)
        task.write(memoryview(b"replaced"), 0)
    assert mine.read_bytes() == b"precious"
    assert (folder.partial_path / "pipe.json").read_bytes() == b"replaced"


def test_what_is_no_file_of_the_model_is_taken_away(folder: StoreFolder) -> None:
    for name in ("a.json", "b/c.json", "b/d.json", "e/f.json"):
        folder.open(name)
    (folder.partial_path / "link").symlink_to("/etc")
    folder.keep_only(frozenset({"a.json", "b/c.json"}))
    kept = {
        path.relative_to(folder.partial_path).as_posix() for path in folder.partial_path.rglob("*")
    }
    assert kept == {"a.json", "b", "b/c.json"}


def test_files_are_private_whatever_the_umask(folder: StoreFolder) -> None:
    before = os.umask(0)
    try:
        folder.open("a/b.json")
        folder.write("job.json", b"{}")
    finally:
        os.umask(before)
    for path in folder.target.parent.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("command", [Pause(), Resume(), Limit(5), Cancel()])
def test_commands_are_obeyed(command: Pause | Resume | Limit | Cancel) -> None:
    control = Control(limit=1)
    control.is_paused = isinstance(command, Resume)
    control.obey(read_command(to_line(command)))
    match command:
        case Pause():
            assert control.is_paused
        case Resume():
            assert not control.is_paused
        case Limit(limit):
            assert control.limit == limit
        case Cancel():
            assert control.is_cancelled


def test_the_window_can_look_at_downloads_without_a_network_library() -> None:
    code = (
        "import sys; from engine.store.download import messages, partials;"
        "print([name for name in ('huggingface_hub', 'httpx', 'httpx2', 'http.client', 'ssl')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
