"""Folders that their owner alone may look into. Standard library only, as the set-up needs them."""

from __future__ import annotations

from pathlib import Path


def make_private(folder: Path) -> None:
    """Make `folder`, and those of its parents that are missing, with mode 0700.

    `Path.mkdir(parents=True, mode=…)` would give that mode to the last one only. What exists is
    left as it is.

    Raises:
        OSError: it cannot be made, or is not a folder.
    """
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_private(folder.parent)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():  # else: another process was faster
            raise
    else:
        folder.chmod(0o700)  # whatever the umask
