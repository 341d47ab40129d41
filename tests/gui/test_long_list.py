"""Long lists of the library: what is painted when one scrolls, and what Qt asks the model for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktop.models.library.counted_list import CountedList
from desktop.models.library.discover_model import DiscoverModel
from desktop.views.library.hit_list import HitList
from desktop.views.library.long_list import LongList
from desktop.views.library.row_text import Face
from tests.gui.library_kit import hits


class Numbers(CountedList[int]):
    """A list that is counted, and tells when others hear of it."""

    heard = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        for signal in (self.modelReset, self.rowsInserted, self.rowsRemoved):
            signal.connect(lambda *_what: self.heard.emit(list(self._rows)))


def test_rows_and_their_number_go_together() -> None:
    numbers = Numbers()
    QAbstractItemModelTester(numbers, QAbstractItemModelTester.FailureReportingMode.Fatal)
    heard: list[list[int]] = []
    numbers.heard.connect(heard.append)
    numbers._reset_rows([1, 2, 3])
    numbers._insert_rows(1, [7, 8])
    numbers._insert_rows(5, [9])
    numbers._remove_rows(0, 2)
    numbers._remove_rows(0, 0)
    numbers._insert_rows(0, [])
    assert heard == [[1, 2, 3], [1, 7, 8, 2, 3], [1, 7, 8, 2, 3, 9], [8, 2, 3, 9]]
    assert numbers.rowCount() == 4


def test_scrolling_paints_what_comes_into_sight(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    due: list[int] = []
    paint = LongList.paintEvent

    def noted(view: LongList, event: object) -> None:
        paint(view, event)  # type: ignore[arg-type]
        box = view._due.boundingRect()
        due.append(box.width() * box.height())

    monkeypatch.setattr(LongList, "paintEvent", noted)
    model = DiscoverModel()
    model.show_hits(hits(200), more=False)
    view = HitList(model, "Models")
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    qtbot.waitUntil(lambda: bool(due))
    whole = view.viewport().width() * view.viewport().height()
    assert due[-1] == whole
    bar = view.verticalScrollBar()
    due.clear()

    def scrolled_cheaply() -> bool:
        """Scroll on: what was still to be laid out when the view was shown is drawn whole."""
        if due and due[-1] < whole / 2:
            return True
        if due:
            due.clear()
        bar.setValue(bar.value() + 40)
        return False

    qtbot.waitUntil(scrolled_cheaply)


def test_words_are_cut_to_their_room() -> None:
    face = Face(QFont())
    assert face.fitted("a few words", 10_000) == ("a few words", face.width("a few words"))
    cut = face.fitted("a few words", face.width("a few w"))
    assert cut.text.endswith("…")
    assert cut.width <= face.width("a few w")
    middle = face.fitted("owner/name", face.width("owner/n"), Qt.TextElideMode.ElideMiddle)
    assert middle.text.startswith("o")
    assert middle.text.endswith("e")
    room = face.width("one · two") + 2
    assert face.joined(["one", "two", "three"], " · ", room).text == "one · two"
    assert face.joined(["a very long part"], " · ", 30).text.endswith("…")
    assert face.joined([], " · ", 30) == ("", 0)
