"""Files that are none, paths that are none, streams that nobody reads: said in words, at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import FrameType

import pytest

from desktop.models.loading.model_key import model_key
from desktop.models.loading.outlook import read_model
from desktop.terminal import plan_sources
from engine.plain_file import open_plain
from engine.planner.shape import ShapeError, read_shape, shape_of_folder
from engine.quantize import folders
from engine.quantize.samples import read_samples
from engine.quantize.wire import QuantizeError
from engine.store import gguf_folders
from engine.store.model_folder import ModelFolderError
from engine.weight_file import parse_header, read_tensors

ROOT = Path(__file__).resolve().parents[2]
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "vocab_size": 1000,
}


@pytest.fixture
def piped(tmp_path: Path) -> Path:
    """A folder whose files are all pipes, with nobody at the other end."""
    folder = tmp_path / "piped"
    folder.mkdir()
    for name in ("config.json", "model.safetensors", "text.txt", "text.jsonl"):
        os.mkfifo(folder / name)
    return folder


def test_a_pipe_in_a_models_folder_is_no_file_and_nothing_waits_for_it(piped: Path) -> None:
    with pytest.raises(ShapeError, match="it is no file"):
        shape_of_folder(piped)
    with pytest.raises(ModelFolderError):
        read_model(str(piped))
    with pytest.raises(OSError, match="it is no file"):
        read_tensors(piped / "model.safetensors")
    assert model_key(str(piped))


def test_a_pipe_is_no_gguf_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.gguf")
    with pytest.raises(ShapeError, match="it is no file"):
        shape_of_folder(tmp_path / "model.gguf")
    with pytest.raises(OSError, match="it is no file"):
        gguf_folders.fingerprint(tmp_path / "model.gguf")
    assert model_key(str(tmp_path / "model.gguf"))


@pytest.mark.parametrize("name", ["text.txt", "text.jsonl"])
def test_a_pipe_is_no_calibration_text(piped: Path, name: str) -> None:
    with pytest.raises(QuantizeError, match="it is no file"):
        read_samples(piped / name)


def test_only_files_of_bytes_are_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12")
    with open_plain(tmp_path / "file") as file:
        assert file.read() == b"12"
    for odd in (tmp_path, Path("/dev/zero"), tmp_path / "none"):
        with pytest.raises(OSError):
            open_plain(odd)


@pytest.mark.parametrize("name", ["a" * 5000, "a/" + "b" * 5000, "/" + "c" * 5000, "\udcff" * 300])
def test_what_is_no_path_at_all_is_said_to_plan(name: str) -> None:
    with pytest.raises(ShapeError) as error:
        plan_sources.read_model(name, "main", lambda _done, _count: None)
    assert len(str(error.value)) < 500
    str(error.value).encode()


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(QuantizeError, match="Not a directory"),
        folders.made_whole(tmp_path / "file" / "model"),
    ):
        pass


def test_layers_do_not_look_at_each_other() -> None:
    """Of 10,000 layers each looked at all the others: half a minute, on a thread of the window."""

    def calls(layers: int) -> int:
        count = 0

        def note(_frame: FrameType, _event: str, _argument: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(note)
        try:
            shape = read_shape({**CONFIG, "num_hidden_layers": layers})
        finally:
            sys.setprofile(None)
        assert shape.layers == layers
        return count

    assert calls(2000) < 15 * calls(200)


def run(*arguments: str, stdout: int | None) -> subprocess.CompletedProcess[str]:
    """A command of the program, with this stdout; None: a closed one."""
    return subprocess.run(
        [sys.executable, "-m", "desktop", *arguments],
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=(lambda: os.close(1)) if stdout is None else None,
    )


@pytest.mark.parametrize("as_json", [False, True])
def test_what_a_full_disk_does_not_take_is_said(tmp_path: Path, *, as_json: bool) -> None:
    words = ["plan", str(model_of(tmp_path)), "--gpus", "24", *["--json"] * as_json]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = run(*words, stdout=full.fileno())
    assert done.returncode == 1
    assert done.stderr == ("inglenook: The answer cannot be written: No space left on device.\n")


def test_a_closed_stdout_costs_the_table_only(tmp_path: Path) -> None:
    done = run("plan", str(model_of(tmp_path)), "--gpus", "24", stdout=None)
    assert (done.returncode, done.stderr) == (0, "")


def model_of(folder: Path) -> Path:
    """A folder that can be planned."""
    (folder / "config.json").write_text(json.dumps({**CONFIG, "num_hidden_layers": 2}))
    return folder


LONG = "9" * 4_000  # digits


@pytest.mark.parametrize(
    "entry",
    [
        f'{{"dtype": "BF16", "shape": [{", ".join([LONG] * 2_000)}], "data_offsets": [0, 2]}}',
        f'{{"dtype": "BF16", "shape": [{", ".join(["2"] * 40)}], "data_offsets": [0, 2]}}',
        f'{{"dtype": "BF16", "shape": [1], "data_offsets": [0, {LONG}]}}',
        f'{{"dtype": "I{LONG}", "shape": [1], "data_offsets": [0, 2]}}',
        '{"dtype": ["BF16"], "shape": [1], "data_offsets": [0, 2]}',
    ],
    ids=["long numbers", "many of them", "offset", "bits", "no name"],
)
def test_numbers_that_no_weight_file_has_are_refused_not_multiplied(entry: str) -> None:
    with pytest.raises(ValueError, match="makes no sense"):
        parse_header(f'{{"model.layers.0.q_proj.qweight": {entry}}}'.encode())


def test_digits_of_another_script_are_no_number_of_bits() -> None:
    entry = '{"dtype": "I²", "shape": [4, 4], "data_offsets": [0, 2]}'
    tensors, _ = parse_header(f'{{"model.layers.0.q_proj.qweight": {entry}}}'.encode())
    quantised = {"quantization_config": {"quant_method": "awq", "bits": 4}}
    assert read_shape({**CONFIG, "num_hidden_layers": 1, **quantised}, tensors).layers == 1
