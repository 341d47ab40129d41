"""What the system lacks is named with the line that installs it."""

from __future__ import annotations

import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from setup import environment, system
from setup.failures import SetupError
from setup.layout import Layout, layout_for
from setup.system import Distribution

Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize(
    ("text", "manager"),
    [
        ('ID=debian\nVERSION_ID="12"', "apt"),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"', "apt"),
        ("ID=fedora", "dnf"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"', "dnf"),
        ('ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"', "zypper"),
        ("ID=arch", "pacman"),
        ("ID=nixos", ""),
        ("", ""),
    ],
)
def test_the_package_manager_is_found(tmp_path: Path, text: str, manager: str) -> None:
    path = tmp_path / "os-release"
    path.write_text(text)
    assert system.read_distribution(path).manager == manager


def test_no_os_release(tmp_path: Path) -> None:
    assert system.read_distribution(tmp_path / "none").manager == ""


@pytest.mark.parametrize(
    ("manager", "line"),
    [
        ("apt", "sudo apt install libegl1 libxcb-cursor0"),
        ("dnf", "sudo dnf install 'libxcb-cursor.so.0()(64bit)' 'libEGL.so.1()(64bit)'"),
        ("pacman", "sudo pacman -S libglvnd xcb-util-cursor"),
        ("", "install with your system's package manager: libegl1 libxcb-cursor0"),
    ],
)
def test_the_line_for_missing_libraries(manager: str, line: str) -> None:
    names = ["libxcb-cursor.so.0", "libEGL.so.1"]
    assert Distribution(manager, root=False).library_line(names) == line


def test_root_needs_no_sudo_and_programs_go_along() -> None:
    line = Distribution("apt", root=True).library_line(["libGL.so.1"], ["xvfb"])
    assert line == "apt install libgl1 xvfb"


def test_too_little_disk_is_told_before_anything_is_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = 1 << 30
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(0, 0, free))
    system.check_space(tmp_path / "not" / "there" / "yet", free, "The engine")
    with pytest.raises(SetupError, match=r"needs 5\.0 GiB .* 1\.0 GiB are") as caught:
        system.check_space(tmp_path, 5 << 30, "The engine")
    assert "Free some space" in caught.value.cure


@pytest.mark.parametrize(
    ("environ", "plugin"),
    [
        ({"DISPLAY": ":0"}, "xcb"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "xcb"),
        (
            {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland"},
            "wayland",
        ),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "wayland"),
        ({"QT_QPA_PLATFORM": "offscreen:x", "DISPLAY": ":0"}, "offscreen"),
    ],
)
def test_the_plugin_that_will_be_used(environ: dict[str, str], plugin: str) -> None:
    assert system.has_display(environ)
    assert system.platform_plugin(environ) == plugin


@pytest.mark.parametrize("environ", [{}, {"DISPLAY": ""}])
def test_no_display(environ: dict[str, str]) -> None:
    assert not system.has_display(environ)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    result = layout_for(tmp_path)
    platforms = result.site_packages / "PySide6" / "Qt" / "plugins" / "platforms"
    platforms.mkdir(parents=True)
    for name in ("libqxcb.so", "libqoffscreen.so"):
        (platforms / name).touch()
    (result.site_packages / "PySide6" / "QtWidgets.abi3.so").touch()
    return result


def test_missing_libraries_are_what_the_linker_does_not_find(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ldd").write_text(
        "#!/bin/sh\necho '	libc.so.6 => /lib/libc.so.6 (0x00)'\n"
        "case $1 in *libqxcb.so) echo '	libxcb-cursor.so.0 => not found';;"
        " *QtWidgets*) echo '	libEGL.so.1 => not found';; esac\n"
    )
    (tools / "ldd").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    assert system.missing_libraries(layout, {"DISPLAY": ":0"}) == [
        "libEGL.so.1",
        "libxcb-cursor.so.0",
    ]
    assert system.missing_libraries(layout, {"QT_QPA_PLATFORM": "offscreen"}) == ["libEGL.so.1"]


def test_no_ldd_to_ask(layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert system.missing_libraries(layout, {"DISPLAY": ":0"}) == []


def test_a_python_without_venv_names_debians_package() -> None:
    error = environment.no_venv_module(Distribution("apt", root=False))
    assert "venv" in error.cause
    assert error.cure.startswith("sudo apt install python3.")
    assert error.cure.endswith("-venv")


def test_the_log_lies_in_the_state_folder(tmp_path: Path) -> None:
    assert layout_for(tmp_path, {"INGLENOOK_HOME": "/h"}).log == Path("/h/state/logs/setup.log")
    assert layout_for(tmp_path, {"XDG_STATE_HOME": "/s"}).log == Path("/s/inglenook/logs/setup.log")
