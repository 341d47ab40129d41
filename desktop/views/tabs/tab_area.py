"""One pane: movable, closable tabs, each with its chat's state in a word and an icon."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QTabBar, QTabWidget, QToolButton, QWidget

from desktop import theme
from desktop.models.session.title_text import shown_title
from desktop.models.tip_text import tip_text
from desktop.views.icons import icon
from desktop.views.tabs.chat_tab import ChatTab
from desktop.views.tabs.tab_bar import ICON_SIZE, TAB_HEIGHT, TAB_MIME, TabBar, TabLabel, TabLook

LEAST = QSize(320, 300)  # of a pane
_EDGE = 4  # a quarter of the pane at each edge splits it


class Zone(StrEnum):
    """Where in a pane a tab is dropped."""

    HERE = "here"
    LEFT = "left"
    RIGHT = "right"
    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class Drop:
    """A tab was let go here. `index`: its place among the tabs; -1: at the end."""

    pane: TabArea
    zone: Zone
    index: int = -1


class TabArea(QTabWidget):
    """See the module.

    Signals:
        close_requested: the `ChatTab` to close.
        tabs_changed: tabs were opened, closed or moved, or another came to the front.
        activated: the user clicked a tab.
        dragged_out: a `ChatTab` and the `Drop` that says where it goes.
    """

    close_requested = Signal(object)
    tabs_changed = Signal()
    activated = Signal()
    dragged_out = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.unseen: set[str] = set()  # chats whose answer ended unseen; shared by all panes
        self.can_split = False  # whether there is room for one more pane
        self._links: dict[ChatTab, list[object]] = {}
        self._hint: _DropHint | None = None
        bar = TabBar(self)
        bar.close_wanted.connect(lambda i: self.close_requested.emit(self.widget(i)))
        bar.dragged_out.connect(lambda i, drop: self.dragged_out.emit(self.widget(i), drop))
        bar.tabBarClicked.connect(lambda _index: self.activated.emit())
        bar.setAccessibleName(self.tr("Open chats"))
        self.setTabBar(bar)
        self.setDocumentMode(True)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setAcceptDrops(True)
        bar.setExpanding(False)
        bar.tabMoved.connect(lambda _from, _to: self.tabs_changed.emit())
        self.currentChanged.connect(self._on_current_changed)
        theme.notifier().changed.connect(self.refresh_all)

    # --- tabs ---------------------------------------------------------------------

    def tabs(self) -> list[ChatTab]:
        """All tabs from left to right."""
        found = (self.widget(i) for i in range(self.count()))
        return [widget for widget in found if isinstance(widget, ChatTab)]

    def current_tab(self) -> ChatTab | None:
        """The tab in front."""
        widget = self.currentWidget()
        return widget if isinstance(widget, ChatTab) else None

    def tab_of(self, chat_id: str) -> ChatTab | None:
        """The tab that shows a chat."""
        return next((tab for tab in self.tabs() if tab.session.chat_id == chat_id), None)

    def add(self, tab: ChatTab, index: int = -1, *, front: bool = True) -> None:
        """Open a tab at a place, or at the right end."""
        theme.add_page(tab)
        index = self.insertTab(index, tab, "")
        label = TabLabel(self.tabBar())
        label.setFixedSize(self._label_width(), TAB_HEIGHT - 4)
        self.tabBar().setTabButton(index, QTabBar.ButtonPosition.LeftSide, label)
        close = QToolButton(self.tabBar())
        close.setIcon(icon("close", "muted"))
        close.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        close.setAutoRaise(True)
        close.clicked.connect(lambda _checked=False: self.close_requested.emit(tab))
        self.tabBar().setTabButton(index, QTabBar.ButtonPosition.RightSide, close)
        self.setTabOrder(self.tabBar(), close)  # not behind what the tab holds
        self.watch(tab)
        self.refresh(tab)
        if front:
            self.setCurrentIndex(index)
        self.tabs_changed.emit()

    def watch(self, tab: ChatTab) -> None:
        """Keep the tab's label in step with its session, and with no other."""
        self._forget(tab)
        session = tab.session
        self._links[tab] = [
            session.state_changed.connect(lambda _state: self.refresh(tab)),
            session.renamed.connect(lambda _title: self._on_renamed(tab)),
        ]

    def take(self, tab: ChatTab) -> None:
        """Give a tab away; it goes to another pane."""
        self._forget(tab)
        index = self.indexOf(tab)
        if index >= 0:
            self.removeTab(index)
        self._fit()

    def remove(self, tab: ChatTab) -> None:
        """Close a tab; its session lives on its own."""
        tab.release()
        self.take(tab)
        tab.deleteLater()
        self.tabs_changed.emit()

    def step(self, by: int) -> None:
        """Go to the next tab (1) or the one before (-1), round the end."""
        if self.count():
            self.setCurrentIndex((self.currentIndex() + by) % self.count())

    def label(self, tab: ChatTab) -> TabLabel | None:
        """What the tab bar shows for a tab."""
        widget = self.tabBar().tabButton(self.indexOf(tab), QTabBar.ButtonPosition.LeftSide)
        return widget if isinstance(widget, TabLabel) else None

    def refresh(self, tab: ChatTab) -> None:
        """Draw a tab's title and state again."""
        index = self.indexOf(tab)
        if index < 0:
            return
        session = tab.session
        title = shown_title(session.title)
        look = TabLook(
            title,
            session.state,
            selected=index == self.currentIndex(),
            unseen=session.chat_id in self.unseen,
        )
        label = self.label(tab)
        if label is not None:
            label.show_look(look)
        word = look.word
        self.setTabToolTip(index, tip_text(f"{title}\n{word}".strip()))
        name = f"{title}, {word}" if word else title
        self.tabBar().setAccessibleTabName(index, name)
        tab.setAccessibleName(name)
        close = self.tabBar().tabButton(index, QTabBar.ButtonPosition.RightSide)
        if close is not None:
            close.setAccessibleName(self.tr("Close {title}").format(title=title))
            close.setToolTip(self.tr("Close this tab; the chat is kept"))

    def refresh_all(self) -> None:
        """Draw every tab again."""
        for tab in self.tabs():
            self.refresh(tab)
        self._fit()

    # --- tabs from other panes --------------------------------------------------------

    def zone_at(self, position: QPoint, *, only: bool) -> Zone:
        """Where a tab dropped at `position` would go. `only`: it is this pane's only one."""
        body = self.rect().adjusted(0, self.tabBar().height(), 0, 0)
        if only or not self.can_split or not body.contains(position):
            return Zone.HERE
        x, y = position.x() - body.x(), position.y() - body.y()
        wide, high = body.width() // _EDGE, body.height() // _EDGE
        if x < wide:
            return Zone.LEFT
        if x >= body.width() - wide:
            return Zone.RIGHT
        if y < high:
            return Zone.ABOVE
        return Zone.BELOW if y >= body.height() - high else Zone.HERE

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A tab of any pane may come."""
        if event.mimeData().hasFormat(TAB_MIME) and isinstance(event.source(), TabBar):
            event.acceptProposedAction()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show where it would go."""
        zone = self.zone_at(event.position().toPoint(), only=self._is_only_tab(event.source()))
        if self._hint is None:
            self._hint = _DropHint(self)
        self._hint.show_zone(zone)
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """It goes elsewhere."""
        self._end_hint()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Say where it goes; the pane it comes from acts when the dragging has ended."""
        self._end_hint()
        source = event.source()
        if not isinstance(source, TabBar):
            return
        position = event.position().toPoint()
        zone = self.zone_at(position, only=self._is_only_tab(source))
        bar = self.tabBar()
        index = bar.tabAt(bar.mapFrom(self, position)) if zone is Zone.HERE else -1
        source.drops.append(Drop(self, zone, index))
        event.acceptProposedAction()

    # --- Qt --------------------------------------------------------------------------

    def minimumSizeHint(self) -> QSize:
        """Small enough for several panes, whatever the tabs say."""
        return LEAST

    def tabInserted(self, index: int) -> None:
        """All tabs share the room."""
        super().tabInserted(index)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """All tabs share the room."""
        super().resizeEvent(event)
        self._fit()

    # --- inside ------------------------------------------------------------------------

    def _label_width(self) -> int:
        """What a tab has beside its margins and its close button."""
        space = theme.current().space
        return self.tabBar().tabSizeHint(0).width() - ICON_SIZE - space.xl - space.s

    def _fit(self) -> None:
        bar = self.tabBar()
        assert isinstance(bar, TabBar)
        changed = bar.set_titles([shown_title(tab.session.title) for tab in self.tabs()])
        width = self._label_width()
        for tab in self.tabs():
            label = self.label(tab)
            if label is not None and label.width() != width:
                label.setFixedSize(width, TAB_HEIGHT - 4)
                changed = True
        if changed and self.count():
            # Lays the strip out again, and with it its place in this widget: the strip alone
            # would squeeze the wider tabs into the width it has.
            self.setTabText(0, self.tabText(0))

    def _forget(self, tab: ChatTab) -> None:
        for link in self._links.pop(tab, []):
            QObject.disconnect(link)  # type: ignore[call-overload]

    def _is_only_tab(self, source: object) -> bool:
        return source is self.tabBar() and self.count() == 1

    def _end_hint(self) -> None:
        if self._hint is not None:
            self._hint.hide()
            self._hint.deleteLater()
            self._hint = None

    def _on_current_changed(self, _index: int) -> None:
        self.refresh_all()
        self.tabs_changed.emit()

    def _on_renamed(self, tab: ChatTab) -> None:
        self.refresh(tab)
        self._fit()


class _DropHint(QWidget):
    """Shows which part of a pane a tab would take."""

    def __init__(self, pane: TabArea) -> None:
        super().__init__(pane)
        self._pane = pane
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_zone(self, zone: Zone) -> None:
        """Cover this part of the pane."""
        area = self._pane.rect()
        half = QSize(area.width() // 2, area.height() // 2)
        place = {
            Zone.LEFT: QRect(0, 0, half.width(), area.height()),
            Zone.RIGHT: QRect(half.width(), 0, area.width() - half.width(), area.height()),
            Zone.ABOVE: QRect(0, 0, area.width(), half.height()),
            Zone.BELOW: QRect(0, half.height(), area.width(), area.height() - half.height()),
        }.get(zone, area)
        self.setGeometry(place)
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A veil with a border."""
        look = theme.current()
        with QPainter(self) as painter:
            ground = look.colour("accent_soft")
            ground.setAlphaF(0.6)
            painter.setBrush(ground)
            painter.setPen(look.colour("accent"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
