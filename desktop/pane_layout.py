"""How the window is split: a small tree of panes, as it stands in the session file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MAX_PANES: Final = 4
_MAX_TABS: Final = 1000
_MAX_SIZE: Final = 100_000


@dataclass(frozen=True, slots=True)
class Pane:
    """One pane.

    Attributes:
        tabs: chat ids from left to right.
        active: the chat in front; "" if there is none.
    """

    tabs: tuple[str, ...] = ()
    active: str = ""


@dataclass(frozen=True, slots=True)
class Split:
    """Parts beside or below each other.

    Attributes:
        vertical: below each other.
        sizes: of the parts, in device-independent pixels; empty: evenly.
        parts: two or more.
    """

    vertical: bool
    sizes: tuple[int, ...]
    parts: tuple[Layout, ...]


Layout = Pane | Split


def panes(layout: Layout) -> Iterator[Pane]:
    """All panes from left to right and from top to bottom."""
    if isinstance(layout, Pane):
        yield layout
    else:
        for part in layout.parts:
            yield from panes(part)


def to_json(layout: Layout | None) -> object:
    """`layout` as JSON holds it."""
    if layout is None:
        return None
    if isinstance(layout, Pane):
        return {"tabs": list(layout.tabs), "active": layout.active}
    return {
        "vertical": layout.vertical,
        "sizes": list(layout.sizes),
        "parts": [to_json(part) for part in layout.parts],
    }


def from_json(value: object, open_tabs: tuple[str, ...]) -> Layout | None:
    """The layout that `to_json` made; None where there is no sound one that splits.

    Each of `open_tabs` stands in one pane at most; other tabs are dropped, and panes
    without tabs with them.
    """
    layout = _read(value, set(open_tabs), depth=0)
    if not isinstance(layout, Split) or sum(1 for _ in panes(layout)) > MAX_PANES:
        return None
    return layout


def _read(value: object, left: set[str], depth: int) -> Layout | None:
    if not isinstance(value, dict) or depth > MAX_PANES:
        return None
    parts = value.get("parts")
    if not isinstance(parts, list):
        return _read_pane(value, left)
    found = [(part, _read(part, left, depth + 1)) for part in parts[:MAX_PANES]]
    sound = tuple(layout for _, layout in found if layout is not None)
    if len(sound) < 2:
        return sound[0] if sound else None
    sizes = _sizes(value.get("sizes")) if len(sound) == len(parts) else ()
    return Split(
        vertical=value.get("vertical") is True,
        sizes=sizes if len(sizes) == len(sound) else (),
        parts=sound,
    )


def _read_pane(value: dict[object, object], left: set[str]) -> Pane | None:
    names = value.get("tabs")
    tabs: list[str] = []
    for name in names[:_MAX_TABS] if isinstance(names, list) else ():
        if isinstance(name, str) and name in left:
            left.remove(name)
            tabs.append(name)
    if not tabs:
        return None
    active = value.get("active")
    return Pane(tuple(tabs), active if isinstance(active, str) and active in tabs else tabs[0])


def _sizes(value: object) -> tuple[int, ...]:
    sizes = value if isinstance(value, list) else []
    sound = all(type(size) is int and 0 < size <= _MAX_SIZE for size in sizes)
    return tuple(sizes) if sound else ()
