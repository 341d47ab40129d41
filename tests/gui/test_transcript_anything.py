"""Whatever happens in whatever order, the page stays whole."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.chats.chat import Attachment, Message, MessageStatus, Role, Statistics
from desktop.chats.markdown.markdown_blocks import parse, plain
from desktop.chats.markdown.stream_tail import ready
from desktop.views.transcript.part_pool import kind_of
from desktop.views.transcript.pointer import ReadingCanvas
from desktop.views.transcript.transcript_view import TranscriptView

PIECES = [
    "word ", "**bold** ", "\n", "\n\n", "- item\n", "  - nested\n", "1. one\n", "```py\n",
    "x = 1\n", "```\n", "| a | b |\n|---|---|\n", "| 1 | 2 |\n", "> quoted\n", "# Head\n",
    "---\n", "[a]: /u\n", "[a]", "`code` ", "😀", "日本", "עברית ", "long " * 300, "x" * 700,
    "~~~\n", "<b>", "\t", "\r\n",
]  # fmt: skip

FILES = (Attachment("1", "a file", "text"), Attachment("2", "another file", "text"))


class Reader:
    """Does something random to a view, and knows what it should then hold."""

    def __init__(self, view: TranscriptView, qapp: QApplication, seed: int) -> None:
        self.view = view
        self.qapp = qapp
        self.random = random.Random(seed)
        self.contents: dict[str, tuple[Role, str]] = {}
        self.thoughts: dict[str, str] = {}
        self.places: list[object] = [view.place()]
        canvas = view.findChild(ReadingCanvas)
        assert isinstance(canvas, ReadingCanvas)
        self.canvas = canvas

    def text(self) -> str:
        return "".join(self.random.choices(PIECES, k=self.random.randrange(40)))

    def message(self, message_id: str, text: str) -> Message:
        role = self.random.choice([Role.USER, Role.ASSISTANT, Role.ASSISTANT])
        if message_id in self.contents:
            role = self.contents[message_id][0]
        self.contents[message_id] = (role, text)
        status = self.random.choice(list(MessageStatus))
        thought = ""
        if role == Role.ASSISTANT:
            thought = self.random.choice(["", self.thoughts.get(message_id, ""), self.text()])
        self.thoughts[message_id] = thought
        return Message(
            message_id,
            "c",
            None,
            role,
            text,
            status,
            error="It failed. " * 9,
            reasoning=thought,
            siblings=self.random.choice([(), (message_id, "x"), ("x", message_id, "y")]),
            attachments=self.random.choice([(), (), FILES]),
            statistics=self.random.choice([None, Statistics(7, 8, dropped_messages=2)]),
        )

    def set_messages(self) -> None:
        self.contents = {}
        self.thoughts = {}
        count = self.random.randrange(12)
        self.view.set_messages([self.message(str(n), self.text()) for n in range(count)])

    def append_message(self) -> None:
        self.view.append_message(self.message(str(len(self.contents)), self.text()))

    def append_text(self) -> None:
        for message_id in self.random.sample(sorted(self.contents), min(2, len(self.contents))):
            text = self.text()
            role, before = self.contents[message_id]
            self.contents[message_id] = (role, before + text)
            self.view.append_text(message_id, text)

    def update(self) -> None:
        if self.contents:
            message_id = self.random.choice(sorted(self.contents))
            before = self.contents[message_id][1]
            text = self.random.choice([before, before + self.text(), self.text()])
            self.view.update_message(self.message(message_id, text))

    def append_reasoning(self) -> None:
        answers = [key for key, (role, _) in self.contents.items() if role == Role.ASSISTANT]
        for message_id in self.random.sample(answers, min(2, len(answers))):
            text = self.text()
            self.thoughts[message_id] += text
            self.view.append_reasoning(message_id, text)

    def fold_or_unfold(self) -> None:
        if self.contents:
            index = self.random.randrange(len(self.contents))
            self.canvas.unfold(index, not self.canvas.items[index].unfolded)

    def point_at(self) -> None:
        if self.canvas.frames:
            frame = self.random.choice(list(self.canvas.frames.values()))
            frame.entered.emit()
            toolbar = self.canvas.lender.toolbar
            if toolbar is not None and self.random.random() < 0.5:
                stop = toolbar.first_stop()
                if stop is not None:
                    stop.setFocus()
        if self.random.random() < 0.3:
            self.canvas.lender.leave()

    def go_somewhere(self) -> None:
        self.places.append(self.view.place())
        self.view.restore_place(self.random.choice(self.places))

    def reveal(self) -> None:
        words = self.random.choice([(), ("word",), ("item", "x"), ("עברית",)])
        self.view.reveal(self.random.choice([*self.contents, "nowhere"]), words)

    def scroll(self) -> None:
        bar = self.canvas.verticalScrollBar()
        bar.setValue(self.random.choice([0, bar.maximum(), self.random.randrange(9999)]))

    def resize(self) -> None:
        self.view.resize(self.random.randrange(60, 1500), self.random.randrange(60, 1200))

    def hide_or_show(self) -> None:
        self.view.setVisible(not self.view.isVisible())

    def change_theme(self) -> None:
        theme.apply(self.qapp, self.random.choice(["light", "dark"]), self.random.choice([9, 16]))

    def press(self) -> None:
        key = self.random.choice(
            [Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab, Qt.Key.Key_Home, Qt.Key.Key_PageUp]
        )
        QTest.keyClick(self.canvas, key)

    def drag(self) -> None:
        port = self.canvas.viewport()

        def point() -> QPoint:
            return QPoint(self.random.randrange(600), self.random.randrange(-50, 700))

        button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mousePress(port, button, none, point())
        for _ in range(3):
            QTest.mouseMove(port, point())
        QTest.mouseRelease(port, button, none, point())
        self.view.selected_text()

    def step(self) -> None:
        actions = [
            self.set_messages, self.append_message, self.append_message, self.append_text,
            self.append_text, self.append_text, self.update, self.scroll, self.scroll, self.resize,
            self.hide_or_show, self.change_theme, self.press, self.drag, self.append_reasoning,
            self.fold_or_unfold, self.point_at, self.go_somewhere, self.reveal,
        ]  # fmt: skip
        self.random.choice(actions)()

    def check(self) -> None:
        self.view.show()
        self.canvas.arrange()
        while unread := [i for i in self.canvas.frames if not self.canvas.items[i].is_read]:
            for index in unread:  # not in slices, as the page does
                self.canvas.items[index].read_all()
            self.canvas.arrange()
        assert [item.content for item in self.canvas.items] == [
            text for _, text in self.contents.values()
        ]
        assert [item.reasoning for item in self.canvas.items] == list(self.thoughts.values())
        bottom = None
        for index in sorted(self.canvas.frames):
            frame = self.canvas.frames[index]
            item = self.canvas.items[index]
            assert frame.item is item
            if frame.y() > self.canvas.viewport().height() or frame.geometry().bottom() < 0:
                continue  # kept for its focus only
            role, text = self.contents[item.message.id]
            thought = self.thoughts[item.message.id] if item.unfolded else ""
            if item.message.status.is_active and role == Role.ASSISTANT:
                text = text[: ready(text)]  # the rest waits for what follows
                thought = thought[: ready(thought)] if not item.content else thought
            blocks = plain(text) if role == Role.USER else parse(text)
            blocks = [*parse(thought), *blocks]
            assert item.parts == [part for block in blocks for part in block.parts]
            if bottom is not None and index - 1 in self.canvas.frames:
                assert frame.y() >= bottom
            bottom = frame.y() + frame.height()
            last = 0
            for number in sorted(frame.widgets):
                widget = frame.widgets[number]
                assert type(widget) is kind_of(item.parts[number])
                if 0 <= frame.y() + widget.y() < self.canvas.viewport().height():
                    assert widget.part == item.parts[number]
                    assert widget.isVisible()
                assert widget.y() >= last
                last = widget.y() + widget.height()
            assert last <= frame.height()
        self.view.grab()


@pytest.mark.parametrize("seed", range(6))
def test_the_page_stays_whole(qtbot: QtBot, qapp: QApplication, seed: int) -> None:
    theme.apply(qapp, "light", 11)
    view = TranscriptView()
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    reader = Reader(view, qapp, seed)
    for _ in range(12):
        for _ in range(8):
            reader.step()
        reader.check()
    theme.apply(qapp, "light", 11)
