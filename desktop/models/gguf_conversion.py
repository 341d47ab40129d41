"""Converts a GGUF file to a folder of safetensors, in a process of its own."""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtCore import QObject

from desktop.models.helper_process import HelperProcess
from desktop.models.loading.size_text import size_text
from desktop.models.number_text import whole

MODULE = "engine.store.convert"


class GgufConversion(HelperProcess):
    """`python -m engine.store.convert --json FILE`, object by object; the last has the new folder.

    Args:
        file: the GGUF file.
    """

    shows_unfinished = False  # half an object says nothing

    def __init__(self, file: str, parent: QObject | None = None) -> None:
        super().__init__((sys.executable, "-m", MODULE, "--json", file), parent)

    @property
    def folder(self) -> str:
        """Where the model lies now, once it has finished well; "" before."""
        # What a library says while the process ends may come after it.
        told = (_object(line) for line in reversed(self.lines))
        return next((str(one.get("folder", "")) for one in told if one.get("type") == "done"), "")

    def words_of(self, line: str) -> str:
        """A stage and how far all of it is; what it costs; why it came to nothing."""
        told = _object(line)
        match told.get("type"):
            case "progress":
                return self._progress(told)
            case "cost":
                return self.tr("It takes {disk} of disk and about {minutes} min").format(
                    disk=size_text(int(_number(told, "disk_bytes"))),
                    minutes=whole(max(1, round(_number(told, "seconds") / 60))),
                )
            case "error":
                from desktop.models.failure_text import translated_text

                return translated_text(str(told.get("text", "")))
            case "note":
                return self.tr("Another conversion is at work; this one waits for it")
            case "done":
                return self.tr("The model is there")
        return line

    def _progress(self, told: dict[str, Any]) -> str:
        from desktop.models.quantizing.quantize_words import duration_text

        # As `engine.store.gguf_cost.Stage` names them.
        stages = {
            "reading": self.tr("Reading the file"),
            "libraries": self.tr("Starting the converter"),
            "expanding": self.tr("Expanding the weights"),
            "writing": self.tr("Writing safetensors"),
            "checking": self.tr("Checking what was written"),
        }
        return self.tr("{stage}: {percent} % in all, about {time} left").format(
            stage=stages.get(str(told.get("stage")), ""),
            percent=whole(int(100 * _number(told, "fraction"))),
            time=duration_text(_number(told, "seconds_left")),
        )


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _number(told: dict[str, Any], name: str) -> float:
    value = told.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
