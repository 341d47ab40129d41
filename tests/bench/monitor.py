"""What the live monitor costs: ``python -m tests.bench.monitor [real|panel]``.

Bar:

- The real engine, 16 streams, on the hardware that is there: its throughput with the panel open is
  at least 0.99 of that with the panel closed, in one run in whose short slices it is open, closed,
  closed, open (the mean of 48 against the mean of 48; the standard error is told beside it).
- The scripted engine, 32 streams, a pool of 10,000 blocks, two GPUs (the stub of NVML), four
  readings a second: the open panel costs at most 8 % of a core more than the closed one, and no
  turn of the event loop that draws it takes more than 16 ms of its thread's time. (By the clock
  such a turn may be longer where other programs have the processor; that is told beside it.)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from engine.store.folders import starter_folder
from tests.helpers.nvml_stub import Scenario, two_3090s

ROOT: Final = Path(__file__).resolve().parents[2]
BAR_THROUGHPUT: Final = 0.99
BAR_CPU_PERCENT: Final = 8.0
BAR_FRAME_MS: Final = 16.0
PARTS: Final = ("real", "panel")


def probe(part: str, environment: dict[str, str], *arguments: str) -> dict[str, Any]:
    """What a part says, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.monitor_probe", part, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=1200,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        raise SystemExit(f"the part {part} failed ({done.returncode}): {done.stdout[-2000:]}")
    print(f"{part}: {lines[-1]}", flush=True)
    figures: dict[str, Any] = json.loads(lines[-1])
    return figures


def main() -> int:
    """Measure, print the figures, compare with the bar."""
    parts = sys.argv[1:] or list(PARTS)
    model = starter_folder()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    figures: dict[str, Any] = {"bench": "monitor"}
    held: dict[str, bool] = {}
    with tempfile.TemporaryDirectory(prefix="inglenook-bench-") as home:
        scenario = Scenario(Path(home) / "scenario", two_3090s())
        environment = {**scenario.environment(), "INGLENOOK_HOME": f"{home}/home"}
        if "real" in parts:
            # Two GPUs that are not there would be drawn at the cost of an engine on the processor.
            real = {**os.environ, "INGLENOOK_HOME": f"{home}/real"}
            found = probe("real", real, str(model))
            figures |= {f"real_{name}": value for name, value in found.items()}
            held["throughput"] = found["throughput_ratio"] >= BAR_THROUGHPUT
        if "panel" in parts:
            found = probe("panel", environment)
            figures |= {f"panel_{name}": value for name, value in found.items()}
            held["cpu"] = found["cpu_percent_more"] <= BAR_CPU_PERCENT
            held["frame"] = found["longest_frame_ms"] <= BAR_FRAME_MS
            held["all_is_shown"] = bool(found["all_is_shown"])
    figures["bars"] = {
        "throughput_ratio": BAR_THROUGHPUT,
        "cpu_percent_more": BAR_CPU_PERCENT,
        "longest_frame_ms": BAR_FRAME_MS,
    }
    figures["missed"] = [name for name, holds in held.items() if not holds]
    figures["passed"] = all(held.values())
    print(json.dumps(figures))
    return 0 if figures["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
