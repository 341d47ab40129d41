"""The pages of the settings dialog. What is chosen applies at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLocale, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
)

from desktop import theme
from desktop.background import in_thread
from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT
from desktop.i18n import LANGUAGE_NAMES
from desktop.models.loading.size_text import size_text
from desktop.settings import FONT_SIZES, MAX_PROMPT
from desktop.views.settings.settings_forms import FIELD_WIDTH, Choice, Page, push_button

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub
    from desktop.settings import Settings
    from desktop.views.window.main_window import MainWindow

TYPING_MS: Final = 400
PROMPT_LINES: Final = 6


class AppearancePage(Page):
    """Colours, text size, language."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(self.tr("Appearance"))
        settings = window.settings
        self.theme = Choice(
            [
                ("system", self.tr("As the system")),
                ("light", self.tr("Light")),
                ("dark", self.tr("Dark")),
                ("contrast", self.tr("High contrast")),
            ],
            settings.theme,
            lambda value: window.change(theme=value),
        )
        self.add(self.tr("Colours"), self.theme)
        self.text_size = QSpinBox()
        self.text_size.setRange(FONT_SIZES.start, FONT_SIZES.stop - 1)
        self.text_size.setValue(settings.font_size)
        self.text_size.setSuffix(self.tr(" pt"))
        self.text_size.setMaximumWidth(FIELD_WIDTH)
        inner = self.text_size.findChild(QLineEdit)
        if inner is not None:  # the style sheet's padding does not reach it
            inner.setTextMargins(theme.current().space.s, 0, 0, 0)
        self.text_size.valueChanged.connect(lambda points: window.change(font_size=points))
        self.add(self.tr("Text size"), self.text_size)
        self._words = QLabel(self.tr("The kettle is on, and the fire is lit."))
        self._words.setWordWrap(True)
        self._code = QLabel('print("2 ≠ 3")')
        preview = QFrame()
        preview.setProperty("role", "raised")
        inside = QVBoxLayout(preview)
        inside.addWidget(self._words)
        inside.addWidget(self._code)
        self.add_widget(preview)
        self.language = Choice(
            [("", self.tr("As the system")), *LANGUAGE_NAMES.items()],
            settings.language,
            lambda value: window.change(language=value),
        )
        self.add(
            self.tr("Language"),
            self.language,
            self.tr("Another language is there after the next start."),
        )
        self._on_theme_changed()
        theme.notifier().changed.connect(self._on_theme_changed)

    def show_settings(self, settings: Settings) -> None:
        """They were changed elsewhere."""
        self.theme.show_value(settings.theme)
        self.text_size.setValue(settings.font_size)

    def _on_theme_changed(self) -> None:
        self._words.setFont(theme.current().text_font())
        self._code.setFont(theme.current().mono_font())


class ChattingPage(Page):
    """What a new chat starts with, and what happens while one writes."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(self.tr("Chatting"))
        self._window = window
        settings = window.settings
        self.send = Choice(
            [
                ("enter", self.tr("Enter sends, Shift+Enter starts a new line")),
                ("ctrl+enter", self.tr("Ctrl+Enter sends, Enter starts a new line")),
            ],
            settings.send_with,
            lambda value: window.change(send_with=value),
        )
        self.add(self.tr("Sending"), self.send)
        self.titles = Choice(
            [
                ("model", self.tr("Written by the model")),
                ("first_words", self.tr("Your first words")),
            ],
            settings.titles,
            lambda value: window.change(titles=value),
        )
        self.add(
            self.tr("Titles of new chats"),
            self.titles,
            self.tr("The model writes a title when it has nothing else to do."),
        )
        self.overflow = Choice(
            [
                ("ask", self.tr("Ask me what to do")),
                ("drop_oldest", self.tr("Leave out the oldest messages")),
                ("stop", self.tr("Send nothing")),
            ],
            settings.overflow,
            lambda value: window.change(overflow=value),
        )
        self.add(
            self.tr("When a chat is longer than the model can read"),
            self.overflow,
            self.tr("For chats that have no rule of their own. Nothing is left out silently."),
        )
        self.prompt = QPlainTextEdit(settings.system_prompt)
        self.prompt.setProperty("role", "field")
        self.prompt.setTabChangesFocus(True)
        self.prompt.setPlaceholderText(self.tr("None: new chats start without instructions"))
        lines = PROMPT_LINES * QFontMetrics(theme.current().text_font()).lineSpacing()
        self.prompt.setFixedHeight(lines + 2 * theme.current().space.m)
        self.add(
            self.tr("System prompt of new chats"),
            self.prompt,
            self.tr("Chats that are there already keep theirs."),
        )
        self.add_buttons(push_button(self.tr("Take the original one"), self._restore_prompt))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MS)
        self._timer.timeout.connect(self.settle)
        self.prompt.textChanged.connect(self._timer.start)
        self.notify = QCheckBox(self.tr("Tell me when a long answer is there"))
        self.notify.setChecked(settings.notify)
        self.notify.toggled.connect(lambda on: window.change(notify=on))
        self.add_switch(
            self.notify,
            self.tr("Only while you look elsewhere. It names the chat, never what it says."),
        )

    def show_settings(self, settings: Settings) -> None:
        """They were changed elsewhere."""
        self.send.show_value(settings.send_with)

    def settle(self) -> None:
        """What was typed applies."""
        self._timer.stop()
        self._window.change(system_prompt=self.prompt.toPlainText()[:MAX_PROMPT])

    def _restore_prompt(self) -> None:
        self.prompt.setPlainText(DEFAULT_SYSTEM_PROMPT)
        self.settle()


class StoragePage(Page):
    """Where chats are, how much they take, and their copies."""

    def __init__(self, window: MainWindow, hub: SessionHub) -> None:
        super().__init__(self.tr("Chats and storage"))
        self._hub = hub
        self._path = hub.store.path
        self.place = self.add_fact(self.tr("Your chats are kept in"), str(self._path))
        self.taken = self.add_fact(self.tr("They take"), "…")
        self.backup = self.add_fact(self.tr("Last backup"), "…")
        self.add_words(
            self.tr("A backup is made each day, seven are kept, and one before every update.")
        )
        self._back_up = push_button(self.tr("Back up now"), self._back_up_now)
        self._back_up.setEnabled(hub.is_usable)
        self.add_buttons(self._back_up, push_button(self.tr("Open the folder"), self._open_folder))
        self.add_buttons(
            *(
                push_button(action.text().replace("&", ""), action.trigger)
                for action in (
                    window.actions_by_name[name]
                    for name in ("show_bin", "export_all", "import_chats")
                )
                if action.isEnabled()
            )
        )
        self._measure()

    def _measure(self) -> None:
        # On a thread: the folder may lie on a slow disk.
        self._hub.background.watch(
            in_thread(lambda: _facts(self._path), "store-facts"), self._show_facts, lambda _e: None
        )

    def _show_facts(self, facts: tuple[int, float]) -> None:
        from shiboken6 import isValid

        if not isValid(self):  # the dialog was closed meanwhile
            return
        size, when = facts
        self.taken.setText(size_text(size))
        self.backup.setText(_moment(when) if when else self.tr("None yet"))

    def _back_up_now(self) -> None:
        self._back_up.setEnabled(False)
        self.backup.setText(self.tr("It is being made…"))
        self._hub.background.watch(
            self._hub.store.back_up_now(), lambda _path: self._backed_up(""), self._not_backed_up
        )

    def _not_backed_up(self, error: Exception) -> None:
        self._backed_up(str(error))

    def _backed_up(self, problem: str) -> None:
        from shiboken6 import isValid

        if isValid(self):
            self._back_up.setEnabled(True)
            if problem:
                self.backup.setText(problem)
            else:
                self._measure()

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.parent)))


def _facts(path: Path) -> tuple[int, float]:
    """The store's size in bytes, and when its newest backup was made (0.0: there is none)."""
    from desktop.chats.store import store_keeping

    files = [path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")]
    size = sum(file.stat().st_size for file in files if file.exists())
    backups = store_keeping.daily_backups_of(path) + store_keeping.backups_of(path)
    return size, max((backup.stat().st_mtime for backup in backups if backup.exists()), default=0.0)


def _moment(seconds: float) -> str:
    from PySide6.QtCore import QDateTime

    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
