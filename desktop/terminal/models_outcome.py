"""How `models` ends: exit codes, and what could not be done in words."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from engine.store.hub.errors import HubError


class ExitCode(IntEnum):
    """How `models` ends; told by --help."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NO_MODEL = 3
    NO_HUB = 4
    INTERRUPTED = 130


# What the hub's errors mean for whoever reads the exit code; all others are NO_HUB.
_OF_THE_MODEL: Final = frozenset({"not_found", "no_config", "no_weights", "not_a_model", "bad_id"})
_OF_THIS_MACHINE: Final = frozenset({"disk_full", "hash_mismatch", "store", "broken", "changed"})
SIGN_IN: Final = (
    "Sign in with “hf auth login” or in the window (Models, Find models), or set HF_TOKEN."
)


class ModelsError(Exception):
    """It came to nothing; the text says why and what to do.

    Attributes:
        code: for programs.
        facts: more for them: an address, a time to wait.
    """

    def __init__(self, exit_code: ExitCode, code: str, text: str, **facts: Any) -> None:
        super().__init__(text)
        self.exit_code = exit_code
        self.code = code
        self.facts = {name: value for name, value in facts.items() if value not in ("", None)}


def of_hub(error: HubError) -> ModelsError:
    """What the hub, or the way to it, refused."""
    if error.code == "cancelled":
        return ModelsError(ExitCode.INTERRUPTED, error.code, error.text or "Stopped.")
    if error.code in _OF_THE_MODEL:
        exit_code = ExitCode.NO_MODEL
    elif error.code in _OF_THIS_MACHINE:
        exit_code = ExitCode.FAILED
    else:
        exit_code = ExitCode.NO_HUB
    parts = [error.text]
    if error.code == "sign_in" and "hf auth login" not in error.text:
        parts.append(SIGN_IN)
    if error.url and error.url not in error.text:
        parts.append(error.url)
    return ModelsError(
        exit_code, error.code, " ".join(parts), url=error.url, retry_after=error.retry_after
    )
