"""What a tab does with its composer: send, edit, keep the draft, count the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.chats.chat import Attachment, Message, OverflowPolicy, Role
from desktop.models.notice import NoticeLevel
from desktop.views.tabs.tab_attaching import REFUSED

if TYPE_CHECKING:
    from desktop.models.lists.preset_shelf import PresetShelf
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.overflow import OverflowChoice
    from desktop.models.session.session_hub import SessionHub
    from desktop.models.writing.token_meter import MeterSource, TokenMeter
    from desktop.views.composing.overflow_dialog import OverflowDialog
    from desktop.views.tabs.chat_tab import ChatTab
    from engine.protocol import ChatMessage


class TabComposing(QObject):
    """The composer's side of a `ChatTab`. It works for the tab's session of the moment."""

    def __init__(self, tab: ChatTab, hub: SessionHub) -> None:
        super().__init__(tab)
        self._tab = tab
        self._hub = hub
        self._composer = tab.composer
        self._meter: TokenMeter | None = None
        self._dialog: OverflowDialog | None = None
        self._shelf: PresetShelf | None = None
        composer = self._composer
        composer.send_requested.connect(self._on_send)
        composer.stop_requested.connect(lambda: self._session.stop())
        composer.edited.connect(self._on_edited)
        composer.editor.textChanged.connect(self._clear_notice)
        composer.sent_texts = self._sent_texts

    @property
    def _session(self) -> ChatSession:
        return self._tab.session

    # --- the session ----------------------------------------------------------------

    def show_draft(self) -> None:
        """A session came: put its draft in the composer, unless there is something."""
        composer, session = self._composer, self._session
        is_new = composer.is_empty
        if is_new:
            composer.set_text(session.draft)
            composer.set_attachments(session.draft_attachments)
        session.draft_source = lambda: composer.draft().text
        session.attachments_source = lambda: composer.draft().attachments
        if not is_new:
            session.save_draft()
        if self._meter is not None:
            self._meter.watch(self._meter_source(), composer.length())

    def release(self) -> None:
        """The tab goes away, or shows another session."""
        session = self._session
        session.save_draft()
        session.draft_source = session.attachments_source = None
        self._withdraw_question()
        if self._meter is not None:
            self._meter.stop()

    def set_shown(self, shown: bool) -> None:
        """The tab came to the front, or left it."""
        if shown and self._session.chat_id:
            self._equip()
            self.ask_overflow()
        if self._meter is not None:
            self._meter.set_shown(shown)

    def on_parameters(self) -> None:
        """The chat's settings are others now."""
        self.show_facts()
        self.refresh()

    def follow_model(self) -> None:
        """Another engine has the chat's model now, or the chat has another model."""
        if self._meter is not None:
            self._meter.follow(self._hub.pool.client_for(self._session.chat.model))

    def refresh(self) -> None:
        """The chat changed: what would be sent is another prompt."""
        if self._meter is not None:
            self._meter.refresh()

    def show_facts(self) -> None:
        """Say in what the chat differs from the model's defaults."""
        if self._meter is None:
            return
        from desktop.models.lists.preset_shelf import PRESET, PresetShelf
        from desktop.models.session.chat_facts import chat_facts

        chat, preset = self._session.chat, None
        if chat.parameters.get(PRESET):
            if self._shelf is None:
                self._shelf = PresetShelf.of(self._hub)
                self._shelf.changed.connect(self.show_facts)
            preset = self._shelf.find(chat.parameters[PRESET])
        self._composer.below.set_facts(chat_facts(chat, preset))

    # --- sending ------------------------------------------------------------------------

    def edit(self, message: Message) -> None:
        """Put a message into the composer, to be sent in another form."""
        from desktop.views.composing.composer_modes import Draft

        words = (
            self.tr("Editing your message. Sending it makes a new branch; the old one stays.")
            if message.role is Role.USER
            else self.tr("Editing the answer. The old one stays beside it.")
        )
        draft = Draft(message.content, message.attachments)
        self._composer.edit.begin(message.id, draft, words)

    def take_back(self, text: str) -> None:
        """What was sent comes back: it stands before what was written since."""
        composer = self._composer
        composer.walk.keep(composer.text())
        if composer.edited_id:
            composer.edit.end(restore=False)
        composer.set_text(text)
        self._tab.focus_composer()

    def take_back_attachments(self, attachments: Sequence[Attachment]) -> None:
        """And the texts that went with it."""
        if self._composer.edited_id:
            self._composer.walk.keep(self._composer.text())
            self._composer.edit.end()
        self._composer.set_attachments(attachments)

    def ask_overflow(self) -> None:
        """The chat is too long: ask what is to go, once the tab is seen."""
        overflow = self._session.overflow
        if overflow is None or not self._tab.isVisible() or self._dialog is not None:
            return
        from desktop.views.composing.overflow_dialog import OverflowDialog

        self._dialog = OverflowDialog(overflow, self._tab)
        self._dialog.chosen.connect(self._on_overflow_choice)
        self._dialog.open()

    def on_overflowed(self, _overflow: object) -> None:
        """The session asks what is to happen with a chat that is too long."""
        self.ask_overflow()

    def on_overflow_settled(self) -> None:
        """The question was answered, or is pointless now."""
        self._withdraw_question()
        self.ask_overflow()

    def _withdraw_question(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.withdraw()

    def _on_overflow_choice(self, choice: OverflowChoice, remember: bool) -> None:
        self._dialog = None
        self._session.resolve_overflow(choice, remember)

    def _on_send(self, text: str) -> None:
        composer = self._composer
        if composer.edited_id:
            if self._session.edit(composer.edited_id, text, composer.attachments):
                composer.edit.end()
                self._tab.transcript.scroll_to_end()
            elif not self._session.notice.text:
                words = self.tr("The message is not there any more. Press Escape to go on.")
                self._session.notify(NoticeLevel.WARNING, words, REFUSED)
        elif self._session.send(text, composer.attachments):
            composer.clear()
            self._tab.transcript.scroll_to_end()

    # --- the draft --------------------------------------------------------------------------

    def _clear_notice(self) -> None:
        """A hint goes with the next key."""
        notice = self._session.notice
        if notice.level is NoticeLevel.HINT or notice.code == REFUSED:
            self._session.notify(NoticeLevel.HINT, "")

    def _on_edited(self) -> None:
        self._session.touch_draft()
        if self._meter is not None:
            self._meter.touch(self._composer.length())

    def _sent_texts(self) -> Sequence[str]:
        return [m.content for m in reversed(self._session.path) if m.role is Role.USER]

    # --- the meter -------------------------------------------------------------------------

    def _equip(self) -> None:
        """The tab is seen and its chat is stored: show what depends on both."""
        if self._meter is None:
            from desktop.models.writing.token_meter import TokenMeter

            self._composer.below.equip()
            self._meter = TokenMeter(self._hub.pool.client_for(self._session.chat.model), self)
            self._meter.changed.connect(self._composer.below.set_reading)
            self._meter.watch(self._meter_source(), self._composer.length())
            self.show_facts()

    def _meter_source(self) -> MeterSource:
        from desktop.models.writing.token_meter import MeterSource

        return MeterSource(self._prompt, self._prompt_size, self._terms)

    def _prompt(self) -> tuple[ChatMessage, ...]:
        """What would be sent if the composer's text were sent now."""
        composer, session = self._composer, self._session
        if not composer.edited_id:
            return session.prompt_messages(composer.text(), composer.attachments)
        from desktop.models.session.prompt import prompt_of

        before = self._messages_before()
        parent = before[-1].id if before else None
        edited = Message(
            "",
            session.chat_id,
            parent,
            Role.USER,
            composer.text(),
            attachments=composer.attachments,
        )
        return prompt_of(session.chat.system_prompt, (*before, edited))

    def _prompt_size(self) -> int:
        """Its characters; 0 where nothing would be sent, or not yet."""
        composer, session = self._composer, self._session
        if not session.is_whole:
            return 0
        before = self._messages_before()
        if composer.is_empty and not before:
            return 0
        if composer.edited_id and self._edits_answer():
            return 0  # an answer in other words is not sent, only kept
        told = sum(len(m.content) + sum(len(a.content) for a in m.attachments) for m in before)
        return len(session.chat.system_prompt) + told + composer.length()

    def _messages_before(self) -> Sequence[Message]:
        """The messages that would be sent before the composer's text."""
        session, edited = self._session, self._composer.edited_id
        return session.path.ahead_of(edited) if edited in session.path else session.messages

    def _edits_answer(self) -> bool:
        edited = self._session.path.find(self._composer.edited_id)
        return edited is not None and edited.role is Role.ASSISTANT

    def _terms(self) -> tuple[OverflowPolicy, int]:
        """What happens to a prompt that is too long, and the room kept for the answer."""
        from desktop.models.session.overflow import policy_of
        from desktop.models.session.prompt import reserve_for, sampling_of

        parameters = self._session.chat.parameters
        loaded = self._hub.loaded(self._session.chat.model)
        context = loaded.context if loaded is not None else None
        limit = sampling_of(parameters).max_tokens
        return policy_of(parameters, self._hub.default_overflow), reserve_for(limit, context)
