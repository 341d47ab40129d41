"""The settings of one chat: preset, system prompt, sampling, limits. For the next message on.

What is changed is applied and stored shortly after the last key; there is no OK to forget.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, OverflowPolicy
from desktop.models.lists.preset_shelf import PRESET, PresetShelf, as_preset
from desktop.views.settings.chat_settings_fields import NumberFields
from desktop.views.settings.chat_settings_presets import PresetRow
from desktop.views.settings.chat_settings_texts import AnswerForm, StopStrings, hint, text_field
from desktop.views.wheel_guard import WheelGuard

if TYPE_CHECKING:
    from desktop.chats.presets import Preset
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.session.chat_session import ChatSession

DELAY_MS: Final = 400
OVERFLOW: Final = "overflow"
_SIZE = (600, 720)


class ChatSettings(QDialog):
    """Not modal: one may write and send while it is open."""

    def __init__(
        self,
        session: ChatSession,
        client: EngineClient,
        shelf: PresetShelf,
        default_policy: OverflowPolicy,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._client = client
        self._shelf = shelf
        self._showing = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.apply)
        self.presets = PresetRow(shelf)
        self.system_prompt = text_field(self.tr("System prompt"), 5)
        self.system_prompt.setPlaceholderText(
            self.tr("Empty: the model gets no instructions besides the chat")
        )
        self.numbers = NumberFields()
        self.stop_strings = StopStrings()
        self.form = AnswerForm()
        self.overflow = self._policies(default_policy)
        self._build()
        WheelGuard(self)
        self._connect()
        self._on_renamed(session.title)
        self.numbers.set_view(client.view)
        self._show_chat()

    def apply(self) -> None:
        """Use what is set from the next message on, and store it."""
        self._timer.stop()
        self._give(self.system_prompt.toPlainText(), self._parameters())

    def settle(self) -> None:
        """Take over what was changed and is not yet in use."""
        if self._timer.isActive():
            self.apply()

    # --- Qt ------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing that was typed is lost."""
        self.settle()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """Escape closes it too."""
        self.settle()
        super().done(result)

    # --- building --------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space.l, space.l, space.l, space.l)
        column.setSpacing(space.s)
        self._section(column, self.tr("Preset"), self.presets)
        self._section(
            column,
            self.tr("System prompt"),
            self.system_prompt,
            self._button(self.tr("Use the default prompt"), self._reset_prompt),
        )
        self._section(
            column,
            self.tr("Sampling"),
            hint(self.tr("An empty field leaves it to the model's own default.")),
            self.numbers,
        )
        self._section(column, self.tr("Stop strings"), self.stop_strings)
        self._section(column, self.tr("Form of the answer"), self.form)
        self._section(
            column, self.tr("When the chat is longer than the model reads"), self.overflow
        )
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(page)
        bar = area.verticalScrollBar().sizeHint().width()
        area.setMinimumWidth(page.minimumSizeHint().width() + bar)
        close = QPushButton(self.tr("Close"))
        close.setAccessibleName(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setContentsMargins(space.l, space.s, space.l, space.l)
        row.setSpacing(space.s)
        row.addWidget(self._button(self.tr("Reset everything"), self._reset_all))
        row.addStretch(1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(area, 1)
        layout.addLayout(row)

    def _section(self, column: QVBoxLayout, title: str, *widgets: QWidget) -> None:
        head = QLabel(title)
        head.setFont(theme.current().text_font(weight=head.font().Weight.DemiBold))
        column.addWidget(head)
        for widget in widgets:
            if isinstance(widget, QPushButton):
                column.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft)
            else:
                column.addWidget(widget)
        column.addSpacing(theme.current().space.m)

    def _policies(self, default: OverflowPolicy) -> QComboBox:
        words = {
            OverflowPolicy.ASK: self.tr("Ask which messages to leave out"),
            OverflowPolicy.DROP_OLDEST: self.tr("Leave out the oldest messages"),
            OverflowPolicy.STOP: self.tr("Refuse to send"),
        }
        box = QComboBox()
        box.setAccessibleName(self.tr("When the chat is longer than the model reads"))
        box.addItem(self.tr("As in the settings: {what}").format(what=words[default].lower()), "")
        for policy, text in words.items():
            box.addItem(text, policy.value)
        return box

    def _connect(self) -> None:
        self.presets.taken.connect(self._take)
        self.presets.save_wanted.connect(self._save_preset)
        self.presets.update_wanted.connect(self._update_preset)
        self.system_prompt.textChanged.connect(self._touch)
        self.numbers.changed.connect(self._touch)
        self.stop_strings.changed.connect(self._touch)
        self.form.changed.connect(self._touch)
        self.overflow.activated.connect(self._touch)
        self._session.parameters_changed.connect(self._show_chat)
        self._session.renamed.connect(self._on_renamed)
        self._shelf.changed.connect(self._show_preset)
        self._client.view_changed.connect(self.numbers.set_view)

    def _button(self, label: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(label)
        button.setAccessibleName(label)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: slot())
        return button

    # --- inside ------------------------------------------------------------------------

    def _parameters(self) -> dict[str, object]:
        """What the chat will have; what this dialog does not show is kept."""
        shown = {*self.numbers.rows, "stop", "json_schema", "regex", OVERFLOW}
        kept = {k: v for k, v in self._session.chat.parameters.items() if k not in shown}
        policy = self.overflow.currentData()
        return {
            **kept,
            **self.numbers.values(),
            **self.stop_strings.values(),
            **self.form.values(),
            **({OVERFLOW: policy} if policy else {}),
        }

    def _touch(self) -> None:
        if not self._showing:
            self._timer.start()

    def _give(self, system_prompt: str, parameters: dict[str, object]) -> None:
        """Give the chat both, and show it when it has both."""
        self._showing = True
        self._session.set_system_prompt(system_prompt)
        self._session.set_parameters(parameters)
        self._showing = False
        self._show_chat()

    def _show_chat(self) -> None:
        """The chat's settings changed, here or elsewhere."""
        if self._timer.isActive() or self._showing:
            return  # what is being typed goes first
        self._showing = True
        chat = self._session.chat
        if self.system_prompt.toPlainText() != chat.system_prompt:
            self.system_prompt.setPlainText(chat.system_prompt)
        self.numbers.show_values(chat.parameters)
        self.stop_strings.show_values(chat.parameters)
        self.form.show_values(chat.parameters)
        self.overflow.setCurrentIndex(
            max(0, self.overflow.findData(chat.parameters.get(OVERFLOW, "")))
        )
        self._showing = False
        self._show_preset()

    def _show_preset(self) -> None:
        chat = self._session.chat
        preset = self._shelf.find(chat.parameters.get(PRESET))
        changed = preset is not None and preset != as_preset(
            preset.name, chat.system_prompt, chat.parameters, preset.id
        )
        self.presets.set_current(preset.id if preset is not None else "", changed=changed)

    def _take(self, preset: Preset | None) -> None:
        self._timer.stop()
        chat = self._session.chat
        policy = {k: v for k, v in chat.parameters.items() if k == OVERFLOW}
        if preset is None:
            self._give(DEFAULT_SYSTEM_PROMPT, policy)
        else:
            self._give(preset.system_prompt, {**policy, **preset.parameters, PRESET: preset.id})

    def _save_preset(self, name: str) -> None:
        self.apply()
        chat = self._session.chat
        preset = as_preset(name, chat.system_prompt, chat.parameters)
        self._shelf.save(preset)
        self._session.set_parameters({**chat.parameters, PRESET: preset.id})
        self._show_preset()

    def _update_preset(self, preset: Preset) -> None:
        self.apply()
        chat = self._session.chat
        self._shelf.save(as_preset(preset.name, chat.system_prompt, chat.parameters, preset.id))

    def _reset_prompt(self) -> None:
        self.system_prompt.setPlainText(DEFAULT_SYSTEM_PROMPT)
        self.apply()

    def _reset_all(self) -> None:
        self._timer.stop()
        self._give(DEFAULT_SYSTEM_PROMPT, {})

    def _on_renamed(self, title: str) -> None:
        self.setWindowTitle(self.tr("Settings of “{title}”").format(title=title))
