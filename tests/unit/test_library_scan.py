"""What is installed: every kind that exists is found, once, with what is wrong with it."""

from __future__ import annotations

import errno
import json
import os
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.store.library import walk
from engine.store.library.find import find_installed
from engine.store.library.records import InstalledModel, Source
from engine.store.library.scan import ScanCache, changed_since, place_problems, scan
from engine.store.library.verify import verify
from engine.store.library.walk import MOST_DEPTH, Walk
from tests.helpers.shelf_models import (
    COMMIT,
    seal,
    write_gguf,
    write_installed,
    write_model,
    write_shards,
)


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """The store: empty."""
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def only(found: tuple[InstalledModel, ...]) -> InstalledModel:
    assert len(found) == 1, [model.path for model in found]
    return found[0]


def test_a_download_is_known_by_its_manifest(models: Path) -> None:
    folder = write_installed(models, "owner/Tiny", variant="Q4")
    model = only(scan(models, None))
    assert model.path == model.unit == str(folder)
    assert (model.name, model.repo, model.commit) == ("owner/Tiny", "owner/Tiny", COMMIT)
    assert (model.variant, model.licence, model.base_model) == ("Q4", "apache-2.0", "owner/Base")
    assert (model.source, model.format, model.context) == (Source.STORE, "bf16", 512)
    assert model.architecture == "LlamaForCausalLM"
    assert model.template
    assert model.manifest
    assert model.deletable
    assert not model.problem
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert (model.size, model.frees) == (size, size)
    assert model.parameters is not None
    assert 2 * model.parameters < (folder / "model.safetensors").stat().st_size


def test_every_kind_of_the_store_is_found(models: Path) -> None:
    write_model(models / "starter" / "SmolLM2-135M-Instruct")
    write_model(models / "converted" / "Llama-Q4-0123456789ab")
    quantised = write_model(models / "quantized" / "Tiny-AWQ")
    (quantised / "inglenook.json").write_text(json.dumps({"made": {"from": "Tiny"}}))
    write_model(models / "described" / "Llama-Q4-0123456789ab")  # no model, only a config
    write_model(models / "hub" / ".owner--half.partial")  # a download at work
    write_model(models / "by-hand" / "Other")
    found = {model.name: model for model in scan(models, None)}
    assert {name: model.source for name, model in found.items()} == {
        "SmolLM2-135M-Instruct": Source.STARTER,
        "Llama-Q4": Source.CONVERTED,
        "Tiny-AWQ": Source.QUANTISED,
        "Other": Source.STORE,
    }
    assert found["Tiny-AWQ"].base_model == "Tiny"
    assert not found["SmolLM2-135M-Instruct"].deletable
    assert all(model.deletable for name, model in found.items() if "Smol" not in name)


def test_missing_files_are_named(models: Path) -> None:
    folder = write_shards(models / "hub" / "owner--Split")
    seal(folder, repo="owner/Split")
    (folder / "model-00002-of-00003.safetensors").unlink()
    (folder / "tokenizer.json").unlink()
    model = only(scan(models, None))
    assert model.missing == ("model-00002-of-00003.safetensors", "tokenizer.json")
    assert "model-00002-of-00003.safetensors" in model.problem
    assert not model.is_whole


@pytest.mark.parametrize("index", [True, False])
def test_the_names_of_shards_tell_what_is_missing(models: Path, index: bool) -> None:
    folder = write_shards(models / "hub" / "owner--Split", index=index)
    (folder / "model-00003-of-00003.safetensors").unlink()
    assert only(scan(models, None)).missing == ("model-00003-of-00003.safetensors",)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda folder: (folder / "config.json").unlink(), "config.json"),
        (lambda folder: (folder / "config.json").write_text("{"), "config.json"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer"),
        (lambda folder: (folder / "model.safetensors").unlink(), "model.safetensors"),
        (lambda folder: os.truncate(folder / "model.safetensors", 900), "model.safetensors"),
        (
            lambda folder: (folder / "model.safetensors").write_text(
                "version https://git-lfs.github.com/spec/v1"
            ),
            "git-lfs",
        ),
        (
            lambda folder: (folder / "tokenizer_config.json").write_text("{}" + " " * 99),
            "tokenizer_config.json",
        ),
    ],
)
def test_damage_is_said(models: Path, spoil: object, says: str) -> None:
    folder = write_installed(models)
    spoil(folder)  # type: ignore[operator]
    model = only(scan(models, None))
    assert says in model.problem
    assert "owner--Tiny" not in model.problem
    assert model.manifest


def test_more_layers_than_weights(models: Path) -> None:
    write_model(models / "hub" / "owner--Deep", num_hidden_layers=9000)
    assert "tells of 9,000 layers" in only(scan(models, None)).problem


def test_a_base_model_has_no_template_and_no_problem(models: Path) -> None:
    write_model(models / "hub" / "owner--Base", template=False)
    model = only(scan(models, None))
    assert not model.template
    assert not model.problem


def test_what_answers_no_chat_says_so(models: Path) -> None:
    write_model(models / "hub" / "owner--Embed", architectures=["BertModel"])
    assert "BertModel" in only(scan(models, None)).problem


def test_hostile_names_become_plain_text(models: Path) -> None:
    folder = write_installed(models, "owner/Tiny")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["origin"] |= {"repo": "a\u202eb\nc" * 100, "licence": ["x"], "variant": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    model = only(scan(models, None))
    assert "\u202e" not in model.name
    assert "\n" not in model.name
    assert len(model.name) <= 200
    assert (model.licence, model.variant) == ("", "")


@pytest.mark.parametrize("content", [b"", b"[]", b'{"files": 1}', b"[" * 100_000, b"\xff"])
def test_a_manifest_that_makes_no_sense_is_none(models: Path, content: bytes) -> None:
    folder = write_model(models / "hub" / "owner--Tiny")
    (folder / "manifest.json").write_bytes(content)
    assert not only(scan(models, None)).manifest


def test_ggufs_of_a_flat_folder_are_models_each(tmp_path: Path, models: Path) -> None:
    folder = tmp_path / "flat"
    for name in ("a.Q4_K_M.gguf", "b.Q8_0.GGUF"):
        write_gguf(folder / name)
    write_gguf(folder / "mmproj-model-f16.gguf")
    write_gguf(folder / "half.gguf", template=False)
    os.truncate(folder / "half.gguf", 700)
    found = {Path(model.path).name: model for model in scan(models, None, [folder])}
    assert set(found) == {"a.Q4_K_M.gguf", "b.Q8_0.GGUF", "half.gguf"}
    model = found["a.Q4_K_M.gguf"]
    assert (model.name, model.format, model.context) == ("a.Q4_K_M", "gguf", 2048)
    assert (model.architecture, model.licence, model.template) == ("llama", "mit", True)
    assert model.size == (folder / "a.Q4_K_M.gguf").stat().st_size
    assert not model.deletable
    assert not model.frees
    assert "half.gguf is not whole" in found["half.gguf"].problem


def test_parts_of_a_gguf_are_one_model(tmp_path: Path, models: Path) -> None:
    folder = tmp_path / "parts"
    for number in (1, 3):
        write_gguf(folder / f"m-{number:05}-of-00003.gguf")
    model = only(scan(models, None, [folder]))
    assert model.missing == ("m-00002-of-00003.gguf",)
    assert "m-00002-of-00003.gguf" in model.problem


def test_nested_folders_as_other_programs_keep_them(tmp_path: Path, models: Path) -> None:
    base = tmp_path / "other" / "models"
    write_gguf(base / "publisher" / "Repo-GGUF" / "m.gguf")  # LM Studio
    write_model(base / "publisher" / "Whole")
    write_gguf(base / "my-model" / "model.gguf")  # Jan
    pipeline = base / "pictures"
    write_model(pipeline / "text_encoder")
    (pipeline / "model_index.json").write_text("{}")
    (base / "project").mkdir()
    (base / "project" / "config.json").write_text("{}")  # anything at all
    names = {model.name for model in scan(models, None, [tmp_path / "other"])}
    assert names == {"m", "Whole", "model"}


def test_a_link_that_leads_round_in_a_circle_ends(tmp_path: Path, models: Path) -> None:
    folder = tmp_path / "round"
    write_model(folder / "inner" / "Tiny")
    (folder / "inner" / "back").symlink_to(folder)
    (folder / "again").symlink_to(folder / "inner" / "Tiny")
    assert only(scan(models, None, [folder, folder / "inner"])).name in ("Tiny", "again")


def test_the_walk_has_a_depth_and_a_time(tmp_path: Path, models: Path) -> None:
    deep = tmp_path / "deep"
    write_model(deep.joinpath(*["d"] * MOST_DEPTH))
    write_model(deep.joinpath(*["x"] * (MOST_DEPTH + 1)))
    assert only(scan(models, None, [deep])).path.endswith("/d")
    walk = Walk(seconds=-1.0)
    assert list(walk.all(models, None, [deep])) == []
    assert walk.cut == [str(deep)]


def test_thousands_of_other_files_are_passed_over(tmp_path: Path, models: Path) -> None:
    folder = tmp_path / "many"
    write_model(folder / "Tiny")
    for number in range(2000):
        (folder / f"{number}.txt").touch()
    assert only(scan(models, None, [folder])).name == "Tiny"


def test_what_cannot_be_read_is_passed_over(tmp_path: Path, models: Path) -> None:
    folder = tmp_path / "odd"
    write_model(folder / "Tiny")
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe" / "config.json")
    os.mkfifo(folder / "pipe" / "model.safetensors")
    (folder / "gone").mkdir()
    (folder / "gone" / "config.json").symlink_to("/nonexistent")
    os.mkfifo(folder / "x.gguf")
    found = scan(models, None, [folder])
    assert [model.name for model in found if model.is_whole] == ["Tiny"]


def test_a_scan_remembers_what_has_not_changed(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.store.library import facts

    folder = write_installed(models, "owner/One")
    write_installed(models, "owner/Two")
    known = ScanCache()
    first = scan(models, None, known=known)
    reads: list[str] = []
    really = facts.read_model

    def read_model(found: object, *rest: object) -> InstalledModel:
        reads.append(found.path)  # type: ignore[attr-defined]
        return really(found, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(facts, "read_model", read_model)
    assert scan(models, None, known=known) == first
    assert reads == []
    (folder / "model.safetensors").unlink()
    second = {model.name: model for model in scan(models, None, known=known)}
    assert reads == [str(folder)]
    assert second["owner/One"].missing == ("model.safetensors",)


def test_the_memory_of_a_scan_is_kept_in_a_file(tmp_path: Path, models: Path) -> None:
    write_installed(models)
    known = ScanCache()
    found = scan(models, None, known=known)
    known.save(tmp_path / "kept")
    assert scan(models, None, known=ScanCache.load(tmp_path / "kept")) == found
    (tmp_path / "kept").write_bytes(b"\xc1 nothing")
    assert scan(models, None, known=ScanCache.load(tmp_path / "kept")) == found
    known.save(tmp_path / "no" / "such" / "folder")


def test_changes_are_noticed(tmp_path: Path, models: Path) -> None:
    folder = write_installed(models)
    away = tmp_path / "away"
    known = ScanCache()

    def rest() -> None:
        """What has just come counts as changing until the clock has ticked."""
        for path in (models, models / "hub", folder, folder.parent):
            os.utime(path, (1, 1))
        scan(models, None, [away], known=known)

    rest()
    assert not changed_since(known)
    write_installed(models, "owner/Two")
    assert changed_since(known)
    rest()
    (folder / "tokenizer.json").unlink()
    assert changed_since(known)
    rest()
    away.mkdir()
    assert changed_since(known)


def test_gguf_files_wait_for_the_next_scan_when_time_is_short(tmp_path: Path, models: Path) -> None:
    write_gguf(tmp_path / "flat" / "a.gguf")
    known = ScanCache()
    model = only(scan(models, None, [tmp_path / "flat"], known=known, gguf_seconds=0.0))
    assert (model.name, model.format, model.problem) == ("a", "gguf", "")
    assert known.waiting == 1
    assert changed_since(known)
    assert only(scan(models, None, [tmp_path / "flat"], known=known)).context == 2048
    assert known.waiting == 0


def test_deleting_while_a_scan_runs_harms_nothing(models: Path) -> None:
    import shutil

    folders = [write_installed(models, f"owner/M{number}") for number in range(30)]
    stop = threading.Event()
    faults: list[BaseException] = []

    def look() -> None:
        try:
            while not stop.is_set():
                scan(models, None)
        except BaseException as fault:
            faults.append(fault)

    looking = threading.Thread(target=look)
    looking.start()
    for folder in folders:
        shutil.rmtree(folder)
    stop.set()
    looking.join()
    assert faults == []
    assert scan(models, None) == ()


def test_last_used_is_told(models: Path) -> None:
    folder = write_installed(models)
    assert only(scan(models, None, used={str(folder): 12.5})).last_used == 12.5


# --- places -------------------------------------------------------------------------------------


def test_a_place_that_is_not_there_is_said(tmp_path: Path, models: Path) -> None:
    assert place_problems(models, tmp_path / "no-cache", [tmp_path]) == ()
    (problem,) = place_problems(models, None, [tmp_path / "usb"])
    assert problem.path == str(tmp_path / "usb")
    assert "is not there" in problem.text
    (tmp_path / "file").touch()
    assert "no folder" in place_problems(models, None, [tmp_path / "file"])[0].text


def test_a_store_whose_disk_is_away_is_said(tmp_path: Path) -> None:
    models = tmp_path / "data" / "models"
    models.parent.mkdir()
    models.symlink_to(tmp_path / "disk" / "inglenook-models")
    (problem,) = place_problems(models, None)
    assert str(tmp_path / "disk" / "inglenook-models") in problem.text
    (tmp_path / "disk" / "inglenook-models").mkdir(parents=True)  # the empty mount point
    assert "not there" in place_problems(models, None)[0].text
    assert scan(models, None) == ()


# --- by name ------------------------------------------------------------------------------------


def test_models_are_found_by_what_a_user_types(models: Path) -> None:
    one = write_installed(models, "Owner/Tiny", variant="Q4")
    write_installed(models, "Owner/Tiny", variant="Q8")
    write_installed(models, "other/Tiny-2")
    found = scan(models, None)

    def named(text: str) -> list[str]:
        return [model.variant or model.name for model in find_installed(found, text)]

    assert named("owner/tiny") == ["Q4", "Q8"]
    assert named("tiny:q8") == ["Q8"]
    assert named("owner/tiny:Q4") == ["Q4"]
    assert named("TINY-2") == ["other/Tiny-2"]
    assert named(str(one)) == named(f"{one}/") == ["Q4"]
    assert named("nothing") == named("") == named(":") == []


def test_a_name_that_is_no_text_hides_its_model_alone(tmp_path: Path, models: Path) -> None:
    """Of a disk of another system: no process could be told of it, and no file could keep it."""
    write_model(tmp_path / "mine" / "fine")
    odd = tmp_path / "mine" / os.fsdecode(b"mod\xe8le")
    write_model(odd)
    (tmp_path / "mine" / "fine" / os.fsdecode(b"notes\xff.txt")).write_text("")
    (tmp_path / os.fsdecode(b"\xfc")).mkdir()  # no model: nobody need be told
    known = ScanCache()
    folders = [tmp_path / "mine", tmp_path, odd]
    (model,) = scan(models, None, folders, known=known)
    assert model.name == "fine"
    known.save(tmp_path / "kept")
    assert scan(models, None, folders, known=ScanCache.load(tmp_path / "kept")) == (model,)
    problems = place_problems(models, None, folders, known)
    assert [problem.path for problem in problems] == [str(tmp_path / "mine")]
    assert "no UTF-8" in problems[0].text
    for each in msgspec.to_builtins(problems):
        json.dumps(each).encode()
    assert verify(model).unchecked


def test_a_folder_that_is_too_large_is_said(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk, "MOST_FOLDERS", 3)
    for number in range(6):
        (tmp_path / "disk" / str(number)).mkdir(parents=True)
    known = ScanCache()
    scan(models, None, [tmp_path / "disk"], known=known)
    (problem,) = place_problems(models, None, [tmp_path / "disk"], known)
    assert "too large" in problem.text


def test_a_disk_that_fails_is_said(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a share whose server is gone every question comes to an error, not to a "no"."""
    real = os.stat

    def failing(path: Any, *args: Any, **how: Any) -> os.stat_result:
        if str(path).startswith(str(tmp_path / "gone")):
            raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN), str(path))
        return real(path, *args, **how)

    monkeypatch.setattr(os, "stat", failing)
    folder = tmp_path / "gone"
    for problems in (place_problems(models, None, [folder]), place_problems(models, folder)):
        (problem,) = problems
        assert os.strerror(errno.ENOTCONN) in problem.text
    assert place_problems(folder, None)
    assert scan(models, folder, [folder]) == ()
