"""The numbers that one types for a load: read in any usual way, refused in plain words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from desktop.models.loading.load_fields import GIB, FieldError, NumberField

TOKENS = NumberField(16, 131_072)
PERCENT = NumberField(5, 100, scale=0.01)
SIZE = NumberField(0.01, 4096, scale=GIB, whole=False)


@pytest.fixture
def german() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def english() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("   ", None),
        ("8192", 8192),
        ("8,192", 8192),
        ("8 192", 8192),
        ("8\u202f192", 8192),
        ("8_192", 8192),
        ("32k", 32768),
        ("32 K", 32768),
        ("131,072", 131_072),
    ],
)
def test_a_number_of_tokens_is_read(text: str, value: int | None) -> None:
    assert TOKENS.read(text) == value


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    "text", ["many", "-5", "1e5", "8.5", "8,19", ",192", "0x20", "٣٢", "k", "9" * 400, "nan", "1;2"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(FieldError, match=r"Write a whole number, such as 8192\."):
        TOKENS.read(text)


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("text", ["0", "15", "131073", "200k"])
def test_what_is_out_of_bounds_is_refused_with_the_bounds(text: str) -> None:
    with pytest.raises(FieldError, match=r"From 16 to 131,072\."):
        TOKENS.read(text)


@pytest.mark.usefixtures("english")
def test_shares_and_sizes_are_scaled() -> None:
    assert PERCENT.read("90") == pytest.approx(0.9)
    assert PERCENT.write(0.9) == "90"
    assert PERCENT.shown(0.9) == "90"
    assert SIZE.read("1.5") == 1.5 * GIB
    assert SIZE.read("1,5") == 1.5 * GIB
    assert SIZE.write(1.5 * GIB) == "1.5"
    assert SIZE.shown(14.256 * GIB) == "14.26"
    with pytest.raises(FieldError, match=r"Write a number, such as 1\.5\."):
        SIZE.read("a lot")
    with pytest.raises(FieldError, match="Write a number"):
        SIZE.read("inf")


@pytest.mark.usefixtures("german")
def test_they_are_read_as_the_language_writes_them() -> None:
    assert TOKENS.read("8.192") == 8192
    assert SIZE.read("1,5") == 1.5 * GIB
    assert SIZE.write(1.5 * GIB) == "1,5"
    with pytest.raises(FieldError, match=r"16 .* 131\.072"):
        TOKENS.read("1")


@pytest.mark.usefixtures("english")
@given(st.integers(16, 131_072))
def test_what_is_written_is_read_again(value: int) -> None:
    assert TOKENS.read(TOKENS.write(value)) == value
    assert TOKENS.read(TOKENS.shown(value)) == value


@given(st.text(max_size=40))
def test_nothing_typed_does_harm(text: str) -> None:
    for field in (TOKENS, PERCENT, SIZE):
        with contextlib.suppress(FieldError):
            value = field.read(text)
            most = field.high * field.scale * 1.001
            assert value is None or field.low * field.scale <= value <= most
