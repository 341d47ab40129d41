"""Who is signed in to the hub: the token is huggingface_hub's to keep, and nobody's to see.

It lies where the library keeps it (HF_TOKEN_PATH), so that other programs have it too, and goes to
the hub's own address alone (see `connection`). It is in no answer, no text and no log.
"""

from __future__ import annotations

import configparser
import contextlib
import errno
import os
import re
import subprocess
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.store.hub.asking import asking, known_token, nonsense
from engine.store.hub.call import Call, current_call
from engine.store.hub.errors import HubError
from engine.store.hub.messages import Account
from engine.store.hub.plain_text import one_line

_TOKEN: Final = re.compile(r"[\x21-\x7e]{8,2000}", re.ASCII)

_NO_TOKEN = words(
    "That is no token. One begins with “hf_”; make it in the hub’s settings, under Access Tokens."
)
_OF_ORGANISATION = words("That is the token of an organisation; use one of your own account.")
_NOT_KEPT = words("The token could not be kept in {path}: {reason}.")
_NOT_FORGOTTEN = words("The token could not be removed from {path}: {reason}.")
_NAMELESS = words("it does not say whose token it is")


def who_am_i(id: int = 0, call: Call | None = None) -> Account:
    """Whose token is in use; nobody's where there is none.

    Raises:
        HubError: "sign_in", where the hub does not take it; or the hub cannot be asked.
    """
    where, path = token_place()
    if not where:
        return Account(id=id, token_path=path)
    with asking(call=call):
        return Account(id=id, name=_name(known_token()), token_where=where, token_path=path)


def sign_in(token: str, id: int = 0, call: Call | None = None) -> Account:
    """Ask the hub whose token it is, and keep it.

    Raises:
        HubError: "sign_in": it is none; or the hub cannot be asked, or the disk is full.
    """
    token = token.strip()
    if not _TOKEN.fullmatch(token):
        raise HubError("sign_in", _NO_TOKEN)
    if token.startswith("api_org"):
        raise HubError("sign_in", _OF_ORGANISATION)
    with asking(call=call):
        name = _name(token)
        _keep(token)
    where, path = token_place()
    return Account(id=id, name=name, token_where=where, token_path=path)


def sign_out(id: int = 0) -> Account:
    """Forget the token that is kept. One in the environment stays.

    Raises:
        HubError: its file cannot be removed.
    """
    from huggingface_hub import constants, logout
    from huggingface_hub.utils import get_stored_tokens  # type: ignore[attr-defined]

    path = Path(constants.HF_TOKEN_PATH)
    try:
        token = path.read_bytes().decode("utf-8", "replace").strip() if path.exists() else ""
        names: list[str] = []
        with contextlib.suppress(ValueError, configparser.Error):  # that file is damaged
            names = [name for name, kept in get_stored_tokens().items() if token and kept == token]
        for name in names:
            # It raises where the environment has a token, and runs git, which may not be there.
            with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
                logout(name)
        path.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise HubError("sign_in", _NOT_FORGOTTEN.format(path=path, reason=reason)) from error
    where, place = token_place()
    return Account(id=id, token_where=where, token_path=place)


def token_place() -> tuple[str, str]:
    """Where the token in use is: "environment", "file" or "" (none); and the file's path."""
    from huggingface_hub import constants

    path = constants.HF_TOKEN_PATH
    if os.environ.get("HF_TOKEN") or os.environ.get("HUGGING_FACE_HUB_TOKEN"):
        return "environment", path
    with contextlib.suppress(OSError, ValueError):
        if Path(path).read_text().strip():
            return "file", path
    return "", path


def _name(token: str) -> str:
    from huggingface_hub import HfApi

    # Not `api()`: the token that was kept before may be the one that cannot be used.
    told: Any = HfApi(endpoint=current_call().endpoint, token=token).whoami()
    name = one_line(told.get("name"), 100) if isinstance(told, dict) else ""
    if not name:
        raise nonsense(_NAMELESS)
    return name


def _keep(token: str) -> None:
    from huggingface_hub import constants, login

    try:
        login(token=token, add_to_git_credential=False)  # asks once more, and then writes
    except OSError as error:
        path, reason = constants.HF_TOKEN_PATH, error.strerror or type(error).__name__
        code = "disk_full" if error.errno in {errno.ENOSPC, errno.EDQUOT} else "sign_in"
        raise HubError(code, _NOT_KEPT.format(path=path, reason=reason)) from error
