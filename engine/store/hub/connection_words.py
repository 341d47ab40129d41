"""What can go wrong on the way to the hub, in words; here, as `connection` loads the network."""

from __future__ import annotations

from engine.failure_words import words

OFFLINE = words(
    "Offline mode is on, so the hub is not asked. Switch it off in the settings (or unset "
    "HF_HUB_OFFLINE)."
)
UNREACHABLE = words(
    "The hub ({host}) cannot be reached: {reason}. Check the network, or the hub’s address in the "
    "settings."
)
LOST = words("The connection to the hub ({host}) was lost: {reason}. Try again.")
SILENT = words("The hub ({host}) does not answer. Try again later.")
PROXY = words("The proxy {proxy} does not let us through: {reason}. Check it in the settings.")
NO_PROXY = words("The proxy {proxy} cannot be reached: {reason}. Check it in the settings.")
CERTIFICATE = words(
    "The hub’s certificate ({host}) is not trusted: {reason}. Where a company’s network looks into "
    "traffic, name its file of certificates in the settings."
)
CA = words("The certificates that are to be trusted cannot be read ({path}): {reason}.")
CIRCLE = words("The hub ({host}) sends us round in circles.")
ELSEWHERE = words(
    "The hub ({host}) sends us where we do not follow: to a file, or to an address without "
    "encryption."
)
PACKED = words("The hub ({host}) packs its answer in a way that was not asked for.")
