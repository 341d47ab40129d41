"""The KV map with all that explains it: its rule, its figures, its legend, and the tables."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.monitor.kv_books import CACHED, FREE, HELD, SHARED, KvPicture
from desktop.models.monitor.kv_words import idle_text, rule_text
from desktop.views.elided_label import ElidedLabel
from desktop.views.monitor.kv_canvas import KvCanvas
from desktop.views.monitor.kv_figures import KvFigures
from desktop.views.monitor.kv_legend import KvLegend
from desktop.views.monitor.kv_table import LinesModel, LinesView, chat_lines, run_lines

BESIDE_FROM: Final = 560  # pixels of width from which the figures stand beside the map
_BESIDE_WIDTH: Final = 248
_TABLE_ROWS: Final = 12
_TABLE_MS: Final = 1000  # between two times that a table is filled
_NO_LIMIT: Final = 16_777_215  # Qt's QWIDGETSIZE_MAX


class KvMapView(QWidget):
    """See the module.

    Attributes:
        figures: the pool in figures.

    Signals:
        chat_activated: a chat's id, to go to.
    """

    chat_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._picture: KvPicture | None = None
        self.canvas = KvCanvas()
        self.legend = KvLegend()
        self.figures = KvFigures()
        self._tables: _Tables | None = None
        self._rule = ElidedLabel()
        self._rule.setProperty("role", "muted")
        self._reading = ElidedLabel()  # what is pointed at; always there, so that nothing jumps
        self._reading.setProperty("role", "muted")
        head = QHBoxLayout()
        head.setSpacing(space.xs)
        head.addWidget(self._rule, 1)
        self._as_map, self._as_table = self._switch(head)
        self._left = QVBoxLayout()
        self._left.setSpacing(space.s)
        self._left.addLayout(head)
        self._left.addWidget(self.canvas)
        self._left.addWidget(self._reading)
        self._left.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(space.m)
        self._row.addLayout(self._left, 1)
        self._right = QVBoxLayout()
        self._right.setSpacing(space.m)
        self._right.addWidget(self.figures)
        self._right.addWidget(self.legend)
        self._right.addStretch(1)
        self._row.addLayout(self._right)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.canvas.chat_activated.connect(self.chat_activated)
        self.canvas.pointed.connect(self._point)
        self.canvas.laid_out.connect(self._show_rule)
        self.legend.chat_activated.connect(self.chat_activated)
        self.legend.highlighted.connect(self.set_highlight)
        self.legend.more_asked.connect(self.show_table)
        self._show_rule()

    def _switch(self, row: QHBoxLayout) -> tuple[QToolButton, QToolButton]:
        """Two buttons: as a map, as tables."""
        group = QButtonGroup(self)
        made = []
        for text, tip in (
            (self.tr("Map"), self.tr("Every block as a cell")),
            (self.tr("Table"), self.tr("The same in tables, for keyboard and screen reader")),
        ):
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setProperty("role", "small")
            group.addButton(button)
            row.addWidget(button)
            made.append(button)
        made[0].setChecked(True)
        group.buttonToggled.connect(self._switched)
        return made[0], made[1]

    def set_picture(self, picture: KvPicture | None) -> None:
        """Show a pool; None: there is none."""
        self._picture = picture
        self.figures.set_picture(picture)
        if self._tables is not None and self._as_table.isChecked():
            self._tables.set_picture(picture)
        else:
            self.canvas.set_picture(picture)
            self.legend.set_picture(picture)

    def set_highlight(self, number: int) -> None:
        """Bring one chat's blocks forward, by its number; 0: none's."""
        self.canvas.set_forward(number)

    def set_context(self, tokens: int) -> None:
        """The longest text that the model is loaded for."""
        self.figures.set_context(tokens)

    def show_table(self) -> None:
        """Show the tables in the map's place."""
        self._as_table.setChecked(True)

    def csv_rows(self) -> list[list[str]]:
        """The chats' part of the pool, for a file: a head row, then a row for each."""
        rows = [
            ["number", "chat", "blocks held", "blocks shared", "tokens in cache", "context tokens"]
        ]
        if self._picture is not None:
            rows += [
                [
                    str(one.number),
                    one.ref.title,
                    str(len(one.blocks)),
                    str(one.shared),
                    str(one.tokens),
                    str(one.context),
                ]
                for one in (*self._picture.holders, *self._picture.remembered)
            ]
        return rows

    def _switched(self) -> None:
        as_table = self._as_table.isChecked()
        if as_table and self._tables is None:
            self._tables = _Tables()
            self._tables.chat_activated.connect(self.chat_activated)
            self._left.insertWidget(1, self._tables)
        if self._tables is not None:
            self._tables.setVisible(as_table)
        self.canvas.setVisible(not as_table)
        self.legend.setVisible(not as_table)
        self._reading.setVisible(not as_table)
        self.set_picture(self._picture)
        self._show_rule()

    def _point(self, words: str) -> None:
        layout = self.canvas.layout_now
        idle = idle_text(layout.group) if layout is not None else ""
        self._reading.setText(words or idle)

    def _show_rule(self) -> None:
        """What a cell stands for, in as many words as there is room for."""
        layout = self.canvas.layout_now
        if self._picture is None or layout is None or self._as_table.isChecked():
            self._rule.setText("")
            return
        text = rule_text(layout.group, self._picture.block_size)
        if self._rule.fontMetrics().horizontalAdvance(text) > self._rule.width():
            text = rule_text(layout.group)
        self._rule.setText(text)
        self._point(self.canvas.said)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Figures and legend beside the map where there is room, below it where there is not."""
        super().resizeEvent(event)
        beside = self.width() >= BESIDE_FROM
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._row.direction() != way:
            self._row.setDirection(way)
            for part in (self.figures, self.legend):
                part.setMaximumWidth(_BESIDE_WIDTH if beside else _NO_LIMIT)
        self._show_rule()


class _Tables(QTabWidget):
    """The chats, and the runs of blocks."""

    chat_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        chats = [self.tr("Chat"), self.tr("Blocks"), self.tr("Shared"), self.tr("Tokens in cache")]
        runs = [self.tr("Blocks"), self.tr("State"), self.tr("Chat"), self.tr("Count")]
        self.chats = LinesModel(chats, parent=self)
        self.runs = LinesModel(runs, (0, 1, 2), parent=self)
        self._picture: KvPicture | None = None
        # A table that changes four times a second cannot be read, least of all aloud.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_TABLE_MS)
        self._soon.timeout.connect(self._fill)
        for model, title, name in (
            (self.chats, self.tr("Chats"), self.tr("Chats in the KV cache")),
            (self.runs, self.tr("Blocks"), self.tr("Runs of KV blocks")),
        ):
            view = LinesView(model, name)
            view.chat_activated.connect(self.chat_activated)
            header = view.horizontalHeader()
            header.setResizeContentsPrecision(0)  # by the rows that are seen, not by thousands
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            wide = 0 if model is self.chats else 2
            header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
            self.addTab(view, title)
        self.setAccessibleName(self.tr("Tables of the KV cache"))
        self.tabBar().setAccessibleName(self.tr("Tables of the KV cache"))
        self.currentChanged.connect(self._fill)

    def set_picture(self, picture: KvPicture | None) -> None:
        """Show a pool: at once if that was not done lately. Only the table in front is filled."""
        before, self._picture = self._picture, picture
        if before is None or picture is None:
            self._fill()
        elif not self._soon.isActive():
            self._soon.start()

    def _fill(self) -> None:
        picture = self._picture
        if self.currentIndex() == 0:
            self.chats.set_lines(chat_lines(picture) if picture is not None else [])
        else:
            self.runs.set_lines(run_lines(picture, self._state) if picture is not None else [])

    def _state(self, kind: int) -> str:
        return {
            HELD: self.tr("in use"),
            SHARED: self.tr("shared"),
            CACHED: self.tr("cached"),
            FREE: self.tr("free"),
        }[kind]

    def sizeHint(self) -> QSize:
        """A dozen rows."""
        return QSize(280, _TABLE_ROWS * (self.fontMetrics().height() + 8))

    def minimumSizeHint(self) -> QSize:
        """It gives way."""
        return QSize(120, self.sizeHint().height())
