"""Converts a GGUF file to a folder of safetensors: `python -m engine.store.convert FILE`.

It prints how far it is, line by line, and in the end where the model lies; with --json an
object on each line. It can be killed at any time: what it leaves half done is cleared away by
the next one. It ends by itself when nobody reads what it prints any more.

Exit codes: 0 the model is there, 1 it came to nothing (the last line says why), 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.environment import REMOVED
from engine.failure_words import words
from engine.store import made_folder
from engine.store.convert_output import Output, output
from engine.store.folders import absolute
from engine.store.gguf_cost import (
    Cost,
    Meter,
    Progress,
    Stage,
    check_room,
    cost_of,
    cost_of_description,
)
from engine.store.gguf_error import GgufError
from engine.store.gguf_folders import DESCRIBED, FOLDER, NEEDED, find_conversion, folder_for
from engine.store.gguf_header import GgufHeader, read_header
from engine.store.library.store_place import away_text
from engine.store.private_folder import make_private

INTERRUPTED: Final = 130

_MISSING_FILE = words("There is no file {file}.")
_UNREADABLE = words("{file} cannot be read ({reason}).")
_NOT_WRITTEN = words("The converted model could not be written: {reason}.")
_LIBRARIES = words(
    "The libraries that convert a model cannot be loaded ({reason}). Run ./packaging/run --repair."
)
_NO_MEMORY = words("There is not enough memory to convert {file}. Close other programs.")
_FAILED = words("{file} cannot be converted: {reason}.")

# Read when the libraries are imported, and they are imported only after this.
_ENVIRONMENT: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TQDM_DISABLE": "1",
    "DO_NOT_TRACK": "1",
    "CUDA_VISIBLE_DEVICES": "",  # the memory of a GPU is not needed, and may be in use
}

Expand = Callable[[GgufHeader, Path, Meter], None]


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told of a conversion as it goes on."""

    cost: Callable[[GgufHeader, Cost], None]
    progress: Callable[[Progress], None]
    note: Callable[[str], None]


def convert(
    file: Path,
    listener: Listener,
    *,
    again: bool = False,
    described: bool = False,
    expand: Expand | None = None,
) -> Path:
    """Convert `file`, unless that has been done; where the model lies.

    Args:
        again: also when it is there.
        described: only its config and its tokenizer, in seconds, for vLLM's GGUF plugin.
        expand: what writes the model into a folder; by default `gguf_convert.expand`.

    Raises:
        GgufError: it cannot be done; says why and what to do.
    """
    store = DESCRIBED if described else FOLDER
    try:
        header = read_header(file)
        target = folder_for(file, store=store)
    except FileNotFoundError as error:
        raise GgufError("no_file", _MISSING_FILE.format(file=file)) from error
    except OSError as error:
        raise _unreadable(file, error) from error
    if text := away_text(target.parent.parent):
        raise GgufError("disk", text)
    cost = cost_of_description() if described else cost_of(header)
    listener.cost(header, cost)
    try:
        make_private(target.parent)
        with made_folder.alone(
            target.parent, lambda: listener.note("Another conversion is at work; waiting for it")
        ):
            if not again and (there := find_conversion(file, store=store)):
                return there
            _clear(target.parent)
            check_room(cost, file, target.parent, _memory_available())
            _make(
                header,
                target,
                Meter(cost, listener.progress),
                expand or _real_expand(described=described),
            )
    except OSError as error:
        said = made_folder.disk_text(error, target.parent)
        reason = error.strerror or str(error)
        raise GgufError("disk", said or _NOT_WRITTEN.format(reason=reason)) from error
    except ImportError as error:
        raise GgufError("libraries", _LIBRARIES.format(reason=error)) from error
    except MemoryError as error:
        raise GgufError("memory", _NO_MEMORY.format(file=file.name)) from error
    return target


def _make(header: GgufHeader, target: Path, meter: Meter, expand: Expand) -> None:
    meter.enter(Stage.READING)
    digest = made_folder.sha256(header.file, _share_of(header.size, meter))
    with made_folder.making(target) as partial:
        try:
            expand(header, partial, meter)
        except (GgufError, OSError, ImportError, MemoryError):
            raise
        except Exception as error:  # whatever the libraries make of a file of anyone's
            reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
            raise GgufError(
                "failed", _FAILED.format(file=header.file.name, reason=reason)
            ) from error
        meter.enter(Stage.CHECKING)
        size = sum(path.stat().st_size for path in partial.iterdir())
        origin = {
            "format": "gguf",
            "file": header.file.name,
            "size": header.size,
            "sha256": digest,
            "architecture": header.architecture,
            "name": header.name,
        }
        made_folder.seal(partial, origin, _share_of(size, meter))
        damage = made_folder.damage(partial, NEEDED)
        if damage:
            raise GgufError("failed", _FAILED.format(file=header.file.name, reason=damage))
        made_folder.put_in_place(target)


def _share_of(whole: int, meter: Meter) -> Callable[[int], None]:
    done = 0

    def report(size: int) -> None:
        nonlocal done
        done += size
        meter.done(done / max(1, whole))

    return report


def _clear(store: Path) -> None:
    """Take away what a conversion left that was killed: it may have many gigabytes."""
    for pattern in (".*.partial", ".*.old"):
        for remains in store.glob(pattern):
            shutil.rmtree(remains, ignore_errors=True)


def _memory_available() -> int:
    from engine.load_defaults import read_machine

    return read_machine("cpu").memory_available


def _real_expand(*, described: bool) -> Expand:
    from engine.store import gguf_convert

    return gguf_convert.describe if described else gguf_convert.expand


def _unreadable(file: Path, error: OSError) -> GgufError:
    reason = error.strerror or str(error)
    return GgufError("no_file", _UNREADABLE.format(file=file.name, reason=reason))


# --- the command ---------------------------------------------------------------------

PROGRAM: Final = "python -m engine.store.convert"


def parser(
    program: str = PROGRAM, file: Callable[[str], Path] = absolute
) -> argparse.ArgumentParser:
    """The arguments.

    Args:
        program: how it is started, for the usage.
        file: makes a path of what was typed.
    """
    result = argparse.ArgumentParser(
        prog=program,
        description="Convert a GGUF file to a folder of safetensors, which every engine loads.",
    )
    result.add_argument("file", metavar="FILE.gguf", type=file)
    result.add_argument("--inspect", action="store_true", help="say what it would cost, no more")
    result.add_argument("--again", action="store_true", help="convert it even if that was done")
    result.add_argument(
        "--describe",
        action="store_true",
        help="only its config and tokenizer, for vLLM's GGUF plugin",
    )
    result.add_argument("--json", action="store_true", help="print an object on each line")
    return result


def main(
    arguments: Sequence[str] | None = None,
    program: str = PROGRAM,
    file: Callable[[str], Path] = absolute,
) -> int:
    """Run the command; the exit code."""
    options = parser(program, file).parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the folder is cleared away
    for name in REMOVED:  # the libraries read a file of anyone's: they need no token
        os.environ.pop(name, None)
    os.environ.update(_ENVIRONMENT)
    say = output(objects=options.json)
    listener = Listener(say.cost, say.progress, say.note)
    try:
        if options.inspect:
            _inspect(options.file, say)
            return 0
        say.done(convert(options.file, listener, again=options.again, described=options.describe))
    except GgufError as error:
        say.error(error)
        return 1
    except BrokenPipeError:
        # Nobody listens any more. Python would complain when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _inspect(file: Path, say: Output) -> None:
    try:
        header = read_header(file)
        there = find_conversion(file)
    except FileNotFoundError as error:
        raise GgufError("no_file", _MISSING_FILE.format(file=file)) from error
    except OSError as error:
        raise _unreadable(file, error) from error
    say.cost(header, cost_of(header))
    if there is not None:
        say.done(there)


if __name__ == "__main__":
    sys.exit(main())
