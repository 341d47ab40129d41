"""A disk of a few megabytes, for processes that are started on it: a tmpfs of their own.

Nothing of it is seen outside, and it is gone with the last process.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SCRIPT = 'mount -t tmpfs -o "size=$1,mode=0700" none "$2" && cd "$2" && echo there && exec cat'


class NoSmallDiskError(Exception):
    """This system lets no process have a disk of its own."""


class SmallDisk:
    """A disk that is there.

    Attributes:
        folder: its place, for processes on it.
        inside: its place as seen from here.
        enter: words before a command that begin a process on it.
    """

    def __init__(self, folder: Path, pid: int) -> None:
        self.folder = folder
        self.inside = Path(f"/proc/{pid}/root{folder}")
        owned = () if os.geteuid() == 0 else ("--user", "--preserve-credentials")
        # Whoever comes to another set of mounts is in the root folder there.
        back = ("sh", "-c", 'cd "$0" && exec "$@"', str(Path.cwd()))
        self.enter = ("nsenter", "--target", str(pid), "--mount", *owned, "--", *back)

    def resize(self, size: int) -> None:
        """Make it larger, or smaller than it was; in bytes."""
        mount = ("mount", "-o", f"remount,size={size}", "none", str(self.folder))
        subprocess.run([*self.enter, *mount], check=True, timeout=20)

    @contextmanager
    def filled(self, left: int) -> Iterator[None]:
        """Have somebody else's file take all but `left` bytes of it."""
        filler = self.inside / "somebody-else's"
        with filler.open("wb") as file:
            size = 0
            while (more := self._free() - left) > 0:
                with contextlib.suppress(OSError):  # another process has taken some of it meanwhile
                    os.posix_fallocate(file.fileno(), size, more)
                    size += more
        try:
            yield
        finally:
            filler.unlink()

    def _free(self) -> int:
        facts = os.statvfs(self.inside)
        return facts.f_bavail * facts.f_frsize


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[SmallDisk]:
    """`folder`, which is there and empty, as a disk of `size` bytes.

    Raises:
        NoSmallDiskError: see there.
    """
    owned = () if os.geteuid() == 0 else ("--map-root-user",)
    command = ["unshare", "--mount", *owned, "sh", "-c", _SCRIPT, "sh", str(size), str(folder)]
    try:
        holder = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    except OSError as error:
        raise NoSmallDiskError(str(error)) from error
    with holder:
        assert holder.stdin
        assert holder.stdout
        assert holder.stderr
        ready = holder.stdout.readline()
        if not ready:
            raise NoSmallDiskError(holder.stderr.read().strip() or "no mount namespace")
        try:
            yield SmallDisk(folder, holder.pid)
        finally:
            with contextlib.suppress(OSError):
                holder.stdin.close()  # it ends by itself
            holder.wait(20)
