"""One start, timed from inside: `bare` (an empty PySide6 window) or `app` (Inglenook).

Prints JSON lines with `time.monotonic()` readings, which all processes share.
"""

from __future__ import annotations

import json
import sys
import time

FORBIDDEN = ("torch", "vllm", "transformers")
# Each takes a tenth of a start or more: they come after the first paint.
LATE = (
    "sqlite3",
    "sqlite_utils",
    "markdown_it",
    "pygments",
    "mathra",
    "msgspec",
    "psutil",
    "PySide6.QtNetwork",
    "PySide6.QtDBus",
    "desktop.chats.store.chat_store",
    "desktop.hardware.sampler",
    "desktop.models.monitor",
    "desktop.monitor_wiring",
    "desktop.views.transcript.transcript_view",
    "engine.protocol",
)


def say(**values: object) -> None:
    """One JSON line, stamped."""
    print(json.dumps({"at": time.monotonic(), **values}), flush=True)


def bare() -> None:
    """The least a PySide6 program can do: a main window, painted once."""
    from PySide6.QtCore import QEvent, QObject, Qt, Signal
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    window.resize(1200, 800)

    class Filter(QObject):
        seen = Signal()

        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
            if event.type() == QEvent.Type.Paint:
                self.seen.emit()
            return False

    watcher = Filter()

    def painted() -> None:
        say(event="painted")
        app.quit()

    watcher.seen.connect(painted, Qt.ConnectionType.QueuedConnection)
    window.installEventFilter(watcher)
    window.show()
    app.exec()


def inglenook(engine: str, until: str) -> None:
    """The real program; ends after its first paint, or when its engine is ready."""
    from desktop.__main__ import prepare

    prepare()
    from desktop import app as program
    from desktop.engine_link.engine_state import EngineView, Phase

    class Timed(program.Inglenook):
        def begin(self) -> None:
            loaded = [name for name in FORBIDDEN if name in sys.modules]
            early = [name for name in LATE if name in sys.modules]
            say(event="painted", forbidden=loaded, early=early)
            if until == "painted":
                self.window.close()
                return
            self.client.view_changed.connect(self._watch)
            super().begin()

        def _watch(self, view: EngineView) -> None:
            if view.phase is Phase.READY and view.loaded is not None:
                loaded = [name for name in FORBIDDEN if name in sys.modules]
                stages = {item.stage.value: round(item.seconds, 2) for item in view.loaded.stages}
                say(event="ready", forbidden=loaded, stages=stages)
                self.window.close()
            elif view.phase is Phase.FAILED:
                say(event="failed", cause=view.failure.cause if view.failure else "")
                self.window.close()

    program.Inglenook = Timed  # type: ignore[misc]
    program.main(program.Options(engine=engine))


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        bare()
    else:
        inglenook(*sys.argv[2:4])
