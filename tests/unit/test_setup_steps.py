"""The steps of a set-up with stand-ins for pip, apt and ldd: stamps, repairs, what is told."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from setup import cli, environment, flavour, runner, stamps, steps, system
from setup.failures import SetupError
from setup.layout import Layout, layout_for
from setup.pip_install import TORCH_CPU_INDEX, Installer
from setup.progress import StepLine
from setup.system import Distribution
from setup.tool import ToolError, run_tool

DEBIAN = Distribution("apt", root=False)

# Stands for .venv/bin/python: `-m pip install` lays a .dist-info down for each pin; FAKE_PIP
# makes it fail; the arguments of each call are kept in calls.txt.
FAKE_PYTHON = """\
#!{python}
import os, sys
from pathlib import Path
site, arguments = Path({site!r}), sys.argv[1:]
with open(Path({site!r}).parent / "calls.txt", "a") as calls:
    calls.write(" ".join(arguments) + "\\n")
mode = os.environ.get("FAKE_PIP", "")
if arguments[0] == "-c":
    sys.exit("operator torchvision::nms does not exist" if mode == "bad torchvision" else 0)
if mode == "no torch" and "--index-url" not in arguments and "torch==2.0" in arguments:
    sys.exit("ERROR: No matching distribution found for torch==2.0")
if mode == "disk full":
    sys.exit("ERROR: [Errno 28] No space left on device")
if "install" in arguments:
    for pin in arguments:
        name, equals, version = pin.partition("==")
        if equals and mode != "lies":
            folder = site / f"{{name}}-{{version}}.dist-info"
            folder.mkdir()
            (folder / "METADATA").write_text("x")
            (folder / "RECORD").write_text(f"{{folder.name}}/METADATA,,1\\n")
"""


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    result = layout_for(tmp_path)
    (result.site_packages / "pip").mkdir(parents=True)
    (result.site_packages / "pip" / "__main__.py").touch()
    result.python.parent.mkdir(parents=True)
    result.python.write_text(
        FAKE_PYTHON.format(python=sys.executable, site=str(result.site_packages))
    )
    result.python.chmod(0o755)
    (tmp_path / "packaging").mkdir()
    result.lock_file("cpu").write_text("torch==2.0\none==1\ntwo==1\n")
    return result


def calls(layout: Layout) -> list[str]:
    path = layout.site_packages.parent / "calls.txt"
    return path.read_text().splitlines() if path.exists() else []


def context(layout: Layout, **environ: str) -> steps.Context:
    return steps.Context(layout, "cpu", DEBIAN, {**os.environ, **environ})


def ignore(_detail: str) -> None:
    pass


def test_packages_are_stamped_when_all_are_there(layout: Layout) -> None:
    step = steps.PackagesStep(context(layout), "cpu", "Engine")
    assert not step.is_done()
    step.run(ignore)
    assert step.is_done()
    assert [call.split(" --no-deps ")[1] for call in calls(layout)] == [
        "torch==2.0",
        "one==1 two==1",
    ]
    layout.lock_file("cpu").write_text("torch==2.0\none==1\ntwo==1\nthree==3\n")
    assert not step.is_done(), "another lock file, another stamp"
    step.run(ignore)
    assert calls(layout)[-1].endswith("--no-deps three==3")


def test_a_stamp_that_cannot_be_read_is_none(layout: Layout) -> None:
    step = steps.PackagesStep(context(layout), "cpu", "Engine")
    step.run(ignore)
    stamps.stamp(layout, "cpu").path.write_text("{half")
    assert not step.is_done()


def test_a_pip_that_lies_is_found_out(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_PIP", "lies")
    step = steps.PackagesStep(context(layout), "cpu", "Engine")
    with pytest.raises(SetupError, match=r"torch==2\.0"):
        step.run(ignore)
    assert not step.is_done()


def test_a_full_disk_in_the_middle(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_PIP", "disk full")
    step = steps.PackagesStep(context(layout), "cpu", "Engine")
    with pytest.raises(SetupError, match="disk is full") as caught:
        step.run(ignore)
    assert caught.value.log == layout.log
    assert "Errno 28" in layout.log.read_text()
    assert not step.is_done()
    monkeypatch.setenv("FAKE_PIP", "")
    step.run(ignore)
    assert step.is_done()


def test_only_torch_is_looked_for_on_its_own_index(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PIP", "no torch")
    details: list[str] = []
    Installer(layout, details.append).install("cpu", "Engine")
    asked = [call for call in calls(layout) if "--index-url" in call]
    assert len(asked) == 1
    assert asked[0].endswith(f"--index-url {TORCH_CPU_INDEX} torch==2.0")
    assert calls(layout)[-1].endswith("--no-deps one==1 two==1")
    assert any(detail.startswith("1 of 3, ") for detail in details)


@pytest.mark.parametrize("bad", [False, True])
def test_a_torchvision_that_does_not_match_goes(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, bad: bool
) -> None:
    layout.lock_file("cuda").write_text("torch==2.0\ntorchvision==1\n")
    monkeypatch.setenv("FAKE_PIP", "bad torchvision" if bad else "")
    monkeypatch.setattr(system, "check_space", lambda *_: None)
    note = steps.PackagesStep(context(layout), "cuda", "Engine").run(ignore)
    gone = [call for call in calls(layout) if "uninstall" in call]
    assert bool(gone) is bad
    assert ("without torchvision" in note) is bad
    if bad:
        assert gone[0].endswith("torchvision torchaudio torchcodec")


def test_the_space_for_the_engine_is_asked_before_it_is_fetched(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(system, "check_space", lambda _folder, needed, _what: asked.append(needed))
    step = steps.PackagesStep(context(layout), "cpu", "Engine")
    step.run(ignore)
    assert asked == [5 << 30]
    layout.lock_file("cpu").write_text("torch==2.0\none==2\n")
    step.run(ignore)
    assert len(asked) == 1, "a small change needs no gigabytes"


def test_no_venv_module(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "has_venv_module", lambda: False)
    with pytest.raises(SetupError, match="without its venv module") as caught:
        steps.EnvironmentStep(context(layout)).run(ignore)
    assert caught.value.cure.startswith("sudo apt install python3.")


@pytest.mark.parametrize("root", [False, True])
def test_missing_libraries_are_installed_where_we_may_else_named(
    layout: Layout, tmp_path: Path, root: bool
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (layout.site_packages / "PySide6").mkdir()
    (layout.site_packages / "PySide6" / "QtWidgets.abi3.so").touch()
    scripts = {
        "ldd": f"[ -e {tmp_path}/there ] || echo ' libxcb-cursor.so.0 => not found'",
        "apt-get": f"echo $* >> {tmp_path}/apt; [ $1 = update ] || touch {tmp_path}/there\n"
        f"[ $1 = update ] || {{ echo '#!/bin/sh' > {tools}/Xvfb-x; chmod +x {tools}/Xvfb-x; }}",
    }
    for name, text in scripts.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
        here = steps.Context(
            layout, "cpu", Distribution("apt", root=root), {**os.environ, "DISPLAY": ":0"}
        )
        engine = steps.PackagesStep(here, "cpu", "Engine")
        step = steps.LibrariesStep(here, engine, {"Xvfb-x": "xvfb"}, install=True)
        assert not step.is_done()
        if root:
            assert step.run(ignore) == "installed with apt"
            installed = (tmp_path / "apt").read_text().splitlines()
            assert installed[0] == "update"
            assert installed[1].endswith("libxcb-cursor0 xvfb")
            assert step.is_done()
        else:
            with pytest.raises(SetupError, match=r"Xvfb-x, libxcb-cursor\.so\.0") as caught:
                step.run(ignore)
            assert caught.value.cure == "sudo apt install libxcb-cursor0 xvfb"
            assert not step.is_done()


def test_a_trial_that_fails_is_not_stamped(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = steps.PackagesStep(context(layout), "cpu", "Engine")
    step = steps.TrialStep(context(layout, FAKE_PIP="bad torchvision"), engine)
    with pytest.raises(SetupError, match="torchvision::nms"):
        step.run(ignore)
    assert not step.is_done()
    step = steps.TrialStep(context(layout, FAKE_PIP=""), engine)
    step.run(ignore)
    assert step.is_done()


class FakeStep:
    """A step that notes when it is run."""

    def __init__(self, title: str, done: bool = False, error: BaseException | None = None) -> None:
        self.title = title
        self.done = done
        self.error = error
        self.ran = 0

    def is_done(self) -> bool:
        return self.done

    def run(self, update: steps.Update) -> str:
        self.ran += 1
        update("working")
        if self.error:
            raise self.error
        self.done = True
        return "a note"


def test_only_what_is_left_is_carried_out(layout: Layout) -> None:
    first, second = FakeStep("First", done=True), FakeStep("Second")
    shown = io.StringIO()
    runner.carry_out([first, second], layout, shown)
    assert (first.ran, second.ran) == (0, 1)
    lines = shown.getvalue().splitlines()
    assert lines[0] == "[1/2] First: done before"
    assert lines[1].startswith("[2/2] Second … 0.")
    assert lines[1].endswith(" s  a note")
    assert runner.all_done([first, second])


@pytest.mark.parametrize(
    "error", [SetupError("x"), KeyboardInterrupt(), OSError(28, "No space left on device")]
)
def test_what_follows_a_failure_is_not_begun(layout: Layout, error: BaseException) -> None:
    first, second = FakeStep("First", error=error), FakeStep("Second")
    shown = io.StringIO()
    wanted = SetupError if isinstance(error, OSError) else type(error)
    with pytest.raises(wanted):
        runner.carry_out([first, second], layout, shown)
    assert second.ran == 0
    assert "failed after" in shown.getvalue()


def test_one_set_up_at_a_time(tmp_path: Path) -> None:
    waited: list[bool] = []
    with runner.only_one(tmp_path, lambda: waited.append(True)) as held:
        code = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], 0), 6)"
        other = subprocess.run([sys.executable, "-c", code, tmp_path], check=False, stderr=-3)
        assert other.returncode != 0, "another process could take the lock"
        assert held > 0
    with runner.only_one(tmp_path, lambda: waited.append(True)):
        pass
    assert waited == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_is_alive_on_a_terminal_alone() -> None:
    now = [0.0]
    shown = Terminal()
    line = StepLine(2, 6, "Engine (1.1 GB)", shown, clock=lambda: now[0])
    now[0] = 12.0
    line.update("37 of 162, downloading torch (191.8 MB)" + "x" * 100)
    now[0] = 71.4
    line.done()
    text = shown.getvalue()
    assert "[2/6] Engine … 12 s  37 of 162, downloading torch (191.8 MB)" in text
    assert all(len(part) <= 80 for part in text.replace("\x1b[K", "").split("\r"))
    assert text.endswith("\r\x1b[K[2/6] Engine (1.1 GB) … 71 s\n")


def test_a_tool_is_logged_and_stopped_with_us(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "log"
    lines: list[str] = []
    output = run_tool(["sh", "-c", "echo one; printf 'two\\rthree'"], log=log, on_line=lines.append)
    assert lines == ["one", "two", "three"]
    assert output.splitlines() == lines
    assert "three" in log.read_text()
    with pytest.raises(ToolError) as caught:
        run_tool(["sh", "-c", "echo why >&2; exit 4"], log=log)
    assert (caught.value.status, caught.value.output) == (4, "why")

    def interrupt(line: str) -> None:
        lines.append(line)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tool(["sh", "-c", "echo $$; exec sleep 60"], log=log, on_line=interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int(lines[-1]), signal.SIGKILL)


@pytest.mark.parametrize(
    ("arguments", "setup_only", "repair", "window", "rest"),
    [
        ([], False, False, True, ()),
        (["--model", "/m"], False, False, True, ("--model", "/m")),
        (["--setup-only"], True, False, False, ()),
        (["--repair", "chat", "hello"], False, True, False, ("chat", "hello")),
        (["--repair"], False, True, False, ()),
        (["chat", "--setup-only"], False, False, False, ("chat", "--setup-only")),
        (["--version"], False, False, False, ("--version",)),
    ],
)
def test_our_arguments_come_first(
    arguments: list[str], setup_only: bool, repair: bool, window: bool, rest: tuple[str, ...]
) -> None:
    wish = cli.read_wish("run", arguments)
    assert (wish.setup_only, wish.repair, wish.window, wish.rest) == (
        setup_only,
        repair,
        window,
        rest,
    )


def test_where_only_the_system_is_to_be_looked_at_nothing_is_told(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = context(layout, QT_QPA_PLATFORM="xcb")
    engine = steps.PackagesStep(given, "cpu", "Engine")
    look = steps.LibrariesStep(given, engine)
    missing = ["libxcb.so.1"]
    monkeypatch.setattr(system, "missing_libraries", lambda _layout, _environ: missing)
    assert not cli._look([engine, look]), "there is more to do"
    engine.run(ignore)
    assert not cli._look([engine, steps.LibrariesStep(given, engine, install=True)])
    with pytest.raises(SetupError, match=r"libxcb\.so\.1"):
        cli._look([engine, look])
    missing.clear()
    assert cli._look([engine, look])
    assert look.is_done()
    missing.append("libxcb.so.1")
    assert cli._look([engine, look]), "it is not looked at again"
    assert capsys.readouterr() == ("", "")


def test_the_tests_get_all_arguments() -> None:
    assert cli.read_wish("test", ["--repair", "-h"]).rest == ("--repair", "-h")


@pytest.mark.parametrize(
    ("there", "noted", "mark", "environ", "wanted"),
    [
        ("", "", "", {}, "chosen"),
        ("cpu", "", "", {}, "cpu"),
        ("cuda", "580", "", {}, "cuda"),  # a driver that is gone for a day costs nothing
        ("cpu", "", "580", {}, "chosen"),  # a driver that has come does
        ("cpu", "470", "470", {}, "cpu"),  # one that is too old is not asked each time
        ("cpu", "470", "580", {}, "chosen"),  # until it is another
        ("cuda", "580", "580", {"INGLENOOK_FLAVOUR": "cpu"}, "chosen"),
    ],
)
def test_a_flavour_stays_until_there_is_a_reason(
    layout: Layout,
    monkeypatch: pytest.MonkeyPatch,
    there: str,
    noted: str,
    mark: str,
    environ: dict[str, str],
    wanted: str,
) -> None:
    if there:
        stamps.stamp(layout, "environment").write(flavour=there, driver=noted)
    monkeypatch.setattr(flavour, "choose", lambda _environ: flavour.Choice("chosen", ""))
    assert cli.choose_flavour(layout, environ, mark).flavour == wanted


def test_a_new_driver_of_no_use_is_asked_once(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def choose(_environ: object) -> flavour.Choice:
        asked.append(True)
        return flavour.Choice("cpu", "too old")

    monkeypatch.setattr(flavour, "choose", choose)
    stamps.stamp(layout, "environment").write(flavour="cpu", driver="")
    for _ in range(2):
        assert cli.choose_flavour(layout, {}, "470").flavour == "cpu"
    assert len(asked) == 1


@pytest.mark.parametrize("is_mount_point", [True, False])
def test_no_starter_model_is_made_where_the_stores_disk_is_not(
    layout: Layout, tmp_path: Path, is_mount_point: bool
) -> None:
    place = tmp_path / "usb"
    (tmp_path / "home" / "data").mkdir(parents=True)
    (tmp_path / "home" / "data" / "models").symlink_to(place)
    if is_mount_point:
        place.mkdir()
    step = steps.StarterStep(context(layout, INGLENOOK_HOME=str(tmp_path / "home")))
    assert not step.is_done()
    assert "The disk with your models is not there" in step.run(ignore)
    assert not calls(layout), "it was made"
    assert not place.exists() or not list(place.iterdir())
