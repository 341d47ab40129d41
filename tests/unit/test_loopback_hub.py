"""The hub for tests, asked by the real client: what holds of it holds of what is tested with it."""

from __future__ import annotations

import hashlib
import json
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from huggingface_hub import HfApi, hf_hub_download, scan_cache_dir, snapshot_download
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import _http

from tests.helpers.hub_answers import Account
from tests.helpers.hub_certificates import make_certificate
from tests.helpers.hub_faults import HOSTILE_ETAG, HOSTILE_NAMES, KINDS
from tests.helpers.hub_files import Hollow
from tests.helpers.hub_proxy import loopback_proxy
from tests.helpers.loopback_hub import LoopbackHub, files_of, loopback_hub
from tests.helpers.tiny_gguf import write_tiny_gguf
from tests.helpers.tiny_models import STARTER, TinyShape, make_tiny_model

CARD = b"""---
license: apache-2.0
language:
- en
- de
base_model: great/large
tags:
- tiny
---
# A tiny model
"""
BODY = bytes(range(256)) * 400
FILE = "me/model/model.safetensors"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with a card."""
    made = make_tiny_model(tmp_path_factory.mktemp("models") / "tiny", layers=1)
    (made / "README.md").write_bytes(CARD)
    return made


@pytest.fixture(autouse=True)
def _client_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """huggingface_hub with its own way to talk HTTP: other tests may have given it ours."""
    _http.close_session()
    monkeypatch.setattr(_http, "_GLOBAL_CLIENT_FACTORY", _http.default_client_factory)
    yield
    _http.close_session()


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    """An empty hub."""
    with loopback_hub() as hub:
        yield hub


@pytest.fixture
def api(hub: LoopbackHub) -> HfApi:
    """The real client, of nobody."""
    return HfApi(hub.url, token=False)


@pytest.fixture
def url(hub: LoopbackHub) -> str:
    """Of a weight file."""
    hub.add("me/model", {"model.safetensors": BODY})
    return f"{hub.url}/me/model/resolve/main/model.safetensors"


def of(api: HfApi, **asked: Any) -> list[str]:
    return [model.id for model in api.list_models(**asked)]


def test_a_model_is_told_of_as_it_is(hub: LoopbackHub, api: HfApi, folder: Path) -> None:
    commit = hub.add("me/tiny", folder, downloads=12, likes=3)
    told = api.model_info("me/tiny", files_metadata=True)
    assert told.sha == commit
    assert told.author == "me"
    assert told.gated is False
    assert told.safetensors
    assert told.safetensors.parameters.keys() == {"BF16"}
    assert told.safetensors.total == TinyShape(layers=1).parameters
    assert told.card_data
    assert told.card_data.license == "apache-2.0"
    assert told.tags
    assert {"base_model:great/large", "license:apache-2.0", "de", "tiny", "safetensors"} <= set(
        told.tags
    )
    assert told.siblings
    weights = next(file for file in told.siblings if file.rfilename == "model.safetensors")
    data = (folder / "model.safetensors").read_bytes()
    assert weights.lfs
    assert (weights.size, weights.lfs.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    config = next(file for file in told.siblings if file.rfilename == "config.json")
    text = (folder / "config.json").read_bytes()
    assert config.blob_id == hashlib.sha1(b"blob %d\0" % len(text) + text).hexdigest()
    assert config.lfs is None


def test_the_starter_is_fetched_and_found_in_the_cache(hub: LoopbackHub, tmp_path: Path) -> None:
    commit = hub.add("HuggingFaceTB/SmolLM2-135M-Instruct", STARTER, licence="apache-2.0")
    hub.add("me/gguf", {"a.gguf": write_tiny_gguf(tmp_path / "a.gguf").file})
    script = """if True:
        import json
        from huggingface_hub import HfApi, hf_hub_download, scan_cache_dir, snapshot_download
        listed = [(m.id, m.tags) for m in HfApi().list_models(search="smollm2", full=True)]
        folder = snapshot_download("HuggingFaceTB/SmolLM2-135M-Instruct")
        file = hf_hub_download("me/gguf", "a.gguf")
        cached = {r.repo_id: sorted(f.file_name for v in r.revisions for f in v.files)
                  for r in scan_cache_dir().repos}
        print(json.dumps([listed, folder, file, cached]))
    """
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=hub.environment(tmp_path / "hf"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    listed, place, gguf, cached = json.loads(ran.stdout)
    assert [name for name, _ in listed] == ["HuggingFaceTB/SmolLM2-135M-Instruct"]
    assert {"conversational", "llama"} <= set(listed[0][1])
    assert Path(place).name == commit
    for name, path in files_of(STARTER).items():
        assert isinstance(path, Path)
        assert (Path(place) / name).read_bytes() == path.read_bytes()
    assert Path(gguf).read_bytes() == (tmp_path / "a.gguf").read_bytes()
    assert sorted(cached) == ["HuggingFaceTB/SmolLM2-135M-Instruct", "me/gguf"]
    assert hub.bytes_sent("*/model.safetensors") == (STARTER / "model.safetensors").stat().st_size


def test_lists_are_searched_filtered_sorted_and_paged(hub: LoopbackHub, api: HfApi) -> None:
    awq = {"model_type": "qwen2", "quantization_config": {"quant_method": "awq", "bits": 4}}
    for n in range(25):
        hub.add(f"one/Small-{n}", {}, downloads=n, likes=-n, config={"model_type": "llama"})
    hub.add("two/small-AWQ", {}, config=awq, downloads=100, base_model="one/Small-1", gated="auto")
    hub.add("two/pictures", {}, pipeline="text-to-image", updated="2026-06-01T00:00:00.000Z")
    hub.add("two/secret", {}, private=True)
    hub.page_size = 10
    assert len(of(api)) == 27
    assert len(hub.asked("/api/models")) == 3
    assert of(api, search="small awq") == ["two/small-AWQ"]
    assert of(api, author="two", sort="downloads") == ["two/small-AWQ", "two/pictures"]
    assert of(api, filter=["awq", "4-bit"]) == ["two/small-AWQ"]
    assert of(api, filter="base_model:quantized:one/Small-1") == ["two/small-AWQ"]
    assert of(api, pipeline_tag="text-to-image") == ["two/pictures"]
    assert of(api, sort="downloads", limit=3) == ["two/small-AWQ", "one/Small-24", "one/Small-23"]
    assert of(api, sort="likes", limit=1, author="one") == ["one/Small-0"]
    assert of(api, sort="last_modified", limit=1) == ["two/pictures"]
    assert of(api, gated=True) == ["two/small-AWQ"]
    (found,) = api.list_models(search="awq", expand=["config", "gated", "tags", "lastModified"])
    assert found.config == {
        "model_type": "qwen2",
        "quantization_config": {"quant_method": "awq", "bits": 4},
    }
    assert found.gated == "auto"
    assert found.downloads is None


def test_large_models_are_listed_by_their_size(hub: LoopbackHub, api: HfApi) -> None:
    entry = {"dtype": "BF16", "shape": [8_000_000_000], "data_offsets": [0, 16_000_000_000]}
    head = json.dumps({"w": entry}).encode()
    file = Hollow(len(head).to_bytes(8, "little") + head, 16_000_000_000 + 8 + len(head))
    hub.add("me/8b", {"model.safetensors": file})
    hub.add("me/none", {})
    assert of(api, num_parameters="min:6B,max:9B") == ["me/8b"]
    assert of(api, num_parameters="min:9B") == []
    got = httpx.get(
        f"{hub.url}/me/8b/resolve/main/model.safetensors",
        headers={"Range": f"bytes={len(head)}-{len(head) + 15}"},
    )
    assert got.content == (head[-8:] + bytes(8))
    assert got.headers["Content-Range"].endswith(f"/{file.size}")


def test_trees_are_paged_and_have_folders(hub: LoopbackHub, api: HfApi) -> None:
    hub.add("me/deep", {"a.json": b"{}", "b/c/d.json": b"{}", "b/e.bin": b"\0"})
    hub.page_size = 2
    deep = [entry.path for entry in api.list_repo_tree("me/deep", recursive=True)]
    assert deep == ["a.json", "b", "b/c", "b/c/d.json", "b/e.bin"]
    assert [entry.path for entry in api.list_repo_tree("me/deep")] == ["a.json", "b"]
    assert [entry.path for entry in api.list_repo_tree("me/deep", "b")] == ["b/c", "b/e.bin"]
    with pytest.raises(EntryNotFoundError):
        list(api.list_repo_tree("me/deep", "x"))


def test_revisions_renames_and_what_is_not_there(
    hub: LoopbackHub, api: HfApi, tmp_path: Path
) -> None:
    first = hub.add("me/old", {"config.json": b'{"a": 1}'})
    second = hub.add("me/old", {"config.json": b'{"a": 2}'})
    third = hub.add("me/old", {"config.json": b'{"a": 3}'}, branch="next")
    hub.rename("me/old", "me/new")
    for revision, commit, data in (
        (first, first, b'{"a": 1}'),
        ("main", second, b'{"a": 2}'),
        ("next", third, b'{"a": 3}'),
    ):
        path = hf_hub_download(
            "me/old", "config.json", revision=revision, cache_dir=tmp_path, endpoint=hub.url
        )
        assert Path(path).read_bytes() == data
        assert Path(path).parent.name == commit
        assert api.model_info("me/old", revision=revision).sha == commit
    assert {ref.name for ref in api.list_repo_refs("me/new").branches} == {"main", "next"}
    with pytest.raises(RevisionNotFoundError):
        api.model_info("me/new", revision="none")
    with pytest.raises(EntryNotFoundError):
        hf_hub_download("me/new", "x.json", cache_dir=tmp_path, endpoint=hub.url)
    with pytest.raises(RepositoryNotFoundError):
        api.model_info("me/nothing")


def test_tokens_open_what_is_gated_or_private(hub: LoopbackHub, api: HfApi, tmp_path: Path) -> None:
    hub.add("big/gated", {"config.json": b"{}"}, gated="manual")
    hub.add("me/private", {"config.json": b"{}"}, private=True)
    hub.accounts["hf_in"] = Account("me", access=frozenset({"big/gated"}))
    hub.accounts["hf_waits"] = Account("you", pending=frozenset({"big/gated"}))
    hub.accounts["hf_out"] = "nobody"

    def fetch(repo: str, token: str | bool) -> str:
        return hf_hub_download(
            repo, "config.json", token=token, endpoint=hub.url, cache_dir=tmp_path / str(token)
        )

    def refused(repo: str, token: str | bool) -> httpx.Response | Any:
        with pytest.raises((GatedRepoError, RepositoryNotFoundError)) as caught:
            fetch(repo, token)
        return caught.value.response

    assert api.model_info("big/gated").gated == "manual"
    assert fetch("big/gated", "hf_in")
    assert fetch("me/private", "hf_in")
    assert refused("big/gated", False).status_code == 401
    assert refused("big/gated", "hf_out").status_code == 403
    assert "awaiting" in refused("big/gated", "hf_waits").headers["X-Error-Message"]
    assert refused("me/private", "hf_out").status_code == 404
    assert refused("me/private", False).status_code == 401
    assert api.whoami(token="hf_in")["name"] == "me"
    with pytest.raises(HfHubHTTPError, match="Invalid user token"):
        api.whoami(token="hf_unknown")


def test_a_token_is_not_for_the_other_host(hub: LoopbackHub, tmp_path: Path) -> None:
    hub.cdn = hub.resolve_cache = True
    hub.add("me/model", {"model.safetensors": BODY, "config.json": b"{}"})
    hub.accounts["hf_me"] = "me"
    place = Path(snapshot_download("me/model", token="hf_me", endpoint=hub.url, cache_dir=tmp_path))
    assert (place / "model.safetensors").read_bytes() == BODY
    assert (place / "config.json").read_bytes() == b"{}"
    (cached,) = scan_cache_dir(tmp_path).repos
    assert cached.size_on_disk == len(BODY) + 2
    at_cdn = [record for record in hub.requests if record.host == "cdn"]
    assert at_cdn
    assert {record.token for record in at_cdn} == {""}
    assert hub.bytes_sent(FILE) == len(BODY)
    where = f"{hub.cdn_url}{at_cdn[0].path}"
    assert httpx.get(where, params={"signature": "x"}).content == BODY
    signed = {"Authorization": "Bearer hf_me"}
    assert httpx.get(where, params={"signature": "x"}, headers=signed).status_code == 400


def test_ranges(hub: LoopbackHub, url: str) -> None:
    def got(span: str, **headers: str) -> httpx.Response:
        return httpx.get(url, headers={"Range": span, **headers})

    whole = httpx.get(url)
    assert (whole.status_code, whole.content) == (200, BODY)
    assert whole.headers["ETag"] == f'"{hashlib.sha256(BODY).hexdigest()}"'
    part = got("bytes=10-19")
    assert (part.status_code, part.content) == (206, BODY[10:20])
    assert part.headers["Content-Range"] == f"bytes 10-19/{len(BODY)}"
    assert got("bytes=100000-").content == BODY[100_000:]
    assert got("bytes=-5").content == BODY[-5:]
    beyond = got(f"bytes={len(BODY)}-")
    assert (beyond.status_code, beyond.headers["Content-Range"]) == (416, f"bytes */{len(BODY)}")
    assert got("bytes=1-2", **{"If-Range": whole.headers["ETag"]}).status_code == 206
    assert got("bytes=1-2", **{"If-Range": '"other"'}).status_code == 200
    head = httpx.head(url)
    assert head.headers["X-Linked-Size"] == head.headers["Content-Length"] == str(len(BODY))
    assert [record.sent for record in hub.asked(FILE, "HEAD")] == [0]


def test_every_fault_is_what_it_says(hub: LoopbackHub, url: str) -> None:
    checked: set[str] = set()
    spoilt = bytearray(BODY)
    spoilt[-1] ^= 1

    def meet(kind: str, span: str = "", wait: float = 5, **details: Any) -> httpx.Response:
        checked.add(kind)
        hub.mend()
        hub.fault("*.safetensors", kind, **details)
        return httpx.get(url, headers={"Range": span} if span else {}, timeout=wait)

    busy = meet("status", status=429, retry_after=86_400)
    assert (busy.status_code, busy.headers["Retry-After"]) == (429, "86400")
    assert meet("status", status=403, code="GatedRepo").headers["X-Error-Code"] == "GatedRepo"
    assert meet("captive").headers["Content-Type"] == "text/html"
    with pytest.raises(ValueError, match="codec"):
        meet("garbage").json()
    with pytest.raises(httpx.TooManyRedirects):
        httpx.get(url, follow_redirects=bool(meet("redirect_loop")))
    assert meet("redirect", location="file:///etc/passwd").headers["Location"].startswith("file:")
    right = hashlib.sha256(BODY).hexdigest()
    changed = meet("etag_change", commit=True).headers
    assert changed["ETag"] != f'"{right}"'
    assert len(changed["ETag"]) == 66
    assert changed["X-Repo-Commit"].startswith("c0ffee")
    assert meet("hostile_etag").headers["X-Linked-Etag"] == f'"{HOSTILE_ETAG}"'
    assert meet("wrong_sha").content == bytes(spoilt)
    assert meet("wrong_sha", "bytes=-2").content == bytes(spoilt[-2:])
    assert meet("wrong_size").headers["X-Linked-Size"] == str(len(BODY) + 1)
    without = meet("no_ranges", "bytes=1-2")
    assert (without.status_code, without.headers["Accept-Ranges"]) == (200, "none")
    assert meet("ignore_range", "bytes=1-2").content == BODY
    assert meet("wrong_range", "bytes=5-6").headers["Content-Range"].startswith("bytes 4-5/")
    short = meet("range_length", "bytes=5-9")
    assert (len(short.content), short.headers["Content-Range"][:9]) == (4, "bytes 5-9")
    zipped = meet("gzip")
    assert (zipped.headers["Content-Encoding"], zipped.content) == ("gzip", BODY)
    assert "Content-Length" not in meet("chunked").headers
    assert len(meet("huge_header", bytes=30_000).headers["X-Huge"]) == 30_000
    with pytest.raises(httpx.RemoteProtocolError):
        meet("truncate", at=1000)
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        meet("reset", at=1000)
    with pytest.raises(httpx.ReadTimeout):
        meet("hang", wait=0.3)
    with pytest.raises(httpx.ReadTimeout):
        meet("hang", wait=0.3, at=1000)
    checked.add("endless")
    hub.mend()
    hub.fault("*.safetensors", "endless")
    with httpx.stream("GET", url) as endless:
        assert sum(len(piece) for piece, _ in zip(endless.iter_raw(), range(9), strict=False)) > 9
    began = time.monotonic()
    assert meet("drip", "bytes=0-99", rate=400).content == BODY[:100]
    assert time.monotonic() - began > 0.1
    checked.add("hostile_name")
    hub.mend()
    hub.fault("/api/models/*", "hostile_name", times=2)
    told = httpx.get(f"{hub.url}/api/models/me/model", params={"blobs": True}).json()
    assert {file["rfilename"] for file in told["siblings"]} > set(HOSTILE_NAMES)
    tree = httpx.get(f"{hub.url}/api/models/me/model/tree/main").json()
    assert {file["path"] for file in tree} > set(HOSTILE_NAMES)
    assert len(httpx.get(f"{hub.url}/api/models/me/model/tree/main").json()) == 1
    checked.add("endless_list")
    hub.mend()
    hub.fault("/api/models", "endless_list")
    for _ in range(2):
        round_about = httpx.get(f"{hub.url}/api/models")
        assert len(httpx.get(round_about.links["next"]["url"]).json()) == 1
    hub.fault("/api/models", "endless_list", empty=True)
    assert httpx.get(f"{hub.url}/api/models").json() == []
    assert checked == KINDS
    with pytest.raises(ValueError, match="no fault"):
        hub.fault("*", "unheard_of")


def test_a_fault_can_wait_and_pass(hub: LoopbackHub, url: str) -> None:
    fault = hub.fault(FILE, "status", times=2, skip=1, method="GET", status=503)
    assert httpx.head(url).status_code == 200
    assert [httpx.get(url).status_code for _ in range(4)] == [200, 503, 503, 200]
    assert hub.met(fault) == 2
    hub.reset_counts()
    assert hub.requests == []
    assert httpx.get(url).status_code == 200
    assert hub.bytes_sent(FILE) == hub.bytes_sent("me/model/resolve/*") == len(BODY)


def test_the_network_can_be_gone(hub: LoopbackHub, url: str) -> None:
    hub.fault("*", "drip", rate=10)
    ended: list[Exception] = []

    def read() -> None:
        try:
            httpx.get(url, timeout=20)
        except httpx.HTTPError as error:
            ended.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    hub.wait_for(FILE)
    hub.go_down()
    reader.join(5)
    assert not reader.is_alive()
    assert isinstance(ended[0], httpx.ReadError | httpx.RemoteProtocolError)
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)
    hub.come_up()
    hub.mend()
    assert httpx.get(url).content == BODY


def test_a_hub_in_its_own_process_with_tls_behind_a_proxy(tmp_path: Path) -> None:
    pem = make_certificate(tmp_path / "hub.pem")
    with loopback_hub(process=True, tls=pem) as hub, loopback_proxy() as proxy:
        commit = hub.add("me/model", {"model.safetensors": BODY, "big.bin": Hollow(b"", 1 << 40)})
        hub.accounts["hf_me"] = "me"
        hub.fault(FILE, "status", times=1, status=503)
        url = f"{hub.url}/me/model/resolve/{commit}/model.safetensors"
        with pytest.raises(httpx.ConnectError, match="certificate"):
            httpx.get(url)
        trusted = ssl.create_default_context(cafile=str(pem))
        with httpx.Client(proxy=proxy.url, verify=trusted) as client:
            assert client.get(url).status_code == 503
            assert client.get(url).content == BODY
        with pytest.raises(ValueError, match="no fault"):
            hub.fault("*", "unheard_of")
        assert proxy.seen == [f"CONNECT {hub.url.removeprefix('https://')}"]
        assert [record.status for record in hub.requests] == [503, 200]
        assert hub.bytes_sent(FILE) > len(BODY)
