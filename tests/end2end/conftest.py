"""What the end-to-end tests share: the starter model, one real engine, one failure lab."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.protocol import Loaded
from engine.store import starter as starter_module
from engine.store.folders import starter_folder
from tests.helpers.engine_peer import EnginePeer
from tests.helpers.failure_lab import Lab

# Read before any test moves INGLENOOK_HOME: set-up has put the starter there.
_SET_UP = starter_folder(dict(os.environ))


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter model's folder: the one set-up made, else made now (20 s)."""
    if starter_module.is_complete(_SET_UP):
        return _SET_UP
    folder = tmp_path_factory.mktemp("models") / "starter" / _SET_UP.name
    starter_module.make(folder)
    return folder


@pytest.fixture(scope="session")
def real_cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A home for the engine's caches, outside any single test's."""
    return str(tmp_path_factory.mktemp("engine-home"))


@pytest.fixture
def warm_cache(real_cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines of a test with a home of its own find what vLLM has kept about models before."""
    monkeypatch.setenv("INGLENOOK_CACHE", f"{real_cache}/cache")


@pytest.fixture(scope="session")
def lab(starter: Path, real_cache: str) -> Iterator[Lab]:
    """One process that has imported vLLM: each model loads in a fork of it, in a second."""
    assert starter
    with Lab(Path(real_cache)) as lab:
        yield lab


@pytest.fixture(scope="session")
def loaded_engine(starter: Path, real_cache: str) -> Iterator[tuple[EnginePeer, Loaded]]:
    """The real vLLM with the starter loaded; shared, so leave it idle."""
    environment = {"INGLENOOK_HOME": real_cache, "HF_TOKEN": "hf_canary"}
    peer = EnginePeer("vllm", environment=environment)
    loaded = peer.load(starter)
    yield peer, loaded
    assert peer.close() == 0
