"""The folder a model is quantised into: whole and verified, or not there.

It is written under a hidden name beside its place, is locked while it is, and takes its name when
the verification has passed. What a killed process leaves behind has no lock any more and is removed
by the next one, so a lock file is not needed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.quantize import refusal_words as say
from engine.quantize.wire import QuantizeError
from engine.store.folders import models_folder, name_of
from engine.store.library.store_place import away_text
from engine.store.made_folder import seal, sync, write_json
from engine.store.private_folder import make_private

NOTE = "inglenook.json"  # how it was made, and what the verification found
_SUFFIX = ".quantizing"


def default_target(models: Path, model: Path, group_size: int = 0) -> Path:
    """Where the quantised form of `model` goes if the user names no folder."""
    group = f"-g{group_size}" if group_size else ""
    return models / "quantized" / f"{name_of(model)}-AWQ{group}"


def partial_of(target: Path) -> Path:
    """The hidden folder beside `target` in which it is made."""
    return target.with_name(f".{target.name}{_SUFFIX}")


def sweep(parent: Path) -> list[str]:
    """Remove what killed processes left in `parent`; the names of what was removed."""
    swept = []
    for folder in sorted(parent.glob(f".*{_SUFFIX}")):
        with contextlib.suppress(OSError), _locked(folder):
            shutil.rmtree(folder)
            swept.append(folder.name)
    return swept


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def made_whole(target: Path) -> Iterator[Path]:
    """The folder to write into; it becomes `target` if the block ends well, else it goes.

    Raises:
        QuantizeError: `target` is taken, cannot be made, or another process is at it.
    """
    check_target(target)
    partial = partial_of(target)
    try:
        make_private(target.parent)
        sweep(target.parent)
        partial.mkdir(mode=0o700)
    except FileExistsError as error:
        if not target.parent.is_dir():
            reason = NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            raise disk_error(reason, target) from error
        raise QuantizeError("busy", say.BUSY.format(name=target.name)) from error
    except OSError as error:
        raise disk_error(error, target) from error
    with _locked(partial):
        try:
            yield partial
            _settle(partial, target)
        except OSError as error:
            raise disk_error(error, target) from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def check_target(target: Path) -> None:
    """Refuse a target that would overwrite something, or be written under a disk that is away.

    Raises:
        QuantizeError: so it is.
    """
    store = models_folder()
    if target.is_relative_to(store) and (text := away_text(store)):
        raise QuantizeError("disk", text)
    if target.is_dir() and not any(target.iterdir()):
        return
    if target.exists():
        raise QuantizeError("target_exists", say.TAKEN.format(folder=target))


def _settle(partial: Path, target: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        target.rmdir()  # an empty one
    partial.rename(target)
    sync(target.parent)


def complete(folder: Path, note: dict[str, Any]) -> None:
    """Note in `folder` how the model was made, and list its files with their hashes.

    Args:
        note: `made`, among it `from`, the name of the original; `verified`, what was found.
    """
    write_json(folder / NOTE, note)
    seal(folder, {"kind": "quantised", "from": note["made"]["from"]})


def disk_error(error: OSError, target: Path) -> QuantizeError:
    """What a disk refused, in plain words."""
    where = target.parent
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return QuantizeError("disk_full", say.DISK_FULL.format(folder=where))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return QuantizeError("not_writable", say.NOT_WRITABLE.format(folder=where))
    reason = error.strerror or str(error)
    return QuantizeError("disk", say.DISK.format(folder=where, reason=reason))
