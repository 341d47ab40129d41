"""The pool in figures, which are also the key of the map's cells, and its waste in two bars."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.monitor.kv_books import CACHED, FREE, HELD, SHARED, KvPicture
from desktop.models.monitor.kv_waste import KvWaste
from desktop.models.monitor.kv_words import percent, waste_explained, waste_text
from desktop.models.number_text import whole
from desktop.views.monitor.kv_map_image import cell_image
from desktop.views.monitor.painted_text import PaintedText

_PATCH: Final = 12
_BAR: Final = 4


class KvFigures(QWidget):
    """Blocks used, shared, cached and free; the waste now and as it would be without paging."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = 0
        self._picture: KvPicture | None = None
        space = theme.current().space
        self._rows = {
            HELD: _Row(HELD, self.tr("In use")),
            SHARED: _Row(SHARED, self.tr("of them shared")),
            CACHED: _Row(CACHED, self.tr("Cached")),
            FREE: _Row(FREE, self.tr("Free")),
        }
        self._rows[HELD].setToolTip(
            self.tr("Held by answers that are being written, each block counted once.")
        )
        self._rows[FREE].setToolTip(self.tr("Nobody holds them, and nothing is in them."))
        self._rows[SHARED].setToolTip(
            self.tr("Held by more than one answer: the same beginning of a text, kept once.")
        )
        self._rows[CACHED].setToolTip(
            self.tr(
                "Nobody holds them, and what was read into them is still there: a text that "
                "begins alike need not be read again. They are given away when room is needed."
            )
        )
        self._waste = PaintedText(_widest_waste(), wraps=True)
        self._bars = _WasteBars()
        grid = QVBoxLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(space.xs // 2)
        for row in self._rows.values():
            grid.addWidget(row)
        grid.addSpacing(space.xs)
        grid.addWidget(self._bars)
        grid.addWidget(self._waste)
        grid.addStretch(1)
        self.setAccessibleName(self.tr("The KV pool in figures"))

    def set_context(self, tokens: int) -> None:
        """The longest text that the model is loaded for; only said in the explanation."""
        self._context = tokens

    def set_picture(self, picture: KvPicture | None) -> None:
        """Show a pool's figures."""
        self._picture = picture
        if picture is None:
            for row in self._rows.values():
                row.show_blocks(None, 0)
            self._waste.show_text("")
            self._bars.show_shares(None, None)
            return
        figures = {
            HELD: picture.used,
            SHARED: picture.shared,
            CACHED: picture.cached,
            FREE: picture.free,
        }
        for kind, blocks in figures.items():
            self._rows[kind].show_blocks(blocks, picture.total)
        self._waste.show_text(waste_text(picture.waste))
        self._bars.show_shares(picture.waste.share, picture.waste.contiguous_share)

    def explanation(self) -> str:
        """What the waste is, and what it would be; "" where there is no pool."""
        return "" if self._picture is None else waste_explained(self._picture, self._context)

    def event(self, event: QEvent) -> bool:
        """The tip is made when it is asked for."""
        if event.type() is QEvent.Type.ToolTip:
            self.setToolTip(self.explanation())
        return super().event(event)


def _widest_waste() -> str:
    return waste_text(KvWaste(slots=1, unused=1, tokens=0, sequences=1, reserved=1))


class _Row(QWidget):
    """A kind of blocks: how its cells look, its name, how many there are."""

    def __init__(self, kind: int, name: str) -> None:
        super().__init__()
        self._name = name
        space = theme.current().space
        self._patch = _Patch(kind)
        label = QLabel(name)
        label.setProperty("role", "muted")
        label.setMinimumWidth(1)
        right = Qt.AlignmentFlag.AlignRight
        self._blocks = PaintedText(whole(88_888), side=right)
        self._share = PaintedText(percent(1.0), "muted", right)
        row = QGridLayout(self)
        row.setContentsMargins(space.m if kind == SHARED else 0, 0, 0, 0)
        row.setHorizontalSpacing(space.s)
        row.addWidget(self._patch, 0, 0)
        row.addWidget(label, 0, 1)
        row.addWidget(self._blocks, 0, 2)
        row.addWidget(self._share, 0, 3)
        row.setColumnStretch(1, 1)

    def show_blocks(self, blocks: int | None, total: int) -> None:
        """Show how many of all; None: not known."""
        count = "–" if blocks is None else whole(blocks)
        share = percent(blocks / total) if blocks is not None and total else ""
        if (count, share) != (self._blocks.text(), self._share.text()):
            self._blocks.show_text(count)
            self._share.show_text(share)
            self.setAccessibleName(f"{self._name}: {count} {share}".rstrip())


class _Patch(QWidget):
    """A cell of a kind, as the map has it."""

    def __init__(self, kind: int) -> None:
        super().__init__()
        self._kind = kind
        self.setFixedSize(_PATCH, _PATCH)
        theme.notifier().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it; of no chat, so without a chat's colour."""
        del event
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._pixmap())

    def _pixmap(self) -> QPixmap:
        scale = self.devicePixelRatioF()
        image = cell_image(self._kind, 0, round(_PATCH * scale), scale, theme.current())
        return QPixmap.fromImage(image)


class _WasteBars(QWidget):
    """Two bars of one scale: unused now, and unused had each sequence one piece."""

    def __init__(self) -> None:
        super().__init__()
        self._shares: tuple[float | None, float | None] = (None, None)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def show_shares(self, paged: float | None, contiguous: float | None) -> None:
        """Show the two shares, from 0 to 1."""
        if self._shares != (paged, contiguous):
            self._shares = (paged, contiguous)
            self.update()

    def sizeHint(self) -> QSize:
        """Any width."""
        return QSize(80, 2 * _BAR + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint both on their grounds."""
        del event
        look = theme.current()
        with QPainter(self) as painter:
            for at, (share, colour) in enumerate(
                zip(self._shares, ("accent", "muted"), strict=True)
            ):
                track = QRectF(0, at * (_BAR + 2), self.width(), _BAR)
                painter.fillRect(track, look.colour("pressed"))
                if share is not None:
                    track.setWidth(max(1.0, self.width() * min(1.0, max(0.0, share))))
                    painter.fillRect(track, look.colour(colour))
