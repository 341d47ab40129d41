"""Builds the starter model again in a process of its own, which can be stopped."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject

from desktop.models.helper_process import HelperProcess

MODULE = "engine.store.starter"


class StarterRebuild(HelperProcess):
    """`python -m engine.store.starter`, line by line."""

    def __init__(
        self, parent: QObject | None = None, *, command: tuple[str, ...] | None = None
    ) -> None:
        super().__init__(command or (sys.executable, "-m", MODULE), parent)
