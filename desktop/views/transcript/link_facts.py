"""What a web address is, whatever it looks like."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QUrl

OPENED_SCHEMES: Final = ("http", "https")
_LOCAL_NAMES: Final = ("localhost", "local", "internal", "lan", "home.arpa")


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """An address taken apart.

    Attributes:
        shown: the whole of it in ASCII: letters that look like others, and signs that turn
            text around, are shown by their codes.
        host: where it leads, in ASCII.
        written: the host in the letters that it was written in, where these are others.
        user: what stands before an @, and is not where it leads.
        is_near: it leads to this computer or its own network.
        opens: it is one that may be opened at all.
    """

    shown: str
    host: str
    written: str
    user: str
    is_near: bool
    opens: bool


def facts_of(address: str) -> LinkFacts:
    """Take an address apart. Nothing is looked up."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    encoded = QUrl.ComponentFormattingOption.FullyEncoded
    host = url.host(encoded)
    written = url.host(QUrl.ComponentFormattingOption.FullyDecoded)
    return LinkFacts(
        shown=bytes(url.toEncoded().data()).decode("ascii", "replace"),
        host=host,
        written=written if written != host else _decoded(host),
        user=url.userInfo(encoded),
        is_near=_is_near(host),
        opens=url.isValid() and bool(host) and url.scheme().lower() in OPENED_SCHEMES,
    )


def _decoded(host: str) -> str:
    """A host given in its ASCII form, in the letters that it stands for; else nothing."""
    if "xn--" not in host:
        return ""
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return ""


def _is_near(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        name = host.rstrip(".").lower()
        return "." not in name or any(
            name == local or name.endswith(f".{local}") for local in _LOCAL_NAMES
        )
    return address.is_private or address.is_loopback or address.is_link_local
