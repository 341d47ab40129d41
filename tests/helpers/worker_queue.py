"""pytest-xdist's sharing out of tests, by our own groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from tests.helpers import worker_groups


class GroupQueue(LoadScopeScheduling):  # type: ignore[misc]
    """A worker gets a whole group at a time, in the order in which the tests were collected."""

    def __init__(self, config: Any, log: Any, folder: Path) -> None:
        """Args: folder: where the workers write their groups."""
        config.option.loadscopereorder = False  # by the number of tests: ours is by their time
        super().__init__(config, log)
        self._folder = folder
        self._groups: dict[str, str] = {}

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        """A worker has collected its tests."""
        self._groups.update(worker_groups.read(self._folder, node.gateway.id))
        super().add_node_collection(node, collection)

    def _split_scope(self, nodeid: str) -> str:
        return self._groups.get(nodeid, nodeid)
