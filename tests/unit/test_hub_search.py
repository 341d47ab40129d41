"""Search: what runs here, sifted and in order, page by page; with the real client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.planner.machine import Gpu, Host, Machine
from engine.store.hub.errors import HubError
from engine.store.hub.hits import read_hit
from engine.store.hub.memory import Memory
from engine.store.hub.messages import Builds, Filters, Hits, Search
from engine.store.hub.search import builds, search
from tests.helpers.asked_hub import asked_hub
from tests.helpers.hub_files import Hollow
from tests.helpers.loopback_hub import LoopbackHub
from tests.helpers.tiny_models import make_tiny_model

GIB = 1 << 30
HOST = Host(32 * GIB, 24 * GIB, 8)
ONE = Machine((Gpu(0, "card", 24 * GIB, capability=(8, 6)),), HOST)
AWQ = {"quant_method": "awq", "bits": 4, "group_size": 128}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    with asked_hub(tmp_path, monkeypatch) as hub:
        yield hub


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "cache")


def config(**more: Any) -> dict[str, Any]:
    usual = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
        "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 8192,
    }  # fmt: skip
    return {**usual, **more}


def weights(gigabytes: float) -> Hollow:
    """A weight file of that size, of zeros."""
    import json
    import struct

    length = int(gigabytes * 1e9) // 2 * 2
    head = {"model.layers.0.mlp.up_proj.weight": {
        "dtype": "BF16", "shape": [length // 2, 1], "data_offsets": [0, length]}}  # fmt: skip
    content = json.dumps(head).encode()
    return Hollow(struct.pack("<Q", len(content)) + content, 8 + len(content) + length)


def add(hub: LoopbackHub, repo: str, gigabytes: float = 1, **more: Any) -> None:
    told = more.pop("config", config())
    hub.add(repo, {"model.safetensors": weights(gigabytes)}, config=told, **more)


def names(hits: Hits) -> list[str]:
    return [hit.repo for hit in hits.hits]


def ask(memory: Memory, **more: Any) -> Hits:
    return search(Search(id=1, **more), memory)


def test_what_cannot_run_here_is_left_out(hub: LoopbackHub, memory: Memory) -> None:
    add(hub, "o/plain", downloads=9)
    add(hub, "o/awq", downloads=8, tags=("awq",), config=config(quantization_config=AWQ))
    add(hub, "o/mlx", downloads=7, tags=("mlx",), library="mlx")
    add(hub, "o/lora", downloads=6, tags=("base_model:adapter:o/plain",), library="peft")
    bnb = config(quantization_config={"quant_method": "bitsandbytes"})
    add(hub, "o/bnb", downloads=5, config=bnb)
    own = config(architectures=["WonderfulModel"], auto_map={})
    add(hub, "o/own", downloads=4, config=own, tags=("custom_code",))
    hub.add("o/pickle", {"pytorch_model.bin": b"x"}, config=config(), downloads=3)
    add(hub, "o/image", downloads=2, pipeline="text-to-image")
    found = ask(memory)
    assert names(found) == ["o/plain", "o/awq"]
    assert found.left_out == 4
    assert not found.more
    # By its whole name it is shown, and says why not.
    (hit,) = ask(memory, text="o/bnb").hits
    assert not hit.runnable
    assert "bitsandbytes" in hit.why_not


def test_a_whole_name_finds_what_no_list_has(hub: LoopbackHub, memory: Memory) -> None:
    add(hub, "o/eyes", pipeline="image-text-to-text", downloads=1)
    add(hub, "o/eyes-more", downloads=9)
    assert names(ask(memory, text="o/eyes")) == ["o/eyes", "o/eyes-more"]
    assert names(ask(memory, text="eyes")) == ["o/eyes-more"]
    assert names(ask(memory, text="o/nothing")) == []
    add(hub, "o/painter", pipeline="text-to-image")
    (hit,) = ask(memory, text="o/painter").hits
    assert not hit.runnable
    assert "text-to-image" in hit.why_not


def test_a_pasted_address_is_a_name(hub: LoopbackHub, memory: Memory) -> None:
    add(hub, "o/plain")
    add(hub, "o/other")
    assert names(ask(memory, text="https://huggingface.co/o/plain/tree/main")) == ["o/plain"]


def test_filters(hub: LoopbackHub, memory: Memory) -> None:
    add(hub, "o/small", 1, downloads=9, licence="mit", languages=("de", "en"))
    add(hub, "o/large", 30, downloads=8, licence="llama3.1", languages=("en",))
    add(hub, "a/awq", 4, downloads=7, tags=("awq",), config=config(quantization_config=AWQ))
    fp8 = config(quantization_config={"quant_method": "compressed-tensors"})
    add(hub, "a/x-FP8", 4, downloads=6, tags=("compressed-tensors", "fp8"), config=fp8)
    add(hub, "a/x-w4a16", 4, downloads=5, tags=("compressed-tensors",), config=fp8)
    hub.add("a/x-GGUF", {"x-Q4_K_M.gguf": b"GGUF" + bytes(100)}, downloads=4, tags=("gguf",))

    def by(**filters: Any) -> list[str]:
        return names(ask(memory, filters=Filters(**filters)))

    assert by() == ["o/small", "o/large", "a/awq", "a/x-FP8", "a/x-w4a16", "a/x-GGUF"]
    assert by(formats=("awq",)) == ["a/awq"]
    assert by(formats=("fp8",)) == ["a/x-FP8"]
    assert by(formats=("w4a16",)) == ["a/x-w4a16"]
    assert by(formats=("gguf",)) == ["a/x-GGUF"]
    assert by(formats=("bf16",)) == ["o/small", "o/large"]
    assert by(formats=("awq", "fp8")) == ["a/awq", "a/x-FP8"]
    assert by(licences=("mit",)) == ["o/small"]
    assert by(licences=("mit", "llama3.1")) == ["o/small", "o/large"]
    assert by(languages=("de",)) == ["o/small"]
    assert by(author="A") == []
    assert by(author="o") == ["o/small", "o/large"]
    assert by(max_bytes=int(2e9), formats=("bf16", "awq")) == ["o/small"]


def test_context_is_looked_up_where_it_is_asked_for(hub: LoopbackHub, memory: Memory) -> None:
    add(hub, "o/short", downloads=9, config=config(max_position_embeddings=2048))
    add(hub, "o/long", downloads=8, config=config(max_position_embeddings=131072))
    found = ask(memory, filters=Filters(min_context=32_000))
    assert names(found) == ["o/long"]
    assert found.hits[0].context == 131072
    hub.reset_counts()
    again = ask(Memory(memory.shapes._folder), filters=Filters(min_context=32_000))
    assert names(again) == ["o/long"]
    assert not hub.asked("o/*")  # it is kept on the disk, by commit


def test_only_what_fits(hub: LoopbackHub, memory: Memory) -> None:
    add(hub, "o/small", 8, downloads=1)
    add(hub, "o/large", 60, downloads=9)
    assert names(ask(memory, machine=ONE, filters=Filters(fits_only=True))) == ["o/small"]
    assert names(ask(memory, machine=ONE)) == ["o/large", "o/small"]


def test_by_fit_the_best_that_fits_comes_first(hub: LoopbackHub, memory: Memory) -> None:
    for repo, size, downloads in (
        ("o/tiny", 1, 500), ("o/good", 14, 200), ("o/huge", 80, 1000), ("o/two", 40, 400),
    ):  # fmt: skip
        add(hub, repo, size, downloads=downloads)
    two = Machine((*ONE.gpus, Gpu(1, "card", 24 * GIB, capability=(8, 6))), HOST)
    assert names(ask(memory, sort="fit", machine=two)) == ["o/good", "o/tiny", "o/two", "o/huge"]
    assert names(ask(memory, sort="fit"))[0] == "o/huge"  # without a machine: by downloads


@pytest.mark.parametrize(
    ("sort", "first"),
    [("downloads", "o/a"), ("likes", "o/b"), ("date", "o/c"), ("trending", "o/d")],
)
def test_orders(hub: LoopbackHub, memory: Memory, sort: str, first: str) -> None:
    add(hub, "o/a", downloads=9)
    add(hub, "o/b", likes=9)
    add(hub, "o/c", updated="2026-05-05T00:00:00.000Z")
    add(hub, "o/d", trending=9)
    hub.add("o/e-GGUF", {"x-Q8_0.gguf": b"GGUF" + bytes(9)}, tags=("gguf",), downloads=3, likes=3)
    found = names(ask(memory, sort=sort))
    assert found[0] == first
    assert len(found) == 5
    if sort in {"downloads", "likes"}:
        assert found[1] == "o/e-GGUF"


def test_page_by_page_nothing_twice(hub: LoopbackHub, memory: Memory) -> None:
    tiny = weights(0.001)
    for number in range(70):
        hub.add(f"o/m{number:03}", {"model.safetensors": tiny}, config=config(), downloads=number)
    hub.page_size = 20
    found: list[str] = []
    cursor = ""
    while True:
        page = ask(memory, cursor=cursor, limit=16)
        found += names(page)
        if not page.more:
            break
        cursor = page.cursor
    assert found == [f"o/m{number:03}" for number in reversed(range(70))]
    hub.reset_counts()
    ask(memory, limit=10)
    assert len(hub.asked("/api/models")) == 2  # a page of each list, and no further


def test_a_search_that_was_forgotten_goes_on(hub: LoopbackHub, memory: Memory) -> None:
    for number in range(9):
        add(hub, f"o/m{number}", 0.001, downloads=number)
    first = ask(memory, limit=4)
    again = search(Search(id=2, cursor=first.cursor, limit=4), Memory())
    assert names(first) + names(again) == [f"o/m{n}" for n in (8, 7, 6, 5, 4, 3, 2, 1)]
    assert names(search(Search(id=3, cursor="nonsense:x"), memory))[0] == "o/m8"


def test_a_search_that_failed_can_go_on(hub: LoopbackHub, memory: Memory) -> None:
    for number in range(9):
        add(hub, f"o/m{number}", 0.001, downloads=number)
    hub.page_size = 4
    first = ask(memory, limit=4)
    hub.fault("/api/models", "status", status=500)
    with pytest.raises(HubError):
        ask(memory, cursor=first.cursor, limit=5)
    hub.mend(None)
    assert names(ask(memory, cursor=first.cursor, limit=9)) == [f"o/m{n}" for n in (4, 3, 2, 1, 0)]


@pytest.mark.parametrize("empty", [False, True])
def test_a_list_that_leads_round_for_ever_ends(
    hub: LoopbackHub, memory: Memory, empty: bool
) -> None:
    add(hub, "o/one", tags=("base_model:quantized:o/base",))
    hub.fault("api/models", "endless_list", empty=empty)
    found = ask(memory)
    assert (names(found), found.more) == ([] if empty else ["o/one"], False)
    assert names(builds(Builds(id=1, base_repo="o/base"), memory)) == names(found)
    assert len(hub.asked("/api/models")) < 20


def test_builds_of_a_base_model(hub: LoopbackHub, memory: Memory) -> None:
    add(hub, "o/base", downloads=100)
    quantised = ("base_model:quantized:o/base",)
    awq = config(quantization_config=AWQ)
    add(hub, "a/base-AWQ", downloads=5, tags=("awq", *quantised), base_model="o/base", config=awq)
    hub.add("b/base-GGUF", {"x-Q4_K_M.gguf": b"GGUF" + bytes(9)}, downloads=50,
            tags=("gguf", *quantised), base_model="o/base")  # fmt: skip
    add(hub, "c/base-mlx", tags=("mlx", *quantised), library="mlx")
    add(hub, "d/other-AWQ", tags=("awq",), config=awq)
    found = builds(Builds(id=1, base_repo="o/base"), memory)
    assert names(found) == ["a/base-AWQ", "b/base-GGUF"]
    assert {hit.base_model for hit in found.hits} == {"o/base"}
    assert {hit.builds for hit in found.hits} == {2}
    assert found.left_out == 1
    shown = {hit.repo: hit.builds for hit in ask(memory, text="base").hits}
    assert shown["a/base-AWQ"] == shown["b/base-GGUF"] == 2


def test_the_size_of_packed_weights(hub: LoopbackHub, memory: Memory, tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path / "tiny")
    hub.add("o/tiny", folder)
    (hit,) = ask(memory, text="tiny").hits
    assert hit.size
    assert hit.size < (folder / "model.safetensors").stat().st_size < hit.size + 10_000
    assert hit.parameters == hit.size // 2
    counted = {"parameters": {"I32": 1000, "F16": 100}, "total": 1100}
    packed = read_hit({"id": "o/m", "tags": ["awq", "safetensors"], "safetensors": counted})
    assert packed is not None
    assert (packed.size, packed.parameters, packed.format) == (4200, 8100, "awq")


@pytest.mark.parametrize(
    "entry",
    [
        None, [], "x", 1, {}, {"id": 3}, {"id": "../x"}, {"id": "a/b/c"},
        {"id": "a/b", "tags": 3, "config": [], "cardData": "x", "gguf": 1, "safetensors": "x",
         "downloads": "many", "likes": -1, "gated": {}, "lastModified": 3, "sha": 4, "author": []},
        {"id": "a/b", "config": {"architectures": {}, "quantization_config": "x"},
         "cardData": {"license": {}, "language": 4, "base_model": [3, None]}},
        {"id": "a/b", "safetensors": {"parameters": {"BF16": -1, 3: "x"}}, "tags": [None, 4, ""]},
        {"id": "a/b", "tags": ["x" * 100_000] * 500, "lastModified": "9" * 1000},
    ],
)  # fmt: skip
def test_an_entry_may_hold_anything(entry: Any) -> None:
    hit = read_hit(entry)
    if hit is not None:
        assert (hit.repo, hit.downloads, hit.likes, hit.commit) == ("a/b", 0, 0, "")
        assert len(hit.licence) <= 60
