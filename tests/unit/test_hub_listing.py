"""What a repository holds, as the real client tells it: checked, and refused where it lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.store.hub.errors import HubError
from engine.store.hub.listing import checked_files, fetch_listing, is_plain_path
from tests.helpers.asked_hub import asked_hub
from tests.helpers.hub_faults import HOSTILE_NAMES
from tests.helpers.loopback_hub import LoopbackHub


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    with asked_hub(tmp_path, monkeypatch) as hub:
        yield hub


def add(hub: LoopbackHub, repo: str = "o/model", **more: Any) -> str:
    files = {"config.json": b"{}", "model.safetensors": bytes(20_000), "LICENSE": b"MIT"}
    return hub.add(repo, files, **more)


def code_of(repo: str = "o/model", revision: str = "main") -> str:
    with pytest.raises(HubError) as caught:
        fetch_listing(repo, revision)
    assert caught.value.text.endswith((".", "?"))
    return caught.value.code


def test_all_that_is_told(hub: LoopbackHub) -> None:
    commit = add(
        hub,
        gated="manual",
        licence="apache-2.0",
        base_model="o/base",
        tags=("base_model:quantized:o/base", "awq"),
        downloads=12,
        likes=3,
    )
    found = fetch_listing("o/model")
    assert found.commit == commit
    assert (found.gated, found.licence, found.base_model) == ("manual", "apache-2.0", "o/base")
    assert (found.downloads, found.likes) == (12, 3)
    assert found.licence_url == f"{hub.url}/o/model/blob/main/LICENSE"
    assert found.updated.startswith("2026-01-02")
    files = {file.path: file for file in found.files}
    assert files["model.safetensors"].size == 20_000
    assert len(files["model.safetensors"].sha256) == 64
    assert not files["model.safetensors"].blob
    assert len(files["config.json"].blob) == 40
    assert fetch_listing("o/model", commit).commit == commit


def test_401_403_and_404_are_told_apart(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.accounts["hf_me"] = "me"
    add(hub, "o/private", private=True)
    add(hub, "o/open")
    assert code_of("o/private") == "sign_in"
    assert code_of("o/none") == "sign_in"  # the hub does not tell the two apart either
    monkeypatch.setenv("HF_TOKEN", "hf_me")
    assert code_of("o/none") == "not_found"
    assert code_of("o/open", "nowhere") == "not_found"
    monkeypatch.setenv("HF_TOKEN", "hf_forgotten")
    assert code_of("o/open") == "sign_in"


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_names_are_refused(hub: LoopbackHub, name: str) -> None:
    add(hub)
    hub.fault("*", "hostile_name", names=[name])
    if name == "manifest.json/evil.json":  # a plain path; never fetched, as it is in a folder
        assert fetch_listing("o/model").files[-1].path == name
    else:
        assert code_of() == "bad_answer"


def test_a_hostile_commit_is_refused(hub: LoopbackHub) -> None:
    add(hub)
    hub.fault("*", "hostile_etag", commit=True)
    assert code_of() == "bad_answer"


@pytest.mark.parametrize(
    ("kind", "details", "code"),
    [
        ("status", {"status": 429, "retry_after": 86400}, "too_many_requests"),
        ("status", {"status": 500}, "hub_broken"),
        ("status", {"status": 503}, "hub_broken"),
        ("redirect_loop", {}, "bad_answer"),
        ("redirect", {"location": "file:///etc/passwd"}, "bad_answer"),
        ("captive", {}, "bad_answer"),
        ("garbage", {}, "bad_answer"),
        ("truncate", {}, "unreachable"),
        ("reset", {}, "unreachable"),
        ("endless", {}, "too_large"),
        ("gzip", {"bomb": True}, "bad_answer"),
        ("huge_header", {}, "unreachable"),
    ],
)
def test_faults_have_names(hub: LoopbackHub, kind: str, details: dict[str, Any], code: str) -> None:
    add(hub)
    fault = hub.fault("*", kind, **details)
    assert code_of() == code
    if kind == "status":
        assert hub.met(fault) == 1  # nobody waits a day, and nobody tries again behind the back
    hub.mend(fault)
    assert fetch_listing("o/model").files


def test_a_packed_answer_is_unpacked(hub: LoopbackHub) -> None:
    add(hub)
    hub.fault("*", "gzip")
    assert len(fetch_listing("o/model").files) == 3


def test_nobody_is_there(hub: LoopbackHub) -> None:
    add(hub)
    hub.go_down()
    assert code_of() == "unreachable"
    hub.come_up()
    assert fetch_listing("o/model").files


def test_a_token_goes_to_the_hub_alone(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_mysecret")
    hub.accounts["hf_mysecret"] = "me"
    add(hub)
    other = hub.cdn_url
    hub.fault("/api/*", "redirect", location=f"{other}/api/models/o/model?blobs=true")
    with pytest.raises(HubError):
        fetch_listing("o/model")
    seen = {record.host: record.token for record in hub.requests}
    assert seen["hub"] == "hf_mysecret"
    assert not seen["cdn"]


@pytest.mark.parametrize("repo", ["", "../x", "a/b/c", "a b", "a/..", "x" * 200])
def test_names_that_no_model_has(hub: LoopbackHub, repo: str) -> None:
    assert code_of(repo) == "bad_id"
    assert not hub.requests


def entry(**more: Any) -> SimpleNamespace:
    usual = {"rfilename": "a.json", "size": 1, "blob_id": "0" * 40, "lfs": None}
    return SimpleNamespace(**{**usual, **more})


@pytest.mark.parametrize(
    "siblings",
    [
        [entry(size=None)],
        [entry(size=-1)],
        [entry(size=True)],
        [entry(size="12")],
        [entry(size=1 << 60)],
        [entry(blob_id=None)],
        [entry(blob_id="../../x")],
        [entry(blob_id="0" * 41)],
        [entry(lfs=SimpleNamespace(size=1, sha256="g" * 64))],
        [entry(lfs=SimpleNamespace(size=1, sha256=None))],
        [entry(), entry()],
        [entry(), entry(rfilename="a.json/b")],
        [entry(rfilename=None)],
        [entry()] * 20_001,
    ],
)
def test_files_that_make_no_sense(siblings: list[Any]) -> None:
    with pytest.raises(HubError) as caught:
        checked_files(siblings)
    assert caught.value.code == "bad_answer"


def test_plain_paths() -> None:
    assert is_plain_path("a/b-1_2.safetensors")
    assert is_plain_path("модель 模型.json")
    for path in ("", "/a", "a/", "../a", "a/./b", "a//b", "a\\b", "c:/x", "a\0", "a\n", "\u202ea"):
        assert not is_plain_path(path)


@pytest.mark.parametrize("content", [b"hf_\xff\xfe", b"two words", "hf_tök\u00e9n".encode()])
def test_a_token_that_cannot_be_used_is_said(hub: LoopbackHub, content: bytes) -> None:
    from huggingface_hub import constants

    add(hub)
    path = Path(constants.HF_TOKEN_PATH)
    path.parent.mkdir()
    path.write_bytes(content)
    assert code_of() == "sign_in"
    assert not hub.requests
