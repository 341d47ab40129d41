"""Arguments first: the window, or a sub-command for the terminal.

Those are found before any window code is imported, so that they also work where there
is no display.
"""

from __future__ import annotations

import builtins
import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop.version import VERSION

if TYPE_CHECKING:
    import argparse

EPILOG = """\
Without arguments the window opens. To ask one question on the terminal:

  %(prog)s chat "What is the capital of France?"
  %(prog)s chat --help

Whether a model fits, on this computer or on other hardware:

  %(prog)s plan --help

Models: find, fetch, list, check, delete:

  %(prog)s models --help

A 4-bit model (AWQ) of a model, verified against it:

  %(prog)s quantize --help

A folder of safetensors of a GGUF file:

  %(prog)s convert --help

What this machine has, and what is wrong with it:

  %(prog)s doctor --help

Chats, settings and logs are kept under your home folder (XDG folders), or all under
INGLENOOK_HOME if that is set. Nothing leaves this computer; a hub is asked only for models you
look for.
"""
COMMANDS = ("chat", "models", "plan", "quantize", "convert", "doctor")
_SHOWN = 80  # characters of a word that is none of them


def parser() -> argparse.ArgumentParser:
    """The arguments of the window."""
    import argparse  # most starts have none to read

    from desktop.program_name import command

    result = argparse.ArgumentParser(
        prog=command(),
        usage=f"%(prog)s [options]\n       %(prog)s {{{','.join(COMMANDS)}}} ...",
        description="Chat with a language model that runs on this computer.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument(
        "--model",
        metavar="MODEL",
        default="",
        help="load this model at the start: a folder, or the name of an installed model",
    )
    result.add_argument("--version", action="version", version=f"Inglenook {VERSION}")
    developers = result.add_argument_group("for developers")
    developers.add_argument(
        "--engine",
        choices=("vllm", "scripted"),
        default="vllm",
        help="the real engine, or one that plays back a script without any model",
    )
    developers.add_argument(
        "--script",
        metavar="TEXT",
        default="",
        help='how the scripted engine behaves, e.g. "tokens_per_second=60 load_seconds=2"',
    )
    return result


def unknown(word: str) -> str:
    """That a first word is no sub-command, and which there are."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in word[:_SHOWN])
    *others, last = COMMANDS
    return f"there is no command “{shown}”; there are {', '.join(others)} and {last}"


def named_model(text: str) -> str:
    """Where the model lies that --model names. Ends the process, as argparse does, for none."""
    import os

    if os.path.exists(os.path.expanduser(text)):  # noqa: PTH110, PTH111 - most starts end here
        return text
    from desktop.terminal.installed import NotInstalledError, SeveralError, required_path

    try:
        return str(required_path(text))
    except (NotInstalledError, SeveralError) as error:
        parser().error(str(error))


def prepare() -> None:
    """Import the window quickly; the first paint turns the collector on again."""
    # While modules load nothing becomes garbage, and looking for it takes a tenth of the start.
    gc.disable()
    # PySide6 hooks into each import after its own and reads the importing module's source, to
    # look for its feature switches. We use none: ours are imported without the hook.
    plain = builtins.__import__
    import PySide6.QtWidgets

    hooked, builtins.__import__ = builtins.__import__, plain
    try:
        import desktop.app
    finally:
        builtins.__import__ = hooked
    del PySide6, desktop


def main(argv: Sequence[str] | None = None) -> int:
    """Run Inglenook; the exit code is 0 when all went as asked."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] == "chat":
        from desktop.terminal_chat import main as chat

        return chat(arguments[1:])
    if arguments and arguments[0] == "quantize":
        from desktop.terminal.heard import heard
        from desktop.terminal.quantize import main as quantize

        return heard(quantize, arguments[1:])
    if arguments and arguments[0] == "models":
        from desktop.terminal.heard import heard
        from desktop.terminal.models import main as models

        return heard(models, arguments[1:])
    if arguments and arguments[0] == "plan":
        from desktop.terminal.heard import heard
        from desktop.terminal.plan import main as plan

        return heard(plan, arguments[1:])
    if arguments and arguments[0] == "convert":
        from desktop.program_name import command
        from desktop.terminal.heard import heard
        from desktop.terminal.installed import named_file
        from engine.store.convert import main as convert

        program = command("convert")
        return heard(lambda given: convert(given, program, named_file), arguments[1:])
    if arguments and arguments[0] == "doctor":
        from desktop.terminal.doctor import main as doctor
        from desktop.terminal.heard import heard

        return heard(doctor, arguments[1:])
    if arguments and not arguments[0].startswith("-"):
        parser().error(unknown(arguments[0]))
    found = parser().parse_args(arguments) if arguments else None
    if found is not None and found.model:
        found.model = named_model(found.model)
    prepare()
    from desktop.app import Options
    from desktop.app import main as open_window

    if found is None:
        return open_window(Options())
    return open_window(Options(found.model, found.engine, found.script))


if __name__ == "__main__":
    sys.exit(main())
