"""What is installed in the private environment, held against what the lock files pin.

Read from the `*.dist-info` folders alone: nothing is imported, and a broken environment cannot
break the reading of it.
"""

import csv
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_LINE = re.compile(r"^([A-Za-z0-9._-]+)==([A-Za-z0-9.+!_-]+)(?:\s*;\s*(.+))?$")
_MARKER = re.compile(r'^(python_version|platform_machine)\s*(==|!=|>=|<)\s*"([^"]+)"$')


@dataclass(frozen=True, slots=True)
class Pin:
    """A package at its locked version; `name` is in its normal form."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


def normal_name(name: str) -> str:
    """A package's name as registries compare it: lower case, single hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock(
    lock: Path, python: tuple[int, int] = sys.version_info[:2], machine: str = platform.machine()
) -> list[Pin]:
    """The pins of the lock file `lock` that hold for this Python and machine.

    Raises:
        ValueError: a line is not `name==version`, with at most one simple marker.
    """
    pins = []
    for number, raw in enumerate(lock.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise ValueError(f"{lock.name}, line {number}: not name==version: {line}")
        name, version, marker = match.groups()
        if marker is None or _holds(marker, python, machine):
            pins.append(Pin(normal_name(name), version))
    return pins


def _holds(marker: str, python: tuple[int, int], machine: str) -> bool:
    match = _MARKER.match(marker.strip())
    if match is None:
        raise ValueError(f"a marker the set-up does not know: {marker}")
    variable, operator, text = match.groups()
    if variable == "platform_machine":
        if operator not in ("==", "!="):
            raise ValueError(f"a marker the set-up does not know: {marker}")
        return (machine == text) == (operator == "==")
    major, minor = text.split(".")
    wanted = (int(major), int(minor))
    return {
        "==": python == wanted,
        "!=": python != wanted,
        ">=": python >= wanted,
        "<": python < wanted,
    }[operator]


@dataclass(frozen=True, slots=True)
class Installed:
    """One installed package.

    Attributes:
        folder: its `*.dist-info`.
    """

    pin: Pin
    folder: Path


def installed(site_packages: Path) -> list[Installed]:
    """Every package that has a `*.dist-info` folder in `site_packages`; [] without the folder."""
    try:
        folders = sorted(site_packages.glob("*.dist-info"))
    except OSError:
        return []
    found = []
    for folder in folders:
        name, _, version = folder.name.removesuffix(".dist-info").partition("-")
        found.append(Installed(Pin(normal_name(name), version), folder))
    return found


def missing(pins: Iterable[Pin], site_packages: Path) -> list[Pin]:
    """Those of `pins` that are not installed at their version."""
    # Versions are compared as the folder's name writes them: "+" and "-" become "_" there.
    have = {(item.pin.name, _folded(item.pin.version)) for item in installed(site_packages)}
    return [pin for pin in pins if (pin.name, _folded(pin.version)) not in have]


def _folded(version: str) -> str:
    return re.sub(r"[-_+.]+", ".", version).lower()


def witnesses(pins: Sequence[Pin], site_packages: Path) -> dict[str, list[str]]:
    """For each of `pins`, files whose absence means that the package was deleted.

    One for each top-level folder or module the package put into `site_packages`: few enough to
    look at on every start, and they tell a deleted folder. Keyed by "name==version"; paths are
    relative to `site_packages`.
    """
    wanted = {pin.name: pin for pin in pins}
    found: dict[str, list[str]] = {}
    for item in installed(site_packages):
        pin = wanted.get(item.pin.name)
        if pin is None:
            continue
        first: dict[str, str] = {}
        for path, _ in _recorded_files(item.folder):
            top = path.split("/", 1)[0]
            if top == ".." or path.endswith(".pyc"):
                continue
            best = first.get(top)
            if best is None or (path.count("/"), path) < (best.count("/"), best):
                first[top] = path
        found[str(pin)] = sorted(first.values())
    return found


def deleted(witnessed: dict[str, list[str]], site_packages: Path) -> list[str]:
    """The "name==version" of those packages whose witnesses are not all there."""
    return [
        pin
        for pin, paths in witnessed.items()
        if not all((site_packages / path).exists() for path in paths)
    ]


def sweep(site_packages: Path) -> list[Pin]:
    """Make pip see as absent what is installed by halves, so that it installs it again.

    A package counts as half installed when its record is missing, or a recorded file is missing
    or has another size (an interrupted install, a deleted folder, a full disk), or when two
    versions of it lie side by side.

    Returns: the packages whose `*.dist-info` was removed.
    """
    for remains in site_packages.glob("~*"):  # what pip moves aside while it replaces a package
        shutil.rmtree(remains, ignore_errors=True)
    items = installed(site_packages)
    names = [item.pin.name for item in items]
    swept = []
    for item in items:
        if names.count(item.pin.name) > 1 or not _is_whole(item.folder):
            shutil.rmtree(item.folder)
            swept.append(item.pin)
    return swept


def _is_whole(folder: Path) -> bool:
    files = list(_recorded_files(folder))
    if not files or not (folder / "METADATA").is_file():
        return False
    base = folder.parent
    for path, size in files:
        if path.endswith(".pyc"):
            continue  # written and removed by Python as it likes
        try:
            actual = (base / path).lstat().st_size
        except OSError:
            return False
        if size is not None and actual != size:
            return False
    return True


def _recorded_files(folder: Path) -> list[tuple[str, int | None]]:
    """The files that the package of `folder` recorded, with their sizes in bytes."""
    try:
        with (folder / "RECORD").open(encoding="utf-8", newline="") as record:
            return [
                (row[0], int(row[2]) if len(row) > 2 and row[2] else None)
                for row in csv.reader(record)
                if row
            ]
    except (OSError, ValueError, csv.Error):
        return []
