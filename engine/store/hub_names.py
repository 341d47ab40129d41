"""How a hub names what it has: repositories, commits, hashes. Pure, standard library only.

All of them are somebody else's words; they become parts of addresses and of paths, so that what
is not of these forms goes no further.
"""

from __future__ import annotations

import re
from typing import Final

COMMIT: Final = re.compile(r"[0-9a-f]{40}")
GIT_HASH: Final = COMMIT  # git's SHA-1, of a file as of a commit
SHA256: Final = re.compile(r"[0-9a-f]{64}")
# "--" stands for the slash in names of folders, here and in the Hugging Face cache.
_MODEL: Final = re.compile(
    r"(?!.*(?:\.\.|--))[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII
)


def is_model_id(text: str) -> bool:
    """Whether `text` can name a model on a hub: "owner/name", or a bare "name"."""
    return _MODEL.fullmatch(text) is not None


def is_repo(text: str) -> bool:
    """Whether `text` can name a model on a hub by its whole name, "owner/name"."""
    return "/" in text and is_model_id(text)
