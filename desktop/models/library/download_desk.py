"""All downloads: two at once, the others in their order, until each is there or given up.

What the user wants is kept on the disk (`wish_list`), and each download is a process of its own
that keeps what it has fetched. So whatever ends, the window, a download or the machine: the next
start goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop.chats.names import name_from
from desktop.models.library import wish_list
from desktop.models.library.download_run import DownloadRun
from desktop.models.library.download_view import (
    DownloadState,
    DownloadTotal,
    DownloadView,
    key_of,
    total_of,
)
from desktop.models.library.leftovers import Leftovers, paused_view
from desktop.network import network_of
from engine.store.download.messages import Job
from engine.store.hub.network import endpoint_of
from engine.store.hub.records import Listing

if TYPE_CHECKING:
    from desktop.paths import Folders
    from desktop.settings import Settings
    from engine.store.download.partials import Partial

MODULE: Final = "engine.store.download"
AT_ONCE: Final = 2


class DownloadDesk(QObject):
    """See the module. `restore` reads what an earlier start left and goes on with it.

    Args:
        read_settings: the settings as they are now; after a change call `apply_settings`.
        command: starts a download's process; for tests.

    Signals:
        changed: the `DownloadView` of one that changed.
        listed: there are others than before, or in another order.
        finished: folder of a model that is there from now on.
        failed: the `DownloadView` of one that was given up for now.
        noticed: a text for the user.
    """

    changed = Signal(object)
    listed = Signal()
    finished = Signal(str)
    failed = Signal(object)
    noticed = Signal(str)

    def __init__(
        self,
        folders: Folders,
        read_settings: Callable[[], Settings],
        parent: QObject | None = None,
        *,
        command: tuple[str, ...] = (sys.executable, "-m", MODULE),
    ) -> None:
        super().__init__(parent)
        self._file = folders.state / wish_list.FILE
        self._models = folders.models
        self._read_settings = read_settings
        self._command = command
        self._leftovers = Leftovers(folders.models, self)
        self._leftovers.discarded.connect(self._on_discarded)
        self._views: dict[str, DownloadView] = {}  # in their order
        self._runs: dict[str, DownloadRun] = {}
        self._listings: dict[str, Listing] = {}
        self._verified: set[str] = set()  # paused in this very run of ours: read once is enough
        self._held: set[str] = set()  # being paused, to wait for their turn again
        self._is_closed = False
        self._warned = False

    # --- what there is -----------------------------------------------------------------

    @property
    def is_offline(self) -> bool:
        """Whether the user wants nothing to be fetched now: what is wanted waits."""
        return self._read_settings().offline

    @property
    def endpoint(self) -> str:
        """Address of the hub that is asked, without a slash at its end."""
        return endpoint_of(self._environment())

    def views(self) -> tuple[DownloadView, ...]:
        """All downloads: those that are unfinished in their order, then the latest that is done."""
        there = tuple(self._views.values())
        done = (view for view in reversed(there) if not view.is_unfinished)
        return (*(view for view in there if view.is_unfinished), *done)

    def view(self, key: str) -> DownloadView | None:
        """One of them; None: there is no such."""
        return self._views.get(key)

    def view_of(self, repo: str, variant: str = "") -> DownloadView | None:
        """The download of this model; None: there is none."""
        return self._views.get(key_of(repo, variant))

    def total(self) -> DownloadTotal:
        """All of them together."""
        return total_of(self.views())

    # --- what the user wants -----------------------------------------------------------

    def restore(self) -> None:
        """Take up what an earlier start left, and what others left unfinished in the store."""
        views, warning = wish_list.read(self._file)
        for view in views:
            self._views.setdefault(view.key, view)
        if warning:
            self.noticed.emit(warning)
        self.listed.emit()
        self._leftovers.look(self._add_partials)
        self._fill()

    def start(
        self,
        repo: str,
        revision: str = "main",
        variant: str = "",
        listing: Listing | None = None,
    ) -> str:
        """Download a model, after those that wait; one that is under way already stays so.

        Args:
            listing: what the user saw when asking.

        Returns:
            Its key.
        """
        key = key_of(repo, variant)
        view = self._views.get(key)
        if view is not None and view.state in (DownloadState.RUNNING, DownloadState.QUEUED):
            return key
        if listing is not None:
            self._listings[key] = listing
        if view is None or view.state is DownloadState.DONE or view.revision != revision:
            self._views.pop(key, None)
            view = DownloadView(key, repo, revision, variant)
        self._views[key] = replace(view, state=DownloadState.QUEUED)
        self._after_change(key, is_new=True)
        return key

    def pause(self, key: str) -> None:
        """Stop fetching, and keep what has come."""
        run = self._runs.get(key)
        if run is not None:
            self._held.discard(key)
            run.pause()
        elif self._state(key) is DownloadState.QUEUED:
            self._set_state(key, DownloadState.PAUSED)

    def resume(self, key: str) -> None:
        """Go on with a paused one, or try a failed one again."""
        if key in self._runs and self._runs[key].is_pausing:
            self._held.add(key)
        elif self._state(key) in (DownloadState.PAUSED, DownloadState.FAILED):
            self._set_state(key, DownloadState.QUEUED)

    retry = resume

    def try_now(self, key: str) -> None:
        """Have one that waits for the hub, the network or the disk try again at once."""
        run = self._runs.get(key)
        if run is not None:
            run.try_now()

    def pause_all(self) -> None:
        """Pause all that run or wait for their turn."""
        for key in reversed(tuple(self._views)):  # those that wait first: none takes the place
            self.pause(key)

    def resume_all(self) -> None:
        """Go on with all that are paused."""
        for key, view in tuple(self._views.items()):
            if view.state is DownloadState.PAUSED:
                self.resume(key)

    def cancel(self, key: str) -> None:
        """Give a download up, and remove what has come of it."""
        view = self._views.pop(key, None)
        if view is None:
            return
        self._listings.pop(key, None)
        self._end_run(key)
        if view.state is not DownloadState.DONE:
            self._leftovers.discard(view)
        self._after_change()

    def clear(self, key: str) -> None:
        """Leave a finished one out of the list; its model stays."""
        if self._state(key) is DownloadState.DONE:
            del self._views[key]
            self._after_change()

    def clear_finished(self) -> None:
        """Leave all finished ones out of the list."""
        for key, view in tuple(self._views.items()):
            if view.state is DownloadState.DONE:
                del self._views[key]
        self._after_change()

    def move(self, key: str, by: int) -> None:
        """Have it come sooner (`by` negative) or later among those that are unfinished."""
        keys = [one for one, view in self._views.items() if view.is_unfinished]
        if key not in keys:
            return
        place = keys.index(key)
        target = max(0, min(len(keys) - 1, place + by))
        if target == place:
            return
        keys.insert(target, keys.pop(place))
        done = [one for one, view in self._views.items() if not view.is_unfinished]
        self._views = {one: self._views[one] for one in (*keys, *done)}
        self._after_change()

    def apply_settings(self) -> None:
        """The settings have changed: the limit, the hub, the way there, or whether it is asked.

        What runs by a way that is not wanted any more, by a dead proxy say, goes on by the new
        one.
        """
        self._share_limit()
        environment = self._environment()
        for key, run in self._runs.items():
            if not run.is_pausing and (self.is_offline or run.environment != environment):
                self._held.add(key)
                run.pause()
        self._fill()

    def close(self) -> None:
        """The window goes away. What is wanted is kept, and what was fetched."""
        if self._is_closed:
            return
        for key, run in self._runs.items():
            if run.is_pausing and key not in self._held:  # its process has not ended yet
                self._views[key] = replace(self._views[key], state=DownloadState.PAUSED)
        self._save()
        self._is_closed = True
        for run in self._runs.values():
            run.kill()
        self._runs.clear()

    # --- the queue ---------------------------------------------------------------------

    def _fill(self) -> None:
        """Begin as many as may run at once."""
        if self._is_closed or self.is_offline:
            return
        for key, view in tuple(self._views.items()):
            if len(self._runs) >= AT_ONCE:
                break
            if (
                view.state is DownloadState.QUEUED
                and key not in self._runs
                and not self._leftovers.is_discarding(key)
            ):
                self._run(view)
        self._share_limit()

    def _run(self, view: DownloadView) -> None:
        key = view.key
        job = Job(
            repo=view.repo,
            store=str(self._models),
            revision=view.revision,
            variant=view.variant,
            expected=self._listings.get(key),
            limit=self._share(len(self._runs) + 1),
            verify_existing=key not in self._verified,
        )
        self._verified.discard(key)
        run = DownloadRun(view, job, self._command, self._environment(), self)
        run.changed.connect(self._on_changed)
        # No lambda: it would keep us, and if it were the last to do so, the end of the run would
        # be ours in the middle of its own, which ends the program.
        run.ended.connect(self._on_ended)
        self._runs[key] = run
        self._on_changed(run.view)
        run.start()

    def _environment(self) -> Mapping[str, str]:
        return network_of(self._read_settings()).environment()

    def _share_limit(self) -> None:
        limit = self._share(len(self._runs))
        for run in self._runs.values():
            run.set_limit(limit)

    def _share(self, among: int) -> int:
        """Bytes per second for each of them; 0: no limit."""
        limit = self._read_settings().download_limit
        return max(1, limit // max(1, among)) if limit else 0

    def _end_run(self, key: str) -> None:
        run = self._runs.pop(key, None)
        self._held.discard(key)
        if run is not None:
            run.kill()
            run.deleteLater()

    def _on_changed(self, view: DownloadView) -> None:
        self._views[view.key] = view
        self.changed.emit(view)

    def _on_ended(self, key: str) -> None:
        run = self._runs.pop(key)
        view = run.view
        run.deleteLater()
        if view.state is DownloadState.PAUSED:
            if run.ended_well:
                self._verified.add(key)
            if key in self._held:
                view = replace(view, state=DownloadState.QUEUED)
        self._held.discard(key)
        if view.state is DownloadState.DONE:
            self._listings.pop(key, None)
            self._views.pop(key)  # it is the latest from now on
        self._views[key] = view
        self._after_change(key, is_new=view.state is DownloadState.DONE)
        if view.state is DownloadState.DONE:
            self.finished.emit(view.folder)
        elif view.state is DownloadState.FAILED:
            self.failed.emit(view)

    def _state(self, key: str) -> DownloadState | None:
        view = self._views.get(key)
        return view.state if view is not None else None

    def _set_state(self, key: str, state: DownloadState) -> None:
        self._views[key] = replace(self._views[key], state=state)
        self._after_change(key)

    def _after_change(self, key: str = "", *, is_new: bool = False) -> None:
        """Keep it, tell of it, and let others have their turn."""
        self._save()
        if is_new or not key:
            self.listed.emit()
        else:
            self.changed.emit(self._views[key])
        self._fill()

    def _save(self) -> None:
        if self._is_closed:
            return
        warning = wish_list.write(self._file, tuple(self._views.values()))
        if warning and not self._warned:
            self.noticed.emit(warning)
        self._warned = bool(warning)

    def _add_partials(self, found: Sequence[Partial]) -> None:
        """Downloads of others, of the terminal say: the user may go on with them here."""
        fresh = [view for view in map(paused_view, found) if view.key not in self._views]
        self._views.update((view.key, view) for view in fresh)
        if fresh:
            self._after_change()

    def _on_discarded(self, key: str, trouble: str) -> None:
        self._verified.discard(key)
        if trouble:
            self.noticed.emit(
                self.tr("What has come of {model} could not be removed: {reason}").format(
                    model=name_from(key), reason=trouble
                )
            )
        self._fill()
