"""An X server without a screen, for pictures, focus and the clipboard."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


class NoXvfbError(RuntimeError):
    """Xvfb is not installed."""


@contextmanager
def xvfb(width: int = 1500, height: int = 950) -> Iterator[str]:
    """Start Xvfb on a free display; yields its name (":7").

    Raises:
        NoXvfbError: with the line that installs it.
    """
    if shutil.which("Xvfb") is None:
        raise NoXvfbError("Xvfb is missing: sudo apt install xvfb")
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            *("Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24"),
            *("-nolisten", "tcp", "-dpi", "96"),
        ],
        pass_fds=(write,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()  # written when the server accepts clients
        if not number:
            raise NoXvfbError("Xvfb does not start here")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
