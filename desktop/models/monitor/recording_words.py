"""What is said about recordings that fail."""

from __future__ import annotations

import errno
from pathlib import Path

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def stopped_text(path: Path, error: Exception) -> str:
    """Why a recording has ended by itself, and what to do."""
    if isinstance(error, TimeoutError):
        return translate(
            "Recording",
            "The recording has stopped: the disk of {path} is too slow. What was written until "
            "then is kept. Record to another disk.",
        ).format(path=path)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return translate(
            "Recording",
            "The recording has stopped: the disk is full. What was written to {path} until then "
            "is kept. Free some space, and record again.",
        ).format(path=path)
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return translate(
            "Recording",
            "The recording has stopped: {path} is as large as a recording may be. It is kept; "
            "record again to another file.",
        ).format(path=path)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return translate(
        "Recording",
        "The recording to {path} has stopped ({reason}). What was written until then is kept.",
    ).format(path=path, reason=reason)


def not_one_text(path: Path) -> str:
    """A file that is something else."""
    return translate("Recording", "{path} is no recording of the monitor.").format(path=path)


def newer_text(path: Path) -> str:
    """A recording of a form that is not known yet."""
    return translate(
        "Recording", "{path} was recorded by a newer Inglenook. Open it with that."
    ).format(path=path)
