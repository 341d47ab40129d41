"""The monitor: what the GPUs, the KV cache and every chat in it do, live or from a recording.

Each reading is drawn part by part, one of them in a turn of the event loop, and only those parts
that are seen; hidden, it does nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QObject, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.monitor import panel_words as words
from desktop.models.monitor.alerts import Cause, Kind
from desktop.models.monitor.shown import READY, Shown
from desktop.models.monitor.tables import chats_table, histories_table, to_csv
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.views.monitor.alert_bits import AlertList
from desktop.views.monitor.export import picture_of
from desktop.views.monitor.hardware_view import HardwareView
from desktop.views.monitor.kv_map_view import KvMapView
from desktop.views.monitor.ledger_view import LedgerView
from desktop.views.monitor.monitor_head import MonitorHead
from desktop.views.monitor.pacer import Pacer
from desktop.views.monitor.replay_bar import ReplayBar
from desktop.views.monitor.section import INDENT, Section
from desktop.views.monitor.throughput_view import ThroughputView
from desktop.views.monitor.timeline_view import TimelineView
from desktop.views.tabs.notice_bar import NoticeBar

if TYPE_CHECKING:
    from desktop.models.monitor.feed import MonitorFeed
    from desktop.models.monitor.frames import EngineFrame, MonitorFrame

LEAST_WIDTH: Final = 300
WIDTH: Final = 420

_NO_HEIGHT: Final = 8  # pixels
_LAYOUTS: Final = 4  # inside each other

CARDS: Final = "cards"
MAP: Final = "map"
THROUGHPUT: Final = "throughput"
LEDGER: Final = "ledger"
TIMELINE: Final = "timeline"

_PLACES: Final = {
    Kind.LATENCY: THROUGHPUT,
    Kind.PREEMPTIONS: LEDGER,
    Kind.EVICTIONS: MAP,
}


class MonitorPanel(QWidget):
    """See the module.

    Args:
        feed: what is shown comes from it.
        folded: names of the sections that show their heads alone.

    Signals:
        chat_activated: a chat's id, to go to.
        stop_requested: ids of requests, as a tuple.
        seen_changed: whether it is on the screen.
        changed: something that is remembered: what is folded.
    """

    chat_activated = Signal(str)
    stop_requested = Signal(tuple)
    seen_changed = Signal(bool)
    changed = Signal()

    def __init__(
        self, feed: MonitorFeed, folded: Iterable[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._feed = feed
        self._history = feed.history
        self._shown = Shown()
        self._engine = 0  # the key of the one that is shown
        self._is_paused = False
        self._is_seen = False
        self._drawn: dict[str, object] = {}
        self._pacer = Pacer(self)
        self._top_level: QWidget | None = None
        self.setProperty("role", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Monitor"))
        self.setMinimumWidth(LEAST_WIDTH)
        self.head = MonitorHead()
        self.replay_bar = ReplayBar()
        self.notice = NoticeBar()
        self.alerts = AlertList()
        self.hardware = HardwareView()
        self.map = KvMapView()
        self.throughput = ThroughputView()
        self.ledger = LedgerView()
        self.timeline = TimelineView()
        self.sections = {
            name: Section(name, title, body)
            for name, title, body in (
                (CARDS, self.tr("GPUs"), self.hardware),
                (MAP, self.tr("KV cache"), self.map),
                (THROUGHPUT, self.tr("Throughput"), self.throughput),
                (LEDGER, self.tr("Chats"), self.ledger),
                (TIMELINE, self.tr("Load"), self.timeline),
            )
        }
        self._lay_out()
        for name in folded:
            if name in self.sections:
                self.sections[name].set_folded(True)
        self._connect()

    # --- what the program says -------------------------------------------------------------

    @property
    def is_seen(self) -> bool:
        """Whether it is on the screen: shown, and its window not minimised."""
        return self._is_seen

    @property
    def is_settled(self) -> bool:
        """Whether all that came is drawn."""
        return self._pacer.is_idle

    @property
    def engine(self) -> EngineFrame | None:
        """The engine that is shown."""
        return self._shown.engines.get(self._engine)

    @property
    def shown(self) -> Shown:
        """What is shown."""
        return self._shown

    def folded(self) -> tuple[str, ...]:
        """Names of the sections that are folded."""
        return tuple(name for name, section in self.sections.items() if section.is_folded)

    def warn(self, text: str) -> None:
        """Say something that belongs to the monitor; "": nothing any more."""
        self.notice.show_notice(Notice(NoticeLevel.WARNING, text) if text else NO_NOTICE)

    def show_cause(self, cause: Cause) -> None:
        """Bring what an alert is of into view."""
        if cause.engine is not None and cause.engine in self._shown.engines:
            self._choose(cause.engine)
        section = self.sections[_PLACES.get(cause.kind, CARDS)]
        section.set_folded(False)
        target = self.hardware.card_of(cause.gpu) if section.name == CARDS else section
        self._inside.layout().activate()  # type: ignore[union-attr]
        self._scroll.ensureWidgetVisible(section.head)
        self._scroll.ensureWidgetVisible(target, 0, theme.current().space.m)
        section.head.setFocus(Qt.FocusReason.OtherFocusReason)
        self._want_all()

    def set_paused(self, paused: bool) -> None:
        """Have what is shown stand still, while readings go on; or show the newest again."""
        if self._feed.replaying is not None and paused:
            return
        self.head.show_paused(paused=paused)

    @property
    def is_paused(self) -> bool:
        """Whether what is shown stands still."""
        return self._is_paused

    def picture(self) -> QImage:
        """All that it shows, folded parts as their heads, whatever is scrolled out of view."""
        self._draw_now()
        parts = [self.head, self.replay_bar, self._inside]
        return picture_of([part for part in parts if not part.isHidden()], self.caption())

    def histories_csv(self) -> bytes:
        """The histories that are shown."""
        models = {key: engine.model for key, engine in self._shown.engines.items()}
        clock = self._shown.clock - (self._shown.at - self._history.now)
        return to_csv(histories_table(self._history, models, clock))

    def chats_csv(self) -> bytes:
        """The ledger that is shown."""
        return to_csv(chats_table(self._shown.rows(self._engine)))

    def caption(self) -> str:
        """When it is of, and that it is a recording if it is one."""
        moment = datetime.fromtimestamp(self._shown.clock)
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)  # type: ignore[call-overload]
        replay = self._feed.replaying
        if replay is not None:
            return self.tr("Inglenook's monitor, {moment}, from the recording {name}").format(
                moment=when, name=replay.path.name
            )
        return self.tr("Inglenook's monitor, {moment}").format(moment=when)

    def open_recording(self, path: Path) -> str:
        """Show a recording; in words why that cannot be, else ""."""
        try:
            replay = self._feed.replay(path)
        except OSError as error:
            return self.tr("{path} cannot be read: {reason}").format(
                path=path, reason=error.strerror or error
            )
        except ValueError as error:
            return str(error)
        self.set_paused(False)
        self.warn("")
        self.replay_bar.show_replay(replay)
        self.head.show_replaying(replaying=True)
        return ""

    def show_live(self) -> None:
        """Leave the recording."""
        self.replay_bar.leave()
        self.head.show_replaying(replaying=False)
        self._feed.show_live()

    # --- Qt ----------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """As wide as its parts are best read."""
        return QSize(WIDTH, 600)

    def showEvent(self, event: QShowEvent) -> None:
        """It may be in another window now."""
        super().showEvent(event)
        top_level = self.window()
        if top_level is not self._top_level:
            if self._top_level is not None:
                self._top_level.removeEventFilter(self)
            self._top_level = top_level
            top_level.installEventFilter(self)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is drawn from now on."""
        super().hideEvent(event)
        self._look()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Its window may be minimised, or a part be seen that was not."""
        if event.type() is QEvent.Type.WindowStateChange and watched is self._top_level:
            self._look()
        return super().eventFilter(watched, event)

    # --- inside ------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        space = theme.current().space
        self._inside = QWidget()
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(space.m - INDENT, space.s, space.m, space.m)
        inside.setSpacing(space.m)
        # With what is scrolled: many alerts must not make the window higher than the screen.
        indented = QVBoxLayout()
        indented.setContentsMargins(INDENT, 0, 0, 0)
        indented.addWidget(self.alerts)
        inside.addLayout(indented)
        for section in self.sections.values():
            inside.addWidget(section)
        inside.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._inside)
        self._inside.setAutoFillBackground(False)
        bars = QWidget()
        column = QVBoxLayout(bars)
        column.setContentsMargins(space.m, 0, space.m, 0)
        column.setSpacing(space.xs)
        for bar in (self.replay_bar, self.notice):
            column.addWidget(bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(bars)
        layout.addWidget(self._scroll, 1)

    def _connect(self) -> None:
        feed = self._feed
        feed.frame.connect(self._on_frame)
        feed.restarted.connect(self._on_restarted)
        self.head.pause_toggled.connect(self._on_pause)
        self.head.engine_chosen.connect(self._choose)
        self.replay_bar.live_requested.connect(self.show_live)
        self.map.chat_activated.connect(self.chat_activated)
        self.ledger.chat_activated.connect(self.chat_activated)
        self.ledger.stop_requested.connect(self.stop_requested)
        self.ledger.row_hovered.connect(self.map.set_highlight)
        self._scroll.verticalScrollBar().valueChanged.connect(lambda _value: self._want_all())
        for section in self.sections.values():
            section.folded.connect(self._on_folded)
        theme.notifier().changed.connect(lambda _theme: self._draw_anew())

    def _look(self) -> None:
        """Whether it is seen; who begins to look is shown the newest."""
        top_level = self.window()
        seen = self.isVisible() and not top_level.isMinimized()
        if seen == self._is_seen:
            return
        self._is_seen = seen
        if seen:
            self.seen_changed.emit(True)
            self._on_frame(self._feed.whole())
        else:
            self._pacer.forget()
            self.seen_changed.emit(False)

    def _on_frame(self, frame: MonitorFrame) -> None:
        if self._is_seen:
            self._shown.take(frame)
            self._want_all()

    def forget(self, chat_id: str) -> None:
        """A chat was deleted: its name goes from all that is shown live."""
        self._shown.forget(chat_id)
        self._draw_anew()

    def _on_restarted(self) -> None:
        self._history.set_paused(False)
        self._history = self._feed.history
        self._shown.clear()
        self._draw_anew()

    def _on_pause(self, paused: bool) -> None:
        self._is_paused = paused
        self._history.set_paused(paused)
        if paused:
            self._pacer.forget()
        self._want_all()

    def _on_folded(self, _name: str, _folded: bool) -> None:
        self._want_all()
        self.changed.emit()

    def _choose(self, key: int) -> None:
        if key != self._engine:
            self._engine = key
            self._draw_anew()

    def _draw_anew(self) -> None:
        self._drawn.clear()
        self._want_all()

    def _want_all(self) -> None:
        """Have all that is seen drawn, part by part."""
        if not self._is_seen:
            return
        for key in self._shown.unread():
            self._pacer.want(f"pool {key}", partial(self._read_pool, key))
        if self._is_paused:
            return
        self._pacer.want("heads", self._show_heads)
        for name, job in self._jobs(_is_seen):
            self._pacer.want(name, job)

    def _jobs(
        self, wanted: Callable[[QWidget], bool]
    ) -> Iterator[tuple[str, Callable[[], object]]]:
        """What is to be drawn of the parts that are wanted, by name."""
        if wanted(self.hardware):
            yield from self.hardware.jobs(self._shown, self._history)
        for part, draw in (
            (self.map, self._show_map),
            (self.throughput, self._show_throughput),
            (self.ledger, self._show_ledger),
            (self.timeline, self._show_timeline),
        ):
            if wanted(part):
                yield type(part).__name__, draw

    def _draw_now(self) -> None:
        """Draw all that is not folded, seen or not."""
        if not self._is_paused:
            self._pacer.forget()
            for key in self._shown.unread():
                self._shown.read_pool(key)
            self._show_heads()
            for _name, job in self._jobs(lambda part: not part.isHidden()):
                job()
            for _depth in range(_LAYOUTS):  # what is drawn has another height
                QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _read_pool(self, key: int) -> None:
        if self._shown.read_pool(key) and key == self._engine:
            self._want_all()

    def _show_heads(self) -> None:
        """Which engines there are, what is not there, and the most important beside each title."""
        shown = self._shown
        if self._engine not in shown.engines and shown.engines:
            self._engine = next(iter(shown.engines))
        self.head.show_engines(
            [(key, words.engine_label(engine)) for key, engine in shown.engines.items()],
            self._engine,
        )
        engine, picture = self.engine, shown.picture(self._engine)
        sections = self.sections
        has_gpus = shown.hardware is None or bool(shown.hardware.gpus)
        sections[CARDS].set_title(self.tr("GPUs") if has_gpus else self.tr("Computer"))
        sections[CARDS].set_facts(words.hardware_facts(shown.hardware))
        sections[MAP].set_facts(words.pool_facts(picture))
        sections[THROUGHPUT].set_facts(words.speed_facts(engine))
        sections[LEDGER].set_facts(words.chats_facts(shown.rows(self._engine)))
        sections[TIMELINE].set_facts(words.load_facts(engine))
        why = words.no_pool_text(engine)
        sections[CARDS].set_empty(
            "" if shown.hardware is not None else self.tr("The hardware has not been read yet.")
        )
        sections[MAP].set_empty(
            why or ("" if picture is not None else self.tr("The engine has not told of it yet."))
        )
        sections[THROUGHPUT].set_empty(words.no_speed_text(engine))
        nothing = self.tr("No chat has anything in the KV cache yet.")
        is_between = engine is not None and engine.phase in ("idle", "loading", "sleeping")
        sections[LEDGER].set_empty(
            nothing if is_between else why or ("" if shown.rows(self._engine) else nothing)
        )
        sections[TIMELINE].set_empty(
            ""
            if engine is not None and (engine.load or engine.past)
            else self.tr("No model has been loaded yet.")
        )

    def _show_map(self) -> None:
        picture = self._shown.picture(self._engine)
        if self._is_new("map", picture):
            engine = self.engine
            if engine is not None and engine.loaded is not None:
                self.map.set_context(engine.loaded.context)
            self.map.set_picture(picture)

    def _show_ledger(self) -> None:
        rows = self._shown.rows(self._engine)
        if self._is_new("ledger", rows):
            self.ledger.set_rows(rows)

    def _show_throughput(self) -> None:
        engine = self.engine
        if engine is not None and engine.phase == READY:
            self.throughput.show_engine(engine, self._history, self._shown.hardware)

    def _show_timeline(self) -> None:
        engine = self.engine
        if engine is not None and self._is_new("timeline", (engine.load, engine.past)):
            self.timeline.show_load(engine)

    def _is_new(self, name: str, value: object) -> bool:
        if self._drawn.get(name) is value or self._drawn.get(name) == value:
            return False
        self._drawn[name] = value
        return True


def _is_seen(part: QWidget) -> bool:
    """On the screen, and not scrolled away; or it had nothing to show, and so has no height."""
    if not part.isVisible():
        return False
    return part.height() <= _NO_HEIGHT or not part.visibleRegion().isEmpty()
