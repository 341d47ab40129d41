"""`quantize MODEL`: a model in 4 bits, made and verified in a process of its own.

Needs neither Qt nor a display. Ctrl-C ends the process and removes what it had written.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import IO, BinaryIO, Final

import msgspec

from desktop import paths
from desktop.program_name import command
from desktop.terminal.installed import NotInstalledError, SeveralError, required_path
from desktop.terminal.live_line import TICK
from desktop.terminal.orderly_end import orderly_end
from desktop.terminal.quantize_screen import Screen
from engine.quantize import folders as model_folders
from engine.quantize.wire import (
    GROUP_SIZES,
    SAMPLE_TOKENS,
    SAMPLES,
    AnyEvent,
    Finished,
    Job,
    Refused,
    Report,
    read_event,
)
from engine.store.folders import absolute, models_folder

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
        "model",
        metavar="MODEL",
        help='its folder, or the name of an installed model; "starter" for the starter model',
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
    wanted = parser()
    options = wanted.parse_args(arguments)
    try:
        model = required_path(options.model)
    except (NotInstalledError, SeveralError) as error:
        wanted.error(str(error))
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
    screen = Screen(as_json=options.json)
    try:
        with orderly_end():
            return _run(job, screen)
    except KeyboardInterrupt:
        screen.stopped(_left_behind(job))
        return 128 + signal.SIGINT
    except BrokenPipeError:  # what read the events went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED


def _left_behind(job: Job) -> str:
    """What a stopped job could not remove; "" where it did."""
    partial = model_folders.partial_of(Path(job.target))
    return str(partial) if partial.exists() else ""


def _run(job: Job, screen: Screen) -> int:
    folders = paths.find()
    for warning in folders.prepare():
        screen.warn(warning)
    paths.make_private(folders.logs)
    log_file = folders.logs / "quantize.log"
    paths.make_private_file(log_file)
    last: AnyEvent | None = None
    with log_file.open("wb") as log, _process(job, log) as process:
        assert process.stdout is not None
        for line in _lines(process.stdout):
            if line:
                last = read_event(line)
                screen.show(last, line)
            else:
                screen.tick()
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


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a pipe as they come; "" every `TICK` seconds without any."""
    rest = b""
    while True:
        if not select.select([stream], [], [], TICK)[0]:
            yield b""
            continue
        data = os.read(stream.fileno(), 1 << 16)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        yield from (line + b"\n" for line in lines)
    if rest:
        yield rest


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
