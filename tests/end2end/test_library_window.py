"""From an empty program to a chat with a model of the hub: the real window and the real engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage

from tests.helpers import processes
from tests.helpers.camera import SIZE
from tests.helpers.hub_downloads import hashes, installed
from tests.helpers.hub_scenes import REPO
from tests.helpers.loopback_hub import ROOT, files_of
from tests.helpers.tiny_models import STARTER

pytestmark = [pytest.mark.real_engine, pytest.mark.xvfb, pytest.mark.timeout(400)]

WANTED = frozenset(files_of(STARTER))
PICTURES = ("found", "page", "here", "chat")
ENOUGH_COLOURS = 60  # a blank picture has a few


@pytest.fixture(scope="module")
def visit(
    starter: Path, real_cache: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, dict[str, Any]]:
    """Where the pictures are, where the program lived, and what was seen."""
    folder = tmp_path_factory.mktemp("visit")
    home = folder / "home"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "INGLENOOK_HOME": str(home),
        "INGLENOOK_CACHE": f"{real_cache}/cache",
        "HF_HOME": str(folder / "hf"),
        "HF_TOKEN": "hf_canary",
    }
    command = [sys.executable, "-m", "tests.helpers.hub_visit", str(folder / "seen"), str(starter)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=380
    )
    # The script waits for each state, and fails where one does not come.
    assert done.returncode == 0, done.stdout + done.stderr
    assert processes.wait_until_none(lambda: processes.alive_in(home)) == []
    facts: dict[str, Any] = json.loads((folder / "seen" / "facts.json").read_text())
    return folder / "seen", home, facts


def test_search_pick_pull_load_and_chat(
    visit: tuple[Path, Path, dict[str, Any]], starter: Path
) -> None:
    seen, home, facts = visit
    models = home / "data" / "models"
    folder = Path(facts["folder"])
    assert folder == models / "hub" / REPO.replace("/", "--")
    assert installed(models) == [REPO]
    fetched = hashes(folder)
    assert fetched.pop("README.md")
    assert fetched == {name: sha for name, sha in hashes(starter).items() if name in WANTED}
    origin = json.loads((folder / "manifest.json").read_text())["origin"]
    assert (origin["repo"], origin["revision"]) == (REPO, facts["commit"])
    assert origin["licence"] == "apache-2.0"
    assert Path(facts["loaded"]) == folder
    assert "Paris" in facts["answer"]
    assert facts["chats_in_front"]
    for name in PICTURES:
        picture = QImage(str(seen / f"{name}.png"))
        assert (picture.width(), picture.height()) == SIZE, name
        step = range(0, 830, 3)
        assert len({picture.pixel(x, y) for x in step for y in step}) > ENOUGH_COLOURS, name


def test_the_hub_is_asked_when_the_user_asks_and_for_nothing_else(
    visit: tuple[Path, Path, dict[str, Any]],
) -> None:
    _, _, facts = visit
    requests = facts["requests"]
    # The library was opened and its list judged before a word was typed.
    assert facts["asked_before"] == 0
    files = {record["file"] for record in requests if record["file"].startswith(REPO)}
    names = {file.removeprefix(f"{REPO}/") for file in files}
    assert not {name for name in names if name.endswith((".bin", ".py", ".onnx", ".gitattributes"))}
    whole = [r for r in requests if r["file"] == f"{REPO}/model.safetensors"]
    size = sum(record["sent"] for record in whole)
    assert size >= 200_000_000
    # Of a model that was only looked at, the head of its weights at most.
    others = [r["sent"] for r in requests if r["file"] and not r["file"].startswith(REPO)]
    assert max(others, default=0) < 40 << 20
    assert {record["token"] for record in requests} <= {"hf_canary"}
