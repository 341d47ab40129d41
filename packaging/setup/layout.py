"""Where the set-up reads and writes."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """The files and folders of one set-up.

    Attributes:
        root: the checkout, with `desktop/`, `engine/` and `packaging/` in it.
        log: what pip and the other tools printed during the last set-up.
    """

    root: Path
    log: Path

    @property
    def venv(self) -> Path:
        """The private environment."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The private environment's interpreter."""
        return self.venv / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        """Where the private environment's packages lie."""
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        return self.venv / "lib" / version / "site-packages"

    @property
    def stamps(self) -> Path:
        """Notes of the steps that are complete; inside the environment, so gone when it is."""
        return self.venv / ".inglenook"

    @property
    def downloads(self) -> Path:
        """The temporary folder of pip: on the environment's disk, as /tmp is often small."""
        return self.venv / ".downloads"

    def lock_file(self, name: str) -> Path:
        """The pinned requirements called `name`, for example "cpu"."""
        return self.root / "packaging" / f"requirements-{name}.txt"


def layout_for(root: Path, environ: Mapping[str, str] = os.environ) -> Layout:
    """The layout of a set-up of the checkout `root`; creates nothing."""
    home = environ.get("INGLENOOK_HOME")
    if home:
        state = Path(home).expanduser().absolute() / "state"
    else:
        state_home = environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        state = Path(state_home) / "inglenook"
    return Layout(root=root, log=state / "logs" / "setup.log")
