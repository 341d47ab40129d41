"""What the window asks of the monitor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from desktop.session import MonitorPlace


class MonitorDoor(Protocol):
    """See the module."""

    def place(self) -> MonitorPlace:
        """Where it is shown and how, to be remembered."""

    def toggle(self) -> None:
        """Show it, or put it away."""

    def toggle_window(self) -> None:
        """Give it a window of its own, or take it back."""

    def toggle_pause(self) -> None:
        """Have what is shown stand still, or go on."""

    def toggle_recording(self) -> None:
        """Ask for a file and record, or end the recording."""

    def open_recording(self) -> None:
        """Ask for a recording and show it."""

    def export_picture(self) -> None:
        """Ask for a file and put a picture of the panel in it."""

    def export_histories(self) -> None:
        """Ask for a file and put the histories in it, as a table."""

    def export_chats(self) -> None:
        """Ask for a file and put the ledger in it, as a table."""

    def fit(self) -> None:
        """The window has another size."""
