"""One model of the hub as its page shows it: what the hub tells, the card, and the room for it."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.background import Background, in_thread
from desktop.models.library import hub_faults
from desktop.models.library.card_text import readable
from desktop.models.library.hub_link import HubLink

if TYPE_CHECKING:
    from engine.store.hub.messages import Account, Failed, ModelPage

log = logging.getLogger(__name__)


class PageModel(QObject):
    """See the module.

    Attributes:
        repo, revision: what is shown: "owner/name", a branch or a commit.
        variant: the name of the variant that is chosen.
        page: what the hub told; None before it did. That of another variant stays until then.
        fault: why it could not be told.
        free: bytes free where downloads go; None: not known.
        account: who is signed in; None: not known.

    Signals:
        changed: any of these.
        card_read: the card as Markdown, "" for none; after `changed`.
    """

    changed = Signal()
    card_read = Signal(str)

    def __init__(
        self, link: HubLink, models: Callable[[], Path], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._link = link
        self._models = models
        self._number = 0
        self._account_number = 0
        self._card_of = ("", "")
        self._background = Background(self)
        self.repo = ""
        self.revision = "main"
        self.variant = ""
        self.page: ModelPage | None = None
        self.fault: hub_faults.Fault | None = None
        self.free: int | None = None
        self.account: Account | None = None
        link.answered.connect(self._on_answer)
        link.failed.connect(self._on_failed)
        link.account_changed.connect(self._on_account)
        link.settings_changed.connect(self._on_settings)

    @property
    def is_busy(self) -> bool:
        """Whether the hub is being asked."""
        return bool(self._number)

    @property
    def is_gated(self) -> bool:
        """Whether its owner asks for something first."""
        return self.page is not None and bool(self.page.listing.gated)

    def show_repo(self, repo: str, revision: str = "main") -> None:
        """Show this one, asked for afresh."""
        if (repo, revision) != (self.repo, self.revision):
            self.page = None
            self.variant = ""
            self._card_of = ("", "")
        self.repo, self.revision = repo, revision or "main"
        self._ask()

    def choose_variant(self, name: str) -> None:
        """Another of the models that it holds."""
        if name != self.variant:
            self.variant = name
            self._ask()

    def retry(self) -> None:
        """Ask again."""
        self._ask()

    def leave(self) -> None:
        """Nobody looks at it any more."""
        if self._number:
            self._link.cancel(self._number)
            self._number = 0

    def read_free(self) -> None:
        """Look how much room there is; a disk may be slow to say."""
        folder = self._models()
        self._background.watch(
            in_thread(lambda: _free_bytes(folder), "library-disk"), self._on_free, self._on_no_disk
        )

    # --- inside ------------------------------------------------------------------------

    def _ask(self) -> None:
        from engine.store.hub.messages import Page, WhoAmI

        self.leave()
        self.fault = None
        self.read_free()
        if self._link.is_offline:
            self.fault = hub_faults.offline_fault()
            self.changed.emit()
            return
        self._number = self._link.ask(
            Page(id=0, repo=self.repo, revision=self.revision, variant=self.variant)
        )
        if self.account is None and not self._account_number:
            self._account_number = self._link.ask(WhoAmI(id=0))
        self.changed.emit()

    def _on_answer(self, answer: object) -> None:
        from engine.store.hub.messages import ModelPage

        if not isinstance(answer, ModelPage) or answer.id != self._number:
            return
        self._number = 0
        self.page = answer
        if not self.variant:
            self.variant = answer.choice.variant
        self.changed.emit()
        # One that was behind a gate comes with the same commit.
        card = (answer.listing.commit, answer.card)
        if card != self._card_of:
            self._card_of = card
            self._read_card(answer.card, card)

    def _read_card(self, card: str, of: tuple[str, str]) -> None:
        def done(text: str) -> None:
            if of == self._card_of:
                self.card_read.emit(text)

        def failed(error: Exception) -> None:
            log.warning("a card could not be read: %s", error)
            done(card)

        self._background.watch(in_thread(lambda: readable(card), "library-card"), done, failed)

    def _on_failed(self, failed: Failed) -> None:
        if failed.id == self._account_number:
            self._account_number = 0
        elif failed.id == self._number:
            self._number = 0
            if failed.code == "not_found" and self.revision != "main":
                self.fault = hub_faults.version_gone_fault(self.repo)
            else:
                self.fault = hub_faults.fault_of(failed)
            self.changed.emit()

    def _on_account(self, account: Account) -> None:
        self._account_number = 0
        self.account = account
        self.changed.emit()

    def _on_settings(self) -> None:
        self._account_number = 0
        self.account = None
        if self.repo and (self._number or self.fault is not None):
            self._number = 0
            self._ask()

    def _on_free(self, free: int | None) -> None:
        self.free = free
        self.changed.emit()

    def _on_no_disk(self, error: Exception) -> None:
        log.warning("the free disk space is not known: %s", error)
        self._on_free(None)


def _free_bytes(folder: Path) -> int | None:
    """Of the disk that `folder` is on, or will be."""
    for place in (folder, *folder.parents):
        if place.exists():
            return shutil.disk_usage(place).free
    return None
