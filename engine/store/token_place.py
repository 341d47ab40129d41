"""Where the token for the hub is kept. Nothing here reads it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def token_path(env: Mapping[str, str]) -> Path:
    """Where huggingface_hub keeps the token, by these variables of the environment."""
    base = env.get("XDG_CACHE_HOME") or str(Path(env.get("HOME") or Path.home()) / ".cache")
    home = env.get("HF_HOME") or f"{base}/huggingface"
    return Path(os.path.expandvars(env.get("HF_TOKEN_PATH") or f"{home}/token")).expanduser()
