"""The desk with the real downloader and a hub on the loopback: fetched, paused, mended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.models.library.download_desk import DownloadDesk
from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.settings import Settings
from engine.store.download.partials import partials
from engine.store.library.scan import scan
from tests.helpers.loopback_hub import LoopbackHub, loopback_hub
from tests.helpers.shelf_models import write_model

WAIT_MS = 30_000
REPO = "owner/Tiny"
WEIGHTS = f"{REPO}/model.safetensors"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_model(tmp_path_factory.mktemp("hub") / "Tiny")
    (folder / "pytorch_model.bin").write_bytes(b"not wanted")
    (folder / "modeling_tiny.py").write_text("raise SystemExit('run')")
    return folder


@pytest.fixture
def hub(model: Path) -> Iterator[LoopbackHub]:
    with loopback_hub() as result:
        result.add(REPO, model, licence="apache-2.0")
        yield result


class Kit:
    def __init__(self, folders: paths.Folders, hub: LoopbackHub, qtbot: QtBot) -> None:
        self.settings = Settings(hub_endpoint=hub.url)
        self.folders = folders
        self.qtbot = qtbot
        self.desk = DownloadDesk(folders, lambda: self.settings)

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def until(self, state: DownloadState) -> DownloadView:
        self.wait(lambda: (view := self.desk.view(REPO)) is not None and view.state is state)
        view = self.desk.view(REPO)
        assert view is not None
        return view

    def phase(self) -> str:
        view = self.desk.view(REPO)
        return view.phase if view is not None else ""


@pytest.fixture
def kit(
    folders: paths.Folders, hub: LoopbackHub, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Kit]:
    for name in ("HF_ENDPOINT", "HF_TOKEN", "HF_HOME", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(folders.cache / "huggingface"))
    result = Kit(folders, hub, qtbot)
    yield result
    result.desk.close()
    result.desk.deleteLater()


def test_from_the_hub_to_the_list_of_installed_models(kit: Kit, hub: LoopbackHub) -> None:
    kit.desk.start(REPO)
    view = kit.until(DownloadState.DONE)
    assert view.total == view.done > 0
    (model,) = scan(kit.folders.models, None)
    assert (model.path, model.name, model.problem) == (view.folder, REPO, "")
    assert model.licence == "apache-2.0"
    for name in ("pytorch_model.bin", "modeling_tiny.py"):
        assert hub.bytes_sent(f"{REPO}/{name}") == 0
    assert partials(kit.folders.models) == []


def test_paused_over_a_restart_only_the_rest_is_fetched(kit: Kit, hub: LoopbackHub) -> None:
    fault = hub.fault(WEIGHTS, "hang", at=4000, method="GET")
    kit.desk.start(REPO)
    kit.wait(lambda: hub.met(fault) > 0 and kit.phase() == "downloading")
    kit.desk.pause(REPO)
    paused = kit.until(DownloadState.PAUSED)
    assert paused.total
    kit.desk.close()
    hub.mend(fault)
    kit.desk = DownloadDesk(kit.folders, lambda: kit.settings)
    kit.desk.restore()
    assert kit.until(DownloadState.PAUSED).total == paused.total
    kit.desk.resume(REPO)
    kit.until(DownloadState.DONE)
    (model,) = scan(kit.folders.models, None)
    assert model.problem == ""


def test_given_up_it_leaves_nothing(kit: Kit, hub: LoopbackHub) -> None:
    fault = hub.fault(WEIGHTS, "hang", at=4000, method="GET")
    kit.desk.start(REPO)
    kit.wait(lambda: hub.met(fault) > 0 and kit.phase() == "downloading")
    kit.desk.cancel(REPO)
    kit.wait(lambda: partials(kit.folders.models) == [])
    store = kit.folders.models / "hub"
    kit.wait(lambda: not [one for one in store.iterdir() if "Tiny" in one.name])
    hub.mend(fault)
    kit.desk.start(REPO)
    kit.until(DownloadState.DONE)


def test_a_hub_that_refuses_and_then_does_not(kit: Kit, hub: LoopbackHub) -> None:
    fault = hub.fault(f"*{REPO}*", "status", status=401, code="GatedRepo")
    kit.desk.start(REPO)
    view = kit.until(DownloadState.FAILED)
    assert view.code in ("sign_in", "gated")
    assert view.text
    assert scan(kit.folders.models, None) == ()
    hub.mend(fault)
    kit.desk.retry(REPO)
    kit.until(DownloadState.DONE)


def test_no_such_model(kit: Kit) -> None:
    kit.settings = replace(kit.settings, download_limit=10**6)
    key = kit.desk.start("owner/None")
    kit.wait(lambda: (view := kit.desk.view(key)) is not None and bool(view.code))
    view = kit.desk.view(key)
    assert view is not None
    assert (view.state, view.can_retry) == (DownloadState.FAILED, False)


def test_what_is_missing_is_fetched_again(kit: Kit, hub: LoopbackHub) -> None:
    kit.desk.start(REPO)
    folder = Path(kit.until(DownloadState.DONE).folder)
    (folder / "model.safetensors").unlink()
    (model,) = scan(kit.folders.models, None)
    assert model.missing
    hub.reset_counts()
    kit.desk.start(model.repo, model.commit, model.variant)
    kit.until(DownloadState.DONE)
    (model,) = scan(kit.folders.models, None)
    assert (model.problem, model.missing) == ("", ())
    assert hub.bytes_sent(WEIGHTS) == (folder / "model.safetensors").stat().st_size
    assert hub.bytes_sent(f"{REPO}/tokenizer.json") == 0, "what is there is not fetched again"
