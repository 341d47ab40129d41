"""A part of the monitor under a head that folds it away."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.views.icons import icon
from desktop.views.monitor.facts_text import FactsText

ICON_SIZE: Final = 14
INDENT: Final = theme.current().space.s  # the head's own, so that all stands below its sign


class Section(QWidget):
    """See the module. A folded one says the most important of it in its head.

    Args:
        name: how the code, and the remembered state, call it.
        title: what the user reads.
        body: what is folded.

    Signals:
        folded: its name, and whether it is folded now; by the user.
    """

    folded = Signal(str, bool)

    def __init__(self, name: str, title: str, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.name = name
        self.body = body
        self._is_folded = False
        self._is_empty = False
        self.title = title
        self.head = QPushButton(title)
        self.head.setProperty("kind", "quiet")
        self.head.setAutoDefault(False)
        self.head.setCheckable(False)
        self.head.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.head.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.head.clicked.connect(lambda _checked=False: self._toggle())
        self.head.installEventFilter(self)
        self._facts = FactsText()
        self.words = QLabel()
        self.words.setProperty("role", "muted")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.hide()
        row = QHBoxLayout()
        row.setSpacing(space.s)
        row.addWidget(self.head)
        row.addWidget(self._facts, 1)
        inside = QVBoxLayout()
        inside.setContentsMargins(INDENT, 0, 0, 0)
        inside.addWidget(self.words)
        inside.addWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.xs)
        column.addLayout(row)
        column.addLayout(inside)
        self._show()
        theme.notifier().changed.connect(self._on_theme)
        self._on_theme()

    @property
    def is_folded(self) -> bool:
        """Whether only the head is seen."""
        return self._is_folded

    def set_folded(self, folded: bool) -> None:
        """Fold it, or unfold it."""
        if folded != self._is_folded:
            self._is_folded = folded
            self._show()

    def set_title(self, title: str) -> None:
        """Another title."""
        if title != self.title:
            self.title = title
            self.head.setText(title)
            self._show()

    def set_facts(self, text: str) -> None:
        """The most important of it, in a few words beside the title."""
        self._facts.show_text(text)

    def facts(self) -> str:
        """What stands beside the title."""
        return self._facts.text()

    def set_empty(self, words: str) -> None:
        """Say why there is nothing to show, in the place of the body; "": there is something."""
        if words != self.words.text() or bool(words) != self._is_empty:
            self._is_empty = bool(words)
            self.words.setText(words)
            self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Left folds, right unfolds, as in a tree."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            wanted = {Qt.Key.Key_Left: True, Qt.Key.Key_Right: False}.get(Qt.Key(event.key()))
            if wanted is not None and wanted != self._is_folded:
                self._toggle()
                return True
        return super().eventFilter(watched, event)

    def _toggle(self) -> None:
        self.set_folded(not self._is_folded)
        self.folded.emit(self.name, self._is_folded)

    def _show(self) -> None:
        self.words.setVisible(self._is_empty and not self._is_folded)
        self.body.setVisible(not self._is_empty and not self._is_folded)
        self.head.setIcon(icon("right" if self._is_folded else "unfolded", "muted"))
        if self._is_folded:
            self.head.setAccessibleName(self.tr("{title}, folded").format(title=self.title))
            self.head.setToolTip(self.tr("Unfold"))
        else:
            self.head.setAccessibleName(self.tr("{title}, unfolded").format(title=self.title))
            self.head.setToolTip(self.tr("Fold"))

    def _on_theme(self) -> None:
        self.head.setFont(theme.current().text_font(weight=QFont.Weight.DemiBold))
