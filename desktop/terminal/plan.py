"""`plan MODEL`: will it fit, with which context, and what would make it fit.

Looks at a model's config and at the heads of its weight files only, here or on a hub; needs
neither a display nor the engine. It asks the hub only where the model's name is one of a hub.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, Final, TextIO

from desktop.program_name import command
from engine.planner.machine import GpusError, parse_gpus
from engine.planner.plan import Wish, plan
from engine.planner.shape import ShapeError

EPILOG: Final = """\
MODEL is a folder, a .gguf file, the name of a folder in the model store, "starter", or a
model's name on the hub ("owner/name", or "owner/name:file.gguf"): then its config.json and the
heads of its weight files are read from there, some hundred KB, and nothing is kept.

Without --gpus it plans for this computer and what other programs leave of it:

  %(prog)s starter
  %(prog)s Qwen/Qwen2.5-14B-Instruct-AWQ --gpus 3090
  %(prog)s ~/models/llama-70b-awq --gpus 2x24 --context 16384 --chats 2
  %(prog)s ~/models/mistral --gpus none --ram 16

exit codes:
  0    it fits
  1    it does not fit
  2    wrong usage: an unknown option, GPUs that make no sense, no model
  3    the model cannot be read
  4    the hub cannot be asked, or does not tell: offline, no such model, a licence to accept
  130  stopped with Ctrl-C
"""


NO_MODEL: Final = "No model is named: MODEL is empty. For the folder you are in, write a dot (.)."


class ExitCode(IntEnum):
    """How `plan` ends; told by --help."""

    FITS = 0
    DOES_NOT_FIT = 1
    USAGE = 2
    NO_MODEL = 3
    NO_HUB = 4
    INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """The arguments of `plan`."""
    result = argparse.ArgumentParser(
        prog=command("plan"),
        description="Find out whether a model fits, before it is fetched or loaded.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("model", metavar="MODEL", help="a folder, a file, or a name; see below")
    result.add_argument(
        "--gpus",
        metavar="GPUS",
        help="plan for these: 2x24 (GB), 24,12, 3090, 2x4090; none for the processor alone",
    )
    result.add_argument(
        "--ram",
        type=_number(1, 65_536),
        metavar="GB",
        help="plan for so much memory (RAM), all of it free, instead of this computer's",
    )
    result.add_argument("--context", type=_whole(1, 2**31), metavar="N", help="tokens of one chat")
    result.add_argument(
        "--chats", type=_whole(1, 4096), metavar="N", default=1, help="chats of that length at once"
    )
    result.add_argument("--tp", type=_whole(1, 16), metavar="N", help="divide it among N GPUs")
    result.add_argument(
        "--devices", type=_devices, metavar="N,N", help="use these GPUs, as nvidia-smi numbers them"
    )
    result.add_argument(
        "--utilisation",
        type=_number(0.05, 1),
        metavar="SHARE",
        help="of each GPU's memory that may be used, such as 0.9",
    )
    result.add_argument("--kv", choices=("auto", "fp8"), default="auto", help="the KV cache's type")
    result.add_argument(
        "--sequences", type=_whole(1, 4096), metavar="N", help="answers at once, at most"
    )
    result.add_argument("--eager", action="store_true", help="without CUDA graphs")
    result.add_argument(
        "--revision", metavar="NAME", default="main", help="a branch, tag or commit on the hub"
    )
    result.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    return result


def main(arguments: Sequence[str]) -> int:
    """Run `plan`; the exit code is an `ExitCode`."""
    options = parser().parse_args(list(arguments))
    try:
        return _run(options)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # what read the table went away
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FITS


def _run(options: argparse.Namespace) -> int:
    # The window's parts and the hub's are imported once the arguments are known to make sense.
    from desktop.terminal import plan_sources
    from desktop.terminal.plan_table import table

    try:
        gpus = None if options.gpus is None else parse_gpus(options.gpus)
    except GpusError as error:
        return _fail(options, ExitCode.USAGE, "gpus", str(error))
    if not options.model.strip():
        return _fail(options, ExitCode.USAGE, "model", NO_MODEL)
    try:
        shape = plan_sources.read_model(options.model, options.revision, _progress(options))
    except ShapeError as error:
        return _fail(options, ExitCode.NO_MODEL, "model", str(error))
    except plan_sources.RemoteError as error:
        return _fail(options, ExitCode.NO_HUB, error.code, str(error))
    machine = plan_sources.machine_of(gpus, options.ram)
    made = plan(shape, machine, _wish(options), plan_sources.learned())
    if options.json:
        _print(json.dumps(as_json(shape, machine, made, options.model), indent=2))
    else:
        _print(table(shape, machine, made, colour=_wants_colour(sys.stdout)))
    return ExitCode.FITS if made.fits else ExitCode.DOES_NOT_FIT


def _wish(options: argparse.Namespace) -> Wish:
    return Wish(
        context=options.context,
        tp=options.tp,
        devices=options.devices,
        utilisation=options.utilisation,
        kv_dtype=options.kv,
        sequences=options.sequences,
        eager=options.eager or None,
        chats=options.chats,
    )


def as_json(shape: Any, machine: Any, made: Any, model: str) -> dict[str, Any]:
    """The answer for programs: sizes in bytes, lengths in tokens, rates in tokens/s."""
    import msgspec

    def plain(value: Any) -> Any:
        return msgspec.to_builtins(value, order="deterministic")

    return {
        "model": model,
        "fits": made.fits,
        "plan": plain(replace(made, changes=(), layout=None)),
        "changes": [
            {name: value for name, value in plain(change).items() if name != "wish"}
            for change in made.changes
        ],
        "shape": plain(shape),
        "machine": plain(machine),
    }


def _fail(options: argparse.Namespace, code: ExitCode, name: str, text: str) -> int:
    if options.json:
        _print(json.dumps({"error": text, "code": name, "exit_code": int(code)}))
    else:
        print(text, file=sys.stderr)
    return code


def _progress(options: argparse.Namespace) -> Any:
    stream = sys.stderr
    is_seen = not options.json and stream is not None and stream.isatty()

    def report(done: int, count: int) -> None:
        if is_seen and count > 1:
            end = "\r\033[K" if done == count else ""
            stream.write(f"\rReading the heads of {count} weight files: {done} …{end}")
            stream.flush()

    return report


def _print(text: str) -> None:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def _wants_colour(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _whole(least: int, most: int) -> Any:
    def convert(text: str) -> int:
        value = int(text.replace("_", "").replace(",", ""))
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not within {least} and {most}")
        return value

    convert.__name__ = "number"
    return convert


def _number(least: float, most: float) -> Any:
    def convert(text: str) -> float:
        value = float(text)
        if not (math.isfinite(value) and least <= value <= most):
            raise argparse.ArgumentTypeError(f"{text} is not within {least:g} and {most:g}")
        return value

    convert.__name__ = "number"
    return convert


def _devices(text: str) -> tuple[int, ...]:
    return tuple(_whole(0, 63)(part) for part in text.split(","))
