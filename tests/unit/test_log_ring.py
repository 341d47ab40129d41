"""The engine's log: bounded in memory and on disk, private, and never in the way."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.engine_link import log_ring
from desktop.engine_link.log_ring import LogRing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "logs"


def test_lines_come_whole_whatever_the_pieces(folder: Path) -> None:
    ring = LogRing(folder)
    for piece in (b"on", b"e\ntw", b"o\n", b"thr"):
        ring.append(piece)
    assert ring.tail() == "one\ntwo\nthr"
    assert ring.tail(2) == "two\nthr"
    ring.close()
    assert (folder / "engine.log").read_bytes() == b"one\ntwo\nthr"


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_in_any_pieces_give_the_same_lines(pieces: list[bytes]) -> None:
    together, apart = LogRing(None), LogRing(None)
    together.append(b"".join(pieces))
    for piece in pieces:
        apart.append(piece)
    assert apart.tail() == together.tail()


def test_of_a_progress_bar_the_last_state_counts() -> None:
    ring = LogRing(None)
    ring.append(b"Loading:  0%\rLoading: 50%\rLoading: 100%\r\nready\r\n")
    assert ring.tail() == "Loading: 100%\nready"


def test_memory_is_bounded() -> None:
    ring = LogRing(None)
    for number in range(log_ring.RING_LINES + 500):
        ring.append(b"%d\n" % number)
    lines = ring.tail(10**6).splitlines()
    assert len(lines) == log_ring.RING_LINES
    assert lines[-1] == str(log_ring.RING_LINES + 499)
    ring.append(b"x" * 10_000_000)  # a binary dump without a line's end
    ring.append(b"y\n")
    assert len(ring.tail(1)) <= log_ring.LINE_BYTES


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_the_file_is_private_whatever_the_umask(folder: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        ring = LogRing(folder)
        ring.append(b"secret\n")
        ring.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "engine.log").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


def test_the_files_rotate_and_their_number_is_bounded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_ring, "FILE_BYTES", 100)
    ring = LogRing(folder)
    for number in range(10):
        ring.append(b"%02d" % number * 30)
    ring.close()
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["engine.1.log", "engine.2.log", "engine.log"]
    assert (folder / "engine.log").read_bytes() == b"09" * 30
    assert (folder / "engine.1.log").read_bytes() == b"08" * 30


def test_a_new_window_keeps_the_log_of_the_one_before(folder: Path) -> None:
    for text in (b"first\n", b"second\n"):
        ring = LogRing(folder)
        ring.append(text)
        ring.close()
    assert (folder / "engine.log").read_bytes() == b"second\n"
    assert (folder / "engine.1.log").read_bytes() == b"first\n"


def test_a_folder_that_cannot_be_made_costs_only_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ring = LogRing(tmp_path / "file" / "logs")
    ring.append(b"still here\n")
    assert ring.tail() == "still here"
    ring.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_costs_only_the_file(folder: Path) -> None:
    ring = LogRing(folder)
    ring.append(b"one\n")
    assert ring._file is not None
    ring._file.close()
    ring._file = Path("/dev/full").open("wb")  # noqa: SIM115
    ring.append(b"two\n")
    ring.append(b"three\n")
    assert ring.tail() == "one\ntwo\nthree"
    ring.close()


def test_what_earlier_processes_wrote_is_told_apart(folder: Path) -> None:
    ring = LogRing(folder)
    ring.append(b"an old traceback\nand half a li")
    ring.mark()
    assert ring.since_mark() == ""
    ring.append(b"new")
    assert ring.since_mark() == "new"
    ring.append(b" line\nanother\n")
    assert ring.since_mark() == "new line\nanother"
    assert ring.since_mark(1) == "another"
    assert ring.tail() == "an old traceback\nand half a li\nnew line\nanother"
    ring.close()
