"""A loopback hub that the code in the test's own process asks, with nothing of the user's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.helpers.loopback_hub import LoopbackHub, loopback_hub

_OF_THE_USER = (
    *("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
)


@contextmanager
def asked_hub(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    """A hub, and an environment in which it is the one that is asked."""
    import huggingface_hub
    from huggingface_hub import constants

    from engine.store.hub import connection

    for name in _OF_THE_USER:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(folder / "hf" / "token"))
    monkeypatch.setattr(constants, "HF_STORED_TOKENS_PATH", str(folder / "hf" / "stored_tokens"))
    connection.install()
    with loopback_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        huggingface_hub.set_client_factory(connection.make_client)
        yield hub
    huggingface_hub.close_session()
