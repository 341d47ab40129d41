"""Small wheels with the names of large packages: a real pip installs them in no time."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path


def write_wheel(folder: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    """Write a wheel of `name` with `files` (path: text) into `folder`; its path."""
    dist = name.replace("-", "_")
    info = f"{dist}-{version}.dist-info"
    wheel = folder / f"{dist}-{version}-py3-none-any.whl"
    metadata = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": (
            "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    content = {**files, **metadata}
    record = "".join(f"{path},,{len(text.encode())}\n" for path, text in content.items())
    content[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)
    return wheel
