"""Who is signed in on the hub: a token is asked for, checked and kept, or forgotten again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library import hub_faults, hub_words
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.flow_layout import FlowLayout
from desktop.views.transcript.accessible import announce

if TYPE_CHECKING:
    from desktop.models.library.hub_link import HubLink
    from engine.store.hub.messages import Account, Failed

WIDTH: Final = 480
LONGEST: Final = 400  # characters of a token
TOKENS: Final = "/settings/tokens"  # where the hub makes one


class SignInDialog(QDialog):
    """See the module. The token is given to the hub's process and to nothing else.

    Signals:
        signed_in: somebody is, who was not before.
        signed_out: nobody is any more.
    """

    signed_in = Signal()
    signed_out = Signal()

    def __init__(self, link: HubLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._number = 0
        self._wants = ""  # "sign_in", "sign_out" or "": just who it is
        self.account: Account | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Sign in to the hub"))
        self._build()
        self.resize(WIDTH, self.sizeHint().height())
        link.answered.connect(self._on_answer)
        link.failed.connect(self._on_failed)
        link.settings_changed.connect(self._on_settings)
        self._ask_who()

    # --- building ------------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.title = plain_label("", "title")
        self.lead = plain_label("")
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setMaxLength(LONGEST)
        self.field.setPlaceholderText("hf_…")
        self.field.setAccessibleName(self.tr("Access token"))
        self.field.setInputMethodHints(
            Qt.InputMethodHint.ImhSensitiveData
            | Qt.InputMethodHint.ImhNoPredictiveText
            | Qt.InputMethodHint.ImhHiddenText
        )
        self.field.textChanged.connect(self._on_edited)
        self.show_token = QCheckBox(self.tr("Show what I type"))
        self.show_token.toggled.connect(self._on_show)
        self.fault = plain_label("", "danger")
        self.where = plain_label("", "muted")
        self.where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sign_in = push_button(self.tr("Sign in"), self._sign_in, "primary")
        self.sign_out = push_button(self.tr("Sign out"), self._sign_out)
        self.make = push_button(self.tr("Make a token…"), self._make_token)
        self.retry = push_button(self.tr("Try again"), self._ask_who)
        self.close_button = push_button(self.tr("Close"), self.reject)
        self.sign_in.setDefault(True)
        buttons = QWidget()
        row = FlowLayout(buttons, space.s)
        for button in (self.sign_in, self.sign_out, self.retry, self.make, self.close_button):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(space.l, space.l, space.l, space.l)
        column.setSpacing(space.s)
        for widget in (self.title, self.lead, self.field, self.show_token, self.fault, self.where):
            column.addWidget(widget)
        column.addSpacing(space.s)
        column.addStretch(1)
        column.addWidget(buttons)

    def _show(self) -> None:
        account, busy = self.account, bool(self._number)
        name = hub_words.shown(account.name) if account is not None else ""
        has_field = account is not None and not account.name
        if account is None:
            self.title.setText(self.tr("Who is signed in?"))
            self.lead.setText(self.tr("Asking the hub…") if busy else "")
        elif account.name:
            self.title.setText(self.tr("Signed in as {name}").format(name=name))
            self.lead.setText(
                self.tr(
                    "Models that ask who you are can be downloaded, once you have accepted their "
                    "licences on their pages."
                )
            )
        else:
            self.title.setText(self.tr("Sign in"))
            self.lead.setText(
                self.tr(
                    "Some models are given only to people the hub knows. Make an access token on "
                    "its website (one that can only read is enough) and paste it here."
                )
            )
        from_environment = account is not None and account.token_where == "environment"
        self.lead.setVisible(bool(self.lead.text()))
        self.where.setText(self._where_text(account))
        self.where.setVisible(bool(self.where.text()))
        self.fault.setVisible(bool(self.fault.text()))
        self.field.setVisible(has_field)
        self.show_token.setVisible(has_field)
        self.field.setEnabled(not busy)
        self.sign_in.setVisible(has_field)
        self.sign_in.setEnabled(bool(self.field.text().strip()) and not busy)
        self.sign_in.setText(
            self.tr("Signing in…") if busy and self._wants == "sign_in" else self.tr("Sign in")
        )
        self.make.setVisible(has_field)
        self.sign_out.setVisible(bool(name) and not from_environment)
        self.sign_out.setEnabled(not busy)
        self.retry.setVisible(account is None and not busy)
        self.adjustSize()
        self.resize(max(WIDTH, self.width()), self.heightForWidth(max(WIDTH, self.width())))

    def _where_text(self, account: Account | None) -> str:
        if account is None:
            return ""
        if account.token_where == "environment":
            return self.tr(
                "The token comes from the variable HF_TOKEN of your session; it is not kept here, "
                "and ends only there."
            )
        path = hub_words.shown(account.token_path, 300)
        if account.token_where == "file":
            return self.tr(
                "The token is in {path}, where the hub's own tools keep it too. Signing out "
                "deletes it there."
            ).format(path=path)
        if path:
            return self.tr(
                "It is kept in {path}, readable by you alone, where the hub's own tools find it "
                "too. The engine never sees it."
            ).format(path=path)
        return self.tr("It is kept where the hub's own tools keep it. The engine never sees it.")

    # --- what the user does ----------------------------------------------------------------

    def _on_edited(self) -> None:
        if self.fault.text():
            self.fault.setText("")
            self._show()
        self.sign_in.setEnabled(bool(self.field.text().strip()) and not self._number)

    def _on_show(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self.field.setEchoMode(mode)

    def _sign_in(self) -> None:
        from engine.store.hub.messages import SignIn

        token = self.field.text().strip()
        if token and not self._number:
            self._ask(SignIn(id=0, token=token), "sign_in")

    def _sign_out(self) -> None:
        from engine.store.hub.messages import SignOut

        self._ask(SignOut(id=0), "sign_out")

    def _make_token(self) -> None:
        from desktop.views.dialogs import LinkDialog
        from engine.store.hub.network import endpoint_of

        endpoint = endpoint_of(self._link.settings.environment())
        LinkDialog(f"{endpoint}{TOKENS}", self).open()

    def _ask_who(self) -> None:
        from engine.store.hub.messages import WhoAmI

        if self._link.is_offline:
            self.fault.setText(hub_faults.offline_fault().text)
            self._show()
            return
        self._ask(WhoAmI(id=0), "")

    def _ask(self, request: object, wants: str) -> None:
        self._wants = wants
        self.fault.setText("")
        self._number = self._link.ask(request)  # type: ignore[arg-type]
        self._show()

    # --- what comes ------------------------------------------------------------------------

    def _on_answer(self, answer: object) -> None:
        from engine.store.hub.messages import Account

        if not isinstance(answer, Account) or answer.id != self._number:
            return
        self._number = 0
        wants, self._wants = self._wants, ""
        self.account = answer
        self.field.clear()  # it is kept elsewhere now, and not wanted here any more
        self._show()
        announce(self, self.title.text())
        if wants == "sign_in" and answer.name:
            self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)
            self.signed_in.emit()
        elif wants == "sign_out":
            self.signed_out.emit()
        if not answer.name:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, failed: Failed) -> None:
        if failed.id != self._number:
            return
        self._number = 0
        wants, self._wants = self._wants, ""
        fault = hub_faults.fault_of(failed)
        if wants == "sign_in" and failed.code == "sign_in":
            words = self.tr("The hub does not know this token. Copy it again, whole.")
        else:
            words = f"{fault.title}. {fault.text}"
        self.fault.setText(words)
        self._show()
        announce(self, words)
        if wants == "sign_in":
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.selectAll()

    def _on_settings(self) -> None:
        self._number = 0
        self.account = None
        self._ask_who()

    def done(self, result: int) -> None:
        """Nothing of a token stays in a field."""
        self.field.clear()
        super().done(result)
