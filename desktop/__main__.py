"""Arguments first: the window, or the sub-command `chat` for the terminal.

`chat` is found before any window code is imported, so that it also works where there
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

  inglenook chat "What is the capital of France?"
  inglenook chat --help

Whether a model fits, on this computer or on other hardware:

  inglenook plan --help

A 4-bit model (AWQ) of a model, verified against it:

  inglenook quantize --help

A folder of safetensors of a GGUF file:

  inglenook convert --help

What this machine has, and what is wrong with it:

  inglenook doctor --help

Chats, settings and logs are kept under your home folder (XDG folders), or all under
INGLENOOK_HOME if that is set. Nothing leaves this computer.
"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the window."""
    import argparse  # most starts have none to read

    result = argparse.ArgumentParser(
        prog="inglenook",
        description="Chat with a language model that runs on this computer.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument(
        "--model", metavar="FOLDER", default="", help="load the model in this folder at the start"
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
    if arguments and arguments[0] == "plan":
        from desktop.terminal.heard import heard
        from desktop.terminal.plan import main as plan

        return heard(plan, arguments[1:])
    if arguments and arguments[0] == "convert":
        from desktop.terminal.heard import heard
        from engine.store.convert import main as convert

        return heard(convert, arguments[1:])
    if arguments and arguments[0] == "doctor":
        from desktop.terminal.doctor import main as doctor
        from desktop.terminal.heard import heard

        return heard(doctor, arguments[1:])
    found = parser().parse_args(arguments) if arguments else None
    prepare()
    from desktop.app import Options
    from desktop.app import main as open_window

    if found is None:
        return open_window(Options())
    return open_window(Options(found.model, found.engine, found.script))


if __name__ == "__main__":
    sys.exit(main())
