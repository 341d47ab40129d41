"""Reads a file as a text that goes with a message. Runs on any thread; touches no widget.

Only what is certainly text is taken: a model that reads bytes as letters answers nonsense.
"""

from __future__ import annotations

import codecs
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import Attachment, new_id
from desktop.models.number_text import decimal, whole

translate = QCoreApplication.translate

MAX_BYTES: Final = 16 * 1024 * 1024  # of one file
MAX_TOTAL: Final = 32 * 1024 * 1024  # characters of all that go with one message
MAX_FILES: Final = 20
_NAME_LENGTH: Final = 120
_CONTROLS: Final = frozenset(range(32)) - {9, 10, 12, 13, 27}  # what texts do not hold
_CONTROL_SHARE: Final = 0.02

_PDF: Final = (b"%PDF-",)
_PICTURES: Final = (
    *(b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\x00", b"MM\x00*"),
    *(b"RIFF", b"\x00\x00\x00\x0cjP", b"\x00\x00\x01\x00"),
)
_PICTURE_NAMES: Final = frozenset(
    (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ico", ".heic", ".avif")
)
_OFFICE_NAMES: Final = frozenset(
    (".doc", ".docx", ".odt", ".rtf", ".xls", ".xlsx", ".ods", ".ppt", ".pptx", ".odp", ".epub")
)
# The longer marks first: UTF-32's begins with UTF-16's.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class AttachmentError(Exception):
    """A file that cannot go with a message; the text says why, for the user."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read. `note`: what the user should know of it; mostly empty."""

    attachment: Attachment
    note: str = ""


def read_file(path: Path) -> ReadFile:
    """Read the text file at `path`.

    Raises:
        AttachmentError: it is no text, too large, or cannot be read.
    """
    name = shown_name(path.name or str(path))
    try:
        data = _bytes_of(path, name)
    except FileNotFoundError:
        raise AttachmentError(
            translate("AttachmentReader", "{name} is not there any more.").format(name=name)
        ) from None
    except PermissionError:
        raise AttachmentError(
            translate("AttachmentReader", "{name} may not be read with your rights.").format(
                name=name
            )
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise AttachmentError(
            translate("AttachmentReader", "{name} could not be read: {reason}.").format(
                name=name, reason=reason
            )
        ) from error
    text, note = _text_of(data, name, path.suffix.lower())
    return ReadFile(Attachment(new_id(), name, text), note)


def shown_name(name: str) -> str:
    """`name` in one line of sound Unicode, as shown and as the model is told."""
    sound = name.encode("utf-8", "replace").decode("utf-8")
    line = " ".join("".join(c if c.isprintable() else " " for c in sound).split())
    if len(line) <= _NAME_LENGTH:
        return line or translate("AttachmentReader", "file")
    stem, dot, suffix = line.rpartition(".")
    if not dot or len(suffix) > 10:
        return f"{line[: _NAME_LENGTH - 1]}…"
    return f"{stem[: _NAME_LENGTH - len(suffix) - 2]}….{suffix}"


def size_text(characters: int) -> str:
    """How long a text is, in few letters."""
    if characters == 1:
        return translate("AttachmentReader", "1 character")
    if characters < 10_000:
        return translate("AttachmentReader", "{count} characters").format(count=whole(characters))
    if characters < 1_000_000:
        return translate("AttachmentReader", "{count} thousand characters").format(
            count=f"{characters / 1000:,.0f}"
        )
    return translate("AttachmentReader", "{count} million characters").format(
        count=decimal(characters / 1_000_000)
    )


# --- inside --------------------------------------------------------------------------------


def _bytes_of(path: Path, name: str) -> bytes:
    _refuse_other_kinds(path.stat().st_mode, name)
    # Without blocking: what was a file a moment ago may be a pipe nobody writes to.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        _refuse_other_kinds(os.fstat(handle).st_mode, name)
        # Not by its size: that of /proc's files is 0, and a log grows while it is read.
        data = file.read(MAX_BYTES + 1) or b""
    if len(data) > MAX_BYTES:
        raise AttachmentError(
            translate(
                "AttachmentReader",
                "{name} is larger than {limit} MB; attach the part that matters.",
            ).format(name=name, limit=MAX_BYTES // (1024 * 1024))
        )
    if not data:
        raise AttachmentError(translate("AttachmentReader", "{name} is empty.").format(name=name))
    return data


def _refuse_other_kinds(mode: int, name: str) -> None:
    if stat.S_ISDIR(mode):
        raise AttachmentError(
            translate(
                "AttachmentReader", "{name} is a folder; choose the files in it that matter."
            ).format(name=name)
        )
    if not stat.S_ISREG(mode):
        raise AttachmentError(
            translate("AttachmentReader", "{name} is a device or a pipe, not a file.").format(
                name=name
            )
        )


def _text_of(data: bytes, name: str, suffix: str) -> tuple[str, str]:
    _refuse_known_formats(data, name, suffix)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return _as_lines(data.decode(encoding), name), ""
            except UnicodeDecodeError:
                raise AttachmentError(_not_text(name)) from None
    try:
        return _as_lines(data.decode("utf-8"), name), ""
    except UnicodeDecodeError:
        pass
    text = _as_lines(data.decode("latin-1"), name)
    note = translate(
        "AttachmentReader",
        "{name} is not UTF-8; it was read as Latin-1. Look whether its letters are right.",
    )
    return text, note.format(name=name)


def _as_lines(text: str, name: str) -> str:
    """The text with line feeds.

    Raises:
        AttachmentError: it holds what texts do not.
    """
    sample = text[:65_536]
    controls = sum(ord(c) in _CONTROLS for c in sample)
    if "\0" in text or controls > _CONTROL_SHARE * len(sample):
        raise AttachmentError(_not_text(name))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refuse_known_formats(data: bytes, name: str, suffix: str) -> None:
    if data.startswith(_PDF):
        raise AttachmentError(
            translate(
                "AttachmentReader",
                "{name} is a PDF. Only text can be attached: copy its text instead.",
            ).format(name=name)
        )
    looks_binary = b"\0" in data[:4096]
    if suffix in _PICTURE_NAMES or (looks_binary and data.startswith(_PICTURES)):
        raise AttachmentError(
            translate(
                "AttachmentReader", "{name} is a picture. Models are given text only here."
            ).format(name=name)
        )
    if suffix in _OFFICE_NAMES and (suffix == ".rtf" or looks_binary or data[:2] == b"PK"):
        raise AttachmentError(
            translate(
                "AttachmentReader",
                "{name} is an office document. Save it as plain text and attach that.",
            ).format(name=name)
        )


def _not_text(name: str) -> str:
    return translate("AttachmentReader", "{name} is not a text file.").format(name=name)
