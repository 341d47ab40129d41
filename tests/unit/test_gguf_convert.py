"""A conversion is whole or not there, says what it costs, and can be killed at any time."""

from __future__ import annotations

import errno
import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from engine.protocol import RemedyAction
from engine.store import convert as module
from engine.store import gguf_folders, made_folder
from engine.store.convert import Listener, convert, main
from engine.store.gguf_convert import sampling_told
from engine.store.gguf_cost import Cost, Meter, Progress, Stage, check_room, cost_of
from engine.store.gguf_error import GgufError
from engine.store.gguf_folders import DESCRIBED, find_conversion, folder_for
from engine.store.gguf_header import GgufHeader, read_header
from engine.store.gguf_rope import llama3_factors
from engine.store.gguf_source import source_of
from engine.store.model_folder import ModelFolderError, read_model_folder
from tests.helpers.tiny_gguf import gguf_bytes, write_tiny_gguf

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Told:
    """What a conversion told."""

    costs: list[Cost] = field(default_factory=list)
    steps: list[Progress] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def listener(self) -> Listener:
        return Listener(
            lambda _header, cost: self.costs.append(cost), self.steps.append, self.notes.append
        )


def expand(header: GgufHeader, target: Path, meter: Meter) -> None:
    """Stands for the conversion."""
    meter.enter(Stage.EXPANDING)
    meter.done(0.5)
    meter.enter(Stage.WRITING)
    (target / "config.json").write_text("{}")
    (target / "tokenizer.json").write_text("{}")
    (target / "model.safetensors").write_bytes(header.file.read_bytes())


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "Some Model: Q4.gguf"
    path.write_bytes(gguf_bytes())
    return path


def make(gguf: Path, **words: bool) -> Path:
    return convert(gguf, Told().listener(), expand=expand, **words)


def loaded_on_cpu(gguf: Path) -> Path:
    """The folder that an engine on the CPU loads for it."""
    return source_of(gguf, device="cpu", plugin=False).folder


def test_a_conversion_is_whole_and_found_again(gguf: Path) -> None:
    told = Told()
    folder = convert(gguf, told.listener(), expand=expand)
    assert folder == find_conversion(gguf)
    assert folder.parent.name == "converted"
    assert folder.name.startswith("Some-Model-Q4-")
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert made_folder.damage(folder) == ""
    assert made_folder.changed(folder) == ""
    origin = made_folder.manifest_of(folder)["origin"]
    assert origin["sha256"] == made_folder.sha256(gguf)
    assert origin["architecture"] == "llama"
    assert told.costs[0].disk > 0
    assert [step.stage for step in told.steps if step.stage is not Stage.LIBRARIES] == [
        Stage.READING,
        Stage.EXPANDING,
        Stage.WRITING,
        Stage.CHECKING,
    ]
    assert loaded_on_cpu(gguf) == folder


def test_what_is_there_is_not_made_again(gguf: Path) -> None:
    folder = make(gguf)
    mark = (folder / "model.safetensors").stat().st_ino
    assert make(gguf) == folder
    assert (folder / "model.safetensors").stat().st_ino == mark
    assert make(gguf, again=True) == folder
    assert (folder / "model.safetensors").stat().st_ino != mark


def test_a_file_keeps_its_conversion_when_it_is_renamed(gguf: Path) -> None:
    folder = make(gguf)
    assert find_conversion(gguf.rename(gguf.with_name("other.gguf"))) == folder


def test_another_file_of_the_same_name_is_another_model(gguf: Path) -> None:
    folder = make(gguf)
    gguf.write_bytes(gguf_bytes(data=b"\1" * 32))
    assert find_conversion(gguf) is None
    assert find_conversion(gguf) is None
    assert make(gguf) != folder


def test_the_engine_asks_for_a_conversion_and_takes_it(gguf: Path) -> None:
    with pytest.raises(ModelFolderError) as caught:
        read_model_folder(loaded_on_cpu(gguf))
    remedy = caught.value.failure.remedies[0]
    assert remedy.action is RemedyAction.CONVERT
    assert remedy.settings == {"file": str(gguf)}
    make(gguf)
    with pytest.raises(ModelFolderError) as caught:
        read_model_folder(loaded_on_cpu(gguf))
    # This one has an empty config; a real one loads (see the end of this module).
    assert caught.value.failure.remedies[0].action is not RemedyAction.CONVERT


def test_a_damaged_conversion_is_made_again(gguf: Path) -> None:
    folder = make(gguf)
    (folder / "model.safetensors").write_bytes(b"half")
    assert find_conversion(gguf) is None
    assert make(gguf) == folder
    assert find_conversion(gguf) == folder


def test_what_fails_leaves_nothing(gguf: Path) -> None:
    def fail(header: GgufHeader, target: Path, meter: Meter) -> None:
        expand(header, target, meter)
        raise KeyError("blk.0")

    with pytest.raises(GgufError) as caught:
        convert(gguf, Told().listener(), expand=fail)
    assert caught.value.code == "failed"
    assert "blk.0" in str(caught.value)
    assert list(folder_for(gguf).parent.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(errno.ENOSPC, "full"), "disk", "is full"),
        (OSError(errno.EROFS, "read-only"), "disk", "cannot be written"),
        (OSError(errno.EIO, "Input/output error"), "disk", "Input/output error"),
        (ImportError("no torch"), "libraries", "--repair"),
        (MemoryError(), "memory", "not enough memory"),
    ],
)
def test_trouble_of_the_machine_is_told_in_words(
    gguf: Path, error: Exception, code: str, said: str
) -> None:
    def fail(header: GgufHeader, target: Path, meter: Meter) -> None:
        raise error

    with pytest.raises(GgufError) as caught:
        convert(gguf, Told().listener(), expand=fail)
    assert caught.value.code == code
    assert said in str(caught.value)


def test_without_room_nothing_is_begun(gguf: Path, tmp_path: Path) -> None:
    cost = cost_of(read_header(gguf))
    with pytest.raises(GgufError, match="GiB of disk") as disk:
        check_room(Cost(1 << 60, 0, cost.seconds), gguf, tmp_path, 1 << 40)
    assert disk.value.code == "disk"
    with pytest.raises(GgufError, match="GiB of memory") as memory:
        check_room(cost, gguf, tmp_path, cost.memory - 1)
    assert memory.value.code == "memory"
    check_room(cost, gguf, tmp_path, cost.memory)


@pytest.mark.parametrize("is_mount_point", [True, False])
def test_nothing_is_made_where_the_stores_disk_is_not(
    gguf: Path, tmp_path: Path, is_mount_point: bool
) -> None:
    models, place = folder_for(gguf).parent.parent, tmp_path / "usb"
    models.parent.mkdir(parents=True, exist_ok=True)
    if models.is_dir():
        models.rename(tmp_path / "before")
    models.symlink_to(place)
    if is_mount_point:
        place.mkdir()
    with pytest.raises(GgufError, match="disk with your models is not there"):
        convert(gguf, Told().listener())
    assert not place.exists() or not list(place.iterdir())


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(GgufError, match="no file") as caught:
        make(tmp_path / "none.gguf")
    assert caught.value.code == "no_file"
    with pytest.raises(GgufError):
        make(tmp_path)  # a folder


def test_the_time_that_is_left_follows_what_was_measured() -> None:
    now = 0.0
    steps: list[Progress] = []
    cost = Cost(0, 0, dict.fromkeys(Stage, 10.0))
    meter = Meter(cost, steps.append, clock=lambda: now)
    meter.enter(Stage.READING)
    assert (steps[-1].fraction, steps[-1].seconds_left) == (0.0, 50.0)
    now = 40.0  # four times as slow as planned
    meter.enter(Stage.LIBRARIES)
    assert steps[-1].fraction == pytest.approx(0.2)
    assert 40.0 < steps[-1].seconds_left < 160.0
    meter.enter(Stage.CHECKING)
    meter.done(0.9)  # too soon after the one before
    assert steps[-1].fraction == pytest.approx(0.8)
    now += 2
    meter.done(5.0)
    assert (steps[-1].fraction, steps[-1].seconds_left) == (1.0, 0.0)
    assert [step.fraction for step in steps] == sorted(step.fraction for step in steps)


def test_the_terminal_says_how_to_convert(gguf: Path) -> None:
    from desktop.terminal.wording import failure_text

    with pytest.raises(ModelFolderError) as caught:
        read_model_folder(loaded_on_cpu(gguf))
    assert f"./packaging/run convert '{gguf}'" in failure_text(caught.value.failure)


# --- the command ---------------------------------------------------------------------

CHILD = """
import sys
from pathlib import Path
from engine.store import convert

def expand(header, target, meter):
    (target / "model.safetensors").write_bytes(b"half")
    print("half", flush=True)
    sys.stdin.read()

convert._real_expand = lambda **_words: expand
sys.exit(convert.main([sys.argv[1]]))
"""


def start(gguf: Path) -> subprocess.Popen[str]:
    """A conversion that has written half a model and waits."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(gguf)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    while child.stdout.readline().strip() != "half":
        assert child.poll() is None
    return child


def test_killed_in_the_middle(gguf: Path) -> None:
    with start(gguf) as child:
        child.kill()
    store = folder_for(gguf).parent
    assert [path.suffix for path in store.iterdir()] == [".partial"]
    assert find_conversion(gguf) is None
    other = gguf.with_name("other.gguf")
    other.write_bytes(gguf_bytes(data=b"\2" * 32))
    made = make(other)  # also the remains of other files go
    assert [path.name for path in store.iterdir()] == [made.name]
    assert made != make(gguf)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle(gguf: Path, number: signal.Signals) -> None:
    with start(gguf) as child:
        child.send_signal(number)
        assert child.wait() == module.INTERRUPTED
    assert list(folder_for(gguf).parent.iterdir()) == []


def test_two_at_once_wait_for_each_other(gguf: Path) -> None:
    with start(gguf) as first:
        second = subprocess.Popen(
            [sys.executable, "-m", "engine.store.convert", str(gguf), "--json"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        with second:
            assert second.stdout is not None
            assert json.loads(second.stdout.readline())["type"] == "cost"
            assert "Another conversion" in json.loads(second.stdout.readline())["text"]
            second.kill()
        first.kill()


def test_nobody_listens_any_more(gguf: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "engine.store.convert", str(gguf), "--inspect"],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert ended.returncode == 1
    assert ended.stderr == ""


def test_a_cost_without_a_conversion(gguf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--inspect", str(gguf)]) == 0
    assert "MiB of disk" in capsys.readouterr().out
    assert find_conversion(gguf) is None
    folder = make(gguf)
    assert main(["--inspect", "--json", str(gguf)]) == 0
    cost, done = map(json.loads, capsys.readouterr().out.splitlines())
    assert cost["type"] == "cost"
    assert cost["weights"] == 8
    assert done == {"type": "done", "folder": str(folder)}


def test_no_token_is_left_where_a_file_of_anyones_is_read(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    assert main(["--inspect", str(gguf)]) == 0
    assert "hf_secret" not in os.environ.values()


def test_a_failure_is_the_last_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(b"not at all")
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("bad.gguf is no GGUF file")
    assert main([str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["code"] == "not_gguf"


def test_a_model_of_nobody_is_not_found(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_file: Path) -> str:
        raise PermissionError

    monkeypatch.setattr(gguf_folders, "fingerprint", gone)
    assert find_conversion(gguf) is None


# --- for real ------------------------------------------------------------------------

REAL = """
import json, sys
from engine.store import convert
codes = []
for arguments in json.loads(sys.stdin.read()):
    codes.append(convert.main(arguments))
sys.exit("".join(map(str, codes)) != "011110")
"""


def test_what_a_file_says_of_sampling_is_kept() -> None:
    key = "general.sampling."
    header = {
        f"{key}temp": 0.20000000298023224,
        f"{key}top_k": 40,
        f"{key}top_p": 1.5,
        f"{key}min_p": math.nan,
        f"{key}penalty_repeat": "much",
    }
    assert sampling_told(header) == {"temperature": 0.2, "top_k": 40, "do_sample": True}
    assert sampling_told({f"{key}temp": 0.0}) == {}
    assert sampling_told({}) == {}


def test_real_conversions(tmp_path: Path, home: Path) -> None:
    """One process for all of them: it is the libraries that take the time."""
    factors = llama3_factors(8.0, 500_000.0, 16)
    good = write_tiny_gguf(tmp_path / "good.gguf", rope_factors=factors)
    bad = [
        write_tiny_gguf(tmp_path / "part.gguf", leave_out="blk.1.ffn_up.weight"),
        write_tiny_gguf(tmp_path / "spoilt.gguf", spoil=True),
        write_tiny_gguf(tmp_path / "strange.gguf", architecture="strange"),
        write_tiny_gguf(tmp_path / "stretched.gguf", rope_factors=[2.0] * 16),
    ]
    files = [good.file, *(one.file for one in bad)]
    ended = subprocess.run(
        [sys.executable, "-c", REAL],
        cwd=ROOT,
        input=json.dumps(
            [[str(file), "--json"] for file in files] + [[str(good.file), "--describe", "--json"]]
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert ended.returncode == 0, ended.stderr
    outcomes = [line.get("code", "done") for line in lines if line["type"] in ("done", "error")]
    assert outcomes == ["done", "missing", "damaged", "architecture", "rope", "done"]
    stages = [line["stage"] for line in lines if line["type"] == "progress"]
    assert list(dict.fromkeys(stages)) == [stage.name.lower() for stage in Stage]

    folder = find_conversion(good.file)
    assert folder is not None
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    weights = _read_bfloat16(folder / "model.safetensors")
    assert set(weights) == set(good.weights)
    for name, values in good.weights.items():
        assert weights[name].shape == values.shape
        assert np.allclose(weights[name], values, rtol=2**-7), name
    config = json.loads((folder / "config.json").read_text())
    assert config["rope_parameters"]["rope_type"] == "llama3"
    assert config["rope_parameters"]["factor"] == 8.0
    assert config["rope_parameters"]["rope_theta"] == 500_000.0
    assert not [key for key in config if key.startswith("_")]
    assert json.loads((folder / "generation_config.json").read_text())["eos_token_id"] == 2
    described = find_conversion(good.file, store=DESCRIBED)
    assert described is not None
    assert not list(described.glob("*.safetensors"))
    for name in ("config.json", "tokenizer.json", "chat_template.jinja"):
        assert (described / name).is_file()
    small = json.loads((described / "config.json").read_text())
    assert small["rope_parameters"] == config["rope_parameters"]
    facts = read_model_folder(loaded_on_cpu(good.file))
    assert (facts.layers, facts.kv_heads, facts.head_dim, facts.context) == (2, 2, 32, 131_072)


def _read_bfloat16(path: Path) -> dict[str, np.ndarray]:
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    found = {}
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if name == "__metadata__":
            continue
        assert entry["dtype"] == "BF16"
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        halves = np.frombuffer(content[start:end], dtype=np.uint16).astype(np.uint32) << 16
        found[name] = halves.view(np.float32).reshape(entry["shape"])
    return found
