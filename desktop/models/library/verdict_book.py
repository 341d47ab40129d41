"""What is known of how models stand to this machine: asked for what is seen, and kept.

Models of the starter list come with all that a plan needs: they are judged here, on a thread,
and without a network. For all others the hub's process reads the heads of their files.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.background import Background, in_thread
from desktop.models.library.hub_link import HubLink

if TYPE_CHECKING:
    from desktop.models.library.discover_context import DiscoverContext
    from engine.planner.learned import Learned
    from engine.planner.machine import Machine
    from engine.planner.model_shape import ModelShape
    from engine.store.hub.messages import Failed, Hit, Verdict

log = logging.getLogger(__name__)

GATHER_MS: Final = 120  # of rows that pass by while one scrolls, only those that stay
AT_ONCE: Final = 24  # models of one question: what is seen, and a little more
STALE_MS: Final = 60_000  # so old may the reading of the hardware be
# What a try later may answer: these verdicts are not kept.
_PASSING: Final = frozenset(
    {"offline", "unreachable", "timeout", "too_many_requests", "hub_broken", "proxy", "process"}
)


class VerdictBook(QObject):
    """See the module.

    Signals:
        judged: the repository that something is known of now, or nothing any more.
        machine_read: the hardware is known: a `Machine`.
        reset: nothing that was known holds: the hardware is another one.
    """

    judged = Signal(str)
    machine_read = Signal(object)
    reset = Signal()

    def __init__(
        self, link: HubLink, context: DiscoverContext, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._link = link
        self._context = context
        self._verdicts: dict[str, Verdict] = {}
        self._shapes: dict[str, Callable[[], ModelShape]] = {}
        self._wanted: list[str] = []
        self._asked: dict[str, None] = {}
        self._local: set[str] = set()  # judged on a thread now
        self._number = 0  # of the question under way
        self._machine: Machine | None = None
        self._is_reading = False
        self._learned: Learned | None = None
        self._background = Background(self)
        self._gather = QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.setInterval(GATHER_MS)
        self._gather.timeout.connect(self._ask)
        self._fresh = QTimer(self)
        self._fresh.setSingleShot(True)
        self._fresh.setInterval(STALE_MS)
        link.answered.connect(self._on_answer)
        link.failed.connect(self._on_failed)
        link.settings_changed.connect(self._on_settings)

    # --- what is known -------------------------------------------------------------------

    @property
    def machine(self) -> Machine | None:
        """The hardware as it was read last; None before."""
        return self._machine

    def verdict_of(self, hit: Hit) -> tuple[Verdict | None, bool]:
        """The verdict on a model, and whether it is on its way."""
        verdict = self._verdicts.get(hit.repo)
        is_asked = hit.repo in self._asked or hit.repo in self._local
        return verdict, is_asked or (verdict is None and hit.repo in self._wanted)

    def know_shape(self, repo: str, shape: Callable[[], ModelShape]) -> None:
        """A model's shape is known, or made on a thread: no need to ask the hub."""
        self._shapes[repo] = shape

    def read_machine(self, *, afresh: bool = False) -> None:
        """Read the hardware, unless that was done a moment ago."""
        if self._is_reading or (
            self._machine is not None and self._fresh.isActive() and not afresh
        ):
            return
        self._is_reading = True
        read_machine, learned = self._context.read_machine, self._context.learned()

        def read() -> tuple[Machine, Learned]:
            return read_machine(), learned

        self._background.watch(in_thread(read, "library-machine"), self._on_machine, self._on_none)

    def want(self, hits: Iterable[Hit]) -> None:
        """These are seen: judge those that are not, in this order; others need not be any more."""
        before = set(self._wanted)
        self._wanted = [hit.repo for hit in hits if hit.runnable and hit.repo not in self._verdicts]
        for repo in before.difference(self._wanted):
            self.judged.emit(repo)
        for repo in self._wanted:
            if repo not in before:
                self.judged.emit(repo)
        if self._wanted:
            self.read_machine()
            self._gather.start()

    # --- inside --------------------------------------------------------------------------

    def _on_machine(self, read: tuple[Machine, Learned]) -> None:
        self._is_reading = False
        self._fresh.start()
        machine, learned = read
        known = self._machine
        self._machine, self._learned = machine, learned
        self.machine_read.emit(machine)
        if known is not None and _differs(known, machine):
            self._forget()
            self.reset.emit()
        if self._wanted:
            self._ask()

    def _on_none(self, error: Exception) -> None:
        self._is_reading = False
        log.warning("the hardware could not be read for the library: %s", error)
        wanted, self._wanted = self._wanted, []
        for repo in wanted:
            self.judged.emit(repo)

    def _ask(self) -> None:
        machine, learned = self._machine, self._learned
        if machine is None or learned is None:
            return
        local = [repo for repo in self._wanted if repo in self._shapes]
        for repo in local:
            if repo not in self._local:
                self._judge_here(repo, machine, learned)
        others = [repo for repo in self._wanted if repo not in self._shapes][:AT_ONCE]
        pending = [repo for repo in others if repo not in self._asked]
        if not pending or self._link.is_offline:
            if self._link.is_offline:
                self._give_up(others)
            return
        from engine.store.hub.messages import Judge

        if self._number:
            self._link.cancel(self._number)
        gone = set(self._asked).difference(others)
        self._asked = dict.fromkeys(others)
        for repo in gone:
            self.judged.emit(repo)
        self._number = self._link.ask(
            Judge(id=0, repos=tuple(others), machine=machine, learned_json=learned.to_json())
        )

    def _judge_here(self, repo: str, machine: Machine, learned: Learned) -> None:
        from engine.store.hub.verdicts import verdict

        shape_of = self._shapes[repo]
        self._local.add(repo)

        def done(known: Verdict) -> None:
            self._local.discard(repo)
            self._note(known)

        def failed(error: Exception) -> None:
            log.warning("%s could not be judged: %s", repo, error)
            self._local.discard(repo)
            self._shapes.pop(repo, None)
            self._give_up([repo])

        self._background.watch(
            in_thread(lambda: verdict(0, repo, shape_of(), machine, learned), "library-verdict"),
            done,
            failed,
        )

    def _note(self, verdict: Verdict) -> None:
        repo = verdict.repo
        self._verdicts[repo] = verdict
        self._asked.pop(repo, None)
        if repo in self._wanted:
            self._wanted.remove(repo)
        self.judged.emit(repo)

    def _on_answer(self, answer: object) -> None:
        from engine.store.hub.messages import Judged, Verdict

        if isinstance(answer, Verdict) and answer.id == self._number:
            if answer.code in _PASSING:
                self._give_up([answer.repo])
            else:
                self._note(answer)
        elif isinstance(answer, Judged) and answer.id == self._number:
            self._number = 0
            self._give_up(list(self._asked))
            if self._wanted:
                self._gather.start()

    def _on_failed(self, failed: Failed) -> None:
        if failed.id == self._number:
            self._number = 0
            self._give_up(list(self._asked))

    def _give_up(self, repos: Iterable[str]) -> None:
        """Nothing is known of them, and nothing comes for now."""
        for repo in repos:
            self._asked.pop(repo, None)
            if repo in self._wanted:
                self._wanted.remove(repo)
            self.judged.emit(repo)

    def _on_settings(self) -> None:
        """The question under way died with the process."""
        self._number = 0
        self._give_up([*self._asked, *self._wanted])

    def _forget(self) -> None:
        if self._number:
            self._link.cancel(self._number)
            self._number = 0
        self._verdicts.clear()
        self._asked.clear()


def _differs(one: Machine, other: Machine) -> bool:
    """Whether what fits may be another now; a few megabytes more or less are not asked about."""
    if [gpu.name for gpu in one.gpus] != [gpu.name for gpu in other.gpus]:
        return True
    before = [gpu.used_by_others for gpu in one.gpus] or [one.host.ram_available]
    after = [gpu.used_by_others for gpu in other.gpus] or [other.host.ram_available]
    return any(abs(a - b) > 1 << 30 for a, b in zip(before, after, strict=True))
