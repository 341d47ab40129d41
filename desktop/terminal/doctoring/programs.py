"""What must start: the window's libraries, the engine's, and with `--full` a model."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from desktop.terminal.doctoring.findings import Finding, State, run

IMPORT_SECONDS: Final = 180.0  # of a cold disk; warm it takes 10
WINDOW_SECONDS: Final = 60.0
ANSWER_SECONDS: Final = 400.0
REPAIR: Final = "./packaging/run --repair"
ROOT: Final = Path(__file__).resolve().parents[3]

_LOOK = """
import importlib, json, time
found = {}
for name in ("torch", "transformers", "vllm", "tokenizers", "safetensors"):
    began = time.monotonic()
    try:
        module = importlib.import_module(name)
        found[name] = [getattr(module, "__version__", "?"), "", time.monotonic() - began]
    except BaseException as error:
        found[name] = ["", f"{type(error).__name__}: {error}"[:300], time.monotonic() - began]
print("FOUND" + json.dumps(found))
"""
_WINDOW = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication(sys.argv[:1])
print("FOUND", app.platformName())
"""


def engine_libraries() -> Finding:
    """They are imported, as the engine would: in a process of their own."""
    from engine.environment import engine_environment

    environ = engine_environment(dict(os.environ))
    ran = run([sys.executable, "-P", "-c", _LOOK], IMPORT_SECONDS, environ, tempfile.gettempdir())
    name = "Engine libraries"
    if ran.code is None:
        text = f"They were not imported within {IMPORT_SECONDS:.0f} s."
        return Finding(name, State.PROBLEM, text, "Is the disk very slow, or the memory full?")
    line = next((line for line in ran.out.splitlines() if line.startswith("FOUND")), "")
    if not line:
        how = f"signal {-ran.code}" if ran.code < 0 else f"code {ran.code}"
        text = f"Importing them ends the process ({how}): {ran.last_line}"
        return Finding(name, State.PROBLEM, text, REPAIR)
    found: dict[str, tuple[str, str, float]] = json.loads(line.removeprefix("FOUND"))
    broken = [f"{each}: {fault}" for each, (_, fault, _) in found.items() if fault]
    if broken:
        return Finding(name, State.PROBLEM, f"{'; '.join(broken)}", REPAIR)
    seconds = sum(took for _, _, took in found.values())
    versions = ", ".join(f"{each} {version}" for each, (version, _, _) in found.items())
    return Finding(name, State.OK, f"{versions}; imported in {seconds:.0f} s.")


def gguf_files() -> Finding:
    """Whether GGUF files are loaded as they are, by vLLM's plugin, or have to be converted."""
    from importlib import metadata

    from engine.environment import is_cpu_build
    from engine.store.gguf_way import PLUGIN, PLUGIN_ARCHITECTURES

    name = "GGUF files"
    if is_cpu_build(Path(sys.prefix)):
        text = "They are converted first: the processor cannot compute with their weights."
        return Finding(name, State.OK, text)
    try:
        version = metadata.version(PLUGIN)
    except metadata.PackageNotFoundError:
        text = "vLLM's GGUF plugin is not installed, so all of them are converted first."
        return Finding(name, State.WARNING, text, REPAIR)
    known = ", ".join(sorted(PLUGIN_ARCHITECTURES))
    text = f"vLLM's plugin {version} loads {known} as they are; others are converted first."
    return Finding(name, State.OK, text)


def display() -> Finding:
    """A window can be opened."""
    name = "Window"
    if not any(os.environ.get(each) for each in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        text = "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)."
        return Finding(name, State.NOTE, text, './packaging/run chat "…" needs none.')
    ran = run([sys.executable, "-P", "-c", _WINDOW], WINDOW_SECONDS)
    if ran.code is None:
        text = f"Qt did not start within {WINDOW_SECONDS:.0f} s: does the display answer?"
        return Finding(name, State.PROBLEM, text, "Try again from a terminal of the desktop.")
    line = next((line for line in ran.out.splitlines() if line.startswith("FOUND")), "")
    if ran.code == 0 and line:
        return Finding(name, State.OK, f"Qt opens windows ({line.split()[-1]}).")
    return Finding(
        name,
        State.PROBLEM,
        f"Qt cannot open a window: {ran.last_line}",
        "./packaging/run names the libraries that are missing.",
    )


def answer() -> Finding:
    """The engine starts, loads the starter model and answers: in a home of its own."""
    from engine.store.folders import starter_folder

    name = "An answer"
    with tempfile.TemporaryDirectory(prefix="inglenook-doctor-") as home:
        environ = {**os.environ, "INGLENOOK_HOME": home, "PYTHONPATH": str(ROOT)}
        command = [
            *(sys.executable, "-P", "-m", "desktop", "chat", "--json", "--quiet", "--no-save"),
            *("--model", str(starter_folder()), "--max-tokens", "1", "Hello"),
        ]
        ran = run(command, ANSWER_SECONDS, environ, ROOT)
    if ran.code is None:
        text = f"None came within {ANSWER_SECONDS:.0f} s."
        return Finding(name, State.PROBLEM, text, "Look into the log: Help, Show the engine's log.")
    try:
        told = json.loads(ran.out)
        if ran.code == 0 and told["tokens"] >= 1:
            text = f"The starter model answered ({told['ttft']:.1f} s to the first token)."
            return Finding(name, State.OK, text)
        reason = str(told.get("error") or ran.last_line)
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = ran.last_line
    return Finding(name, State.PROBLEM, f"None came: {reason}", REPAIR)
