"""Up to four panes beside and below each other, each with its own tabs.

One pane is the current one: commands, new chats and the engine's foreground go to it.
Where the window is too small for all panes only the current one is shown.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QTabBar, QVBoxLayout, QWidget

from desktop.pane_layout import MAX_PANES, Layout, Pane, Split
from desktop.views.tabs.chat_tab import ChatTab
from desktop.views.tabs.pane_folding import PaneFolding
from desktop.views.tabs.pane_tree import layout_of, panes_below
from desktop.views.tabs.tab_area import LEAST, Drop, TabArea, Zone

_SIDE = Qt.Orientation.Horizontal
_STACK = Qt.Orientation.Vertical


class SplitArea(QWidget):
    """See the module.

    Signals:
        close_requested: the `ChatTab` to close.
        tabs_changed: tabs were opened, closed or moved, or another came to the front,
            or another pane did.
        resized: the user gave the panes other sizes.
    """

    close_requested = Signal(object)
    tabs_changed = Signal()
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unseen: set[str] = set()
        self._expected: dict[str, TabArea] = {}
        self._follows_focus = False
        self._root = self._new_splitter(_SIDE)
        self._folding = PaneFolding(self._root, lambda: self.step_pane(1))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._root)
        self._current = self._new_pane()
        self._current.can_split = True
        self._current.setAccessibleName(self.tr("Chats"))
        self._root.addWidget(self._current)

    # --- panes --------------------------------------------------------------------

    def panes(self) -> list[TabArea]:
        """All panes from left to right and from top to bottom."""
        return list(panes_below(self._root))

    @property
    def current_pane(self) -> TabArea:
        """The pane that commands go to."""
        return self._current

    def can_split(self) -> bool:
        """Whether one more pane fits in."""
        return len(self.panes()) < MAX_PANES

    def split_current(self, orientation: Qt.Orientation = _SIDE) -> TabArea:
        """Move the tab in front into a new pane at the right, or below; that pane."""
        zone = Zone.RIGHT if orientation == _SIDE else Zone.BELOW
        tab = self.current_tab()
        pane = self.open_pane(self._current, zone)
        if tab is not None and tab not in pane.tabs():
            self._move(tab, pane)
        return pane

    def open_pane(self, beside: TabArea, zone: Zone) -> TabArea:
        """Make an empty pane at one side of another; the other where there are enough."""
        if not self.can_split():
            return beside
        self._folding.unfold()
        orientation = _SIDE if zone in (Zone.LEFT, Zone.RIGHT) else _STACK
        splitter = beside.parentWidget()
        assert isinstance(splitter, QSplitter)
        if splitter.count() == 1:
            splitter.setOrientation(orientation)
        elif splitter.orientation() != orientation:
            sizes, index = splitter.sizes(), splitter.indexOf(beside)
            inner = self._new_splitter(orientation)
            splitter.insertWidget(index, inner)
            inner.addWidget(beside)
            splitter.setSizes(sizes)
            splitter = inner
        sizes, index = splitter.sizes(), splitter.indexOf(beside)
        pane = self._new_pane()
        before = zone in (Zone.LEFT, Zone.ABOVE)
        splitter.insertWidget(index if before else index + 1, pane)
        half = sizes[index] // 2
        sizes[index : index + 1] = [half, sizes[index] - half]
        splitter.setSizes(sizes)
        self._after_panes_changed()
        return pane

    def step_pane(self, by: int) -> None:
        """Go to the next pane (1) or the one before (-1), round the end."""
        all_panes = self.panes()
        index = all_panes.index(self._current)
        self._set_current(all_panes[(index + by) % len(all_panes)])

    def move_to_next_pane(self) -> None:
        """Move the tab in front into the next pane."""
        all_panes, tab = self.panes(), self.current_tab()
        if tab is not None and len(all_panes) > 1:
            index = all_panes.index(self._current)
            self._move(tab, all_panes[(index + 1) % len(all_panes)])

    def close_pane(self) -> None:
        """Give the current pane's tabs to the one before it (or after), and end it."""
        all_panes = self.panes()
        if len(all_panes) < 2:
            return
        gone, index = self._current, all_panes.index(self._current)
        heir = all_panes[index - 1] if index else all_panes[1]
        front = gone.current_tab()
        for tab in gone.tabs():
            gone.take(tab)
            heir.add(tab, front=tab is front)
        self._drop_pane(gone)
        self._set_current(heir)

    def layout_now(self) -> Layout | None:
        """How the tabs are split; None for one pane."""
        found = layout_of(self._root, self._folding.kept)
        return found if isinstance(found, Split) else None

    def expect(self, layout: Layout | None) -> None:
        """Make the panes of `layout`; its tabs will go there when they are added."""
        if isinstance(layout, Split) and len(self.panes()) == 1 and not self.count():
            self._expected.clear()
            self._folding.forget()
            self._root.setOrientation(_STACK if layout.vertical else _SIDE)
            empty, self._current = self._current, self._fill(self._root, layout)
            empty.setParent(None)
            empty.deleteLater()
            self._after_panes_changed()

    def settle(self) -> None:
        """All expected tabs are there: panes that got none go away."""
        self._expected.clear()
        for pane in self.panes():
            if not pane.count():
                self._drop_pane(pane)

    # --- tabs ----------------------------------------------------------------------

    def tabs(self) -> list[ChatTab]:
        """All tabs, pane by pane."""
        return [tab for pane in self.panes() for tab in pane.tabs()]

    def count(self) -> int:
        """How many tabs there are."""
        return sum(pane.count() for pane in self.panes())

    def current_tab(self) -> ChatTab | None:
        """The tab in front of the current pane."""
        return self._current.current_tab()

    def front_tabs(self) -> list[ChatTab]:
        """The tabs that can be seen."""
        found = (pane.current_tab() for pane in self.panes() if not pane.isHidden())
        return [tab for tab in found if tab is not None]

    def tab_of(self, chat_id: str) -> ChatTab | None:
        """The tab that shows a chat."""
        return next((tab for tab in self.tabs() if tab.session.chat_id == chat_id), None)

    def add(self, tab: ChatTab, *, front: bool = True) -> None:
        """Open a tab at the right end of the current pane, or where it is expected."""
        pane = self._expected.get(tab.session.chat_id)
        if pane is None:
            self._current.add(tab, front=front)
            return
        pane.add(tab, front=pane.property("active") == tab.session.chat_id)
        if front:
            self._set_current(pane)

    def add_to(self, pane: TabArea, tab: ChatTab) -> None:
        """Open a tab in a pane and go there."""
        pane.add(tab)
        self._set_current(pane)

    def remove(self, tab: ChatTab) -> None:
        """Close a tab, and its pane with the last one."""
        pane = self._pane_of(tab)
        if pane is not None:
            pane.remove(tab)
            if not pane.count():
                self._drop_pane(pane)

    def setCurrentWidget(self, tab: ChatTab) -> None:
        """Bring a tab to the front, and its pane."""
        pane = self._pane_of(tab)
        if pane is not None:
            pane.setCurrentWidget(tab)
            self._set_current(pane)

    def indexOf(self, tab: ChatTab) -> int:
        """A tab's place in its pane; -1: it is in none."""
        pane = self._pane_of(tab)
        return pane.indexOf(tab) if pane is not None else -1

    def tabBar(self) -> QTabBar:
        """The current pane's strip of tabs."""
        return self._current.tabBar()

    def step(self, by: int) -> None:
        """Go to the next tab of the current pane (1) or the one before (-1)."""
        self._current.step(by)

    def watch(self, tab: ChatTab) -> None:
        """The tab shows another session now."""
        pane = self._pane_of(tab)
        if pane is not None:
            pane.watch(tab)
            pane.refresh(tab)

    def refresh(self, tab: ChatTab) -> None:
        """Draw a tab's title and state again."""
        pane = self._pane_of(tab)
        if pane is not None:
            pane.refresh(tab)

    def set_unseen(self, chat_id: str, unseen: bool) -> None:
        """Mark a chat whose answer ended while nobody looked, or no longer."""
        if unseen:
            self._unseen.add(chat_id)
        else:
            self._unseen.discard(chat_id)
        tab = self.tab_of(chat_id)
        if tab is not None:
            self.refresh(tab)

    def accept_drop(self, tab: ChatTab, drop: Drop) -> None:
        """A tab was dragged somewhere."""
        target = drop.pane
        if target not in self.panes() or self._pane_of(tab) is None:
            return
        if drop.zone is not Zone.HERE:
            target = self.open_pane(target, drop.zone)
        self._move(tab, target, drop.index)

    # --- Qt ------------------------------------------------------------------------

    def minimumSizeHint(self) -> QSize:
        """One pane can be shown in any window."""
        return LEAST

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show all panes where they fit, else the current one."""
        super().resizeEvent(event)
        self._fit()

    # --- inside ----------------------------------------------------------------------

    def _new_splitter(self, orientation: Qt.Orientation) -> QSplitter:
        splitter = QSplitter(orientation)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
        splitter.splitterMoved.connect(lambda _position, _index: self._on_splitter_moved())
        return splitter

    def _new_pane(self) -> TabArea:
        pane = TabArea()
        pane.unseen = self._unseen
        pane.close_requested.connect(self.close_requested)
        pane.tabs_changed.connect(self.tabs_changed)
        pane.dragged_out.connect(self.accept_drop)
        pane.activated.connect(lambda: self._on_activated(pane))
        return pane

    def _fill(self, splitter: QSplitter, layout: Split) -> TabArea:
        """Fill `splitter` as `layout` says; the first pane."""
        first: TabArea | None = None
        for part in layout.parts:
            if isinstance(part, Pane):
                pane = self._new_pane()
                pane.setProperty("active", part.active)
                self._expected.update(dict.fromkeys(part.tabs, pane))
                splitter.addWidget(pane)
            else:
                inner = self._new_splitter(_STACK if part.vertical else _SIDE)
                splitter.addWidget(inner)
                pane = self._fill(inner, part)
            first = first or pane
        if layout.sizes:
            splitter.setSizes(list(layout.sizes))
            self._folding.expect(splitter, list(layout.sizes))
        assert first is not None
        return first

    def _pane_of(self, tab: ChatTab) -> TabArea | None:
        return next((pane for pane in self.panes() if pane.indexOf(tab) >= 0), None)

    def _move(self, tab: ChatTab, target: TabArea, index: int = -1) -> None:
        source = self._pane_of(tab)
        if source is None or source is target:
            return
        source.take(tab)
        target.add(tab, index)
        if not source.count():
            self._drop_pane(source)
        self._set_current(target)
        tab.focus_composer()

    def _drop_pane(self, pane: TabArea) -> None:
        if len(self.panes()) < 2:
            return
        self._folding.unfold()
        if pane is self._current:
            all_panes = self.panes()
            index = all_panes.index(pane)
            self._current = all_panes[index - 1] if index else all_panes[1]
        splitter = pane.parentWidget()
        pane.hide()
        pane.setParent(None)
        pane.deleteLater()
        while isinstance(splitter, QSplitter) and splitter is not self._root:
            above = splitter.parentWidget()
            if splitter.count():
                break
            splitter.setParent(None)
            splitter.deleteLater()
            splitter = above
        self._after_panes_changed()
        self.tabs_changed.emit()

    def _set_current(self, pane: TabArea) -> None:
        if pane is self._current:
            return
        self._current = pane
        if self._folding.is_folded:
            self._folding.fold(pane)
        self._mark_current()
        self.tabs_changed.emit()

    def _on_activated(self, pane: TabArea) -> None:
        if pane is not self._current:
            self._set_current(pane)
            tab = pane.current_tab()
            if tab is not None:
                tab.focus_composer()

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        while new is not None and new is not self:
            if isinstance(new, TabArea):
                if new in self.panes():
                    self._set_current(new)
                return
            new = new.parentWidget()

    def _after_panes_changed(self) -> None:
        all_panes = self.panes()
        application = QApplication.instance()
        if len(all_panes) > 1 and not self._follows_focus and isinstance(application, QApplication):
            self._follows_focus = True
            application.focusChanged.connect(self._on_focus_changed)
        for number, pane in enumerate(all_panes, 1):
            pane.can_split = len(all_panes) < MAX_PANES
            pane.setAccessibleName(
                self.tr("Pane {number} of {count}").format(number=number, count=len(all_panes))
                if len(all_panes) > 1
                else self.tr("Chats")
            )
        self._mark_current()
        self._fit()

    def _mark_current(self) -> None:
        """The other panes' chosen tab is underlined more quietly."""
        several = len(self.panes()) > 1
        for pane in self.panes():
            where = "back" if several and pane is not self._current else ""
            bar = pane.tabBar()
            if (bar.property("pane") or "") != where:
                bar.setProperty("pane", where)
                bar.style().unpolish(bar)  # the property is read again
                bar.style().polish(bar)

    def _fit(self) -> None:
        if self._folding.fit(self.size(), self._current):
            self.tabs_changed.emit()

    def _on_splitter_moved(self) -> None:
        self._folding.remember()
        self.resized.emit()
