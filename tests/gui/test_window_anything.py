"""Whatever is done to a window, in whatever order: it lives, complains of nothing, loses nothing.

`WINDOW_STEPS` makes the runs longer, `WINDOW_SEEDS` makes more of them ("7" or "10-40").
"""

from __future__ import annotations

import gc
import os
import random
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible, QColor, QDesktopServices, QDrag, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.actions import ACTIONS
from desktop.app import Inglenook
from desktop.chats.chat import OverflowPolicy
from desktop.engine_link.engine_state import Phase
from desktop.models.session.overflow import OverflowChoice
from desktop.views.dialogs import LinkDialog
from desktop.views.sidebar.transfer_dialogs import ExportDialog, ImportDialog
from desktop.views.tabs.chat_tab import ChatTab
from tests.gui.conftest import OpenWindow, stored
from tests.gui.test_accessibility import interfaces
from tests.gui.test_session_anything import same

STEPS = int(os.environ.get("WINDOW_STEPS", "120"))
SETTLE_EVERY = 40
LAST_STEPS = 15
PATIENCE_MS = 30_000
SCRIPT = "tokens_per_second=300 load_seconds=0.02 context=700"
# A file dialog would look at the user's own folders; these are done with files of the test.
APART = {"quit", "load_model", "unload_model", "attach_file"}
WORDS = [
    "/echo hello",
    "/long 60",
    "/long 300",
    "/think 20 /long 20",
    "/thinkopen 30",
    "/unclosed 40",
    "/fail 5",
    "/crash 9",
    "/rate 20 /long 40",
    "/stopstring blocks",
    "word " * 400,
    "/echo <img src=file:///etc/passwd><b>bold</b>",
    "/echo \u202egpj.exe $x^2$ ```py\nx = 1\n``` \ud83d\udc69\u200d\U0001f467",
    "/echo | a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done[^1]\n\n[^1]: note",
    "/echo $$\\frac{1}{\\sqrt{2}}$$ and \\(a_b\\) [link](https://example.invalid)",
]
NAMES = ["<b>name</b>", "a & b", "Ordner", "x\u202ey", "N" * 300, "", "<img src=file:///x>"]
KEYS = [
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Delete,
    Qt.Key.Key_F2,
    Qt.Key.Key_Menu,
    Qt.Key.Key_Space,
    Qt.Key.Key_A,
    Qt.Key.Key_E,
    Qt.Key.Key_F,
]


class Monkey:
    """Does something random to a window, as a user, a disk or an engine may."""

    def __init__(self, app: Inglenook, bot: QtBot, seed: int, folder: Path) -> None:
        self.app = app
        self.window = app.window
        self.bot = bot
        self.random = random.Random(seed)
        self.folder = folder
        self.exported: list[Path] = []
        self.faults: list[str] = []
        self.done: list[str] = []
        self.doings: list[tuple[int, Callable[[], object]]] = [
            (14, self.send),
            (6, self.trigger),
            (8, self.act_on_message),
            (3, self.pick),
            (3, self.resolve),
            (4, self.type_text),
            (3, self.attach),
            (1, self.paste),
            (4, self.search),
            (2, self.palette),
            (5, self.sidebar),
            (2, self.bin),
            (2, self.chat_settings),
            (1, self.export),
            (1, self.import_file),
            (2, self.resize),
            (3, self.open_some_chat),
            (3, self.close_some_tab),
            (12, self.press_key),
            (12, self.click),
            (6, self.answer_dialogs),
            (1, self.listen),
            (1, self.kill_engine),
            (1, self.hold_up_store),
        ]
        app.hub.failed.connect(self.on_failed)
        # Qt waits inside the click for what is chosen in some menus.
        self.chooser = QTimer()
        self.chooser.setInterval(50)
        self.chooser.timeout.connect(self.choose)
        self.chooser.start()

    def on_failed(self, error: Exception) -> None:
        if not isinstance(error, KeyError):  # a chat that was deleted meanwhile
            self.faults.append(repr(error))

    def choose(self) -> None:
        popup = QApplication.activePopupWidget()
        if popup is not None:
            keys = [Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Escape]
            QTest.keyClick(popup, self.random.choice(keys))

    # --- one step

    def step(self) -> None:
        weights = [weight for weight, _ in self.doings]
        _, do = self.random.choices(self.doings, weights)[0]
        self.done.append(do.__name__)
        do()
        if self.random.random() < 0.6:
            self.bot.wait(self.random.choice([0, 0, 1, 5, 20]))
        self.close_file_dialogs()
        assert not self.faults

    def tab(self) -> ChatTab | None:
        return self.window.area.current_tab()

    def text(self) -> str:
        return self.random.choice(WORDS)

    # --- what a user does

    def send(self) -> None:
        tab = self.tab()
        if tab is not None and not QApplication.activeModalWidget():
            tab.composer.set_text(self.text())
            QTest.keyClick(tab.composer.editor, Qt.Key.Key_Return)

    def trigger(self) -> None:
        names = [spec.name for spec in ACTIONS if spec.name not in APART]
        name = self.random.choice(names)
        self.done[-1] += f" {name}"
        if not QApplication.activeModalWidget():
            self.window.actions_by_name[name].trigger()

    def act_on_message(self) -> None:
        tab = self.tab()
        if tab is None or not tab.session.messages:
            return
        view, session = tab.transcript, tab.session
        message_id = self.random.choice(session.messages).id
        by = self.random.choice([-1, 1])
        acts: list[Callable[[], object]] = [
            lambda: view.stop_requested.emit(message_id),
            lambda: view.continue_requested.emit(message_id),
            lambda: view.retry_requested.emit(message_id),
            lambda: view.edit_requested.emit(message_id),
            lambda: view.delete_requested.emit(message_id),
            lambda: view.sibling_requested.emit(message_id, by),
            lambda: view.fork_requested.emit(message_id),
            lambda: view.ways_requested.emit(message_id, self.random.randint(2, 4)),
            lambda: view.zoom_requested.emit(by),
            lambda: view.quote_requested.emit("quoted"),
            lambda: view.show_details(message_id),
            lambda: session.undo_delete_message(),
            lambda: session.stop(),
            lambda: tab.reveal(message_id, ("a",)),
        ]
        self.random.choice(acts)()

    def pick(self) -> None:
        tab = self.tab()
        if tab is not None and tab.session.candidates:
            tab.session.pick_candidate(self.random.choice(tab.session.candidates).id)

    def resolve(self) -> None:
        for session in self.app.hub.sessions():
            if session.overflow is not None:
                choice = self.random.choice(list(OverflowChoice))
                session.resolve_overflow(choice, self.random.random() < 0.3)
                return

    def type_text(self) -> None:
        focus = QApplication.focusWidget()
        if isinstance(focus, (QLineEdit, QPlainTextEdit)) and not focus.isReadOnly():
            QTest.keyClicks(focus, self.random.choice(["abc", "12", "-1", "a & <b>", "]"]))

    def attach(self) -> None:
        tab = self.tab()
        if tab is None:
            return
        path = self.folder / f"{self.random.randrange(9)} <b>&.txt"
        if self.random.random() < 0.7:
            data = self.random.choice([b"text\n", b"\0\1\2", b"\xff\xfe", b"x" * 300_000])
            path.write_bytes(data)
        tab.attaching.attach([path, self.folder])

    def paste(self) -> None:
        tab = self.tab()
        if tab is None:
            return
        data = QMimeData()
        kind = self.random.randrange(4)
        if kind == 0:
            data.setHtml("<img src='file:///etc/passwd'><b>bold</b>")
        elif kind == 1:
            image = QImage(8, 8, QImage.Format.Format_RGB32)
            image.fill(QColor("red"))
            data.setImageData(image)
        else:
            data.setText("line\n" * self.random.choice([1, 3000]))
        QGuiApplication.clipboard().setMimeData(data)
        tab.composer.editor.paste()

    def search(self) -> None:
        chat_list = self.window.chat_list
        chat_list.search()
        words = self.random.choice(["", "block", "token a", '"', "é", "C++", "x" * 500])
        chat_list.filter.setText(words)
        if self.random.random() < 0.5:
            chat_list.search_panel().open_first()

    def palette(self) -> None:
        if QApplication.activeModalWidget():
            return
        self.window.commands.show_palette()
        focus = QApplication.focusWidget()
        if isinstance(focus, QLineEdit):
            focus.setText(self.random.choice(["", "spl", "new", "chat", "\u202e"]))

    def chats(self) -> list[str]:
        return [chat.id for chat in self.window.chats]

    def sidebar(self) -> None:
        chats = self.chats()
        if not chats or QApplication.activeModalWidget():
            return
        chat_list, chat_id = self.window.chat_list, self.random.choice(chats)
        acts: list[Callable[[], object]] = [
            lambda: chat_list.delete(self.random.sample(chats, min(2, len(chats)))),
            chat_list.undo,
            chat_list.undo_bar.undo,
            lambda: chat_list.pin_chat(chat_id),
            lambda: chat_list.archive_chat(chat_id),
            lambda: chat_list.move_to_folder(chat_id),
            lambda: chat_list.rename(chat_id, "old"),
            self.duplicate,
        ]
        self.random.choice(acts)()

    def duplicate(self) -> None:
        desk = self.window.chat_list._desk
        chats = self.window.chats
        if desk is not None and chats and len(chats) < 40:
            desk.duplicate(self.random.choice(chats))

    def bin(self) -> None:
        desk = self.window.chat_list._desk
        if desk is None:
            return
        deleted = [chat.id for chat in stored(self.app.store.list_bin())]
        if self.random.random() < 0.3:
            desk.show_bin()
        elif deleted and not desk.shelf.is_busy:
            chosen = [self.random.choice(deleted)]
            if self.random.random() < 0.5:
                desk.shelf.erase(chosen)
            else:
                desk.shelf.restore(chosen)

    def chat_settings(self) -> None:
        tab = self.tab()
        if tab is None or not tab.session.chat_id:
            return
        if self.random.random() < 0.5:
            tab.show_chat_settings()
        policy = self.random.choice(list(OverflowPolicy)).value
        tab.session.set_parameters(
            self.random.choice(
                [
                    {},
                    {"overflow": policy, "temperature": 0.5, "seed": 3, "preset": "gone"},
                    {"max_tokens": 3, "stop": ["x" * 9]},
                    {"json_schema": '{"type": "object"}'},
                ]
            )
        )

    def export(self) -> None:
        chats = self.window.chats
        dialog = ExportDialog(self.app.hub, chats, self.window, all_of_them=True)
        self.random.choice(list(dialog.formats.values())).setChecked(True)
        dialog.open()
        target = self.folder / f"export{len(self.exported)}"
        self.exported.append(target)
        dialog.export_to(target)

    def import_file(self) -> None:
        dialog = ImportDialog(self.app.hub, [], self.window)
        dialog.copies.setChecked(len(self.chats()) < 40)
        dialog.imported.connect(self.app.hub.refresh)
        dialog.open()
        files = [path for path in self.exported if path.is_file()]
        dialog.import_from(self.random.choice([*files, self.folder / "none"]))

    def resize(self) -> None:
        self.window.resize(self.random.randrange(300, 1500), self.random.randrange(300, 1000))

    def open_some_chat(self) -> None:
        if self.chats():
            self.window.tabs.show(self.random.choice(self.chats()))

    def close_some_tab(self) -> None:
        tabs = self.window.area.tabs()
        if len(tabs) > self.random.randrange(1, 8):
            self.window.tabs.close(self.random.choice(tabs))

    def place(self) -> QWidget:
        """Where a user could put the mouse: what is modal or pops up comes first."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    def press_key(self) -> None:
        target = QApplication.focusWidget() or self.place()
        for _ in range(self.random.randrange(1, 4)):
            if shiboken6.isValid(target):
                QTest.keyClick(target, self.random.choice(KEYS))

    def click(self) -> None:
        top = self.place()
        shown = [w for w in (top, *top.findChildren(QWidget)) if w.isVisible()]
        if not shown:
            return
        kind = self.random.choice([QAbstractButton, QAbstractItemView, QComboBox, QWidget])
        widget = self.random.choice([w for w in shown if isinstance(w, kind)] or shown)
        if isinstance(widget, QAbstractItemView):
            widget = widget.viewport()
        at = QPoint(
            self.random.randrange(max(1, widget.width())),
            self.random.randrange(max(1, widget.height())),
        )
        self.done[-1] += f" {type(widget).__name__}"
        button = self.random.choice([Qt.MouseButton.LeftButton] * 4 + [Qt.MouseButton.RightButton])
        if self.random.random() < 0.15:
            QTest.mouseDClick(widget, button, pos=at)
        else:
            QTest.mouseClick(widget, button, pos=at)

    def answer_dialogs(self) -> None:
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            popup.close()
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog) and widget.isVisible():
                self.random.choice([widget.accept, widget.reject, widget.close])()

    def close_file_dialogs(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QFileDialog) and widget.isVisible():
                widget.reject()

    def listen(self) -> None:
        """As a screen reader does."""
        for one in interfaces(self.window):
            one.text(QAccessible.Text.Name)
            one.text(QAccessible.Text.Description)
            one.state()
            one.rect()

    # --- and what a machine does

    def kill_engine(self) -> None:
        if self.app.client.pid:
            os.kill(self.app.client.pid, signal.SIGKILL)

    def hold_up_store(self) -> None:
        self.app.store._queue.read(lambda _db: QTest.qSleep(self.random.randrange(60)))

    # --- what must hold

    def is_quiet(self) -> bool:
        for session in self.app.hub.sessions():
            if session.overflow is not None:
                session.resolve_overflow(OverflowChoice.STOP)
        return not any(
            session.state.is_active or session.needs_saving or not session._branching.is_idle
            for session in self.app.hub.sessions()
        )

    def settle(self) -> None:
        self.close_everything()
        client = self.app.client
        if client.view.phase not in (Phase.READY, Phase.LOADING, Phase.STARTING):
            client.restart()
        for session in self.app.hub.sessions():
            session.stop()
        self.bot.waitUntil(self.is_quiet, timeout=PATIENCE_MS)
        stored(self.app.store.flush())
        self.bot.waitUntil(self.is_quiet, timeout=PATIENCE_MS)
        area = self.window.area
        for tab in area.tabs():
            if tab.session.chat_id:
                self.compare(tab)
        shown = {tab.session.chat_id for tab in area.tabs()}
        assert len(shown) == area.count()
        self.bot.waitUntil(
            lambda: {s.chat_id for s in self.app.hub.sessions()} <= shown, timeout=PATIENCE_MS
        )
        listed = {chat.id for chat in stored(self.app.store.list_chats())}
        self.bot.waitUntil(lambda: set(self.chats()) == listed, timeout=PATIENCE_MS)

    def compare(self, tab: ChatTab) -> None:
        """What is shown is what is stored."""
        session = tab.session
        self.bot.waitUntil(lambda: session.is_whole, timeout=PATIENCE_MS)
        chat = stored(self.app.store.load_chat(session.chat_id))
        shown = session.messages
        assert [m.id for m in chat.messages] == [m.id for m in shown]
        for kept, seen in zip(chat.messages, shown, strict=True):
            same(kept, seen)
        assert chat.title == session.title
        assert chat.parameters == session.chat.parameters
        if shown:
            canvas = tab.transcript._canvas
            assert [item.message.id for item in canvas.items] == [m.id for m in shown]
            assert [item.content for item in canvas.items] == [m.content for m in shown]
            assert [item.reasoning for item in canvas.items] == [m.reasoning for m in shown]
        assert tab.composer.is_active == session.state.is_active

    def close_everything(self) -> None:
        def is_closed() -> bool:
            popup = QApplication.activePopupWidget()
            if popup is not None:
                popup.close()
            opened = [
                widget
                for widget in QApplication.topLevelWidgets()
                if isinstance(widget, QDialog) and widget.isVisible()
            ]
            for widget in opened:
                widget.reject()
            return not opened and popup is None

        self.bot.waitUntil(is_closed, timeout=PATIENCE_MS)


def seeds() -> list[int]:
    first, _, last = os.environ.get("WINDOW_SEEDS", "1-2").partition("-")
    return list(range(int(first), int(last or first) + 1))


@pytest.fixture
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What waits for a user inside a call gets its answer at once."""
    answers = random.Random(1)

    def answer(dialog: QInputDialog) -> int:
        dialog.setTextValue(answers.choice(NAMES))
        return answers.choice([0, 1])

    monkeypatch.setattr(QInputDialog, "exec", answer)
    monkeypatch.setattr(QDrag, "exec", lambda *_: Qt.DropAction.IgnoreAction)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    defaults = (LinkDialog.__init__.__defaults__ or ())[:-1]
    monkeypatch.setattr(LinkDialog.__init__, "__defaults__", (*defaults, lambda _url: True))
    yield
    QGuiApplication.clipboard().clear()  # what Python put there must not outlive it


@pytest.mark.usefixtures("_without_waiting")
@pytest.mark.parametrize("seed", seeds())
@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.timeout(int(os.environ.get("WINDOW_TIMEOUT", 60 + STEPS)))
def test_whatever_is_done_to_a_window(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, seed: int
) -> None:
    app = open_window(SCRIPT)
    files = tmp_path / "files"
    files.mkdir()
    monkey = Monkey(app, qtbot, seed, files)
    try:
        for number in range(STEPS):
            monkey.step()
            if number % SETTLE_EVERY == SETTLE_EVERY - 1:
                monkey.done.append("settle")
                monkey.settle()
        monkey.settle()
        kept = {chat.id for chat in stored(app.store.list_chats(include_archived=True))}
        for _ in range(LAST_STEPS):  # it is closed in the midst of whatever there is
            monkey.step()
    except BaseException:
        monkey.chooser.stop()
        print("the last steps:", *monkey.done[-30:], sep="\n  ")
        raise
    monkey.chooser.stop()
    app.window.close()
    app.close()
    database = sqlite3.connect(app.store.path)
    try:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    finally:
        database.close()
    again = open_window(SCRIPT)
    store = again.store
    after = {chat.id for chat in stored(store.list_chats(include_archived=True))}
    after |= {chat.id for chat in stored(store.list_bin())}
    # What was deleted for good since, and a blank chat that went with its tab.
    assert len(kept - after) <= LAST_STEPS
    gc.collect(1)
