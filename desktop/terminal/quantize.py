"""`quantize MODEL`: a model in 4 bits, made and verified in a process of its own.

Needs neither Qt nor a display. Ctrl-C ends the process and removes what it had written.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Final, NoReturn, TextIO

import msgspec

from desktop import paths
from desktop.program_name import command
from engine.quantize import folders as model_folders
from engine.quantize.wire import (
    GROUP_SIZES,
    SAMPLE_TOKENS,
    SAMPLES,
    AnyEvent,
    Finished,
    Job,
    Planned,
    Progress,
    Refused,
    Report,
    Step,
    read_event,
)
from engine.store.folders import absolute, models_folder, starter_folder

EPILOG: Final = f"""\
Each weight becomes 4 bits; the result is about a third of the size. What it lost is measured
on text that it was not made with: perplexity and agreement with the original, beside those of
plain rounding. A model that is no better than plain rounding is removed again.

Calibration text of your own: a file in which a line --- ends a sample (a blank line, where there
is no such line), JSON lines with a "text" each (*.jsonl), or a folder of *.txt files;
{SAMPLES[0]} to {SAMPLES[-1]} samples of {SAMPLE_TOKENS[0]} to {SAMPLE_TOKENS[-1]} tokens.

exit codes:
  0    made and verified
  1    it could not be made
  2    wrong usage
  3    made, but refused by the verification, and removed
  130  stopped with Ctrl-C (128 + the signal's number for other signals)
"""

_STEPS: Final = {
    Step.CHECKING: "Checking",
    Step.LOADING: "Loading the model",
    Step.ORIGINAL: "Measuring the original",
    Step.ROUNDING: "Measuring plain rounding",
    Step.LAYERS: "Quantising",
    Step.WRITING: "Writing",
    Step.VERIFYING: "Verifying what was written",
    Step.FINISHING: "Finishing",
}
_ERASE: Final = "\r\x1b[K"
COMMAND: Final = (sys.executable, "-P", "-m", "engine.quantize")


class ExitCode(IntEnum):
    """How the program ends."""

    MADE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    result = argparse.ArgumentParser(
        prog=command("quantize"),
        description="Quantise a model to AWQ: 4 bits a weight, verified.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument(
        "model", metavar="MODEL", help='its folder; "starter" for the starter model'
    )
    result.add_argument(
        "target", metavar="TARGET", nargs="?", default="", help="folder to make (default: by name)"
    )
    result.add_argument(
        "--group-size",
        type=int,
        choices=GROUP_SIZES,
        default=0,
        help="weights that share a scale (default: the largest that divides every layer)",
    )
    result.add_argument("--calibration", metavar="FILE", default="", help="your own text")
    result.add_argument("--device", choices=("cpu", "cuda"), default="", help="where to compute")
    result.add_argument("--json", action="store_true", help="events as JSON lines on stdout")
    return result


def main(arguments: Sequence[str]) -> int:
    """Run `quantize`; the exit code is an `ExitCode`, or 128 + the number of a signal."""
    options = parser().parse_args(arguments)
    model = starter_folder() if options.model == "starter" else absolute(options.model)
    target = (
        absolute(options.target)
        if options.target
        else model_folders.default_target(models_folder(), model, options.group_size)
    )
    job = Job(
        model=str(model),
        target=str(target),
        group_size=options.group_size,
        calibration=str(absolute(options.calibration)) if options.calibration else "",
        device=options.device,
    )
    try:
        with _signals():
            return _run(job, _Screen(as_json=options.json))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:  # what read the events went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end it as Ctrl-C does."""

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(job: Job, screen: _Screen) -> int:
    folders = paths.find()
    for warning in folders.prepare():
        screen.warn(warning)
    paths.make_private(folders.logs)
    log_file = folders.logs / "quantize.log"
    paths.make_private_file(log_file)
    last: AnyEvent | None = None
    with log_file.open("wb") as log, _process(job, log) as process:
        assert process.stdout is not None
        for line in process.stdout:
            last = read_event(line)
            screen.show(last, line)
    screen.close()
    match last:
        case Finished():
            return ExitCode.MADE
        case Refused(report=Report()):
            return ExitCode.REFUSED
        case Refused():
            return ExitCode.FAILED
    reason = Refused(
        code="died",
        text="The quantiser ended without a word (killed, or out of memory). Its log says more: "
        f"{log_file}",
    )
    screen.show(reason, msgspec.json.encode(reason) + b"\n")
    return ExitCode.FAILED


@contextlib.contextmanager
def _process(job: Job, log: BinaryIO) -> Iterator[subprocess.Popen[bytes]]:
    """The quantising process, which has ended when the block has, with all below it."""
    process = subprocess.Popen(
        [*COMMAND, "--parent", str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    try:
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(msgspec.json.encode(job))
            process.stdin.close()
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            # Until it has called setsid it is in our own group, which must live.
            if os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        model_folders.sweep(Path(job.target).parent)


class _Screen:
    """Shows events: for people on stderr and stdout, or as they come."""

    def __init__(
        self, *, as_json: bool, out: TextIO | None = None, err: TextIO | None = None
    ) -> None:
        self._json = as_json
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self._live = self._err.isatty() and not as_json
        self._step: Step | None = None

    def warn(self, text: str) -> None:
        """Say something by the way."""
        print(f"inglenook: {text}", file=self._err, flush=True)

    def show(self, event: AnyEvent, line: bytes) -> None:
        """Show an event; `line` is how it came."""
        if self._json:
            self._out.write(line.decode())
            self._out.flush()
            return
        match event:
            case Progress():
                self._progress(event)
            case Planned():
                print(planned_text(event), file=self._err, flush=True)
            case Finished():
                self.close()
                print(report_text(event.report), file=self._out)
                print(f"The model lies in {event.folder}", file=self._out, flush=True)
            case Refused():
                self.close()
                if event.report is not None:
                    print(report_text(event.report), file=self._out, flush=True)
                print("\n  ".join([f"inglenook: {event.text}", *event.details]), file=self._err)

    def close(self) -> None:
        """End the live line."""
        if self._live:
            self._err.write(_ERASE)
            self._err.flush()

    def _progress(self, progress: Progress) -> None:
        if self._live:
            self._err.write(_ERASE + progress_text(progress))
            self._err.flush()
        elif progress.step is not self._step:
            print(_STEPS[progress.step], file=self._err, flush=True)
        self._step = progress.step


def planned_text(planned: Planned) -> str:
    """What the job will take."""
    return (
        f"Group size {planned.group_size}, {planned.layers} layers, {planned.samples} samples with "
        f"{planned.tokens:,} tokens, on {planned.device.upper()}; about "
        f"{planned.disk / 1e6:,.0f} MB of disk and {planned.memory / 1e9:.1f} GB of memory"
    )


def progress_text(progress: Progress) -> str:
    """How far it is, on a line."""
    words = _STEPS[progress.step]
    if progress.step is Step.LAYERS and progress.total:
        words = f"{words}, layer {progress.done + 1} of {progress.total}"
    parts = [words, f"{progress.share:.0%}"]
    if progress.left is not None:
        parts.append(f"{_duration(progress.left)} left")
    return " · ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def report_text(report: Report) -> str:
    """What the verification found, as a table."""
    saved = 1 - report.awq_bytes / report.original_bytes
    return "\n".join(
        [
            f"on {report.tokens:,} tokens held out   perplexity   agrees with the original",
            f"  original                  {report.original:10.2f}",
            f"  AWQ, groups of {report.group_size:<3}        {report.awq:10.2f}   "
            f"{report.awq_agreement:8.1%}",
            f"  plain rounding            {report.rounding:10.2f}   "
            f"{report.rounding_agreement:8.1%}",
            f"{report.awq_bytes / 1e6:,.0f} MB for {report.original_bytes / 1e6:,.0f} MB "
            f"({saved:.0%} less), made in {_duration(report.seconds)}",
        ]
    )
