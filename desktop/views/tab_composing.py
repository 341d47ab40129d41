"""What a tab does with its composer: send, edit, attach, keep the draft, count the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt

from desktop.chats.chat import Attachment, Message, OverflowPolicy, Role
from desktop.models.notice import NoticeLevel

if TYPE_CHECKING:
    from desktop.models.attachment_reader import ReadFile
    from desktop.models.chat_session import ChatSession
    from desktop.models.overflow import OverflowChoice
    from desktop.models.preset_shelf import PresetShelf
    from desktop.models.session_hub import SessionHub
    from desktop.models.token_meter import MeterSource, TokenMeter
    from desktop.views.chat_tab import ChatTab
    from desktop.views.overflow_dialog import OverflowDialog
    from engine.protocol import ChatMessage

REFUSED = "refused"  # the code of a notice that goes with the next key


class TabComposing(QObject):
    """The composer's side of a `ChatTab`. It works for the tab's session of the moment."""

    def __init__(self, tab: ChatTab, hub: SessionHub) -> None:
        super().__init__(tab)
        self._tab = tab
        self._hub = hub
        self._composer = tab.composer
        self._meter: TokenMeter | None = None
        self._reading: list[Path] = []
        self._dialog: OverflowDialog | None = None
        self._shelf: PresetShelf | None = None
        composer = self._composer
        composer.send_requested.connect(self._on_send)
        composer.stop_requested.connect(lambda: self._session.stop())
        composer.edited.connect(self._on_edited)
        composer.files_given.connect(self.attach)
        composer.refused.connect(self._on_refused)
        composer.view_requested.connect(self._show_attachment)
        composer.below.attach_requested.connect(self.choose_files)
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

    def refresh(self) -> None:
        """The chat changed: what would be sent is another prompt."""
        if self._meter is not None:
            self._meter.refresh()

    def show_facts(self) -> None:
        """Say in what the chat differs from the model's defaults."""
        if self._meter is None:
            return
        from desktop.models.chat_facts import chat_facts
        from desktop.models.preset_shelf import PRESET, PresetShelf

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
        from desktop.views.composer_modes import Draft

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
        from desktop.views.overflow_dialog import OverflowDialog

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

    # --- attaching ------------------------------------------------------------------------

    def choose_files(self) -> None:
        """Ask for files to attach."""
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._tab, self.tr("Attach text files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.attach([Path(name) for name in names]))
        dialog.open()

    def attach(self, paths: Sequence[Path]) -> None:
        """Read these files, off this thread, and attach those that are text."""
        from desktop.background import in_thread
        from desktop.models.attachment_reader import MAX_FILES, read_file

        room = MAX_FILES - len(self._composer.attachments) - len(self._reading)
        if len(paths) > room:
            self._on_refused(
                self.tr("At most {count} texts go with one message.").format(count=MAX_FILES)
            )
            return
        for path in paths:
            self._reading.append(path)
            self._hub.background.watch(
                in_thread(partial(read_file, path), "read attachment"),
                partial(self._on_read, path),
                partial(self._on_unreadable, path),
            )
        self._show_reading()

    def _on_read(self, path: Path, file: ReadFile) -> None:
        if not shiboken6.isValid(self._composer):
            return  # the tab was closed meanwhile
        self._reading.remove(path)
        self._show_reading()
        if self._composer.row.add(file.attachment) and file.note:
            self._session.notify(NoticeLevel.HINT, file.note, REFUSED)

    def _on_unreadable(self, path: Path, error: Exception) -> None:
        if not shiboken6.isValid(self._composer):
            return
        self._reading.remove(path)
        self._show_reading()
        self._on_refused(str(error))

    def _show_reading(self) -> None:
        from desktop.models.attachment_reader import shown_name

        self._composer.row.set_reading([shown_name(path.name) for path in self._reading])

    def _on_refused(self, words: str) -> None:
        self._session.notify(NoticeLevel.WARNING, words, REFUSED)

    def _show_attachment(self, attachment: Attachment) -> None:
        from desktop.models.attachment_reader import size_text
        from desktop.views.dialogs import TextDialog

        dialog = TextDialog(
            attachment.name, size_text(len(attachment.content)), attachment.content, self._tab
        )
        dialog.text.verticalScrollBar().setValue(0)
        dialog.open()

    # --- the draft --------------------------------------------------------------------------

    def _on_edited(self) -> None:
        notice = self._session.notice
        if notice.level is NoticeLevel.HINT or notice.code == REFUSED:
            self._session.notify(NoticeLevel.HINT, "")
        self._session.touch_draft()
        if self._meter is not None:
            self._meter.touch(self._composer.length())

    def _sent_texts(self) -> Sequence[str]:
        return [m.content for m in reversed(self._session.messages) if m.role is Role.USER]

    # --- the meter -------------------------------------------------------------------------

    def _equip(self) -> None:
        """The tab is seen and its chat is stored: show what depends on both."""
        if self._meter is None:
            from desktop.models.token_meter import TokenMeter

            self._composer.below.equip()
            self._meter = TokenMeter(self._hub.client, self)
            self._meter.changed.connect(self._composer.below.set_reading)
            self._meter.watch(self._meter_source(), self._composer.length())
            self.show_facts()

    def _meter_source(self) -> MeterSource:
        from desktop.models.token_meter import MeterSource

        return MeterSource(self._prompt, self._prompt_size, self._terms)

    def _prompt(self) -> tuple[ChatMessage, ...]:
        """What would be sent if the composer's text were sent now."""
        composer, session = self._composer, self._session
        if not composer.edited_id:
            return session.prompt_messages(composer.text(), composer.attachments)
        from desktop.models.prompt import prompt_of

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
        """Its characters; 0 where nothing would be sent."""
        composer, session = self._composer, self._session
        before = self._messages_before()
        if composer.is_empty and not before:
            return 0
        if composer.edited_id and self._edits_answer():
            return 0  # an answer in other words is not sent, only kept
        told = sum(len(m.content) + sum(len(a.content) for a in m.attachments) for m in before)
        return len(session.chat.system_prompt) + told + composer.length()

    def _messages_before(self) -> Sequence[Message]:
        """The messages that would be sent before the composer's text."""
        messages, edited = self._session.messages, self._composer.edited_id
        if not edited:
            return messages
        place = next((i for i, m in enumerate(messages) if m.id == edited), len(messages))
        return messages[:place]

    def _edits_answer(self) -> bool:
        edited = self._composer.edited_id
        return any(m.id == edited and m.role is Role.ASSISTANT for m in self._session.messages)

    def _terms(self) -> tuple[OverflowPolicy, int]:
        """What happens to a prompt that is too long, and the room kept for the answer."""
        from desktop.models.overflow import policy_of
        from desktop.models.prompt import reserve_for, sampling_of

        parameters = self._session.chat.parameters
        loaded = self._hub.client.view.loaded
        context = loaded.context if loaded is not None else None
        limit = sampling_of(parameters).max_tokens
        return policy_of(parameters, self._hub.default_overflow), reserve_for(limit, context)
