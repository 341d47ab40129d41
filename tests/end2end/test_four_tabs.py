"""Four tabs stream at once from the real engine in a real X server: the README's pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.helpers.engine_peer import ROOT

pytestmark = [pytest.mark.real_engine, pytest.mark.xvfb, pytest.mark.timeout(400)]

# Of a colour in a picture of 1280 x 832: a page of text has some hundreds, a blank one a few.
ENOUGH_COLOURS = 60


def colours(picture: QImage) -> int:
    step = 3
    return len(
        {
            picture.pixel(x, y)
            for x in range(0, picture.width(), step)
            for y in range(0, picture.height(), step)
        }
    )


def test_the_readmes_pictures_can_be_taken_today(starter: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    done = subprocess.run(
        [sys.executable, "-m", "tests.screenshots", str(folder), str(starter)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=380,
        check=False,
    )
    # The script waits for four answers that stream at the same moment, and fails if they do not.
    assert done.returncode == 0, done.stdout + done.stderr
    shown = {path.name for path in (ROOT / "assets" / "screenshots").glob("*.png")}
    taken = {path.name: QImage(str(path)) for path in folder.glob("*.png")}
    assert set(taken) == shown
    for name, picture in taken.items():
        assert picture.width() in (1280, 720), name
        assert colours(picture) > ENOUGH_COLOURS, name
    light, dark = (taken[f"four-tabs-{mode}.png"] for mode in ("light", "dark"))
    assert light.pixelColor(700, 700).lightness() > 200
    assert dark.pixelColor(700, 700).lightness() < 80
