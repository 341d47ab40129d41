"""What a check finds, and how checks are run so that none can spoil the others.

Nothing but the standard library, and `words`, which needs no more: this must load where the
environment is half broken.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.failure_words import words

GIB: Final = 1024**3
_FAILED: Final = words("This could not be looked at ({reason}).")
_OTHERS_FIRST: Final = words(
    "If other problems are listed, see to them first; else ./packaging/run --repair "
    "replaces what is damaged of the program."
)
_SILENT: Final = words("it said nothing")


class State(StrEnum):
    """How bad it is."""

    OK = "ok"
    NOTE = "note"  # fine, and worth knowing
    WARNING = "warning"  # it works, but not as well as it could
    PROBLEM = "problem"  # something does not work
    SKIPPED = "skipped"  # not looked at


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        name: what was looked at, in a word or two.
        text: what is so, in one sentence.
        advice: what to do about it; "" where there is nothing to do.
    """

    name: str
    state: State
    text: str
    advice: str = ""


Check = Callable[[], "Finding | Sequence[Finding]"]


def carried_out(name: str, check: Check) -> tuple[Finding, ...]:
    """What `check` found; a check that fails is a problem of its own, and ends nothing."""
    try:
        found = check()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return (Finding(name, State.PROBLEM, _FAILED.format(reason=reason), _OTHERS_FIRST),)
    return (found,) if isinstance(found, Finding) else tuple(found)


def in_gib(size: float) -> str:
    """Bytes as GiB."""
    return f"{size / GIB:,.1f} GiB"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended. `code`: None when it ran past its time."""

    code: int | None
    out: str
    err: str

    @property
    def last_line(self) -> str:
        """The last line that it wrote on stderr, or else on stdout."""
        for text in (self.err, self.out):
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            if lines:
                return lines[-1][:300]
        return _SILENT


def run(
    command: Sequence[str],
    seconds: float,
    environ: Mapping[str, str] | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Ran:
    """Run a program to its end, or to its time limit; all that it started goes with it."""
    process = subprocess.Popen(
        list(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ if environ is None else environ),
        cwd=folder,
        start_new_session=True,
        text=True,
        errors="replace",
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _kill_group(process)
        out, err = process.communicate()
        return Ran(None, out, err)
    except BaseException:  # Ctrl-C
        _kill_group(process)
        raise
    return Ran(process.returncode, out, err)


def _kill_group(process: subprocess.Popen[str]) -> None:
    import contextlib
    import signal

    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def program(name: str) -> str:
    """The path of a program, "" where there is none."""
    return shutil.which(name) or ""
