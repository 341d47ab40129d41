"""A repository that wants to run something here: none of it is requested, none of it is run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.store.download.partials import partials
from engine.store.hub.choice import choose, variants
from engine.store.hub.listing import fetch_listing
from tests.helpers.hub_downloads import (
    Done,
    Failed,
    Job,
    all_below,
    download_here,
    hashes,
    installed,
)
from tests.helpers.loopback_hub import ROOT, LoopbackHub, files_of, loopback_hub
from tests.helpers.tiny_gguf import write_tiny_gguf
from tests.helpers.tiny_models import make_tiny_model

REPO = "evil/canary"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    """A hub, as the one that this process asks."""
    with loopback_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
        yield hub


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that comes into being when something of the repository runs."""
    return tmp_path / "it-ran"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """What of the repository is a model."""
    return make_tiny_model(tmp_path / "good")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """An empty store."""
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def canaries(mark: Path) -> dict[str, bytes]:
    """Files that a careless program fetches, or runs."""
    runs = f"import os\nos.system('touch {mark}')\nclass Model: ...\n".encode()
    # Unpickled, it runs a command.
    bomb = f"cos\nsystem\n(S'touch {mark}'\ntR.".encode()
    return {
        "pytorch_model.bin": bomb,
        "pytorch_model-00001-of-00002.bin": bomb,
        "training_args.bin": bomb,
        "optimizer.pt": bomb,
        "scheduler.pth": bomb,
        "model.ckpt": bomb,
        "consolidated.00.pth": bomb,
        "weights.pickle": bomb,
        "weights.pkl": bomb,
        "weights.h5": bomb,
        "model.onnx": bomb,
        "model.msgpack": bomb,
        "modeling_canary.py": runs,
        "configuration_canary.py": runs,
        "tokenization_canary.py": runs,
        "custom_generate/generate.py": runs,
        "setup.sh": b"touch " + str(mark).encode(),
        "conftest.py": runs,
        "sitecustomize.py": runs,
        "lib.so": b"\x7fELF",
        "handler.pyc": runs,
        "notebook.ipynb": b"{}",
        "original/model.safetensors": b"\0" * 64,
        ".gitattributes": b"*.bin filter=lfs",
        ".env": b"HF_TOKEN=hf_x",
    }


def with_custom_code(good: Path) -> dict[str, bytes | Path]:
    """The model, which asks for its own code to be run."""
    config = json.loads((good / "config.json").read_text())
    config["auto_map"] = {
        "AutoConfig": "configuration_canary.Config",
        "AutoModelForCausalLM": "modeling_canary.Model",
        "AutoTokenizer": ["tokenization_canary.Tokenizer", None],
    }
    files: dict[str, bytes | Path] = {
        name: path for name, path in files_of(good).items() if isinstance(path, Path)
    }
    return files | {"config.json": json.dumps(config).encode()}


def fetch(models: Path, repo: str = REPO, variant: str = "") -> Done | Failed:
    job = Job(repo=repo, store=str(models), variant=variant)
    with download_here(job) as download:
        return download.end()


def test_what_could_run_is_not_even_requested(
    hub: LoopbackHub, models: Path, good: Path, mark: Path
) -> None:
    wanted = with_custom_code(good)
    commit = hub.add(REPO, {**canaries(mark), **wanted}, tags=["custom_code"])
    listing = fetch_listing(REPO, "main")
    choice = choose(listing)
    assert {file.path for file in choice.take} == set(wanted)
    assert {left.path for left in choice.leave} == set(canaries(mark))
    assert all(left.reason for left in choice.leave)
    hub.reset_counts()
    done = fetch(models)
    assert isinstance(done, Done), done
    assert {record.file.removeprefix(f"{REPO}/") for record in hub.requests if record.file} == set(
        wanted
    )
    folder = Path(done.folder)
    assert set(hashes(folder)) == set(wanted)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["origin"]["revision"] == commit
    assert all(path.stat().st_mode & 0o111 == 0 for path in folder.rglob("*") if path.is_file())
    assert not mark.exists()


def test_code_that_a_config_names_is_not_run(
    hub: LoopbackHub, models: Path, good: Path, mark: Path, tmp_path: Path
) -> None:
    hub.add(REPO, {**canaries(mark), **with_custom_code(good)})
    done = fetch(models)
    assert isinstance(done, Done)
    # Even where the code lies there, by whatever way: the engine's reading runs none of it.
    for name, content in canaries(mark).items():
        if name.endswith(".py") and "/" not in name:
            (Path(done.folder) / name).write_bytes(content)
    # Without PyTorch, which takes longer to be imported than all the rest, and reads no config.
    script = f"""if True:
        import sys
        sys.modules["torch"] = None
        from pathlib import Path
        from engine.store.model_folder import read_model_folder
        from transformers import AutoConfig, AutoTokenizer
        folder = {done.folder!r}
        read_model_folder(Path(folder))
        AutoConfig.from_pretrained(folder, trust_remote_code=False)
        AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    """
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=hub.environment(tmp_path / "hf", HF_HUB_OFFLINE="1"),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    assert not mark.exists()


HOSTILE = (
    "/{outside}/evil.json",
    "../../evil.json",
    "a/../../../evil.safetensors",
    "..\\..\\evil.json",
    "model\x00.json",
    "evil\n.json",
    "evil\u202egnosj.json",
    "-rf.json",
    "con.json/../../evil.json",
)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_no_name_leads_out_of_the_folder(
    hub: LoopbackHub, models: Path, good: Path, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    hostile = name.format(outside=str(outside).lstrip("/"))
    hub.add(REPO, {**files_of(good), hostile: b'{"evil": 1}'})
    before = all_below(tmp_path)
    ended = fetch(models)
    new = {path for path in all_below(tmp_path) - before if not path.startswith(("models", "hf"))}
    assert new == set()
    assert isinstance(ended, Failed) or "/" not in hostile
    if isinstance(ended, Failed):
        assert not [record.file for record in hub.requests if record.file]
        assert ended.code == "bad_answer"
        assert not set(ended.text) & set("\x00\n\x1b\u202e")
        assert installed(models) == []
    else:
        assert set(hashes(Path(ended.folder))) <= {*files_of(good), hostile}
        assert all(
            path.resolve().is_relative_to(models.resolve())
            for path in Path(ended.folder).rglob("*")
        )


def test_links_of_a_repository_are_plain_files_here(
    hub: LoopbackHub, models: Path, good: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"secret": 1}')
    # As git stores a link: a small file that holds where it leads.
    hub.add(REPO, {**files_of(good), "special_tokens_map.json": str(secret).encode()})
    ended = fetch(models)
    for path in all_below(models):
        assert not (models / path).is_symlink()
    if isinstance(ended, Done):
        held = (Path(ended.folder) / "special_tokens_map.json").read_text()
        assert held == str(secret)


GGUF_NAMES = {
    "Tiny-Q4_K_M.gguf": True,
    "sub/folder/tiny.Q8_0.gguf": True,
    "../tiny-Q5_0.gguf": False,
    "/tmp/inglenook-canary-Q5_1.gguf": False,
    "tiny-Q4_0.gguf\n": False,
    "-o tiny-Q2_K.gguf": False,
    "mmproj-F16.gguf": False,
    "tiny-Q6_K.gguf.py": False,
}


def test_gguf_files_with_strange_names(
    hub: LoopbackHub, models: Path, tmp_path: Path, mark: Path
) -> None:
    file = write_tiny_gguf(tmp_path / "tiny.gguf").file
    readme = {"README.md": b"# GGUF"}
    plain = {name: file for name, fine in GGUF_NAMES.items() if fine}
    hub.add("evil/plain", {**plain, **readme, **canaries(mark)})
    listing = fetch_listing("evil/plain", "main")
    names = [variant.name for variant in variants(listing)]
    assert {"Q4_K_M", "Q8_0"} <= set(names)
    done = fetch(models, "evil/plain", "Q4_K_M")
    assert isinstance(done, Done), done
    asked = {record.file for record in hub.requests if record.file.endswith(".gguf")}
    assert asked == {"evil/plain/Tiny-Q4_K_M.gguf"}
    assert not mark.exists()
    strange = {name: file for name, fine in GGUF_NAMES.items() if not fine}
    hub.add(REPO, {**strange, **readme})
    hub.reset_counts()
    for variant in ("", "Q5_0", "Q5_1", "Q4_0", "../tiny-Q5_0", "/tmp/x"):
        ended = fetch(models, REPO, variant)
        assert isinstance(ended, Failed), variant
        assert ended.code in {"bad_answer", "bad_id", "no_weights", "not_found"}
    assert not [record for record in hub.requests if record.file.endswith((".gguf", ".py", "\n"))]
    assert installed(models) == ["evil/plain"]
    assert partials(models) == []
    assert not Path("/tmp/inglenook-canary-Q5_1.gguf").exists()
