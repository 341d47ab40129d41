"""The tabs: movable, closable, each with its chat's state in a word and an icon."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QTabBar, QTabWidget, QToolButton, QWidget

from desktop import theme
from desktop.models.chat_session import ChatSession
from desktop.models.session_state import SessionState, state_text
from desktop.views.chat_tab import ChatTab
from desktop.views.icons import icon

MAX_TAB_WIDTH = 232
MIN_TAB_WIDTH = 112
TAB_HEIGHT = 40
ICON_SIZE = 14
_ICONS = {
    SessionState.QUEUED: ("menu", "muted"),
    SessionState.READING: ("cpu", "accent"),
    SessionState.STREAMING: ("edit", "accent"),
    SessionState.INTERRUPTED: ("warning", "warning"),
    SessionState.FAILED: ("warning", "danger"),
}


class TabBar(QTabBar):
    """Tabs of one width: a state that changes moves nothing.

    Signals:
        close_wanted: the index of a tab that was clicked with the middle button.
    """

    close_wanted = Signal(int)

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as the room allows, within bounds."""
        del index
        area = self.parentWidget()
        room = area.width() - 48 if area is not None else 0
        share = room // max(1, self.count())
        return QSize(min(MAX_TAB_WIDTH, max(MIN_TAB_WIDTH, share)), TAB_HEIGHT)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The middle button closes a tab."""
        if event.button() == Qt.MouseButton.MiddleButton:
            index = self.tabAt(event.position().toPoint())
            if index >= 0:
                self.close_wanted.emit(index)
                return
        super().mouseReleaseEvent(event)


class TabLabel(QWidget):
    """A tab's icon, title and state: the title gives way, the state's word never does.

    It stands where a tab's left button would, so that it moves along with the tab.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._title = ""
        self._state = SessionState.IDLE
        self._selected = False

    def show_state(self, title: str, state: SessionState, *, selected: bool) -> None:
        """Show these."""
        self._title, self._state, self._selected = title, state, selected
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon, title, word, from left to right."""
        look = theme.current()
        with QPainter(self) as painter:
            name, colour = _ICONS.get(self._state, ("chat", "muted" if self._selected else "faint"))
            top = (self.height() - ICON_SIZE) // 2
            left = look.space.m
            icon(name, colour).paint(painter, QRect(left, top, ICON_SIZE, ICON_SIZE))
            area = self.rect().adjusted(left + ICON_SIZE + look.space.s, 0, 0, 0)
            middle = Qt.AlignmentFlag.AlignVCenter
            word = state_text(self._state)
            if word:
                painter.setFont(look.text_font(look.small))
                painter.setPen(look.colour(colour))
                painter.drawText(area, Qt.AlignmentFlag.AlignRight | middle, word)
                area.setRight(
                    area.right() - painter.fontMetrics().horizontalAdvance(word) - look.space.s
                )
            painter.setFont(look.text_font())
            painter.setPen(look.colour("text" if self._selected else "muted"))
            title = painter.fontMetrics().elidedText(
                self._title, Qt.TextElideMode.ElideRight, area.width()
            )
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | middle, title)


class TabArea(QTabWidget):
    """See the module.

    Signals:
        close_requested: the `ChatTab` to close.
        tabs_changed: tabs were opened, closed or moved, or another came to the front.
    """

    close_requested = Signal(object)
    tabs_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bar = TabBar(self)
        bar.close_wanted.connect(lambda i: self.close_requested.emit(self.widget(i)))
        bar.setAccessibleName(self.tr("Open chats"))
        self.setTabBar(bar)
        self.setDocumentMode(True)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        bar.setExpanding(False)
        bar.tabMoved.connect(lambda _from, _to: self.tabs_changed.emit())
        self.currentChanged.connect(self._on_current_changed)
        theme.notifier().changed.connect(self._refresh_all)

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

    def add(self, tab: ChatTab, *, front: bool = True) -> None:
        """Open a tab at the right end."""
        index = self.addTab(tab, "")
        label = TabLabel(self.tabBar())
        label.setFixedSize(self._label_width(), TAB_HEIGHT - 4)
        self.tabBar().setTabButton(index, QTabBar.ButtonPosition.LeftSide, label)
        close = QToolButton(self.tabBar())
        close.setIcon(icon("close", "muted"))
        close.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        close.setAutoRaise(True)
        close.clicked.connect(lambda _checked=False: self.close_requested.emit(tab))
        self.tabBar().setTabButton(index, QTabBar.ButtonPosition.RightSide, close)
        self.watch(tab.session)
        self.refresh(tab)
        if front:
            self.setCurrentIndex(index)
        self.tabs_changed.emit()

    def watch(self, session: ChatSession) -> None:
        """Keep the tab's label in step with a session."""
        session.state_changed.connect(lambda _state: self._refresh_session(session))
        session.renamed.connect(lambda _title: self._refresh_session(session))

    def remove(self, tab: ChatTab) -> None:
        """Close a tab; its session lives on its own."""
        tab.release()
        index = self.indexOf(tab)
        if index >= 0:
            self.removeTab(index)
        tab.deleteLater()
        self._refresh_all()
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
        word = state_text(session.state)
        label = self.label(tab)
        if label is not None:
            label.setFixedSize(self._label_width(), TAB_HEIGHT - 4)
            label.show_state(session.title, session.state, selected=index == self.currentIndex())
        self.setTabToolTip(index, f"{session.title}\n{word}".strip())
        name = f"{session.title}, {word}" if word else session.title
        self.tabBar().setAccessibleTabName(index, name)
        tab.setAccessibleName(name)
        close = self.tabBar().tabButton(index, QTabBar.ButtonPosition.RightSide)
        if close is not None:
            close.setAccessibleName(self.tr("Close {title}").format(title=session.title))
            close.setToolTip(self.tr("Close this tab; the chat is kept"))

    # --- Qt --------------------------------------------------------------------------

    def tabInserted(self, index: int) -> None:
        """All tabs share the room."""
        super().tabInserted(index)
        self._refresh_all()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """All tabs share the room."""
        super().resizeEvent(event)
        self._refresh_all()

    # --- inside ------------------------------------------------------------------------

    def _label_width(self) -> int:
        """What a tab has beside its margins and its close button."""
        space = theme.current().space
        return self.tabBar().tabSizeHint(0).width() - ICON_SIZE - space.xl - space.s

    def _on_current_changed(self, _index: int) -> None:
        self._refresh_all()
        self.tabs_changed.emit()

    def _refresh_session(self, session: ChatSession) -> None:
        tab = self.tab_of(session.chat_id)
        if tab is not None:
            self.refresh(tab)

    def _refresh_all(self) -> None:
        for tab in self.tabs():
            self.refresh(tab)
