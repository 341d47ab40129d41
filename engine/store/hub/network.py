"""Which hub is asked, and by which way: its address, a proxy, a company's certificates, or not.

huggingface_hub reads its environment when it is imported. So these settings are put into the
environment of the processes that talk to the hub, before they start; what the user's own
environment says is kept where a setting says nothing.
"""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from engine.failure_words import words
from engine.plain_file import open_plain

PUBLIC_HUB: Final = "https://huggingface.co"
MOST_CA_BYTES: Final = 16 * 1024 * 1024

# Nothing is counted, looked up or printed behind the user's back, and no request with its token
# is written to a log.
_QUIET: Final = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "HF_HUB_DISABLE_EXPERIMENTAL_WARNING": "1",
    "HF_HUB_VERBOSITY": "error",
}
_REMOVED: Final = ("HF_DEBUG", "HUGGINGFACE_CO_STAGING")
_TRUE: Final = {"1", "ON", "YES", "TRUE"}  # as huggingface_hub reads its switches

_NO_URL = words(
    "The hub’s address “{text}” is no web address. It reads like https://huggingface.co."
)
_NO_PROXY_URL = words(
    "The proxy “{text}” is no address of one. It reads like http://proxy.example.org:3128."
)
SOCKS = words("The proxy “{text}” speaks SOCKS; only HTTP proxies can be used.")
_CA_MISSING = words("The file of certificates {path} cannot be read: {reason}.")
_CA_NOT_PEM = words(
    "The file {path} holds no certificates in PEM form (-----BEGIN CERTIFICATE-----)."
)


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """What the user has set; empty: as the environment has it, or the public hub directly.

    Attributes:
        endpoint: of the hub or a mirror, "https://…".
        proxy: "http://[user:password@]host:port", for the hub and for what it redirects to.
        ca_bundle: a PEM file of certificates to be trusted.
        offline: ask nothing.
    """

    endpoint: str = ""
    proxy: str = ""
    ca_bundle: str = ""
    offline: bool = False

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for a process that talks to the hub, made from `base` (this one's)."""
        env = dict(os.environ if base is None else base)
        for name in _REMOVED:
            env.pop(name, None)
        env |= _QUIET
        if self.endpoint:
            env["HF_ENDPOINT"] = self.endpoint.strip().rstrip("/")
        if self.proxy:
            for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"):
                env[name] = self.proxy.strip()
            for name in ("ALL_PROXY", "all_proxy"):
                env.pop(name, None)
        if self.ca_bundle:
            path = str(Path(self.ca_bundle).expanduser())
            env["SSL_CERT_FILE"] = env["REQUESTS_CA_BUNDLE"] = path
        if self.offline:
            env["HF_HUB_OFFLINE"] = "1"
        return env

    def check(self) -> str:
        """What is wrong with the settings, in words; "" for nothing."""
        return (
            _endpoint_problem(self.endpoint.strip())
            or _proxy_problem(self.proxy.strip())
            or _ca_problem(self.ca_bundle)
        )


def endpoint_of(environ: Mapping[str, str] | None = None) -> str:
    """The hub that is asked in `environ` (this process's): without a slash at its end."""
    env = os.environ if environ is None else environ
    return (env.get("HF_ENDPOINT") or PUBLIC_HUB).strip().rstrip("/")


def is_offline(environ: Mapping[str, str] | None = None) -> bool:
    """Whether `environ` (this process's) says that nothing is to be asked."""
    env = os.environ if environ is None else environ
    said = env.get("HF_HUB_OFFLINE") or env.get("TRANSFORMERS_OFFLINE") or ""
    return said.upper() in _TRUE


def _endpoint_problem(text: str) -> str:
    return "" if not text or _is_web_address(text) else _NO_URL.format(text=text[:80])


def _proxy_problem(text: str) -> str:
    if not text:
        return ""
    if text.lower().startswith("socks"):
        return SOCKS.format(text=without_password(text)[:80])
    if _is_web_address(text, may_have_user=True):
        return ""
    return _NO_PROXY_URL.format(text=without_password(text)[:80])


def _is_web_address(text: str, *, may_have_user: bool = False) -> bool:
    if re.search(r"[\s\x00-\x1f\x7f]", text) or len(text) > 2000:
        return False
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - raises where it is no number
    except ValueError:
        return False
    return (
        parts.scheme in {"http", "https"}
        and bool(parts.hostname)
        and (may_have_user or "@" not in parts.netloc)
        and not parts.query
        and not parts.fragment
    )


def without_password(url: str) -> str:
    """An address for people and logs: whoever it names as user, and the password, are left out."""
    head, found, rest = url.rpartition("@")
    return f"{head.partition('://')[0]}://{rest}" if found and "://" in head else rest


def _ca_problem(text: str) -> str:
    if not text:
        return ""
    path = Path(text).expanduser()
    try:
        with open_plain(path) as file:
            content = file.read(MOST_CA_BYTES + 1)
    except OSError as error:
        return _CA_MISSING.format(path=path, reason=error.strerror or type(error).__name__)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if len(content) > MOST_CA_BYTES:
            raise ValueError("too large")
        context.load_verify_locations(cadata=content.decode("ascii", "ignore"))
    except (ssl.SSLError, ValueError):
        return _CA_NOT_PEM.format(path=path)
    return "" if context.cert_store_stats()["x509"] else _CA_NOT_PEM.format(path=path)
