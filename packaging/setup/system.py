"""What the set-up needs from the system: disk space, a display, libraries, and their names."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from setup.failures import SetupError
from setup.layout import Layout

GIB = 1 << 30

# Debian's package for each library that PySide6's window plugins (xcb, wayland, offscreen) and
# its network module take from the system.
_DEBIAN = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libGLdispatch.so.0": "libglvnd0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libzstd.so.1": "libzstd1",
}

_ARCH = {
    "libEGL.so.1": "libglvnd",
    "libGL.so.1": "libglvnd",
    "libGLX.so.0": "libglvnd",
    "libGLdispatch.so.0": "libglvnd",
    "libX11-xcb.so.1": "libx11",
    "libX11.so.6": "libx11",
    "libdbus-1.so.3": "dbus",
    "libfontconfig.so.1": "fontconfig",
    "libfreetype.so.6": "freetype2",
    "libglib-2.0.so.0": "glib2",
    "libgthread-2.0.so.0": "glib2",
    "libgssapi_krb5.so.2": "krb5",
    "libwayland-client.so.0": "wayland",
    "libwayland-cursor.so.0": "wayland",
    "libxcb-cursor.so.0": "xcb-util-cursor",
    "libxcb-icccm.so.4": "xcb-util-wm",
    "libxcb-image.so.0": "xcb-util-image",
    "libxcb-keysyms.so.1": "xcb-util-keysyms",
    "libxcb-render-util.so.0": "xcb-util-renderutil",
    "libxcb-util.so.1": "xcb-util",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11",
    "libxkbcommon.so.0": "libxkbcommon",
    "libzstd.so.1": "zstd",
    "xvfb": "xorg-server-xvfb",
}

_FEDORA = {"xvfb": "xorg-x11-server-Xvfb"}

_COMMANDS = {
    "apt": "apt install",
    "dnf": "dnf install",
    "zypper": "zypper install",
    "pacman": "pacman -S",
}

_FAMILIES = {
    "debian": "apt",
    "ubuntu": "apt",
    "fedora": "dnf",
    "rhel": "dnf",
    "centos": "dnf",
    "suse": "zypper",
    "opensuse": "zypper",
    "arch": "pacman",
}


@dataclass(frozen=True, slots=True)
class Distribution:
    """The Linux distribution, as far as installing packages goes.

    Attributes:
        manager: "apt", "dnf", "zypper", "pacman", or "" for one not known.
        root: whether we may install without sudo.
    """

    manager: str
    root: bool

    def install_line(self, names: Mapping[str, Sequence[str]]) -> str:
        """The line that installs the packages which each manager has by other `names`."""
        wanted = names.get(self.manager, ())
        if not wanted:
            some = next(iter(names.values()))
            return f"install with your system's package manager: {' '.join(some)}"
        sudo = "" if self.root else "sudo "
        return f"{sudo}{_COMMANDS[self.manager]} {' '.join(wanted)}"

    def library_line(self, libraries: Sequence[str], programs: Sequence[str] = ()) -> str:
        """The line that installs the packages in which `libraries` (sonames) are.

        Args:
            programs: packages of programs to install as well, by Debian's names.
        """
        # These two look a package up by the library in it.
        provided = [f"'{name}()(64bit)'" for name in libraries] + [
            _FEDORA.get(name, name) for name in programs
        ]
        return self.install_line(
            {
                "apt": sorted({*(_DEBIAN.get(name, name) for name in libraries), *programs}),
                "dnf": provided,
                "zypper": provided,
                "pacman": sorted(
                    {
                        *(_ARCH.get(name, "libxcb") for name in libraries),
                        *(_ARCH.get(name, name) for name in programs),
                    }
                ),
            }
        )


def read_distribution(os_release: Path = Path("/etc/os-release")) -> Distribution:
    """This machine's distribution, by `os_release`."""
    try:
        text = os_release.read_text(encoding="utf-8")
    except OSError:
        text = ""
    values = dict(re.findall(r'^(ID|ID_LIKE)="?([^"\n]*)"?$', text, re.MULTILINE))
    words = f"{values.get('ID', '')} {values.get('ID_LIKE', '')}".lower().split()
    for word in words:
        if manager := _FAMILIES.get(word.split("-")[0]):
            return Distribution(manager, root=os.geteuid() == 0)
    return Distribution("", root=os.geteuid() == 0)


def check_space(folder: Path, needed: int, what: str) -> None:
    """Make sure that `needed` bytes are free where `folder` is or will be.

    Raises:
        SetupError: they are not.
    """
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    if free < needed:
        raise SetupError(
            f"{what} needs {needed / GIB:.1f} GiB of disk in {folder}; {free / GIB:.1f} GiB are "
            "free.",
            f"Free some space (du -xh {existing} | sort -h | tail), then: ./packaging/run",
        )


def has_display(environ: Mapping[str, str]) -> bool:
    """Whether a window can be opened: a display is named, or Qt is told to do without."""
    return any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def platform_plugin(environ: Mapping[str, str]) -> str:
    """The name of the Qt plugin that will open the window: "xcb", "wayland", "offscreen", …"""
    wanted = environ.get("QT_QPA_PLATFORM", "")
    if wanted:
        return wanted.split(";")[0].split(":")[0]
    # As Qt chooses: Wayland only where the session is one.
    if environ.get("WAYLAND_DISPLAY") and environ.get("XDG_SESSION_TYPE") == "wayland":
        return "wayland"
    return "xcb" if environ.get("DISPLAY") else "wayland"


def missing_libraries(layout: Layout, environ: Mapping[str, str]) -> list[str]:
    """The system libraries (sonames) that Qt needs to open a window here and does not find.

    [] as well where there is no ldd to ask: Qt then says it itself.
    """
    pyside = layout.site_packages / "PySide6"
    plugin = pyside / "Qt" / "plugins" / "platforms" / f"libq{platform_plugin(environ)}.so"
    found: set[str] = set()
    for path in (pyside / "QtWidgets.abi3.so", pyside / "QtNetwork.abi3.so", plugin):
        if path.exists():
            found.update(_unresolved(path))
    return sorted(found)


def _unresolved(path: Path) -> list[str]:
    try:
        told = subprocess.run(
            ["ldd", path],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
            timeout=30,
            check=False,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return re.findall(r"^\s*(\S+) => not found", told, re.MULTILINE)
