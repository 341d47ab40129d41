"""Before the terminal asks the hub: the settings of the network hold for it, too."""

from __future__ import annotations

import os

from desktop.network import network_of
from desktop.settings import Settings


class SettingsError(Exception):
    """The settings of the network make no sense; the text says which and why."""


def go_online(settings: Settings) -> None:
    """Put the settings into this process's environment, before the hub's client reads it.

    Raises:
        SettingsError: see there.
    """
    network = network_of(settings)
    problem = network.check()
    if problem:
        raise SettingsError(f"{problem} It is set in the settings under Network and models.")
    os.environ.update(network.environment())
