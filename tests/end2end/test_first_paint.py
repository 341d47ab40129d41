"""What the first paint does without: the start is measured by tests.bench.startup, not here."""

from __future__ import annotations

from pathlib import Path

from tests.bench.startup import start


def test_nothing_heavy_is_loaded_before_the_first_paint(tmp_path: Path) -> None:
    painted = start(["app", "scripted", "painted"], str(tmp_path))["painted"]
    assert painted["forbidden"] == []
    assert painted["early"] == []
