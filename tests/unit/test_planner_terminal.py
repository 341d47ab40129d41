"""`inglenook plan` on the terminal: the table, the JSON, the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop.__main__ import main
from desktop.terminal import plan_sources
from desktop.terminal.plan import ExitCode
from engine.planner.learned import Learned
from engine.planner.machine import GIB, Gpu, Host, Machine
from engine.planner.needs import needed_gigabytes
from engine.planner.plan import Wish, plan
from engine.planner.shape import shape_of_folder
from engine.store.starter import PACKAGE, find_gguf
from tests.helpers.asked_hub import asked_hub
from tests.helpers.loopback_hub import files_of
from tests.helpers.tiny_models import make_tiny_model

ROOT = Path(__file__).resolve().parents[2]
BIG = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "num_hidden_layers": 80,
    "hidden_size": 8192,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 128_256,
    "intermediate_size": 28_672,
    "max_position_embeddings": 131_072,
    "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128},
}


@pytest.fixture(autouse=True)
def _this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A computer that is the same everywhere, where nothing was ever loaded."""
    host = Host(32 * GIB, 24 * GIB, 8, frozenset({"avx2"}))
    monkeypatch.setattr(plan_sources, "read_machine", lambda: Machine((), host))
    monkeypatch.setattr(plan_sources, "learned", Learned)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def big(tmp_path: Path) -> str:
    folder = tmp_path / "Big-70B-AWQ"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(BIG))
    return str(folder)


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    return str(make_tiny_model(tmp_path / "Tiny"))


def run(*arguments: str) -> int:
    return main(["plan", *arguments])


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = run(*arguments, "--json")
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


def test_a_table(big: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(big, "--gpus", "2x3090") == ExitCode.FITS
    out, _ = capsys.readouterr()
    assert "Big-70B-AWQ" in out
    assert "AWQ, 4 bits, group 128 · 37.0 GiB · made for 131,072 tokens" in out
    assert "✓ Fits on 2 × RTX 3090: 7,024 tokens a chat." in out
    assert out.count("weights                               18.5 GiB") == 2
    assert "At most 50 tokens/s for one chat" in out
    assert "Use 97% of the GPU memory → 17,824 tokens" in out
    assert "\033" not in out
    assert max(len(line) for line in out.splitlines()) <= 88


def test_what_does_not_fit(big: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(big, "--gpus", "3090") == ExitCode.DOES_NOT_FIT
    out = " ".join(capsys.readouterr().out.split())
    assert "✗ Does not fit on GPU 0 (RTX 3090). The weights take 37.0 GiB" in out
    assert "! missing" in out
    two = needed_gigabytes(shape_of_folder(Path(big)), 4096, 2)
    assert f"two with {two} GB each" in out


@pytest.mark.parametrize("tp", [1, 2])
def test_what_it_takes_is_what_is_enough(big: str, tp: int) -> None:
    shape = shape_of_folder(Path(big))
    size = needed_gigabytes(shape, 8192, tp)
    assert size is not None

    def fits(gigabytes: int) -> bool:
        total = int(gigabytes * GIB * 23.55 / 24)
        gpus = tuple(Gpu(index, "card", total) for index in range(tp))
        machine = Machine(gpus, Host(GIB, GIB))
        return plan(shape, machine, Wish(context=8192, tp=tp), explain=False).fits

    assert fits(size)
    assert not fits(size - 1)


def test_this_computer_and_a_named_one(tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny) == ExitCode.FITS
    assert "Fits in 32.0 GiB of memory, on the processor: 2,048 tokens" in capsys.readouterr().out
    code, answer = as_json(capsys, tiny, "--gpus", "none", "--ram", "8")
    assert code == ExitCode.FITS
    assert answer["machine"]["host"]["ram_available"] == 8 * GIB
    assert answer["machine"]["gpus"] == []


def test_json(big: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = as_json(
        capsys, big, "--gpus", "2x24", "--context", "16,384", "--chats", "2", "--kv", "fp8"
    )
    assert code == ExitCode.DOES_NOT_FIT
    assert answer["fits"] is False
    assert answer["plan"]["context"] == 16_384
    assert answer["plan"]["tp"] == 2
    assert answer["plan"]["settings"]["kv_cache_dtype"] == "fp8"
    assert {problem["code"] for problem in answer["plan"]["problems"]} >= {"kv_too_small"}
    assert answer["shape"]["format"] == "awq"
    assert {change["code"] for change in answer["changes"]} >= {"context", "utilisation"}
    options = ["--tp", "1", "--devices", "1", "--utilisation", "0.8", "--sequences", "4", "--eager"]
    _, answer = as_json(capsys, big, "--gpus", "2x24", *options)
    chosen = answer["plan"]["settings"]
    assert chosen["devices"] == [1]
    assert (chosen["gpu_memory_utilization"], chosen["max_num_seqs"]) == (0.8, 4)
    assert chosen["enforce_eager"] is True


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["m", "--gpus"], ["m", "--context", "0"], ["m", "--context", "many"]),
        *(["m", "--ram", "nan"], ["m", "--kv", "int3"], ["m", "--devices", "a,b"], ["m", "--no"]),
    ],
)
def test_wrong_usage(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == ExitCode.USAGE
    assert "usage: python -m desktop plan" in capsys.readouterr().err


def test_gpus_that_make_no_sense(tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny, "--gpus", "lots") == ExitCode.USAGE
    assert "“lots” is no GPU" in capsys.readouterr().err


def test_no_model_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(make_tiny_model(tmp_path / "m"))
    for empty in ("", "  "):
        assert run(empty) == ExitCode.USAGE
        assert "MODEL is empty" in capsys.readouterr().err
        assert as_json(capsys, empty)[1]["code"] == "model"
    assert run(".") == ExitCode.FITS


def test_gpus_that_are_not_there(tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiny, "--devices", "5") == ExitCode.DOES_NOT_FIT
    assert "There is no GPU 5 here." in capsys.readouterr().out


def test_models_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.json").write_text("{")
    (tmp_path / "broken.gguf").write_bytes(b"GGUF\3\0\0\0")
    (tmp_path / "config.json").rename(tmp_path / "other.json")
    for model in (tmp_path / "gone", tmp_path, tmp_path / "broken.gguf"):
        assert run(str(model)) == ExitCode.NO_MODEL
        out, err = capsys.readouterr()
        assert out == ""
        assert err.endswith(".\n")
    code, answer = as_json(capsys, "./gone")
    assert code == ExitCode.NO_MODEL
    assert answer["code"] == "model"
    assert answer["exit_code"] == 3


def test_a_model_on_the_hub(
    tiny: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with asked_hub(tmp_path, monkeypatch) as hub:
        hub.add("owner/tiny", {**files_of(Path(tiny)), "tiny.gguf": bytes(4_000_000)})
        code, answer = as_json(capsys, "owner/tiny", "--gpus", "8")
        assert (code, answer["shape"]["is_exact"]) == (0, True)
        assert answer["shape"]["name"] == "owner/tiny"
        code, answer = as_json(capsys, "owner/tiny:tiny.gguf", "--gpus", "8")
        assert (code, answer["shape"]["weights_bytes"]) == (0, 4_000_000)
        code, answer = as_json(capsys, "owner/none", "--gpus", "8")
        assert (code, answer["code"]) == (ExitCode.NO_HUB, "sign_in")


def test_a_gguf_file_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Looked into by another process: here the file that the starter model is made of."""
    file = find_gguf()
    assert PACKAGE in str(file).replace("_", "-")
    shape = shape_of_folder(file)
    assert (shape.format, shape.layers, shape.kv_heads, shape.vocab) == ("gguf", 30, 3, 49_152)
    assert shape.tied
    assert shape.weights_bytes == file.stat().st_size
    code, answer = as_json(capsys, str(file), "--gpus", "none")
    assert code == ExitCode.FITS
    assert "unpacked" in {problem["code"] for problem in answer["plan"]["problems"]}
    _, answer = as_json(capsys, str(file), "--gpus", "24")  # llama: the plugin is not used
    assert "unpacked" in {problem["code"] for problem in answer["plan"]["problems"]}
    assert answer["plan"]["budget"][0]["weights"] == 2 * shape.parameters


def test_a_model_store_and_names_of_a_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INGLENOOK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    stored = tmp_path / "data" / "models" / "owner" / "name"
    stored.mkdir(parents=True)
    assert plan_sources.local_path("owner/name") == stored
    assert plan_sources.local_path("owner/other") is None
    assert plan_sources.local_path("gpt2") is None
    assert plan_sources.local_path("./owner/other") == tmp_path / "owner" / "other"
    assert plan_sources.local_path("a/b/c") == tmp_path / "a/b/c"
    assert plan_sources.local_path("owner/name:../x.gguf") is not None


def test_ctrl_c(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(plan_sources, "read_model", interrupted)
    assert run(tiny) == ExitCode.INTERRUPTED


def test_it_needs_no_display_and_no_torch(tiny: str) -> None:
    environ = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    }
    code = (
        "import sys; from desktop.__main__ import main;"
        f"code = main(['plan', {tiny!r}, '--gpus', '24', '--json']);"
        "assert not {'torch', 'PySide6.QtWidgets', 'huggingface_hub'} & set(sys.modules);"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["fits"] is True
    assert done.stderr == ""
