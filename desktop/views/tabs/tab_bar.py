"""The strip of one pane's tabs: what each tab shows, and how one is dragged out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar, QWidget

from desktop import theme
from desktop.models.session.session_state import SessionState, state_text
from desktop.views.icons import icon

if TYPE_CHECKING:
    from desktop.views.tabs.tab_area import Drop

MAX_TAB_WIDTH = 360
MIN_TAB_WIDTH = 144
USUAL_TAB_WIDTH = 168
TAB_HEIGHT = 40
ICON_SIZE = 14
TAB_MIME = "application/x-inglenook-tab"
_PULL = 24  # pixels the pointer leaves the strip by before the tab comes along
_BESIDE = 48  # of the strip: scroll buttons
_DOT = 8
_ICONS = {
    SessionState.QUEUED: ("menu", "muted"),
    SessionState.READING: ("cpu", "accent"),
    SessionState.STREAMING: ("edit", "accent"),
    SessionState.INTERRUPTED: ("warning", "warning"),
    SessionState.FAILED: ("warning", "danger"),
}


@dataclass(frozen=True, slots=True)
class TabLook:
    """What a tab shows. `unseen`: its answer ended while nobody looked."""

    title: str
    state: SessionState = SessionState.IDLE
    selected: bool = False
    unseen: bool = False

    @property
    def word(self) -> str:
        """Its state in a word; empty for a chat at rest."""
        return state_text(self.state, unseen=self.unseen)


class TabBar(QTabBar):
    """Tabs of one width: a state that changes moves nothing.

    Signals:
        close_wanted: the index of a tab that was clicked with the middle button.
        dragged_out: the index of a tab and the `Drop` that says where it goes.
    """

    close_wanted = Signal(int)
    dragged_out = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drops: list[Drop] = []  # where the tab that is being dragged was let go
        self._wanted = USUAL_TAB_WIDTH
        self._pressed = -1

    def set_titles(self, titles: list[str]) -> bool:
        """Make room for these titles, as far as there is any; whether widths changed.

        The room for a state's word is always kept.
        """
        look = theme.current()
        metrics = QFontMetrics(look.text_font())
        words = QFontMetrics(look.text_font(look.small))
        widest = max((metrics.horizontalAdvance(title) for title in titles), default=0)
        word = max(words.horizontalAdvance(state_text(state)) for state in SessionState)
        space = look.space
        wanted = widest + word + 2 * ICON_SIZE + 2 * space.xl + 3 * space.s
        wanted = min(MAX_TAB_WIDTH, max(USUAL_TAB_WIDTH, wanted))
        changed = wanted != self._wanted
        self._wanted = wanted
        return changed

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as the longest title wants and the room allows, within bounds."""
        del index
        area = self.parentWidget()
        room = area.width() - _BESIDE if area is not None else 0
        share = room // max(1, self.count())
        return QSize(min(self._wanted, max(MIN_TAB_WIDTH, share)), TAB_HEIGHT)

    # --- Qt ------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember which tab may be dragged."""
        self._pressed = self.tabAt(event.position().toPoint())
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Within the strip tabs change places; pulled out of it, a tab goes elsewhere."""
        position = event.position().toPoint()
        pulled = not self.rect().adjusted(-_PULL, -_PULL, _PULL, _PULL).contains(position)
        if pulled and self._pressed >= 0 and event.buttons() & Qt.MouseButton.LeftButton:
            self._drag(event)
            return
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The middle button closes a tab."""
        self._pressed = -1
        if event.button() == Qt.MouseButton.MiddleButton:
            index = self.tabAt(event.position().toPoint())
            if index >= 0:
                self.close_wanted.emit(index)
                return
        super().mouseReleaseEvent(event)

    # --- inside --------------------------------------------------------------------

    def _drag(self, event: QMouseEvent) -> None:
        from PySide6.QtGui import QDrag

        # The strip's own moving ends first: the tab drops into the place it has there.
        super().mouseReleaseEvent(
            QMouseEvent(
                QMouseEvent.Type.MouseButtonRelease,
                event.position(),
                event.globalPosition(),
                Qt.MouseButton.LeftButton,
                Qt.MouseButton.NoButton,
                event.modifiers(),
            )
        )
        index, self._pressed = self.currentIndex(), -1
        data = QMimeData()
        data.setData(TAB_MIME, b"tab")
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.setPixmap(self.grab(self.tabRect(index)))
        drag.setHotSpot(QPoint(ICON_SIZE, TAB_HEIGHT // 2))
        self.drops.clear()
        drag.exec(Qt.DropAction.MoveAction)
        # Not while it is dropped: the move may take this very strip away.
        for drop in self.drops[-1:]:
            self.dragged_out.emit(index, drop)


class TabLabel(QWidget):
    """A tab's icon, title and state: the title gives way first, and keeps half of the room.

    Where that is too little for the state's word too, the icon says it alone.

    It stands where a tab's left button would, so that it moves along with the tab.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._look = TabLook("")

    def show_look(self, look: TabLook) -> None:
        """Show this."""
        if look != self._look:
            self._look = look
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon, title, word, from left to right."""
        look, tab = theme.current(), self._look
        name, colour = _ICONS.get(tab.state, ("chat", "muted" if tab.selected else "faint"))
        word = tab.word
        with QPainter(self) as painter:
            left = look.space.m
            if tab.unseen and tab.state is SessionState.IDLE:
                colour = "accent"
                self._paint_dot(painter, left)
            else:
                top = (self.height() - ICON_SIZE) // 2
                icon(name, colour).paint(painter, QRect(left, top, ICON_SIZE, ICON_SIZE))
            area = self.rect().adjusted(left + ICON_SIZE + look.space.s, 0, 0, 0)
            middle = Qt.AlignmentFlag.AlignVCenter
            small = look.text_font(look.small)
            taken = QFontMetrics(small).horizontalAdvance(word) + look.space.s if word else 0
            whole = QFontMetrics(look.text_font()).horizontalAdvance(tab.title)
            if word and area.width() - taken >= min(whole, area.width() // 2):
                painter.setFont(small)
                painter.setPen(look.colour(colour))
                painter.drawText(area, Qt.AlignmentFlag.AlignRight | middle, word)
                area.setRight(area.right() - taken)
            painter.setFont(look.text_font())
            painter.setPen(look.colour("text" if tab.selected or tab.unseen else "muted"))
            title = painter.fontMetrics().elidedText(
                tab.title, Qt.TextElideMode.ElideRight, area.width()
            )
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | middle, title)

    def _paint_dot(self, painter: QPainter, left: int) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.current().colour("accent"))
        inset = (ICON_SIZE - _DOT) // 2
        painter.drawEllipse(left + inset, (self.height() - _DOT) // 2, _DOT, _DOT)
        painter.restore()
