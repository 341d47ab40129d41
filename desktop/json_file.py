"""Small JSON files that survive a crash and a mistake: replaced whole, read with care."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import time
from pathlib import Path
from typing import Final

from desktop.paths import make_private

log = logging.getLogger(__name__)

MAX_BYTES: Final = 1024 * 1024


def read(path: Path, what: str, version: int) -> tuple[dict[str, object], str]:
    """The object in the file at `path`, and a warning for the user ("" if all is well).

    A file that is broken or of a later `version` is set aside and read as empty; a
    missing one is empty without a warning.

    Args:
        path: the file.
        what: what it holds, as the user calls it: "settings".
        version: the highest value of its "version" that we know.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, (
            f"Your {what} could not be read from {path} ({error.strerror or error}), so the "
            "defaults are used."
        )
    try:
        if len(data) > MAX_BYTES:
            raise ValueError("it is too large")
        content = json.loads(data)
        if not isinstance(content, dict):
            raise ValueError("it is not a JSON object")
        found = content.get("version", 0)
        if isinstance(found, bool) or not isinstance(found, int):
            raise ValueError("its version is not a number")
    except (ValueError, RecursionError) as error:
        log.warning("%s is broken: %s", path, error)
        return {}, _set_aside(path, "damaged", f"The file of your {what} is damaged")
    if found > version:
        return {}, _set_aside(path, "newer", f"Your {what} are from a newer Inglenook")
    return content, ""


def write(path: Path, content: dict[str, object], what: str, *, sync: bool = True) -> str:
    """Replace the file at `path` in one step; a warning for the user if that failed.

    The old file stays whole until the new one is written. Without `sync` the disk is not
    waited for: a kill still loses nothing, a power cut may cost the latest change.
    """
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    text = json.dumps(content, indent=2, ensure_ascii=True) + "\n"
    try:
        make_private(path.parent)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123  (a descriptor)
            os.fchmod(descriptor, 0o600)
            file.write(text)
            file.flush()
            if sync:
                os.fsync(descriptor)
        new.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        log.warning("%s could not be written: %s", path, error)
        return (
            f"Your {what} could not be saved in {path} ({error.strerror or error}). "
            "Free some space or make the folder writable; they are tried again later."
        )
    return ""


def _set_aside(path: Path, why: str, cause: str) -> str:
    target = path.with_name(f"{path.name}.{why}-{time.strftime('%Y%m%d-%H%M%S')}")
    try:
        path.replace(target)
    except OSError:
        return f"{cause} ({path}), so the defaults are used."
    return f"{cause}, so the defaults are used. The old file was moved to {target}."
