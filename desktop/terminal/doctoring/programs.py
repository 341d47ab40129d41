"""What must start: the window's libraries, the engine's, and with `--full` a model."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from desktop.terminal.doctoring.findings import Finding, State, run
from engine.failure_words import words

IMPORT_SECONDS: Final = 180.0  # of a cold disk; warm it takes 10
WINDOW_SECONDS: Final = 60.0
ANSWER_SECONDS: Final = 400.0
REPAIR: Final = "./packaging/run --repair"
ROOT: Final = Path(__file__).resolve().parents[3]

_LIBRARIES: Final = words("Engine libraries")
_GGUF: Final = words("GGUF files")
_DISPLAY: Final = words("Window")
_ANSWER: Final = words("An answer")

_SLOW_IMPORT: Final = words("They were not imported within {seconds} s.")
_IS_SLOW: Final = words("Is the disk very slow, or the memory full?")
_KILLED: Final = words("Importing them ends the process (signal {signal}): {reason}")
_ENDED: Final = words("Importing them ends the process (code {code}): {reason}")
_IMPORTED: Final = words("{versions}; imported in {seconds} s.")

_CONVERTED: Final = words(
    "They are converted first: the processor cannot compute with their weights."
)
_NO_PLUGIN: Final = words(
    "vLLM's GGUF plugin is not installed, so all of them are converted first."
)
_PLUGIN: Final = words(
    "vLLM's plugin {version} loads {kinds} as they are; others are converted first."
)

_NO_DISPLAY: Final = words("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set).")
_CHAT_ONLY: Final = words('./packaging/run chat "…" needs none.')
_SLOW_QT: Final = words("Qt did not start within {seconds} s: does the display answer?")
_TRY_AGAIN: Final = words("Try again from a terminal of the desktop.")
_OPENS: Final = words("Qt opens windows ({name}).")
_NO_WINDOW: Final = words("Qt cannot open a window: {reason}")
_RUN_NAMES: Final = words("./packaging/run names the libraries that are missing.")

_NO_ANSWER: Final = words("None came within {seconds} s.")
_SEE_LOG: Final = words("Look into the log: Help, Engine log.")
_ANSWERED: Final = words("The starter model answered ({seconds} s to the first token).")
_FAILED: Final = words("None came: {reason}")

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
    if ran.code is None:
        text = _SLOW_IMPORT.format(seconds=f"{IMPORT_SECONDS:.0f}")
        return Finding(_LIBRARIES, State.PROBLEM, text, _IS_SLOW)
    line = next((line for line in ran.out.splitlines() if line.startswith("FOUND")), "")
    if not line:
        text = (_KILLED if ran.code < 0 else _ENDED).format(
            signal=-ran.code, code=ran.code, reason=ran.last_line
        )
        return Finding(_LIBRARIES, State.PROBLEM, text, REPAIR)
    found: dict[str, tuple[str, str, float]] = json.loads(line.removeprefix("FOUND"))
    broken = [f"{each}: {fault}" for each, (_, fault, _) in found.items() if fault]
    if broken:
        return Finding(_LIBRARIES, State.PROBLEM, "; ".join(broken), REPAIR)
    seconds = sum(took for _, _, took in found.values())
    versions = ", ".join(f"{each} {version}" for each, (version, _, _) in found.items())
    text = _IMPORTED.format(versions=versions, seconds=f"{seconds:.0f}")
    return Finding(_LIBRARIES, State.OK, text)


def gguf_files() -> Finding:
    """Whether GGUF files are loaded as they are, by vLLM's plugin, or have to be converted."""
    from importlib import metadata

    from engine.environment import is_cpu_build
    from engine.store.gguf_way import PLUGIN, PLUGIN_ARCHITECTURES

    if is_cpu_build(Path(sys.prefix)):
        return Finding(_GGUF, State.OK, _CONVERTED)
    try:
        version = metadata.version(PLUGIN)
    except metadata.PackageNotFoundError:
        return Finding(_GGUF, State.WARNING, _NO_PLUGIN, REPAIR)
    text = _PLUGIN.format(version=version, kinds=", ".join(sorted(PLUGIN_ARCHITECTURES)))
    return Finding(_GGUF, State.OK, text)


def display() -> Finding:
    """A window can be opened."""
    if not any(os.environ.get(each) for each in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return Finding(_DISPLAY, State.NOTE, _NO_DISPLAY, _CHAT_ONLY)
    ran = run([sys.executable, "-P", "-c", _WINDOW], WINDOW_SECONDS)
    if ran.code is None:
        text = _SLOW_QT.format(seconds=f"{WINDOW_SECONDS:.0f}")
        return Finding(_DISPLAY, State.PROBLEM, text, _TRY_AGAIN)
    line = next((line for line in ran.out.splitlines() if line.startswith("FOUND")), "")
    if ran.code == 0 and line:
        return Finding(_DISPLAY, State.OK, _OPENS.format(name=line.split()[-1]))
    text = _NO_WINDOW.format(reason=ran.last_line)
    return Finding(_DISPLAY, State.PROBLEM, text, _RUN_NAMES)


def answer() -> Finding:
    """The engine starts, loads the starter model and answers: in a home of its own."""
    from engine.store.folders import starter_folder

    with tempfile.TemporaryDirectory(prefix="inglenook-doctor-") as home:
        environ = {**os.environ, "INGLENOOK_HOME": home, "PYTHONPATH": str(ROOT)}
        command = [
            *(sys.executable, "-P", "-m", "desktop", "chat", "--json", "--quiet", "--no-save"),
            *("--model", str(starter_folder()), "--max-tokens", "1", "Hello"),
        ]
        ran = run(command, ANSWER_SECONDS, environ, ROOT)
    if ran.code is None:
        text = _NO_ANSWER.format(seconds=f"{ANSWER_SECONDS:.0f}")
        return Finding(_ANSWER, State.PROBLEM, text, _SEE_LOG)
    try:
        told = json.loads(ran.out)
        if ran.code == 0 and told["tokens"] >= 1:
            text = _ANSWERED.format(seconds=f"{told['ttft']:.1f}")
            return Finding(_ANSWER, State.OK, text)
        reason = str(told.get("error") or ran.last_line)
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = ran.last_line
    return Finding(_ANSWER, State.PROBLEM, _FAILED.format(reason=reason), REPAIR)
