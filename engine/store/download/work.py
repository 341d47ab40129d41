"""One download from beginning to end: what there is, fetching it, putting it in its place.

`run` is for this process; `python -m engine.store.download` is the same in one of its own.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.store import made_folder
from engine.store.download import names, saved, texts
from engine.store.download.answers import ChangedError
from engine.store.download.control import Control, in_thread
from engine.store.download.messages import (
    MOST_CONNECTIONS,
    Done,
    Event,
    Job,
    Phase,
    Waiting,
)
from engine.store.download.patience import Patience
from engine.store.download.reporter import Reporter
from engine.store.download.room import Room
from engine.store.download.store_folder import StoreFolder
from engine.store.download.task import FileTask
from engine.store.download.transfer import Transfer
from engine.store.download.web import Web
from engine.store.hub.asking import known_headers
from engine.store.hub.choice import choose
from engine.store.hub.connection import refuse_offline
from engine.store.hub.errors import HubError
from engine.store.hub.listing import fetch_listing
from engine.store.hub.network import endpoint_of
from engine.store.hub.plain_text import one_line
from engine.store.hub.records import Listing
from engine.store.library.records import LibraryError
from engine.store.library.store_lock import using
from engine.store.library.store_place import check_store
from engine.store.private_folder import make_private

Tell = Callable[[Event], None]
T = TypeVar("T")

MOST_CHANGES: Final = 5  # of the hub's files in mid-download
_LOOK: Final = 0.2  # s between looks at a lock that another process holds


def run(
    job: Job,
    tell: Tell,
    control: Control | None = None,
    *,
    patience: Patience | None = None,
) -> Path:
    """Fetch a model; the folder that it lies in, verified and whole.

    Args:
        tell: is given `Started`, `Progress`, `Waiting` and `Done`, on this thread.
        control: pauses, limits and cancels, from another thread.

    Raises:
        HubError: it came to nothing for now; what was fetched stays for the next time. Where
            nothing was, nothing stays.
    """
    control = control or Control()
    if job.limit and not control.limit:
        control.set_limit(job.limit)
    models = Path(job.store)
    target = names.target_of(models, job.repo, job.variant)
    refuse_offline()
    with _in_store(models, target) as folder:
        _take(folder, job, tell, control)
        work = _Work(job, tell, control, patience or Patience(), folder)
        try:
            return work.run()
        except HubError:
            if not work.has_any():
                folder.forget()
            raise


@contextlib.contextmanager
def _in_store(models: Path, target: Path) -> Iterator[StoreFolder]:
    folder = StoreFolder(target)
    with contextlib.ExitStack() as stack:
        try:
            check_store(models)  # what lies under the place of a disk is not to be written to
            with folder.errors():
                make_private(models)
                stack.enter_context(using(models))
            stack.enter_context(folder)
        except LibraryError as error:  # the store is being moved, or its disk is away
            raise HubError("store", str(error)) from error
        yield folder


def _take(folder: StoreFolder, job: Job, tell: Tell, control: Control) -> None:
    told = 0.0
    while not folder.take():
        if time.monotonic() - told > 1.0:
            told = time.monotonic()
            tell(Waiting(code="another_process", reason=texts.OTHER.format(repo=job.repo)))
        control.wait(_LOOK)


class _Work:
    """A download whose folders are held by this process."""

    def __init__(
        self, job: Job, tell: Tell, control: Control, patience: Patience, folder: StoreFolder
    ) -> None:
        self._job = job
        self._control = control
        self._patience = patience
        self._folder = folder
        self._report = Reporter(tell, control, patience)
        self._fetched = 0
        self._received = 0
        self._tasks: list[FileTask] = []

    def run(self) -> Path:
        """See `run`."""
        before = saved.read(self._folder)
        listing = self._job.expected
        if listing is None and before is not None and before.is_of(self._job):
            listing = before.listing
        if listing is None:
            listing = self._listing()
        confirmed: frozenset[str] = frozenset()
        trusted = not self._job.verify_existing
        for _ in range(MOST_CHANGES):
            try:
                tasks = self._fetch(listing, confirmed, trusted=trusted)
            except ChangedError as error:
                self._drop(error.task)
                confirmed |= {error.task.part.name}
                listing = self._listing(error)
            except HubError as error:
                if error.code != "not_found":
                    raise
                # A commit that an earlier try was of may be gone; its files are often not.
                gone, listing = listing.commit, self._listing()
                if listing.commit == gone:
                    raise
            else:
                return self._finish(listing, tasks)
            trusted = True  # this process has read it
        raise HubError("changed", texts.KEEPS_CHANGING.format(repo=self._job.repo))

    def has_any(self) -> bool:
        """Whether there is anything of the model, of this try or of an earlier one."""
        return any(task.have for task in self._tasks) or not self._folder.is_empty()

    # --- what there is ---

    def _listing(self, why: HubError | None = None) -> Listing:
        """Ask the hub."""
        self._report.phase(Phase.RESOLVING)
        if why is not None:
            self._report.wait(why, 0.0)

        def ask() -> Listing:
            return fetch_listing(self._job.repo, self._job.revision)

        return self._patiently(ask)

    def _patiently(self, ask: Callable[[], T]) -> T:
        """What the hub answers; it is asked again where that makes sense."""
        for attempt in range(1, self._patience.resolve_tries + 1):
            try:
                return in_thread(ask, self._control)
            except HubError as error:
                last = attempt == self._patience.resolve_tries
                asked = error.retry_after or 0.0
                if last or not error.is_passing or asked > self._patience.hub_wait:
                    raise
                wait = max(asked, self._patience.wait_after(attempt))
                self._report.wait(error, wait)
                self._control.wait(wait)
        raise AssertionError("the last try returns or raises")

    # --- fetching ---

    def _fetch(
        self, listing: Listing, confirmed: frozenset[str], *, trusted: bool
    ) -> list[FileTask]:
        """Fetch all files and verify them.

        Args:
            confirmed: files of which the hub has said once more what they are.
            trusted: what was verified before is not read again.
        """
        parts = self._parts(listing)
        web = Web(endpoint_of(), known_headers(), self._patience)
        saved.write(self._folder, self._job, listing, parts)
        self._folder.keep_only(frozenset(part.name for part in parts))
        tasks = self._tasks = []
        for part in parts:
            self._control.check()
            url = web.address(listing.repo, listing.commit, part.path)
            task = FileTask(part, url, self._folder)
            task.minds_etag = part.name not in confirmed
            if not task.have:
                self._reuse(task)
            if trusted:
                task.trust()
            tasks.append(task)
        room = Room(self._folder, self._patience.room)
        room.check(sum(task.missing for task in tasks))
        self._report.start(self._folder.target, listing.commit, tasks)
        connections = min(max(1, self._job.connections), MOST_CONNECTIONS)
        transfer = Transfer(
            tasks, listing.commit, web, self._folder, self._control, connections, room
        )
        try:
            transfer.run(lambda: self._report.look_at(transfer))
        finally:
            self._fetched += transfer.fetched
            self._received += transfer.received
        return tasks

    def _parts(self, listing: Listing) -> tuple[names.Part, ...]:
        names.check_commit(listing.commit, listing.repo)
        choice = choose(listing, self._job.variant)
        if choice.problem:
            raise HubError("not_a_model", choice.problem)
        parts = names.parts_of(choice.take, listing.repo)
        if not parts:
            raise HubError("no_weights", texts.NOTHING.format(repo=one_line(listing.repo, 80)))
        return parts

    def _reuse(self, task: FileTask) -> None:
        """Take a file of the model that is in place: it may be damaged, or of another commit."""
        part = task.part
        source = self._folder.target / part.name
        known = self._installed.get(part.name)
        if known is None or part.sha256 not in {"", known["sha256"]}:
            return
        if self._folder.take_from(source, part.name, part.size):
            task.adopt()

    @functools.cached_property
    def _installed(self) -> dict[str, Any]:
        """Files of the model that is in place, by its manifest."""
        try:
            files: dict[str, Any] = made_folder.manifest_of(self._folder.target)["files"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}
        return files

    def _drop(self, task: FileTask) -> None:
        with self._folder.errors():
            task.drop()

    # --- the end ---

    def _finish(self, listing: Listing, tasks: list[FileTask]) -> Path:
        self._report.phase(Phase.FINISHING)

        def sync() -> None:
            for task in tasks:
                self._control.check()
                with self._folder.errors():
                    task.sync()

        in_thread(sync, self._control)  # a slow disk holds nobody up who wants to end it
        files = {
            task.part.name: {"size": task.part.size, "sha256": task.map.sha256} for task in tasks
        }
        manifest = made_folder.manifest_text(self._origin(listing), files)
        self._folder.write(made_folder.MANIFEST, manifest.encode(), model=True)
        self._folder.put_in_place()
        total = sum(task.part.size for task in tasks)
        self._report.tell(
            Done(
                folder=str(self._folder.target),
                bytes_fetched=self._fetched,
                bytes_reused=max(0, total - self._received),
            )
        )
        return self._folder.target

    def _origin(self, listing: Listing) -> dict[str, Any]:
        return {
            "kind": "hub",
            "endpoint": endpoint_of(),
            "repo": listing.repo,
            "revision": listing.commit,
            "asked": self._job.revision,
            "variant": self._job.variant,
            "licence": listing.licence,
            "licence_url": listing.licence_url,
            "base_model": listing.base_model,
            "gated": listing.gated,
            "fetched_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
