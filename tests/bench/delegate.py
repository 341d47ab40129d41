"""The road not taken: ``python -m tests.bench.delegate``. Why messages are widgets of ours.

The usual way to show a long list in Qt is a QListView whose delegate paints each message from
a QTextDocument (kept while near the view; heights are estimates until a message is painted).
The same 10,000 messages, the same steps, in one process each way by turns; medians and worst
of the wall time to the flushed paint, in ms:

    opening     10,000 messages, shown at their end
    streaming   25 characters more for a last answer of 12 kB, as one frame brings them
    scrolling   a step of 120 pixels towards the beginning
    resizing    the window 40 pixels narrower or wider

Bar: the transcript is at least twice as fast at streaming and at resizing, and not slower at
opening. (And a delegate has no text that can be selected from message to message, no focus
and nothing for a screen reader; none of that is in these figures.)
"""

from __future__ import annotations

import dataclasses
import gc
import json
import os
import statistics
import sys
import time
from collections import OrderedDict
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter, QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import Message, MessageStatus
from desktop.views.transcript.transcript_view import TranscriptView
from tests.bench import ui_texts
from tests.bench.ui_meter import FirstPaint, run_for, wait_for

MESSAGES = 10_000
ROUNDS = 5
FRAMES = 60
ANSWER = 12_000  # characters
BAR_RATIO = 2.0
_Index = QModelIndex | QPersistentModelIndex


class Model(QAbstractListModel):
    """The messages' texts."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self.texts = texts

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802
        """All messages."""
        return 0 if parent.isValid() else len(self.texts)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One text."""
        return self.texts[index.row()] if role == Qt.ItemDataRole.DisplayRole else None

    def append(self, text: str) -> None:
        """More of the last message."""
        self.texts[-1] += text
        last = self.index(len(self.texts) - 1)
        self.dataChanged.emit(last, last)


class Delegate(QStyledItemDelegate):
    """Paints a message from a document, of which the last hundred are kept."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._documents: OrderedDict[tuple[int, int, int], QTextDocument] = OrderedDict()
        self._heights: dict[int, int] = {}

    def _document(self, index: _Index, width: int) -> QTextDocument:
        text = index.data()
        key = (index.row(), len(text), width)
        document = self._documents.get(key)
        if document is None:
            document = QTextDocument()
            document.setDefaultFont(theme.current().text_font())
            document.setMarkdown(text)
            document.setTextWidth(width)
            self._documents[key] = document
            if len(self._documents) > 100:
                self._documents.popitem(last=False)
        self._documents.move_to_end(key)
        return document

    def forget(self) -> None:
        """Another width."""
        self._heights.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802
        """The height as painted last, else an estimate."""
        del option
        height = self._heights.get(index.row())
        if height is None:
            height = (len(index.data()) // 80 + 2) * 22
        return QSize(100, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint, and tell the view if the height is another than it thought."""
        rect = option.rect
        document = self._document(index, rect.width())
        height = int(document.size().height())
        if self._heights.get(index.row()) != height:
            self._heights[index.row()] = height
            self.sizeHintChanged.emit(index)
        painter.save()
        painter.translate(rect.topLeft())
        document.drawContents(painter)
        painter.restore()


class ByDelegate:
    """A QListView and its delegate."""

    def __init__(self, messages: list[Message]) -> None:
        self.model = Model([message.content for message in messages])
        self.view = QListView()
        self.view.setModel(self.model)
        self.delegate = Delegate(self.view)
        self.view.setItemDelegate(self.delegate)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.area: QAbstractScrollArea = self.view
        self.widget: QWidget = self.view
        self.painted: QWidget = self.view.viewport()

    def to_end(self) -> None:
        """Show the end."""
        self.view.scrollToBottom()

    def append(self, text: str) -> None:
        """One frame of the last answer."""
        self.model.append(text)
        self.view.scrollToBottom()

    def resized(self) -> None:
        """The width is another one."""
        self.delegate.forget()
        self.view.doItemsLayout()


class ByTranscript:
    """Ours."""

    def __init__(self, messages: list[Message]) -> None:
        self.view = TranscriptView()
        self.view.set_messages(messages)
        self._last = messages[-1].id
        area = self.view.findChild(QAbstractScrollArea)
        assert isinstance(area, QAbstractScrollArea)
        self.area = area
        self.widget: QWidget = self.view
        self.painted: QWidget = self.view

    def to_end(self) -> None:
        """It shows the end by itself."""

    def append(self, text: str) -> None:
        """One frame of the last answer."""
        self.view.append_text(self._last, text)

    def resized(self) -> None:
        """It follows by itself."""


Way = ByDelegate | ByTranscript


def timed(way: Way, act: Callable[[], None]) -> float:
    """From `act` to the end of the paint that it brings about, in ms."""
    paint = FirstPaint(way.painted)
    began = time.perf_counter()
    act()
    way.painted.update()  # also where nothing seems to have changed
    wait_for(lambda: paint.at is not None)
    assert paint.at is not None
    return (paint.at - began) * 1e3


def messages() -> list[Message]:
    """The chat, with an answer at its end that is being written."""
    found = list(ui_texts.conversation(MESSAGES, "Long"))
    body = "\n\n".join(message.content for message in found[1:60:2])[:ANSWER]
    found[-1] = dataclasses.replace(found[-1], content=body, status=MessageStatus.STREAMING)
    return found


def measure(make: Callable[[list[Message]], Way], into: dict[str, list[float]]) -> None:
    """One round of one way."""
    chat = messages()
    gc.collect()
    way: Way | None = None

    def open_it() -> None:
        nonlocal way
        way = make(chat)
        way.widget.resize(1000, 900)
        way.widget.show()
        way.to_end()

    began = time.perf_counter()
    open_it()
    assert way is not None
    opened = FirstPaint(way.painted)
    wait_for(lambda: opened.at is not None)
    assert opened.at is not None
    into["opening"].append((opened.at - began) * 1e3)
    shown: Way = way
    bar = shown.area.verticalScrollBar()
    for _ in range(FRAMES):
        into["streaming"].append(timed(shown, lambda: shown.append("five or six more words. ")))
    for _ in range(FRAMES):
        into["scrolling"].append(timed(shown, lambda: bar.setValue(bar.value() - 120)))
    for step in range(6):

        def resize(width: int = 1000 - 40 * (step % 2 == 0)) -> None:
            shown.widget.resize(width, 900)
            shown.resized()

        into["resizing"].append(timed(shown, resize))
    shown.widget.close()
    shown.widget.deleteLater()
    run_for(0.2)  # what is left behind must not count for the next one


def main() -> int:
    """Take turns, print the figures, compare with the bar."""
    gc.disable()  # as in the program while it paints (desktop/collector.py)
    application = QApplication([])
    theme.apply(application, "light", 11)
    figures: dict[str, dict[str, list[float]]] = {}
    for turn in range(ROUNDS + 1):
        for name, make in (("delegate", ByDelegate), ("transcript", ByTranscript)):
            steps: dict[str, list[float]] = {
                "opening": [],
                "streaming": [],
                "scrolling": [],
                "resizing": [],
            }
            measure(make, steps)
            if turn:  # the first loads the code
                for step, values in steps.items():
                    figures.setdefault(name, {}).setdefault(step, []).extend(values)
    medians = {
        name: {step: round(statistics.median(values), 2) for step, values in steps.items()}
        for name, steps in figures.items()
    }
    worst = {
        name: {step: round(max(values), 2) for step, values in steps.items()}
        for name, steps in figures.items()
    }
    ratios = {
        step: round(medians["delegate"][step] / medians["transcript"][step], 2)
        for step in medians["transcript"]
    }
    passed = (
        ratios["streaming"] >= BAR_RATIO
        and ratios["resizing"] >= BAR_RATIO
        and ratios["opening"] >= 1.0
    )
    print(
        json.dumps(
            {
                "bench": "delegate",
                "passed": passed,
                "gain": ratios,
                "median_ms": medians,
                "worst_ms": worst,
            }
        )
    )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
