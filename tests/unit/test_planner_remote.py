"""A model's shape from a hub, by ranges: small, checked, and refused in plain words."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.planner.shape import shape_of_folder
from engine.store.hub import shapes
from engine.store.remote_shape import RemoteError, fetch_gguf_shape, fetch_shape, is_model_id
from tests.helpers.small_hub import SmallHub, small_hub
from tests.helpers.tiny_models import make_tiny_model

MODEL = "owner/tiny"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallHub]:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no-token"))
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with small_hub() as running:
        yield running


@pytest.fixture
def folder(hub: SmallHub, tmp_path: Path) -> Path:
    """A tiny model, on the hub as well."""
    folder = make_tiny_model(tmp_path / "tiny", tied=False, layers=3)
    for path in folder.iterdir():
        hub.files[f"{MODEL}/{path.name}"] = path.read_bytes()
    return folder


def in_shards(hub: SmallHub, folder: Path, *, padding: int = 0) -> None:
    """The weights in a file for each tensor, with heads as long as is wished."""
    data = (folder / "model.safetensors").read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header: dict[str, Any] = json.loads(data[8 : 8 + length])
    header.pop("__metadata__")
    names = {}
    for number, (name, entry) in enumerate(header.items()):
        begin, end = entry["data_offsets"]
        file = f"model-{number:05}.safetensors"
        alone = json.dumps({name: {**entry, "data_offsets": [0, end - begin]}}).encode()
        alone += b" " * padding
        body = data[8 + length + begin : 8 + length + end]
        hub.files[f"{MODEL}/{file}"] = struct.pack("<Q", len(alone)) + alone + body
        names[name] = file
    del hub.files[f"{MODEL}/model.safetensors"]
    hub.files[f"{MODEL}/model.safetensors.index.json"] = json.dumps({"weight_map": names}).encode()


def code_of(hub: SmallHub, model: str = MODEL, **more: Any) -> str:
    with pytest.raises(RemoteError) as caught:
        fetch_shape(model, endpoint=hub.url, **more)
    text = str(caught.value)
    assert text.endswith(".")
    assert len(text) < 300
    return caught.value.code


def test_the_same_shape_as_of_the_folder(hub: SmallHub, folder: Path) -> None:
    found = fetch_shape(MODEL, endpoint=hub.url)
    assert found == replace(shape_of_folder(folder), name=MODEL)
    assert found.is_exact
    assert hub.sent < 200_000 < (folder / "model.safetensors").stat().st_size
    assert all(headers["Accept-Encoding"] == "identity" for headers in hub.headers)


@pytest.mark.parametrize("ranges", [True, False])
def test_many_files_and_long_heads(hub: SmallHub, folder: Path, ranges: bool) -> None:
    in_shards(hub, folder, padding=200_000)
    hub.ranges = ranges
    told: list[tuple[int, int]] = []
    found = fetch_shape(MODEL, endpoint=hub.url, report=lambda done, of: told.append((done, of)))
    assert found == replace(shape_of_folder(folder), name=MODEL)
    count = len(told) - 1
    assert told == [(number, count) for number in range(count + 1)]


def test_a_hub_from_the_environment(
    hub: SmallHub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub.url + "/")
    assert fetch_shape(MODEL, revision="refs/pr/1").is_exact
    assert hub.requests[0][0] == f"/{MODEL}/resolve/refs%2Fpr%2F1/config.json"
    assert "Authorization" not in hub.headers[0]


def test_the_users_token_goes_along(
    hub: SmallHub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_notarealone")
    fetch_shape(MODEL, endpoint=hub.url)
    sent = {name.lower(): value for name, value in hub.headers[0].items()}
    assert sent["authorization"] == "Bearer hf_notarealone"


def test_weights_that_are_not_safetensors_are_estimated(hub: SmallHub, folder: Path) -> None:
    del hub.files[f"{MODEL}/model.safetensors"]
    found = fetch_shape(MODEL, endpoint=hub.url)
    assert not found.is_exact
    assert found.weights_bytes == shape_of_folder(folder).weights_bytes


def test_a_gguf_file(hub: SmallHub, folder: Path) -> None:
    hub.files[f"{MODEL}/tiny-Q4_K_M.gguf"] = bytes(300_000)
    found = fetch_gguf_shape(MODEL, "tiny-Q4_K_M.gguf", endpoint=hub.url)
    assert (found.format, found.weights_bytes) == ("gguf", 300_000)
    with pytest.raises(RemoteError):
        fetch_gguf_shape(MODEL, "gone.gguf", endpoint=hub.url)


@pytest.mark.parametrize(
    ("status", "told", "code"),
    [
        (401, "RepoNotFound", "sign_in"),
        (401, "GatedRepo", "sign_in"),
        (403, "GatedRepo", "gated"),
        (403, "", "gated"),
        (404, "RepoNotFound", "not_found"),
        (404, "RevisionNotFound", "not_found"),
        (404, "", "not_found"),
        (404, "EntryNotFound", "no_config"),
        (429, "", "too_many_requests"),
        (500, "", "hub_broken"),
        (503, "", "hub_broken"),
        (418, "", "hub_broken"),
    ],
)
def test_refusals(hub: SmallHub, folder: Path, status: int, told: str, code: str) -> None:
    headers = {"X-Error-Code": told, "Retry-After": "86400"}
    hub.answers[f"{MODEL}/config.json"] = (status, headers, b"no")
    assert code_of(hub) == code


def test_401_and_403_are_told_apart(hub: SmallHub, folder: Path) -> None:
    hub.answers[f"{MODEL}/model.safetensors"] = (403, {"X-Error-Code": "GatedRepo"}, b"")
    assert code_of(hub) == "gated"
    assert code_of(hub, "somebody/nothing") == "sign_in"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"<html>", b"\xff", b"[" * 100_000])
def test_nonsense_in_the_place_of_a_config(hub: SmallHub, folder: Path, body: bytes) -> None:
    hub.files[f"{MODEL}/config.json"] = body
    assert code_of(hub) == "not_a_model"


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"short", bytes(20), b"\xff" * 20, struct.pack("<Q", 20) + b"{}"),
        struct.pack("<Q", 5) + b"[1,2]",
        struct.pack("<Q", 34) + b'{"a": {"dtype": "F32", "shape": 3}}',
    ],
)
def test_nonsense_in_the_place_of_weights(hub: SmallHub, folder: Path, body: bytes) -> None:
    hub.files[f"{MODEL}/model.safetensors"] = body
    assert code_of(hub) == "not_a_model"


def test_an_index_that_leads_elsewhere(hub: SmallHub, folder: Path) -> None:
    for names in ({"a": "../../other/model.safetensors"}, {"a": "/etc/passwd"}, {}, {"a": "x.bin"}):
        index = json.dumps({"weight_map": names}).encode()
        hub.files[f"{MODEL}/model.safetensors.index.json"] = index
        assert code_of(hub) == "not_a_model"
    assert not any("passwd" in path or ".." in path for path, _ in hub.requests)


def test_files_that_are_missing(hub: SmallHub, folder: Path) -> None:
    in_shards(hub, folder)
    del hub.files[f"{MODEL}/model-00002.safetensors"]
    assert code_of(hub) == "no_weights"


def test_sizes_are_capped(hub: SmallHub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.files[f"{MODEL}/model.safetensors"] = struct.pack("<Q", 90_000_000) + bytes(1000)
    assert code_of(hub) == "too_large"
    monkeypatch.setattr(shapes, "CONFIG_BYTES", 100)
    assert code_of(hub) == "too_large"
    monkeypatch.undo()


def test_all_heads_together_are_capped(
    hub: SmallHub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_shards(hub, folder, padding=20_000)
    monkeypatch.setattr(shapes, "MOST_BYTES", 100_000)
    assert code_of(hub) == "too_large"


def test_no_network(hub: SmallHub, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        hub.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        assert code_of(hub) == "unreachable"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert code_of(hub) == "offline"


def test_a_redirect_without_end(hub: SmallHub, folder: Path) -> None:
    where = {"Location": f"/{MODEL}/resolve/main/config.json"}
    hub.answers[f"{MODEL}/config.json"] = (302, where, b"")
    assert code_of(hub) == "bad_answer"


@pytest.mark.parametrize(
    "model",
    ["", "a/b/c", "../x", "a/..", "/abs", "a b", "a/b?c", "ä/b", "x" * 300, "a/b\n", "-a/b"],
)
def test_names_that_no_model_has(hub: SmallHub, model: str) -> None:
    assert not is_model_id(model)
    assert code_of(hub, model) == "bad_id"
    assert not hub.requests


def test_revisions_are_checked(hub: SmallHub, folder: Path) -> None:
    assert code_of(hub, revision="../../x") == "bad_id"
    assert os.environ.get("HF_TOKEN") is None
