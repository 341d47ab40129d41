"""The pool in figures, which are also the key of the map's cells, and its waste in two bars."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.monitor.kv_books import CACHED, FREE, HELD, SHARED, KvPicture
from desktop.models.monitor.kv_words import percent, waste_explained, waste_text
from desktop.models.number_text import whole
from desktop.views.monitor.kv_map_image import cell_image

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
        self._rows[SHARED].setToolTip(
            self.tr("Held by more than one answer: the same beginning of a text, kept once.")
        )
        self._rows[CACHED].setToolTip(
            self.tr(
                "Nobody holds them, and what was read into them is still there: a text that "
                "begins alike need not be read again. They are given away when room is needed."
            )
        )
        self._waste = QLabel()
        self._waste.setProperty("role", "small")
        self._waste.setTextFormat(Qt.TextFormat.PlainText)
        self._waste.setWordWrap(True)
        self._waste.setMinimumWidth(1)
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
        before, self._picture = self._picture, picture
        if picture is None:
            for row in self._rows.values():
                row.show_blocks(None, 0)
            self._waste.setText("")
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
        text = waste_text(picture.waste)
        if text != self._waste.text():
            self._waste.setText(text)
        self._bars.show_shares(picture.waste.share, picture.waste.contiguous_share)
        if before is None or before.waste != picture.waste:
            explained = waste_explained(picture, self._context)
            self._waste.setToolTip(explained)
            self._bars.setToolTip(explained)


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
        self._blocks = QLabel()
        self._share = QLabel()
        self._share.setProperty("role", "muted")
        for figure in (self._blocks, self._share):
            figure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QGridLayout(self)
        row.setContentsMargins(space.m if kind == SHARED else 0, 0, 0, 0)
        row.setHorizontalSpacing(space.s)
        row.addWidget(self._patch, 0, 0)
        row.addWidget(label, 0, 1)
        row.addWidget(self._blocks, 0, 2)
        row.addWidget(self._share, 0, 3)
        row.setColumnStretch(1, 1)
        self._dress()
        theme.notifier().changed.connect(self._dress)

    def _dress(self) -> None:
        font = theme.current().figure_font()
        for figure in (self._blocks, self._share):
            figure.setFont(font)
        self._share.setFixedWidth(self._share.fontMetrics().horizontalAdvance("100.0 % "))

    def show_blocks(self, blocks: int | None, total: int) -> None:
        """Show how many of all; None: not known."""
        count = "–" if blocks is None else whole(blocks)
        share = percent(blocks / total) if blocks is not None and total else ""
        if (count, share) != (self._blocks.text(), self._share.text()):
            self._blocks.setText(count)
            self._share.setText(share)
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
