"""Many questions at once: who waits, who is asked next, and how one is ended.

Each question has a thread. Searches and pages never wait for verdicts; verdicts have some places
of their own, which the latest request fills first: what the user looks at now. A question that is
cancelled is answered at once, and its place is free, however long its thread takes to find out.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from engine.failure_words import words
from engine.planner.learned import Learned
from engine.store.hub.call import Call
from engine.store.hub.errors import HubError
from engine.store.hub.memory import Memory
from engine.store.hub.messages import (
    Answer,
    AnyRequest,
    Builds,
    Cancel,
    Failed,
    Judge,
    Judged,
    Page,
    Search,
    SignIn,
    SignOut,
    Verdict,
    WhoAmI,
)

MOST_JUDGING: Final = 6
MOST_ASKING: Final = 12
MOST_WAITING: Final = 200
# After these the other verdicts of a request would come to the same.
_FOR_ALL: Final = frozenset({"offline", "unreachable", "proxy", "certificate", "too_many_requests"})

NO_REQUEST: Final = words("What was asked cannot be understood.")
_CANCELLED = words("It was cancelled.")
_IN_USE = words("The number of this question is that of another one.")
_BUSY = words("Too many questions wait for the hub.")
_FAULT = words("Something went wrong in this program ({reason}). The details are in its log.")

Tell = Callable[[Answer], None]


@dataclass(eq=False)
class _Job:
    request: AnyRequest
    calls: set[Call] = field(default_factory=set)
    waiting: deque[str] = field(default_factory=deque)  # of a Judge
    left: int = 1  # answers that are still to come
    learned: Learned = field(default_factory=Learned)
    is_over: bool = False


class Desk:
    """See the module. `tell` may be called by any thread, by one at a time."""

    def __init__(self, tell: Tell, memory: Memory) -> None:
        self._tell = tell
        self._memory = memory
        self._lock = threading.RLock()
        self._jobs: dict[int, _Job] = {}
        self._asked: deque[_Job] = deque()
        self._judges: list[_Job] = []  # the latest at the end
        self._asking = 0
        self._judging = 0

    def take(self, request: AnyRequest) -> None:
        """Begin with a request; it is answered in its time."""
        if isinstance(request, Cancel):
            self._cancel(request.id)
            return
        with self._lock:
            if request.id in self._jobs:
                self._tell(Failed(id=request.id, code="bad_request", text=_IN_USE))
                return
            if len(self._jobs) >= MOST_WAITING:
                self._tell(Failed(id=request.id, code="too_many_requests", text=_BUSY))
                return
            self._begin(request)

    def _begin(self, request: AnyRequest) -> None:
        job = _Job(request)
        if isinstance(request, Judge):
            job.waiting.extend(dict.fromkeys(request.repos))
            job.left = len(job.waiting)
            if not job.left:
                self._tell(Judged(id=request.id))
                return
            if request.learned_json:
                job.learned = Learned.from_json(request.learned_json)
            self._judges.append(job)
        else:
            self._asked.append(job)
        self._jobs[request.id] = job
        self._go_on()

    def _cancel(self, number: int) -> None:
        with self._lock:
            job = self._jobs.pop(number, None)
            if job is None:  # it has been answered meanwhile
                return
            self._end(job)
            self._tell(Failed(id=number, code="cancelled", text=_CANCELLED))
            self._go_on()
        for call in tuple(job.calls):
            call.cancel()

    def _end(self, job: _Job) -> None:
        """Nothing more is told of it; its places are free."""
        job.is_over = True
        if isinstance(job.request, Judge):
            self._judging -= len(job.calls)
            if job in self._judges:
                self._judges.remove(job)
        else:
            self._asking -= len(job.calls)
            if job in self._asked:
                self._asked.remove(job)

    def _go_on(self) -> None:
        """Fill the places that are free; with the lock."""
        while self._asked and self._asking < MOST_ASKING:
            job = self._asked.popleft()
            self._asking += 1
            self._start(job, lambda call, job=job: self._ask(job, call))  # type: ignore[misc]
        while self._judges and self._judging < MOST_JUDGING:
            job = self._judges[-1]
            repo = job.waiting.popleft()
            if not job.waiting:
                self._judges.pop()
            self._judging += 1
            self._start(job, lambda call, job=job, repo=repo: self._judge(job, repo, call))  # type: ignore[misc]

    def _start(self, job: _Job, work: Callable[[Call], None]) -> None:
        from engine.store.hub.shapes import shape_call

        call = Call() if isinstance(job.request, Search | Builds) else shape_call()
        job.calls.add(call)
        threading.Thread(target=self._run, args=(job, call, work), daemon=True).start()

    def _run(self, job: _Job, call: Call, work: Callable[[Call], None]) -> None:
        try:
            work(call)
        except HubError as error:
            self._answer(job, _failed(job.request.id, error))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            text = _FAULT.format(reason=type(error).__name__)
            self._answer(job, Failed(id=job.request.id, code="failed", text=text))
        with self._lock:
            job.calls.discard(call)
            if job.is_over:  # cancelled: its place was given away already
                return
            if isinstance(job.request, Judge):
                self._judging -= 1
            else:
                self._asking -= 1
            if not job.left:
                job.is_over = True
                self._jobs.pop(job.request.id, None)
                if isinstance(job.request, Judge):
                    self._tell(Judged(id=job.request.id))
            self._go_on()

    def _answer(self, job: _Job, answer: Answer) -> None:
        with self._lock:
            if not job.is_over:
                job.left -= 1
                self._tell(answer)

    def _ask(self, job: _Job, call: Call) -> None:
        answer = _answer_of(job.request, self._memory, call)
        self._answer(job, answer)

    def _judge(self, job: _Job, repo: str, call: Call) -> None:
        from engine.store.hub.judge import judge_one

        assert isinstance(job.request, Judge)
        try:
            found = judge_one(job.request, repo, job.learned, self._memory, call)
        except HubError as error:  # cancelled
            found = Verdict(id=job.request.id, repo=repo, code=error.code, text=error.text)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            text = _FAULT.format(reason=type(error).__name__)
            found = Verdict(id=job.request.id, repo=repo, code="failed", text=text)
        self._answer(job, found)
        if found.code in _FOR_ALL:
            self._give_up(job, found)

    def _give_up(self, job: _Job, found: Verdict) -> None:
        """The others that wait would fare alike."""
        with self._lock:
            if job in self._judges:
                self._judges.remove(job)
            while job.waiting and not job.is_over:
                repo = job.waiting.popleft()
                told = Verdict(id=found.id, repo=repo, code=found.code, text=found.text)
                self._answer(job, told)


def _answer_of(request: AnyRequest, memory: Memory, call: Call) -> Answer:
    from engine.store.hub import account, page, search

    match request:
        case Search():
            return search.search(request, memory, call)
        case Builds():
            return search.builds(request, memory, call)
        case Page():
            return page.page(request, memory, call)
        case SignIn():
            return account.sign_in(request.token, request.id, call)
        case SignOut():
            return account.sign_out(request.id)
        case WhoAmI():
            return account.who_am_i(request.id, call)
    raise TypeError(type(request).__name__)


def _failed(number: int, error: HubError) -> Failed:
    return Failed(
        id=number,
        code=error.code,
        text=error.text,
        url=error.url,
        retry_after=error.retry_after,
    )
