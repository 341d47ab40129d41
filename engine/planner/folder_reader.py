"""Reads a model's folder."""

from __future__ import annotations

import json
from pathlib import Path

from engine.planner.config_reader import read_config
from engine.planner.shape import ModelShape, ShapeError


def read_folder(path: Path) -> ModelShape:
    """See `shape.shape_of_folder`."""
    try:
        config = json.loads((path / "config.json").read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ShapeError(f"The config.json of {path.name} cannot be read ({error}).") from error
    return read_config(config)
