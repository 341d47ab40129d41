"""The tree of splitters that holds the panes, looked at from outside."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from desktop.pane_layout import Layout, Pane, Split
from desktop.views.tabs.tab_area import LEAST, TabArea


def children(splitter: QSplitter) -> Iterator[QWidget]:
    """What stands in a splitter, in order."""
    found = (splitter.widget(index) for index in range(splitter.count()))
    return (widget for widget in found if widget is not None)


def panes_below(splitter: QSplitter) -> Iterator[TabArea]:
    """The panes in a splitter and in those in it, in order."""
    for child in children(splitter):
        if isinstance(child, TabArea):
            yield child
        elif isinstance(child, QSplitter):
            yield from panes_below(child)


def splitters_below(splitter: QSplitter) -> Iterator[QSplitter]:
    """A splitter and those in it."""
    yield splitter
    for child in children(splitter):
        if isinstance(child, QSplitter):
            yield from splitters_below(child)


def need_of(widget: QWidget) -> QSize:
    """The room that all panes in a widget need at least."""
    if not isinstance(widget, QSplitter):
        return LEAST
    needs = [need_of(child) for child in children(widget)]
    widths, heights = [need.width() for need in needs], [need.height() for need in needs]
    if widget.orientation() == Qt.Orientation.Horizontal:
        return QSize(sum(widths), max(heights, default=0))
    return QSize(max(widths, default=0), sum(heights))


def layout_of(widget: QWidget, kept: dict[QSplitter, list[int]]) -> Layout | None:
    """The layout of a widget; None where it holds no chat.

    `kept`: the sizes of splitters that have others just now.
    """
    if isinstance(widget, TabArea):
        ids = tuple(tab.session.chat_id for tab in widget.tabs() if tab.session.chat_id)
        front = widget.current_tab()
        return Pane(ids, front.session.chat_id if front is not None else "") if ids else None
    assert isinstance(widget, QSplitter)
    parts = [(layout_of(child, kept)) for child in children(widget)]
    sound = tuple(part for part in parts if part is not None)
    if len(sound) < 2:
        return sound[0] if sound else None
    sizes = tuple(kept.get(widget, widget.sizes()))
    fits = len(sizes) == len(sound) and all(sizes)
    return Split(widget.orientation() == Qt.Orientation.Vertical, sizes if fits else (), sound)
