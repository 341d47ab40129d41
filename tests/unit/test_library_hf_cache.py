"""The Hugging Face cache: read where it is, and deleted from by its own library's rules."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from engine.store.library import bin as model_bin
from engine.store.library.hf_cache import cache_folder, refs_of, repo_of
from engine.store.library.records import InstalledModel, LibraryError, Source
from engine.store.library.scan import scan
from engine.store.library.verify import verify
from tests.helpers.shelf_models import (
    COMMIT,
    OTHER_COMMIT,
    HubCache,
    tree,
    write_gguf,
    write_model,
    write_shards,
)


@pytest.fixture
def cache(tmp_path: Path) -> HubCache:
    return HubCache(tmp_path / "hub")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def installed(models: Path, cache: HubCache) -> dict[str, InstalledModel]:
    """By commit, or the name of the file."""
    return {Path(model.path).name: model for model in scan(models, cache.folder)}


def test_it_is_where_its_library_says() -> None:
    home = {"HOME": "/home/u"}
    assert cache_folder(home) == Path("/home/u/.cache/huggingface/hub")
    assert cache_folder({**home, "XDG_CACHE_HOME": "/x"}) == Path("/x/huggingface/hub")
    assert cache_folder({**home, "HF_HOME": "~/hf"}) == Path("/home/u/hf/hub")
    assert cache_folder({**home, "HF_HOME": "/hf", "HF_HUB_CACHE": "/c"}) == Path("/c")
    assert cache_folder({**home, "HF_HUB_CACHE": "$HOME/c"}) == Path("/home/u/c")


def test_as_huggingface_hub_itself_finds_it() -> None:
    import subprocess
    import sys

    for more in ({}, {"HF_HOME": "~/hf"}, {"HF_HUB_CACHE": "/c/d"}, {"XDG_CACHE_HOME": "/x"}):
        environment = {"HOME": "/home/u", "PATH": os.environ["PATH"], **more}
        asked = "from huggingface_hub import constants; print(constants.HF_HUB_CACHE)"
        told = subprocess.run(
            [sys.executable, "-c", asked], env=environment, capture_output=True, check=True
        )
        assert cache_folder(environment) == Path(told.stdout.decode().strip())


@pytest.mark.parametrize(
    ("name", "repo"),
    [
        ("models--owner--name", "owner/name"),
        ("models--gpt2", "gpt2"),
        ("datasets--owner--name", ""),
        ("models--a--b--c", ""),
        ("models--..--name", "../name"),
        ("models--own er--name", ""),
        ("models--", ""),
    ],
)
def test_repositories_are_called_by_their_folders(name: str, repo: str) -> None:
    assert repo_of(name) == repo


def test_snapshots_are_models(tmp_path: Path, models: Path, cache: HubCache) -> None:
    source = write_model(tmp_path / "source")
    (source / "README.md").write_text("---\nlicense: mit\nbase_model:\n- owner/Base\n---\nHello")
    snapshot = cache.add("owner/Tiny", source)
    before = tree(cache.folder)
    (model,) = scan(models, cache.folder)
    assert model.path == str(snapshot)
    assert (model.name, model.repo, model.commit) == ("owner/Tiny", "owner/Tiny", COMMIT)
    assert (model.source, model.licence, model.base_model) == (
        Source.HF_CACHE,
        "mit",
        "owner/Base",
    )
    assert model.is_whole
    assert model.manifest
    size = sum(path.stat().st_size for path in source.iterdir())
    assert model.size == size
    refs = len(COMMIT)
    assert model.frees == size + refs
    assert tree(cache.folder) == before  # nothing was written


def test_a_config_alone_is_no_model(tmp_path: Path, models: Path, cache: HubCache) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "config.json").write_text("{}")
    cache.add("owner/Looked-at", source)
    assert scan(models, cache.folder) == ()


def test_a_download_that_was_broken_off(tmp_path: Path, models: Path, cache: HubCache) -> None:
    source = write_shards(tmp_path / "source")
    (source / "model-00002-of-00003.safetensors").unlink()
    cache.add("owner/Split", source)
    (cache.repository("owner/Split") / "blobs" / f"{'a' * 64}.incomplete").write_bytes(b"half")
    (model,) = scan(models, cache.folder)
    assert model.missing == ("model-00002-of-00003.safetensors",)
    assert "broken off" in model.problem


def test_links_to_nothing_are_missing_files(tmp_path: Path, models: Path, cache: HubCache) -> None:
    snapshot = cache.add("owner/Tiny", write_model(tmp_path / "source"))
    (snapshot / "model.safetensors").resolve().unlink()
    (snapshot / "optimizer.pt").symlink_to("../../blobs/gone")  # nobody needs it
    (model,) = scan(models, cache.folder)
    assert model.missing == ("model.safetensors",)
    assert "owner/Tiny is incomplete" in model.problem
    assert "model.safetensors" in verify(model).missing


def test_what_is_no_repository_is_passed_over(tmp_path: Path, models: Path) -> None:
    cache = HubCache(tmp_path / "hub")
    (cache.folder / "version.txt").write_text("1")
    (cache.folder / ".locks" / "models--x--y").mkdir(parents=True)
    (cache.folder / "models--empty--repo").mkdir()
    elsewhere = HubCache(tmp_path / "elsewhere")
    elsewhere.add("owner/Tiny", write_model(tmp_path / "source"))
    (cache.folder / "models--linked--away").symlink_to(elsewhere.repository("owner/Tiny"))
    (cache.repository("owner/Odd") / "snapshots" / "not-a-commit").mkdir(parents=True)
    assert scan(models, cache.folder) == ()


def test_a_cache_that_was_added_as_a_folder(tmp_path: Path, models: Path, cache: HubCache) -> None:
    cache.add("owner/Tiny", write_model(tmp_path / "source"))
    (model,) = scan(models, None, [tmp_path / "hub"])
    assert (model.name, model.source, model.deletable) == ("owner/Tiny", Source.FOLDER, False)
    assert [model.source for model in scan(models, cache.folder, [cache.folder])] == ["hf_cache"]


def test_hashes_are_the_names_of_blobs(tmp_path: Path, models: Path, cache: HubCache) -> None:
    snapshot = cache.add("owner/Tiny", write_model(tmp_path / "source"))
    (model,) = scan(models, cache.folder)
    found = verify(model)
    assert (found.checked, found.damaged, found.unchecked) == (4, (), ())
    blob = (snapshot / "tokenizer.json").resolve()
    blob.write_bytes(blob.read_bytes().replace(b"1.0", b"1.1"))
    weights = (snapshot / "model.safetensors").resolve()
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert verify(model).damaged == ("model.safetensors", "tokenizer.json")


# --- deleting -----------------------------------------------------------------------------------


def two_revisions(tmp_path: Path, cache: HubCache) -> None:
    """Of one repository: the small files are shared, the weights differ."""
    cache.add("owner/Tiny", write_model(tmp_path / "one", seed=1), COMMIT, ref="refs/pr/1")
    cache.add("owner/Tiny", write_model(tmp_path / "two", seed=2), OTHER_COMMIT, ref="main")
    cache.add("owner/Other", write_model(tmp_path / "other", seed=3), "f" * 40)


def test_one_of_two_revisions_goes_as_the_library_would_do_it(
    tmp_path: Path, models: Path, cache: HubCache
) -> None:
    from huggingface_hub import scan_cache_dir

    two_revisions(tmp_path, cache)
    reference = tmp_path / "reference"
    shutil.copytree(cache.folder, reference, symlinks=True)
    theirs = scan_cache_dir(reference).delete_revisions(COMMIT)
    theirs.execute()

    before = tree(cache.folder)
    model = installed(models, cache)[COMMIT]
    assert model.frees == theirs.expected_freed_size
    done = model_bin.delete(model, models)
    kept = {name: value for name, value in tree(cache.folder).items() if value != ""}
    assert kept == {name: value for name, value in tree(reference).items() if value != ""}
    assert COMMIT not in installed(models, cache)
    assert installed(models, cache)[OTHER_COMMIT].is_whole

    model_bin.restore(models, done.entry)
    assert tree(cache.folder) == before
    assert verify(installed(models, cache)[COMMIT]).damaged == ()


def test_the_last_revision_takes_the_repository_along(
    tmp_path: Path, models: Path, cache: HubCache
) -> None:
    cache.add("owner/Tiny", write_model(tmp_path / "one"))
    cache.add("owner/Other", write_model(tmp_path / "other", seed=3), OTHER_COMMIT)
    model = installed(models, cache)[COMMIT]
    done = model_bin.delete(model, models)
    assert not cache.repository("owner/Tiny").exists()
    assert model_bin.empty(models, [done.entry]) == pytest.approx(model.frees, abs=5000)
    assert set(installed(models, cache)) == {OTHER_COMMIT}


def test_one_file_of_several_in_a_snapshot(tmp_path: Path, models: Path, cache: HubCache) -> None:
    source = tmp_path / "source"
    write_gguf(source / "m.Q4.gguf")
    write_gguf(source / "m.Q8.gguf", template=False)
    snapshot = cache.add("owner/Tiny-GGUF", source)
    model = installed(models, cache)["m.Q4.gguf"]
    assert (model.repo, model.unit) == ("owner/Tiny-GGUF", str(snapshot / "m.Q4.gguf"))
    assert model.variant == "Q4"
    blob = (snapshot / "m.Q4.gguf").resolve()
    before = tree(cache.folder)
    done = model_bin.delete(model, models)
    assert not blob.exists()
    assert set(installed(models, cache)) == {"m.Q8.gguf"}
    model_bin.restore(models, done.entry)
    assert tree(cache.folder) == before


def test_a_blob_that_another_file_needs_stays(
    tmp_path: Path, models: Path, cache: HubCache
) -> None:
    source = tmp_path / "source"
    write_gguf(source / "m.gguf")
    shutil.copy(source / "m.gguf", source / "same.gguf")
    cache.add("owner/Twice", source)
    model_bin.delete(installed(models, cache)["m.gguf"], models)
    assert installed(models, cache)["same.gguf"].is_whole


def test_what_lies_on_another_disk_is_deleted_at_once_or_not_at_all(
    tmp_path: Path, models: Path, cache: HubCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_revisions(tmp_path, cache)
    model = installed(models, cache)[COMMIT]
    monkeypatch.setattr(model_bin, "can_undo", lambda *_: False)
    before = tree(cache.folder)
    with pytest.raises(LibraryError, match="at once") as refused:
        model_bin.delete(model, models)
    assert refused.value.code == "no_undo"
    assert tree(cache.folder) == before
    done = model_bin.delete(model, models, for_good=True)
    assert done.entry == ""
    assert done.freed == pytest.approx(model.frees, abs=200)
    assert installed(models, cache)[OTHER_COMMIT].is_whole
    assert model_bin.entries(models) == ()
    assert refs_of(cache.repository("owner/Tiny")) == {"main": OTHER_COMMIT}


def test_links_out_of_the_cache_are_not_followed(
    tmp_path: Path, models: Path, cache: HubCache
) -> None:
    """A hostile cache: links where blobs, snapshots and refs should be."""
    treasure = write_model(tmp_path / "treasure")
    before = tree(treasure)
    snapshot = cache.add("owner/Tiny", write_model(tmp_path / "source"))
    (snapshot / "extra.safetensors").symlink_to(treasure / "model.safetensors")
    (snapshot / "inner").symlink_to(treasure)
    (cache.repository("owner/Tiny") / "refs" / "evil").symlink_to(treasure)
    done = model_bin.delete(installed(models, cache)[COMMIT], models)
    model_bin.empty(models, [done.entry])
    assert tree(treasure) == before


def test_a_repository_that_is_a_link_is_not_deleted(
    tmp_path: Path, models: Path, cache: HubCache
) -> None:
    cache.add("owner/Tiny", write_model(tmp_path / "source"))
    model = installed(models, cache)[COMMIT]
    real = tmp_path / "real"
    cache.repository("owner/Tiny").rename(real)
    cache.repository("owner/Tiny").symlink_to(real)
    with pytest.raises(LibraryError, match="no model of the store"):
        model_bin.delete(model, models)


def test_blobs_that_repositories_share_go_with_the_last(tmp_path: Path, models: Path) -> None:
    """huggingface_hub 2.4 keeps large files of several repositories once."""
    from huggingface_hub.utils import _shared_blobs

    cache = HubCache(tmp_path / "hub")
    source = write_model(tmp_path / "source")
    xet = "ab" * 32
    assert _shared_blobs._ensure_prefix_dir(cache.folder, xet) is not None
    store = _shared_blobs.shared_blob_path(cache.folder, xet)
    manifest = _shared_blobs.shared_blob_manifest_path(cache.folder, xet)
    store.write_bytes((source / "model.safetensors").read_bytes())
    listed = []
    for repo in ("owner/One", "owner/Two"):
        snapshot = cache.add(repo, source)
        blob = Path(os.path.normpath(snapshot / (snapshot / "model.safetensors").readlink()))
        blob.unlink()
        blob.symlink_to(f"../../blobs/{xet[:2]}/{xet}")
        listed.append(str(blob.relative_to(cache.folder)))
    manifest.write_text("".join(f"{line}\n" for line in listed))

    def one(repo: str) -> InstalledModel:
        return next(model for model in scan(models, cache.folder) if model.repo == repo)

    assert one("owner/One").is_whole
    assert verify(one("owner/One")).damaged == ()
    done = model_bin.delete(one("owner/One"), models)
    model_bin.empty(models, [done.entry])
    assert store.exists()
    assert one("owner/Two").is_whole
    done = model_bin.delete(one("owner/Two"), models)
    assert store.exists()
    model_bin.empty(models, [done.entry])
    assert not store.exists()
