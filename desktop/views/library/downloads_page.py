"""The library's page of downloads: each with its progress, and what can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.library import download_words as words
from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.models.loading.size_text import size_text
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.views.dialog_parts import plain_label, push_button, unbroken
from desktop.views.flow_layout import FlowLayout
from desktop.views.library.download_row import DownloadRow
from desktop.views.library.state_panel import StatePanel
from desktop.views.tabs.notice_bar import NoticeBar
from desktop.views.transcript.accessible import announce

if TYPE_CHECKING:
    from desktop.models.library.download_desk import DownloadDesk

CLOCK_MS: Final = 1_000
MOST_WIDTH: Final = 860  # pixels of a row: longer lines are harder to follow


class DownloadsPage(QWidget):
    """See the module.

    Signals:
        load_requested: folder of a model that is there.
        sign_in_requested: the address of the model that wants to know who asks.
        link_requested: an address to open.
        online_requested: the user wants to be online again.
        find_requested: look for a model.
    """

    load_requested = Signal(str)
    sign_in_requested = Signal(str)
    link_requested = Signal(str)
    online_requested = Signal()
    find_requested = Signal()

    def __init__(self, desk: DownloadDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._rows: dict[str, DownloadRow] = {}
        self._clock = QTimer(self)  # counts down what is waited for
        self._clock.setInterval(CLOCK_MS)
        self._clock.timeout.connect(self._on_clock)
        self._build()
        desk.changed.connect(self._on_changed)
        desk.listed.connect(self._list)
        desk.finished.connect(lambda _folder: self._update())
        desk.failed.connect(self._on_failed)
        desk.noticed.connect(
            lambda text: self.notice.show_notice(Notice(NoticeLevel.WARNING, text))
        )
        self._list()

    def row(self, key: str) -> DownloadRow | None:
        """The row of a download."""
        return self._rows.get(key)

    def show_settings(self) -> None:
        """The settings changed: it may be online again, or not."""
        self._update()

    # --- Qt ----------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """The time that is left is right again."""
        super().showEvent(event)
        self._on_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._clock.stop()

    def _on_clock(self) -> None:
        waiting = [row for row in self._rows.values() if row.view.is_waiting]
        for row in waiting:
            row.show_view(row.view)
        self._run_clock()

    def _run_clock(self) -> None:
        """It runs only while somebody looks at something that waits."""
        wanted = self.isVisible() and any(row.view.is_waiting for row in self._rows.values())
        if wanted and not self._clock.isActive():
            self._clock.start()
        elif not wanted:
            self._clock.stop()

    # --- building ----------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.title = QLabel(self.tr("Downloads"))
        self.title.setProperty("role", "title")
        self.total = plain_label(role="muted")
        self.pause_all = push_button(self.tr("Pause all"), self._desk.pause_all)
        self.resume_all = push_button(self.tr("Go on with all"), self._desk.resume_all)
        self.clear = push_button(self.tr("Clear finished"), self._desk.clear_finished)
        buttons = QWidget()
        flow = FlowLayout(buttons, space.s)
        for button in (self.pause_all, self.resume_all, self.clear):
            flow.addWidget(button)
        self.head = QWidget()
        head = QVBoxLayout(self.head)
        head.setContentsMargins(space.xl, space.l, space.xl, space.s)
        head.setSpacing(space.xs)
        head.addWidget(self.title)
        head.addWidget(self.total)
        head.addSpacing(space.xs)
        head.addWidget(buttons)
        self.offline = NoticeBar(closable=False)
        self.notice = NoticeBar()
        bars_holder = QWidget()
        bars_holder.setMaximumWidth(MOST_WIDTH)
        bars = QVBoxLayout(bars_holder)
        bars.setContentsMargins(space.xl, 0, space.xl, 0)
        bars.setSpacing(space.s)
        bars.addWidget(self.offline)
        bars.addWidget(self.notice)
        self.done_title = QLabel(self.tr("Finished"))
        self.done_title.setProperty("role", "muted")
        inside = QWidget()
        inside.setMaximumWidth(MOST_WIDTH)
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(space.xl, space.s, space.xl, space.xl)
        self._column.setSpacing(space.s)
        self._column.addWidget(self.done_title)
        self._column.addStretch(1)
        page = QWidget()
        across = QHBoxLayout(page)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(inside, 1)
        across.addStretch(0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(page)
        self.area.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)  # the page's ground shows
        self.empty = StatePanel()
        self.empty.show_words(
            "download",
            self.tr("Nothing is being downloaded"),
            self.tr(
                "A model that you download is shown here until it is installed. It goes on after "
                "a restart, and nothing that has come is fetched twice."
            ),
            self.tr("Find a model…"),
        )
        self.empty.other_chosen.connect(self.find_requested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(bars_holder)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.empty, 1)

    def _add_row(self, view: DownloadView) -> DownloadRow:
        row = DownloadRow(view)
        desk = self._desk
        row.pause_requested.connect(desk.pause)
        row.resume_requested.connect(desk.resume)
        row.cancel_requested.connect(self._on_cancel)
        row.clear_requested.connect(desk.clear)
        row.move_requested.connect(desk.move)
        row.load_requested.connect(self._on_load)
        row.help_requested.connect(self._on_help)
        self._rows[view.key] = row
        return row

    # --- what changes ------------------------------------------------------------------

    def _list(self) -> None:
        """Others than before, or in another order."""
        views = self._desk.views()
        keys = {view.key for view in views}
        focused = self._focused_key()
        for key in [key for key in self._rows if key not in keys]:
            row = self._rows.pop(key)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        place = 0
        for view in views:
            row = self._rows.get(view.key) or self._add_row(view)
            row.show_view(view)
            if not view.is_unfinished and view is self._first_done():
                self._put(self.done_title, place)
                place += 1
            self._put(row, place)
            place += 1
        self._update()
        if focused and focused not in keys:
            self._focus_near()

    def _put(self, widget: QWidget, place: int) -> None:
        if self._column.indexOf(widget) != place:
            self._column.insertWidget(place, widget)

    def _first_done(self) -> DownloadView | None:
        return next((view for view in self._desk.views() if not view.is_unfinished), None)

    def _on_changed(self, view: DownloadView) -> None:
        row = self._rows.get(view.key)
        if row is not None:
            row.show_view(view)
        self._update()

    def _update(self) -> None:
        views, total = self._desk.views(), self._desk.total()
        unfinished = [view.key for view in views if view.is_unfinished]
        for number, key in enumerate(unfinished):
            row = self._rows.get(key)
            if row is not None:
                row.place(is_first=number == 0, is_last=number == len(unfinished) - 1)
        for view in views:
            if not view.is_unfinished and view.key in self._rows:
                self._rows[view.key].place(is_first=True, is_last=True)
        self.total.setText(unbroken(words.total_text(total)))
        self.pause_all.setVisible(total.is_active)
        self.resume_all.setVisible(total.paused > 0)
        self.clear.setVisible(total.done > 0)
        self.done_title.setVisible(total.done > 0)
        self.head.setVisible(bool(views))
        self.area.setVisible(bool(views))
        self.empty.setVisible(not views)
        self._show_offline()
        self._run_clock()

    def _show_offline(self) -> None:
        wanted = ""
        if self._desk.is_offline and self._desk.total().is_active:
            wanted = self.tr("You are offline by choice: what is wanted waits until you go online.")
        if wanted != self.offline.notice.text:
            self.offline.show_notice(Notice(NoticeLevel.HINT, wanted) if wanted else NO_NOTICE)
            if wanted:
                self.offline.add_button(self.tr("Go online"), self.online_requested.emit)

    def _on_failed(self, view: DownloadView) -> None:
        announce(self, words.spoken_text(view))

    # --- what the user wants -----------------------------------------------------------

    def _on_cancel(self, key: str) -> None:
        view = self._desk.view(key)
        if view is None:
            return
        if not view.done:
            self._desk.cancel(key)
            return
        from desktop.views.engine.questions import ask

        ask(
            self.window(),
            self.tr("Give the download up"),
            self.tr("Give up the download of {model}?").format(model=words.title_text(view)),
            self.tr(
                "{size} have come and will be removed. To go on another time, pause it instead."
            ).format(size=size_text(view.done)),
            [(self.tr("Give it up"), lambda: self._desk.cancel(key))],
        )

    def _on_load(self, key: str) -> None:
        view = self._desk.view(key)
        if view is not None and view.state is DownloadState.DONE:
            self.load_requested.emit(view.folder)

    def _on_help(self, key: str) -> None:
        view = self._desk.view(key)
        if view is None:
            return
        if view.is_waiting:
            self._desk.try_now(key)
        elif view.code == "sign_in":
            self.sign_in_requested.emit(view.url)
        else:
            self.link_requested.emit(view.url)

    def _focused_key(self) -> str:
        focus: QWidget | None = self.window().focusWidget()
        if focus is None:
            return ""
        return next((key for key, row in self._rows.items() if row.isAncestorOf(focus)), "")

    def _focus_near(self) -> None:
        """What had the focus is gone: it goes to the first row, or to what is left."""
        row = next(iter(self._rows.values()), None)
        target: QWidget = next(iter(self.empty.buttons()), self)
        if row is not None:
            target = row.load if row.view.state is DownloadState.DONE else row.toggle
        target.setFocus(Qt.FocusReason.OtherFocusReason)
