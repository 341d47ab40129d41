"""What a model's owner asks for before it is given: accept a licence, say who you are, wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library.hub_faults import Way, way_text
from desktop.models.library.hub_words import shown
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon

if TYPE_CHECKING:
    from engine.store.hub.messages import Account, ModelPage

SIGN: Final = 16


class AccessBar(QFrame):
    """See the module.

    Signals:
        way_chosen: `Way.OPEN_PAGE` or `Way.SIGN_IN`.
    """

    way_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "raised")
        self._sign = QLabel()
        self._sign.setFixedSize(SIGN, SIGN)
        self.words = plain_label("")
        self.open_page = push_button(
            way_text(Way.OPEN_PAGE), lambda: self.way_chosen.emit(Way.OPEN_PAGE)
        )
        self.account = push_button(way_text(Way.SIGN_IN), lambda: self.way_chosen.emit(Way.SIGN_IN))
        buttons = QWidget()
        flow = FlowLayout(buttons, space.s)
        flow.addWidget(self.open_page)
        flow.addWidget(self.account)
        column = QVBoxLayout()
        column.setSpacing(space.s)
        column.addWidget(self.words)
        column.addWidget(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(space.m, space.m, space.m, space.m)
        row.setSpacing(space.s)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        theme.notifier().changed.connect(self._show_sign)
        self._show_sign()
        self.hide()

    def show_page(self, page: ModelPage | None, account: Account | None) -> None:
        """Say what is asked for; hidden where nothing is."""
        listing = page.listing if page is not None else None
        if listing is None or not (listing.gated or listing.private):
            self.hide()
            return
        name = account.name if account is not None else ""
        if listing.gated == "manual":
            words = self.tr(
                "Its owner decides who may have it: ask for it on its page, and wait for an answer."
            )
        elif listing.gated:
            words = self.tr("Its owner asks you to accept a licence on its page first.")
        else:
            words = self.tr("This model is private: only its owner's friends may have it.")
        if name:
            words += " " + self.tr("You are signed in as {name}.").format(name=shown(name))
        else:
            words += " " + self.tr("Then sign in here, with a token of the same account.")
        self.words.setText(words)
        self.open_page.setVisible(bool(listing.gated))
        self.account.setText(self.tr("Account…") if name else way_text(Way.SIGN_IN))
        self.account.setAccessibleName(self.account.text().rstrip("…"))
        self.show()

    def _show_sign(self) -> None:
        self._sign.setPixmap(icon("lock", "warning").pixmap(QSize(SIGN, SIGN)))
