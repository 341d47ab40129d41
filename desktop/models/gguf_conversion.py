"""Converts a GGUF file to a folder of safetensors, in a process of its own."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject

from desktop.models.helper_process import HelperProcess

MODULE = "engine.store.convert"


class GgufConversion(HelperProcess):
    """`python -m engine.store.convert FILE`, line by line; its last line is the new folder.

    Args:
        file: the GGUF file.
    """

    def __init__(self, file: str, parent: QObject | None = None) -> None:
        super().__init__((sys.executable, "-m", MODULE, file), parent)

    @property
    def folder(self) -> str:
        """Where the model lies now; once it has finished well."""
        return self.last_line
