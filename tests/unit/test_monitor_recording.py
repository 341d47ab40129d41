"""Recordings: what comes out is what went in, and a damaged or hostile file harms nobody."""

from __future__ import annotations

import base64
import errno
import io
import json
import os
import random
import re
import stat
import threading
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.models.monitor import recording, recording_reader
from desktop.models.monitor.frame_patch import merge, patch_between
from desktop.models.monitor.frames import ChatRef, EngineFrame, MonitorFrame
from desktop.models.monitor.recording import FULL_S, FrameWriter, Recorder, head
from desktop.models.monitor.recording_reader import NoRecordingError, RecordingReader, read
from desktop.version import VERSION
from tests.helpers.monitor_session import Session, encoded

HEAD = msgspec.json.encode(head()) + b"\n"


def lines_of(frames: list[MonitorFrame]) -> list[bytes]:
    writer = FrameWriter()
    return [writer.line(frame) for frame in frames]


def written(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(HEAD + b"".join(lines))
    return path


def drained(path: Path) -> tuple[list[MonitorFrame], int]:
    reader = RecordingReader(path)
    found = list(reader)
    reader.close()
    return found, reader.skipped


def test_frames_come_back_as_they_were(tmp_path: Path) -> None:
    frames = list(Session().frames(300))
    assert list(read(written(tmp_path / "a.jsonl", lines_of(frames)))) == frames


def test_requests_without_a_name_are_kept_apart(tmp_path: Path) -> None:
    """So the engine tells of those of a measurement."""
    session = Session()
    frames = []
    for frame in session.frames(40):
        kv = session.report()
        nameless = tuple(msgspec.structs.replace(one, request_id="") for one in kv.requests)
        engine = msgspec.structs.replace(
            frame.engines[0], kv=msgspec.structs.replace(kv, requests=nameless)
        )
        frames.append(msgspec.structs.replace(frame, engines=(engine,)))
    assert list(read(written(tmp_path / "a.jsonl", lines_of(frames)))) == frames


def test_the_head_tells_version_and_machine(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorder = Recorder(path)
    recorder.close()
    said = json.loads(path.read_text().splitlines()[0])
    assert said["inglenook_monitor"] == 1
    assert said["program"] == VERSION
    assert said["machine"]["system"].startswith("Linux")
    assert int(said["machine"]["threads"]) >= 1


def test_a_recorder_writes_a_file_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("what was there before")
    path.chmod(0o644)
    frames = list(Session().frames(20))
    recorder = Recorder(path)
    for frame in frames:
        recorder.write(frame)
    assert recorder.state().is_running
    recorder.close()
    state = recorder.state()
    assert (state.is_running, state.problem, state.bytes) == (False, "", path.stat().st_size)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(read(path)) == frames


def test_each_line_is_json_and_most_are_small() -> None:
    frames = list(Session(blocks=10_000).frames(100))
    lines = lines_of(frames)
    said = [json.loads(line) for line in lines]
    assert [one["n"] for one in said] == list(range(100))
    assert ["full" in one for one in said] == [True] + [False] * 99
    assert sum(map(len, lines)) < 0.35 * sum(map(encoded, frames))


def test_what_does_not_change_is_not_written_again() -> None:
    frame = next(Session().frames(1))
    later = msgspec.structs.replace(frame, at=frame.at + 0.25)
    assert json.loads(lines_of([frame, later])[1])["patch"] == {"at": later.at}


def test_whole_frames_come_now_and_then_and_tell_nothing_twice(tmp_path: Path) -> None:
    frames = list(Session().frames(round(8 * FULL_S)))
    lines = lines_of(frames)
    assert sum(b'"full"' in line for line in lines) == 2
    reader = RecordingReader(written(tmp_path / "a.jsonl", lines))
    place = reader.place_before(frames[-1].at)
    assert place is not None
    reader.seek(place)
    tail = list(reader)
    second = round(4 * FULL_S)
    assert [one.at for one in tail] == [one.at for one in frames[second:]]
    assert tail[1:] == frames[second + 1 :]  # the first one has all that was there
    assert reader.place_before(frames[0].at - 1) is None
    assert reader.place_before(frames[3].at) is None
    assert reader.end() == frames[-1].at
    reader.close()


def test_a_damaged_line_costs_what_follows_up_to_the_next_whole_frame(tmp_path: Path) -> None:
    frames = list(Session().frames(round(8 * FULL_S)))
    lines = lines_of(frames)
    lines[5] = lines[5][:-20] + b"\n"
    found, skipped = drained(written(tmp_path / "a.jsonl", lines))
    second = round(4 * FULL_S)
    assert [one.at for one in found] == [one.at for one in [*frames[:5], *frames[second:]]]
    assert skipped == second - 5
    del lines[5]
    assert drained(written(tmp_path / "a.jsonl", lines))[1] == second - 6


def test_the_end_that_a_crash_cut_off_is_left_out(tmp_path: Path) -> None:
    frames = list(Session().frames(9))
    path = written(tmp_path / "a.jsonl", lines_of(frames))
    os.truncate(path, path.stat().st_size - 10)
    assert drained(path) == (frames[:8], 1)
    reader = RecordingReader(path)
    assert reader.end() == frames[-1].at  # its time is there
    reader.close()


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"{}", b"[1]", b"\xff\xfe", b'{"inglenook_monitor": "1"}', b"[" * 100_000],
)
def test_other_files_are_refused_in_words(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.txt"
    path.write_bytes(content)
    with pytest.raises(NoRecordingError, match=r"other\.txt is no recording"):
        RecordingReader(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, tmp_path / "absent"):
        with pytest.raises(NoRecordingError):
            RecordingReader(path)


def test_a_newer_recording_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(HEAD.replace(b'"inglenook_monitor":1', b'"inglenook_monitor":2'))
    with pytest.raises(NoRecordingError, match="newer Inglenook"):
        RecordingReader(path)


def full_of(frame: MonitorFrame, **changes: object) -> bytes:
    said = json.loads(lines_of([frame])[0])
    said["full"].update(changes)
    return json.dumps(said).encode() + b"\n"


def poisoned(path: str, value: object) -> bytes:
    """A whole frame in which something cannot be."""
    said = json.loads(lines_of(list(Session().frames(12)))[0])
    for frame in Session().frames(12):
        said = json.loads(lines_of([frame])[0])
        if said["full"]["engines"]["1"].get("kv", {}).get("order") and "hardware" in said["full"]:
            break
    place = said["full"]
    *way, last = path.split("/")
    for step in way:
        place = place[step if step != "*" else next(iter(place))]
    place[last] = value
    return json.dumps(said).encode() + b"\n"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("at", "soon"),
        ("at", None),
        ("at", 10**400),
        ("at", True),
        ("clock", []),
        ("engines", []),
        ("engines", {str(key): {"model": "", "phase": ""} for key in range(100)}),
        ("engines/1/telemetry", {"running": 1}),
        ("engines/1/phase", 3),
        ("engines/1/pids", ["a"]),
        ("engines/1/kv/total", 10**9),
        ("engines/1/kv/total", -1),
        ("engines/1/kv/total", 3),
        ("engines/1/kv/block_size", 0),
        ("engines/1/kv/used", 10**6),
        ("engines/1/kv/cached", {"0": base64.b64encode(b"\xff" * 32).decode()}),
        ("engines/1/kv/order", ["nobody"]),
        ("engines/1/kv/order", ["a"] * 70_000),
        ("engines/1/kv/cached", {}),
        ("engines/1/kv/cached", {"0": "%%%"}),
        ("engines/1/kv/requests/*/blocks", {"0": "AAA="}),
        ("engines/1/kv/requests/*/blocks", {"0": "/////w=="}),
        ("engines/1/kv/requests/*/blocks", {"1": "AAAAAA=="}),
        ("engines/1/kv/requests/*/blocks", "AAAAAA=="),
        ("engines/1/kv/requests/*/tokens", -5),
        ("hardware/gpus", {str(at): {"index": at} for at in range(100)}),
        ("hardware/gpus/0/memory_used", 10**300),
        ("hardware/gpus/0/throttle", ["made up"]),
        ("hardware/driver", {}),
        ("hardware/links", 3),
        ("hardware/host/flags", 3),
        ("owners", {"a": ["b"]}),
        ("owners", {"a": 3}),
    ],
)
def test_lines_that_cannot_be_are_skipped(tmp_path: Path, path: str, value: object) -> None:
    good = next(Session().frames(1))
    found, skipped = drained(written(tmp_path / "a.jsonl", [poisoned(path, value), full_of(good)]))
    assert (found, skipped) == ([good], 1)


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"null\n",
        b"3\n",
        b'{"n":1}\n',
        b'{"n":1,"patch":{"at":1}}\n',
        b'{"n":1,"full":3}\n',
        b'{"n":1,"full":' + b'{"a":' * 50 + b"1" + b"}" * 51 + b"\n",
        b'{"n":1,"full":' + b"[" * 50_000 + b"\n",
        b"x" * 100_000 + b"\n",
    ],
)
def test_nonsense_is_skipped(tmp_path: Path, line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_reader, "MAX_LINE", 60_000)
    good = next(Session().frames(1))
    assert drained(written(tmp_path / "a.jsonl", [line, full_of(good)])) == ([good], 1)


def test_time_does_not_go_back(tmp_path: Path) -> None:
    first, second = Session().frames(2)
    assert drained(written(tmp_path / "a.jsonl", [full_of(second), full_of(first)]))[1] == 1


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_file_with_bytes_changed_is_read_as_far_as_it_goes(
    tmp_path: Path, seed: int, changes: int
) -> None:
    draw = random.Random(seed)
    content = bytearray(b"".join(lines_of(list(Session().frames(12)))))
    for _ in range(changes):
        content[draw.randrange(len(content))] = draw.randrange(256)
    path = tmp_path / "a.jsonl"
    path.write_bytes(HEAD + content)
    found, _ = drained(path)
    for frame in found:
        for engine in frame.engines:
            if engine.kv is not None:
                assert all(
                    block < engine.kv.total
                    for request in engine.kv.requests
                    for block in memoryview(request.blocks).cast("I")
                )


TREES = st.recursive(
    st.integers() | st.text(max_size=3) | st.booleans() | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.text(max_size=2), inner, max_size=4),
)
OBJECTS = st.dictionaries(st.text(max_size=2), TREES, max_size=4)


@given(OBJECTS, OBJECTS)
def test_a_patch_makes_one_of_the_other(
    before: dict[str, object], after: dict[str, object]
) -> None:
    patch = patch_between(before, after)
    assert merge(before, json.loads(json.dumps(patch))) == after
    assert patch_between(after, after) == {}


class FullDisk(io.RawIOBase):
    """A file whose disk is full after so many bytes."""

    def __init__(self, room: int, number: int = errno.ENOSPC) -> None:
        self._room = room
        self._number = number

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        size = len(cast(bytes, data))
        if size > self._room:
            raise OSError(self._number, os.strerror(self._number))
        self._room -= size
        return size


def on_disk(room: int, number: int = errno.ENOSPC) -> BinaryIO:
    return cast(BinaryIO, io.BufferedWriter(FullDisk(room, number), 16))


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the disk is full.*Free some space"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EIO, r"has stopped \(Input/output error\)"),
    ],
)
def test_a_full_disk_is_told_in_words(tmp_path: Path, number: int, said: str) -> None:
    recorder = Recorder(tmp_path / "a.jsonl", lambda _path: on_disk(2000, number))
    for frame in Session().frames(10):
        recorder.write(frame)
    recorder.close()
    state = recorder.state()
    assert not state.is_running
    assert re.search(said, state.problem)
    recorder.write(next(Session().frames(1)))  # nothing comes of it


def test_a_file_may_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_BYTES", 20_000)
    recorder = Recorder(tmp_path / "a.jsonl")
    frames = list(Session().frames(60))
    for frame in frames:
        recorder.write(frame)
    recorder.close()
    assert "as large as a recording may be" in recorder.problem
    found = list(read(tmp_path / "a.jsonl"))
    assert 0 < len(found) < 60
    assert found == frames[: len(found)]


def test_a_disk_that_hangs_is_told_in_words_and_never_waited_for(tmp_path: Path) -> None:
    may_go = threading.Event()

    class Hanging(FullDisk):
        def write(self, data: object) -> int:
            may_go.wait()
            return super().write(data)

    recorder = Recorder(
        tmp_path / "a.jsonl", lambda _path: cast(BinaryIO, io.BufferedWriter(Hanging(1 << 20), 16))
    )
    frame = next(Session().frames(1))
    for _ in range(recording.MOST_WAITING + 2):
        recorder.write(frame)
    assert "too slow" in recorder.problem
    assert not recorder.close(0.01)
    assert not recorder.state().is_running
    may_go.set()
    assert recorder.close()


def test_a_folder_that_cannot_be_written_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        Recorder(tmp_path / "absent" / "a.jsonl")


def test_names_that_are_no_unicode_are_spelled_so_that_they_can_be_kept(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "a.jsonl")
    for at in (1.0, 2.0):
        engine = EngineFrame(1, "/models/\udcff", "idle", queued=int(at))
        recorder.write(MonitorFrame(at, 2.0, (engine,), None, {"a": ChatRef("b", "\ud800")}))
    recorder.close()
    assert recorder.problem == ""
    found = list(read(tmp_path / "a.jsonl"))
    assert [frame.engines[0].model for frame in found] == ["/models/?", "/models/?"]
    assert [frame.engines[0].queued for frame in found] == [1, 2]
