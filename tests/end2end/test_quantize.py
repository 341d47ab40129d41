"""A real model quantised for real: on the terminal, verified, refused when spoilt, run by vLLM."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from engine.protocol import LoadSettings
from engine.quantize.samples import SHIPPED
from engine.quantize.wire import Report
from engine.store import made_folder
from tests.helpers.failure_lab import Lab, Trial, chat
from tests.helpers.trained_model import FOLDER

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.real_engine,
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        find_spec("awq") is None, reason="needs packaging/requirements-quantize.txt"
    ),
]
# A job with autoawq as it is: on a CPU its tries of scales pile up.
UNCURED = """\
import sys
from engine.quantize import autoawq_tool, work
from engine.quantize.wire import Job
cured = autoawq_tool._CuredQuantizer
cured._compute_best_scale = autoawq_tool.AwqQuantizer._compute_best_scale
print(work.run(Job(model=sys.argv[1], target=sys.argv[2], group_size=64, calibration=sys.argv[3],
                   device="cpu"), lambda _event: None).code)
"""


def environ(home: Path) -> dict[str, str]:
    return {**os.environ, "INGLENOOK_HOME": str(home), "PYTHONPATH": str(ROOT)}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "desktop", "quantize", *map(str, arguments)]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half of the text that ships, in pieces that this model's tokenizer keeps short."""
    path = tmp_path_factory.mktemp("text") / "mine.jsonl"
    pieces = [part.strip()[:600] for part in SHIPPED.read_text().split("\n---\n")][:16]
    path.write_text("".join(json.dumps({"text": piece}) + "\n" for piece in pieces))
    return path


@pytest.fixture(scope="module")
def made(text: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """The quantised model's folder, and the events of its making."""
    home = tmp_path_factory.mktemp("home")
    target = home / "models" / "small-AWQ"
    left = target.with_name(".another.quantizing")
    left.mkdir(parents=True)
    done = subprocess.run(
        command(FOLDER, target, "--group-size", 64, "--calibration", text, "--json"),
        cwd=home,
        env=environ(home),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-600:] + done.stderr[-600:]
    assert not left.exists(), "what a killed one left is removed"
    return target, [json.loads(line) for line in done.stdout.splitlines()]


Made = tuple[Path, list[dict[str, Any]]]


def test_it_is_better_than_rounding_and_says_so(made: Made) -> None:
    target, events = made
    assert events[0]["event"] == "planned"
    assert events[-1]["event"] == "finished"
    report = msgspec.convert(events[-1]["report"], Report)
    assert report.refusal == ""
    assert report.original < report.awq < report.rounding
    assert report.awq_agreement > report.rounding_agreement
    assert report.awq_bytes < report.original_bytes / 2
    manifest = json.loads((target / "inglenook.json").read_text())
    assert manifest["verified"]["awq"] == report.awq
    assert manifest["made"]["tool"] == "autoawq 0.2.9"
    shares = [event["share"] for event in events if event["event"] == "progress"]
    assert shares == sorted(shares)


def test_the_folder_is_whole(made: Made) -> None:
    target, _events = made
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    config = json.loads((target / "config.json").read_text())
    assert config["quantization_config"] == {
        "quant_method": "awq",
        "version": "gemm",
        "bits": 4,
        "group_size": 64,
        "zero_point": True,
    }
    for name in ("tokenizer.json", "chat_template.jinja"):
        assert (target / name).read_bytes() == (FOLDER / name).read_bytes()
    files = made_folder.manifest_of(target)["files"]
    assert {*files, made_folder.MANIFEST} == {path.name for path in target.iterdir()}
    assert made_folder.changed(target) == ""


def test_vllm_runs_it(made: Made, lab: Lab) -> None:
    asked = chat("The value of", max_tokens=16)
    outcome = lab.run(Trial(str(made[0]), LoadSettings(max_model_len=256), ask=(asked,)))
    assert outcome.loaded is not None, outcome
    (answer,) = outcome.answers
    assert answer.failure is None
    written = answer.text
    # It has read little but Python's documentation: words and spaces, no noise.
    assert len(written.split()) >= 2
    assert written.isascii()


def test_the_ruin_of_autoawq_as_it_is_is_noticed_and_leaves_nothing(
    text: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", UNCURED, FOLDER, tmp_path / "ruined", text],
        cwd=ROOT,
        env={**environ(tmp_path), "TQDM_DISABLE": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.strip() == "worse_than_rounding", done.stderr[-800:]
    assert not list(tmp_path.glob("*ruined*"))


def test_a_killed_terminal_leaves_no_process(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command(FOLDER, tmp_path / "made", "--json"), env=environ(tmp_path), cwd=tmp_path
    )
    parent = psutil.Process(process.pid)
    while not (children := parent.children(recursive=True)):
        assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    _gone, alive = psutil.wait_procs(children, timeout=15)
    assert not alive
