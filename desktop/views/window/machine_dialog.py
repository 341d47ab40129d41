"""“Check this machine”: what `doctor` finds, as it finds it, to read and to copy."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.machine_check import Found, MachineCheck
from desktop.views.dialog_parts import share_baseline
from desktop.views.icons import icon

ICON_SIZE: Final = 16
NARROW: Final = 520
_MARKS: Final = {
    "ok": ("check", "ok"),
    "note": ("info", "muted"),
    "warning": ("warning", "warning"),
    "problem": ("close", "danger"),  # each its own form: colour alone tells not everyone
    "skipped": ("more", "faint"),
}


class MachineDialog(QDialog):
    """See the module. `check` is started at once, and ended with the dialog."""

    def __init__(self, parent: QWidget | None = None, check: MachineCheck | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setWindowTitle(self.tr("Check this machine"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 560)
        self._findings: list[Found] = []
        self._lead = QLabel(self.tr("Looking at this machine and at what is installed…"))
        self._lead.setWordWrap(True)
        self._lead.setTextFormat(Qt.TextFormat.PlainText)
        self._progress = QProgressBar()
        self._progress.setRange(0, 0)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Progress"))
        self._labels: list[tuple[QLabel, QLabel, QLabel]] = []  # mark, name, words
        self._is_narrow = False
        self._rows = QGridLayout()
        self._rows.setColumnStretch(2, 1)
        self._rows.setHorizontalSpacing(space.s)
        self._rows.setVerticalSpacing(space.xs)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space.xs, space.xs, space.s, space.xs)
        column.addLayout(self._rows)
        column.addStretch(1)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setProperty("role", "reader")  # it takes the focus: arrows scroll it
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.tr("Findings"))
        self._area.setWidget(page)
        self._copy = QPushButton(self.tr("Copy all"))
        self._copy.clicked.connect(self._on_copy)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        layout.addWidget(self._lead)
        layout.addWidget(self._progress)
        layout.addWidget(self._area, 1)
        layout.addWidget(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()

        self._check = check or MachineCheck(self)
        self._check.found.connect(self._on_found)
        self._check.ended.connect(self._on_ended)
        self.finished.connect(self._check.stop)
        self._check.start()

    def text(self) -> str:
        """All findings as plain text, as `doctor` shows them where they are piped."""
        states = {
            "ok": self.tr("ok"),
            "note": self.tr("note"),
            "warning": self.tr("warning"),
            "problem": self.tr("problem"),
            "skipped": self.tr("skipped"),
        }
        lines: list[str] = []
        for each in self._findings:
            state = states.get(each.state, each.state)
            lines.append(f"{state:<8} {each.name}: {each.text}")
            if each.advice:
                lines.append(f"{'':<8} → {each.advice}")
        return "\n".join(lines)

    def lead(self) -> str:
        """The sentence above the findings."""
        return self._lead.text()

    # --- inside ----------------------------------------------------------------------------

    def _on_found(self, found: Found) -> None:
        self._findings.append(found)
        name, colour = _MARKS.get(found.state, _MARKS["note"])
        mark = QLabel()
        mark.setPixmap(icon(name, colour).pixmap(QSize(ICON_SIZE, ICON_SIZE)))
        mark.setAccessibleName(self._state_words(found.state))
        mark.setToolTip(self._state_words(found.state))
        words = found.text if not found.advice else f"{found.text}\n→ {found.advice}"
        self._labels.append((mark, _label(found.name, role="muted"), _label(words)))
        self._place(len(self._labels) - 1)

    def _place(self, number: int) -> None:
        """What was looked at stands before the words; where it is narrow, above them."""
        mark, name, words = self._labels[number]
        space = theme.current().space
        top, row = Qt.AlignmentFlag.AlignTop, 3 * number
        self._rows.setRowMinimumHeight(row + 2, space.s if self._is_narrow else space.xs)
        self._rows.addWidget(mark, row, 0, top)
        if self._is_narrow:
            name.setContentsMargins(0, 0, 0, 0)
            self._rows.addWidget(name, row, 1, 1, 2)
            self._rows.addWidget(words, row + 1, 1, 1, 2)
        else:
            share_baseline(name, words)
            self._rows.addWidget(name, row, 1, top)
            self._rows.addWidget(words, row, 2, top)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width."""
        super().resizeEvent(event)
        if (self.width() < NARROW) != self._is_narrow:
            self._is_narrow = not self._is_narrow
            for number in range(len(self._labels)):
                self._place(number)

    def _on_ended(self, complete: bool) -> None:
        self._progress.hide()
        problems = sum(found.state == "problem" for found in self._findings)
        if not complete:
            self._lead.setText(self.tr("The check ended before all was looked at."))
        elif problems:
            self._lead.setText(
                self.tr("{count} problems were found.").format(count=problems)
                if problems > 1
                else self.tr("One problem was found.")
            )
        elif any(found.state == "warning" for found in self._findings):
            self._lead.setText(self.tr("It works; the warnings say what could be better."))
        else:
            self._lead.setText(self.tr("All is well."))

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())

    def _state_words(self, state: str) -> str:
        return {
            "ok": self.tr("Fine"),
            "note": self.tr("Note"),
            "warning": self.tr("Warning"),
            "problem": self.tr("Problem"),
            "skipped": self.tr("Not looked at"),
        }.get(state, state)


def _label(text: str, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    else:
        label.setWordWrap(True)
    return label
