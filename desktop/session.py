"""What was open when the window closed, kept as JSON in the state folder.

The window saves it on each change (throttled), not only at the end: a killed window
comes back with its tabs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop import json_file, pane_layout
from desktop.pane_layout import Layout

VERSION: Final = 1
MAX_TABS: Final = 1000
MAX_FOLDERS: Final = 1000
_MAX_SECTIONS: Final = 100
_FAR: Final = 1 << 24  # parts or pixels; no place is as far


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a chat: `offset` pixels below the top of a part of a message.

    `part` -1 is the message as a whole.
    """

    message_id: str
    part: int
    offset: int


@dataclass(frozen=True, slots=True)
class MonitorPlace:
    """Where the monitor was, and how.

    Attributes:
        is_open: it was shown. is_window: in a window of its own.
        width: of its pane in pixels; 0: never shown.
        geometry: of its window, base64 of `QWidget.saveGeometry`.
        folded: names of the sections that showed their heads alone.
    """

    is_open: bool = False
    is_window: bool = False
    width: int = 0
    geometry: str = ""
    folded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """The window as it was left.

    Attributes:
        open_tabs: chat ids from left to right.
        active_tab: the chat id of the tab in front; "" if there was none.
        geometry: base64 of `QWidget.saveGeometry`.
        window_state: base64 of `QMainWindow.saveState`.
        splitter_sizes: in logical pixels, from left to right.
        panes: how the tabs are split over panes; None: all stand in one.
        closed_folders: folders of the sidebar that do not show their chats.
        places: where one was reading, of the open chats that were not at their end.
        monitor: where the monitor was.
    """

    open_tabs: tuple[str, ...] = ()
    active_tab: str = ""
    geometry: str = ""
    window_state: str = ""
    splitter_sizes: tuple[int, ...] = ()
    panes: Layout | None = None
    closed_folders: tuple[str, ...] = ()
    places: tuple[tuple[str, Place], ...] = ()  # by chat id
    monitor: MonitorPlace = MonitorPlace()


def load(path: Path) -> tuple[Session, str]:
    """The session in the file at `path`, and a warning for the user ("" if all is well).

    Each part that makes no sense is left out, without a word: a lost geometry is no
    news. Chats may be gone by now; the caller checks the ids.
    """
    content, warning = json_file.read(path, "open tabs", VERSION)
    tabs = tuple(dict.fromkeys(_strings(content.get("open_tabs"))))[:MAX_TABS]
    active = _string(content.get("active_tab"))
    return (
        Session(
            open_tabs=tabs,
            active_tab=active if active in tabs else "",
            geometry=_string(content.get("geometry")),
            window_state=_string(content.get("window_state")),
            splitter_sizes=_sizes(content.get("splitter_sizes")),
            panes=pane_layout.from_json(content.get("panes"), tabs),
            closed_folders=tuple(_strings(content.get("closed_folders")))[:MAX_FOLDERS],
            places=_places(content.get("places"), tabs),
            monitor=_monitor(content.get("monitor")),
        ),
        warning,
    )


def save(path: Path, session: Session) -> str:
    """Write the session in one step; a warning for the user if that failed, else ""."""
    content: dict[str, object] = {
        "version": VERSION,
        "open_tabs": list(session.open_tabs),
        "active_tab": session.active_tab,
        "geometry": session.geometry,
        "window_state": session.window_state,
        "splitter_sizes": list(session.splitter_sizes),
        "panes": pane_layout.to_json(session.panes),
        "closed_folders": list(session.closed_folders),
        "places": {id_: [p.message_id, p.part, p.offset] for id_, p in session.places},
        "monitor": {
            "open": session.monitor.is_open,
            "window": session.monitor.is_window,
            "width": session.monitor.width,
            "geometry": session.monitor.geometry,
            "folded": list(session.monitor.folded),
        },
    }
    # Written often and from the window's thread, which must not wait for a slow disk.
    return json_file.write(path, content, "open tabs", sync=False)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _strings(value: object) -> list[str]:
    return [v for v in value if isinstance(v, str) and v] if isinstance(value, list) else []


def _sizes(value: object) -> tuple[int, ...]:
    sizes = value if isinstance(value, list) else []
    sound = all(type(size) is int and 0 <= size <= 100_000 for size in sizes)
    return tuple(sizes) if sound else ()


def _places(value: object, tabs: tuple[str, ...]) -> tuple[tuple[str, Place], ...]:
    found = []
    for chat_id, place in value.items() if isinstance(value, dict) else ():
        match place:
            case [str(message_id), int(part), int(offset)] if (
                chat_id in tabs and -1 <= part < _FAR and abs(offset) < _FAR
            ):
                found.append((chat_id, Place(message_id, part, offset)))
    return tuple(found)


def _monitor(value: object) -> MonitorPlace:
    if not isinstance(value, dict):
        return MonitorPlace()
    width = value.get("width")
    return MonitorPlace(
        is_open=value.get("open") is True,
        is_window=value.get("window") is True,
        width=width if type(width) is int and 0 <= width <= 100_000 else 0,
        geometry=_string(value.get("geometry")),
        folded=tuple(_strings(value.get("folded")))[:_MAX_SECTIONS],
    )
