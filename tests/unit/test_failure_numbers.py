"""Numbers in errors come from files of anyone's: none of them keeps a failure from being told."""

from __future__ import annotations

import pytest

from engine.failures import explain
from engine.protocol import Scope
from engine.remedies import number

ESTIMATE = (
    "To serve at least one request with the model's max seq len (8192), (2.0 GiB KV cache is "
    "needed, which is larger than the available KV cache memory (1.0 GiB). Based on the available "
    "memory, the estimated maximum model length is {}."
)


@pytest.mark.parametrize("digits", ["4096", "9" * 400, "9" * 5000, "٣٢"])
def test_any_number_is_told(digits: str) -> None:
    failure = explain(Scope.LOAD, ESTIMATE.format(digits))
    assert failure.code == "context_too_long"
    assert failure.remedies


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,024", 1024.0), ("2.5", 2.5), ("inf", None), ("9" * 400, None), ("nan", None), ("", None)],
)
def test_only_finite_numbers_count(text: str, value: float | None) -> None:
    assert number({"size": text}, "size") == value
    assert number({}, "size") is None
