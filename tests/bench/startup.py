"""How soon the window is there, and the engine behind it.

Bar: time to the first painted window at most 2x that of an empty PySide6 window; engine
ready within 1.15x of a bare `LLMEngine` (process start to its first answer; medians of
alternating starts in one run); no torch, vLLM or transformers in the window's process.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from engine.store.folders import starter_folder
from tests.bench.bare_engine import BareEngine

ROOT = Path(__file__).resolve().parents[2]
WINDOW_STARTS = 11
ENGINE_STARTS = 3
BAR_WINDOW = 2.0
BAR_ENGINE = 1.15


def start(arguments: list[str], home: str) -> dict[str, dict[str, Any]]:
    """Run the probe; its events with seconds since the process was started."""
    environment = {**os.environ, "INGLENOOK_HOME": home}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    # As on a user's machine: the first start writes the byte code, the others find it.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.startup_probe", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not events:
        raise SystemExit(f"the probe said nothing: {done.stderr[-2000:]}")
    for event in events:
        event["seconds"] = event["at"] - began
    return {event["event"]: event for event in events}


def main() -> int:
    """Start everything in turn, print the figures, compare with the bar."""
    bare_window: list[float] = []
    our_window: list[float] = []
    bare_engine: list[float] = []
    our_engine: list[float] = []
    forbidden: set[str] = set()
    stages: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as home:
        link = starter_folder({"INGLENOOK_HOME": home})
        link.parent.mkdir(parents=True)
        link.symlink_to(starter_folder(), target_is_directory=True)
        for number in range(WINDOW_STARTS + 1):
            bare = start(["bare"], home)["painted"]["seconds"]
            ours = start(["app", "scripted", "painted"], home)["painted"]
            forbidden |= set(ours["forbidden"])
            if number:  # the first start of each reads everything from the disk
                bare_window.append(bare)
                our_window.append(ours["seconds"])
        for number in range(ENGINE_STARTS + 1):
            began = time.monotonic()
            engine = BareEngine(starter_folder())
            engine.ready()
            ready = time.monotonic() - began
            engine.close()
            events = start(["app", "vllm", "ready"], home)
            if "ready" not in events:
                raise SystemExit(f"the engine did not come: {events}")
            forbidden |= set(events["ready"]["forbidden"])
            stages = events["ready"]["stages"]
            if number:
                bare_engine.append(ready)
                our_engine.append(events["ready"]["seconds"])
    window = statistics.median(our_window) / statistics.median(bare_window)
    engine_ratio = statistics.median(our_engine) / statistics.median(bare_engine)
    passed = window <= BAR_WINDOW and engine_ratio <= BAR_ENGINE and not forbidden
    figures = {
        "bench": "startup",
        "passed": passed,
        "window_ratio": round(window, 2),
        "bar_window_ratio": BAR_WINDOW,
        "engine_ratio": round(engine_ratio, 3),
        "bar_engine_ratio": BAR_ENGINE,
        "forbidden_in_window": sorted(forbidden),
        "bare_window_s": [round(value, 3) for value in bare_window],
        "our_window_s": [round(value, 3) for value in our_window],
        "bare_engine_s": [round(value, 2) for value in bare_engine],
        "our_engine_s": [round(value, 2) for value in our_engine],
        "stages_s": stages,
    }
    print(json.dumps(figures))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
