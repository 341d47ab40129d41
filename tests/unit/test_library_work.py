"""Verified, imported, deleted and brought back: whole or not at all, and nothing else touched."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from engine.store import made_folder
from engine.store.library import bin as model_bin
from engine.store.library import copying, importing, store_lock, usage
from engine.store.library.bin_notes import BIN, NOTE
from engine.store.library.importing import import_model
from engine.store.library.look import look_at_path, look_into
from engine.store.library.records import (
    CancelledError,
    InstalledModel,
    LibraryError,
    Progress,
    Source,
)
from engine.store.library.scan import scan
from engine.store.library.verify import verify
from tests.helpers.shelf_models import (
    HubCache,
    tree,
    write_gguf,
    write_installed,
    write_model,
    write_shards,
)
from tests.helpers.stores import disk


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "data" / "models"


def only(models: Path) -> InstalledModel:
    (model,) = scan(models, None)
    return model


# --- verify -------------------------------------------------------------------------------------


def test_a_whole_model_is_verified(models: Path) -> None:
    write_installed(models)
    told: list[Progress] = []
    found = verify(only(models), told.append)
    assert (found.checked, found.damaged, found.missing) == (4, (), ())
    assert "unchanged" in found.text
    assert told[-1].done == told[-1].total > 0
    assert told[-1].files_done == told[-1].files == 4


def test_one_bit_is_noticed(models: Path) -> None:
    folder = write_installed(models)
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-2] ^= 4
    (folder / "model.safetensors").write_bytes(content)
    (folder / "tokenizer.json").unlink()
    found = verify(only(models))
    assert (found.damaged, found.missing) == (("model.safetensors",), ("tokenizer.json",))
    assert "model.safetensors" in found.text


def test_a_model_without_hashes_is_checked_by_its_form(tmp_path: Path, models: Path) -> None:
    folder = write_model(tmp_path / "mine" / "Tiny")
    (model,) = scan(models, None, [tmp_path / "mine"])
    found = verify(model)
    assert found.checked == 0
    assert "model.safetensors" in found.unchecked
    assert "There are no hashes" in found.text
    os.truncate(folder / "model.safetensors", 1000)
    assert verify(model).damaged == ("model.safetensors",)


def test_a_manifest_does_not_lead_out_of_its_folder(tmp_path: Path, models: Path) -> None:
    folder = write_installed(models)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"] |= {
        "../../x": {"size": 1, "sha256": ""},
        "/etc/passwd": {"size": 1, "sha256": ""},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    found = verify(only(models))
    assert found.checked == 4
    assert found.damaged == found.missing == ()


def test_a_verification_is_stopped_at_once(models: Path) -> None:
    write_installed(models)
    with pytest.raises(CancelledError):
        verify(only(models), is_cancelled=lambda: True)


def test_a_model_that_is_gone_cannot_be_verified(models: Path) -> None:
    folder = write_installed(models)
    model = only(models)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    with pytest.raises(LibraryError, match="not there any more"):
        verify(model)


def test_a_model_that_goes_meanwhile_is_not_called_damaged(models: Path, tmp_path: Path) -> None:
    folder = write_installed(models)
    model = only(models)

    def tell(_progress: Progress) -> None:
        if folder.exists():
            folder.rename(tmp_path / "away")

    with pytest.raises(LibraryError, match="not there any more"):
        verify(model, tell)


# --- looking at a path --------------------------------------------------------------------------


def test_a_path_that_was_dropped_is_told_what_it_is(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf")
    assert look_at_path(tmp_path / "m.gguf").format == "gguf"
    write_model(tmp_path / "Tiny")
    assert look_at_path(tmp_path / "Tiny").format == "bf16"
    (tmp_path / "around" / "publisher").mkdir(parents=True)
    write_model(tmp_path / "around" / "publisher" / "Inner")
    assert look_at_path(tmp_path / "around").name == "Inner"
    write_model(tmp_path / "around" / "publisher" / "Second")
    with pytest.raises(LibraryError, match="There are 2 models"):
        look_at_path(tmp_path / "around")
    assert len(look_into(tmp_path / "around")) == 2
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "nothing", Path("/dev/null")):
        with pytest.raises(LibraryError):
            look_at_path(path)


# --- import -------------------------------------------------------------------------------------


def test_a_folder_is_imported(tmp_path: Path, models: Path) -> None:
    source = write_model(tmp_path / "My Model")
    for name in ("run.py", "model.bin", "weights.pickle", "training_args.bin", "notes.docx"):
        (source / name).write_bytes(b"x")
    (source / "README.md").write_text("---\nlicense: mit\n---\n")
    (source / "LICENSE").write_text("MIT License")
    before = tree(source)
    told: list[Progress] = []
    folder = import_model(source, models, tell=told.append)
    assert folder == models / "imported" / "My-Model"
    assert {path.name for path in folder.iterdir()} == {
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "model.safetensors",
        "README.md",
        "LICENSE",
        "manifest.json",
    }
    assert tree(source) == before
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "model.safetensors").stat().st_mode & 0o777 == 0o600
    model = only(models)
    assert (model.path, model.licence, model.manifest) == (str(folder), "mit", True)
    assert verify(model).checked == 6
    assert made_folder.manifest_of(folder)["origin"]["kind"] == "import"
    assert told[-1].done == told[-1].total


def test_a_gguf_is_imported_into_a_folder_of_its_own(tmp_path: Path, models: Path) -> None:
    source = write_gguf(tmp_path / "m.Q4_K_M.gguf")
    file = import_model(source, models)
    assert file == models / "imported" / "m.Q4_K_M.gguf" / "m.Q4_K_M.gguf"
    model = only(models)
    assert model.path == str(file)
    assert model.unit == str(file.parent)
    assert model.is_whole
    assert verify(model).checked == 1


def test_a_snapshot_of_the_cache_is_imported_with_where_it_is_from(
    tmp_path: Path, models: Path
) -> None:
    snapshot = HubCache(tmp_path / "hub").add("owner/Tiny", write_model(tmp_path / "source"))
    folder = import_model(snapshot, models)
    assert not any(path.is_symlink() for path in folder.iterdir())
    model = only(models)
    assert (model.repo, model.commit) == ("owner/Tiny", snapshot.name)


def test_the_same_again_is_there_already(tmp_path: Path, models: Path) -> None:
    source = write_model(tmp_path / "Tiny")
    first = import_model(source, models)
    assert import_model(source, models) == first
    other = import_model(write_model(tmp_path / "b" / "Tiny", seed=2), models)
    assert other.name == "Tiny-2"
    assert len(scan(models, None)) == 2


def test_hard_links_take_no_disk_and_keep_the_original_as_it_is(
    tmp_path: Path, models: Path
) -> None:
    source = write_model(tmp_path / "Tiny")
    (source / "model.safetensors").chmod(0o644)
    folder = import_model(source, models, way=importing.LINK)
    assert (folder / "model.safetensors").samefile(source / "model.safetensors")
    assert (source / "model.safetensors").stat().st_mode & 0o777 == 0o644
    model = only(models)
    assert model.frees < model.size
    model_bin.empty(models, [model_bin.delete(model, models).entry])
    assert look_at_path(source).is_whole


def test_disks_that_share_blocks_are_asked_to(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Btrfs and XFS do: nothing is copied, and what is there is hashed."""
    cloned: list[str] = []

    def clone(source: Path, target: Path) -> bool:
        cloned.append(target.name)
        target.write_bytes(source.read_bytes())
        return True

    monkeypatch.setattr(copying, "clone_file", clone)
    monkeypatch.setattr(copying, "copy_file", None)
    monkeypatch.setattr(importing, "check_room", lambda _place, size: _no_room(size))
    import_model(write_model(tmp_path / "Tiny"), models)
    assert "model.safetensors" in cloned
    assert verify(only(models)).checked == 4


def _no_room(size: int) -> None:
    assert size == 0


def test_what_is_not_whole_is_not_imported(tmp_path: Path, models: Path) -> None:
    source = write_shards(tmp_path / "Split")
    (source / "model-00001-of-00003.safetensors").unlink()
    with pytest.raises(LibraryError, match=r"model-00001-of-00003\.safetensors") as refused:
        import_model(source, models)
    assert refused.value.code == "incomplete"
    assert scan(models, None) == ()


def test_a_folder_of_very_many_files_is_not_taken_in_part(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_model(tmp_path / "Tiny")
    monkeypatch.setattr(importing, "_MOST_FILES", 2)
    with pytest.raises(LibraryError, match="2 are taken at most"):
        import_model(folder, models)
    assert scan(models, None) == ()


def test_what_is_in_the_store_is_not_imported(models: Path) -> None:
    with pytest.raises(LibraryError, match="already"):
        import_model(write_installed(models), models)


@pytest.mark.parametrize("name", ["../../evil", ".hidden", "a/b", "\0", "—", "x" * 500, " . "])
def test_any_name_stays_in_its_place(tmp_path: Path, models: Path, name: str) -> None:
    folder = import_model(write_model(tmp_path / "Tiny"), models, name=name)
    assert folder.parent == models / "imported"
    assert not folder.name.startswith(".")
    assert only(models).is_whole


def test_a_cancelled_import_leaves_nothing(tmp_path: Path, models: Path) -> None:
    source = write_model(tmp_path / "Tiny")
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 6

    with pytest.raises(CancelledError):
        import_model(source, models, is_cancelled=is_cancelled)
    assert list((models / "imported").iterdir()) == []


def test_waiting_for_another_import_can_be_stopped(tmp_path: Path, models: Path) -> None:
    source = write_model(tmp_path / "Tiny")
    (models / "imported").mkdir(parents=True)
    told: list[Progress] = []
    with (
        made_folder.alone(models / "imported", lambda: None),
        pytest.raises(CancelledError),
    ):
        import_model(source, models, tell=told.append, is_cancelled=lambda: len(told) > 0)
    assert [progress.phase for progress in told] == ["waiting"]


def test_an_import_that_was_killed_is_cleared_away(tmp_path: Path, models: Path) -> None:
    left = models / "imported" / ".Other.partial"
    left.mkdir(parents=True)
    (left / "model.safetensors").write_bytes(b"half")
    assert scan(models, None) == ()
    import_model(write_model(tmp_path / "Tiny"), models)
    assert not left.exists()


def test_a_file_that_changes_meanwhile_is_noticed(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_model(tmp_path / "Tiny")
    really = importing._copy
    monkeypatch.setattr(copying, "clone_file", lambda *_: False)

    def copy(wanted: object, target: Path, meter: object) -> str:
        digest = really(wanted, target, meter)  # type: ignore[arg-type]
        os.utime(source / "model.safetensors", (1, 1))
        return digest

    monkeypatch.setattr(importing, "_copy", copy)
    with pytest.raises(LibraryError, match="was changed while"):
        import_model(source, models)
    assert list((models / "imported").iterdir()) == []


def test_a_full_disk_is_said_before_and_during(tmp_path: Path) -> None:
    source = write_model(tmp_path / "Tiny")
    with disk(tmp_path / "disk", "4m") as small:
        if small is None:
            pytest.skip("only root may mount")
        models = tmp_path / "disk" / "models"
        with pytest.raises(LibraryError, match="GiB are free") as refused:
            import_model(source, models)
        assert refused.value.code == "disk_full"
        small.make_read_only()
        with pytest.raises(LibraryError, match="read-only"):
            import_model(source, models)


def test_a_disk_that_fills_up_in_the_middle(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(copying, "clone_file", lambda *_: False)
    monkeypatch.setattr(copying, "copy_file", full)
    with pytest.raises(LibraryError, match="is full"):
        import_model(write_model(tmp_path / "Tiny"), models)
    assert list((models / "imported").iterdir()) == []


def test_a_store_that_is_away_takes_nothing(tmp_path: Path, models: Path) -> None:
    models.parent.mkdir()
    models.symlink_to(tmp_path / "usb" / "models")
    with pytest.raises(LibraryError, match="Connect it"):
        import_model(write_model(tmp_path / "Tiny"), models)
    assert not (tmp_path / "usb").exists()


def test_nothing_is_imported_while_the_store_moves(tmp_path: Path, models: Path) -> None:
    write_installed(models)
    with store_lock.moving(models), pytest.raises(LibraryError, match="being moved"):
        import_model(write_model(tmp_path / "Tiny"), models)


# --- the bin ------------------------------------------------------------------------------------


def test_deleted_and_brought_back(models: Path) -> None:
    folder = write_installed(models)
    before = tree(models)
    model = only(models)
    done = model_bin.delete(model, models)
    assert scan(models, None) == ()
    (entry,) = model_bin.entries(models)
    assert (entry.entry, entry.model, entry.frees) == (done.entry, model, model.frees)
    assert model_bin.restore(models, done.entry) == folder
    after = tree(models)
    assert after.pop(BIN) == ""
    assert after == before
    assert model_bin.entries(models) == ()


def test_emptied_means_gone(models: Path) -> None:
    write_installed(models, "owner/One")
    write_installed(models, "owner/Two")
    for model in scan(models, None):
        model_bin.delete(model, models)
    assert [entry.model.name for entry in model_bin.entries(models)] == ["owner/Two", "owner/One"]
    first = model_bin.entries(models)[0]
    told: list[Progress] = []
    assert model_bin.empty(models, [first.entry], told.append) >= first.frees
    assert [entry.model.name for entry in model_bin.entries(models)] == ["owner/One"]
    assert model_bin.empty(models) > 0
    assert list((models / BIN).iterdir()) == []
    assert model_bin.empty(models) == 0
    with pytest.raises(LibraryError, match="no such model"):
        model_bin.restore(models, first.entry)


def test_a_place_that_is_taken_again_is_said(models: Path) -> None:
    folder = write_installed(models)
    done = model_bin.delete(only(models), models)
    write_installed(models)
    again = tree(folder)
    with pytest.raises(LibraryError, match="is there again"):
        model_bin.restore(models, done.entry)
    assert tree(folder) == again
    assert len(model_bin.entries(models)) == 1


def test_one_of_several_files_goes_alone(models: Path) -> None:
    folder = models / "hub" / "owner--Many"
    write_gguf(folder / "a.gguf")
    write_gguf(folder / "b.gguf", template=False)
    one = scan(models, None)[0]
    assert one.unit == one.path == str(folder / "a.gguf")
    model_bin.delete(one, models)
    assert sorted(path.name for path in folder.iterdir()) == ["b.gguf"]


@pytest.mark.parametrize("source", [Source.FOLDER, Source.STARTER])
def test_what_is_not_ours_is_not_deleted(models: Path, source: Source) -> None:
    folder = write_installed(models)
    model = InstalledModel(path=str(folder), name="x", source=source, unit=str(folder))
    with pytest.raises(LibraryError):
        model_bin.delete(model, models)
    assert folder.is_dir()


@pytest.mark.parametrize(
    "unit",
    ["{models}", "{models}/hub", "{models}/.bin", "{models}/..", "/", "{tmp}", "{models}/hub/.."],
)
def test_nothing_but_a_model_is_ever_deleted(tmp_path: Path, models: Path, unit: str) -> None:
    write_installed(models)
    (models / BIN).mkdir()
    before = tree(tmp_path)
    place = unit.format(models=models, tmp=tmp_path)
    model = InstalledModel(path=place, name="x", source=Source.STORE, unit=place)
    with pytest.raises(LibraryError, match="no model of the store"):
        model_bin.delete(model, models)
    assert tree(tmp_path) == before


def test_links_in_a_model_are_not_followed(tmp_path: Path, models: Path) -> None:
    treasure = write_model(tmp_path / "treasure")
    before = tree(treasure)
    folder = write_installed(models)
    (folder / "inner").symlink_to(treasure)
    (folder / "extra.safetensors").symlink_to(treasure / "model.safetensors")
    model = only(models)
    model_bin.delete(model, models)
    model_bin.empty(models)
    assert tree(treasure) == before


def test_a_model_that_is_a_link_is_none_of_the_store(tmp_path: Path, models: Path) -> None:
    (models / "hub").mkdir(parents=True)
    (models / "hub" / "linked").symlink_to(write_model(tmp_path / "mine"))
    assert scan(models, None) == ()


def test_a_note_cannot_have_anything_put_anywhere(tmp_path: Path, models: Path) -> None:
    write_installed(models)
    done = model_bin.delete(only(models), models)
    note = models / BIN / done.entry / NOTE
    lawful = json.loads(note.read_text())
    for moves in ([["/etc/x", "0-x"]], [["a", "b"]], [[f"{models}/../x", "0"]]):
        note.write_text(json.dumps({**lawful, "moves": moves}))
        assert model_bin.entries(models) == ()
        with pytest.raises(LibraryError):
            model_bin.restore(models, done.entry)
    note.write_text(json.dumps({**lawful, "moves": [[lawful["moves"][0][0], "../../x"]]}))
    assert model_bin.entries(models) == ()
    assert model_bin.empty(models) > 0


def test_folders_without_rights_are_emptied_too(models: Path) -> None:
    folder = write_installed(models)
    (folder / "inner").mkdir()
    (folder / "inner" / "x").touch()
    (folder / "inner").chmod(0o500)
    model_bin.delete(only(models), models)
    model_bin.empty(models)
    assert list((models / BIN).iterdir()) == []


def test_a_model_that_is_being_read_is_not_deleted(models: Path) -> None:
    folder = write_installed(models)
    script = "import sys; f = open(sys.argv[1]); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder / "model.safetensors")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        with pytest.raises(LibraryError, match="is being read by") as refused:
            model_bin.delete(only(models), models)
        assert refused.value.code == "in_use"
        reader.communicate()
    assert model_bin.delete(only(models), models).entry


def test_two_that_delete_the_same_model(models: Path) -> None:
    write_installed(models)
    model = only(models)
    outcomes: list[str] = []

    def delete() -> None:
        try:
            outcomes.append(model_bin.delete(model, models).entry and "deleted")
        except LibraryError as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=delete) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["deleted", "missing", "missing", "missing"]
    model_bin.repair(models)
    assert len(list((models / BIN).iterdir())) == 1


def test_a_deletion_that_failed_half_way_is_undone(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = HubCache(tmp_path / "hub")
    cache.add("owner/Tiny", write_model(tmp_path / "one"))
    cache.add("owner/Tiny", write_model(tmp_path / "two", seed=2), "f" * 40, ref="main2")
    before = tree(cache.folder)
    model = next(model for model in scan(models, cache.folder) if model.commit != "f" * 40)
    models.mkdir(parents=True)
    really = Path.rename
    count = 0

    def rename(self: Path, target: Path) -> Path:
        nonlocal count
        count += f"/{BIN}/" in str(target)
        if count == 2 and f"/{BIN}/" in str(target):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return really(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(LibraryError, match="reports an error"):
        model_bin.delete(model, models)
    assert tree(cache.folder) == before
    assert list((models / BIN).iterdir()) == []


class KilledError(BaseException):
    """As after kill -9: nothing is put right."""


def kill_at(killing: pytest.MonkeyPatch, wanted: int) -> None:
    """Before the step `wanted` of those that change the disk."""
    step = -1
    for name in ("rename", "unlink", "replace", "mkdir", "write_bytes"):
        really = getattr(Path, name)

        def watched(
            self: Path, *arguments: object, really: Any = really, **named: object
        ) -> object:
            nonlocal step
            step += 1
            if step == wanted:
                raise KilledError
            return really(self, *arguments, **named)

        killing.setattr(Path, name, watched)


def test_killed_at_any_step_of_a_deletion(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one of two revisions in the cache, which is many renames: there, or in the bin, whole."""
    models.mkdir(parents=True)
    cache = HubCache(tmp_path / "hub")
    cache.add("owner/Tiny", write_model(tmp_path / "one"))
    cache.add("owner/Tiny", write_model(tmp_path / "two", seed=2), "f" * 40, ref="other")
    before = tree(cache.folder)

    def in_cache() -> list[InstalledModel]:
        return [model for model in scan(models, cache.folder) if model.commit != "f" * 40]

    (model,) = in_cache()
    killed = True
    steps = 0
    while killed:
        killed = False
        with monkeypatch.context() as killing:
            kill_at(killing, steps)
            try:
                if (found := model_bin.entries(models)) and not in_cache():
                    model_bin.restore(models, found[0].entry)
                else:
                    model_bin.delete(model, models)
            except KilledError:
                killed = True
        model_bin.repair(models)
        binned = model_bin.entries(models)
        assert len(binned) + len(in_cache()) == 1
        if not binned:
            assert tree(cache.folder) == before
            assert list((models / BIN).iterdir() if (models / BIN).exists() else ()) == []
        assert all(left.is_whole for left in scan(models, cache.folder))
        steps += 1
    assert steps > 5


# --- usage --------------------------------------------------------------------------------------


def test_uses_are_remembered(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert usage.last_used(state) == {}
    usage.note_used(state, "/a", 5.0)
    usage.note_used(state, "/b")
    usage.note_used(state, "/\udcff", 7.0)  # a name of any bytes
    used = usage.last_used(state)
    assert used["/a"] == 5.0
    assert used["/\udcff"] == 7.0
    assert abs(used["/b"] - time.time()) < 100
    usage.forget(state, "/a")
    assert set(usage.last_used(state)) == {"/b", "/\udcff"}
    assert (state / usage.FILE_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"a": "b", "c": NaN, "d": true, "e": 3}'])
def test_a_file_of_uses_that_makes_no_sense(tmp_path: Path, content: bytes) -> None:
    (tmp_path / usage.FILE_NAME).write_bytes(content)
    assert set(usage.last_used(tmp_path)) <= {"e"}
    usage.note_used(tmp_path, "/a", 1.0)
    assert usage.last_used(tmp_path)["/a"] == 1.0


def test_uses_of_several_processes_are_all_kept(tmp_path: Path) -> None:
    def note(start: int) -> None:
        for number in range(20):
            usage.note_used(tmp_path, f"/{start}/{number}", float(number))

    threads = [threading.Thread(target=note, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(usage.last_used(tmp_path)) == 80
