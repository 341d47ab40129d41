"""What the tests of the store share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.chats.store.chat_store import ChatStore
from tests.helpers.stores import opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store is, or will be: its folder is not there yet."""
    return tmp_path / "data" / "chats.db"


@pytest.fixture
def store(path: Path) -> Iterator[ChatStore]:
    """An empty store at `path`, open."""
    with opened(path) as store:
        yield store
