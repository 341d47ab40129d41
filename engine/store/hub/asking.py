"""Each question to the hub goes through here: checked before, and its end in plain words."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from engine.failure_words import words
from engine.store.hub.call import Call, call_here, current_call
from engine.store.hub.errors import HubError
from engine.store.hub.plain_text import one_line
from engine.store.hub_names import COMMIT, is_model_id

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_REVISION: Final = re.compile(r"[A-Za-z0-9][\w./-]{0,199}", re.ASCII)

_NO_ID = words("“{name}” is no model’s name; they read “owner/name”.")
_NO_REVISION = words("“{text}” is no branch, tag or commit.")
_NONSENSE = words("The answer of the hub ({host}) makes no sense ({what}).")
_NO_HUB = words(
    "What answers at {host} is no hub. Is the address right, or must you sign in to this network "
    "first?"
)
_WHAT_JSON = words("it is not the data that was asked for")
_TOKEN_UNREADABLE = words("The token in {path} cannot be used: {reason}. Sign in again.")
_NO_TOKEN = words("it is none")
BAD_COMMIT: Final = words("it names a commit that is none")


def check_names(repo: str, revision: str = "main") -> None:
    """Go on only with names that can be a part of an address.

    Raises:
        HubError: "bad_id".
    """
    if not is_model_id(repo):
        raise HubError("bad_id", _NO_ID.format(name=one_line(repo, 80)))
    if not _REVISION.fullmatch(revision) or ".." in revision:
        raise HubError("bad_id", _NO_REVISION.format(text=one_line(revision, 80)))


@contextlib.contextmanager
def asking(endpoint: str = "", call: Call | None = None) -> Iterator[Call]:
    """A question to the hub at `endpoint` (the environment's), within `call` if that is given.

    Within another question it is a part of that one: its deadline and its caps hold.

    Raises:
        HubError: whatever went wrong within.
    """
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    from engine.store.hub import connection

    connection.install()
    connection.refuse_offline()
    outer = call_here()
    if call is None and outer is not None and endpoint.rstrip("/") in {"", outer.endpoint}:
        yield outer
        return
    with (call or Call(endpoint)).here() as asked:
        try:
            yield asked
        except HubError:
            raise
        except HFValidationError as error:
            raise HubError("bad_id", one_line(str(error), 200)) from error
        except (httpx2.HTTPError, HfHubHTTPError, httpx2.InvalidURL) as error:
            raise connection.failure_of(error, asked.endpoint) from error
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise HubError("bad_answer", _NO_HUB.format(host=asked.host)) from error
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise nonsense(_WHAT_JSON, asked.host) from error


def nonsense(what: str, host: str = "") -> HubError:
    """The error for an answer of which `what` is wrong, in words."""
    return HubError("bad_answer", _NONSENSE.format(host=host or current_call().host, what=what))


def api() -> HfApi:
    """huggingface_hub's client for the hub of the question that this thread is in.

    Raises:
        HubError: "sign_in", where the user's token cannot be read.
    """
    from huggingface_hub import HfApi

    endpoint = current_call().endpoint
    return HfApi(endpoint=endpoint, token=known_token() or False, library_name="inglenook")


def known_headers() -> dict[str, str]:
    """What goes along with each request: who asks, with whose token.

    Raises:
        HubError: as `api`.
    """
    from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

    headers: dict[str, str] = build_hf_headers(
        token=known_token() or False, library_name="inglenook"
    )
    return headers


def known_token() -> str:
    """The user's token, as huggingface_hub finds it; "" for none.

    Raises:
        HubError: "sign_in"; it cannot be read, or is none.
    """
    from huggingface_hub import constants, get_token

    if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN:
        return ""
    try:
        token = get_token() or ""
        if not re.fullmatch(r"[\x21-\x7e]*", token, re.ASCII):
            raise ValueError("it is no token")
    except (OSError, ValueError) as error:
        path, reason = constants.HF_TOKEN_PATH, getattr(error, "strerror", "") or _NO_TOKEN
        raise HubError("sign_in", _TOKEN_UNREADABLE.format(path=path, reason=reason)) from error
    return token


def check_commit(told: Any) -> str:
    """`told`, which is a commit.

    Raises:
        HubError: "bad_answer".
    """
    if isinstance(told, str) and COMMIT.fullmatch(told):
        return told
    raise nonsense(BAD_COMMIT)
