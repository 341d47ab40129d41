"""The composition root: the only module that sees everything.

The order of a start: the window is painted first; the chats are opened and the engine
is started after that paint, side by side.
"""

from __future__ import annotations

import gc
import logging
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from desktop import handover, i18n, paths, theme
from desktop import session as session_file
from desktop import settings as settings_file
from desktop.background import Background
from desktop.collector import Collector
from desktop.crash_report import CrashReporter
from desktop.end_signals import EndSignals
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_pool import EnginePool
from desktop.engine_link.engine_process import EngineCommand
from desktop.models.session.session_hub import SessionHub
from desktop.preloading import Preloading
from desktop.session import Session
from desktop.settings import Settings
from desktop.version import VERSION
from desktop.views.window.main_window import MainWindow
from engine.store.folders import absolute, starter_folder

if TYPE_CHECKING:
    from desktop.chats.store.chat_store import ChatStore
    from desktop.engine_link.idle_watch import IdleWatch
    from desktop.library_wiring import Library
    from desktop.monitor_wiring import Monitor
    from desktop.single_instance import SingleInstance
    from desktop.views.window.notifier import Notifier

log = logging.getLogger(__name__)

EXIT_OK = 0
MINUTE = 60.0  # s
BACKUP_DELAY_MS = 20_000  # a start is busy enough without it


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for.

    Attributes:
        model: folder to load at the start; "": the settings decide.
        engine: "vllm" or "scripted".
        script: for the scripted engine.
    """

    model: str = ""
    engine: str = "vllm"
    script: str = ""


class FirstPaint(QObject):
    """Tells when a window was painted for the first time.

    Signals:
        painted: once, from the event loop, after the paint was flushed.
    """

    painted = Signal()
    _seen = Signal()

    def __init__(self, window: QObject) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)
        # Queued: the filter runs before the paint; what waits runs after it.
        self._seen.connect(self.painted, Qt.ConnectionType.QueuedConnection)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the paint event, let everything pass."""
        if event.type() == QEvent.Type.Paint and watched is self._window:
            watched.removeEventFilter(self)
            self._seen.emit()
        return False


class Inglenook(QObject):
    """Everything of one running window, put together and taken apart in order.

    Signals:
        painted: the window was painted for the first time.
    """

    painted = Signal()

    def __init__(
        self,
        app: QApplication,
        folders: paths.Folders,
        options: Options,
        settings: Settings,
        session: Session,
    ) -> None:
        super().__init__()
        self._app = app
        self._folders = folders
        self._options = options
        self._closed = False
        self._notifier: Notifier | None = None
        self.library: Library | None = None
        self.monitor: Monitor | None = None
        self._backup_timer = QTimer(self)
        self._backup_timer.setSingleShot(True)
        self._backup_timer.setInterval(BACKUP_DELAY_MS)
        self._backup_timer.timeout.connect(self.back_up)
        self.background = Background(self)
        self.client = EngineClient(
            EngineCommand(options.engine, options.script, folders.logs), self
        )
        self.pool = EnginePool(self.client, self._make_engine, self)
        self._idle: IdleWatch | None = None
        self.hub = SessionHub(self._make_store, self.pool, self.background, self)
        self._collector = Collector(lambda: self.hub.active_count > 0, self)
        self._preloading = Preloading(lambda: self.hub.active_count > 0, self)
        self.window = MainWindow(self.hub, self.client, settings, session, starter_folder())
        self.window.settings_changed.connect(self._on_settings_changed)
        self.window.session_changed.connect(self._on_session_changed)
        self.hub.store_opened.connect(self._backup_timer.start)
        self._first_paint = FirstPaint(self.window)
        self._first_paint.painted.connect(self.painted)
        self.painted.connect(self.begin)

    @property
    def store(self) -> ChatStore:
        """Where chats are kept."""
        return self.hub.store

    def _make_store(self) -> ChatStore:
        # SQLite is loaded for this, after the first paint.
        from desktop.chats.store.chat_store import ChatStore

        return ChatStore(self._folders.store)

    def _make_engine(self, number: int) -> EngineClient:
        """One more engine, beside the window's own, with a log of its own."""
        options = self._options
        return EngineClient(
            EngineCommand(
                options.engine,
                options.script,
                self._folders.logs,
                log_name=f"engine-{number}.log",
            ),
            self.pool,
        )

    def begin(self) -> None:
        """The window is there: start the engine, which takes longest, and open the chats."""
        self._collector.start()
        self._equip_desk()
        model = self._options.model
        if model:
            model = str(absolute(model))
        self.window.desk.begin(model or self.window.settings.model)
        theme.load_fonts()
        i18n.install_rest(self._app)
        self.hub.open_store()
        self._make_notifier()
        self._make_library()
        self._make_monitor()
        # The markdown parser takes 80 ms to import: the first answer must not wait for it.
        from desktop.chats.markdown import markdown_blocks

        threading.Thread(target=markdown_blocks.warm_up, name="warm-up", daemon=True).start()
        self._preloading.start()

    def back_up(self) -> None:
        """Copy the chats, once a day; only a failure is worth a word."""
        if not self._closed and self.hub.is_usable:
            self.background.watch(self.hub.store.back_up_daily(), None, self._on_no_backup)

    def close(self) -> None:
        """Write what is open, end the engine, close the chats. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self._backup_timer.stop()
        self._collector.stop()
        self._preloading.stop()
        if self.library is not None:
            self.library.close()
        if self.monitor is not None:
            self.monitor.close()
        self.hub.close()
        self.pool.shutdown()

    def _make_library(self) -> None:
        # After the first paint: it is asked only then, and builds its parts when it is.
        from desktop.library_wiring import Library

        self.library = Library(self.window, self.hub, self._folders, self)
        self.window.closed.connect(self.library.close)

    def _make_monitor(self) -> None:
        # After the first paint: it builds its parts when they are wanted.
        from desktop.monitor_wiring import Monitor

        book = self.window.desk.book
        self.monitor = Monitor(
            self.window,
            self.hub,
            self.window.session().monitor,
            self,
            usual=book.usual if book is not None else None,
        )
        self.window.closed.connect(self.monitor.close)

    def _equip_desk(self) -> None:
        # After the first paint: it has nothing to load.
        from desktop.engine_link.idle_watch import IdleWatch
        from desktop.models.loading.load_book import LoadBook

        window = self.window
        self._idle = IdleWatch(self.pool, self)
        self._idle.after = window.settings.idle_unload * MINUTE
        if not self.client.loads_any_folder:
            book = LoadBook(self._folders.state, self)
            book.warned.connect(window.warn)
            self.pool.view_changed.connect(lambda client: book.on_view(client.view))
            window.desk.book = book

    def _make_notifier(self) -> None:
        # After the first paint: nothing ends unseen before it.
        from desktop.views.window.notifier import Notifier

        window = self.window
        self._notifier = Notifier(window, window.area)
        self._notifier.enabled = window.settings.notify
        self._notifier.chat_wanted.connect(self._on_chat_wanted)
        self._notifier.unseen_changed.connect(window.chat_list.model.set_unseen)
        self.hub.answer_ended.connect(self._notifier.on_answer_ended)

    def _on_chat_wanted(self, chat_id: str) -> None:
        self.window.bring_to_front()
        self.window.tabs.show(chat_id)

    def _on_no_backup(self, error: Exception) -> None:
        self.window.warn(
            self.tr("Today's backup of your chats could not be made. {reason}").format(reason=error)
        )

    def _on_settings_changed(self, settings: Settings) -> None:
        if self._notifier is not None:
            self._notifier.enabled = settings.notify
        if self._idle is not None:
            self._idle.after = settings.idle_unload * MINUTE
        theme.apply(self._app, settings.theme, settings.font_size)
        warning = settings_file.save(self._folders.settings, settings)
        if warning:
            self.window.warn(warning)

    def _on_session_changed(self, session: Session) -> None:
        warning = session_file.save(self._folders.session, session)
        if warning:
            log.warning("%s", warning)


class Service(QObject):
    """What may wait for the first paint: the log, and the ear for other starts."""

    def __init__(
        self, folders: paths.Folders, inglenook: Inglenook, crashes: CrashReporter
    ) -> None:
        super().__init__(inglenook)
        self._folders = folders
        self._inglenook = inglenook
        self._crashes = crashes
        self._instance: SingleInstance | None = None

    def start(self) -> None:
        """Begin to log and to listen."""
        # Imported here, so that the network library does not delay the first paint.
        from desktop import logs
        from desktop.chat_handover import ChatHandover
        from desktop.single_instance import SingleInstance

        log_file = logs.set_up(self._folders.logs)
        if log_file is not None:
            self._crashes.keep_faults(log_file.with_name("faults.log"))
        instance = SingleInstance(self._folders.data, self)
        self._instance = instance
        instance.raise_requested.connect(self._inglenook.window.bring_to_front)
        ChatHandover(instance, self._inglenook.hub, self._inglenook)
        if not instance.listen() and handover.ask_to_raise(self._folders.data):
            # Two starts at the same moment: the other was faster.
            self._inglenook.window.close()

    def close(self) -> None:
        """Hang up on everyone."""
        if self._instance is not None:
            self._instance.close()


def main(options: Options) -> int:
    """Open the window and run until it is closed; the process's exit code."""
    gc.disable()  # see __main__; the collector turns it on again
    folders = paths.find()
    warnings = list(folders.prepare())
    # Before anything is loaded for a window: a second start only raises the first.
    if handover.ask_to_raise(folders.data):
        if options.model:
            print(
                "inglenook: The window is open already and keeps its model. Load another there: "
                "Models, Load a model folder.",
                file=sys.stderr,
            )
        return EXIT_OK
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Inglenook")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("inglenook")
    crashes = CrashReporter()
    crashes.install()
    settings, warning = settings_file.load(folders.settings)
    warnings.append(warning)
    session, warning = session_file.load(folders.session)
    warnings.append(warning)
    i18n.install(app, settings.language)
    theme.apply(app, settings.theme, settings.font_size)

    inglenook = Inglenook(app, folders, options, settings, session)
    window = inglenook.window
    crashes.show_with(window.show_crash)
    service = Service(folders, inglenook, crashes)
    inglenook.painted.connect(service.start)
    signals = EndSignals(lambda _number: window.close())
    text = "\n".join(warning for warning in warnings if warning)
    if text:
        window.warn(text)
    window.show()
    try:
        return int(app.exec())
    finally:
        service.close()
        inglenook.close()
        signals.close()
        crashes.uninstall()
