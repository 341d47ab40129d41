"""The live monitor, put together: its feed, its panel and where that stands, its alerts.

Nothing of it is imported or built before the panel is opened for the first time, or, where alerts
are watched, before the start is over. Hidden, it has the engines tell nothing of their pools.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QStandardPaths, QTimer
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from desktop.session import MonitorPlace
from desktop.settings import Settings

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from desktop.hardware.sampler import HardwareSampler
    from desktop.models.monitor.alert_watch import AlertWatch
    from desktop.models.monitor.alerts import Alert, Cause
    from desktop.models.monitor.feed import MonitorFeed, RecordingState
    from desktop.models.monitor.frames import MonitorFrame
    from desktop.models.monitor.mutes import Mutes
    from desktop.models.monitor.shown import Shown
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.monitor.alert_bits import AlertBadge
    from desktop.views.monitor.compact_strip import CompactStrip
    from desktop.views.monitor.monitor_panel import MonitorPanel
    from desktop.views.monitor.monitor_window import MonitorWindow
    from desktop.views.window.main_window import MainWindow

OPEN_MS: Final = 400  # after the first paint, where it was open: the chats are painted first
SETTLE_MS: Final = 3_000  # until alerts are watched
_SHARED_ACTIONS: Final = (
    *("toggle_monitor", "monitor_window", "monitor_pause", "monitor_record", "monitor_open"),
    *("monitor_picture", "monitor_histories", "monitor_chats", "palette", "quit"),
)


class Monitor(QObject):
    """See the module. What the window asks of it is `MonitorDoor`.

    Args:
        place: where it was at the end of the last time.
        usual: the usual seconds of each stage of a load of a model.
        make_sampler: makes what reads the hardware, when it is first needed.
    """

    def __init__(
        self,
        window: MainWindow,
        hub: SessionHub,
        place: MonitorPlace,
        parent: QObject | None = None,
        *,
        usual: Callable[[str], dict[str, float]] | None = None,
        make_sampler: Callable[[], HardwareSampler] | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._hub = hub
        self._last = place
        self._usual = usual
        self._make_sampler = make_sampler or new_sampler
        self._is_open = place.is_open
        self._is_window = place.is_window
        self._is_closed = False
        self._feed: MonitorFeed | None = None
        self._watch: AlertWatch | None = None
        self._mutes: Mutes | None = None
        self._alerts: tuple[Alert, ...] = ()
        self._shown: Shown | None = None  # of the strip
        self._badge: AlertBadge | None = None
        self._record_badge: QPushButton | None = None
        self._own_window: MonitorWindow | None = None
        self.panel: MonitorPanel | None = None
        self.strip: CompactStrip | None = None
        self._unmute = _timer(self, self._show_alerts)
        self._open_later = _timer(self, self._arrange, OPEN_MS)
        self._begin_later = _timer(self, self._watch_alerts, SETTLE_MS)
        window.monitor = self
        window.settings_changed.connect(self._on_settings)
        window.installEventFilter(self)
        self._check_actions()
        if self._is_open:
            self._open_later.start()
        self._begin_later.start()

    # --- what the window asks (MonitorDoor) ------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether it is shown: beside the chats, in a window of its own, or as a strip."""
        return self._is_open

    @property
    def is_window(self) -> bool:
        """Whether it has a window of its own while it is shown."""
        return self._is_window

    def place(self) -> MonitorPlace:
        """Where it is shown and how, to be remembered."""
        own, panel = self._own_window, self.panel
        return MonitorPlace(
            is_open=self._is_open,
            is_window=self._is_window,
            width=self._window.body.monitor_width,
            geometry=own.geometry_text() if own is not None else self._last.geometry,
            folded=panel.folded() if panel is not None else self._last.folded,
        )

    def toggle(self) -> None:
        """Show it, or put it away."""
        self._set(is_open=not self._is_open)

    def toggle_window(self) -> None:
        """Give it a window of its own, or take it back."""
        self._set(is_open=True, is_window=not (self._is_open and self._is_window))

    def open(self) -> MonitorPanel:
        """Show it whole: in a window of its own, where the chats' one has no room for it."""
        fits = self._is_window or self._window.has_room_for_monitor()
        self._set(is_open=True, is_window=self._is_window or not fits)
        own = self._own_window
        if self._is_window and own is not None:
            own.raise_()
            own.activateWindow()
        assert self.panel is not None
        return self.panel

    def toggle_pause(self) -> None:
        """Have what is shown stand still, or go on."""
        panel = self.open()
        panel.set_paused(not panel.is_paused)
        self._check_actions()

    def toggle_recording(self) -> None:
        """Ask for a file and record, or end the recording."""
        feed = self.feed
        if feed.recording is not None:
            feed.stop_recording()
        else:
            self._ask(self.tr("Record the monitor"), "jsonl", self._recordings(), self.record)
        self._check_actions()

    def open_recording(self) -> None:
        """Ask for a recording and show it."""
        self._ask(
            self.tr("Open a recording"), "jsonl", self._recordings(), self.replay, existing=True
        )

    def export_picture(self) -> None:
        """Ask for a file and put a picture of the panel in it."""
        self._ask(
            self.tr("Export a picture"), "png", self.tr("Pictures (*.png)"), self.save_picture
        )

    def export_histories(self) -> None:
        """Ask for a file and put the histories in it, as a table."""
        self._ask(
            self.tr("Export the histories"), "csv", self.tr("Tables (*.csv)"), self.save_histories
        )

    def export_chats(self) -> None:
        """Ask for a file and put the ledger in it, as a table."""
        self._ask(self.tr("Export the chats"), "csv", self.tr("Tables (*.csv)"), self.save_chats)

    def fit(self) -> None:
        """The window has another size."""
        if self._is_open and not self._is_window and self.panel is not None:
            self._arrange()

    # --- what is done with files -------------------------------------------------------------

    def record(self, path: Path) -> None:
        """Keep all readings in a file from now on."""
        panel = self.open()
        panel.warn(self.feed.record(path))
        self._pace()
        self._check_actions()

    def replay(self, path: Path) -> None:
        """Show a recording."""
        panel = self.open()
        panel.warn(panel.open_recording(path))
        self._check_actions()

    def save_picture(self, path: Path) -> None:
        """Put a picture of the panel in a file."""
        from desktop.views.monitor.export import png

        self._save(path, lambda panel: png(panel.picture()))

    def save_histories(self, path: Path) -> None:
        """Put the histories in a file."""
        self._save(path, lambda panel: panel.histories_csv())

    def save_chats(self, path: Path) -> None:
        """Put the ledger in a file."""
        self._save(path, lambda panel: panel.chats_csv())

    def close(self) -> None:
        """The program ends."""
        if self._is_closed:
            return
        self._is_closed = True
        for timer in (self._unmute, self._open_later, self._begin_later):
            timer.stop()
        if self._feed is not None:
            self._feed.stop()
        if self._own_window is not None:
            self._own_window.hide()
            self._own_window.deleteLater()

    # --- its parts, each made when it is first needed ----------------------------------------

    @property
    def feed(self) -> MonitorFeed:
        """Where all frames come from."""
        if self._feed is None:
            from desktop.models.monitor.feed import MonitorFeed

            self._feed = MonitorFeed(
                self._hub.pool, self._hub, self._make_sampler, self, usual=self._usual
            )
            self._feed.recording_changed.connect(self._on_recording)
        return self._feed

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """Those that are heard."""
        return self._heard()

    @property
    def badge(self) -> AlertBadge | None:
        """In the status bar; none before the first alert."""
        return self._badge

    def _need_panel(self) -> MonitorPanel:
        if self.panel is None:
            from desktop.views.monitor.monitor_panel import MonitorPanel

            self._open_later.stop()
            panel = self.panel = MonitorPanel(self.feed, self._last.folded)
            panel.chat_activated.connect(self._show_chat)
            panel.stop_requested.connect(self._stop)
            self._hub.chat_deleted.connect(lambda chat_id, _title: panel.forget(chat_id))
            panel.seen_changed.connect(lambda _seen: self._pace())
            panel.changed.connect(self._window.remember)
            head = panel.head
            head.record_toggled.connect(lambda _wanted: self.toggle_recording())
            head.pause_toggled.connect(lambda _paused: self._check_actions())
            head.open_requested.connect(self.open_recording)
            head.picture_requested.connect(self.export_picture)
            head.histories_requested.connect(self.export_histories)
            head.chats_requested.connect(self.export_chats)
            head.settings_requested.connect(self._window.commands.show_alerts)
            head.window_toggled.connect(self.toggle_window)
            head.close_requested.connect(self._put_away)
            panel.alerts.cause_wanted.connect(panel.show_cause)
            panel.alerts.mute_wanted.connect(self._mute)
            panel.alerts.unmute_wanted.connect(self._hear_all)
            self._watch_alerts()
            self._show_alerts()
        return self.panel

    def _need_strip(self) -> CompactStrip:
        if self.strip is None:
            from PySide6.QtCore import Qt

            from desktop.models.monitor.shown import Shown
            from desktop.views.monitor.compact_strip import CompactStrip

            self._shown = Shown()
            strip = self.strip = CompactStrip()
            strip.window_requested.connect(self.toggle_window)
            strip.close_requested.connect(self._put_away)
            self._window.addToolBar(Qt.ToolBarArea.BottomToolBarArea, strip)
            self.feed.live.connect(self._on_live)
        return self.strip

    def _need_window(self) -> MonitorWindow:
        if self._own_window is None:
            from desktop.views.monitor.monitor_window import MonitorWindow

            own = self._own_window = MonitorWindow(self._shared_actions(), self._last.geometry)
            own.close_wanted.connect(self._put_away)
            own.moved.connect(self._window.remember)
        return self._own_window

    def _shared_actions(self) -> list[QAction]:
        return [self._window.actions_by_name[name] for name in _SHARED_ACTIONS]

    # --- where it stands ---------------------------------------------------------------------

    def _set(self, *, is_open: bool, is_window: bool | None = None) -> None:
        self._is_open = is_open
        if is_window is not None:
            self._is_window = is_window
        self._arrange()
        self._window.remember()

    def _put_away(self) -> None:
        self._set(is_open=False)

    def _arrange(self) -> None:
        """Put the panel where it belongs, or away."""
        if self._is_closed:
            return
        body, beside = self._window.body, False
        strip = False
        if self._is_open:
            panel = self._need_panel()
            if self._is_window:
                own = self._need_window()
                if panel.window() is not own:
                    own.take(panel)
                if not own.isVisible():
                    own.show()
            elif self._window.has_room_for_monitor():
                beside = True
                self._take_into_pane(panel)
            else:
                strip = True
            panel.head.show_detached(detached=self._is_window)
        had_focus = self._has_focus()
        body.show_monitor(beside, 0 if self.panel is None else self._last.width)
        self._last = self.place()
        if self._own_window is not None and not (self._is_open and self._is_window):
            self._own_window.hide()
        if strip or self.strip is not None:
            self._need_strip().setVisible(strip)
        if had_focus and not beside and not self._is_window:
            self._window.commands.focus_composer()
        self._pace()
        self._check_actions()

    def _take_into_pane(self, panel: MonitorPanel) -> None:
        pane = self._window.body.monitor_pane
        column = pane.layout()
        if column is None:
            column = QVBoxLayout(pane)
            column.setContentsMargins(0, 0, 0, 0)
        if panel.parentWidget() is not pane:
            column.addWidget(panel)
            panel.show()

    def _has_focus(self) -> bool:
        focus = self._window.focusWidget()
        return focus is not None and self.panel is not None and self.panel.isAncestorOf(focus)

    def _check_actions(self) -> None:
        actions, panel = self._window.actions_by_name, self.panel
        for name, checked in (
            ("toggle_monitor", self._is_open),
            ("monitor_window", self._is_open and self._is_window),
            ("monitor_pause", panel is not None and panel.is_paused),
            ("monitor_record", self._feed is not None and self._feed.recording is not None),
        ):
            actions[name].setChecked(checked)

    # --- how closely is looked ---------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A minimised window's strip is not seen."""
        if event.type() is QEvent.Type.WindowStateChange and self._feed is not None:
            self._pace()
        return super().eventFilter(watched, event)

    def _pace(self) -> None:
        if self._is_closed or self._feed is None:
            return
        strip = self.strip is not None and self.strip.isVisible()
        is_seen = (self.panel is not None and self.panel.is_seen) or (
            strip and not self._window.isMinimized()
        )
        if is_seen or self._feed.recording is not None:
            self._feed.set_rate("panel")
        elif self._window.settings.watch_alerts and self._watch is not None:
            self._feed.set_rate("alerts")
        else:
            self._feed.set_rate("off")
        self._show_record_badge()

    def _on_live(self, frame: MonitorFrame) -> None:
        if self.strip is not None and self._shown is not None and self.strip.isVisible():
            self._shown.take_readings(frame)
            self.strip.show_readings(self._shown)

    # --- alerts --------------------------------------------------------------------------------

    def _watch_alerts(self) -> None:
        """From now on; also while the monitor is closed, if that is wished."""
        if self._is_closed or self._watch is not None:
            return
        if self.panel is None and not self._window.settings.watch_alerts:
            return
        from desktop.models.monitor.alert_watch import AlertWatch
        from desktop.models.monitor.mutes import Mutes

        self._begin_later.stop()
        self._mutes = Mutes()
        self._watch = AlertWatch(self.feed, self._window.settings.alerts)
        self._watch.changed.connect(self._on_alerts)
        self._pace()

    def _on_alerts(self, alerts: tuple[Alert, ...]) -> None:
        self._alerts = alerts
        self._show_alerts()

    def _heard(self) -> tuple[Alert, ...]:
        return () if self._mutes is None else self._mutes.heard(self._alerts, time.monotonic())

    def _show_alerts(self) -> None:
        if self._is_closed or self._mutes is None:
            return
        heard, now = self._heard(), time.monotonic()
        if heard or self._badge is not None:
            self._need_badge().show_alerts(heard)
        if self.panel is not None:
            self.panel.alerts.show_alerts(heard, self._mutes.count(now))
        end = self._mutes.next_end(now)
        if end is not None:
            self._unmute.start(round(1000 * (end - now)) + 1)

    def _need_badge(self) -> AlertBadge:
        if self._badge is None:
            from desktop.views.monitor.alert_bits import AlertBadge

            self._badge = AlertBadge()
            self._badge.cause_wanted.connect(self.show_cause)
            self._window.status.addPermanentWidget(self._badge)
        return self._badge

    def show_cause(self, cause: Cause) -> None:
        """Show what an alert is of."""
        self.open().show_cause(cause)

    def _mute(self, cause: Cause, seconds: float) -> None:
        if self._mutes is not None:
            self._mutes.mute(cause.place, time.monotonic() + seconds)
            self._show_alerts()

    def _hear_all(self) -> None:
        if self._mutes is not None:
            self._mutes.unmute()
            self._show_alerts()

    # --- what the panel asks ---------------------------------------------------------------------

    def _show_chat(self, chat_id: str) -> None:
        if self._hub.title_of(chat_id):
            if self._is_window:
                self._window.bring_to_front()
            self._window.tabs.show(chat_id)
        elif self.panel is not None:
            self.panel.warn(self.tr("That chat is not there any more."))

    def _stop(self, requests: tuple[str, ...]) -> None:
        for client in self._hub.pool.clients():
            for request_id in requests:
                if request_id in client.asked:
                    client.cancel(request_id)

    def _on_recording(self, state: RecordingState) -> None:
        panel = self.panel
        if panel is not None:
            if state.is_running:
                panel.head.show_recording(state.seconds, state.bytes, state.path.name)
            else:
                panel.head.hide_recording()
            if state.problem:
                panel.warn(state.problem)
        elif state.problem:
            self._window.warn(state.problem)
        self._pace()
        self._check_actions()

    def _show_record_badge(self) -> None:
        """Nobody records without seeing it: where the panel is put away, the status bar says so."""
        state = self._feed.recording if self._feed is not None else None
        hidden = self.panel is None or not self.panel.is_seen
        if self._record_badge is None:
            if state is None or not hidden:
                return
            from desktop.views.monitor.alert_bits import record_badge

            badge = self._record_badge = record_badge()
            badge.clicked.connect(lambda _checked=False: self.open())
            self._window.status.addPermanentWidget(badge)
        if state is not None:
            self._record_badge.setToolTip(
                self.tr("The monitor is being recorded to {name}.").format(name=state.path.name)
            )
        self._record_badge.setVisible(state is not None and hidden)

    def _on_settings(self, settings: Settings) -> None:
        if self._watch is not None:
            self._watch.set_settings(settings.alerts)
        elif settings.watch_alerts and not self._begin_later.isActive():
            self._watch_alerts()
        self._pace()

    # --- files -----------------------------------------------------------------------------------

    def _recordings(self) -> str:
        return self.tr("Recordings (*.jsonl)")

    def _ask(
        self,
        title: str,
        ending: str,
        kind: str,
        then: Callable[[Path], object],
        *,
        existing: bool = False,
    ) -> None:
        from desktop.views.monitor.export import ask_file

        panel = self.open()
        where = QStandardPaths.StandardLocation.DocumentsLocation
        folder = Path(QStandardPaths.writableLocation(where) or Path.home())
        name = f"inglenook-monitor-{datetime.now():%Y%m%d-%H%M%S}.{ending}"
        ask_file(panel, title, str(folder / name), kind, then, existing=existing)

    def _save(self, path: Path, content: Callable[[MonitorPanel], bytes]) -> None:
        from desktop.views.monitor.export import write_file

        panel = self.open()
        panel.warn(write_file(path, content(panel)))


def new_sampler() -> HardwareSampler:
    """What reads the hardware, in a thread of its own."""
    from desktop.hardware.sampler import HardwareSampler

    return HardwareSampler()


def _timer(parent: QObject, slot: Callable[[], object], delay_ms: int = 0) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(delay_ms)
    timer.timeout.connect(slot)
    return timer
