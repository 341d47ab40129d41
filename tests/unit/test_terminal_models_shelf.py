"""`models list`, `verify`, `rm`, and names of installed models wherever a model is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.__main__ import main
from desktop.terminal import installed, models_rm, quantize, questions
from desktop.terminal.arguments import UsageError, parse
from desktop.terminal.models_outcome import ExitCode
from engine.quantize.wire import Job
from engine.store import made_folder
from engine.store.folders import models_folder
from tests.helpers.tiny_gguf import gguf_bytes
from tests.helpers.tiny_models import make_tiny_model

REPO = "acme/Tiny-1M"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INGLENOOK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hf"))
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def model() -> Path:
    return install(REPO)


def install(repo: str, variant: str = "", **shape: Any) -> Path:
    """A model as a download leaves it."""
    name = repo.replace("/", "--") + (f"--{variant}" if variant else "")
    folder = make_tiny_model(models_folder() / "hub" / name, **shape)
    origin = {
        "kind": "hub",
        "endpoint": "https://hub.example.org",
        "repo": repo,
        "revision": COMMIT,
        "asked": "main",
        "variant": variant,
        "licence": "apache-2.0",
    }
    made_folder.seal(folder, origin)
    return folder


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main(["models", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["models", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


# --- list ------------------------------------------------------------------------------------


def test_nothing_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "list")
    assert code == 0
    assert "No model is installed" in out
    assert "search --starter" in out
    assert err == ""
    code, answer = told(capsys, "list")
    assert (code, answer["models"], answer["unfinished"], answer["bin"]) == (0, [], [], [])


def test_list(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "list")
    assert (code, err) == (0, "")
    assert REPO in out
    assert "2,048 tokens · apache-2.0 · model store" in out
    assert str(model) in out
    _, answer = told(capsys, "list")
    (found,) = answer["models"]
    assert found["path"] == str(model)
    assert found["repo"] == REPO
    assert found["commit"] == COMMIT
    assert found["source"] == "store"
    assert found["problem"] == ""
    assert found["size"] > 1_000_000


def test_list_names_what_is_missing(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (model / "tokenizer.json").unlink()
    code, out, _ = said(capsys, "list")
    assert code == 0
    assert "✗" in out
    assert "tokenizer.json" in out
    _, answer = told(capsys, "list")
    assert "tokenizer.json" in answer["models"][0]["missing"]


def test_a_store_whose_disk_is_away_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = models_folder()
    store.parent.mkdir(parents=True)
    store.symlink_to(tmp_path / "disk" / "models")
    code, out, _ = said(capsys, "list")
    assert code == 0
    assert "is not there" in out
    _, answer = told(capsys, "list")
    assert answer["problems"][0]["path"] == str(store)


# --- verify ----------------------------------------------------------------------------------


def test_verify(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "verify", REPO)
    assert code == ExitCode.DONE
    assert "✓" in out
    code, answer = told(capsys, "verify", str(model))
    assert (code, answer["ok"], answer["damaged"]) == (0, True, [])
    assert answer["checked"] >= 5
    weights = model / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    code, out, _ = said(capsys, "verify", REPO.upper())
    assert code == ExitCode.FAILED
    assert "model.safetensors: changed" in out
    assert f"rm {REPO}" in out
    code, answer = told(capsys, "verify", REPO)
    assert (code, answer["ok"], answer["damaged"]) == (1, False, ["model.safetensors"])


def test_a_name_that_is_none(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (("verify", "acme/other"), ("rm", "--yes", "acme/other")):
        code, answer = told(capsys, *command)
        assert (code, answer["code"]) == (ExitCode.NO_MODEL, "not_installed")
    assert model.is_dir()


# --- rm --------------------------------------------------------------------------------------


def test_into_the_bin_and_out_of_it(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "rm", "--yes", REPO)
    assert code == 0
    assert f"{REPO} is deleted" in out
    assert "rm --undo" in out
    assert not model.exists()
    _, answer = told(capsys, "rm", "--bin")
    assert [entry["model"]["repo"] for entry in answer["bin"]] == [REPO]
    assert REPO in said(capsys, "rm", "--bin")[1]
    assert "In the bin: 1 model" in said(capsys, "list")[1]
    code, out, _ = said(capsys, "rm", "--undo")
    assert code == 0
    assert "is back" in out
    assert told(capsys, "verify", REPO)[1]["ok"] is True
    assert said(capsys, "rm", "--undo")[0] == ExitCode.NO_MODEL


def test_emptying_the_bin(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = sum(file.stat().st_size for file in model.iterdir())
    other = install("acme/Other", seed=1)
    _, answer = told(capsys, "rm", "--yes", REPO, "acme/Other")
    assert len(answer["removed"]) == 2
    code, answer = told(capsys, "rm", "--empty", "--yes", REPO)
    assert code == 0
    assert answer["freed"] >= size
    code, answer = told(capsys, "rm", "--undo", "acme/Other")
    assert answer["restored"][0]["path"] == str(other)
    assert told(capsys, "rm", "--empty", "--yes")[1]["freed"] == 0


def test_it_asks(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = said(capsys, "rm", REPO)  # nobody sits there
    assert code == ExitCode.USAGE
    assert "--yes" in err
    monkeypatch.setattr(models_rm, "can_ask", lambda: True)
    asked: list[str] = []

    def answer(question: str, *, default: bool = False) -> bool:
        asked.append(capsys.readouterr().out)
        assert not default
        return False

    monkeypatch.setattr(models_rm, "agreed", answer)
    code, _, err = said(capsys, "rm", REPO)
    assert code == ExitCode.FAILED
    assert "Nothing was deleted" in err
    assert "MiB are free once the bin is empty" in asked[0]
    assert "out of the bin again" in asked[0]
    assert str(model) in asked[0]
    assert model.is_dir()


def test_what_is_not_ours_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_tiny_model(models_folder() / "starter" / "SmolLM2-135M-Instruct")
    made_folder.seal(models_folder() / "starter" / "SmolLM2-135M-Instruct", {"package": "x"})
    code, answer = told(capsys, "rm", "--yes", "SmolLM2-135M-Instruct")
    assert code == ExitCode.FAILED
    assert answer["code"] == "not_ours"
    assert said(capsys, "rm")[0] == ExitCode.USAGE


# --- names of installed models ----------------------------------------------------------------


def test_an_installed_name_is_a_model_for_every_command(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert installed.local_path(REPO) == model
    assert installed.local_path("Tiny-1M") == model
    assert installed.local_path("nobody/nothing") is None
    assert parse(["--model", REPO, "Hello"]).request.model == str(model)
    with pytest.raises(UsageError, match="pull nobody/nothing"):
        parse(["--model", "nobody/nothing", "Hello"])
    assert main(["plan", REPO, "--json", "--gpus", "8"]) == 0
    assert json.loads(capsys.readouterr().out)["plan"]["fits"] is True


def test_a_name_that_may_be_several(capsys: pytest.CaptureFixture[str]) -> None:
    install("acme/Twin")
    install("other/Twin", seed=1)
    with pytest.raises(installed.SeveralError, match="acme"):
        installed.local_path("Twin")
    assert main(["plan", "Twin"]) == 3
    assert "say which" in capsys.readouterr().err
    code, answer = told(capsys, "verify", "Twin")
    assert (code, answer["code"]) == (ExitCode.USAGE, "several")
    with pytest.raises(UsageError, match="say which"):
        parse(["--model", "Twin", "Hello"])


def test_a_gguf_file_by_its_name(tmp_path: Path) -> None:
    folder = models_folder() / "hub" / "acme--Small-GGUF--Q8_0"
    folder.mkdir(parents=True)
    file = folder / "small-Q8_0.gguf"
    file.write_bytes(gguf_bytes())
    made_folder.seal(
        folder, {"kind": "hub", "repo": "acme/Small-GGUF", "revision": COMMIT, "variant": "Q8_0"}
    )
    assert installed.named_file("acme/Small-GGUF:Q8_0") == file
    assert installed.named_file(str(file)) == file


def test_nobody_is_asked_through_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert not questions.can_ask()


def test_quantise_and_convert_take_a_name(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def take(job: Job, _screen: object) -> int:
        asked.append(job.model)
        return 0

    monkeypatch.setattr(quantize, "_run", take)
    assert quantize.main([REPO]) == 0
    assert asked == [str(model)]
    for command in ("quantize", "convert"):
        with pytest.raises(SystemExit) as ended:
            main([command, "nobody/nothing"])
        assert ended.value.code == 2
        assert "models pull nobody/nothing" in " ".join(capsys.readouterr().err.split())


def test_names_are_known_before_the_first_one_goes(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer = told(capsys, "rm", "--yes", REPO, "acme/nothing")
    assert (code, answer["code"]) == (ExitCode.NO_MODEL, "not_installed")
    assert model.is_dir()
    _, answer = told(capsys, "rm", "--yes", REPO, REPO)
    assert len(answer["removed"]) == 1
