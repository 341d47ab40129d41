"""`chat "…"`: one question, or a conversation, on the terminal.

The window's own parts do the work (the engine's process, the protocol, the store, the
sessions), without its widgets: nothing here needs a display.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from desktop import paths
from desktop.handover import Handover, NotRunningError
from desktop.terminal.arguments import Options, UsageError, parse, read_prompt, stdin_bytes
from desktop.terminal.events import Done, Event, ExitCode, Failed
from desktop.terminal.output import Output

# Failures after which another question may well be answered.
_PASSING = ("request_failed", "interrupted", "prompt_too_long", "busy", "cancelled")


OPENING_SECONDS = 2.0  # between a window's taking of the chats and its listening
# What QtCore and QtNetwork link to beyond the C library.
SYSTEM_PACKAGES = "libglib2.0-0 libgssapi-krb5-2 libstdc++6 libzstd1 zlib1g"


class Answerer(Protocol):
    """Who answers: an engine of our own, or the window's."""

    def ask(self, question: str) -> int:
        """Ask, and return when the answer has ended: the signal that stopped it, or 0."""

    def cancel(self) -> None:
        """Stop the answer on its way."""

    def close(self) -> None:
        """Give everything back."""


class Terminal:
    """The person's side: shows what comes, and knows how the program ends."""

    def __init__(self, options: Options) -> None:
        self.output = Output(as_json=options.json, stream=options.stream, quiet=options.quiet)
        self.last: Done | Failed | None = None

    def show(self, event: Event) -> None:
        """Show an event."""
        if isinstance(event, Done | Failed):
            self.last = event
        self.output.show(event)

    def fail(self, code: ExitCode, name: str, text: str) -> int:
        """End with a failure of this side's."""
        self.output.show(Failed(int(code), name, text))
        return code

    def exit_code(self, signal_number: int) -> int:
        """How the program ends after the last answer."""
        if signal_number:
            return 128 + signal_number
        if self.output.exit_code is not None:
            return self.output.exit_code
        if isinstance(self.last, Failed):
            return self.last.exit_code
        if self.last is not None and self.last.finish_reason == "cancelled":
            return ExitCode.CANCELLED
        return ExitCode.ANSWERED


def main(arguments: Sequence[str]) -> int:
    """Run `chat`; the exit code is an `ExitCode`, or 128 + the number of a signal."""
    terminal: Terminal | None = None
    try:
        options = parse(arguments)
        terminal = Terminal(options)
        question = read_prompt(options.prompt, stdin_bytes(), terminal.output.warn)
        return _run(options, terminal, question)
    except UsageError as error:
        if terminal is None:
            print(f"inglenook: {error}", file=sys.stderr)
            return ExitCode.USAGE
        return terminal.fail(ExitCode.USAGE, "usage", str(error))
    except KeyboardInterrupt:
        return ExitCode.CANCELLED
    finally:
        if terminal is not None:
            terminal.output.detach()


def _run(options: Options, terminal: Terminal, question: str | None) -> int:
    folders = paths.find()
    handover = _connect(folders)
    if handover is None:
        code = _answer_here(options, terminal, question, folders)
        if code is not None:
            return code
        # A window was opened at the same moment: it has the chats, and listens soon.
        handover = _connect(folders, OPENING_SECONDS)
        if handover is None:
            return terminal.fail(
                ExitCode.STORE,
                "store_locked",
                "Another Inglenook is at work on your chats. Wait for its end and ask again, or "
                "ask with --no-save.",
            )
    from desktop.terminal.running_window import RunningWindow

    return _converse(RunningWindow(handover, options.request, terminal.show), terminal, question)


def _connect(folders: paths.Folders, patience: float = 0.0) -> Handover | None:
    """A connection to the window; None if there is none within `patience` s."""
    deadline = time.monotonic() + patience
    while True:
        try:
            return Handover(folders.data)
        except NotRunningError:
            if time.monotonic() >= deadline:
                return None
        time.sleep(0.05)


def _answer_here(
    options: Options, terminal: Terminal, question: str | None, folders: paths.Folders
) -> int | None:
    """Answer with an engine of our own; None: another process has the chats."""
    model = options.request.model
    if not model:
        model, problem = _default_model(options, folders, terminal.output.warn)
        if problem:
            return terminal.fail(ExitCode.FAILED, "starter_missing", problem)
    is_gguf = model.lower().endswith(".gguf") and Path(model).is_file()
    if not is_gguf and not Path(model).is_dir():
        text = f"There is no model folder at {model}. Name one that is there with --model FOLDER."
        return terminal.fail(ExitCode.FAILED, "model_missing", text)
    for warning in folders.prepare():
        terminal.output.warn(warning)
    try:
        from desktop import logs
        from desktop.terminal.own_engine import OwnEngine
    except ImportError as error:
        return terminal.fail(ExitCode.FAILED, "setup", _import_text(error))
    logs.set_up(folders.logs)
    engine = OwnEngine(folders, options, model, terminal.show)
    stopped_by = engine.open()
    if stopped_by or engine.is_locked:
        engine.close()
        return 128 + stopped_by if stopped_by else None
    return _converse(engine, terminal, question)


def _import_text(error: ImportError) -> str:
    if "cannot open shared object" in str(error):
        return (
            f"A library of the system is missing ({error}). On Debian and Ubuntu this installs "
            f"what `chat` needs: sudo apt install {SYSTEM_PACKAGES}"
        )
    return (
        f"A part of Inglenook cannot be loaded ({error}). Put it right with: "
        "./packaging/run --repair"
    )


def _default_model(
    options: Options, folders: paths.Folders, warn: Callable[[str], None]
) -> tuple[str, str]:
    """The folder to load where none is named, and what is wrong with it."""
    from desktop import settings
    from engine.store import starter
    from engine.store.folders import models_folder, starter_folder
    from engine.store.library.store_place import away_text

    chosen, warning = settings.load(folders.settings)
    if warning:
        warn(warning)
    if chosen.model:
        return chosen.model, ""
    folder = starter_folder()
    problem = starter.problem(folder) if options.engine == "vllm" else ""
    if away := away_text(models_folder()):
        return str(folder), away
    if not folder.is_dir():
        problem = f"the starter model is not there: {folder} is missing"
    if problem:
        problem = (
            f"{problem[0].upper()}{problem[1:]}. Make it again with ./packaging/run --setup-only, "
            "or name another model with --model FOLDER."
        )
    return str(folder), problem


def _converse(answerer: Answerer, terminal: Terminal, question: str | None) -> int:
    """One question; or, where there is none, those that are typed."""
    terminal.output.closed = answerer.cancel
    try:
        if question is not None:
            return terminal.exit_code(answerer.ask(question))
        return _talk(answerer, terminal)
    finally:
        answerer.close()


def _talk(answerer: Answerer, terminal: Terminal) -> int:
    """Ask what is typed, line by line, until Ctrl-D."""
    with contextlib.suppress(ImportError):  # gives `input` its editing and history
        import readline  # noqa: F401
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    while True:
        try:
            question = terminal.output.ask_line()
        except EOFError:
            print(file=sys.stderr)
            return ExitCode.ANSWERED
        if not question.strip():
            continue
        stopped_by = answerer.ask(question)
        if stopped_by not in (0, signal.SIGINT) or terminal.output.is_closed:
            return terminal.exit_code(stopped_by)
        if isinstance(terminal.last, Failed) and terminal.last.code not in _PASSING:
            return terminal.last.exit_code
