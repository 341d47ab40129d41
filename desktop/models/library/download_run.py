"""One download at work: its process, and what that tells of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import replace

import msgspec
from PySide6.QtCore import QObject, Signal

from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.models.line_process import LineProcess
from engine.store.download.messages import (
    Cancel,
    Done,
    Failed,
    Job,
    Limit,
    Phase,
    Progress,
    Resume,
    Started,
    Waiting,
    read_event,
    to_line,
)

log = logging.getLogger(__name__)

_FAULT = "broken"  # the code of what went wrong by a fault of ours


class DownloadRun(QObject):
    """See the module.

    Attributes:
        view: what is known of it.
        commit: what is fetched, once it is known; else "".
        is_pausing: whether it is about to end because it is to pause.
        ended_well: whether its process ended of itself, so that its journal is complete.

    Signals:
        changed: the new view.
        ended: it is over, for now or for good; its key. The view says how.
    """

    changed = Signal(object)
    ended = Signal(str)

    def __init__(
        self,
        view: DownloadView,
        job: Job,
        command: tuple[str, ...],
        environment: Mapping[str, str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.view = replace(
            view,
            state=DownloadState.RUNNING,
            phase="",
            code="",
            text="",
            url="",
            wait=0.0,
            speed=0.0,
            seconds_left=None,
        )
        self.commit = ""
        self.ended_well = False
        self.environment = environment
        self._job = job
        self._limit = job.limit
        self.is_pausing = False
        self._process = LineProcess(command, self, environment=environment)
        self._process.said.connect(self._on_line)
        self._process.ended.connect(self._on_ended)

    def start(self) -> None:
        """Begin."""
        self._process.start()
        self._process.tell(to_line(self._job))

    def set_limit(self, limit: int) -> None:
        """So many bytes per second at most; 0: no limit."""
        if limit != self._limit:
            self._limit = limit
            self._process.tell(to_line(Limit(limit)))

    def try_now(self) -> None:
        """What it waits for may be gone: try again."""
        self._process.tell(to_line(Resume()))

    def pause(self) -> None:
        """End the process; what it fetched stays. `ended` comes when it is gone."""
        if self.is_pausing:
            return
        self.is_pausing = True
        phase = Phase.PAUSED.value
        self._show(replace(self.view, phase=phase, speed=0.0, seconds_left=None, text="", wait=0.0))
        self._process.end(to_line(Cancel()))

    def kill(self) -> None:
        """End it now, and hear nothing of it any more."""
        self._process.kill()

    # --- inside ------------------------------------------------------------------------

    def _on_line(self, line: bytes) -> None:
        try:
            event = read_event(line)
        except msgspec.DecodeError:
            log.warning("a download told something that is none of its events")
            return
        view = self.view
        match event:
            case Started():
                self.commit = event.commit
                view = replace(view, total=event.total, done=event.have, files=event.files)
            case Progress() | Waiting() if self.is_pausing:
                return
            case Progress():
                view = replace(
                    view,
                    phase=event.phase.value,
                    done=event.done,
                    total=event.total or view.total,
                    speed=event.speed if event.phase is Phase.DOWNLOADING else 0.0,
                    seconds_left=event.seconds_left,
                    file=event.file,
                    files_done=event.files_done,
                    files=event.files,
                    code="",
                    text="",
                    wait=0.0,
                )
            case Waiting():
                view = replace(
                    view,
                    phase=Phase.WAITING.value,
                    code=event.code,
                    text=event.reason,
                    wait=event.seconds,
                    waits_until=time.monotonic() + event.seconds if event.seconds > 0 else 0.0,
                    speed=0.0,
                    seconds_left=None,
                )
            case Failed():
                view = replace(
                    view,
                    state=DownloadState.FAILED,
                    code=event.code,
                    text=event.text,
                    url=event.url,
                    can_retry=event.retry,
                )
            case Done():
                view = replace(
                    view,
                    state=DownloadState.DONE,
                    folder=event.folder,
                    done=view.total or view.done,
                    files_done=view.files,
                    ended=time.time(),
                )
        if view.state is DownloadState.RUNNING:
            self._show(view)
        else:
            self.view = view  # told when the process is gone

    def _on_ended(self, code: int) -> None:
        view = self.view
        self.ended_well = code >= 0
        if view.code == _FAULT:
            log.warning("the download of %s: %s", view.repo, self._process.last_words)
        if view.state is DownloadState.FAILED and self.is_pausing:
            view = replace(view, state=DownloadState.PAUSED, code="", text="", url="")
        elif view.state is DownloadState.RUNNING and self.is_pausing:
            view = replace(view, state=DownloadState.PAUSED)
        elif view.state is DownloadState.RUNNING:
            log.warning(
                "the download of %s ended with code %s: %s",
                view.repo,
                code,
                self._process.last_words[-1000:],
            )
            view = replace(view, state=DownloadState.FAILED, code="died", can_retry=True)
        self.view = replace(view, phase="", speed=0.0, seconds_left=None, wait=0.0, file="")
        self.ended.emit(self.view.key)

    def _show(self, view: DownloadView) -> None:
        if view != self.view:
            self.view = view
            self.changed.emit(view)
