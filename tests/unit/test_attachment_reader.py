"""Files that go with a message: texts are taken, all else is refused with a reason."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.writing.attachment_reader import (
    MAX_BYTES,
    AttachmentError,
    read_file,
    shown_name,
    size_text,
)

TEXT = "Grüße, 你好\nzweite Zeile\n"


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_texts_are_read_as_they_are_written(tmp_path: Path, encoding: str) -> None:
    file = read_file(write(tmp_path, "a.txt", TEXT.encode(encoding)))
    assert file.attachment.content == TEXT
    assert file.attachment.name == "a.txt"
    assert file.note == ""


def test_big_endian_marks_count_too(tmp_path: Path) -> None:
    assert (
        read_file(
            write(tmp_path, "a.txt", b"\xfe\xff" + TEXT.encode("utf-16-be"))
        ).attachment.content
        == TEXT
    )


def test_latin_1_is_a_guess_and_said_to_be_one(tmp_path: Path) -> None:
    file = read_file(write(tmp_path, "a.txt", "Gr\xfc\xdfe".encode("latin-1")))
    assert file.attachment.content == "Grüße"
    assert "Latin-1" in file.note


def test_line_breaks_are_line_feeds(tmp_path: Path) -> None:
    assert read_file(write(tmp_path, "a", b"a\r\nb\rc\n")).attachment.content == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.pdf", b"%PDF-1.7\n...", "PDF"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0", "picture"),
        ("photo.jpeg", b"anything", "picture"),
        ("a.docx", b"PK\x03\x04\0\0", "office document"),
        ("a.bin", bytes(range(256)), "not a text"),
        ("a.txt", b"text with \0 in it", "not a text"),
        ("a.txt", b"\x01\x02\x03\x04" * 50, "not a text"),
        ("a.txt", b"\xff\xfe\x00", "not a text"),
        ("a.txt", b"", "empty"),
        ("a.txt", b"x" * (MAX_BYTES + 1), "larger than 16 MB"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_is_no_text_is_refused_in_plain_words(
    tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    with pytest.raises(AttachmentError, match=words) as refused:
        read_file(write(tmp_path, name, data))
    assert name in str(refused.value)


def test_folders_pipes_devices_and_sockets_never_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(AttachmentError, match="device or a pipe"):
        read_file(pipe)
    with pytest.raises(AttachmentError, match="folder"):
        read_file(tmp_path)
    with pytest.raises(AttachmentError, match="device or a pipe"):
        read_file(Path("/dev/zero"))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        with pytest.raises(AttachmentError, match="device or a pipe"):
            read_file(tmp_path / "s")


def test_a_pipe_that_was_a_file_a_moment_ago_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    file = write(tmp_path, "a.txt", b"x").stat()
    monkeypatch.setattr(Path, "stat", lambda _self: file)
    with pytest.raises(AttachmentError, match="device or a pipe"):
        read_file(pipe)


def test_what_is_gone_or_closed_to_us_is_said(tmp_path: Path) -> None:
    with pytest.raises(AttachmentError, match="not there any more"):
        read_file(tmp_path / "gone.txt")
    if os.geteuid() != 0:
        path = write(tmp_path, "a.txt", b"x")
        path.chmod(0)
        with pytest.raises(AttachmentError, match="may not be read"):
            read_file(path)


def test_a_file_whose_size_is_not_told_is_read(tmp_path: Path) -> None:
    assert read_file(Path("/proc/self/status")).attachment.content.startswith("Name:")


@given(st.text(min_size=1, max_size=300))
def test_names_are_one_line_of_sound_unicode(name: str) -> None:
    shown = shown_name(name)
    shown.encode("utf-8")
    assert 0 < len(shown) <= 120
    assert "\n" not in shown


def test_a_name_that_is_not_unicode(tmp_path: Path) -> None:
    path = write(tmp_path, os.fsdecode(b"caf\xe9.txt"), b"x")
    assert read_file(path).attachment.name == "caf?.txt"


def test_a_long_name_keeps_its_ending() -> None:
    assert shown_name("x" * 300 + ".md").endswith("….md")


@pytest.mark.parametrize(
    ("count", "words"),
    [(12, "12 characters"), (12_345, "12 thousand characters"), (2_500_000, "2.5 million")],
)
def test_sizes(count: int, words: str) -> None:
    assert words in size_text(count)
