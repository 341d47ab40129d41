"""Which files are fetched: only what is loaded here, nothing that runs, nothing twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.store.hub.choice import choose, variants
from engine.store.hub.errors import HubError
from engine.store.hub.records import FileChoice, Listing, RepoFile

SHA = "a" * 64
SMALL = ("config.json", "tokenizer.json", "tokenizer_config.json")


def listing(*paths: str, tags: tuple[str, ...] = (), repo: str = "o/model") -> Listing:
    files = tuple(RepoFile(path, 1000 + len(path), SHA) for path in paths)
    return Listing(repo=repo, commit="c" * 40, files=files, tags=tags)


def taken(choice: FileChoice) -> set[str]:
    return {file.path for file in choice.take}


def test_a_usual_repository() -> None:
    told = listing(
        *SMALL, ".gitattributes", "README.md", "LICENSE", "USE_POLICY.md", "merges.txt",
        "chat_template.jinja", "generation_config.json", "model.safetensors", "pytorch_model.bin",
        "modeling_evil.py", "onnx/model.onnx", "figure.png", "vocab.json", "tokenizer.model",
        "special_tokens_map.json", "quantize_config.json", "training_args.bin",
    )  # fmt: skip
    choice = choose(told)
    assert taken(choice) == {
        *SMALL, "README.md", "LICENSE", "USE_POLICY.md", "merges.txt", "chat_template.jinja",
        "generation_config.json", "model.safetensors", "vocab.json", "tokenizer.model",
        "special_tokens_map.json", "quantize_config.json",
    }  # fmt: skip
    assert choice.problem == ""
    assert choice.total == sum(file.size for file in choice.take)
    assert {left.path for left in choice.leave} | taken(choice) == {f.path for f in told.files}
    assert all(left.reason for left in choice.leave)


def test_weights_come_once() -> None:
    shards = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    told = listing(
        *SMALL, *shards, "model.safetensors.index.json", "consolidated.safetensors",
        "original/consolidated.00.pth", "pytorch_model.bin.index.json", "params.json",
        "fp16/model.safetensors",
    )  # fmt: skip
    choice = choose(told)
    assert taken(choice) == {*SMALL, *shards, "model.safetensors.index.json", "params.json"}
    both = listing(*SMALL, *shards, "model.safetensors")  # without an index: the whole one
    assert "model.safetensors" in taken(choose(both))
    assert not taken(choose(both)) & set(shards)
    only = listing(*SMALL, "consolidated.safetensors")
    assert "consolidated.safetensors" in taken(choose(only))


def test_a_shard_that_is_missing_is_said() -> None:
    told = listing(*SMALL, "model-00001-of-00003.safetensors", "model-00003-of-00003.safetensors")
    assert "1 of 3" in choose(told).problem


def test_what_else_is_missing_is_said() -> None:
    assert "config.json" in choose(listing("tokenizer.json", "model.safetensors")).problem
    assert "tokenizer" in choose(listing("config.json", "model.safetensors")).problem


@pytest.mark.parametrize(
    ("paths", "word"),
    [
        (("config.json", "pytorch_model.bin"), "pytorch_model.bin"),
        (("adapter_config.json", "adapter_model.safetensors"), "adapter"),
        (("m-Q4_K_M-00001-of-00002.gguf", "m-Q4_K_M-00002-of-00002.gguf"), "parts"),
        (("mmproj-model.gguf",), "no weights"),
        (("README.md",), "no weights"),
    ],
)
def test_nothing_to_load(paths: tuple[str, ...], word: str) -> None:
    choice = choose(listing(*paths))
    assert not choice.take
    assert word in choice.problem
    assert len(choice.leave) == len(paths)


def test_gguf_files_are_builds_to_choose_from() -> None:
    told = listing(
        "README.md", "LICENSE.txt", "config.json", "m-Q2_K.gguf", "m-Q4_K_M.gguf", "m.IQ4_XS.gguf",
        "m-UD-Q4_K_XL.gguf", "BF16/m-bf16.gguf", "m-Q8_0-00001-of-00002.gguf", "mmproj-F16.gguf",
    )  # fmt: skip
    found = variants(told)
    assert found[0].name == "Q4_K_M"
    assert {each.name for each in found} == {"Q2_K", "Q4_K_M", "IQ4_XS", "UD-Q4_K_XL", "BF16"}
    assert taken(choose(told)) == {"README.md", "LICENSE.txt", "m-Q4_K_M.gguf"}
    assert taken(choose(told, "iq4_xs")) == {"README.md", "LICENSE.txt", "m.IQ4_XS.gguf"}
    with pytest.raises(HubError, match="Q2_K"):
        choose(told, "Q5_K_M")


def test_safetensors_come_before_gguf() -> None:
    told = listing(*SMALL, "model.safetensors", "m-Q4_K_M.gguf", tags=("awq",))
    assert [(each.name, each.format) for each in variants(told)] == [
        ("", "awq"),
        ("Q4_K_M", "gguf"),
    ]
    assert "m-Q4_K_M.gguf" not in taken(choose(told))
    with pytest.raises(HubError):
        choose(listing(*SMALL, "model.safetensors"), "Q4_K_M")


def test_nothing_clashes_with_our_own_list() -> None:
    choice = choose(listing(*SMALL, "model.safetensors", "manifest.json"))
    assert "manifest.json" not in taken(choice)


def test_huge_text_files_are_left() -> None:
    files = (
        RepoFile("model.safetensors", 10, SHA),
        RepoFile("config.json", 1 << 40, SHA),
        RepoFile("README.md", 1 << 30, SHA),
    )
    choice = choose(Listing(repo="o/m", commit="c" * 40, files=files))
    assert taken(choice) == {"model.safetensors"}


_PARTS = st.sampled_from(
    ["model", "x.py", "a.bin", "b.pt", "c.safetensors", "d.json", "e.so", "f.pkl", "g.gguf",
     "original", "h.onnx", "README.md", "LICENSE.py", "tokenizer.bin", "chat.jinja", "i.h5",
     "j.zip", ".git"]
)  # fmt: skip


@given(st.lists(st.lists(_PARTS, min_size=1, max_size=3).map("/".join), unique=True, max_size=20))
def test_nothing_that_runs_is_ever_taken(paths: list[str]) -> None:
    told = listing(*paths)
    for name in ("", *(each.name for each in variants(told))):
        choice = choose(told, name)
        for path in taken(choice):
            assert path.endswith((".safetensors", ".json", ".jinja", ".gguf", ".md"))
        assert len(choice.take) + len(choice.leave) == len(paths)
