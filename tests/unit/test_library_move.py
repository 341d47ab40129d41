"""The store moves to another disk: whatever goes wrong, one of the two stores is whole."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.store import starter
from engine.store.library import bin as model_bin
from engine.store.library import copying, moving, store_lock, switching
from engine.store.library.importing import import_model
from engine.store.library.meter import Meter
from engine.store.library.move_journal import COPYING, LIST, STATE
from engine.store.library.moving import (
    FOLDER_ON_A_DISK,
    abandon_move,
    move_store,
    repair,
    unfinished_move,
)
from engine.store.library.records import CancelledError, LibraryError, Progress
from engine.store.library.scan import place_problems, scan
from engine.store.library.store_place import STORE_MARK
from engine.store.library.verify import verify
from tests.helpers.shelf_models import tree, write_installed, write_model
from tests.helpers.stores import disk


class KilledError(BaseException):
    """As after kill -9: nothing is put right."""


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are killed here, not the machine: what was written is there."""
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A store of two models, one of them in the bin, and of what else may be in it."""
    models = tmp_path / "data" / "models"
    for name in ("One", "Two"):
        write_installed(models, f"owner/{name}")
    model_bin.delete(scan(models, None)[0], models)  # owner/One
    (models / "hub" / ".owner--Four.partial").mkdir()
    (models / "hub" / ".owner--Four.partial" / "model.safetensors").write_bytes(b"half")
    (models / "hub" / "owner--Two" / "link.json").symlink_to("config.json")
    return models


@pytest.fixture(params=["copied", "renamed"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the new place counts as on another disk."""
    if request.param == "copied":
        always_copy(monkeypatch)
    return str(request.param)


def always_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two mounts of one disk, as the kernel sees them."""
    really = Path.rename

    def rename(self: Path, target: Path) -> Path:
        beside = {"models", ".models.old", ".models.home", ".models.link"}
        if (self / "hub").is_dir() and not {self.name, Path(target).name} <= beside:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return really(self, target)

    monkeypatch.setattr(Path, "rename", rename)


def contents(models: Path) -> dict[str, bytes | str]:
    found = tree(models)
    return {name: value for name, value in found.items() if name != STORE_MARK}


def remains(models: Path) -> list[str]:
    """What lies beside the store that should not."""
    return sorted(path.name for path in models.parent.iterdir() if path.name != models.name)


def check_usable(models: Path) -> None:
    found = scan(models, None)
    assert [model.name for model in found] == ["owner/Two"]
    for model in found:
        assert model.is_whole
        result = verify(model)
        assert result.damaged == result.missing == ()


def test_there_and_back_again(tmp_path: Path, models: Path, way: str) -> None:
    before = contents(models)
    paths = [model.path for model in scan(models, None)]
    target = tmp_path / "big disk" / "mine"
    told: list[Progress] = []
    done = move_store(models, target, told.append)
    assert (done.path, str(target) in done.text) == (str(target), True)
    assert models.is_symlink()
    assert models.resolve() == target
    assert contents(models) == before
    assert [model.path for model in scan(models, None)] == paths  # what was remembered holds
    assert remains(models) == []
    assert not (target / LIST).exists()
    assert place_problems(models, None) == ()
    if way == "copied":
        assert {progress.phase for progress in told} >= {"copying", "verifying", "removing"}
    third = tmp_path / "third"
    third.mkdir()
    move_store(models, third)
    assert models.resolve() == third
    assert contents(models) == before
    assert not target.exists()
    move_store(models, None)
    assert not models.is_symlink()
    assert tree(models) == before
    assert not third.exists()
    assert remains(models) == []
    entry = model_bin.entries(models)[0]
    model_bin.restore(models, entry.entry)
    assert len(scan(models, None)) == 2


def test_the_moved_store_works(tmp_path: Path, models: Path) -> None:
    move_store(models, tmp_path / "disk")
    import_model(write_model(tmp_path / "New", seed=5), models)
    model = next(model for model in scan(models, None) if model.name == "New")
    model_bin.restore(models, model_bin.delete(model, models).entry)
    model_bin.delete(model, models)
    model_bin.empty(models)
    check_usable(models)


def test_places_that_cannot_be_the_stores(tmp_path: Path, models: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.odt").write_text("dear")
    (tmp_path / "file").touch()
    before = contents(models)
    for to, code in (
        (models, "same"),
        (models / "inner", "inside"),
        (models / "hub" / "owner--Two", "inside"),
        (tmp_path / "data", "around"),
        (tmp_path, "around"),
        (full, "not_empty"),
        (tmp_path / "file", "no_folder"),
        (None, "same"),
    ):
        with pytest.raises(LibraryError) as refused:
            move_store(models, to)
        assert refused.value.code == code, to
        assert str(refused.value)
    assert contents(models) == before
    assert remains(models) == []
    assert (full / "thesis.odt").read_text() == "dear"
    with pytest.raises(LibraryError, match="no models yet"):
        move_store(tmp_path / "none", tmp_path / "x")


def test_a_link_to_the_store_is_the_store(tmp_path: Path, models: Path) -> None:
    (tmp_path / "link").symlink_to(models)
    with pytest.raises(LibraryError, match="cannot be moved into itself"):
        move_store(models, tmp_path / "link" / "inner")
    with pytest.raises(LibraryError, match="already"):
        move_store(models, tmp_path / "link")


def test_on_a_disk_of_its_own_the_store_has_a_folder(tmp_path: Path, models: Path) -> None:
    """Else the disk's absence would look like an empty store."""
    with disk(tmp_path / "disk", "300m") as mounted:
        if mounted is None:
            pytest.skip("only root may mount")
        (tmp_path / "disk" / "lost+found").mkdir()
        move_store(models, tmp_path / "disk")
        assert models.resolve() == tmp_path / "disk" / FOLDER_ON_A_DISK
        check_usable(models)
        paths = [model.path for model in scan(models, None)]
    # It is unplugged.
    assert scan(models, None) == ()
    (problem,) = place_problems(models, None)
    assert f"{tmp_path}/disk/{FOLDER_ON_A_DISK}" in problem.text
    for act in (
        lambda: move_store(models, None),
        lambda: model_bin.empty(models),
        lambda: import_model(write_model(tmp_path / "New"), models),
    ):
        with pytest.raises(LibraryError, match="Connect it"):
            act()
    assert not Path(paths[0]).exists()


def test_the_set_up_says_that_the_disk_is_away(tmp_path: Path) -> None:
    models = tmp_path / "data" / "models"
    models.parent.mkdir()
    models.symlink_to(tmp_path / "usb" / FOLDER_ON_A_DISK)
    with pytest.raises(starter.StarterError, match="Connect it"):
        starter.make(models / "starter" / "Tiny", gguf=tmp_path / "any.gguf")
    assert not (tmp_path / "usb").exists()


def test_a_disk_that_is_too_small_or_read_only(tmp_path: Path, models: Path) -> None:
    before = contents(models)
    with disk(tmp_path / "disk", "4m") as mounted:
        if mounted is None:
            pytest.skip("only root may mount")
        with pytest.raises(LibraryError, match="GiB are free") as refused:
            move_store(models, tmp_path / "disk" / "models")
        assert refused.value.code == "disk_full"
        mounted.make_read_only()
        with pytest.raises(LibraryError, match="read-only"):
            move_store(models, tmp_path / "disk" / "models")
    assert contents(models) == before
    assert unfinished_move(models) is None


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "is full"),
        (errno.EIO, "reports an error"),
        (errno.ENODEV, "not there any more"),
        (errno.EFBIG, "files of such a size"),
        (errno.EROFS, "read-only"),
    ],
)
def test_a_disk_that_fails_in_the_middle(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch, number: int, says: str
) -> None:
    always_copy(monkeypatch)
    before = contents(models)
    really = copying.copy_file
    left = 5

    def copy(source: Path, target: Path, meter: Meter) -> str:
        nonlocal left
        left -= 1
        if left < 0:
            target.write_bytes(b"half")
            raise OSError(number, os.strerror(number))
        return really(source, target, meter)

    monkeypatch.setattr(copying, "copy_file", copy)
    with pytest.raises(LibraryError, match=says):
        move_store(models, tmp_path / "disk")
    assert contents(models) == before
    assert not models.is_symlink()
    left = 1000
    copied_before = 1000
    move_store(models, tmp_path / "disk")
    assert copied_before - left < len([name for name, value in before.items() if value]) - 3
    assert contents(models) == before
    assert models.resolve() == tmp_path / "disk"


def test_a_copy_that_is_not_alike_is_noticed(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    really = copying.hash_file
    monkeypatch.setattr(
        copying,
        "hash_file",
        lambda path, meter, **more: (
            "0" * 64 if path.name == "model.safetensors" else really(path, meter, **more)
        ),
    )
    before = contents(models)
    with pytest.raises(LibraryError, match="not like the original"):
        move_store(models, tmp_path / "disk")
    assert contents(models) == before
    assert not models.is_symlink()


def test_a_store_that_is_written_to_all_the_time(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    really = copying.copy_file
    count = 0

    def copy(source: Path, target: Path, meter: Meter) -> str:
        nonlocal count
        count += 1
        (models / "hub" / f"new-{count}").mkdir()
        (models / "hub" / f"new-{count}" / "x").write_text(str(count))
        return really(source, target, meter)

    monkeypatch.setattr(copying, "copy_file", copy)
    with pytest.raises(LibraryError, match="keeps writing"):
        move_store(models, tmp_path / "disk")
    monkeypatch.setattr(copying, "copy_file", really)
    shutil.rmtree(models / "hub" / "new-1")
    before = contents(models)
    move_store(models, tmp_path / "disk")
    assert contents(models) == before  # and what is gone does not come back


def test_a_disk_that_knows_no_modes_and_no_links(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAT: what is for one user alone is so by how the disk is mounted."""
    always_copy(monkeypatch)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    before = contents(models)
    link = models / "hub" / "owner--Two" / "link.json"
    with monkeypatch.context() as fat:
        fat.setattr(Path, "chmod", refuse)
        fat.setattr(os, "fchmod", refuse)
        fat.setattr(os, "utime", refuse)
        really = Path.symlink_to

        def symlink_to(self: Path, target: Path) -> None:
            if self.is_relative_to(tmp_path / "fat"):
                refuse()
            really(self, target)

        fat.setattr(Path, "symlink_to", symlink_to)
        with pytest.raises(LibraryError, match=r"cannot hold a link, which link\.json is"):
            move_store(models, tmp_path / "fat" / "disk")
        fat.setattr(Path, "symlink_to", refuse)
        with pytest.raises(LibraryError, match="cannot hold a link, which models is"):
            move_store(models, tmp_path / "other")
    assert contents(models) == before
    link.unlink()
    before = contents(models)
    with monkeypatch.context() as fat:
        fat.setattr(Path, "chmod", refuse)
        fat.setattr(os, "fchmod", refuse)
        fat.setattr(os, "utime", refuse)
        move_store(models, tmp_path / "fat" / "disk")
    assert contents(models) == before
    import_model(write_model(tmp_path / "New", seed=5), models)


def test_nothing_moves_while_something_is_made(tmp_path: Path, models: Path) -> None:
    with store_lock.using(models), pytest.raises(LibraryError, match="is being fetched") as busy:
        move_store(models, tmp_path / "disk")
    assert busy.value.code == "busy"
    from engine.store import made_folder

    with (
        made_folder.alone(models / "hub", lambda: None),
        pytest.raises(LibraryError, match="is being fetched"),
    ):
        move_store(models, tmp_path / "disk")
    move_store(models, tmp_path / "disk")


def test_one_moves_at_a_time(tmp_path: Path, models: Path) -> None:
    with store_lock.one_mover(models):
        with pytest.raises(LibraryError, match="being moved"):
            move_store(models, tmp_path / "disk")
        (models.parent / STATE).write_text("{}")
        repair(models)  # leaves it to the other one
    move_store(models, tmp_path / "disk")


def cancel_after(count: int) -> Callable[[], bool]:
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > count

    return is_cancelled


def test_stopped_gone_on_with_and_given_up(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    before = contents(models)
    target = tmp_path / "disk"
    with pytest.raises(CancelledError):
        move_store(models, target, is_cancelled=cancel_after(20))
    state = unfinished_move(models)
    assert state is not None
    assert (state.target, state.phase) == (str(target), COPYING)
    assert contents(models) == before
    (target / "note.txt").write_text("the user's own")
    repair(models)
    assert unfinished_move(models) is not None  # it is the user's to say
    abandon_move(models)
    assert [path.name for path in target.iterdir()] == ["note.txt"]
    assert unfinished_move(models) is None
    assert remains(models) == []
    (target / "note.txt").unlink()
    with pytest.raises(CancelledError):
        move_store(models, target, is_cancelled=cancel_after(20))
    move_store(models, tmp_path / "elsewhere")  # another place: the first copy goes
    assert models.resolve() == tmp_path / "elsewhere"
    assert list(target.iterdir()) == []
    assert contents(models) == before


def test_files_of_others_in_the_target_are_never_overwritten(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    target = tmp_path / "disk"
    with pytest.raises(CancelledError):
        move_store(models, target, is_cancelled=cancel_after(4))
    theirs = target / "hub" / "owner--Two" / "model.safetensors"
    theirs.parent.mkdir(parents=True, exist_ok=True)
    theirs.write_text("dear")
    with pytest.raises(LibraryError, match="something in"):
        move_store(models, target)
    abandon_move(models)
    assert theirs.read_text() == "dear"


def test_what_came_meanwhile_is_left_in_the_old_place(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    move_store(models, tmp_path / "second")
    really = switching.switch

    def switch(*arguments: object) -> None:
        (tmp_path / "second" / "hub" / "late.txt").write_text("late")
        really(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(moving, "switch", switch)
    done = move_store(models, tmp_path / "third")
    assert str(tmp_path / "second") in done.text
    assert (tmp_path / "second" / "hub" / "late.txt").read_text() == "late"
    assert [path for path in (tmp_path / "second").rglob("*") if path.is_file()] == [
        tmp_path / "second" / "hub" / "late.txt"
    ]


def test_links_lead_where_they_led(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    treasure = tmp_path / "treasure"
    write_model(treasure)
    before = tree(treasure)
    (models / "hub" / "out").symlink_to("../../../treasure")
    (models / "hub" / "absolute").symlink_to(models / "hub" / "owner--Two")
    move_store(models, tmp_path / "far" / "away" / "disk")
    assert (models / "hub" / "out").resolve() == treasure
    assert (models / "hub" / "absolute").resolve().name == "owner--Two"
    assert (models / "hub" / "absolute").exists()
    assert tree(treasure) == before


# --- kills, at every step of the way ------------------------------------------------------------


@pytest.mark.parametrize("exchange", [True, False], ids=["exchange", "three-steps"])
@pytest.mark.parametrize("home", [False, True], ids=["away", "home"])
def test_killed_at_any_step(
    tmp_path: Path,
    models: Path,
    way: str,
    exchange: bool,
    home: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between all steps, and also between the renames of those disks that cannot exchange."""
    target = None if home else tmp_path / "disk"
    if home:
        move_store(models, tmp_path / "first")
    before = contents(models)
    if not exchange:
        monkeypatch.setattr(switching, "_RENAME_EXCHANGE", 1 << 20)
    kills = 0
    for number in range(400):
        killed = False
        with monkeypatch.context() as killing:
            _kill_at(killing, number)
            try:
                move_store(models, target)
            except KilledError:
                killed = True
                kills += 1
        repair(models)
        check_usable(models)
        assert contents(models) == before
        if not killed:
            break
        if models.is_symlink() is not home and unfinished_move(models) is None:
            # It was killed after the switch: once more from the beginning.
            move_store(models, tmp_path / f"again-{number}" if home else None)
    assert not killed
    assert kills > 5
    assert models.is_symlink() is not home
    assert remains(models) == []


def _kill_at(killing: pytest.MonkeyPatch, wanted: int) -> None:
    """Before the step `wanted` of those that change the disk, which is after the one before."""
    step = -1

    def is_moment() -> bool:
        nonlocal step
        step += 1
        return step == wanted

    for name in ("rename", "unlink", "symlink_to", "replace", "mkdir"):
        _kill_around(killing, name, is_moment)


def _kill_around(killing: pytest.MonkeyPatch, name: str, is_moment: Callable[[], bool]) -> None:
    really = getattr(Path, name)

    def step(self: Path, *arguments: object, **named: object) -> object:
        if is_moment():
            raise KilledError
        return really(self, *arguments, **named)

    killing.setattr(Path, name, step)


def test_a_state_that_makes_no_sense_is_none(models: Path) -> None:
    for content in (b"", b"{", b"[]", b'{"source": 1}'):
        (models.parent / STATE).write_bytes(content)
        assert unfinished_move(models) is None
        repair(models)
    check_usable(models)


def test_a_switch_whose_disk_is_away_afterwards(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between two renames, and then the new disk is unplugged: the old store comes back."""
    always_copy(monkeypatch)
    monkeypatch.setattr(switching, "_RENAME_EXCHANGE", 1 << 20)
    before = contents(models)
    really = Path.rename

    def rename(self: Path, target: Path) -> Path:
        result = really(self, target)
        if Path(target).name == ".models.old":
            raise KilledError
        return result

    with monkeypatch.context() as killing:
        killing.setattr(Path, "rename", rename)
        with pytest.raises(KilledError):
            move_store(models, tmp_path / "disk")
    assert not models.exists()
    os.rename(tmp_path / "disk", tmp_path / "unplugged")  # noqa: PTH104 - that one is watched
    repair(models)
    assert contents(models) == before
    assert not models.is_symlink()


def test_random_kills_of_a_copy_cost_one_file_each(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    chance = random.Random(7)
    before = contents(models)
    really = copying.copy_file
    copied: list[str] = []

    def copy(source: Path, target: Path, meter: Meter) -> str:
        if chance.random() < 0.3:
            target.write_bytes(source.read_bytes()[: chance.randrange(50)])
            raise KilledError
        copied.append(str(source))
        return really(source, target, meter)

    monkeypatch.setattr(copying, "copy_file", copy)
    for _ in range(200):
        try:
            move_store(models, tmp_path / "disk")
            break
        except KilledError:
            check_usable(models)
    assert contents(models) == before
    assert len(copied) == len(set(copied))


def test_after_a_power_cut_a_move_knows_what_it_has_brought(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    always_copy(monkeypatch)
    target = tmp_path / "disk"
    on_the_disk = b""  # of the list of what was copied

    def sync(descriptor: int) -> None:
        nonlocal on_the_disk
        if os.readlink(f"/proc/self/fd/{descriptor}") == str(target / LIST):  # noqa: PTH115
            on_the_disk = (target / LIST).read_bytes()

    copy, copied = copying.copy_file, 0

    def cut(source: Path, wanted: Path, meter: Meter) -> str:
        nonlocal copied
        copied += 1
        digest = copy(source, wanted, meter)
        if copied == 3:
            raise KilledError
        return digest

    before = contents(models)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", sync)
        patch.setattr(copying, "copy_file", cut)
        with pytest.raises(KilledError):
            move_store(models, target)
    (target / LIST).write_bytes(on_the_disk)
    move_store(models, target)
    assert contents(models) == before
    check_usable(models)
