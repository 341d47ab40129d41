"""Which colour is whose: the chats that have blocks now, each with its number and its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop import theme
from desktop.models.monitor.kv_books import NOBODY, KvPicture
from desktop.models.monitor.kv_words import owner_name
from desktop.models.number_text import whole
from desktop.views.monitor.chat_badge import paint_badge

MOST_ROWS: Final = 4
_LEAST_SHOWN: Final = 8  # in a narrow one in more rows
_ENTRY: Final = 180  # the least width of an entry, in pixels
_MOST_COLUMNS: Final = 6
_MOST_ELIDED: Final = 500
_LINE: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_FIGURE: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Entry:
    """A chat in the legend. `blocks` that it holds; 0: some of it is only cached."""

    number: int
    name: str
    chat_id: str
    blocks: int


def entries_of(picture: KvPicture) -> tuple[Entry, ...]:
    """Those that have blocks, by number; then those that are only cached, the latest first."""
    holders = [
        Entry(one.number, owner_name(one.ref), one.ref.chat_id, len(one.blocks))
        for one in picture.holders
        if one.blocks
    ]
    holders.sort(key=lambda one: one.number)
    cached = [
        Entry(one.number, owner_name(one.ref), one.ref.chat_id, 0)
        for one in picture.remembered
        if one.tokens
    ]
    return (*holders, *cached)


class KvLegend(QWidget):
    """See the module. For the mouse; the tables say the same to keyboard and screen reader.

    Signals:
        highlighted: the number of the chat that is pointed at; 0: none.
        chat_activated: a chat's id. more_asked: the rest is asked for.
    """

    highlighted = Signal(int)
    chat_activated = Signal(str)
    more_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()
        self._elided: dict[tuple[str, int], str] = {}
        self._hovered: int | None = None
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Chats in the KV map"))
        theme.notifier().changed.connect(self._restyle)
        self._restyle()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All, shown or not."""
        return self._entries

    def set_picture(self, picture: KvPicture | None) -> None:
        """Show a pool's chats."""
        entries = entries_of(picture) if picture is not None else ()
        if entries == self._entries:
            return
        rows = self._rows(self.width())
        before, self._entries = self._entries, entries
        if self._rows(self.width()) != rows:
            self.updateGeometry()
        if len(before) != len(entries):
            self.update()
            return
        for at, (old, new) in enumerate(zip(before, self.shown(), strict=False)):
            if replace(old, blocks=new.blocks) != new or bool(old.blocks) != bool(new.blocks):
                self.update(self._place(at))
            elif old != new:
                self.update(self._figures(self._place(at)))

    def shown(self) -> Sequence[Entry]:
        """Those that there is room for."""
        room = self._columns(self.width()) * self._most_rows(self.width())
        return self._entries if len(self._entries) <= room else self._entries[: room - 1]

    def hasHeightForWidth(self) -> bool:
        """A wider one is lower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As high as its rows."""
        return self._rows(width) * self._row

    def sizeHint(self) -> QSize:
        """Any width."""
        return QSize(_ENTRY, self.heightForWidth(max(_ENTRY, self.width())))

    def _restyle(self) -> None:
        look = theme.current()
        self._elided.clear()
        self.setFont(look.figure_font())
        self._row = self.fontMetrics().height() + look.space.xs + 2
        self.updateGeometry()
        self.update()

    def _columns(self, width: int) -> int:
        return max(1, min(_MOST_COLUMNS, width // _ENTRY))

    def _most_rows(self, width: int) -> int:
        return max(MOST_ROWS, -(-_LEAST_SHOWN // self._columns(width)))

    def _rows(self, width: int) -> int:
        return min(self._most_rows(width), -(-len(self._entries) // self._columns(width)))

    def _place(self, at: int) -> QRect:
        columns = self._columns(self.width())
        row, column = divmod(at, columns)
        width = self.width() // columns
        return QRect(column * width, row * self._row, width, self._row)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the entries."""
        look = theme.current()
        shown = self.shown()
        with QPainter(self) as painter:
            painter.setFont(self.font())
            for at, entry in enumerate(shown):
                place = self._place(at)
                if event.region().intersects(place):
                    is_figures = not event.region().intersects(self._names(place))
                    self._paint_entry(
                        painter, place, entry, is_hovered=at == self._hovered, is_figures=is_figures
                    )
            if len(shown) < len(self._entries):
                place = self._place(len(shown))
                painter.setPen(look.colour("accent"))
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._more_text())

    def _more_text(self) -> str:
        more = len(self._entries) - len(self.shown())
        return self.tr("and {number} more").format(number=whole(more))

    def _paint_entry(
        self, painter: QPainter, place: QRect, entry: Entry, *, is_hovered: bool, is_figures: bool
    ) -> None:
        look = theme.current()
        metrics = self.fontMetrics()
        if is_hovered:
            painter.fillRect(place.adjusted(0, 0, -look.space.xs, 0), look.colour("hover"))
        if not is_figures:
            height = metrics.height() + 1
            badge = place.adjusted(1, 0, 0, 0)
            is_faint = not entry.blocks
            width = paint_badge(painter, badge, entry.number, height, is_faint=is_faint)
            text = self._names(place).adjusted(width + look.space.xs + 2, 0, 0, 0)
            painter.setPen(look.colour("text" if entry.blocks else "muted"))
            painter.drawText(text, _LINE, self._elide(entry.name, text.width()))
        if entry.blocks:
            painter.setPen(look.colour("muted"))
            painter.drawText(self._figures(place), _FIGURE, whole(entry.blocks))

    def _elide(self, name: str, width: int) -> str:
        found = self._elided.get((name, width))
        if found is None:
            if len(self._elided) > _MOST_ELIDED:
                self._elided.clear()
            mode = Qt.TextElideMode.ElideRight
            found = self._elided[name, width] = self.fontMetrics().elidedText(name, mode, width)
        return found

    def _figures(self, place: QRect) -> QRect:
        """Where an entry has its blocks."""
        room = self.fontMetrics().horizontalAdvance(whole(88_888))
        right = place.right() - theme.current().space.s
        return QRect(right - room + 1, place.y(), room, place.height())

    def _names(self, place: QRect) -> QRect:
        """Where an entry has its badge and its name."""
        end = self._figures(place).left() - theme.current().space.xs
        return QRect(place.x(), place.y(), end - place.x(), place.height())

    # The mouse.

    def _at(self, place: QPoint) -> int | None:
        for at in range(min(len(self.shown()) + 1, len(self._entries))):
            if self._place(at).contains(place):
                return at
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Bring the chat forward that is pointed at."""
        self._hover(self._at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """None is pointed at."""
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, at: int | None) -> None:
        if at == self._hovered:
            return
        self._hovered = at
        shown = self.shown()
        is_entry = at is not None and at < len(shown)
        self.highlighted.emit(shown[at].number if at is not None and is_entry else NOBODY)
        leads = at is not None and (not is_entry or bool(shown[at].chat_id))
        self.setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the chat, or to the rest."""
        at = self._at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or at is None:
            return
        shown = self.shown()
        if at >= len(shown):
            self.more_asked.emit()
        elif shown[at].chat_id:
            self.chat_activated.emit(shown[at].chat_id)

    def event(self, event: QEvent) -> bool:
        """The tip has the whole name."""
        if event.type() is QEvent.Type.ToolTip:
            at, shown = self._hovered, self.shown()
            text = ""
            if at is not None and at < len(shown):
                one = shown[at]
                text = (
                    self.tr("{chat}: {blocks} blocks").format(
                        chat=one.name, blocks=whole(one.blocks)
                    )
                    if one.blocks
                    else self.tr("{chat}: only cached").format(chat=one.name)
                )
            self.setToolTip(text)
            if not text:
                QToolTip.hideText()
        return super().event(event)
