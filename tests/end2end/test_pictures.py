"""The README's pictures can be taken today: the real program and engine in a real X server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.helpers.camera import SIZE
from tests.helpers.engine_peer import ROOT
from tests.screenshots import NARROW, SHOWN, WIDE, shown_in_readme

pytestmark = [pytest.mark.real_engine, pytest.mark.xvfb, pytest.mark.timeout(500)]

# Of a picture's colours: a page of text has some hundreds, a blank one a few.
ENOUGH_COLOURS = 60
MOST_BYTES = 250_000  # of each picture in the repository


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
    """Four answers that stream at the same moment, three side by side, a hit that is jumped to."""
    folder = tmp_path / "pictures"
    done = subprocess.run(
        [sys.executable, "-m", "tests.screenshots", str(folder), str(starter)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=480,
        check=False,
    )
    # The script waits for each scene, and fails where one does not come.
    assert done.returncode == 0, done.stdout + done.stderr
    taken = {path.name: QImage(str(path)) for path in folder.glob("*.png")}
    assert shown_in_readme() <= set(taken)
    for name, picture in taken.items():
        assert (picture.width(), picture.height()) in (SIZE, NARROW, WIDE), name
        assert colours(picture) > ENOUGH_COLOURS, name
    scenes = ("four-tabs-{}", "search-{}", "chat-{}", "chat-{}-narrow", "chat-{}-wide")
    for scene in scenes:
        light, dark = (taken[f"{scene.format(mode)}.png"] for mode in ("light", "dark"))
        # In the sidebar, below its rows.
        assert light.pixelColor(100, 700).lightness() > 200, scene
        assert dark.pixelColor(100, 700).lightness() < 80, scene


def test_the_repository_has_the_pictures_that_the_readme_shows_and_no_others() -> None:
    kept = {path.name: path.stat().st_size for path in SHOWN.iterdir()}
    assert set(kept) == shown_in_readme()
    assert all(size <= MOST_BYTES for size in kept.values()), kept
