"""The two hidden folders of a download, beside the place where its model will be.

`.{name}.partial` has the model's files, `.{name}.download` what is known of them: the job, a map
for each file, and the lock of the process that is at it. Everything below the store is opened
by the descriptor of the folder that it is in, and links are never followed: what somebody
planted there is not written through.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from engine.failure_words import words
from engine.store import made_folder
from engine.store.hub.errors import HubError
from engine.store.private_folder import make_private

PARTIAL: Final = made_folder.PARTIAL
STATE: Final = ".download"
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LINK = words("{folder} is a link, or no folder. Links in the store are not followed; remove it.")
_FAILED = words("The folder {folder} cannot be used: {reason}.")


class OpenFile:
    """A descriptor that is closed when the last thread lets go of it.

    To close it earlier could give its number to another file while a thread still writes.
    """

    def __init__(self, descriptor: int) -> None:
        self.number = descriptor

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.number)


class StoreFolder:
    """See the module. To be used with `with`; it may be taken by another process.

    Raises (all of it):
        HubError: "store" or "disk_full".
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self._parent = -1
        self._partial = -1
        self._state = -1

    @property
    def partial_path(self) -> Path:
        """For people."""
        return made_folder.partial_of(self.target)

    def __enter__(self) -> Self:
        with self.errors():
            make_private(self.target.parent)
            self._parent = self._open_folder(str(self.target.parent))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for each in (self._state, self._partial, self._parent):
            if each >= 0:
                os.close(each)
        self._state = self._partial = self._parent = -1

    def take(self) -> bool:
        """Hold the download against other processes; False while another one does."""
        with self.errors():
            while True:
                state = self._made(self._name(STATE))
                try:
                    fcntl.flock(state, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(state)
                    return False
                if _is_at(state, self._name(STATE), self._parent):
                    break
                os.close(state)  # the other one was done with it, and took it away
            self._state = state
            self._partial = self._made(self._name(PARTIAL))
            return True

    def open(
        self, name: str, *, anew: bool = False, whole: bool = False
    ) -> tuple[OpenFile, os.stat_result]:
        """A file of the model, to be read and written; it is made if need be.

        Args:
            anew: not the one that lies there.
            whole: nothing will be written, so it may have other names (see `take_from`).
        """
        with self.errors(), self._folder_of(name) as (folder, last):
            if not anew:
                with contextlib.suppress(OSError):
                    found = OpenFile(os.open(last, _FILE, dir_fd=folder))
                    facts = os.fstat(found.number)
                    if stat.S_ISREG(facts.st_mode) and (whole or facts.st_nlink == 1):
                        return found, facts
            _remove(last, folder)
            flags = _FILE | os.O_CREAT | os.O_EXCL
            found = OpenFile(os.open(last, flags, 0o600, dir_fd=folder))
            return found, os.fstat(found.number)

    def take_from(self, source: Path, name: str, size: int) -> bool:
        """Have a file of an older state of the model as `name`, too; whether that went well."""
        with contextlib.suppress(OSError), self._folder_of(name) as (folder, last):
            facts = source.lstat()
            if not stat.S_ISREG(facts.st_mode) or facts.st_size != size:
                return False
            _remove(last, folder)
            os.link(source, last, dst_dir_fd=folder, follow_symlinks=False)
            return True
        return False

    def keep_only(self, names: frozenset[str]) -> None:
        """Take away what is no file of the model any more."""
        with self.errors():
            _prune(self._partial, names, "")

    def is_empty(self) -> bool:
        """Whether no file of the model has anything in it."""
        with self.errors():
            return not any(
                os.stat(name, dir_fd=folder, follow_symlinks=False).st_size
                for _, _, files, folder in os.fwalk(".", dir_fd=self._partial)
                for name in files
            )

    def map_file(self, name: str) -> OpenFile:
        """A small file of the download's state, to be read and written."""
        with self.errors():
            try:
                return OpenFile(os.open(name, _FILE | os.O_CREAT, 0o600, dir_fd=self._state))
            except OSError:
                _remove(name, self._state)
                flags = _FILE | os.O_CREAT | os.O_EXCL
                return OpenFile(os.open(name, flags, 0o600, dir_fd=self._state))

    def read(self, name: str, limit: int) -> bytes:
        """A small file of the download's state; empty where there is none."""
        try:
            file = OpenFile(os.open(name, _FILE, dir_fd=self._state))
            if os.fstat(file.number).st_size > limit:
                return b""
            return os.pread(file.number, limit, 0)
        except OSError:
            return b""

    def write(self, name: str, content: bytes, *, model: bool = False) -> None:
        """Write a small file of the download's state, or of the model: whole or not at all."""
        folder = self._partial if model else self._state
        new = f".{name}.new"
        with self.errors():
            _remove(new, folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(new, flags, 0o600, dir_fd=folder), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)

    def free(self) -> tuple[int, int]:
        """Bytes that may be written on this disk, and its size."""
        with self.errors():
            facts = os.fstatvfs(self._parent)
            return facts.f_bavail * facts.f_frsize, facts.f_blocks * facts.f_frsize

    def put_in_place(self) -> None:
        """The partial folder becomes the model; the download's state is taken away."""
        with self.errors():
            for folder in _folders(self._partial):
                os.fsync(folder)
            made_folder.put_in_place(self.target)
            self.forget()

    def forget(self) -> None:
        """Take away what is left of the download."""
        for ending in (PARTIAL, STATE):
            _remove(self._name(ending), self._parent)

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """An OSError becomes a HubError with words."""
        try:
            yield
        except OSError as error:
            raise self.named(error) from error

    def named(self, error: OSError) -> HubError:
        """What an error of the disk means."""
        parent = self.target.parent
        text = made_folder.disk_text(error, parent)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return HubError("disk_full", text)
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            folder = error.filename or self.partial_path
            return HubError("store", _LINK.format(folder=folder))
        reason = error.strerror or type(error).__name__
        return HubError("store", text or _FAILED.format(folder=parent, reason=reason))

    def _name(self, ending: str) -> str:
        return f".{self.target.name}{ending}"

    def _open_folder(self, name: str, parent: int | None = None) -> int:
        return os.open(name, _FOLDER, dir_fd=parent)

    def _made(self, name: str) -> int:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=self._parent)
        try:
            return self._open_folder(name, self._parent)
        except OSError as error:
            error.filename = str(self.target.with_name(name))
            raise

    @contextlib.contextmanager
    def _folder_of(self, name: str) -> Iterator[tuple[int, str]]:
        """The folder that a file of the model is in, and the last part of its name."""
        *parents, last = name.split("/")
        folder, opened = self._partial, []
        try:
            for parent in parents:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(parent, 0o700, dir_fd=folder)
                folder = self._open_folder(parent, folder)
                opened.append(folder)
            yield folder, last
        finally:
            for each in opened:
                os.close(each)


def _is_at(descriptor: int, name: str, folder: int) -> bool:
    mine = os.fstat(descriptor)
    try:
        there = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)


def _remove(name: str, folder: int) -> None:
    """Take away whatever is called so; of a link only itself."""
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return
    except IsADirectoryError:
        shutil.rmtree(name, dir_fd=folder)


def _prune(folder: int, names: frozenset[str], prefix: str) -> None:
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        path = prefix + name
        if not is_folder:
            if path not in names:
                os.unlink(name, dir_fd=folder)
        elif any(other.startswith(f"{path}/") for other in names):
            inner = os.open(name, _FOLDER, dir_fd=folder)
            try:
                _prune(inner, names, f"{path}/")
            finally:
                os.close(inner)
        else:
            shutil.rmtree(name, dir_fd=folder)


def _folders(folder: int) -> Iterator[int]:
    for _, _, _, descriptor in os.fwalk(".", dir_fd=folder):
        yield descriptor
