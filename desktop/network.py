"""Which hub is asked: as the settings have it, over what the user's own environment says."""

from __future__ import annotations

from desktop.settings import Settings
from engine.store.hub.network import NetworkSettings


def network_of(settings: Settings) -> NetworkSettings:
    """What the settings say of the network, for the processes that talk to the hub."""
    return NetworkSettings(
        endpoint=settings.hub_endpoint,
        proxy=settings.proxy,
        ca_bundle=settings.ca_bundle,
        offline=settings.offline,
    )
