"""German is complete, and nothing visible stays English; English can count.

After a change of texts: `python -m desktop.i18n.update`, fill in what it names, run it again.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop import i18n
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_state import Phase
from desktop.i18n import update
from tests.gui.conftest import WAIT_MS, OpenWindow

LANGUAGES = list(i18n.LANGUAGE_NAMES)
TECHNICAL = {"temperature", "seed"}  # names of parameters in a run card are no words
DIALOGS = ["settings", "show_bin", "export_chat", "chat_settings", "message_details", "about"]


@pytest.fixture
def in_language(qapp: QApplication) -> Iterator[None]:
    """Gives English and the system's numbers back."""
    before = QLocale()
    yield
    i18n.install(qapp, "en")
    QLocale.setDefault(before)


def test_a_new_compilation_leaves_the_old_file_to_its_readers(tmp_path: Path) -> None:
    """Qt reads a translation where it lies in memory: cut under it, that is a bus error."""
    source, target = i18n.FOLDER / "inglenook_de.ts", tmp_path / "some.qm"
    update.compile_file(source, target)
    with target.open("rb") as reader:
        before = os.fstat(reader.fileno())
        update.compile_file(source, target)
        assert target.stat().st_ino != before.st_ino
        assert len(reader.read()) == before.st_size
    assert [path.name for path in tmp_path.iterdir()] == ["some.qm"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_code_is_translated(tmp_path: Path, language: str) -> None:
    kept = i18n.FOLDER / f"inglenook_{language}.ts"
    fresh = tmp_path / kept.name
    shutil.copy(kept, fresh)
    update.extract(fresh, language)
    problems = [
        f"{text.context}: {text.source!r} {problem}"
        for text in update.texts(fresh)
        if (problem := update.problem_of(text))
    ]
    assert problems == []
    known = {(text.context, text.source) for text in update.texts(kept)}
    assert {(text.context, text.source) for text in update.texts(fresh)} == known


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_file_is_that_of_the_source(tmp_path: Path, language: str) -> None:
    source = i18n.FOLDER / f"inglenook_{language}.ts"
    fresh = tmp_path / "fresh.qm"
    update.compile_file(source, fresh)
    assert fresh.read_bytes() == source.with_suffix(".qm").read_bytes()


def test_every_text_has_a_context() -> None:
    """Else it is looked up where it does not stand."""
    texts = list(update.texts(i18n.FOLDER / "inglenook_de.ts"))
    assert [text.source for text in texts if not text.context] == []
    hidden = re.compile(r"(?<![\w.])_?tr\(|(?<![\w.])_t\(")  # the extraction misses these
    for path in update.sources():
        code = path.read_text(encoding="utf-8")
        assert not hidden.search(code), path


def test_no_two_german_entries_of_a_menu_have_one_access_key(
    qapp: QApplication, in_language: None
) -> None:
    from desktop.actions import ACTIONS, Menu

    i18n.install(qapp, "de")

    def letter(text: str) -> str:
        translated = QCoreApplication.translate("Actions", text)
        return translated[translated.index("&") + 1].lower()

    for menu in Menu:
        letters = [letter(spec.text) for spec in ACTIONS if spec.menu is menu]
        assert sorted(letters) == sorted(set(letters)), menu
    titles = [letter(menu.value) for menu in Menu]
    assert len(set(titles)) == len(titles)


def test_english_counts(qapp: QApplication, in_language: None) -> None:
    def chats(count: int) -> str:
        return QCoreApplication.translate("ChatListModel", "%n chat(s)", "", count)

    assert i18n.install(qapp, "en") == "en"
    assert chats(1) == "1 chat(s)"  # nothing is loaded before the first paint
    i18n.install_rest(qapp)
    assert (chats(1), chats(2)) == ("1 chat", "2 chats")
    i18n.install(qapp, "de")
    i18n.install_rest(qapp)
    assert (chats(1), chats(2)) == ("1 Chat", "2 Chats")


def test_numbers_and_dates_follow_the_language(qapp: QApplication, in_language: None) -> None:
    i18n.install(qapp, "de")
    i18n.install_rest(qapp)
    assert QLocale().toString(1234.5, "f", 1) == "1.234,5"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"


@pytest.mark.parametrize(
    ("setting", "environment", "language"),
    [
        ("", {"LANG": "de_AT.UTF-8"}, "de"),
        ("", {"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:de"}, "de"),
        ("", {"LANG": "fr_FR", "LC_MESSAGES": "de_DE"}, "de"),
        ("", {"LANG": "de_DE", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ("", {"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),  # as gettext has it
        ("", {"LANG": "de"}, "de"),
        ("", {"LANG": "fr_FR.UTF-8"}, "en"),
        ("", {}, "en"),
        ("en", {"LANG": "de_DE"}, "en"),
        ("nonsense", {"LANG": "de_DE"}, "de"),
    ],
)
def test_the_language_is_the_users(
    setting: str, environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert i18n.chosen(setting) == language


def shown_texts(root: QWidget) -> Iterator[tuple[QObject, str]]:
    """All words that a user of `root` sees or hears."""
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        yield widget, widget.accessibleName()
        yield widget, widget.accessibleDescription()
        yield widget, widget.toolTip()
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget, widget.text()
        if isinstance(widget, QLineEdit | QPlainTextEdit):
            yield widget, widget.placeholderText()
        if isinstance(widget, QGroupBox | QMenu):
            yield widget, widget.title()
        if isinstance(widget, QComboBox):
            yield from ((widget, widget.itemText(i)) for i in range(widget.count()))
    for action in root.findChildren(QAction):
        yield action, action.text()
        yield action, action.statusTip()


def english(root: QWidget) -> list[str]:
    """What of it is still a source text, although there is another for it."""

    def plain_of(words: str) -> str:
        return words.replace("&", "")

    sources = {
        text.source
        for text in update.texts(i18n.FOLDER / "inglenook_de.ts")
        if plain_of(text.source) not in map(plain_of, text.forms) and "{" not in text.source
    }
    plain = {plain_of(source) for source in sources}
    return [
        f"{type(owner).__name__}: {text}"
        for owner, text in shown_texts(root)
        if text not in ("", *TECHNICAL) and (text in sources or text.replace("&", "") in plain)
    ]


def test_nothing_visible_is_english_in_a_german_window(
    open_window: OpenWindow, qtbot: QtBot, qapp: QApplication, in_language: None
) -> None:
    i18n.install(qapp, "de")
    app = open_window("tokens_per_second=3000 load_seconds=0.05")
    window = app.window
    assert english(window) == []
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    tab = window.area.current_tab()
    assert tab is not None
    tab.session.send("/long 60")
    qtbot.waitUntil(
        lambda: tab.session.messages[-1].status is MessageStatus.COMPLETE, timeout=WAIT_MS
    )
    assert english(window) == []
    window.actions_by_name["palette"].trigger()
    assert english(window) == []
    window.actions_by_name["palette"].trigger()
    for name in DIALOGS:
        before = {id(one) for one in qapp.topLevelWidgets()}
        window.actions_by_name[name].trigger()

        def fresh(known: set[int] = before) -> list[QDialog]:
            return [
                one
                for one in qapp.topLevelWidgets()
                if isinstance(one, QDialog) and one.isVisible() and id(one) not in known
            ]

        qtbot.waitUntil(lambda: bool(fresh()), timeout=WAIT_MS)
        for dialog in fresh():
            assert english(dialog) == [], name
            dialog.reject()


def test_plural_forms_are_where_the_extraction_finds_them() -> None:
    """Qt's tool knows none in `translate`: `counted_texts` hands them over, if it has a number."""
    counted = {source for _context, source in update.counted_texts()}
    said = {
        found
        for path in update.sources()
        for found in re.findall(
            r"translate\(\s*\"\w+\",\s*\"([^\"]*%n[^\"]*)\"", path.read_text("utf-8")
        )
    }
    assert said
    assert said <= counted
    known = {t.source for t in update.texts(i18n.FOLDER / "inglenook_en.ts") if len(t.forms) == 2}
    assert counted <= known
