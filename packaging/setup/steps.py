"""What a set-up consists of: each step knows whether it is done, and how to do it.

A step leaves a stamp when it is complete, and only then; the stamp's key says of what (lock
file, Python, flavour), so that a change of any of these does the step again. Asking whether all
is done costs some hundred file looks and starts nothing.
"""

import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from setup import environment, packages, system
from setup.failures import SetupError, explain
from setup.flavour import CUDA
from setup.layout import Layout
from setup.pip_install import LARGE, Installer
from setup.stamps import digest, stamp
from setup.system import GIB, Distribution
from setup.tool import ToolError, run_tool

# Disk in bytes: the environment (3.8 GB for the CPU), the copies pip keeps of what it downloads,
# and the files of one batch.
_SPACE = {"cpu": 5 * GIB, "cuda": 15 * GIB}
_DOWNLOAD = {"cpu": "about 1.1 GB", "cuda": "about 5 GB"}
_FLAVOUR_NAME = {"cpu": "CPU", "cuda": "CUDA"}

Update = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Context:
    """What every step is given.

    Attributes:
        keep_open: file descriptors for the tools to inherit: the lock of the set-up.
    """

    layout: Layout
    flavour: str
    distribution: Distribution
    environ: Mapping[str, str]
    keep_open: tuple[int, ...] = ()


class Step(Protocol):
    """A part of the set-up."""

    @property
    def title(self) -> str:
        """What the user reads."""

    def is_done(self) -> bool:
        """Whether nothing is left to do; cheap, starts nothing."""

    def run(self, update: Update) -> str:
        """Do it.

        Args:
            update: to be called now and then with what is being done.

        Returns: a note for the user to read, or "".

        Raises:
            SetupError: with the cause and the cure.
        """


@dataclass(frozen=True, slots=True)
class EnvironmentStep:
    """The private environment of the right flavour, empty at first."""

    context: Context
    # The NVIDIA driver that the flavour was chosen by, to notice another one later.
    driver: str = ""
    title: str = "Private environment"

    def is_done(self) -> bool:  # noqa: D102
        layout = self.context.layout
        if stamp(layout, "environment").read().get("flavour") != self.context.flavour:
            return False
        return environment.is_sound(layout)

    def run(self, update: Update) -> str:  # noqa: D102
        layout = self.context.layout
        if not environment.has_venv_module():
            raise environment.no_venv_module(self.context.distribution)
        note = "made again" if layout.venv.exists() else ""
        update("making .venv")
        environment.make(layout, self.context.distribution)
        stamp(layout, "environment").write(flavour=self.context.flavour, driver=self.driver)
        return note


@dataclass(frozen=True, slots=True)
class PackagesStep:
    """The packages of one lock file."""

    context: Context
    lock_name: str
    title: str

    def is_done(self) -> bool:  # noqa: D102
        layout = self.context.layout
        noted = stamp(layout, self.lock_name).read()
        if noted.get("key") != self.key():
            return False
        return not packages.deleted(noted.get("witnesses", {}), layout.site_packages)

    def key(self) -> str:
        """What the stamp has to say for the step to be done."""
        lock = self.context.layout.lock_file(self.lock_name)
        return digest(lock.read_bytes(), sys.version, self.context.flavour)

    def run(self, update: Update) -> str:  # noqa: D102
        layout = self.context.layout
        pins = packages.read_lock(layout.lock_file(self.lock_name))
        absent = {pin.name for pin in packages.missing(pins, layout.site_packages)}
        if absent & LARGE:
            system.check_space(layout.venv, _SPACE[self.context.flavour], self.title)
        installer = Installer(layout, update, self.context.keep_open)
        installer.install(self.lock_name, self.title)
        note = self._drop_torchvision(installer)
        witnesses = packages.witnesses(pins, layout.site_packages)
        stamp(layout, self.lock_name).write(key=self.key(), witnesses=witnesses)
        return note

    def _drop_torchvision(self, installer: Installer) -> str:
        """Do without torchvision where it does not match torch: transformers would not import."""
        layout = self.context.layout
        names = {item.pin.name for item in packages.installed(layout.site_packages)}
        if self.lock_name != CUDA or "torchvision" not in names:
            return ""
        try:
            run_tool([layout.python, "-c", "import torchvision"], log=layout.log)
        except ToolError:
            installer.uninstall(["torchvision", "torchaudio", "torchcodec"])
            return "without torchvision, which does not match this torch"
        return ""


@dataclass(frozen=True, slots=True)
class TrialStep:
    """Imports the engine once: a library it lacks is told now, not in the window."""

    context: Context
    after: PackagesStep
    title: str = "Trying the engine"
    modules: tuple[str, ...] = ("torch", "transformers", "vllm")

    def is_done(self) -> bool:  # noqa: D102
        return bool(stamp(self.context.layout, "trial").read().get("key") == self.after.key())

    def run(self, update: Update) -> str:  # noqa: D102
        layout = self.context.layout
        try:
            run_tool(
                [layout.python, "-c", f"import {', '.join(self.modules)}"],
                log=layout.log,
                on_tick=lambda: update(f"importing {', '.join(self.modules)}"),
                environ={**self.context.environ, "HF_HUB_OFFLINE": "1", "DO_NOT_TRACK": "1"},
                keep_open=self.context.keep_open,
            )
        except ToolError as failure:
            library = re.search(r"(lib\S+\.so\S*): cannot open shared", failure.output)
            if library:
                raise SetupError(
                    f"The engine needs a system library that is not there: {library.group(1)}.",
                    self.context.distribution.library_line([library.group(1)]),
                    log=layout.log,
                ) from failure
            raise explain(failure.output, self.title, layout.log) from failure
        stamp(layout, "trial").write(key=self.after.key())
        return ""


@dataclass(frozen=True, slots=True)
class StarterStep:
    """The starter model, made from its package in the user's model store."""

    context: Context
    title: str = "Starter model, converted once (270 MB)"

    def is_done(self) -> bool:  # noqa: D102
        from engine.store import folders, starter

        return starter.is_complete(folders.starter_folder(self.context.environ))

    def run(self, update: Update) -> str:  # noqa: D102
        from engine.store.folders import models_folder
        from engine.store.library.store_place import away_text

        if away := away_text(models_folder(self.context.environ)):
            return f"left out. {away}"  # the window opens, and says so as well
        layout = self.context.layout
        doing = "starting"

        def note(line: str) -> None:
            nonlocal doing
            doing = line

        try:
            run_tool(
                [layout.python, "-m", "engine.store.starter"],
                log=layout.log,
                on_line=note,
                on_tick=lambda: update(doing),
                environ=self.context.environ,
                folder=layout.root,
                keep_open=self.context.keep_open,
            )
        except ToolError as failure:
            # It speaks to the user itself.
            last = failure.output.strip().rsplit("\n", 1)[-1] or f"exit status {failure.status}"
            raise SetupError(last, log=layout.log) from failure
        return ""


@dataclass(frozen=True, slots=True)
class LibrariesStep:
    """The system libraries that Qt opens a window with.

    Attributes:
        programs: programs that have to be there as well, for the tests.
        install: install what is missing, where we may; else its line is named.
    """

    context: Context
    after: PackagesStep
    programs: Mapping[str, str] = field(default_factory=dict)
    install: bool = False
    title: str = "System libraries"

    def is_done(self) -> bool:  # noqa: D102
        if not all(shutil.which(name) for name in self.programs):
            return False
        noted = stamp(self.context.layout, "libraries").read().get("keys", [])
        return isinstance(noted, list) and self._key() in noted

    def run(self, update: Update) -> str:  # noqa: D102
        update("looking for what Qt needs")
        names = self._missing()
        note = ""
        if names and self.install and self.context.distribution == Distribution("apt", root=True):
            self._apt_install(update)
            names = self._missing()
            note = "installed with apt"
        if names:
            libraries = [name for name in names if name not in self.programs]
            raise SetupError(
                f"These are missing on this system: {', '.join(names)}.", self._line(libraries)
            )
        # A list: the same machine may be used with X11 today and with Wayland tomorrow.
        noted = stamp(self.context.layout, "libraries").read().get("keys", [])
        keys = sorted({*(noted if isinstance(noted, list) else []), self._key()})
        stamp(self.context.layout, "libraries").write(keys=keys)
        return note

    def _key(self) -> str:
        return digest(self.after.key(), system.platform_plugin(self.context.environ))

    def _missing(self) -> list[str]:
        programs = [name for name in self.programs if not shutil.which(name)]
        return programs + system.missing_libraries(self.context.layout, self.context.environ)

    def _line(self, libraries: list[str]) -> str:
        packages_of_programs = [
            package for name, package in self.programs.items() if not shutil.which(name)
        ]
        return self.context.distribution.library_line(libraries, packages_of_programs)

    def _apt_install(self, update: Update) -> None:
        libraries = [name for name in self._missing() if name not in self.programs]
        names = self._line(libraries).split(" install ", 1)[1].split()
        environ = {**self.context.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for arguments in (["update"], ["install", "-y", "--no-install-recommends", *names]):
            try:
                run_tool(
                    ["apt-get", *arguments],
                    log=self.context.layout.log,
                    on_tick=lambda: update(f"installing {' '.join(names)}"),
                    environ=environ,
                )
            except ToolError as failure:
                # An update that fails for one source of several need not matter.
                if arguments != ["update"]:
                    raise explain(failure.output, self.title, self.context.layout.log) from failure


def packages_title(flavour: str) -> str:
    """The title of the step that brings most of it."""
    return f"Engine, {_FLAVOUR_NAME[flavour]} flavour ({_DOWNLOAD[flavour]})"


def with_environ(context: Context, **values: str) -> Context:
    """`context` with some environment variables set otherwise."""
    return replace(context, environ={**context.environ, **values})
