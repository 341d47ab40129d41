"""What the pages of the hub's models need of the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import SignalInstance

if TYPE_CHECKING:
    from desktop.models.library.download_view import DownloadView
    from desktop.settings import Settings
    from engine.planner.learned import Learned
    from engine.planner.machine import Machine
    from engine.store.hub.records import Listing
    from engine.store.library.records import InstalledModel


class Downloads(Protocol):
    """Who carries out downloads.

    Signals:
        changed: the `DownloadView` of one that changed.
    """

    @property
    def changed(self) -> SignalInstance:
        """See the class."""

    def view_of(self, repo: str, variant: str = "") -> DownloadView | None:
        """The download of this model; None: there is none."""

    def start(self, repo: str, revision: str, variant: str, listing: Listing | None) -> object:
        """Put a model's files on the way here."""


@dataclass(frozen=True, slots=True)
class DiscoverContext:
    """See the module.

    Attributes:
        read_machine: the hardware now; called on a thread, a driver may be slow to answer.
        learned: what past loads taught the planner.
        read_settings: the settings in force.
        models: the folder that downloads go to.
        installed: the models that are on this computer.
        search_file: where a search's limits are kept between the starts; None: nowhere.
    """

    read_machine: Callable[[], Machine]
    learned: Callable[[], Learned]
    read_settings: Callable[[], Settings]
    models: Callable[[], Path]
    installed: Callable[[], Sequence[InstalledModel]]
    search_file: Path | None = None
