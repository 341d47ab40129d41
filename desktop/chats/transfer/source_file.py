"""The JSON in a file that a person chose: plain, or in the .zip of a ChatGPT export."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, Final

from desktop.chats.transfer.limits import LIMITS, MIB, Limits
from desktop.chats.transfer.trouble import TransferError, Trouble, from_os

_CONVERSATIONS: Final = re.compile(r"(.*/)?conversations([-_ ]?\d+)?\.json")
_OURS: Final = re.compile(r"[^/]+\.json")
_END_RECORD: Final = b"PK\x05\x06"
_MARK: Final = b"\xef\xbb\xbf"  # some programs begin UTF-8 files with it


@dataclass(frozen=True, slots=True)
class Source:
    """One JSON text to read.

    Attributes:
        size: bytes to expect, unpacked; for the progress.
        read: the next bytes, at most so many; raises TransferError.
    """

    size: int
    read: Callable[[int], bytes]


@contextlib.contextmanager
def sources(path: Path, limits: Limits = LIMITS) -> Iterator[list[Callable[[], Source]]]:
    """What there is to read in `path`, in order; nothing is unpacked to disk.

    Raises:
        TransferError: NOT_FOUND, NOT_ALLOWED, UNREADABLE, FILE_TOO_LARGE, NO_CHATS_IN_ZIP,
            BAD_ZIP, LOCKED_ZIP, ZIP_BOMB.
    """
    try:
        if path.exists() and not path.is_file():
            raise TransferError(Trouble.UNREADABLE, path=str(path), reason="it is not a file")
        file = path.open("rb")
    except OSError as error:
        raise from_os(error, path, writing=False) from error
    with file:
        if _begins_with(file, b"PK"):
            with _zip(file, limits) as found:
                yield found
            return
        size = path.stat().st_size
        if size > limits.file_bytes:
            raise TransferError(Trouble.FILE_TOO_LARGE, megabytes=limits.file_bytes // MIB)
        _skip_mark(file)

        def read(count: int) -> bytes:
            try:
                return file.read(count)
            except OSError as error:
                raise from_os(error, path, writing=False) from error

        yield [lambda: Source(size, read)]


@contextlib.contextmanager
def _zip(file: BinaryIO, limits: Limits) -> Iterator[list[Callable[[], Source]]]:
    _check_directory(file, limits)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise TransferError(Trouble.BAD_ZIP) from error
    with archive:
        entries = [info for info in archive.infolist() if _CONVERSATIONS.fullmatch(info.filename)]
        if not entries:
            entries = [info for info in archive.infolist() if _OURS.fullmatch(info.filename)][:1]
        if not entries:
            raise TransferError(Trouble.NO_CHATS_IN_ZIP)
        entries.sort(key=lambda info: info.filename)
        total = sum(info.file_size for info in entries)
        if total > limits.file_bytes:
            raise TransferError(Trouble.FILE_TOO_LARGE, megabytes=limits.file_bytes // MIB)
        for info in entries:
            if info.flag_bits & 1:
                raise TransferError(Trouble.LOCKED_ZIP)
            allowed = max(limits.zip_free, info.compress_size * limits.zip_ratio)
            if info.file_size > allowed:
                raise TransferError(Trouble.ZIP_BOMB, name=info.filename)
        with contextlib.ExitStack() as stack:
            yield [_opener(archive, info, stack) for info in entries]


def _opener(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, stack: contextlib.ExitStack
) -> Callable[[], Source]:
    def opened() -> Source:
        try:
            entry = stack.enter_context(archive.open(info))
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
            raise TransferError(Trouble.BAD_ZIP) from error
        first = _unmarked(_read(entry, len(_MARK)))

        def read(count: int) -> bytes:
            nonlocal first
            if first:
                data, first = first, b""
                return data
            return _read(entry, count)

        return Source(info.file_size, read)

    return opened


def _read(entry: IO[bytes], count: int) -> bytes:
    import zlib

    try:
        # zipfile never gives more than the size that the entry declares, which was checked.
        return entry.read(count)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise TransferError(Trouble.BAD_ZIP) from error


def _check_directory(file: BinaryIO, limits: Limits) -> None:
    """The list of files is read whole by zipfile: so it must not be huge."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 65_557))
    tail = file.read()
    place = tail.rfind(_END_RECORD)
    file.seek(0)
    if place < 0 or len(tail) < place + 22:
        raise TransferError(Trouble.BAD_ZIP)
    directory = int.from_bytes(tail[place + 12 : place + 16], "little")
    if directory > limits.zip_directory:
        raise TransferError(Trouble.ZIP_BOMB, name="")


def _begins_with(file: BinaryIO, magic: bytes) -> bool:
    found = file.read(len(magic)) == magic
    file.seek(0)
    return found


def _skip_mark(file: BinaryIO) -> None:
    file.seek(len(_MARK) if file.read(len(_MARK)) == _MARK else 0)


def _unmarked(data: bytes) -> bytes:
    return data.removeprefix(_MARK)
