"""The window's own log: a file that rotates, for this user alone.

What people write and what models answer is never logged.
"""

from __future__ import annotations

import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final

from desktop.paths import make_private

MAX_BYTES: Final = 1024 * 1024
KEPT: Final = 3
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s [%(threadName)s] %(message)s"


class PrivateRotatingFileHandler(RotatingFileHandler):
    """A rotating file whose mode is 0600 whatever the umask, for the rotated ones too."""

    def _open(self) -> Any:
        descriptor = os.open(
            self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600
        )
        os.fchmod(descriptor, 0o600)
        return open(descriptor, "a", encoding="utf-8", errors="replace")  # noqa: PTH123


def set_up(folder: Path, *, verbose: bool = False) -> Path | None:
    """Log to `window.log` in `folder`, and warnings to stderr. Call once.

    Returns:
        The file, or None if it cannot be written: then stderr has to do.
    """
    root = logging.getLogger()
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setLevel(logging.DEBUG if verbose else logging.WARNING)
    terminal.setFormatter(logging.Formatter("inglenook: %(levelname)s: %(message)s"))
    root.addHandler(terminal)
    # A full disk must not turn each log line into a traceback on the terminal.
    logging.raiseExceptions = False
    path = folder / "window.log"
    try:
        make_private(folder)
        handler = PrivateRotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=KEPT)
    except OSError as error:
        root.warning("No log is kept in %s: %s", folder, error.strerror or error)
        return None
    handler.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(handler)
    return path
