"""Downloads from a hub on the loopback: ways, paces, what is fetched again and what is not.

What goes wrong between a hub and a disk: tests/end2end/test_hub_faults.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.store.download import file_map
from engine.store.download.control import Control
from engine.store.download.messages import Done, Job, Limit, Pause, Phase, Progress, Resume, Waiting
from engine.store.download.partials import BusyError, discard, partials
from engine.store.download.patience import Patience
from engine.store.download.store_folder import StoreFolder
from engine.store.download.work import run
from engine.store.hub.errors import HubError
from engine.store.hub.listing import fetch_listing
from engine.store.hub.records import Listing, RepoFile
from tests.helpers.hub_answers import Account
from tests.helpers.hub_certificates import make_certificate
from tests.helpers.hub_downloads import Download, download_here, sent
from tests.helpers.hub_proxy import loopback_proxy
from tests.helpers.loopback_hub import LoopbackHub, loopback_hub

REPO = "me/model"
MIB = 1 << 20
WEIGHTS = random.Random(3).randbytes(10 * MIB + 12345)
FILES: dict[str, bytes | Path] = {
    "config.json": b'{"model_type": "llama", "architectures": ["LlamaForCausalLM"]}',
    "tokenizer.json": b"{}" * 5000,
    "model.safetensors": WEIGHTS,
}
TOTAL = sum(len(data) for data in FILES.values() if isinstance(data, bytes))
QUICK = Patience(
    connect=2,
    silence=0.5,
    drip=0.5,
    first_wait=0.05,
    most_wait=0.2,
    give_up=5,
    tick=0.02,
    sync=0.05,
)


@pytest.fixture(scope="module")
def shared_hub() -> Iterator[LoopbackHub]:
    with loopback_hub() as hub:
        yield hub


@pytest.fixture
def hub(
    shared_hub: LoopbackHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LoopbackHub]:
    """A hub with nothing wrong, which has one model."""
    shared_hub.add(REPO, FILES, licence="mit", base_model="me/base")
    ask(shared_hub, tmp_path, monkeypatch)
    shared_hub.reset_counts()
    yield shared_hub
    shared_hub.mend()
    shared_hub.cdn = False
    shared_hub.remove(REPO)


def ask(hub: LoopbackHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process ask `hub`, straight and as nobody."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("HF_", "SSL_CERT", "REQUESTS_CA")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def job(models: Path, **changes: Any) -> Job:
    return Job(**{"repo": REPO, "store": str(models), **changes})


def fetch(models: Path, **changes: Any) -> Done:
    with download_here(job(models, **changes), patience=QUICK) as download:
        ended = download.end()
    assert isinstance(ended, Done), ended
    return ended


def fetch_half(hub: LoopbackHub, models: Path, **changes: Any) -> int:
    """Begin, and cancel at some time; what is there then."""
    with download_here(job(models, limit=8 * MIB, **changes), patience=QUICK) as download:
        download.until_done(TOTAL // 2)
        download.cancel()
    (partial,) = partials(models)
    assert TOTAL // 2 <= partial.have < TOTAL == partial.total
    hub.reset_counts()
    return partial.have


def weights(models: Path) -> bytes:
    return (models / "hub" / "me--model" / "model.safetensors").read_bytes()


# --- what is put where -----------------------------------------------------------------------


def test_a_model_with_its_manifest(hub: LoopbackHub, models: Path) -> None:
    done = fetch(models, limit=0)
    folder = models / "hub" / "me--model"
    assert done == Done(folder=str(folder), bytes_fetched=TOTAL, bytes_reused=0)
    assert weights(models) == WEIGHTS
    assert sorted(path.name for path in folder.parent.iterdir()) == ["me--model"]
    origin = json.loads((folder / "manifest.json").read_text())["origin"]
    commit = fetch_listing(REPO).commit
    assert origin.pop("fetched_at").startswith("20")
    assert origin == {
        "kind": "hub",
        "endpoint": hub.url,
        "repo": REPO,
        "revision": commit,
        "asked": "main",
        "variant": "",
        "licence": "mit",
        "licence_url": origin["licence_url"],
        "base_model": "me/base",
        "gated": "",
    }
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


def test_what_was_expected_is_fetched_though_the_branch_has_moved(
    hub: LoopbackHub, models: Path
) -> None:
    listing = fetch_listing(REPO)
    hub.add(REPO, {**FILES, "config.json": b"{}"})
    hub.reset_counts()
    fetch(models, expected=listing)
    assert not hub.asked("/api/*")
    assert (models / "hub" / "me--model" / "config.json").read_bytes() == FILES["config.json"]


def test_a_build_of_a_repository_of_many(hub: LoopbackHub, models: Path) -> None:
    files: dict[str, bytes | Path] = {
        "m-Q4_K_M.gguf": b"GGUF" + b"4" * 1000,
        "m-Q8_0.gguf": b"GGUF" + b"8" * 1000,
    }
    hub.add("me/many", files)
    done = fetch(models, repo="me/many", variant="Q8_0")
    assert Path(done.folder).name == "me--many--Q8_0"
    assert (Path(done.folder) / "m-Q8_0.gguf").read_bytes() == files["m-Q8_0.gguf"]
    assert not hub.asked("me/many/*Q4_K_M*")


@pytest.mark.parametrize(
    "file",
    [
        RepoFile("../evil.json", 4, "ab" * 32),
        RepoFile("/etc/evil.json", 4, "ab" * 32),
        RepoFile("model.safetensors", 4, "../../evil"),
    ],
)
def test_a_hostile_expectation_is_refused(hub: LoopbackHub, models: Path, file: RepoFile) -> None:
    listing = Listing(
        repo=REPO, commit="a" * 40, files=(file, RepoFile("config.json", 2, "b" * 64))
    )
    hub.reset_counts()
    with pytest.raises(HubError):
        run(job(models, expected=listing), lambda _: None)
    assert hub.bytes_sent() == 0
    assert not any(path.is_file() for path in models.rglob("*") if ".download" not in str(path))


# --- what is fetched again ---------------------------------------------------------------------


def test_only_what_is_missing_is_fetched(hub: LoopbackHub, models: Path) -> None:
    have = fetch_half(hub, models)
    done = fetch(models)
    assert done.bytes_fetched == sent(hub) == TOTAL - have
    assert done.bytes_reused == have
    assert not hub.asked("/api/*")  # the list of the first try still holds
    assert weights(models) == WEIGHTS


def test_bytes_that_changed_on_the_disk_are_found(hub: LoopbackHub, models: Path) -> None:
    fetch_half(hub, models)
    path = models / "hub" / ".me--model.partial" / "model.safetensors"
    with path.open("r+b") as file:
        file.seek(100_000)
        file.write(b"something else")
    fetch(models)
    assert weights(models) == WEIGHTS
    # Once what was missing, then all of it.
    assert hub.bytes_sent("me/model/model.safetensors") > len(WEIGHTS)


def test_after_a_power_cut_what_is_not_on_the_disk_is_fetched_again(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch_half(hub, models)
    path = models / "hub" / ".me--model.partial" / "model.safetensors"
    monkeypatch.setattr(file_map, "this_boot", lambda: "another")
    state = models / "hub" / ".me--model.download"
    for each in state.glob("*.map"):
        content = bytearray(each.read_bytes())
        body = len(content) - 512
        content[512 + body // 2 :] = bytes(body // 2)  # nothing was put on the disk
        each.write_bytes(content)
    path.write_bytes(bytes(path.stat().st_size))  # as a file system may leave it
    done = fetch(models)
    assert done.bytes_fetched == TOTAL
    assert weights(models) == WEIGHTS


def test_a_newer_commit_takes_what_has_not_changed(hub: LoopbackHub, models: Path) -> None:
    fetch(models)
    config = b'{"model_type": "llama", "newer": true, "architectures": ["LlamaForCausalLM"]}'
    commit = hub.add(REPO, {**FILES, "config.json": config})
    hub.reset_counts()
    done = fetch(models)
    assert done.bytes_fetched == sent(hub) == len(config)
    assert (models / "hub" / "me--model" / "config.json").read_bytes() == config
    manifest = json.loads((models / "hub" / "me--model" / "manifest.json").read_text())
    assert manifest["origin"]["revision"] == commit
    assert weights(models) == WEIGHTS


def test_a_commit_that_is_gone_is_followed_by_another(hub: LoopbackHub, models: Path) -> None:
    have = fetch_half(hub, models)
    hub.remove(REPO)
    commit = hub.add(REPO, {**FILES, "tokenizer.json": b"{}"})
    done = fetch(models)
    assert done.bytes_reused >= have - 10_000  # all but the tokenizer
    manifest = json.loads((models / "hub" / "me--model" / "manifest.json").read_text())
    assert manifest["origin"]["revision"] == commit
    assert weights(models) == WEIGHTS


def test_an_installed_model_is_mended(hub: LoopbackHub, models: Path) -> None:
    fetch(models)
    folder = models / "hub" / "me--model"
    (folder / "tokenizer.json").unlink()
    with (folder / "config.json").open("r+b") as file:
        file.write(b"!")  # of the same size
    hub.reset_counts()
    fetch(models)
    assert {r.file for r in hub.requests if r.file} == {
        "me/model/tokenizer.json",
        "me/model/config.json",
    }
    assert (folder / "config.json").read_bytes() == FILES["config.json"]


def test_a_model_that_is_whole_costs_nothing(hub: LoopbackHub, models: Path) -> None:
    fetch(models)
    hub.reset_counts()
    done = fetch(models)
    assert (done.bytes_fetched, done.bytes_reused, sent(hub)) == (0, TOTAL, 0)


def test_a_server_without_ranges_is_read_from_the_beginning(hub: LoopbackHub, models: Path) -> None:
    have = fetch_half(hub, models)
    hub.fault("*", "no_ranges")
    done = fetch(models)
    assert done.bytes_reused == have
    assert weights(models) == WEIGHTS


# --- the user's wishes -------------------------------------------------------------------------


def test_a_limit_holds_and_can_be_changed(hub: LoopbackHub, models: Path) -> None:
    began = time.monotonic()
    with download_here(job(models, limit=4 * MIB), patience=QUICK) as download:
        download.until_done(2 * MIB)
        slow = time.monotonic() - began
        download.tell(Limit(0))
        assert isinstance(download.end(), Done)
    assert slow > 0.25
    limits = [event.limit for event in download.events.of(Progress)]
    assert limits[0] == 4 * MIB
    assert limits[-1] == 0


def test_in_a_pause_nothing_is_fetched(hub: LoopbackHub, models: Path) -> None:
    with download_here(job(models, limit=8 * MIB), patience=QUICK) as download:
        download.until_done(2 * MIB)
        download.tell(Pause())
        until_phase(download, Phase.PAUSED)
        quiet = threading.Event()
        quiet.wait(0.1)
        hub.reset_counts()
        quiet.wait(0.3)
        assert hub.bytes_sent() == 0
        download.tell(Limit(0))
        download.tell(Resume())
        assert isinstance(download.end(), Done)
    assert weights(models) == WEIGHTS


def test_resume_tries_at_once(hub: LoopbackHub, models: Path) -> None:
    fault = hub.fault("me/model/model.safetensors", "status", status=503)
    patience = Patience(first_wait=60, tick=0.02)
    with download_here(job(models), patience=patience) as download:
        download.until(Waiting)
        hub.mend(fault)
        download.tell(Resume())
        assert isinstance(download.end(10), Done)


def until_phase(download: Download, phase: Phase) -> None:
    download.events.until(lambda event: isinstance(event, Progress) and event.phase is phase)


def test_another_process_is_waited_for(hub: LoopbackHub, models: Path) -> None:
    models.mkdir()
    with StoreFolder(models / "hub" / "me--model") as other:
        assert other.take()
        with download_here(job(models), patience=QUICK) as download:
            waiting = download.until(Waiting)
            assert waiting.code == "another_process"
            other.__exit__(None, None, None)
            assert isinstance(download.end(), Done)


def test_what_is_unfinished_is_listed_and_can_be_thrown_away(
    hub: LoopbackHub, models: Path
) -> None:
    have = fetch_half(hub, models)
    (partial,) = partials(models)
    assert (partial.repo, partial.variant, partial.have) == (REPO, "", have)
    assert partial.job.store == str(models)
    assert partial.folder.is_dir()
    with StoreFolder(partial.target) as other:
        assert other.take()
        with pytest.raises(BusyError):
            discard(partial)
    discard(partial)
    assert list((models / "hub").iterdir()) == []
    assert partials(models) == []


def test_nothing_stays_where_nothing_came(hub: LoopbackHub, models: Path) -> None:
    hub.fault("*", "status", status=403, code="GatedRepo")
    with pytest.raises(HubError):
        run(job(models), lambda _event: None, patience=QUICK)
    assert list((models / "hub").iterdir()) == []
    hub.mend(None)
    fetch_half(hub, models)
    hub.fault("*", "status", status=403, code="GatedRepo")
    with pytest.raises(HubError):
        run(job(models), lambda _event: None, patience=QUICK)
    assert partials(models)[0].have  # of the first try


# --- ways ----------------------------------------------------------------------------------------


def test_tokens_go_to_the_hub_alone(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.accounts["hf_secret"] = Account("me")
    hub.cdn = True
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with download_here(job(models), patience=QUICK) as download:
        assert isinstance(download.end(), Done)
    by_host: dict[str, set[str]] = {}
    for record in hub.requests:
        by_host.setdefault(record.host, set()).add(record.token)
    assert by_host == {"hub": {"hf_secret"}, "cdn": {""}}
    for path in models.rglob("*"):
        assert not path.is_file() or b"hf_secret" not in path.read_bytes()


def test_places_of_files_are_used_again_until_they_run_out(hub: LoopbackHub, models: Path) -> None:
    hub.cdn = True
    fault = hub.fault("me/model/model.safetensors", "status", status=403, skip=2, times=1)
    fetch(models, connections=1)
    assert hub.met(fault) == 1
    asked = [record.host for record in hub.requests if record.file.endswith(".safetensors")]
    assert asked == ["hub", "cdn", "cdn", "hub", "cdn"]
    assert weights(models) == WEIGHTS


def test_over_a_proxy(hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with loopback_proxy() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        fetch(models)
        assert any(
            line.endswith("/resolve/" + line.partition("/resolve/")[2]) for line in proxy.seen
        )
        assert len(proxy.seen) == len(hub.requests)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    listing = fetch_listing_directly(hub, monkeypatch)
    with pytest.raises(HubError) as caught:
        run(job(models, repo="me/other", expected=listing), lambda _: None, patience=QUICK)
    assert caught.value.code == "proxy"


def test_a_proxy_that_dies_and_comes_back(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.ExitStack() as stack:
        with loopback_proxy() as proxy:
            monkeypatch.setenv("http_proxy", proxy.url)
            slow = job(models, limit=2 * MIB, connections=1)
            download = stack.enter_context(download_here(slow, patience=QUICK))
            download.until_done(1)
        download.tell(Limit(0))
        while download.until(Waiting).code != "proxy":
            pass
        stack.enter_context(loopback_proxy(int(proxy.url.rpartition(":")[2])))
        assert isinstance(download.end(), Done)
    assert weights(models) == WEIGHTS


def fetch_listing_directly(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> Listing:
    hub.add("me/other", FILES)
    with monkeypatch.context() as patch:
        patch.setenv("no_proxy", "*")
        return fetch_listing("me/other")


def test_over_tls_and_a_tunnel_and_only_with_trust(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pem = make_certificate(tmp_path / "hub.pem")
    with loopback_hub(tls=pem) as hub, loopback_proxy() as proxy:
        ask(hub, tmp_path, monkeypatch)
        hub.cdn = True
        commit = hub.add(REPO, FILES)
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        monkeypatch.setenv("https_proxy", proxy.url)
        from engine.store.hub import connection

        connection.install()
        listing = fetch_listing(REPO)
        assert listing.commit == commit
        fetch(models, expected=listing)
        assert weights(models) == WEIGHTS
        assert any(line.startswith("CONNECT 127.0.0.1:") for line in proxy.seen)
        monkeypatch.delenv("https_proxy")
        monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(HubError) as caught:
            run(job(models / "2", expected=listing), lambda _: None, patience=QUICK)
        assert caught.value.code == "certificate"


def test_from_tls_to_none_is_refused(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch, hub: LoopbackHub
) -> None:
    pem = make_certificate(tmp_path / "hub.pem")
    listing = fetch_listing(REPO)
    with loopback_hub(tls=pem) as secure:
        secure.add(REPO, FILES)
        monkeypatch.setenv("HF_ENDPOINT", secure.url)
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        secure.fault(
            "me/model/*", "redirect", location=f"{hub.url}/me/model/resolve/main/config.json"
        )
        hub.reset_counts()
        with pytest.raises(HubError) as caught:
            run(job(models, expected=listing), lambda _: None, patience=QUICK)
        assert caught.value.code == "bad_answer"
        assert hub.requests == []


def test_offline_asks_nobody(
    hub: LoopbackHub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(HubError) as caught:
        run(job(models), lambda _: None, Control())
    assert caught.value.code == "offline"
    assert hub.requests == []


@pytest.mark.parametrize("is_mount_point", [True, False])
def test_nothing_is_written_where_the_stores_disk_is_not(
    hub: LoopbackHub, tmp_path: Path, is_mount_point: bool
) -> None:
    """The store was moved to a disk that is away: its place may be an empty folder, or nothing."""
    place, models = tmp_path / "usb", tmp_path / "away"
    models.symlink_to(place)
    if is_mount_point:
        place.mkdir()
    hub.reset_counts()
    with pytest.raises(HubError, match="disk with your models is not there") as caught:
        run(Job(repo=REPO, store=str(models)), lambda _event: None)
    assert caught.value.code == "store"
    assert not place.exists() or not list(place.iterdir())
    assert not hub.requests
