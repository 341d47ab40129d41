"""Where Inglenook keeps its files: the XDG folders, all for this user alone.

`INGLENOOK_HOME` puts everything below one folder (a portable copy, the tests).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.store.folders import absolute
from engine.store.private_folder import make_private as make_private

APPLICATION = "inglenook"


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of one user. Finding them makes none; see `prepare`.

    Attributes:
        data: chats and models, what the user would miss.
        config: settings, what the user chose.
        state: open tabs, logs; dear, but not worth a backup.
        cache: what can be made again.
        runtime: gone after a restart of the machine.
    """

    data: Path
    config: Path
    state: Path
    cache: Path
    runtime: Path

    @property
    def store(self) -> Path:
        """The database of chats."""
        return self.data / "chats.db"

    @property
    def models(self) -> Path:
        """The models that Inglenook installed."""
        return self.data / "models"

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "settings.json"

    @property
    def session(self) -> Path:
        """The file of open tabs and window geometry."""
        return self.state / "session.json"

    @property
    def logs(self) -> Path:
        """The folder of logs."""
        return self.state / "logs"

    def prepare(self) -> tuple[str, ...]:
        """Make the folders, closed to others; one warning text for each that fails."""
        warnings = []
        for folder in (self.data, self.config, self.state, self.cache, self.runtime):
            try:
                make_private(folder)
                if folder.stat().st_mode & 0o077:
                    folder.chmod(0o700)
            except OSError as error:
                warnings.append(
                    f"Inglenook cannot use its folder {folder} ({error.strerror or error}). "
                    "Make it writable for you, or set INGLENOOK_HOME to a folder that is."
                )
        return tuple(warnings)


def find(environment: Mapping[str, str] | None = None) -> Folders:
    """The folders for `environment` (this process's own by default)."""
    env = os.environ if environment is None else environment
    home = env.get("INGLENOOK_HOME", "")
    if home:
        base = absolute(home)
        return Folders(*(base / name for name in ("data", "config", "state", "cache", "runtime")))
    user = Path(env.get("HOME") or Path.home())
    state = _xdg(env, "XDG_STATE_HOME", user / ".local/state")
    runtime = env.get("XDG_RUNTIME_DIR", "")
    return Folders(
        data=_xdg(env, "XDG_DATA_HOME", user / ".local/share"),
        config=_xdg(env, "XDG_CONFIG_HOME", user / ".config"),
        state=state,
        cache=_xdg(env, "XDG_CACHE_HOME", user / ".cache"),
        runtime=Path(runtime) / APPLICATION if runtime.startswith("/") else state / "run",
    )


def make_private_file(path: Path) -> None:
    """Make `path` an empty file with mode 0600 whatever the umask; one that exists is emptied.

    Raises:
        OSError: it cannot be made.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def _xdg(env: Mapping[str, str], name: str, default: Path) -> Path:
    """The folder of an XDG variable; a relative one is invalid and ignored."""
    value = env.get(name, "")
    return (Path(value) if value.startswith("/") else default) / APPLICATION
