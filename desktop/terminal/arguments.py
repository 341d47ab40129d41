"""The arguments of `chat`, and where its prompt comes from."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from desktop.program_name import command
from desktop.terminal.events import ChatRequest
from desktop.terminal.installed import NotInstalledError, SeveralError, required_path

MAX_STDIN: Final = 4 * 1024 * 1024  # bytes; a long book

EPILOG: Final = """\
The prompt is the argument; or what is piped in, if there is no argument or it is "-".
With both, the piped text follows the argument:

  git diff | %(prog)s "Write a commit message for this change:"

Without either, on a terminal, a conversation begins: a line each, Ctrl-D ends it.
A prompt that begins with - comes after --.

The answer goes to stdout as it is written, all else to stderr: a line of what it cost at
the end, progress only on a terminal. Ctrl-C stops the answer and keeps what there is of it;
a second Ctrl-C ends the program at once. If the window is open, it answers, with the model
that it has loaded, and shows the chat.

exit codes:
  0    answered
  1    the engine, the model or the window failed
  2    wrong usage: an empty prompt, an unknown option or chat
  3    the prompt is too long for the model
  4    the chats could not be opened or saved
  130  stopped with Ctrl-C (128 + the signal's number for other signals)
  141  what read the answer went away (a closed pipe)
"""


class UsageError(Exception):
    """The arguments or the prompt make no sense; the text says why."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for.

    Attributes:
        prompt: "" to read it elsewhere, "-" for stdin.
        stream: with `json`, lines while the answer comes.
        engine, script: for developers; see the window's arguments.
    """

    request: ChatRequest
    prompt: str
    json: bool = False
    stream: bool = False
    quiet: bool = False
    engine: str = "vllm"
    script: str = ""


DEFAULT_MAX_TOKENS = 2048


def parser() -> argparse.ArgumentParser:
    """The arguments of `chat`."""
    result = argparse.ArgumentParser(
        prog=command("chat"),
        usage="%(prog)s [options] [prompt ...]",
        description="Ask the language model that runs on this computer.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("prompt", nargs="*", help='the question; "-" reads it from stdin')
    result.add_argument(
        "--model", metavar="MODEL", default="", help="a folder, or the name of an installed model"
    )
    result.add_argument("--system", metavar="TEXT", help="the system prompt; an empty one for none")
    result.add_argument(
        "--temperature", type=_number(float, 0, 2), metavar="T", help="0 is without chance"
    )
    result.add_argument(
        "--max-tokens",
        type=_number(int, 1, 2**31),
        metavar="N",
        help=f"the longest answer ({DEFAULT_MAX_TOKENS:,} in a new chat)",
    )
    result.add_argument(
        "--seed", type=_number(int, 0, 2**63 - 1), metavar="N", help="the same seed, same answer"
    )
    which = result.add_mutually_exclusive_group()
    which.add_argument(
        "--continue",
        dest="chat",
        metavar="CHAT_ID",
        default="",
        help="go on with this chat (the beginning of its id is enough); options given here "
        "are kept for it",
    )
    which.add_argument("--last", action="store_true", help="go on with the chat that changed last")
    which.add_argument("--no-save", action="store_true", help="keep nothing of this chat")
    result.add_argument(
        "--json",
        action="store_true",
        help="one JSON object on stdout: answer, tokens, prompt_tokens, tokens_per_second, ttft, "
        "kv_blocks, finish_reason, model, chat_id; if it fails: error, code, exit_code",
    )
    result.add_argument(
        "--stream", action="store_true", help="with --json: a JSON object a line as it comes"
    )
    result.add_argument("-q", "--quiet", action="store_true", help="no line of costs, no progress")
    developers = result.add_argument_group("for developers")
    developers.add_argument("--engine", choices=("vllm", "scripted"), default="vllm")
    developers.add_argument("--script", metavar="TEXT", default="")
    return result


def parse(arguments: Sequence[str]) -> Options:
    """Read the command line. Ends the process with code 2 where argparse does.

    Raises:
        UsageError: what argparse does not see.
    """
    given = parser().parse_args(list(arguments))
    if given.stream and not given.json:
        raise UsageError("--stream goes with --json.")
    if given.chat and len(given.chat) < 4:
        raise UsageError("--continue needs at least 4 characters of the chat's id.")
    parameters = {
        name: getattr(given, name)
        for name in ("temperature", "max_tokens", "seed")
        if getattr(given, name) is not None
    }
    if not (given.chat or given.last):
        # A small model can repeat itself until its context is full; a script must not wait for it.
        parameters.setdefault("max_tokens", DEFAULT_MAX_TOKENS)
    model = str(_path_of(given.model)) if given.model else ""
    request = ChatRequest(
        model=model,
        system=None if given.system is None else readable(given.system),
        parameters=parameters,
        chat=given.chat,
        last=given.last,
        save=not given.no_save,
    )
    return Options(
        request,
        readable(" ".join(given.prompt)),
        given.json,
        given.stream,
        given.quiet,
        given.engine,
        given.script,
    )


def _path_of(model: str) -> Path:
    try:
        return required_path(model)
    except (NotInstalledError, SeveralError) as error:
        raise UsageError(str(error)) from error


def readable(argument: str) -> str:
    """An argument whose bytes were not UTF-8, with U+FFFD in their place."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def read_prompt(argument: str, stdin: BinaryIO | None, warn: Callable[[str], None]) -> str | None:
    """The whole prompt; None: there is none, and somebody sits at a terminal to type it.

    Raises:
        UsageError: it is empty, or too much was piped in.
    """
    piped = ""
    if argument == "-" or _is_piped(stdin):
        piped = _read(stdin, warn)
    elif not argument.strip() and stdin is not None and stdin.isatty():
        return None
    asked = "" if argument == "-" else argument
    parts = [part for part in (asked.strip(), piped.strip("\r\n")) if part.strip()]
    if not parts:
        raise UsageError(
            "The prompt is empty. Ask something: "
            f'{command("chat")} "What is the capital of France?"'
        )
    return "\n\n".join(parts)


def _is_piped(stdin: BinaryIO | None) -> bool:
    """Whether stdin is a pipe, a socket or a file: not a terminal, not /dev/null."""
    if stdin is None:
        return False
    try:
        mode = os.fstat(stdin.fileno()).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISREG(mode)


def _read(stdin: BinaryIO | None, warn: Callable[[str], None]) -> str:
    if stdin is None:
        return ""
    try:
        data = stdin.read(MAX_STDIN + 1)
    except OSError as error:
        raise UsageError(f"stdin cannot be read: {error.strerror or error}.") from error
    if len(data) > MAX_STDIN:
        raise UsageError(
            f"More than {MAX_STDIN // 2**20} MB were piped in, which no model reads. Pipe less."
        )
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        warn(
            f"What was piped in is not all UTF-8 (first at byte {error.start:,}); what could not "
            "be read was replaced."
        )
        return data.decode("utf-8", "replace")


def _number(
    kind: type[int] | type[float], least: float, most: float
) -> Callable[[str], int | float]:
    def convert(text: str) -> int | float:
        value = kind(text)
        if not least <= value <= most:  # NaN too
            raise argparse.ArgumentTypeError(f"{text} is not within {least:g} and {most:g}")
        return value

    convert.__name__ = kind.__name__  # argparse's messages name it
    return convert


def stdin_bytes() -> BinaryIO | None:
    """Stdin's bytes; None where it is closed."""
    return None if sys.stdin is None else sys.stdin.buffer
