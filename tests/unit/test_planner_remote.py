"""A model's shape from a hub, by ranges: small, checked, and refused in plain words."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.planner.shape import shape_of_folder
from engine.store.hub import shapes
from engine.store.hub.errors import HubError
from engine.store.hub.shapes import fetch_gguf_shape, fetch_shape
from engine.store.hub_names import is_model_id
from tests.helpers.asked_hub import asked_hub
from tests.helpers.loopback_hub import LoopbackHub
from tests.helpers.tiny_models import make_tiny_model

MODEL = "owner/tiny"


class Published:
    """A tiny model, in a folder and on the hub.

    Attributes:
        files: what the hub has of it, by their names.
    """

    def __init__(self, hub: LoopbackHub, folder: Path) -> None:
        self.folder = folder
        self.files = {path.name: path.read_bytes() for path in folder.iterdir()}
        self._hub = hub
        self.put({})

    def put(self, changes: Mapping[str, bytes | None]) -> None:
        """Change files on the hub; None: there is no such one any more."""
        found = {**self.files, **changes}
        self.files = {name: data for name, data in found.items() if data is not None}
        self._hub.add(MODEL, self.files)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    with asked_hub(tmp_path, monkeypatch) as running:
        yield running


@pytest.fixture
def model(hub: LoopbackHub, tmp_path: Path) -> Published:
    return Published(hub, make_tiny_model(tmp_path / "tiny", tied=False, layers=3))


def in_shards(model: Published, *, padding: int = 0) -> None:
    """The weights in a file for each tensor, with heads as long as is wished."""
    data = model.files[shapes.SINGLE]
    (length,) = struct.unpack_from("<Q", data)
    header: dict[str, Any] = json.loads(data[8 : 8 + length])
    header.pop("__metadata__")
    names = {}
    files: dict[str, bytes | None] = {shapes.SINGLE: None}
    for number, (name, entry) in enumerate(header.items()):
        begin, end = entry["data_offsets"]
        file = f"model-{number:05}.safetensors"
        alone = json.dumps({name: {**entry, "data_offsets": [0, end - begin]}}).encode()
        alone += b" " * padding
        body = data[8 + length + begin : 8 + length + end]
        files[file] = struct.pack("<Q", len(alone)) + alone + body
        names[name] = file
    model.put({**files, shapes.INDEX: json.dumps({"weight_map": names}).encode()})


def code_of(repo: str = MODEL, **more: Any) -> str:
    with pytest.raises(HubError) as caught:
        fetch_shape(repo, **more)
    text = str(caught.value)
    assert text.endswith(".")
    assert len(text) < 300
    return caught.value.code


def test_the_same_shape_as_of_the_folder(hub: LoopbackHub, model: Published) -> None:
    found = fetch_shape(MODEL, endpoint=hub.url)
    assert found == replace(shape_of_folder(model.folder), name=MODEL)
    assert found.is_exact
    assert hub.bytes_sent() < 200_000 < len(model.files[shapes.SINGLE])
    assert {each.headers["accept-encoding"] for each in hub.requests} == {"identity"}


@pytest.mark.parametrize("ranges", [True, False])
def test_many_files_and_long_heads(hub: LoopbackHub, model: Published, ranges: bool) -> None:
    in_shards(model, padding=200_000)
    if not ranges:
        hub.fault("*", "no_ranges")
    told: list[tuple[int, int]] = []
    found = fetch_shape(MODEL, report=lambda done, of: told.append((done, of)))
    assert found == replace(shape_of_folder(model.folder), name=MODEL)
    count = len(told) - 1
    assert told == [(number, count) for number in range(count + 1)]


def test_a_hub_from_the_environment(
    hub: LoopbackHub, model: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(MODEL, model.files, branch="refs/pr/1")
    monkeypatch.setenv("HF_ENDPOINT", hub.url + "/")
    assert fetch_shape(MODEL, revision="refs/pr/1").is_exact
    assert hub.requests[0].target == f"/{MODEL}/resolve/refs%2Fpr%2F1/config.json"
    assert {each.token for each in hub.requests} == {""}


def test_the_users_token_goes_along(
    hub: LoopbackHub, model: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.accounts["hf_notarealone"] = "somebody"
    monkeypatch.setenv("HF_TOKEN", "hf_notarealone")
    fetch_shape(MODEL)
    assert {each.token for each in hub.requests} == {"hf_notarealone"}


def test_weights_that_are_not_safetensors_are_estimated(model: Published) -> None:
    model.put({shapes.SINGLE: None})
    found = fetch_shape(MODEL)
    assert not found.is_exact
    assert found.weights_bytes == shape_of_folder(model.folder).weights_bytes


def test_a_gguf_file(model: Published) -> None:
    model.put({"tiny.gguf": bytes(300_000)})
    found = fetch_gguf_shape(MODEL, "tiny.gguf")
    assert (found.format, found.weights_bytes) == ("gguf", 300_000)
    with pytest.raises(HubError) as caught:
        fetch_gguf_shape(MODEL, "gone.gguf")
    assert caught.value.code == "not_found"


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
def test_refusals(hub: LoopbackHub, model: Published, status: int, told: str, code: str) -> None:
    hub.fault(f"{MODEL}/config.json", "status", status=status, code=told, retry_after=86_400)
    assert code_of() == code


def test_401_and_403_are_told_apart(hub: LoopbackHub, model: Published) -> None:
    hub.fault(f"{MODEL}/model.safetensors", "status", status=403, code="GatedRepo")
    assert code_of() == "gated"
    assert code_of("somebody/nothing") == "sign_in"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"<html>", b"\xff", b"[" * 100_000])
def test_nonsense_in_the_place_of_a_config(model: Published, body: bytes) -> None:
    model.put({"config.json": body})
    assert code_of() == "not_a_model"


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"short", bytes(20), b"\xff" * 20, struct.pack("<Q", 20) + b"{}"),
        struct.pack("<Q", 5) + b"[1,2]",
        struct.pack("<Q", 34) + b'{"a": {"dtype": "F32", "shape": 3}}',
    ],
)
def test_nonsense_in_the_place_of_weights(model: Published, body: bytes) -> None:
    model.put({shapes.SINGLE: body})
    assert code_of() == "not_a_model"


def test_an_index_that_leads_elsewhere(hub: LoopbackHub, model: Published) -> None:
    for names in ({"a": "../../other/model.safetensors"}, {"a": "/etc/passwd"}, {}, {"a": "x.bin"}):
        index = json.dumps({"weight_map": names}).encode()
        model.put({shapes.INDEX: index})
        assert code_of() == "not_a_model"
    targets = [each.target for each in hub.requests]
    assert not [target for target in targets if "passwd" in target or ".." in target]


def test_files_that_are_missing(model: Published) -> None:
    in_shards(model)
    model.put({"model-00002.safetensors": None})
    assert code_of() == "no_weights"


def test_sizes_are_capped(model: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    model.put({shapes.SINGLE: struct.pack("<Q", 90_000_000) + bytes(1000)})
    assert code_of() == "too_large"
    model.put({shapes.SINGLE: None})
    monkeypatch.setattr(shapes, "CONFIG_BYTES", 100)
    assert code_of() == "too_large"


def test_all_heads_together_are_capped(model: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    in_shards(model, padding=20_000)
    monkeypatch.setattr(shapes, "MOST_BYTES", 100_000)
    assert code_of() == "too_large"


def test_no_network(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    hub.go_down()
    assert code_of() == "unreachable"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert code_of() == "offline"


def test_a_redirect_without_end(hub: LoopbackHub, model: Published) -> None:
    hub.fault(f"{MODEL}/config.json", "redirect_loop")
    assert code_of() == "bad_answer"


@pytest.mark.parametrize(
    "repo",
    ["", "a/b/c", "../x", "a/..", "/abs", "a b", "a/b?c", "ä/b", "x" * 300, "a/b\n", "-a/b"],
)
def test_names_that_no_model_has(hub: LoopbackHub, repo: str) -> None:
    assert not is_model_id(repo)
    assert code_of(repo) == "bad_id"
    assert not hub.requests


def test_revisions_are_checked(hub: LoopbackHub) -> None:
    assert code_of(revision="../../x") == "bad_id"
    assert not hub.requests
