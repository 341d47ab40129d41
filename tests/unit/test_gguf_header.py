"""A GGUF header from anyone: what is right is read, what is wrong is refused in words."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.store import gguf_header
from engine.store.gguf_error import GgufError
from engine.store.gguf_header import BLOCKS, read_header
from engine.store.gguf_rope import llama3_factors, scaling_of
from engine.store.starter import find_gguf
from tests.helpers.tiny_gguf import (
    ARCHITECTURE,
    ARRAY,
    FLOAT32,
    STRING,
    UINT32,
    entry,
    gguf_bytes,
    tensor,
    text,
)

HUGE = (1 << 64) - 1


def write(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    return path


def refused(tmp_path: Path, content: bytes) -> GgufError:
    with pytest.raises(GgufError) as caught:
        read_header(write(tmp_path, content))
    words = str(caught.value)
    assert words.endswith((".", "”."))
    assert "model.gguf" in words
    return caught.value


def test_the_starters_own_file() -> None:
    header = read_header(find_gguf())
    assert header.architecture == "llama"
    assert header.elements == 134_515_008
    assert header.largest == 49_152 * 576
    assert header.is_quantised
    assert header.arrays["tokenizer.ggml.tokens"] == 49_152
    assert "for message in messages" in str(header.values["tokenizer.chat_template"])
    assert header.values["llama.rope.freq_base"] == 100_000.0


def test_the_sizes_of_blocks_are_those_of_the_gguf_package() -> None:
    from gguf.constants import GGML_QUANT_SIZES

    theirs = {int(kind): size for kind, size in GGML_QUANT_SIZES.items()}
    assert {kind: theirs[kind] for kind in BLOCKS} == dict(BLOCKS)


def test_a_small_file(tmp_path: Path) -> None:
    header = read_header(write(tmp_path, gguf_bytes()))
    (only,) = header.tensors
    assert (only.name, only.shape, only.size) == ("w", (2, 4), 32)
    assert header.name == "model"
    assert not header.is_quantised


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not_gguf"),
        (b"GG", "not_gguf"),
        (b"PK\x03\x04" * 100, "not_gguf"),
        (gguf_bytes(version=1), "version"),
        (gguf_bytes(version=99), "version"),
        (gguf_bytes(version=3 << 24), "version"),
        (b"GGUF" + struct.pack("<I", 3), "damaged"),
        (gguf_bytes(tensor_count=HUGE), "damaged"),
        (gguf_bytes(key_count=HUGE), "damaged"),
        (gguf_bytes(tensor_count=1000), "damaged"),
        (gguf_bytes(key_count=2), "damaged"),
        (gguf_bytes(entries=[ARCHITECTURE, ARCHITECTURE]), "damaged"),
        (gguf_bytes(entries=[]), "damaged"),
        (gguf_bytes(entries=[entry("general.architecture", STRING, text(""))]), "damaged"),
        (gguf_bytes(entries=[entry("general.architecture", UINT32, bytes(4))]), "damaged"),
        (gguf_bytes(entries=[struct.pack("<Q", HUGE)]), "damaged"),
        (gguf_bytes(entries=[text(b"\xff\xfe") + struct.pack("<I", UINT32) + bytes(4)]), "damaged"),
        (gguf_bytes(entries=[ARCHITECTURE, entry("x", 13, bytes(8))]), "damaged"),
        (
            gguf_bytes(entries=[ARCHITECTURE, entry("x", STRING, struct.pack("<Q", HUGE))]),
            "damaged",
        ),
        (
            gguf_bytes(entries=[ARCHITECTURE, entry("x", ARRAY, struct.pack("<IQ", 4, HUGE))]),
            "damaged",
        ),
        (
            gguf_bytes(entries=[ARCHITECTURE, entry("x", ARRAY, struct.pack("<IQ", 8, 3_000_000))]),
            "damaged",
        ),
        (
            gguf_bytes(entries=[ARCHITECTURE, entry("x", ARRAY, struct.pack("<IQ", ARRAY, 1))]),
            "damaged",
        ),
        (
            gguf_bytes(
                entries=[ARCHITECTURE, entry("general.alignment", UINT32, struct.pack("<I", 0))]
            ),
            "damaged",
        ),
        (gguf_bytes(tensors=[tensor("w", (4,)), tensor("w", (4,))]), "damaged"),
        (gguf_bytes(tensors=[tensor("w", ())]), "damaged"),
        (gguf_bytes(tensors=[tensor("w", (1,) * 9)]), "damaged"),
        (gguf_bytes(tensors=[tensor("w", (0, 4))]), "damaged"),
        (gguf_bytes(tensors=[tensor("w", (1 << 40, 1 << 40))]), "damaged"),
        (gguf_bytes(tensors=[tensor("w", (HUGE, HUGE))]), "damaged"),
        (gguf_bytes(tensors=[tensor("w", (4, 33), kind=8)]), "damaged"),
        (gguf_bytes(tensors=[tensor("w" * 2000, (4,))]), "damaged"),
        (gguf_bytes(tensors=[tensor("w", (4,), kind=4)]), "type"),
        (gguf_bytes(tensors=[tensor("w", (4, 1024))]), "truncated"),
        (gguf_bytes(tensors=[tensor("w", (4,), offset=HUGE)]), "truncated"),
        (gguf_bytes(tensors=[]), "no_model"),
        (gguf_bytes(entries=[entry("general.architecture", STRING, text("clip"))]), "no_model"),
        (
            gguf_bytes(entries=[ARCHITECTURE, entry("general.type", STRING, text("adapter"))]),
            "no_model",
        ),
        (
            gguf_bytes(entries=[ARCHITECTURE, entry("split.count", 2, struct.pack("<H", 3))]),
            "split",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, content: bytes, code: str) -> None:
    assert refused(tmp_path, content).code == code


def test_a_download_that_broke_off_says_how_much_is_missing(tmp_path: Path) -> None:
    whole = find_gguf().read_bytes()
    error = refused(tmp_path, whole[:-1_000_000])
    assert error.code == "truncated"
    assert "1,000,000" in str(error)
    assert refused(tmp_path, whole[:100_000]).code == "damaged"


def test_a_header_without_end_is_not_read_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gguf_header, "HEADER_BYTES", 64)
    long = entry("x", STRING, text("y" * 1000))
    assert "too long" in str(refused(tmp_path, gguf_bytes(entries=[ARCHITECTURE, long])))


def test_a_very_long_text_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf_header, "TEXT_BYTES", 100)
    header = read_header(
        write(tmp_path, gguf_bytes(entries=[entry("x", STRING, text("y" * 101)), ARCHITECTURE]))
    )
    assert "x" not in header.values


@given(content=st.binary(max_size=200))
def test_any_bytes_behind_the_magic(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(GgufError):
        read_header(write(tmp_path, b"GGUF" + content))


@given(data=st.data())
def test_a_file_with_any_bytes_changed_is_read_or_refused(
    tmp_path: Path, data: st.DataObject
) -> None:
    content = bytearray(
        gguf_bytes(
            entries=[
                ARCHITECTURE,
                entry("a", ARRAY, struct.pack("<IQ", 8, 2) + text("x") + text("yz")),
                entry("b", FLOAT32, struct.pack("<f", 1.5)),
            ],
            tensors=[tensor("w", (2, 4)), tensor("v", (32,), kind=8, offset=32)],
            data=bytes(96),
        )
    )
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = write(tmp_path, bytes(content))
    with contextlib.suppress(GgufError):
        assert read_header(path).elements <= gguf_header.MOST_ELEMENTS


# --- positions that are stretched ----------------------------------------------------


def rope(tmp_path: Path, *entries: bytes, factors: list[float] | None = None) -> dict[str, object]:
    header = read_header(write(tmp_path, gguf_bytes(entries=[ARCHITECTURE, *entries])))
    return scaling_of(header, factors)


def test_nothing_is_stretched_unless_it_is_told(tmp_path: Path) -> None:
    assert rope(tmp_path) == {}
    none = entry("llama.rope.scaling.type", STRING, text("none"))
    assert rope(tmp_path, none) == {}


def test_llama_3_is_known_by_its_factors(tmp_path: Path) -> None:
    base = entry("llama.rope.freq_base", FLOAT32, struct.pack("<f", 500_000.0))
    found = rope(tmp_path, base, factors=llama3_factors(32.0, 500_000.0, 64))
    assert found["rope_type"] == "llama3"
    assert found["factor"] == 32.0
    assert found["original_max_position_embeddings"] == 8192


def test_our_factors_are_those_of_transformers() -> None:
    # ROPE_INIT_FUNCTIONS["llama3"] of transformers 5.19: base 500,000, factor 8, 64 frequencies.
    theirs = {
        0: 1.000000e00,
        20: 1.656044e-02,
        28: 3.211446e-03,
        30: 1.371894e-03,
        31: 8.567515e-04,
        33: 3.126936e-04,
        35: 9.556212e-05,
        63: 3.068926e-07,
    }
    factors = llama3_factors(8.0, 500_000.0, 64)
    for index, expected in theirs.items():
        ours = 500_000.0 ** -(index / 64) / factors[index]
        assert ours == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("factors", [[1.0, 2.0, 3.0, 4.0], [1.0] * 63 + [9.0], [float("nan")] * 4])
def test_factors_of_another_kind_are_refused(tmp_path: Path, factors: list[float]) -> None:
    with pytest.raises(GgufError) as caught:
        rope(tmp_path, factors=factors)
    assert caught.value.code == "rope"


def test_yarn_and_linear_are_taken_over(tmp_path: Path) -> None:
    factor = entry("llama.rope.scaling.factor", FLOAT32, struct.pack("<f", 4.0))
    original = entry(
        "llama.rope.scaling.original_context_length", UINT32, struct.pack("<I", 32_768)
    )
    yarn = entry("llama.rope.scaling.type", STRING, text("yarn"))
    linear = entry("llama.rope.scaling.type", STRING, text("linear"))
    assert rope(tmp_path, yarn, factor, original) == {
        "rope_type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": 32_768,
    }
    assert rope(tmp_path, linear, factor) == {"rope_type": "linear", "factor": 4.0}
    with pytest.raises(GgufError):
        rope(tmp_path, entry("llama.rope.scaling.type", STRING, text("longrope")), factor)
    with pytest.raises(GgufError):
        rope(tmp_path, yarn)
