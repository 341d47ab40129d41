"""One download: what it is, how far, how fast, why it waits, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.library import download_words as words
from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.models.tip_text import tip_text
from desktop.views.dialog_parts import plain_label, push_button, unbroken
from desktop.views.elided_label import ElidedLabel
from desktop.views.icons import icon

STEPS: Final = 1000
ICON_SIZE: Final = 16


class DownloadRow(QFrame):
    """See the module.

    Signals:
        pause_requested, resume_requested, cancel_requested, clear_requested: the download's key.
        load_requested: its key: the model that is there is to be loaded.
        help_requested: its key: what says what is missing, a place to sign in, or a try at once.
        move_requested: its key, and by how many places: -1 or 1.
    """

    pause_requested = Signal(str)
    resume_requested = Signal(str)
    cancel_requested = Signal(str)
    clear_requested = Signal(str)
    load_requested = Signal(str)
    help_requested = Signal(str)
    move_requested = Signal(str, int)

    def __init__(self, view: DownloadView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.view = view
        self.setProperty("role", "raised")
        self.title = ElidedLabel()
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.figures = plain_label(role="muted")
        self.reason = plain_label()
        self.toggle = push_button("", self._on_toggle)
        self.help = push_button("", lambda: self.help_requested.emit(self.view.key))
        self.load = push_button(
            self.tr("Load"), lambda: self.load_requested.emit(self.view.key), "primary"
        )
        self.sooner = self._sign("up", lambda: self.move_requested.emit(self.view.key, -1))
        self.later = self._sign("down", lambda: self.move_requested.emit(self.view.key, 1))
        self.end = self._sign("close", self._on_end)
        top = QHBoxLayout()
        top.setSpacing(space.s)
        top.addWidget(self.title, 1)
        top.addWidget(self.state)
        for sign in (self.sooner, self.later, self.end):
            top.addWidget(sign)
        foot = QHBoxLayout()
        foot.setSpacing(space.s)
        foot.addWidget(self.figures, 1)
        for button in (self.toggle, self.help, self.load):
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.s, space.m, space.m)
        layout.setSpacing(space.xs)
        layout.addLayout(top)
        layout.addWidget(self.bar)
        layout.addWidget(self.reason)
        layout.addLayout(foot)
        # What one comes for is first, what gives it up is last.
        stops = (self.toggle, self.help, self.load, self.sooner, self.later, self.end)
        for before, after in pairwise(stops):
            self.setTabOrder(before, after)
        theme.notifier().changed.connect(self._fit_fonts)
        self._fit_fonts()
        self.show_view(view)

    def show_view(self, view: DownloadView) -> None:
        """It is like this now."""
        self.view = view
        title = words.title_text(view)
        self.title.setText(title)
        self.setAccessibleName(words.spoken_text(view))
        self._show_state(view)
        share = view.share
        is_moving = view.state in (DownloadState.RUNNING, DownloadState.PAUSED)
        self.bar.setVisible(is_moving or (bool(share) and view.is_unfinished))
        self.bar.setValue(round((share or 0.0) * STEPS))
        self.bar.setAccessibleName(self.tr("Progress of {model}").format(model=title))
        figures, reason = words.figures_text(view), words.reason_text(view)
        self.figures.setText(unbroken(figures))
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        self._show_buttons(view, title)

    def place(self, *, is_first: bool, is_last: bool) -> None:
        """Where it stands among those that are unfinished."""
        alone = is_first and is_last
        for sign, is_end in ((self.sooner, is_first), (self.later, is_last)):
            sign.setVisible(self.view.is_unfinished and not alone)
            sign.setEnabled(not is_end)

    # --- inside ------------------------------------------------------------------------

    def _sign(self, name: str, slot: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name, "muted"))
        button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _checked=False: slot())
        return button

    def _show_state(self, view: DownloadView) -> None:
        self.state.setText(words.state_text(view))
        role = "small"
        if view.state is DownloadState.FAILED:
            role = "danger"
        elif view.state in (DownloadState.QUEUED, DownloadState.PAUSED):
            role = "muted"
        if self.state.property("role") != role:
            self.state.setProperty("role", role)
            self.state.style().unpolish(self.state)
            self.state.style().polish(self.state)
            self._fit_fonts()

    def _show_buttons(self, view: DownloadView, title: str) -> None:
        state = view.state
        goes_on = state in (DownloadState.RUNNING, DownloadState.QUEUED)
        is_pausing = state is DownloadState.RUNNING and view.phase == "paused"
        toggle, sign = (
            (self.tr("Pause"), "pause")
            if goes_on and not is_pausing
            else (self.tr("Try again"), "retry")
            if state is DownloadState.FAILED
            else (self.tr("Go on"), "continue")
        )
        self.toggle.setVisible(state is not DownloadState.DONE)
        self._name(self.toggle, toggle, title)
        self.toggle.setIcon(icon(sign))
        helps = self._help_text(view)
        self.help.setVisible(bool(helps))
        self._name(self.help, helps, title)
        self.load.setVisible(state is DownloadState.DONE)
        self._name(self.load, self.tr("Load"), title)
        end = (
            self.tr("Leave out of the list; the model stays")
            if state is DownloadState.DONE
            else self.tr("Give it up and remove what has come")
        )
        for button, tip in (
            (self.sooner, self.tr("Sooner")),
            (self.later, self.tr("Later")),
            (self.end, end),
        ):
            button.setToolTip(tip_text(tip))
            button.setAccessibleName(self.tr("{action}: {model}").format(action=tip, model=title))

    def _help_text(self, view: DownloadView) -> str:
        if view.state is DownloadState.FAILED and view.code == "sign_in":
            return self.tr("Sign in…")
        if view.state is DownloadState.FAILED and view.url:
            return self.tr("Open its page…")
        if view.is_waiting:
            return self.tr("Try now")
        return ""

    def _name(self, button: QPushButton, label: str, title: str) -> None:
        button.setText(label)
        button.setAccessibleName(
            self.tr("{action}: {model}").format(action=label.rstrip("…"), model=title)
        )

    def _fit_fonts(self) -> None:
        look = theme.current()
        self.title.setFont(look.text_font(weight=QFont.Weight.Medium))
        self.state.setFont(look.text_font(look.small))
        self.figures.setFont(look.figure_font())

    def _on_toggle(self) -> None:
        goes_on = self.view.state in (DownloadState.RUNNING, DownloadState.QUEUED)
        if goes_on and self.view.phase != "paused":
            self.pause_requested.emit(self.view.key)
        else:
            self.resume_requested.emit(self.view.key)

    def _on_end(self) -> None:
        if self.view.state is DownloadState.DONE:
            self.clear_requested.emit(self.view.key)
        else:
            self.cancel_requested.emit(self.view.key)
