"""Asks, before anything is left out, what a chat that is too long should do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import Message, Role
from desktop.models.number_text import whole
from desktop.models.session.overflow import Overflow, OverflowChoice

_WIDTH = 560  # pixels
_ROWS = 8
_WORDS = 120  # characters of a message's beginning
_SHOWN = 2000  # rows; of more only the number is told


class OverflowDialog(QDialog):
    """Names the messages that would go. Escape sends nothing.

    Signals:
        chosen: an `OverflowChoice`, and whether it is to be remembered for this chat.
    """

    chosen = Signal(object, bool)

    def __init__(self, overflow: Overflow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._overflow = overflow
        self._choice = OverflowChoice.STOP
        self._by_button = False
        self.setWindowTitle(self.tr("This chat is too long for the model"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        layout.addWidget(self._label(self._lead()))
        self.messages = QListWidget()
        if overflow.can_drop:
            layout.addWidget(self._label(self._what_goes()))
            self._fill()
            layout.addWidget(self.messages, 1)
            layout.addWidget(self._label(self._outcome(), "muted"))
        else:
            self.messages.hide()
            layout.addWidget(self._label(self._nothing_helps()))
        self.always = QCheckBox(self.tr("Always do this in this chat"))
        self.always.setAccessibleName(self.always.text())
        layout.addWidget(self.always)
        layout.addLayout(self._buttons())
        self.finished.connect(self._on_finished)
        self.setMinimumWidth(_WIDTH)
        self.adjustSize()
        (self.drop_button if overflow.can_drop else self.stop_button).setFocus()

    def withdraw(self) -> None:
        """The question is settled otherwise: close without an answer."""
        self.blockSignals(True)
        self.close()

    # --- inside --------------------------------------------------------------------

    def _lead(self) -> str:
        overflow = self._overflow
        text = self.tr(
            "With your message this chat has {prompt} tokens; the model reads {context} at once."
        ).format(prompt=whole(overflow.prompt_tokens), context=whole(overflow.context))
        if overflow.reserve > 1:
            kept = self.tr("Of these {reserve} are kept for the answer.")
            text = f"{text} {kept.format(reserve=whole(overflow.reserve))}"
        return text

    def _what_goes(self) -> str:
        count = len(self._overflow.dropped)
        if count == 1:
            return self.tr(
                "It fits if the oldest message is left out. It stays in the chat; the model "
                "does not read it for this answer:"
            )
        return self.tr(
            "It fits if the oldest {count} messages are left out. They stay in the chat; the "
            "model does not read them for this answer:"
        ).format(count=whole(count))

    def _outcome(self) -> str:
        overflow = self._overflow
        return self.tr("Tokens before: {before}. Without them: {after} of {context}.").format(
            before=whole(overflow.prompt_tokens),
            after=whole(overflow.kept_tokens),
            context=whole(overflow.context),
        )

    def _nothing_helps(self) -> str:
        room = self._overflow.context - self._overflow.prompt_tokens
        return self.tr(
            "No older message can be left out. Sent as it is, {room} tokens are left for the "
            "answer; it may break off."
        ).format(room=whole(room))

    def _fill(self) -> None:
        dropped = self._overflow.dropped
        self.messages.setAccessibleName(self.tr("Messages that would be left out"))
        self.messages.setUniformItemSizes(True)
        self.messages.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.messages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.messages.addItems([self._row(message) for message in dropped[:_SHOWN]])
        if len(dropped) > _SHOWN:
            more = self.tr("… and {count} more").format(count=whole(len(dropped) - _SHOWN))
            self.messages.addItem(more)
        self.messages.setCurrentRow(0)
        rows = min(self.messages.count(), _ROWS)
        self.messages.setMinimumHeight(rows * max(1, self.messages.sizeHintForRow(0)) + 8)

    def _row(self, message: Message) -> str:
        who = self.tr("You") if message.role is Role.USER else self.tr("Model")
        start = " ".join(message.content[: 4 * _WORDS].split())
        if not start and message.attachments:
            start = ", ".join(attachment.name for attachment in message.attachments)
        words = f"{start[:_WORDS]}…" if len(start) > _WORDS else start
        return self.tr("{who}: {words}").format(who=who, words=words)

    def _buttons(self) -> QHBoxLayout:
        space = theme.current().space
        row = QHBoxLayout()
        row.setSpacing(space.s)
        row.addStretch(1)
        self.stop_button = self._button(self.tr("Don't send"), OverflowChoice.STOP)
        row.addWidget(self.stop_button)
        self.send_button = self._button(self.tr("Send anyway"), OverflowChoice.SEND_ANYWAY)
        self.send_button.setToolTip(self.tr("All of it, with little room for the answer"))
        row.addWidget(self.send_button)
        self.send_button.setVisible(self._overflow.can_send_anyway)
        self.drop_button = self._button(self.tr("Leave them out and send"), OverflowChoice.DROP)
        row.addWidget(self.drop_button)
        self.drop_button.setVisible(self._overflow.can_drop)
        first = self.drop_button if self._overflow.can_drop else self.stop_button
        first.setProperty("kind", "primary")
        first.setDefault(True)
        return row

    def _button(self, label: str, choice: OverflowChoice) -> QPushButton:
        button = QPushButton(label)
        button.setAccessibleName(label)
        button.clicked.connect(lambda _checked=False: self._choose(choice))
        return button

    def _label(self, text: str, role: str = "") -> QLabel:
        label = QLabel(text)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        if role:
            label.setProperty("role", role)
        return label

    def _choose(self, choice: OverflowChoice) -> None:
        self._choice = choice
        self._by_button = True
        self.accept()

    def _on_finished(self, _result: int) -> None:
        # Sending with too little room is no rule to go by, and Escape is no decision.
        lasting = self._by_button and self._choice is not OverflowChoice.SEND_ANYWAY
        self.chosen.emit(self._choice, lasting and self.always.isChecked())
