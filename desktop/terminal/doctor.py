"""`doctor`: looks at this machine and at what is installed, and says what to do.

Each check stands alone: one that fails is a finding, and the others go on. Nothing is changed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, TextIO

from desktop.program_name import command
from desktop.terminal.doctoring.findings import Check, Finding, State, carried_out
from desktop.version import VERSION
from engine.failure_words import words

if TYPE_CHECKING:
    import argparse

EXIT_FINE: Final = 0
EXIT_PROBLEMS: Final = 1
INTERRUPTED: Final = 130
_MARKS: Final = {
    State.OK: ("✓", "32"),
    State.NOTE: ("·", "36"),
    State.WARNING: ("!", "33"),
    State.PROBLEM: ("✗", "31"),
    State.SKIPPED: ("–", "2"),
}
_WORDS: Final = {
    State.OK: "ok",
    State.NOTE: "note",
    State.WARNING: "warning",
    State.PROBLEM: "PROBLEM",
    State.SKIPPED: "skipped",
}
_NAME_WIDTH: Final = 22
_NOT_TRIED: Final = words("The engine was not tried with a model; --full does that.")
_WIDEST: Final = 100


def _late(module: str, name: str) -> Check:
    """A check whose module is imported when it is carried out: it may not even load."""

    def check() -> Finding | Sequence[Finding]:
        import importlib

        found: Check = getattr(
            importlib.import_module(f"desktop.terminal.doctoring.{module}"), name
        )
        return found()

    return check


CHECKS: Final = (
    ("Python", _late("machine", "python")),
    (words("Processor"), _late("machine", "processor")),
    (words("Memory"), _late("machine", "memory")),
    ("/dev/shm", _late("machine", "shared_memory")),
    (words("NVIDIA driver"), _late("machine", "driver")),
    (words("Disk"), _late("files", "disk")),
    (words("Folders"), _late("files", "folders")),
    (words("Chats"), _late("files", "database")),
    (words("Starter model"), _late("files", "starter")),
    (words("Model store"), _late("library", "store")),
    (words("Downloads"), _late("library", "downloads")),
    (words("Hugging Face cache"), _late("library", "cache")),
    ("Hub", _late("library", "hub")),
    (words("Hub token"), _late("library", "token")),
    (words("Fonts"), _late("files", "fonts")),
    (words("Window"), _late("programs", "display")),
    (words("GGUF files"), _late("programs", "gguf_files")),
    (words("Engine libraries"), _late("programs", "engine_libraries")),
)
FULL: Final = (words("An answer"), _late("programs", "answer"))
ONLINE: Final = (words("Hub (asked)"), _late("library", "online"))


def look(
    *,
    full: bool = False,
    online: bool = False,
    checks: Sequence[tuple[str, Check]] = CHECKS,
) -> Iterator[Finding]:
    """Carry the checks out, one after the other; findings come as they are made."""
    problems = False
    for name, check in (*checks, ONLINE) if online else checks:
        for finding in carried_out(name, check):
            problems = problems or finding.state is State.PROBLEM
            yield finding
    name, check = FULL
    if full:
        yield from carried_out(name, check)
    else:
        yield Finding(name, State.SKIPPED, _NOT_TRIED)


def _parser() -> argparse.ArgumentParser:
    import argparse

    result = argparse.ArgumentParser(
        prog=command("doctor"),
        description="Look at this machine and at what is installed, and say what to do. Nothing "
        "is changed. The exit code is 0 when all is well, 1 when there are problems.",
    )
    result.add_argument("--json", action="store_true", help="one JSON object on stdout")
    result.add_argument(
        "--stream", action="store_true", help="with --json: each finding a line, as it is made"
    )
    result.add_argument(
        "--online", action="store_true", help="also ask the hub whether it answers, and who you are"
    )
    result.add_argument(
        "--full",
        action="store_true",
        help="also start the engine, load the starter model, and have it answer",
    )
    return result


class _Page:
    """Shows findings: in colour on a terminal, plain where they are piped."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._colours = out.isatty() and "NO_COLOR" not in os.environ
        self._width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)

    def show(self, finding: Finding) -> None:
        mark, colour = _MARKS[finding.state]
        if self._colours:
            head = f"\x1b[{colour}m{mark}\x1b[0m {finding.name:<{_NAME_WIDTH}} "
            room = _NAME_WIDTH + 3
        else:
            head = f"{_WORDS[finding.state]:<8} {finding.name:<{_NAME_WIDTH}} "
            room = len(head)
        lines = self._wrapped(finding.text, room)
        if finding.advice:
            lines += self._wrapped(f"→ {finding.advice}", room)
        print(head + lines[0], file=self._out)
        for line in lines[1:]:
            print(" " * room + line, file=self._out)
        self._out.flush()

    def end(self, findings: Sequence[Finding]) -> None:
        count = sum(each.state is State.PROBLEM for each in findings)
        warnings = sum(each.state is State.WARNING for each in findings)
        if count:
            text = f"{count} problem{'s' if count > 1 else ''} found."
        elif warnings:
            text = "It works; the warnings say what could be better."
        else:
            text = "All is well."
        print(f"\n{text}", file=self._out, flush=True)

    def _wrapped(self, text: str, indent: int) -> list[str]:
        text = "".join(letter if letter.isprintable() else " " for letter in text)
        width = max(30, self._width - indent)
        return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _tell(finding: Finding) -> None:
    print(json.dumps(asdict(finding), ensure_ascii=False), flush=True)


def main(argv: Sequence[str]) -> int:
    """Run the command; its exit code."""
    options = _parser().parse_args(list(argv))
    # The window ends it so: what a check has started ends with it, as at Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    findings: list[Finding] = []
    try:
        show: Callable[[Finding], None] = lambda _finding: None  # noqa: E731
        page = _Page(sys.stdout)
        if not options.json:
            show = page.show
        elif options.stream:
            show = _tell
        for finding in look(full=options.full, online=options.online):
            findings.append(finding)
            show(finding)
        problems = any(each.state is State.PROBLEM for each in findings)
        if options.json:
            told = {
                "version": VERSION,
                "ok": not problems,
                "findings": [asdict(each) for each in findings],
            }
            print(json.dumps(told, ensure_ascii=False))
        else:
            page.end(findings)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PROBLEMS
    return EXIT_PROBLEMS if problems else EXIT_FINE
