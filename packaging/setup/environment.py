"""The private environment, .venv: made, tried, and made again when it is broken."""

import os
import subprocess
import sys
from pathlib import Path

from setup.failures import SetupError, explain
from setup.layout import Layout
from setup.system import Distribution
from setup.tool import ToolError, run_tool

_PATH_FILE = "inglenook.pth"


def is_sound(layout: Layout) -> bool:
    """Whether the environment's interpreter runs and is of this set-up's Python version."""
    if not (layout.venv / "pyvenv.cfg").is_file() or not layout.site_packages.is_dir():
        return False
    # The shell part names it by way of packaging/.., which is no link.
    if os.path.normpath(sys.executable) == str(layout.python):
        return True  # it runs: it is what runs this
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    try:
        told = subprocess.run(
            [layout.python, "-E", "-S", "-c", "import sys; print(*sys.version_info[:2], sep='.')"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return False
    return told == version


def make(layout: Layout, distribution: Distribution) -> None:
    """Make the environment, from nothing or over a broken one.

    Raises:
        SetupError: with the cause and the cure.
    """
    # Inside an environment this is the Python it was made from, which outlives it. Where the
    # environment has lost its pyvenv.cfg, only its link tells what it was made from.
    base = Path(getattr(sys, "_base_executable", None) or sys.executable)
    if base.is_relative_to(layout.venv):
        base = base.resolve()
    try:
        # --clear also mends what an interrupted or broken environment left behind.
        run_tool([base, "-E", "-s", "-m", "venv", "--clear", layout.venv], log=layout.log)
    except ToolError as failure:
        if "ensurepip" in failure.output:
            raise no_venv_module(distribution) from failure
        raise explain(failure.output, "The private environment", layout.log) from failure
    except OSError as error:
        raise explain(str(error), "The private environment", layout.log) from error


def no_venv_module(distribution: Distribution) -> SetupError:
    """The failure of a Python that came without what makes environments (Debian packs it apart)."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    cure = distribution.install_line({"apt": [f"python{version}-venv"], "zypper": ["python3-pip"]})
    return SetupError(f"Python {version} is here without its venv module.", cure)


def has_venv_module() -> bool:
    """Whether this Python can make environments."""
    from importlib.util import find_spec

    return find_spec("venv") is not None and find_spec("ensurepip") is not None


def link_checkout(layout: Layout) -> None:
    """Let the environment's Python find `desktop` and `engine` in the checkout, from any folder.

    Written again where the checkout has moved.
    """
    path_file = layout.site_packages / _PATH_FILE
    wanted = f"{layout.root}\n"
    try:
        if path_file.read_text(encoding="utf-8") == wanted:
            return
    except OSError:
        pass
    path_file.write_text(wanted, encoding="utf-8")
