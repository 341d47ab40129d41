"""Verdicts from config and heads alone, kept by commit; and the pages of models."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.planner.machine import Gpu, Host, Machine
from engine.planner.plan import plan
from engine.planner.shape import ModelShape, shape_of_folder
from engine.store.hub import known_shapes
from engine.store.hub.card import MOST_BYTES, read_card
from engine.store.hub.errors import HubError
from engine.store.hub.judge import judge, know
from engine.store.hub.known_shapes import Known, KnownShapes
from engine.store.hub.memory import Memory
from engine.store.hub.messages import Judge, ModelPage, Page, Verdict
from engine.store.hub.page import page
from engine.store.hub.verdicts import room_rank, verdict
from tests.helpers.asked_hub import asked_hub
from tests.helpers.loopback_hub import LoopbackHub
from tests.helpers.tiny_gguf import (
    ARCHITECTURE,
    ARRAY,
    STRING,
    UINT32,
    entry,
    gguf_bytes,
    tensor,
    text,
)
from tests.helpers.tiny_models import make_tiny_model

GIB = 1 << 30
HOST = Host(32 * GIB, 24 * GIB, 8)


def cards(*gigabytes: int) -> Machine:
    gpus = (Gpu(at, "card", size * GIB, capability=(8, 6)) for at, size in enumerate(gigabytes))
    return Machine(tuple(gpus), HOST)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("models") / "tiny", tied=False, layers=2)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    with asked_hub(tmp_path, monkeypatch) as hub:
        yield hub


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "cache")


def ask(memory: Memory, *repos: str, machine: Machine | None = None) -> list[Verdict]:
    return list(judge(Judge(id=1, repos=repos, machine=machine or cards(24)), memory))


def test_the_planners_own_answer(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    commit = hub.add("o/tiny", folder)
    (found,) = ask(memory, "o/tiny")
    shape = replace(shape_of_folder(folder), name="o/tiny")
    made = plan(shape, cards(24))
    assert (found.fits, found.commit, found.context) == ("yes", commit, made.context)
    assert (found.size, found.context_max) == (shape.weights_bytes, shape.context)
    assert found.needs <= 24 * GIB
    assert not found.estimated
    assert hub.bytes_sent("o/tiny/model.safetensors") < 200_000


def test_asked_once_by_commit(
    hub: LoopbackHub, memory: Memory, folder: Path, tmp_path: Path
) -> None:
    hub.add("o/tiny", folder)
    ask(memory, "o/tiny")
    hub.reset_counts()
    ask(memory, "o/tiny", machine=cards(8))
    assert not hub.requests
    other = Memory(tmp_path / "cache")  # another process: one request tells the commit
    ask(other, "o/tiny")
    assert [record.file for record in hub.requests] == ["o/tiny/config.json"]
    hub.add("o/tiny", {"config.json": b"{}", "x": b"new"})
    hub.reset_counts()
    (found,) = ask(Memory(tmp_path / "cache"), "o/tiny")
    assert found.code == "no_weights"


@pytest.mark.parametrize("elsewhere", ["cdn", "resolve_cache"])
def test_files_that_are_had_from_elsewhere(
    hub: LoopbackHub,
    memory: Memory,
    folder: Path,
    elsewhere: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub.accounts["hf_secret"] = "me"
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    setattr(hub, elsewhere, True)
    commit = hub.add("o/tiny", folder)
    (found,) = ask(memory, "o/tiny")
    assert (found.fits, found.commit, found.code) == ("yes", commit, "")
    assert {record.token for record in hub.requests if record.host == "cdn"} <= {""}
    assert {record.token for record in hub.requests if record.host == "hub"} == {"hf_secret"}


def test_what_fails_says_why(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    hub.add("o/empty", {"README.md": b"x"})
    hub.add("o/pickle", {"config.json": b"{}", "pytorch_model.bin": b"x"})
    hub.add("o/gated", folder, gated="auto")
    hub.add("o/nonsense", {"config.json": b"[]", "model.safetensors": b"x"})
    told = {each.repo: each for each in ask(memory, "o/empty", "o/pickle", "o/gated", "o/none",
                                            "o/nonsense", "../x")}  # fmt: skip
    assert {repo: each.code for repo, each in told.items()} == {
        "o/empty": "no_weights",
        "o/pickle": "no_weights",
        "o/gated": "sign_in",
        "o/none": "sign_in",
        "o/nonsense": "not_a_model",
        "../x": "bad_id",
    }
    assert all(each.fits == "unknown" and each.text for each in told.values())
    hub.reset_counts()
    assert ask(memory, "o/pickle")[0].code == "no_weights"
    assert not hub.requests  # a commit without weights has none tomorrow
    assert ask(memory, "o/gated")[0].code == "sign_in"
    assert hub.requests  # but a licence may be accepted meanwhile


def test_a_gguf_file_by_its_base_model(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    hub.add("o/base", folder)
    hub.add("o/x-GGUF", {"x-Q4_K_M.gguf": b"GGUF" + bytes(3_000_000)}, base_model="o/base")
    (found,) = ask(memory, "o/x-GGUF")
    assert (found.fits, found.format, found.size) == ("yes", "gguf", 3_000_004)
    assert hub.bytes_sent("o/x-GGUF/*.gguf") == 0


def gguf() -> bytes:
    """A file with a head of more than the first megabyte, as vocabularies are long."""
    numbers = {
        "block_count": 2, "embedding_length": 64, "feed_forward_length": 128,
        "attention.head_count": 4, "attention.head_count_kv": 2, "context_length": 512,
        "attention.key_length": 32, "attention.value_length": 32,
    }  # fmt: skip
    entries = [ARCHITECTURE]
    entries += [entry(f"llama.{k}", UINT32, struct.pack("<I", n)) for k, n in numbers.items()]
    items = struct.pack("<IQ", STRING, 30_000) + text("x" * 40) * 30_000
    entries.append(entry("tokenizer.ggml.tokens", ARRAY, items))
    tensors = [
        tensor("token_embd.weight", (1000, 64)),
        tensor("blk.0.ffn_up.weight", (128, 64), offset=256_000),
    ]
    return gguf_bytes(entries, tensors, data=bytes(256_000 + 32_768))


def test_a_gguf_file_by_its_head(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    hub.add("o/gated", folder, gated="manual")
    hub.add("o/x-GGUF", {"x-Q8_0.gguf": gguf()}, base_model="o/gated")
    (found,) = ask(memory, "o/x-GGUF")
    assert (found.fits, found.format, found.context_max) == ("yes", "gguf", 512), found.text
    hub.add("o/y-GGUF", {"y-Q8_0.gguf": b"GGUF" + bytes(10)}, base_model="o/gated")
    assert ask(memory, "o/y-GGUF")[0].code == "not_a_model"


def test_on_two_cards_and_too_big() -> None:
    shape = big(34 * GIB)
    assert verdict(1, "o/m", shape, cards(24)).fits == "no"
    both = verdict(1, "o/m", shape, cards(24, 24))
    assert (both.fits, both.devices) == ("two", (0, 1))
    assert "2 GPUs" in both.text
    lacking = verdict(1, "o/m", shape, cards(24))
    assert 8 * GIB < lacking.short_by < 24 * GIB
    assert "more memory" in lacking.text
    host = Machine((), HOST)
    assert "computer" in verdict(1, "o/m", shape, host).text


def big(size: int) -> ModelShape:
    """A model of `size` bytes in 16 bits."""
    from engine.planner.shape import Attention

    params = size // 2
    return ModelShape(
        architecture="LlamaForCausalLM", model_type="llama", layers=64, hidden=5120, heads=40,
        kv_heads=8, head_dim=128, v_head_dim=128, vocab=32000, intermediate=13824,
        attention=(Attention(64, 8, 128, 128),), linear_params=params, active_params=params,
        linear_bytes=size, weights_bytes=size, is_exact=True, context=32768,
    )  # fmt: skip


def test_a_guess_by_size_alone() -> None:
    assert room_rank(None, cards(24)) == 1
    assert room_rank(10 * GIB, cards(24)) == 0
    assert room_rank(30 * GIB, cards(24)) == 3
    assert room_rank(30 * GIB, cards(24, 24)) == 2
    assert room_rank(30 * GIB, Machine((), HOST)) == 3
    assert room_rank(2 * GIB, Machine((), HOST)) == 0


def test_the_shelf_of_shapes_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_shapes, "MOST_FILES", 20)
    monkeypatch.setattr(known_shapes, "PRUNE_EVERY", 10)
    monkeypatch.setattr(known_shapes, "MOST_IN_MEMORY", 5)
    shelf = KnownShapes(tmp_path / "hub")
    for number in range(95):
        shelf.keep("http://h", "o/m", Known(f"{number:040}", ModelShape(layers=number)))
    files = list((tmp_path / "hub").iterdir())
    assert len(files) <= 30
    assert (files[0].stat().st_mode & 0o777) == 0o600
    newest = shelf.find("http://h", "o/m", f"{94:040}")
    assert newest is not None
    assert newest.shape == ModelShape(layers=94)
    assert shelf.find("http://other", "o/m", f"{94:040}") is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"commit": 3}', bytes(300_000)])
def test_a_damaged_file_is_none(tmp_path: Path, content: bytes) -> None:
    commit = "a" * 40
    KnownShapes(tmp_path).keep("http://h", "o/m", Known(commit, ModelShape(layers=1)))
    (path,) = tmp_path.glob("*.json")
    path.write_bytes(content)
    assert KnownShapes(tmp_path).find("http://h", "o/m", commit) is None


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    shelf = KnownShapes(tmp_path / "file")
    shelf.keep("http://h", "o/m", Known("a" * 40, ModelShape(layers=1)))
    assert shelf.find("http://h", "o/m", "a" * 40) is not None


# --- pages


def show(memory: Memory, repo: str, **more: Any) -> ModelPage:
    return page(Page(id=1, repo=repo, **more), memory)


def test_a_page(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    files: dict[str, Any] = {path.name: path for path in folder.iterdir()}
    card = b"---\nlicense: mit\nx: <b>\n---\n# Tiny\n<!-- hidden -->\r\nText\x07 \xe2\x80\xaeend\n"
    files |= {"README.md": card, "evil.py": b"print()", "pytorch_model.bin": b"x"}
    commit = hub.add("o/tiny", files, licence="mit", downloads=3)
    quantised = ("awq", "base_model:quantized:o/tiny")
    hub.add("a/tiny-AWQ", folder, tags=quantised, base_model="o/tiny")
    shown = show(memory, "o/tiny")
    assert shown.card == "# Tiny\n\nText end\n"
    assert not shown.card_cut
    assert (shown.listing.commit, shown.licence) == (commit, "mit")
    assert [hit.repo for hit in shown.builds] == ["a/tiny-AWQ"]
    assert shown.shape == replace(shape_of_folder(folder), name="o/tiny")
    left = {each.path: each.reason for each in shown.choice.leave}
    assert {"evil.py", "pytorch_model.bin"} <= left.keys()
    assert shown.url == f"{hub.url}/o/tiny"
    assert not shown.problem
    assert not hub.asked("*evil.py")
    assert not hub.asked("*.bin")
    of_build = show(memory, "a/tiny-AWQ")
    assert of_build.builds == ()  # no other one
    assert of_build.listing.base_model == "o/tiny"


def test_a_gated_page_is_shown(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    hub.add("o/gated", folder, gated="manual")
    shown = show(memory, "o/gated")
    assert shown.listing.gated == "manual"
    assert shown.choice.take
    assert shown.shape is None
    assert "licence" in shown.shape_problem


def test_a_page_of_gguf_files(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    hub.add("o/base", folder)
    files = {"x-Q4_K_M.gguf": b"GGUF" + bytes(5000), "x-Q8_0.gguf": b"GGUF" + bytes(9000)}
    hub.add("o/x", files, base_model="o/base", tags=("gguf",))
    shown = show(memory, "o/x", variant="Q8_0")
    assert [each.name for each in shown.variants] == ["Q4_K_M", "Q8_0"]
    assert [file.path for file in shown.choice.take] == ["x-Q8_0.gguf"]
    assert shown.shape is not None
    assert shown.shape.weights_bytes == 9004
    first = show(memory, "o/x").shape
    assert first is not None
    assert first.weights_bytes == 5004


def test_a_page_that_is_none(hub: LoopbackHub, memory: Memory) -> None:
    with pytest.raises(HubError) as caught:
        show(memory, "o/none")
    assert caught.value.code == "sign_in"


def test_a_revision_of_its_own(hub: LoopbackHub, memory: Memory, folder: Path) -> None:
    first = hub.add("o/tiny", folder)
    hub.add("o/tiny", {"config.json": b"{}"})
    assert know("o/tiny", revision=first, memory=memory).shape is not None
    assert show(memory, "o/tiny", revision=first).listing.commit == first


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"", ""),
        (b"plain", "plain\n"),
        (b"---\na: 1\n---\nbody", "body\n"),
        (b"---\r\na: 1\r\n---\r\nbody", "body\n"),
        (b"\xef\xbb\xbf---\na: 1\n---\nbody", "body\n"),
        (b"---\nno end", "---\nno end\n"),
        (b"body\n---\nrule\n---\n", "body\n---\nrule\n---\n"),
        (b"a<!-- x\n-->b<!-- open", "ab<!-- open\n"),
        (b"\xff\xfebad", "\ufffd\ufffdbad\n"),
    ],
)
def test_cards(content: bytes, shown: str) -> None:
    assert read_card(content).text == shown


def test_long_cards_are_cut_and_never_slow() -> None:
    long = read_card("é line\n".encode() * 100_000)
    assert long.is_cut
    assert len(long.text.encode()) <= MOST_BYTES
    assert "\ufffd" not in long.text
    assert read_card(b"<!--" * 100_000).is_cut
    assert json.dumps(read_card(b"---\n" * 100_000).text)
