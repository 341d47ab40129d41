"""All there is to say of one installed model, and what can be done with it."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.library import installed_words as words
from desktop.models.library.hub_words import format_name, licence_name, parameters_text, shown
from desktop.models.library.installed_deeds import Deed, deed_text
from desktop.models.library.installed_model import InstalledRow
from desktop.models.loading.size_text import count_text, size_text
from desktop.views.dialog_parts import plain_label, push_button, set_name, title_label
from desktop.views.flow_layout import FlowLayout
from engine.store.library.records import Progress

COMMIT_SHOWN: Final = 16  # characters; the whole one is among the files and hashes
_STEPS: Final = 1000
_BUTTONS: Final = (
    Deed.LOAD,
    Deed.UNLOAD,
    Deed.FETCH,
    Deed.BESIDE,
    Deed.SETTINGS,
    Deed.STOP_VERIFY,
)


class InstalledDetails(QScrollArea):
    """See the module.

    Signals:
        wanted: a `Deed` that the user wants for the model shown.
    """

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.row: InstalledRow | None = None
        self._deeds: tuple[Deed, ...] = ()
        self._rows: list[tuple[QLabel, QLabel]] = []  # what is told of, and what
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.title = title_label("")
        self.state = plain_label(role="muted")
        self.problem = plain_label(role="warning")
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the verification"))
        self.buttons = {
            deed: push_button(
                deed_text(deed),
                partial(self.wanted.emit, deed),
                "primary" if deed in (Deed.LOAD, Deed.FETCH) else "",
            )
            for deed in _BUTTONS
        }
        self.more = QPushButton(self.tr("More"))
        self.more.setAutoDefault(False)
        self.more.clicked.connect(lambda _checked=False: self._open_more())
        self._foot = QWidget()
        flow = FlowLayout(self._foot, space.s)
        for button in (*self.buttons.values(), self.more):
            flow.addWidget(button)
        self._facts = QWidget()
        self._grid = QGridLayout(self._facts)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space.l)
        self._grid.setVerticalSpacing(space.xs)
        self._grid.setColumnStretch(1, 1)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(space.l, space.s, space.l, space.l)
        column.setSpacing(space.s)
        for widget in (self.title, self.state, self.problem, self.bar, self._foot):
            column.addWidget(widget)
        column.addSpacing(space.s)
        column.addWidget(self._facts)
        column.addStretch(1)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)

    def show_row(
        self, row: InstalledRow, deeds: tuple[Deed, ...], progress: Progress | None
    ) -> None:
        """Show a model as it is now.

        Args:
            progress: of its verification; None: none has told any.
        """
        is_other = self.row is None or self.row.model != row.model
        self.row, self._deeds = row, deeds
        if is_other:
            self._show_model(row)
        state = row.state or self.tr("Not loaded")
        if row.state and not row.is_own:
            state = self.tr("{state} · beside the window's model").format(state=row.state)
        self.state.setText(" · ".join(part for part in (state, row.work) if part))
        set_name(self.problem, row.problem)
        self.problem.setVisible(bool(row.problem))
        self.bar.setVisible(Deed.STOP_VERIFY in deeds)
        self.bar.setValue(round(words.share_of(progress) * _STEPS))
        focus = self.window().focusWidget()
        for deed, button in self.buttons.items():
            button.setVisible(deed in deeds)
            button.setAccessibleName(
                self.tr("{action}: {model}").format(
                    action=deed_text(deed).rstrip("…"), model=row.title
                )
            )
        self.more.setAccessibleName(self.tr("More to do with {model}").format(model=row.title))
        if focus in self.buttons.values() and not focus.isVisible():
            # What has the focus makes no sense any more: another button stands in its place.
            visible = (button for deed, button in self.buttons.items() if deed in deeds)
            next(visible, self.more).setFocus(Qt.FocusReason.OtherFocusReason)

    def least_width(self) -> int:
        """Pixels that no button is cut in, whatever the font."""
        buttons = (*self.buttons.values(), self.more)
        bar = self.verticalScrollBar().sizeHint().width()
        return max(one.sizeHint().width() for one in buttons) + 2 * theme.current().space.l + bar

    def menu(self, deeds: tuple[Deed, ...], parent: QWidget) -> QMenu:
        """A menu of all that can be done; for the row, too."""
        menu = QMenu(parent)
        menu.setAccessibleName(self.tr("What to do with the model"))
        menu.aboutToHide.connect(menu.deleteLater)
        before = -1
        for deed in deeds:
            group = _group(deed)
            if before not in (-1, group):
                menu.addSeparator()
            before = group
            action = menu.addAction(deed_text(deed))
            action.triggered.connect(partial(self._want, deed))
        return menu

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Facts may have less room."""
        super().resizeEvent(event)
        self._place_facts()

    # --- inside ------------------------------------------------------------------------

    def _want(self, deed: Deed, _checked: bool = False) -> None:
        self.wanted.emit(deed)

    def _open_more(self) -> None:
        menu = self.menu(tuple(deed for deed in self._deeds if deed not in self.buttons), self.more)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _show_model(self, row: InstalledRow) -> None:
        set_name(self.title, row.title)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._rows.clear()
        for name, value in self._facts_of(row):
            label, fact = QLabel(name), plain_label(value)
            label.setProperty("role", "muted")
            fact.setProperty("role", "small")
            fact.setAccessibleName(f"{name}: {value}")
            fact.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            fact.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self._rows.append((label, fact))
        self._place_facts()

    def _place_facts(self) -> None:
        """Beside what they are of; where a word has no room there, below it."""
        for label in (one for pair in self._rows for one in pair):
            self._grid.removeWidget(label)
            label.setParent(self._facts)
            label.ensurePolished()
        names = max((label.sizeHint().width() for label, _ in self._rows), default=0)
        longest = max((_longest_word(fact) for _, fact in self._rows), default=0)
        room = self.viewport().width() - 2 * theme.current().space.l
        below = names + self._grid.horizontalSpacing() + longest > room
        top = Qt.AlignmentFlag.AlignTop
        for number, (label, fact) in enumerate(self._rows):
            if below:
                self._grid.addWidget(label, 2 * number, 0, 1, 2, top)
                self._grid.addWidget(fact, 2 * number + 1, 0, 1, 2)
            else:
                self._grid.addWidget(label, 2 * number, 0, top)
                self._grid.addWidget(fact, 2 * number, 1, top)
            label.show()
            fact.show()

    def _facts_of(self, row: InstalledRow) -> list[tuple[str, str]]:
        model = row.model
        freed = ""
        if model.deletable and model.frees < model.size:
            freed = self.tr("{size}; the rest is shared").format(size=size_text(model.frees))
        template = self.tr("Yes") if model.template else self.tr("None")
        facts = [
            (self.tr("Format"), format_name(model.format)),
            (self.tr("Size"), size_text(model.size) if model.size else ""),
            (self.tr("Deleting frees"), freed),
            (self.tr("Parameters"), parameters_text(model.parameters) if model.parameters else ""),
            (
                self.tr("Context"),
                self.tr("{count} tokens").format(count=count_text(model.context))
                if model.context
                else "",
            ),
            (self.tr("Licence"), licence_name(model.licence)),
            (self.tr("Architecture"), shown(model.architecture)),
            (self.tr("Chat template"), template),
            (self.tr("Made from"), shown(model.base_model)),
            (self.tr("From"), self._origin(row)),
            (self.tr("Commit"), shown(model.commit, COMMIT_SHOWN)),
            (self.tr("Last used"), words.day_text(model.last_used) if model.last_used else ""),
            (self.tr("Place"), shown(model.path, 400)),
        ]
        return [(name, value) for name, value in facts if value]

    def _origin(self, row: InstalledRow) -> str:
        source, repo = words.source_text(row.model), shown(row.model.repo)
        return f"{source} · {repo}" if repo else source


def _longest_word(label: QLabel) -> int:
    """Width of what no line ends in, in pixels. Fit to be copied: no breaks are put in."""
    metrics = label.fontMetrics()
    return max(map(metrics.horizontalAdvance, re.split(r"[\s/-]", label.text())))


def _group(deed: Deed) -> int:
    if deed in (Deed.LOAD, Deed.UNLOAD, Deed.BESIDE, Deed.SETTINGS, Deed.FETCH):
        return 0
    if deed in (Deed.QUANTISE, Deed.CONVERT):
        return 2
    return 3 if deed is Deed.DELETE else 1
