"""What the user chose, kept as JSON in the config folder."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from desktop import json_file

VERSION: Final = 1
THEMES: Final = ("system", "light", "dark", "contrast")
SEND_KEYS: Final = ("enter", "ctrl+enter")
FONT_SIZES: Final = range(8, 33)  # pt


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Change one with `dataclasses.replace`, then `save`.

    Attributes:
        theme: one of `THEMES`.
        model: folder of the model to load at the start; "" for none.
        font_size: of the transcript, in pt, within `FONT_SIZES`.
        send_with: which key sends, one of `SEND_KEYS`.
        sidebar_visible: whether the list of chats is shown.
        unknown: keys of the file that this version does not know; written back.
    """

    theme: str = "system"
    model: str = ""
    font_size: int = 11
    send_with: str = "enter"
    sidebar_visible: bool = True
    unknown: dict[str, object] = field(default_factory=dict)


_KNOWN: Final = tuple(f.name for f in dataclasses.fields(Settings) if f.name != "unknown")


def load(path: Path) -> tuple[Settings, str]:
    """The settings in the file at `path`, and a warning for the user ("" if all is well).

    A value that makes no sense is replaced by its default, the others are kept.
    """
    content, warning = json_file.read(path, "settings", VERSION)
    values: dict[str, Any] = {}
    wrong = []
    for name in _KNOWN:
        if name in content:
            if _is_valid(name, content[name]):
                values[name] = content[name]
            else:
                wrong.append(name)
    if wrong:
        warning = (
            f"Some settings in {path} make no sense ({', '.join(wrong)}), so their defaults are "
            "used."
        )
    unknown = {k: v for k, v in content.items() if k not in _KNOWN and k != "version"}
    return Settings(**values, unknown=unknown), warning


def save(path: Path, settings: Settings) -> str:
    """Write the settings in one step; a warning for the user if that failed, else ""."""
    content: dict[str, object] = {"version": VERSION, **settings.unknown}
    content.update((name, getattr(settings, name)) for name in _KNOWN)
    return json_file.write(path, content, "settings")


def _is_valid(name: str, value: object) -> bool:
    match name:
        case "theme":
            return value in THEMES
        case "send_with":
            return value in SEND_KEYS
        case "font_size":
            return type(value) is int and value in FONT_SIZES
        case "sidebar_visible":
            return isinstance(value, bool)
        case _:
            return isinstance(value, str)
