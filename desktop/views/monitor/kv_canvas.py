"""The map of the KV blocks itself: cells to look at, point at and walk through."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop import theme
from desktop.models.monitor.kv_books import NOBODY, KvPicture
from desktop.models.monitor.kv_words import cell_text, known_owners, pool_text
from desktop.views.monitor.kv_map_image import GROUND, KvImage, KvLayout, codes_of, layout_for

LEAST_HEIGHT: Final = 28
_PAGE_ROWS: Final = 10  # of Page Up and Page Down
_MOST_PLACES: Final = 60  # beyond so many changed places their bounds are painted


class KvCanvas(QWidget):
    """See the module. The image is drawn once and patched; painting copies it.

    Signals:
        pointed: words for what is pointed at, or where the cursor is; "" where it is nothing.
        chat_activated: a chat's id: its block was clicked, or Enter pressed on it.
        laid_out: the cells have another size, or stand for more or fewer blocks.
    """

    pointed = Signal(str)
    chat_activated = Signal(str)
    laid_out = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: KvPicture | None = None
        self._image: KvImage | None = None
        self._forward = NOBODY
        self._cursor = 0
        self._hovered: int | None = None
        self._said = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Map of the KV blocks"))
        theme.notifier().changed.connect(self._recolour)

    @property
    def layout_now(self) -> KvLayout | None:
        """Where the cells are; None: there is no pool, or no room yet."""
        return self._image.layout if self._image is not None else None

    def set_picture(self, picture: KvPicture | None) -> None:
        """Show a pool. What did not change is not painted."""
        before, self._picture = self._picture, picture
        if picture is None or before is None or before.total != picture.total:
            self._cursor, self._hovered = 0, None
            self.updateGeometry()
            self._lay_out()
        elif self._image is None:
            self._lay_out()
        else:
            self._draw()
        self._say()

    def set_forward(self, number: int) -> None:
        """Make the blocks of one owner stand out; NOBODY: of none."""
        if number != self._forward:
            self._forward = number
            self._draw()
            self._recolour()

    def cell_words(self, cell: int) -> str:
        """What is said of a cell."""
        layout = self.layout_now
        if self._picture is None or layout is None or cell >= layout.cells:
            return ""
        return cell_text(self._picture, layout.blocks_of(cell))

    def chat_of(self, cell: int) -> str:
        """Whose a cell is: a chat's id, or ""."""
        layout = self.layout_now
        if self._picture is None or layout is None or cell >= layout.cells:
            return ""
        owners = known_owners(self._picture)
        for kept in sorted(layout.blocks_of(cell), key=lambda one: -self._kind(one)):
            owner = owners.get(self._picture.owners[kept])
            if owner is not None and owner.ref.chat_id:
                return owner.ref.chat_id
        return ""

    @property
    def cursor_cell(self) -> int:
        """Where the keyboard is."""
        return self._cursor

    @property
    def said(self) -> str:
        """What is pointed at, in words; "" where it is nothing."""
        return self._said

    # Layout and drawing.

    def hasHeightForWidth(self) -> bool:
        """A wider map is lower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As high as all cells."""
        if self._picture is None or not self._picture.total:
            return LEAST_HEIGHT
        scale = self.devicePixelRatioF()
        layout = layout_for(self._picture.total, width, scale)
        return max(LEAST_HEIGHT, -int(-layout.height // scale))

    def sizeHint(self) -> QSize:
        """Any width."""
        return QSize(280, self.heightForWidth(max(280, self.width())))

    def minimumSizeHint(self) -> QSize:
        """It gives way down to a few cells."""
        return QSize(120, LEAST_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other cells."""
        super().resizeEvent(event)
        self._lay_out()

    def event(self, event: QEvent) -> bool:
        """The screen's scale, and the tip."""
        kind = event.type()
        if kind is QEvent.Type.DevicePixelRatioChange:
            self._image = None
            self._lay_out()
        elif kind is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self._cell_at(QPointF(event.pos()))
            if cell is None:
                QToolTip.hideText()
            else:
                place = self._place(cell).toAlignedRect()
                QToolTip.showText(event.globalPos(), self.cell_words(cell), self, place)
            return True
        return super().event(event)

    def _kind(self, block: int) -> int:
        return self._picture.kinds[block] if self._picture is not None else 0

    def _lay_out(self) -> None:
        picture = self._picture
        if picture is None or not picture.total or self.width() < 2:
            self._image = None
            self.update()
            self.laid_out.emit()
            return
        scale = self.devicePixelRatioF()
        layout = layout_for(picture.total, self.width(), scale)
        if self._image is None or self._image.layout != layout:
            self._image = KvImage(layout, scale)
            self._image.show_colours(theme.current(), self._forward)
            self._cursor = min(self._cursor, layout.cells - 1)
            self._hovered = None
            self.laid_out.emit()
            self.update()
        self._draw()

    def _draw(self) -> None:
        """Bring the image up to date, and have repainted what changed."""
        if self._image is None or self._picture is None:
            return
        places = self._image.show_codes(codes_of(self._picture, self._forward))
        if len(places) > _MOST_PLACES:
            whole = places[0]
            for place in places:
                whole = whole.united(place)
            places = [whole]
        for place in places:
            self.update(self._logical(place).toAlignedRect())

    def _recolour(self) -> None:
        if self._image is not None:
            self._image.show_colours(theme.current(), self._forward)
        self.update()

    def _logical(self, place: QRect) -> QRectF:
        scale = self.devicePixelRatioF()
        return QRectF(
            place.x() / scale, place.y() / scale, place.width() / scale, place.height() / scale
        )

    def _place(self, cell: int) -> QRectF:
        return self._logical(self._image.layout.rect(cell)) if self._image else QRectF()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Copy what is asked for out of the image."""
        look = theme.current()
        with QPainter(self) as painter:
            painter.setClipRegion(event.region())
            if self._image is None:
                painter.fillRect(event.rect(), look.colour(GROUND))
                self._paint_emptiness(painter)
                return
            covered = self._logical(self._image.image.rect())
            right = QRectF(covered.right(), 0, self.width() - covered.right(), self.height())
            below = QRectF(0, covered.bottom(), self.width(), self.height() - covered.bottom())
            for rest in (right, below):
                if rest.width() > 0 and rest.height() > 0:
                    painter.fillRect(rest, look.colour(GROUND))
            painter.drawImage(QPoint(0, 0), self._image.image)
            if self.hasFocus():
                self._paint_ring(painter, self._cursor, look.ring + 1)
            elif self._hovered is not None:
                self._paint_ring(painter, self._hovered, 1)

    def _paint_emptiness(self, painter: QPainter) -> None:
        painter.setPen(theme.current().colour("muted"))
        painter.setFont(theme.current().text_font(theme.current().small))
        painter.drawText(
            self.rect(),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            self.tr("No model is loaded: there are no blocks"),
        )

    def _paint_ring(self, painter: QPainter, cell: int, width: int) -> None:
        look = theme.current()
        place = self._place(cell)
        for grow, colour in ((width + 1.0, GROUND), (width * 0.5, "text")):
            ring = place.adjusted(-grow, -grow, grow, grow)
            painter.setPen(QPen(look.colour(colour), width + 1 if colour == GROUND else width))
            painter.drawRect(ring)

    def _update_cell(self, cell: int | None) -> None:
        if cell is not None:
            room = theme.current().ring + 6
            self.update(self._place(cell).toAlignedRect().adjusted(-room, -room, room, room))

    # Pointing.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is pointed at."""
        self._hover(self._cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at."""
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the cursor there."""
        cell = self._cell_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and cell is not None:
            self._move_to(cell)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the chat, unless the mouse was taken elsewhere."""
        cell = self._cell_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and cell == self._cursor:
            self._activate()

    def _cell_at(self, at: QPointF) -> int | None:
        if self._image is None:
            return None
        return self._image.layout.cell_at((at * self.devicePixelRatioF()).toPoint())

    def _hover(self, cell: int | None) -> None:
        if cell == self._hovered:
            return
        self._update_cell(self._hovered)
        self._hovered = cell
        self._update_cell(cell)
        chat = "" if cell is None else self.chat_of(cell)
        self.setCursor(Qt.CursorShape.PointingHandCursor if chat else Qt.CursorShape.ArrowCursor)
        self._say()

    def _activate(self) -> None:
        chat = self.chat_of(self._cursor)
        if chat:
            self.chat_activated.emit(chat)

    # The keyboard.

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor."""
        super().focusInEvent(event)
        self._update_cell(self._cursor)
        self._say()
        if self._picture is not None:
            pool = pool_text(self._picture)
            self.setAccessibleDescription(f"{pool}. {self.cell_words(self._cursor)}")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide it."""
        super().focusOutEvent(event)
        self._update_cell(self._cursor)
        self._say()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the cells; Enter goes to the chat."""
        layout = self.layout_now
        if layout is None:
            super().keyPressEvent(event)
            return
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._activate()
            return
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -layout.columns,
            Qt.Key.Key_Down: layout.columns,
            Qt.Key.Key_PageUp: -layout.columns * _PAGE_ROWS,
            Qt.Key.Key_PageDown: layout.columns * _PAGE_ROWS,
            Qt.Key.Key_Home: -layout.cells,
            Qt.Key.Key_End: layout.cells,
        }
        step = steps.get(Qt.Key(key))
        if step is None:
            super().keyPressEvent(event)
            return
        wanted = self._cursor + step
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not 0 <= wanted < layout.cells:
            return  # not out of its column
        self._move_to(max(0, min(wanted, layout.cells - 1)))

    def _move_to(self, cell: int) -> None:
        self._update_cell(self._cursor)
        self._cursor = cell
        self._update_cell(cell)
        self._say()

    def _say(self) -> None:
        """Tell what is pointed at, when that changed."""
        cell = self._hovered
        if cell is None and self.hasFocus() and self._image is not None:
            cell = self._cursor
        words = "" if cell is None else self.cell_words(cell)
        if words != self._said:
            self._said = words
            self.setAccessibleDescription(words)
            self.pointed.emit(words)
