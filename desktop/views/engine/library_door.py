"""What the engines' side of the window asks of the model library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.models.session.chat_session import ChatSession


@dataclass(frozen=True, slots=True)
class Wanted:
    """A model to be fetched: of the hub, at a commit or the latest ("main")."""

    repo: str
    revision: str = "main"
    variant: str = ""


class LibraryDoor(Protocol):
    """See the module."""

    def find_models(self) -> None:
        """Show where models are found."""

    def show_installed(self) -> None:
        """Show what is on this computer."""

    def show_downloads(self) -> None:
        """Show what is on its way here."""

    def open_picker(self, session: ChatSession, anchor: QWidget) -> None:
        """Choose the model of a chat; the picker opens at `anchor`."""

    def take(self, path: Path) -> None:
        """A folder or a file was dropped on the window: ask what is to become of it."""

    def show_model(self, repo: str) -> None:
        """Show a model of the hub: "owner/name"."""

    def fetch(self, wanted: Wanted, then: Callable[[str], object]) -> None:
        """Fetch a model, or what is missing of it.

        Args:
            then: is called with its folder once all of it is there.
        """

    def sign_in(self) -> None:
        """Ask for the hub's token."""

    def go_online(self) -> None:
        """From now on the hub may be asked."""
