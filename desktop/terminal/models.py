"""`models`: find, fetch, list, check and delete models, without the window.

The hub is asked only by `search`, `show` and `pull`, and only for what is named; `list`, `verify`
and `rm` look at this computer alone.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from desktop.program_name import command
from desktop.terminal.models_outcome import ExitCode, ModelsError, of_hub
from desktop.terminal.online import SettingsError
from desktop.terminal.orderly_end import orderly_end
from desktop.terminal.output import harmless
from engine.store.hub.errors import HubError

EXAMPLES: Final = """\
MODEL is a name on the hub ("owner/name"); of GGUF files one is named after a colon
("owner/name:Q4_K_M"). NAME is that of an installed model, as `list` has it, or its folder.

  %(prog)s search qwen coder --gpus 3090 --fits      what would run on a 3090
  %(prog)s search --starter                          well-known models; needs no network
  %(prog)s show Qwen/Qwen3-8B-AWQ --gpus 2x24        will it fit, what would be fetched
  %(prog)s pull Qwen/Qwen3-8B-AWQ --limit 10M        fetch it, at 10 MiB/s at most
  %(prog)s list
  %(prog)s verify Qwen/Qwen3-8B-AWQ                  read all of it, compare every hash
  %(prog)s rm Qwen/Qwen3-8B-AWQ                      into the bin; rm --undo takes it out again

`plan`, `quantize`, `convert` and --model take the name of an installed model, too.

exit codes:
  0    done
  1    it could not be done: a full disk, damaged files, "no" was answered
  2    wrong usage
  3    there is no such model, here or on the hub, or it is none that can be loaded
  4    the hub cannot be asked, or does not tell: offline, a licence to accept, a token missing
  130  stopped with Ctrl-C (128 + the signal's number for other signals)
"""
_PULL: Final = """\
Only safetensors (or one GGUF file), json, tokenizer, template and licence files are fetched; each
is compared with its hash before the model counts as installed. Ctrl-C stops it and keeps what was
fetched: the same command goes on from there. A model of the starter list is fetched at the commit
in that list unless --revision names another.
"""
_RM: Final = """\
A model goes into the bin of the model store and can be taken out again, until the bin is emptied.
So does one of the Hugging Face cache, but for files that other models share; where the cache lies
on another disk than the store it goes for good. An unfinished download is deleted, too.
"""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?(?:/s)?", re.IGNORECASE)
_POWERS: Final = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
FORMATS: Final = ("awq", "fp8", "gptq", "w4a16", "bf16", "gguf")
SORTS: Final = ("fit", "downloads", "likes", "date", "trending")
MOST_HITS: Final = 500


def parser() -> argparse.ArgumentParser:
    """The arguments of `models`."""
    result = argparse.ArgumentParser(
        prog=command("models"),
        description="Find, fetch, list, check and delete models.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = result.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(
        name: str, text: str, epilog: str = "", json: str = "one JSON object on stdout"
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=epilog or "Exit codes: as `models --help` has them.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.add_argument("--json", action="store_true", help=json)
        return made

    _add_search(add("search", "look for models on the hub, with a verdict for this computer"))
    _add_show(add("show", "say what a model is, whether it fits, and what would be fetched"))
    _add_pull(add("pull", "fetch a model from the hub", _PULL, "events as JSON lines on stdout"))
    add("list", "list what is installed, and downloads that are unfinished")
    verify = add("verify", "read a model's files and compare them with their hashes")
    verify.add_argument("name", metavar="NAME", help="an installed model")
    _add_rm(add("rm", "delete a model", _RM))
    return result


def _add_machine(to: argparse.ArgumentParser) -> None:
    to.add_argument(
        "--gpus", metavar="GPUS", help="judge for these: 3090, 2x24 (GB), none for the processor"
    )
    to.add_argument("--ram", type=_number, metavar="GB", help="judge for so much memory (RAM)")


def _add_search(to: argparse.ArgumentParser) -> None:
    to.add_argument("text", metavar="TEXT", nargs="*", help="words to look for")
    to.add_argument("--starter", action="store_true", help="in the starter list; asks nobody")
    to.add_argument(
        "--format",
        type=_words(FORMATS),
        metavar="F,F",
        default=(),
        help=f"of these only: {', '.join(FORMATS)}",
    )
    to.add_argument(
        "--max-size", type=size, metavar="SIZE", help="of the weights, such as 12G (GiB)"
    )
    to.add_argument("--min-context", type=_count, metavar="N", help="tokens it must read")
    to.add_argument("--licence", type=_words(), metavar="L,L", default=(), help="apache-2.0,mit")
    to.add_argument("--language", type=_words(), metavar="L,L", default=(), help="such as de,fr")
    to.add_argument("--fits", action="store_true", help="leave out what does not fit")
    to.add_argument("--sort", choices=SORTS, default="downloads", help="what comes first")
    to.add_argument(
        "-n", "--count", type=_count, default=20, metavar="N", help="how many at most (20)"
    )
    _add_machine(to)


def _add_show(to: argparse.ArgumentParser) -> None:
    to.add_argument("model", metavar="MODEL", help="owner/name")
    _add_revision(to)
    to.add_argument("--card", action="store_true", help="print its card (README) as well")
    _add_machine(to)


def _add_pull(to: argparse.ArgumentParser) -> None:
    to.add_argument("model", metavar="MODEL", help="owner/name, or owner/name:VARIANT")
    _add_revision(to)
    to.add_argument(
        "--limit", type=size, metavar="SIZE", help="bytes/s at most, such as 10M (MiB/s)"
    )
    to.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _add_revision(to: argparse.ArgumentParser) -> None:
    to.add_argument("--revision", metavar="NAME", default="", help="a branch, tag or commit")
    to.add_argument("--variant", metavar="NAME", default="", help="of GGUF files, such as Q4_K_M")


def _add_rm(to: argparse.ArgumentParser) -> None:
    to.add_argument("names", metavar="NAME", nargs="*", help="installed models")
    what = to.add_mutually_exclusive_group()
    what.add_argument("--undo", action="store_true", help="take out of the bin; the last one")
    what.add_argument("--bin", action="store_true", help="list what is in the bin")
    what.add_argument("--empty", action="store_true", help="delete for good what is in the bin")
    to.add_argument("-y", "--yes", action="store_true", help="do not ask")


def main(arguments: Sequence[str]) -> int:
    """Run `models`; the exit code is an `ExitCode`, or 128 + the number of a signal."""
    options = parser().parse_args(list(arguments))
    try:
        with orderly_end():
            return _carry_out(options)
    except ModelsError as error:
        return _fail(options, error)
    except HubError as error:
        return _fail(options, of_hub(error))
    except SettingsError as error:
        return _fail(options, ModelsError(ExitCode.NO_HUB, "settings", str(error)))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # what read it went away
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED


# Sub-command -> its module and function there, imported once the arguments make sense.
_COMMANDS: Final = {
    "search": ("models_search", "search"),
    "show": ("models_show", "show"),
    "pull": ("models_pull", "pull"),
    "list": ("models_shelf", "show_installed"),
    "verify": ("models_shelf", "verify"),
    "rm": ("models_rm", "remove"),
}


def _carry_out(options: argparse.Namespace) -> int:
    module, name = _COMMANDS[options.command]
    found: Callable[[argparse.Namespace], int] = getattr(
        importlib.import_module(f"desktop.terminal.{module}"), name
    )
    return found(options)


def _fail(options: argparse.Namespace, error: ModelsError) -> int:
    if options.json:
        told: dict[str, Any] = {
            "error": str(error),
            "code": error.code,
            "exit_code": int(error.exit_code),
            **error.facts,
        }
        print(json.dumps(told), flush=True)
    else:
        print(f"inglenook: {harmless(str(error))}", file=sys.stderr, flush=True)
    return error.exit_code


def size(text: str) -> int:
    """A size such as "10M", "12 GB" or "1.5g": bytes, in powers of 1,024, as sizes are shown.

    Raises:
        ArgumentTypeError: it is none.
    """
    found = _SIZE.fullmatch(text.strip())
    value = float(found[1]) * 1024.0 ** _POWERS[found[2].lower()] if found else 0.0
    if not 1 <= value <= 1e15:
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is no size; say 10M, 12G or 500k")
    return int(value)


def _count(text: str) -> int:
    value = int(text.replace("_", "").replace(",", ""))
    if not 1 <= value <= 2**31:
        raise argparse.ArgumentTypeError(f"{text[:40]} is not within 1 and {2**31:,}")
    return value


_count.__name__ = "number"


def _number(text: str) -> float:
    value = float(text)
    if not 1 <= value <= 65_536:  # not a number, too
        raise argparse.ArgumentTypeError(f"{text[:40]} is not within 1 and 65,536")
    return value


_number.__name__ = "number"


def _words(known: Sequence[str] = ()) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        found = tuple(word for part in text.lower().split(",") if (word := part.strip()))
        unknown = [word for word in found if known and word not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"“{unknown[0][:40]}” is none of {', '.join(known)}")
        return found

    return read
