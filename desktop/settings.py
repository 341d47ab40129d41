"""What the user chose, kept as JSON in the config folder."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from desktop import json_file
from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, OverflowPolicy

VERSION: Final = 1
THEMES: Final = ("system", "light", "dark", "contrast")
SEND_KEYS: Final = ("enter", "ctrl+enter")
FONT_SIZES: Final = range(8, 33)  # pt
TITLES: Final = ("model", "first_words")
LANGUAGES: Final = ("", "en", "de")
IDLE_MINUTES: Final = (0, 5, 15, 30, 60)  # 0: never
MAX_RECENT: Final = 8  # models
MAX_PROMPT: Final = 100_000  # characters of the default system prompt
MAX_FOLDERS: Final = 64  # of models, beside our own
MAX_ALERTS: Final = 64
MAX_LIMIT: Final = 1 << 40  # bytes/s: more than any network


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Change one with `dataclasses.replace`, then `save`.

    Attributes:
        theme: one of `THEMES`.
        model: folder of the model to load at the start; "" for none.
        font_size: of the transcript, in pt, within `FONT_SIZES`.
        send_with: which key sends, one of `SEND_KEYS`.
        sidebar_visible: whether the list of chats is shown.
        titles: who names a new chat, one of `TITLES`: the model, or its own first words.
        notify: whether the desktop is told that a long answer ended unseen.
        language: one of `LANGUAGES`; "" follows the system.
        overflow: what a new chat does when it is too long, an `OverflowPolicy`'s value.
        system_prompt: of new chats; "" for none.
        idle_unload: minutes without a question until a model sleeps, one of `IDLE_MINUTES`.
        second_engine: whether a model may be loaded beside another one.
        precise_model: folder of the model that answers again where a quantised one is doubted;
            "": none.
        recent_models: folders of the models loaded last, newest first.
        hub_endpoint: address of the hub or of its mirror; "": the usual one.
        proxy: address of the proxy for hub and downloads; "": as the system says.
        ca_bundle: file of the certificates to trust there; "": as the system says.
        offline: whether the hub is never asked.
        download_limit: bytes per second that all downloads may take together; 0: no limit.
        library_folders: folders besides our own in which models are looked for.
        use_hf_cache: whether models in Hugging Face's cache are shown among the installed ones.
        alerts: what the monitor tells of, where it is not as usual: by `alerts.Kind`, whether it is
            "on", and above which "limit".
        watch_alerts: whether that is watched while the monitor is closed, too.
        unknown: keys of the file that this version does not know; written back.
    """

    theme: str = "system"
    model: str = ""
    font_size: int = 11
    send_with: str = "enter"
    sidebar_visible: bool = True
    titles: str = "model"
    notify: bool = True
    language: str = ""
    overflow: str = OverflowPolicy.ASK.value
    system_prompt: str = DEFAULT_SYSTEM_PROMPT
    idle_unload: int = 0
    second_engine: bool = True
    precise_model: str = ""
    recent_models: tuple[str, ...] = ()
    hub_endpoint: str = ""
    proxy: str = ""
    ca_bundle: str = ""
    offline: bool = False
    download_limit: int = 0
    library_folders: tuple[str, ...] = ()
    use_hf_cache: bool = True
    alerts: dict[str, dict[str, object]] = field(default_factory=dict)
    watch_alerts: bool = True
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
                value = content[name]
                values[name] = tuple(value) if isinstance(value, list) else value
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
        case "idle_unload":
            return type(value) is int and value in IDLE_MINUTES
        case "download_limit":
            return type(value) is int and 0 <= value <= MAX_LIMIT
        case "recent_models":
            return _are_texts(value, MAX_RECENT)
        case "library_folders":
            return _are_texts(value, MAX_FOLDERS)
        case "sidebar_visible" | "notify" | "second_engine" | "offline" | "use_hf_cache":
            return isinstance(value, bool)
        case "watch_alerts":
            return isinstance(value, bool)
        case "alerts":
            return _are_alerts(value)
        case "titles":
            return value in TITLES
        case "language":
            return value in LANGUAGES
        case "overflow":
            return value in set(OverflowPolicy)
        case "system_prompt":
            return isinstance(value, str) and len(value) <= MAX_PROMPT
        case _:
            return isinstance(value, str)


def _are_texts(value: object, at_most: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= at_most
        and all(isinstance(one, str) for one in value)
    )


def _are_alerts(value: object) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= MAX_ALERTS
        and all(isinstance(one, dict) and len(one) <= MAX_ALERTS for one in value.values())
    )
