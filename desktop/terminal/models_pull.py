"""`models pull`: fetches a model, shows how far it is, and can be stopped and gone on with."""

from __future__ import annotations

import argparse
import queue
import shlex
import sys
import threading
from typing import Any, Final

import msgspec

from desktop.program_name import command
from desktop.terminal import installed, models_hub
from desktop.terminal.live_line import TICK, LiveLine, duration
from desktop.terminal.models_outcome import ExitCode, ModelsError, of_hub
from desktop.terminal.models_words import Page, bytes_text, name, print_json
from desktop.terminal.questions import agreed, can_ask
from engine.planner.machine import Machine
from engine.store.download.messages import Done, Event, Job, Phase, Progress, Started, Waiting
from engine.store.folders import models_folder
from engine.store.hub.errors import HubError
from engine.store.hub.messages import ModelPage
from engine.store.hub.records import Listing
from engine.store.library.records import InstalledModel, Source

STOP_SECONDS: Final = 10.0  # that a download has to write down how far it was
_PHASES: Final = {
    Phase.RESOLVING: "Asking the hub what there is",
    Phase.WAITING: "Waiting",
    Phase.PAUSED: "Paused",
    Phase.VERIFYING: "Comparing with the hashes",
    Phase.FINISHING: "Putting it in place",
}
_BAR: Final = 20


def pull(options: argparse.Namespace) -> int:
    """Run `models pull`."""
    repo, variant = models_hub.named(options)
    page = models_hub.page_of(repo, options.revision, variant)
    choice, listing = page.choice, page.listing
    if choice.problem or not choice.take:
        text = choice.problem or f"There is nothing in {repo} that can be loaded."
        raise ModelsError(ExitCode.NO_MODEL, "not_a_model", text)
    there = _there(page)
    if there is not None:
        return _tell_there(options, there)
    if not options.json:
        _ask(options, page)
    asked = models_hub.revision_of(repo, options.revision)
    job = Job(
        repo=listing.repo,  # as the hub writes it: "QWEN/qwen3-8b-awq" leads there, too
        store=str(models_folder()),
        revision=asked,
        variant=choice.variant,
        expected=_begun(listing.repo, choice.variant, asked) or listing,
        limit=options.limit or installed.read_settings().download_limit,
    )
    return _Pull(job, as_json=options.json).run()


def _begun(repo: str, variant: str, revision: str) -> Listing | None:
    """The files of a download that was begun: it goes on at its commit, not at a newer one."""
    from engine.store.download.partials import partials

    for partial in partials(models_folder()):
        if (partial.repo, partial.variant, partial.job.revision) == (repo, variant, revision):
            return partial.listing
    return None


def _there(page: ModelPage) -> InstalledModel | None:
    """The same model at the same commit, fetched before and whole, by us or by another program."""
    for model in installed.scanned():
        if (
            model.source in {Source.STORE, Source.HF_CACHE}
            and model.repo.casefold() == page.listing.repo.casefold()
            and model.commit == page.listing.commit
            and model.variant == page.choice.variant
            and model.is_whole
        ):
            return model
    return None


def _tell_there(options: argparse.Namespace, model: InstalledModel) -> int:
    if options.json:
        print_json({"event": "done", "folder": model.path, "bytes_fetched": 0, "installed": True})
    else:
        where = "in the Hugging Face cache" if model.source is Source.HF_CACHE else "installed"
        Page().text(f"{name(model.name)} is {where} already, and loaded from {name(model.path)}")
    return ExitCode.DONE


def _ask(options: argparse.Namespace, page: ModelPage) -> None:
    """Say what will be fetched; where somebody sits there, ask.

    Raises:
        ModelsError: the answer was no; or the engine cannot load it, and nobody can be asked.
    """
    verdict = models_hub.verdict_of(page, _this_machine())
    out = Page()
    files = len(page.choice.take)
    variant = f" ({name(page.choice.variant)})" if page.choice.variant else ""
    out.text(
        f"{name(page.listing.repo)}{variant}: {bytes_text(page.choice.total)} in {files} "
        f"file{'s' if files > 1 else ''}, licence {name(page.licence) or 'unknown'}, into "
        f"{models_folder()}"
    )
    out.verdict(verdict.fits, page.problem or verdict.text, 0)
    if options.yes:
        return
    doubtful = bool(page.problem) or verdict.fits == "no"
    if can_ask():
        question = "Fetch it anyway?" if doubtful else "Fetch it?"
        if not agreed(question, default=not doubtful):
            raise ModelsError(ExitCode.FAILED, "refused", "Nothing was fetched.")
    elif page.problem:
        text = f"{page.problem} --yes fetches it anyway."
        raise ModelsError(ExitCode.NO_MODEL, "not_a_model", text)


def _this_machine() -> Machine:
    from desktop.terminal import plan_sources

    return plan_sources.machine_of(None, None)


class _Pull:
    """One download, at work in a thread: so this one is free to hear Ctrl-C and to say how far."""

    def __init__(self, job: Job, *, as_json: bool) -> None:
        from engine.store.download.control import Control

        self._job = job
        self._json = as_json
        self._line = LiveLine(sys.stderr, shown=not as_json)
        self._control = Control(job.limit)
        self._told: queue.SimpleQueue[Event | HubError | OSError | None] = queue.SimpleQueue()
        self._progress: Progress | None = None
        self._started: Started | None = None
        self._done: Done | None = None

    def run(self) -> int:
        """To the end; the exit code.

        Raises:
            ModelsError: it came to nothing; what was fetched stays.
        """
        worker = threading.Thread(target=self._work, daemon=True)
        worker.start()
        try:
            self._hear_all()
        except (KeyboardInterrupt, SystemExit) as stop:
            self._stop(worker)
            if isinstance(stop, SystemExit):
                raise
            return ExitCode.INTERRUPTED
        self._line.close()
        if self._done is not None and not self._json:
            self._tell_done(self._done)
        return ExitCode.DONE

    def _work(self) -> None:
        from engine.store.download.work import run

        try:
            run(self._job, lambda event: self._told.put(event), self._control)
        except (HubError, OSError) as error:
            self._told.put(error)
        finally:
            self._told.put(None)

    def _hear_all(self) -> None:
        while True:
            try:
                event = self._told.get(timeout=TICK)
            except queue.Empty:
                self._line.tick()
                continue
            if event is None:
                break
            self._hear(event)
        if self._done is None:  # the thread died of a fault of ours, which Python has printed
            raise ModelsError(ExitCode.FAILED, "broken", f"The download broke off. {self._kept()}")

    def _hear(self, event: Event | HubError | OSError) -> None:
        if isinstance(event, HubError):
            self._line.close()
            error = of_hub(event)
            error.args = (f"{error} {self._kept()}".strip(),)
            raise error
        if isinstance(event, OSError):
            self._line.close()
            text = f"{event.strerror or event}. {self._kept()}"
            raise ModelsError(ExitCode.FAILED, "store", text)
        if self._json:
            print(msgspec.json.encode(event).decode(), flush=True)
        match event:
            case Started():
                self._started = event
                if event.have and not self._json:
                    self._line.print(
                        f"Going on: {bytes_text(event.have)} of {bytes_text(event.total)} are "
                        "here already."
                    )
            case Progress():
                self._progress = event
                self._line.show(lambda: progress_text(event), event.phase)
            case Waiting():
                self._line.show(lambda: waiting_text(event), (event.code, event.reason))
            case Done():
                self._done = event

    def _stop(self, worker: threading.Thread) -> None:
        """Ctrl-C: let it write down how far it was; a second one ends at once."""
        self._control.cancel()
        worker.join(STOP_SECONDS)
        self._line.close()
        text = f"Stopped. {self._kept()}".strip()
        if self._json:
            told: dict[str, Any] = {"error": text, "code": "cancelled", "exit_code": 130}
            print_json(told)
        else:
            self._line.print(f"inglenook: {text}")

    def _kept(self) -> str:
        done = self._progress.done if self._progress is not None else 0
        have = max(done, self._started.have if self._started is not None else 0)
        if not have:
            return ""
        wish = f"{self._job.repo}:{self._job.variant}" if self._job.variant else self._job.repo
        again = f"{command('models')} pull {shlex.quote(wish)}"
        return f"The {bytes_text(have)} that are here are kept; to go on: {again}"

    def _tell_done(self, done: Done) -> None:
        out = Page()
        out.text(f"{self._job.repo} is installed and verified, in {name(done.folder)}")
        wish = f"{self._job.repo}:{self._job.variant}" if self._job.variant else self._job.repo
        out.text(f'Try it: {command("chat")} --model {shlex.quote(wish)} "Hello"')


def progress_text(progress: Progress) -> str:
    """How far it is, on a line: what matters most comes first, for narrow terminals."""
    share = progress.done / progress.total if progress.total else 0.0
    if progress.phase in {Phase.DOWNLOADING, Phase.VERIFYING} and progress.total:
        filled = round(_BAR * min(1.0, share))
        parts = [f"{share:4.0%} {'█' * filled}{'░' * (_BAR - filled)}"]
        if progress.phase is Phase.VERIFYING:
            parts.append(_PHASES[progress.phase])
        parts.append(f"{bytes_text(progress.done)} of {bytes_text(progress.total)}")
        if progress.speed > 0:
            parts.append(f"{bytes_text(int(progress.speed))}/s")
        if progress.seconds_left is not None:
            parts.append(f"{duration(progress.seconds_left)} left")
        if progress.files > 1:
            parts.append(f"file {min(progress.files_done + 1, progress.files)} of {progress.files}")
        return " · ".join(parts)
    return _PHASES.get(progress.phase, "Downloading")


def waiting_text(waiting: Waiting) -> str:
    """Why nothing moves, and for how long."""
    if waiting.seconds >= 1:
        return f"{waiting.reason} Tried again in {duration(waiting.seconds)}."
    return waiting.reason
